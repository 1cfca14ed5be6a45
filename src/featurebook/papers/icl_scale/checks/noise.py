"""The checks of the chapter on noise: sensitivity, the best rank, flipped labels."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from featurebook import verdicts
from featurebook.papers.icl_scale import exact, facts, noise
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.checks.registry import ROUNDING, claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

CROSSINGS = ((20, 16, 0.364), (1000, 16, 0.175), (1000, 64, 0.441))
"""Pretraining length, evaluation length, and the stated share at which ranks 2 and 8 cross."""
LENGTHS = np.array([10**k for k in range(2, 9)])
"""Lengths M at which effects are followed to their limits."""
TWO_LENGTHS = (16, 64)
"""Lengths at which flips would be the same label noise, if they were label noise."""


@claims.check("sensitivity", proof="proved on the page")
def larger_is_more_sensitive(
    d: int, N: int, M: int, instances: int, seed: int
) -> Iterator[Verdict]:
    """The slope of exact risks in σ² against the formula, and its growth with the rank."""
    rng = np.random.default_rng([seed, 20])
    yield identity(*facts.noise_slopes(rng, N), tolerance=ROUNDING, what="slope in σ²")
    growth = []
    for _ in range(instances):
        lam, n = facts.random_spectrum(d, rng), int(rng.integers(1, 1000))
        by_rank = [noise.sensitivity(lam, reg.optimum(lam, n, r), M) for r in range(d + 1)]
        growth.append(np.diff(by_rank))
    yield inequality(0.0, growth, what="growth with r")


@claims.experiment
def best_ranks(
    eigenvalues: Array, N: int, N_long: int, M_grid: list[int], sigma_grid: list[float]
) -> dict[int, Array]:
    """Best rank, by trying all, for every M and σ, (M, σ): by pretraining length."""
    best = partial(noise.best_rank, eigenvalues)
    return {n: np.array([[best(n, m, s) for s in sigma_grid] for m in M_grid]) for n in (N, N_long)}


@claims.check("best-rank", proof="proved on the page")
def rule_of_the_best_rank(
    best_ranks: dict[int, Array],
    eigenvalues: Array,
    d: int,
    N: int,
    M_grid: list[int],
    sigma_grid: list[float],
    instances: int,
    seed: int,
) -> Iterator[Verdict]:
    """The number of helpful directions and the best of all ranks; the mean risk, exactly."""
    by_rule = [
        [[int(noise.helps(eigenvalues, n, m, s).sum()) for s in sigma_grid] for m in M_grid]
        for n in best_ranks
    ]
    yield everywhere(np.equal(by_rule, list(best_ranks.values())), what="cells of both maps")
    rng = np.random.default_rng([seed, 21])
    yield everywhere(facts.rule_agrees(d, 10 * instances, rng), what="random spectra")
    ratios = facts.mean_risk_ratios(N)
    yield identity(ratios, 1.0, tolerance=ROUNDING, what="average risk, exact")


@claims.check("flips", proof="proved on the page")
def risk_with_flipped_labels(N: int, seed: int) -> Iterator[Verdict]:
    """Exact risks over all patterns of flips, over the formula."""
    rng = np.random.default_rng([seed, 22])
    for mode in noise.FLIP_MODES:
        ratios = facts.flip_ratios(rng, N, mode)
        yield identity(ratios, 1.0, tolerance=ROUNDING, what=f"{mode}, over formula")


def simulated_order(
    N: int, M: int, at: float, draws: int, rng: np.random.Generator
) -> Iterator[bool]:
    """Whether rank 8 beats rank 2 on paired prompts below the crossing, and loses above it."""
    lam = reg.spectrum("1/i", 8)
    for flips in (round(max(at - 0.15, 0) * M), round((at + 0.15) * M)):
        w, b = noise.contexts(lam, M, 0.0, flips, max(draws // 4, 4000), rng)
        small, large = (((b * reg.optimum(lam, N, r) - w) ** 2) @ lam for r in (2, 8))
        _, low, high = verdicts.mean_interval(large - small, 0.9999)
        yield bool(low > 0 if flips / M > at else high < 0)


@claims.check("crossing", proof="proved on the page")
def curves_cross(draws: int, instances: int, seed: int) -> Iterator[Verdict]:
    """How differences of ranks grow with p; their signs around the stated share, in fractions."""
    rng = np.random.default_rng([seed, 23])
    for n, m, claimed in CROSSINGS:
        at = noise.crossing(reg.spectrum("1/i", 8), n, m, 0.0, 2, 8, "exact")
        near = [Fraction(round(2000 * claimed) + side, 2000) for side in (-1, 1)]
        below, above = (exact.rank_difference(8, n, m, p, 2, 8) for p in near)
        signs = [below < 0 < above, near[0] < at < near[1]]
        yield everywhere(signs, what=f"risks cross once, at {at:.4f}, N = {n}, M = {m}")
        order = list(simulated_order(n, m, at, draws, rng))
        yield everywhere(order, what="simulated order on both sides")
    at_zero = exact.rank_difference(8, 1000, 8, Fraction(0), 2, 8)
    yield exactly(at_zero, ">", 0, what="rank 8 minus 2, N = 1000, M = 8, p = 0")
    for mode in ("exact", "independent"):
        growth = [rank_growth(mode, rng) for _ in range(instances)]
        yield inequality(0.0, growth, what=f"growth with p, {mode} flips")


def rank_growth(mode: str, rng: np.random.Generator) -> Array:
    """Steps in p of the mean risk of a random rank minus that of a smaller one, (10,)."""
    d = int(rng.integers(2, 9))
    lam, N, M = facts.random_spectrum(d, rng), int(rng.integers(1, 1000)), int(rng.integers(1, 100))
    small, large = sorted(rng.choice(d + 1, 2, replace=False))
    risks = [
        [noise.mean_flip_risk(lam, reg.optimum(lam, N, r), M, 0.3, p, mode) for r in (small, large)]
        for p in np.linspace(0, 1, 11)
    ]
    return np.diff(np.diff(risks)[:, 0])


@claims.check(
    "flips-label-noise",
    undecided=("two readings", "true that both raise the risk, false as arithmetic"),
)
def flips_as_label_noise(
    optima: dict[int, Array], eigenvalues: Array, M: int, flip_mode: str
) -> Iterator[Verdict]:
    """The risk of the largest rank against flips and noise; the noise that flips would be."""
    largest = optima[max(optima)]
    risk = partial(noise.mean_flip_risk, eigenvalues, largest)
    flipped = [risk(M, 0.0, p, flip_mode) for p in np.linspace(0, 1, 9)]
    noisy = [risk(M, s, 0.0) for s in np.linspace(0, 4, 9)]
    yield inequality(flipped[:-1], flipped[1:], what="risk against flips")
    yield inequality(noisy[:-1], noisy[1:], what="risk against noise")
    per_noise = (largest**2 * eigenvalues**2).sum() / np.array(TWO_LENGTHS)
    added = [risk(m, 0.0, 0.5, "exact") - risk(m, 0.0, 0.0) for m in TWO_LENGTHS]
    short, long = added / per_noise
    what = "σ² that half of the labels flipped would be, at M = 64 and 16"
    yield identity(long, short, tolerance=ROUNDING, what=what)


@claims.check("flips-are-bias", proof="proved on the page")
def flips_are_more(
    optima: dict[int, Array], eigenvalues: Array, flip_mode: str, instances: int, seed: int
) -> Iterator[Verdict]:
    """What σ = 2 adds to the risk times M, and what flips add to it, over its limit."""
    rng, lam, v = np.random.default_rng([seed, 24]), eigenvalues, optima[max(optima)]
    gain, effects, limits = lam * v, [], []
    for _ in range(instances):
        w, p = rng.normal(size=len(lam)), float(rng.uniform(0, 1))
        plain, noisy, flipped = (
            np.array([noise.flip_risk(w, lam, v, int(m), s, q, flip_mode) for m in LENGTHS])
            for s, q in ((0.0, 0.0), (2.0, 0.0), (0.0, p))
        )
        effects.append(noisy - plain)
        limit = (w**2 * lam * (((1 - 2 * p) * gain - 1) ** 2 - (gain - 1) ** 2)).sum()
        limits.append((flipped[-1] - plain[-1]) / limit)
    slope = 4 * (v**2 * lam**2).sum()
    yield identity(np.array(effects) * LENGTHS, slope, tolerance=1e-5, what="effect of σ, M")
    yield identity(limits, 1.0, tolerance=1e-4, what="flips at M = 10⁸ over limit")
