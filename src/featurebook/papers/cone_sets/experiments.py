"""What the chapters train: the theory's gradient descent, and autoencoders on normal images."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook import core
from featurebook.papers.cone_sets import network
from featurebook.papers.cone_sets.cones import Cone
from featurebook.papers.cone_sets.data import PatchData

KINDS = ("NE", "SE", "NSE")
WORTH_COMPILING = 50_000
"""Updates from which a compiled training has saved several times what compiling it costs."""


def gradient_descent(
    w: Tensor, images: Tensor, *, a: float, c0: float, T: int, seeds: Sequence[int], device: Any
) -> Tensor:
    """Every w^t, t = 1, ..., T, of full-batch gradient descent with step sizes a/t.

    Args:
        w: kernels w^1 (R, C, d), one network per seed.
        images: training images (R, N, P, d).
        c0: threshold of the activation; 1e-12 gives the ReLU.

    Returns:
        (T, R, C, d), on the CPU.
    """
    run = core.train(
        partial(network.loss, c0=c0),
        {"w": w},
        images,
        steps=T - 1,
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=a),
        schedule=core.inverse_time(a),
        gradient=partial(network.gradient, c0=c0),
        observe=core.Observe(lambda p: p, at=range(T)),
        execution=core.Execution(device=device, label=f"gradient descent, a = {a}"),
    )
    return run.observed["w"].cpu()


def start_in_ball(cone: Cone, C: int, g: torch.Generator) -> Tensor:
    """Random kernels w^1 (C, d), float64; those longer than σ0 f_h are cut to that length."""
    w = torch.randn(C, cone.d, generator=g, dtype=torch.float64)
    return cone.sigma0 * w * (cone.f_h / w.norm(dim=1, keepdim=True)).clamp(max=1)


def wins_of_members(cone: Cone, w: Tensor, images: Tensor, t: int) -> Tensor:
    """For each kernel in a cone and image with the cone's feature: does it win that patch? (n,).

    Args:
        w: kernels at iteration t, (C, d).
        images: (N, P, d), their features different within an image.
    """
    features = images.argmax(2)  # (N, P)
    won = features.gather(1, (images @ w.T).argmax(1))  # the feature that each kernel wins, (N, C)
    members = cone.members(w, t).nonzero().tolist()
    cases = [won[(features == k).any(1), j] == k for j, k in members]
    return torch.cat(cases) if cases else torch.ones(0, dtype=torch.bool)


@dataclass(frozen=True)
class Training:
    """Training on normal images with SGD, step sizes a/t, as Section 4 and Appendix G.1.1 have it.

    Attributes:
        seeds: one autoencoder per seed.
        steps: updates of a training.
        n_train, n_test: training images; test images of each kind.
        sigma0: scale of the start, σ_0.
        c0: threshold of the activation.
    """

    seeds: Sequence[int]
    device: Any = "cpu"
    steps: int = 3000
    n_train: int = 4000
    n_test: int = 1000
    batch_size: int = 32
    a: float = 0.2
    sigma0: float = 0.01
    c0: float = 0.01
    momentum: float = 0.9
    weight_decay: float = 0.001

    def train(self, data: PatchData, C: int, steps: int | None = None, **more: Any) -> core.Run:
        """An ensemble of autoencoders with C kernels, each trained on its own normal images."""
        sgd = partial(torch.optim.SGD, momentum=self.momentum, weight_decay=self.weight_decay)
        steps = self.steps if steps is None else steps
        return core.train(
            partial(network.loss, c0=self.c0),
            core.replicate(
                partial(network.draw_kernels, C, data.d, self.sigma0), self.seeds, "init"
            ),
            core.replicate(partial(data.draw, self.n_train), self.seeds, "train"),
            steps=steps,
            seeds=self.seeds,
            optimizer=partial(sgd, lr=self.a),
            schedule=core.inverse_time(self.a),
            batch_size=min(self.batch_size, self.n_train),
            gradient=partial(network.gradient, c0=self.c0),
            execution=core.Execution(
                device=self.device,
                compiled=steps >= WORTH_COMPILING,
                label=f"autoencoders ({data.d}, {data.P}, {C})",
            ),
            **more,
        )

    def errors(self, data: PatchData, w: Tensor, replaced: int) -> pd.DataFrame:
        """NE, SE and NSE per entry of kernels w (R, C, d) on test images, one row for each seed."""
        mean_error = core.per_network(partial(network.error, c0=self.c0), 0, 0)
        test = _test_images(data, replaced, self.n_test, tuple(self.seeds))
        values = {k: mean_error({"w": w}, z.to(w.device)).cpu().numpy() for k, z in test.items()}
        return pd.DataFrame(values, index=pd.Index(self.seeds, name="seed"))


@lru_cache(maxsize=1)  # along a training the same images are asked for again and again
def _test_images(
    data: PatchData, replaced: int, count: int, seeds: tuple[int, ...]
) -> dict[str, Tensor]:
    """Test images of each kind, (R, count, P, d)."""
    draws = {
        "NE": partial(data.draw, count),
        "SE": partial(data.semantic, count, replaced),
        "NSE": partial(data.non_semantic, count, replaced),
    }
    return {kind: core.replicate(draw, seeds, f"test {kind}") for kind, draw in draws.items()}


def growth_of_kernels(
    P: int, *, steps: int, seeds: Sequence[int], device: Any, at: Sequence[int]
) -> dict[str, Tensor]:
    """Figures G.3 to G.8: full-batch descent, d = C = int(1.2 P), σ0 = ε = 0.001, N = 100, a = 0.2.

    Returns:
        ``norm``, ``cosine`` with the nearest feature and ``largest`` component of every kernel at
        the steps ``at``, each (len(at), R, C), on the CPU.
    """
    size = int(1.2 * P)
    data = PatchData(size, P, 1e-3)
    run = core.train(
        partial(network.loss, c0=0.01),
        core.replicate(partial(network.draw_kernels, size, size, 1e-3), seeds, "init"),
        core.replicate(partial(data.draw, 100), seeds, "heat"),
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=0.2),
        schedule=core.inverse_time(0.2),
        gradient=partial(network.gradient, c0=0.01),
        observe=core.Observe(
            lambda p: {
                "norm": p["w"].norm(dim=-1),
                "cosine": network.label(p["w"])[1],
                "largest": p["w"].amax(-1),
            },
            at=at,
        ),
        execution=core.Execution(device=device, label=f"heat maps, P = {P}"),
    )
    return {name: x.cpu() for name, x in run.observed.items()}


def rank_with_growth(start: NDArray[Any], norm: NDArray[Any]) -> NDArray[np.float64]:
    """Spearman's rank correlation of what kernels had at the start with how much they grew.

    Args:
        start: (R, C).
        norm: norms along the training (T, R, C).

    Returns:
        One per run, (R,).
    """
    grown = norm[-1] - norm[0]
    return np.array([stats.spearmanr(x, y).statistic for x, y in zip(start, grown, strict=True)])
