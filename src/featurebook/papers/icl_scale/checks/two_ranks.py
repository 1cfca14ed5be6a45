"""The checks of the chapter on regression, continued: the gap between two ranks."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from featurebook import verdicts
from featurebook.papers.icl_scale import facts
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.checks.registry import ROUNDING, claims
from featurebook.papers.icl_scale.checks.risk import CONFIDENCE, LONG, falls_like_one_over_n
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, identity, inequality


def two_directions(d: int) -> Array:
    """A task in the first two of d directions."""
    s = np.zeros(d)
    s[:2] = 1, -0.7
    return s


@claims.check("theorem-5-4-3")
def gap_between_two_ranks(
    eigenvalues: Array, d: int, N: int, M: int, sigma: float, draws: int, seed: int
) -> Iterator[Verdict]:
    """Exact gaps in the plane and the formula; its value and an interval from paired prompts."""
    rng, lam, s = np.random.default_rng([seed, 14]), eigenvalues, two_directions(d)
    exact, formula = facts.gap_pairs(rng, N)
    yield identity(exact + 1, formula + 1, tolerance=ROUNDING, what="exact gap")
    r = min(2, d)
    models = [reg.optimum(lam, N, k) for k in (r, d)]
    small, large = facts.squared_errors(s, lam, models, M, sigma, draws, rng)
    _, low, high = verdicts.mean_interval(large - small, CONFIDENCE)
    predicted = reg.gap(s, lam, N, M, sigma, r, d)
    what = f"{predicted:.5f} in [{low:.5f}, {high:.5f}], paired"
    yield everywhere(low <= predicted <= high, what=what)


@claims.check("same-basis")
def same_basis() -> Iterator[Verdict]:
    """The gap of two optimal models with different directions, and the formula."""
    flat, (e1, e2, e3) = np.ones(3), np.eye(3)
    v = 20 / (21 + 3)
    one, two = (reg.risk(e1, flat, v * kept, 16, 0.0) for kept in (e1, e2 + e3))
    yield identity(two - one, 0.9722, tolerance=1e-4, what="gap")
    formula = reg.gap(e1, flat, 20, 16, 0.0, 1, 2)
    yield identity(formula, 0.0434, tolerance=1e-3, what="formula")


@dataclass(frozen=True)
class Gaps:
    """Of random tasks and pairs of ranks.

    Attributes:
        errors: relative errors of the approximate gap at the lengths `LONG`.
        growth: least growth of the exact risk from one rank to the next.
        by_noise: least growth of the gap from one noise level to the next.
    """

    errors: list[Array]
    growth: list[float]
    by_noise: list[float]


@claims.experiment
def gaps(eigenvalues: Array, d: int, N: int, M: int, instances: int, seed: int) -> Gaps:
    """Gaps for tasks that the smaller rank covers."""
    rng, lam, found = np.random.default_rng([seed, 15]), eigenvalues, Gaps([], [], [])
    for _ in range(max(instances // 5, 8)):
        r = int(rng.integers(0, d))
        r2 = int(rng.integers(r + 1, d + 1))
        s = np.where(np.arange(d) < r, rng.normal(size=d), 0.0)
        implied = (r2 - r) / M * ((s**2 * lam).sum() + 1)
        exact = np.array([reg.gap(s, lam, int(n), M, 1.0, r, r2) for n in LONG])
        found.errors.append(implied / exact - 1)
        models = [reg.optimum(lam, N, k) for k in range(r, d + 1)]
        risks = np.array([[reg.risk(s, lam, v, M, z) for v in models] for z in (0, 1, 2)])
        found.growth.append(np.diff(risks).min())
        found.by_noise.append(np.diff(risks[:, -1] - risks[:, 0]).min())
    return found


@claims.check("implication-5-4-3")
def gap_for_long_prompts(gaps: Gaps) -> Iterator[Verdict]:
    """The exponent in N of the approximation's relative error."""
    yield falls_like_one_over_n(gaps.errors)


@claims.check("size-noise", proof="proved on the page")
def larger_is_more_sensitive(gaps: Gaps) -> Iterator[Verdict]:
    """The growth of exact risks with the rank, and of gaps with the noise."""
    yield inequality(0.0, gaps.growth, slack=1e-12, what="risk grows with r'")
    yield inequality(0.0, gaps.by_noise, slack=1e-12, what="gap grows with σ²")
