"""A counterpart of DomainBed on images at hand: leave one domain out, choose by validation.

Many runs are trained at once: all tensors have a leading dimension K for them. Runs that differ in
λ alone start from the same weights and see the same batches, so that differences are paired.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook.core.spectra import svdvals
from featurebook.papers.nuclear_norm.data import Domains
from featurebook.papers.nuclear_norm.layer import nuclear_norm, stable_rank, stable_rank_printed

HIDDEN = 64

Penalty = Callable[[list[Tensor], Tensor], Tensor]
"""What λ multiplies (K,), from the weights and the features (K, B, d) of K runs."""


def nuclear(_: list[Tensor], z: Tensor) -> Tensor:
    """‖Z‖_*, the penalty of ERM-NU."""
    return nuclear_norm(z, method="gram")


@dataclass(frozen=True)
class Recipe:
    """How runs are trained: Adam from random weights, ``per_domain`` images of each domain."""

    steps: int = 300
    per_domain: int = 16
    features: int = 32
    rate: float = 2e-3
    mixup: float = 0.0
    penalty: Penalty = nuclear


def start(sizes: list[int], seeds: list[int], copies: int) -> list[Tensor]:
    """He initialisation; every ``copies`` runs in turn share a seed's weights."""
    made: list[Tensor] = []
    generators = [torch.Generator().manual_seed(1000 + s) for s in seeds]
    for rows, columns in pairwise(sizes):
        w = torch.stack([torch.randn(rows, columns, generator=g) for g in generators])
        made.append((w * (2 / rows) ** 0.5).repeat(copies, 1, 1).requires_grad_())
        made.append(torch.zeros(copies * len(seeds), 1, columns, requires_grad=True))
    return made


def features_of(weights: list[Tensor], x: Tensor) -> Tensor:
    """Φ(x) (K, B, d): two layers with ReLU."""
    for w, b in zip(weights[:-2:2], weights[1:-2:2], strict=True):
        x = torch.relu(x @ w + b)
    return x


def scores(weights: list[Tensor], features: Tensor) -> Tensor:
    return features @ weights[-2] + weights[-1]


def _hits(weights: list[Tensor], x: Tensor, y: Tensor) -> Tensor:
    """Accuracy of each run (K,) on x (N, size), or on its own x (K, N, size)."""
    with torch.no_grad():
        guess = scores(weights, features_of(weights, x)).argmax(-1)
    return (guess == y).float().mean(-1)


def train(
    domains: Domains, test: int, lams: list[float], seeds: list[int], recipe: Recipe
) -> tuple[pd.DataFrame, dict[float, np.ndarray]]:
    """One row for each λ, seed and way to choose weights; singular values of OOD features by λ.

    Columns lam, seed, weights ("best" by validation, or "averaged" over the second half), ood, val,
    stable_rank and stable_rank_printed of the OOD features.
    """
    inside = [e for e in range(len(domains.names)) if e != test]
    x, y = domains.pixels[inside], domains.labels[inside]
    n = x.shape[1] * 4 // 5
    held_x, held_y = x[:, n:].flatten(0, 1), y[:, n:].flatten()
    out_x, out_y = domains.pixels[test], domains.labels[test]
    classes = int(domains.labels.max()) + 1
    weights = start([x.shape[2], HIDDEN, recipe.features, classes], seeds, len(lams))
    prices = torch.tensor(lams).repeat_interleave(len(seeds))
    optimiser = torch.optim.Adam(weights, lr=recipe.rate)
    draws = [torch.Generator().manual_seed(s) for s in seeds]
    kept = _Kept(weights, recipe.steps)
    for step in range(recipe.steps):
        bx, by = _batch(x[:, :n], y[:, :n], recipe.per_domain, draws)
        objective = _objective(weights, bx, by, prices, recipe, draws, len(lams))
        optimiser.zero_grad()
        objective.sum().backward()
        optimiser.step()
        kept.see(step, weights, lambda w: _hits(w, held_x, held_y))
    rows, spectra = [], {}
    for name, chosen in (("best", kept.best), ("averaged", kept.mean())):
        with torch.no_grad():
            z = features_of(chosen, out_x)
        found = zip(
            [lam for lam in lams for _ in seeds], seeds * len(lams),
            _hits(chosen, out_x, out_y).tolist(), _hits(chosen, held_x, held_y).tolist(),
            stable_rank(z).tolist(), stable_rank_printed(z).tolist(), strict=True,
        )  # fmt: skip
        rows += [(domains.names[test], name, *f) for f in found]
        if name == "best":
            s = svdvals(z).reshape(len(lams), len(seeds), -1).mean(1).numpy()
            spectra = dict(zip(lams, s, strict=True))
    columns = ["test", "weights", "lam", "seed", "ood", "val", "stable_rank", "printed_rank"]
    return pd.DataFrame(rows, columns=columns), spectra


