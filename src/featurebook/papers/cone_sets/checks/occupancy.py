"""The checks of who starts in a cone: norms at the start, kernels in a cone, tails of sums."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import torch
from flint import arb
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook import core
from featurebook.papers.cone_sets import cones, exact, theory
from featurebook.papers.cone_sets.checks import attacks
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.verdicts import Verdict, shown
from featurebook.verdicts.comparisons import exactly, inequality

CROWDED: dict[str, Any] = {"d": 20, "C": 2000, "height": Fraction(27, 10), "f_r": 2, "lam": 2}
"""Where the printed Theorem 2 fails: features, kernels, c_1 f_h, f_r and λ."""
HEIGHTS = np.linspace(0.2, 4, 60)[:, None]
"""Heights c_1 f_h over which the best cone is sought."""
RADII = HEIGHTS * np.linspace(0.05, 1, 60)
"""Radii f_r <= c_1 f_h for each of `HEIGHTS`, (60, 60)."""
ENOUGH = 3059
"""The least number of kernels of which one is in a given cone with 95% at the paper's values."""


@claims.check("lemma-3-1a", undecided=("our text", "with the square of (E.20) it is true"))
def norm_as_in_our_text() -> Iterator[Verdict]:
    """The exact tail of the norm against p0 without the square of f_h, at one instance."""
    d, f_h = 100, exact.ball(11)
    yield exactly(
        exact.chi_square_tail(d, f_h**2),
        "<=",
        2 * (-((f_h - d) ** 2) / (8 * d)).exp(),
        what="exact tail against p0 of (E.16) as in our text, d = 100, f_h = 11",
        instance={"d": d, "f_h": 11},
    )


@claims.check("lemma-3-1a-corrected")
def norm_with_the_square(seed: int) -> Iterator[Verdict]:
    """A search for the place where p0 with the square is nearest to the exact tail."""
    yield attacks.norm_tail(seed)


@claims.check("lemma-f-3")
def chi_squared(seed: int) -> Iterator[Verdict]:
    """A search for λ and d at which the bound is nearest to the exact tails."""
    yield attacks.chi_squared(seed)


@claims.check("lemma-f-3-corrected")
def chi_squared_beyond_the_range() -> Iterator[Verdict]:
    """One λ above 1, where with two degrees of freedom the tail is e^{-(1 + λ)}."""
    d, lam = 2, 6
    yield exactly(
        arb(-(1 + lam)).exp(),
        ">",
        2 * exact.ball(Fraction(-(lam**2) * d, 8)).exp(),
        what="Pr[χ² ≥ 14] with two degrees of freedom against the bound at λ = 6",
        instance={"d": d, "λ": lam},
    )


@claims.check("e32")
def gaussian_tail_as_printed() -> Iterator[Verdict]:
    """The printed upper bound at x = 1."""
    yield exactly(
        exact.normal_tail(arb(1)),
        "<",
        exact.density(arb(1), arb(1)),
        what="Pr[g > 1] against the printed upper bound",
        instance={"x": 1},
    )


@claims.check("e32-corrected")
def gaussian_tail(seed: int) -> Iterator[Verdict]:
    """A search for the x at which a bound with half the exponent is nearest to the tail."""
    yield attacks.gaussian_tail(seed)


@claims.check("theorem-2")
def printed_occupancy() -> Iterator[Verdict]:
    """The exact probability of few kernels in a cone against the promised one, at `CROWDED`."""
    d, C, height, f_r, lam = CROWDED.values()
    h, r = exact.ball(height), exact.ball(f_r)
    above_radius = exact.density(r, arb(1)) * r / (r * r + 1)
    p2 = exact.density(h, arb(1)) / h * (1 - above_radius) ** (C - 1)  # as printed
    assert C * p2 + lam < 3  # so the theorem claims at most two kernels
    yield exactly(
        exact.binomial_at_most(2, C, exact.cone_probability(d, h, r)),
        ">=",
        1 - (-3 * lam**2 / (6 * C * p2 + 2 * lam)).exp(),
        what="exact Pr[at most C p2 + 2 = 2.0 kernels] against the claimed",
        instance={"d": d, "C": C, "c_1 f_h": height, "f_r": f_r, "λ": lam},
    )


@claims.check("theorem-2-corrected", proof="proved on the page")
def occupancy(seed: int) -> Iterator[Verdict]:
    """A search over dimension, kernels, cone and λ for the place where a bound is tightest."""
    yield attacks.occupancy(seed)


@claims.experiment
def drawn_cones(draws: int, seed: int) -> dict[str, Tensor]:
    """Random networks at the start: kernels in one cone, and cones that are not empty.

    Returns:
        ``in_one`` at the size of `CROWDED`, ``not_empty`` of the 20 cones of 24 kernels; (n,).
    """
    d, C, height, f_r, _ = (float(x) for x in CROWDED.values())
    g, n = core.generator(seed, "occupancy"), min(draws, 2000)
    wide = cones.Cone(int(d), 2 * height, sigma0=1.0, radius=f_r / (2 * height), sharpening=0.0)
    in_one = [
        wide.members(torch.randn(int(C), wide.d, generator=g), 1)[:, 0].sum() for _ in range(n)
    ]
    cone = cones.Cone(20, f_h=1.2 * 20**0.5)
    starts = torch.randn(n, 24, 20, generator=g)
    not_empty = cone.members(cone.sigma0 * starts, 1).any(1).sum(1)
    return {"in_one": torch.stack(in_one), "not_empty": not_empty}


