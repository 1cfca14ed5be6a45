"""The checks of what noise alone teaches: Lemmas F.1, F.2 and F.3."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.papers.contrastive_decoupling import (
    exact,
    experiments,
    measures,
    model,
    plain,
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality, trend

THRESHOLDS = [Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2)]
"""b / σ at which the pull under a bias is compared."""
TOTALS = np.array([1, 3, 10, 30, 100, 300, 1000])
"""Sums S of all squared norms of neurons that see noise alone."""
LARGE = (10**3, 10**4, 10**5)
"""The same where one neuron has 99 % of it."""


@claims.experiment
def unbiased(standard_recipe: model.Recipe, setting: model.SparseCoding) -> model.Recipe:
    """The recipe of run B: without mask, bias and decay."""
    return experiments.seven(standard_recipe, setting.p)["B plain, no decay"]


@claims.experiment
def noise_losses(
    setting: model.SparseCoding, dense_directions: Tensor, m: int, N: int, seeds: list[int],
    seed: int,
) -> dict[str, NDArray[np.float64]]:  # fmt: skip
    """Losses of orthogonal neurons that see noise alone, (seeds, `TOTALS`): of "equal" norms, and
    with "one" of 99 % of the whole."""
    g = core.generator(seed, "F2")
    size = (dense_directions.shape[1], m)
    mixed = dense_directions @ torch.randn(*size, generator=g, dtype=torch.float64)
    columns = torch.linalg.qr(mixed)[0].T.float()
    even, one = [], []
    for s in seeds:
        g = core.generator(s, "F2")
        x, x_n = (model.sample(g, setting, n)[0] for n in (1000, N))
        even.append(plain.dense_losses(columns, TOTALS, x, x_n))
        one.append(plain.dense_losses(columns, TOTALS, x, x_n, dominant=0.99))
    return {"equal": np.array(even), "one": np.array(one)}


@claims.experiment
def noise_bounds(setting: model.SparseCoding, m: int, N: int) -> pd.DataFrame:
    """At each of `TOTALS`: the "printed" bound, "ours", and whether ours applies ("small")."""
    d, sigma2 = setting.d, setting.sigma**2
    return pd.DataFrame(
        {
            "printed": math.log(d) ** 2 * d / TOTALS,
            "ours": plain.dense_bound(TOTALS, m, sigma2, N),
            "small": m / sigma2 >= TOTALS,
        },
        pd.Index(TOTALS, name="S"),
    )


@dataclass(frozen=True)
class Growth:
    """Squared norms and losses of run B at several sizes.

    Attributes:
        end: all squared norms together after training, (sizes, seeds).
        needed: the least that a loss of τ needs, (sizes,).
        loss: after training, (sizes, seeds).
    """

    end: NDArray[np.float64]
    needed: NDArray[np.float64]
    loss: NDArray[np.float64]


@claims.experiment
def norm_growth(
    worlds: dict[int, model.SparseCoding], unbiased: model.Recipe, d: int, m: int, K: int, N: int,
    steps: int, n_probe: int, seeds: list[int], seed: int, device: str,
) -> Growth:  # fmt: skip
    """Run B from squared norms of d / 10 in all, at each size d."""
    grown, ends, least = [], [], []
    for size, world in worlds.items():
        count, eta = max(m * size // (2 * d), 8), experiments.ETA_P_PLAIN / world.p
        recipe = replace(unbiased, eta=eta, eta_late=eta, steps=steps // 4)
        recipe = replace(recipe, norm=math.sqrt(size / 10 / count))
        run = experiments.fit(
            "plain", recipe, world=world, K=K // 2, N=N, m=count, seeds=seeds,
            observe_at=[recipe.steps], label=f"norm, d = {size}", device=core.pick_device(device),
        )  # fmt: skip
        W = run.params["W"].cpu()
        probe = measures.probe_data(world, n_probe, n_probe, seed + size)
        grown.append(W.double().square().sum((1, 2)).numpy())
        ends.append([measures.plain_loss(w, probe, K, N) for w in W])
        least.append(plain.least_norm(world.sigma**2, world.p, N))
    return Growth(np.array(grown), np.array(least), np.array(ends))


@claims.check("lemma-f-1", proof="proved on the page")
def pull_without_bias(
    setting: model.SparseCoding, dense_directions: Tensor, seed: int
) -> Iterator[Verdict]:
    """The pull on random weights along atoms and dense directions."""
    Sigma = theory.covariance(setting.M, setting.p, setting.sigma**2)
    directions = torch.cat([setting.M.double(), dense_directions], 1)
    g = core.generator(seed, "F1")
    W = torch.randn(20, setting.d1, generator=g, dtype=torch.float64)
    rates = (directions * (Sigma @ directions)).sum(0)
    yield identity(W @ Sigma @ directions, (W @ directions) * rates, tolerance=1e-10)


@claims.check("lemma-f-1-bias")
def pull_under_a_bias() -> Iterator[Verdict]:
    """Both sides under a bias, in balls."""
    pull, printed = exact.biased_pull(THRESHOLDS)
    yield exactly(
        pull,
        "==",
        printed,
        what="left against right at b/σ = ¼, ½, 1, 2",
        instance={"b / σ": THRESHOLDS, "w": "v, of norm 1 and orthogonal to the atoms"},
    )


@claims.check("lemma-f-1-bias-corrected", proof="proved on the page")
def pull_of_the_noise_under_a_bias() -> Iterator[Verdict]:
    """The pull of the noise by quadrature, and the formula."""
    w = torch.tensor([1, math.sqrt(3)], dtype=torch.float64)  # M_1 and a dense direction
    biases, along = (0.1, 0.6, 1.5), (w, *torch.eye(2, dtype=torch.float64))
    pulled = [[float(w @ v) / 4 * plain.noise_pull(1.0, 0.5, 0.3, b) for v in along]
              for b in biases]  # fmt: skip
    formula = [[plain.noise_pull_formula(w, v, 0.3, b, 0.25) for v in along] for b in biases]
    what = "quadrature against σ²⟨w, v⟩ Pr(|u| ≥ b), v = w, M₁ and dense"
    yield identity(pulled, formula, tolerance=1e-9, what=what)


@claims.check(
    "lemma-f-2",
    undecided=("two readings", "equal norms, many neurons: true; any norms: false"),
)
def loss_of_noise(
    noise_losses: dict[str, NDArray[np.float64]], noise_bounds: pd.DataFrame, N: int
) -> Iterator[Verdict]:
    """The loss of neurons of equal norms that see noise alone, against the printed bound."""
    small, bound = noise_bounds["small"].to_numpy(), noise_bounds["printed"].to_numpy()
    yield inequality(
        noise_losses["equal"][:, small],
        bound[small],
        informative=bound[small] < math.log1p(N),
        what="loss, equal norms, against log² d · d / S",
    )


@claims.check("lemma-f-2-norms")
def loss_of_one_large_neuron(d: int, C_sigma: float) -> Iterator[Verdict]:
    """A lower bound on the loss where one neuron has most of the norm, against the claim."""
    yield exactly(
        exact.dominant_loss(LARGE, d, C_sigma),
        ">",
        exact.dense_claim(LARGE, d),
        what="lower bound on the loss, one neuron of 99%, S to 10^5",
        instance={"S": LARGE, "d": d, "C_σ": C_sigma, "one neuron's share of S": "99/100"},
    )


@claims.check("lemma-f-2-corrected", proof="proved on the page")
def loss_of_equal_norms(
    noise_losses: dict[str, NDArray[np.float64]], noise_bounds: pd.DataFrame, N: int
) -> Iterator[Verdict]:
    """The loss of neurons of equal norms, against our bound."""
    small, bound = noise_bounds["small"].to_numpy(), noise_bounds["ours"].to_numpy()
    yield inequality(
        noise_losses["equal"][:, small],
        bound[small],
        informative=bound[small] < math.log1p(N),
        what="loss, equal norms",
    )


@claims.check("lemma-f-3")
def weights_grow(norm_growth: Growth, scan_d: list[int]) -> Iterator[Verdict]:
    """All squared norms at the end over what a loss of τ needs."""
    needed = norm_growth.needed[:, None]
    start = np.array(scan_d) / 10
    yield trend(
        (norm_growth.end / needed).min(0),
        expected=(1, math.inf),
        rival={"no growth": float((start / norm_growth.needed).max())},
        what="Σ‖w‖² at the end over the norm that L = τ needs, least over d",
    )


@claims.check("lemma-f-3-loss", proof="proved on the page")
def a_small_loss_needs_large_weights(norm_growth: Growth) -> Iterator[Verdict]:
    """The norm at losses of at most τ, against the least."""
    found = np.where(norm_growth.loss <= 1, norm_growth.end, math.inf)
    yield inequality(norm_growth.needed[:, None], found, what="norm at losses of at most τ")
