"""Multidimensional scaling, to draw neurons by their cosine similarities."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from featurebook.core.spectra import eigh


def multidimensional_scaling(dissimilarity: Tensor, steps: int = 150) -> Tensor:
    """Places (N, 2) whose distances approximate ``dissimilarity`` (N, N), by stress majorisation.

    SMACOF from the classical solution, so the result is reproducible without a random start.

    Raises:
        ValueError: if the matrix is not square and symmetric.
    """
    square = dissimilarity.ndim == 2 and dissimilarity.shape[0] == dissimilarity.shape[1]
    if not square or not torch.allclose(dissimilarity, dissimilarity.T):
        raise ValueError("dissimilarity must be a symmetric matrix")
    d = dissimilarity.double().cpu()
    n = len(d)
    centred = torch.eye(n, dtype=torch.float64) - 1 / n
    values, vectors = eigh(-0.5 * centred @ d.square() @ centred)
    top = vectors[:, -2:]
    # An eigenvector's sign is arbitrary; fix it.
    top = top * top.gather(0, top.abs().argmax(0, keepdim=True)).sign()
    place = top * values[-2:].clamp(min=0).sqrt()
    for _ in range(steps):
        distance = torch.cdist(place, place)
        ratio = torch.where(distance > 1e-12, d / distance.clamp(min=1e-12), 0.0)
        place = (torch.diag(ratio.sum(1)) - ratio) @ place / n
    return place


def cosine_dissimilarity(points: Tensor) -> Tensor:
    """1 - cos for all pairs of points (N, d): (N, N), exactly symmetric, zero on the diagonal."""
    u = torch.nn.functional.normalize(points.double(), dim=1)
    return (1 - u @ u.T).clamp(min=0).fill_diagonal_(0)


@dataclass(frozen=True)
class Places:
    """Where neurons are drawn, so that their directions can be seen in a plane.

    Attributes:
        stages: places (N + 2, 2) before training and after steps 1 and 2, by name; the last two
            are plus and minus a direction.
        plus: which of the N neurons are nearer to plus after step 2.
    """

    stages: dict[str, np.ndarray]
    plus: np.ndarray


def places(weights: Mapping[str, Tensor], direction: Tensor, count: int = 100) -> Places:
    """Neurons of the first replica by multidimensional scaling of 1 - cos.

    Args:
        weights: first layers (R, 2m, D) by stage.
    """
    last = weights["two"][0, :count].cpu() @ direction.to(weights["two"].dtype)
    stages = {}
    for stage, W in weights.items():
        points = torch.cat([W[0, :count].cpu(), direction[None], -direction[None]])
        stages[stage] = multidimensional_scaling(cosine_dissimilarity(points)).numpy()
    return Places(stages, last.numpy() > 0)