def by_batch(
    domains: Domains, test: int, lam: float, sizes: list[int], seeds: list[int], recipe: Recipe
) -> pd.DataFrame:
    """What λ does at each batch size, by seed: columns size, seed, gain and shrink.

    gain: OOD accuracy with λ minus without; shrink: logarithm of ‖Φ(X)‖_F of the OOD features with
    λ over the same without.
    """
    rows = []
    for size in sizes:
        for s in seeds:
            own = replace(recipe, per_domain=size)
            runs, spectra = train(domains, test, [0.0, lam], [s], own)
            ood = runs[runs.weights.eq("best")].set_index("lam").ood
            shrink = np.log(np.linalg.norm(spectra[lam]) / np.linalg.norm(spectra[0.0]))
            rows.append((size, s, ood[lam] - ood[0.0], float(shrink)))
    return pd.DataFrame(rows, columns=["size", "seed", "gain", "shrink"])


class _Kept:
    """Each run's weights at its best validation, and their mean over the second half."""

    def __init__(self, weights: list[Tensor], steps: int) -> None:
        self.best = [w.detach().clone() for w in weights]
        self.sum = [torch.zeros_like(w) for w in self.best]
        self.top = torch.full((len(weights[0]),), -1.0)
        self.every, self.half, self.count = max(1, steps // 10), steps // 2, 0

    def see(self, step: int, weights: list[Tensor], judge) -> None:  # type: ignore[no-untyped-def]
        if step >= self.half:
            self.count += 1
            for total, w in zip(self.sum, weights, strict=True):
                total += w.detach()
        if (step + 1) % self.every == 0:
            value = judge(weights)
            better = value > self.top
            self.top = torch.where(better, value, self.top)
            for old, w in zip(self.best, weights, strict=True):
                old[better] = w.detach()[better]

    def mean(self) -> list[Tensor]:
        return [total / max(1, self.count) for total in self.sum]


def _batch(x: Tensor, y: Tensor, size: int, draws: list[torch.Generator]) -> tuple[Tensor, Tensor]:
    """(S, E * size, pixels) and labels: ``size`` images of each domain for each seed."""
    picks = torch.stack([torch.randint(x.shape[1], (len(x), size), generator=g) for g in draws])
    which = torch.arange(len(x))[None, :, None]
    return x[which, picks].flatten(1, 2), y[which, picks].flatten(1)


def _objective(
    weights: list[Tensor], x: Tensor, y: Tensor, prices: Tensor, recipe: Recipe,
    draws: list[torch.Generator], copies: int,
) -> Tensor:  # fmt: skip
    """Cross-entropy, of mixed images if the recipe says so, plus λ times the penalty (K,)."""
    share, other = torch.ones(len(draws)), y
    if recipe.mixup:
        order = torch.stack([torch.randperm(x.shape[1], generator=g) for g in draws])
        share = torch.tensor([_beta(recipe.mixup, g) for g in draws])
        rows = torch.arange(len(draws))[:, None]
        x = share[:, None, None] * x + (1 - share)[:, None, None] * x[rows, order]
        other = y[rows, order]
    x, y, other = (t.repeat(copies, *[1] * (t.ndim - 1)) for t in (x, y, other))
    share = share.repeat(copies)
    z = features_of(weights, x)
    log = scores(weights, z).log_softmax(-1)
    first, second = (-log.gather(-1, t[..., None])[..., 0].mean(-1) for t in (y, other))
    objective = share * first + (1 - share) * second
    if prices.any():
        used = prices > 0
        penalty = torch.zeros_like(objective)
        penalty[used] = prices[used] * recipe.penalty([w[used] for w in weights], z[used])
        objective = objective + penalty
    return objective


def _beta(a: float, generator: torch.Generator) -> float:
    """One draw of Beta(a, a) (Jöhnk's method)."""
    while True:
        u, v = (torch.rand(2, generator=generator).double() ** (1 / a)).tolist()
        if 0 < u + v <= 1:
            return float(u / (u + v))


def leave_out(
    domains: Domains, tests: Iterable[int], lams: list[float], seeds: list[int], recipe: Recipe
) -> pd.DataFrame:
    """`chosen_gains` of runs that leave out each of the ``tests`` in turn; 0 is among the λ."""
    runs = [train(domains, test, lams, seeds, recipe)[0] for test in tests]
    return chosen_gains(pd.concat(runs))


def chosen_gains(runs: pd.DataFrame) -> pd.DataFrame:
    """For each test domain and seed OOD accuracy with the λ > 0 of best validation, minus λ = 0."""
    rows = []
    for (weights, test, seed), part in runs.groupby(["weights", "test", "seed"], sort=False):
        base, ours = part[part.lam.eq(0)].iloc[0], part[part.lam.gt(0)]
        pick = ours.iloc[int(ours.val.to_numpy().argmax())]
        rows.append((weights, test, seed, base.ood, pick.ood, pick.ood - base.ood, pick.lam))
    return pd.DataFrame(rows, columns=["weights", "test", "seed", "without", "with", "gain", "lam"])