@claims.experiment
def occupancy_law(drawn_cones: dict[str, Tensor]) -> dict[str, NDArray[np.float64]]:
    """Shares of the draws with 0, ..., 15 kernels in one cone, and their exact probabilities."""
    d, C, height, f_r, _ = CROWDED.values()
    counts = drawn_cones["in_one"].numpy()
    p = theory.cone_probability(d, float(height), f_r)
    return {
        "drawn": np.bincount(counts, minlength=16)[:16] / len(counts),
        "exact": stats.binom.pmf(np.arange(16), C, p),
    }


def in_a_recommended_cone() -> arb:
    """The probability that a kernel starts in a given cone at the paper's own values."""
    f_h = exact.ball(Fraction(1, 5)) * arb(20).sqrt()
    return exact.cone_probability(20, f_h / 2, f_h / arb(2).sqrt())


@claims.check(
    "not-empty",
    undecided=("two readings", "at the recommended values: false; with enough kernels: true"),
)
def a_cone_is_rarely_occupied() -> Iterator[Verdict]:
    """The exact probability at the paper's values against one half; and with many kernels."""
    yield exactly(
        1 - (1 - in_a_recommended_cone()) ** 24,
        ">=",
        Fraction(1, 2),
        what="probability of a non-empty cone, C = 24",
        instance={"d": 20, "C": 24, "f_h": "√20 / 5", "c_1": "1/2", "f_r": "f_h / √2"},
    )
    occupied = 1 - (1 - in_a_recommended_cone()) ** ENOUGH
    yield exactly(occupied, ">=", Fraction(19, 20), what=f"C = {ENOUGH}")


@claims.check("not-empty-corrected")
def enough_kernels() -> Iterator[Verdict]:
    """The exact probability of an empty cone with just enough kernels, and with one fewer."""
    p = in_a_recommended_cone()
    yield exactly((1 - p) ** ENOUGH, "<=", Fraction(1, 20), what=f"C = {ENOUGH}: empty")
    yield exactly((1 - p) ** (ENOUGH - 1), ">", Fraction(1, 20), what=f"C = {ENOUGH - 1}: empty")


@claims.check("occupancy")
def the_lower_bound_is_empty() -> Iterator[Verdict]:
    """C p1 against the exact mean, over all heights and radii; it says something from 1 on."""
    low, _ = theory.cone_bounds_corrected(20, HEIGHTS, RADII)
    yield inequality(
        24 * low,
        24 * theory.cone_probability(20, HEIGHTS, RADII),
        informative=24 * low >= 1,
        what="C p1 against the exact mean; bites where C p1 ≥ 1",
    )


def occupied_in_all(drawn_cones: dict[str, Tensor]) -> pd.DataFrame:
    """How many of 20 cones 24 kernels occupy, by calculation and in the draws."""
    occupied = drawn_cones["not_empty"]
    best = 24 * theory.cone_probability(20, HEIGHTS, HEIGHTS).max()
    enough = next(c for c in range(20, 999) if (1 - (1 - 1 / 20) ** c) ** 20 >= 0.95)
    found = {
        "largest C p over all cones with f_r = c1 f_h": best,
        "mean number of non-empty cones of 20, f_h = 1.2 √d": occupied.float().mean().item(),
        "draws with all 20 non-empty": (occupied == 20).sum().item(),
        "C for which uniform cones are all hit with 95%": enough,
    }
    return pd.Series(found, name="d = 20, C = 24").map(shown).to_frame()


@claims.check("lemma-f-1", proof="proved on the page")
def upper_tail(seed: int) -> Iterator[Verdict]:
    """A search over all laws of two values for the tightest place."""
    yield attacks.upper_tail(seed)


@claims.check("lemma-f-2", undecided=("our text", "one relation sign, which may be the scan's"))
def lower_tail_as_in_our_text() -> Iterator[Verdict]:
    """One variable, -M less a Bernoulli variable B, falls far with probability Pr[B = 1]."""
    m, q = Fraction(1, 100), Fraction(1, 10)
    lam, energy = 1 - q, m**2 + (2 * m + 1) * q  # Pr[X <= E X - λ] = Pr[B = 1]
    exponent = Fraction(-3 * lam**2, 6 * energy + 2 * m * lam)
    yield exactly(
        q,
        "<=",
        exact.ball(exponent).exp(),
        what="Pr[B = 1] against bound",
        instance={"M": m, "Pr[B = 1]": q, "λ": lam},
    )


@claims.check("lemma-f-2-corrected", proof="proved on the page")
def lower_tail(seed: int) -> Iterator[Verdict]:
    """A search over all laws of two values for the tightest place."""
    yield attacks.lower_tail(seed)


@claims.check("corollary-f-1", proof="proved on the page")
def tails_of_counts(seed: int) -> Iterator[Verdict]:
    """A search over binomial counts for the place where a bound is tightest."""
    yield attacks.counts(seed)
