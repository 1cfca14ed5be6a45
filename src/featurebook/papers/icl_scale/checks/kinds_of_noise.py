"""The checks of the chapter on noise, continued: pretraining noise and inference noise."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from featurebook.papers.icl_scale import quadrature
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.checks.registry import ROUNDING, claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality

TASK = np.array([1.3, 0.0])
"""A task in the first of two directions."""
GENERIC, SINGULAR = np.array([2.3, 0.7]), np.array([2.3, 0.0])
"""Eigenvalues with variance in the second direction, and without."""
READINGS = ("two readings", "false of ξ, true of the variance of tokens")


def exact_gap(lam: Array, N: int, M: int, sigma: float) -> float:
    """Exact risk of rank 2 minus that of rank 1 for `TASK`."""
    one, two = (
        quadrature.risk(np.diag(reg.optimum(lam, N, r)), lam, M, w=TASK, sigma=sigma)
        for r in (1, 2)
    )
    return two - one


def equal_without_xi() -> Verdict:
    """The risks of both ranks for a task in the first direction, in fractions."""
    first, second = (Fraction(1, 2 * x + 5) for x in (4, 1))  # V* for λ = (4, 1) and N = 1
    one, two = (
        quadrature.exact_risk(v, [4, 1], 2, [1, 0], Fraction(1, 2))
        for v in ([first, 0], [first, second])
    )
    what = "risks of ranks 2 and 1 at ξ = 0, λ = (4, 1), w = e₁, N = 1, M = 2, σ = ½"
    return exactly(two, "==", one, what=what)


def no_gap_without_variance(N: int) -> Verdict:
    """The gap at λ₂ = 0."""
    gap = exact_gap(SINGULAR, N, 2, 0.5)
    return identity(gap, 0.0, tolerance=1e-12, what="gap at λ₂ = 0, exact")


@claims.check("no-pretraining-noise", undecided=READINGS)
def no_pretraining_noise(N: int) -> Iterator[Verdict]:
    """Both readings of "no pretraining noise"."""
    yield equal_without_xi()
    yield no_gap_without_variance(N)


@claims.check("no-pretraining-noise-corrected", proof="proved on the page")
def when_the_gap_vanishes(N: int, M: int) -> Iterator[Verdict]:
    """The gap without variance in the second direction, with it, and as it vanishes."""
    yield no_gap_without_variance(N)
    yield inequality(1e-3, exact_gap(GENERIC, N, 2, 0.5), what="gap at λ₂ = 0.7")
    tails = [reg.gap(TASK, np.array([2.3, t]), N, M, 0.5, 1, 2) for t in (1e-2, 1e-4, 1e-6)]
    yield inequality(np.array(tails[1:]) * 1e3, tails[:-1], what="gap as λ₂ → 0")


def gap_over_length(
    eigenvalues: Array, largest: Array, d: int, N: int, sigma: float
) -> list[Verdict]:
    """M times the gap at several lengths M, by the formula and exactly."""
    s = np.zeros(d)
    s[: min(2, d)] = [1, -0.7][: min(2, d)]
    small = reg.optimum(eigenvalues, N, 2)
    scaled = []
    for m in (1, 16, 1000, 10**6):
        many, few = (reg.risk(s, eigenvalues, v, m, sigma) for v in (largest, small))
        scaled.append(m * (many - few))
    exact = [m * exact_gap(GENERIC, N, m, 0.0) for m in (1, 2)]
    return [
        identity(scaled, scaled[0], tolerance=1e-8, what="M × gap"),
        identity(exact, exact[0], tolerance=ROUNDING, what="M × gap, exact"),
    ]


@claims.check("no-inference-noise")
def no_inference_noise(
    eigenvalues: Array, optima: dict[int, Array], d: int, N: int, sigma: float
) -> Iterator[Verdict]:
    """The gap is proportional to 1/M."""
    yield from gap_over_length(eigenvalues, optima[max(optima)], d, N, sigma)


@claims.check("only-both", undecided=READINGS)
def both_kinds(
    eigenvalues: Array, optima: dict[int, Array], d: int, N: int, sigma: float
) -> Iterator[Verdict]:
    """Both readings of pretraining noise, and the gap without inference noise."""
    yield equal_without_xi()
    yield no_gap_without_variance(N)
    yield from gap_over_length(eigenvalues, optima[max(optima)], d, N, sigma)
