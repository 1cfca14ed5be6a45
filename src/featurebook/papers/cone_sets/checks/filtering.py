"""The checks of random patches: one component of a random unit vector, and all at once."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from featurebook.papers.cone_sets import exact, theory
from featurebook.papers.cone_sets.checks import attacks
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality

DIMENSIONS = np.array([24, 40, 100, 1000])
"""Dimensions in which all kernels are judged at once."""


@claims.check("lemma-f-4")
def sphere(seed: int) -> Iterator[Verdict]:
    """A search for the dimension and c at which the bound is tightest."""
    yield attacks.sphere(seed)


@claims.check("theorem-3")
def filtering(seed: int) -> Iterator[Verdict]:
    """A search for the dimension and θ at which the bound is tightest."""
    yield attacks.filtering(seed)


@claims.check("theorem-3-appendix", undecided=("our text", "the main text has it right"))
def filtering_as_in_the_appendix() -> Iterator[Verdict]:
    """The appendix's probability near θ = 1 against 1."""
    yield exactly(
        exact.filtering_failure(exact.ball(Fraction(99, 100))),
        "<=",
        1,
        what="the appendix's probability at θ = 0.99",
        instance={"θ": "99/100"},
    )


@claims.check("theorem-3-every")
def not_all_kernels_at_once() -> Iterator[Verdict]:
    """A bound from below of the chance that one of 24 orthonormal kernels fires, at one θ."""
    theta = Fraction(323, 1000)
    height = max(2 * theta, 1 / (theta * Fraction(4795, 1000)))  # √23 > 4.795: not below (19)
    yield exactly(
        exact.some_kernel_fires(24, exact.ball(height)),
        ">",
        exact.filtering_failure(exact.ball(theta)),
        what="some of 24 kernels fires, at least, against the promised failure",
        instance={"d": 24, "kernels": "24, orthonormal", "θ": theta, "level": height},
    )


@claims.check("theorem-3-every-corrected", proof="proved on the page")
def all_kernels_at_once() -> Iterator[Verdict]:
    """The exact probability for d orthonormal kernels against d times the bound, at the best θ."""
    theta = theory.best_theta(DIMENSIONS)
    levels = zip(DIMENSIONS, theory.filtering_level(DIMENSIONS, theta), strict=True)
    fires = [theory.some_kernel_fires(int(n), float(x)) for n, x in levels]
    union = DIMENSIONS * theory.filtering_failure(theta)
    what = "some of d kernels fires, d = 24 to 1000"
    yield inequality(fires, union, informative=union < 1, what=what)
