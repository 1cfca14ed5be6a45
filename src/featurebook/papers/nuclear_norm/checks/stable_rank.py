"""The checks of the stable rank: as in our text, with the square, and its continuity."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy
import torch

from featurebook.core.spectra import rank, spectral_norm
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.layer import stable_rank
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality


def of_diagonal(numbers: list[Fraction]) -> Fraction:
    """Stable rank of a diagonal matrix, the largest entry first."""
    return sum((x**2 for x in numbers), Fraction(0)) / numbers[0] ** 2


@claims.check(
    "stable-rank", undecided=("our text", "with the square, perhaps lost in our scan, it is true")
)
def as_in_our_text() -> Iterator[Verdict]:
    """The quantity without the square, for a matrix of one entry."""
    ten = sympy.Integer(10)
    yield exactly(ten**2 / ten, "<=", 1, what="printed quantity and rank of the matrix 10")


@claims.check("stable-rank-corrected", proof="proved on the page")
def with_the_square(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """Between 1 and the rank, and the same for a multiple of the matrix."""
    some = drawn["ranks"]
    found = [stable_rank(m).item() for m in some]
    ranks = [int(rank(m)) for m in some]
    kept = [(stable_rank(1e3 * m) / stable_rank(m)).item() for m in some]
    yield inequality(found, ranks, slack=1e-9, what="at most the rank")
    yield inequality(1.0, found, slack=1e-9, what="at least 1")
    yield identity(kept, 1.0, tolerance=1e-12, what="scale")


@claims.check(
    "lipschitz",
    undecided=("our text", "without the square, as in our text, it is true; with it"),
)
def slope_near_zero() -> Iterator[Verdict]:
    """The slope between ε diag(1, 1) and ε diag(1, 0)."""
    eps = Fraction(1, 10**6)
    rise = (of_diagonal([eps, eps]) - of_diagonal([eps, 0 * eps])) / eps
    yield exactly(rise, "<=", 1000, what="slope near 0")


@claims.check("lipschitz-corrected", proof="proved on the page")
def away_from_zero(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """Differences over near matrices of 3 × 4 against the constant of the segment."""
    a, b = drawn["pairs"]
    b = a + 1e-3 * b
    least = torch.minimum(*(spectral_norm(m) for m in (a, b))) - 0.02
    bound = 2 * (3**0.5 + 3) / least * torch.linalg.matrix_norm(a - b)
    apart = (stable_rank(a) - stable_rank(b)).abs()
    yield inequality(apart, bound, informative=bound < 2, what="pairs of near matrices")
