"""The smallest width at which training keeps the proved rate."""

from math import ceil, log

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook.core import replicate
from featurebook.papers.ntk_autoencoders import experiments, kernels, network
from featurebook.papers.ntk_autoencoders.bounds import descent_bound

WIDTHS = tuple(round(2 ** (k / 2)) for k in range(4, 19))
"""Half octaves from 4 to 512."""

ENOUGH = 0.9
"""Share of initialisations that must succeed."""


def share_keeping_rate(
    regime: str, points: Tensor, m: int, *, seeds: int, c: float, error: float, first: int = 0
) -> NDArray[np.float64]:
    """Share of initialisations whose squared error stays below (1 - ηλ_0/2d)^k, for each data set.

    All data sets and initialisations are trained at once, with the largest step size stable for
    each of them, until the slowest of the lines has fallen to ``error``.

    Args:
        regime: a key of `network.GRADIENTS`.
        points: data sets, (sets, d, n).
        m: width.
        seeds: initialisations of each data set.
        c: step size η = c d / λ_max(K(0)).
        error: relative squared error to which the line is followed.
        first: seed of the first initialisation.
    """
    sets, d = points.shape[:2]
    least = torch.tensor([kernels.geometry(x.cpu()).lambda_0 for x in points], dtype=torch.double)
    least = least.repeat_interleave(seeds)
    X = points.repeat_interleave(seeds, dim=0)
    drawn = replicate(
        lambda g: network.initial(g, d, m), range(first, first + len(X)), f"search {m}"
    )
    start = {name: p.to(points.device) for name, p in drawn.items()}
    eta = kernels.stable_step(regime, start, X, c)
    steps = ceil(log(error) / log(1 - eta * float(least.min()) / (2 * d)))
    if regime == "decoder":  # linear: its errors are known without training
        seen = experiments.decoder_errors(start, X, eta, range(steps + 1)).cpu()
    else:
        run = network.descend(
            regime,
            start,
            X,
            eta=eta,
            steps=steps,
            seeds=range(len(X)),
            observe=lambda p: {"error": network.squared_error(p, X)},
        )
        seen = run.observed["error"].cpu()
    line = descent_bound(eta * least / (2 * d), range(steps + 1), torch.ones(len(X)))
    kept = (seen <= (line + 1e-12) * seen[0]) | (line < error)
    return kept.all(0).double().view(sets, seeds).mean(1).numpy()


def smallest_width(
    regime: str, points: Tensor, *, seeds: int, c: float, error: float, first: int = 0
) -> NDArray[np.float64]:
    """m* for each data set: the first of `WIDTHS` at which `ENOUGH` succeed, infinite if none."""
    found = np.full(len(points), np.inf)
    for m in WIDTHS:
        share = share_keeping_rate(regime, points, m, seeds=seeds, c=c, error=error, first=first)
        found[(share >= ENOUGH) & np.isinf(found)] = m
        if np.isfinite(found).all():
            break
    return found
