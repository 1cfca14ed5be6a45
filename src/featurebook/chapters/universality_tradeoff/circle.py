"""What is optimal on the circle, certified: the square, the pentagon, and thresholds (F.1).

With no spurious features, k = 2 and ‖φ‖ = B_r the loss of a law μ of φ is the energy
Σ K(x·y) with K(x) = ℓ(b(1 - x)), b = B_r², unit vectors x and y. A polynomial below K that meets
it where the square has its inner products proves that the square is best among all laws.
"""

from typing import Any

import numpy as np
from flint import arb
from numpy.polynomial import chebyshev
from numpy.typing import NDArray
from scipy.optimize import linprog


def kernel(x: Any, b: float) -> NDArray[np.float64]:
    """K(x) = log(1 + e^{-b(1 - x)}) for x = cos of the angle between two values."""
    return np.logaddexp(0, -b * (1 - np.asarray(x, dtype=float)))


def slope(b: float) -> float:
    """K'(0) = b / (1 + e^b)."""
    return float(b / (1 + np.exp(b)))


def certificate(b: float, degree: int = 8, grid: int = 801) -> NDArray[np.float64] | None:
    """Chebyshev coefficients of an h that proves the square optimal, or None if there is none.

    h ≤ K on [-1, 1], with equality at -1, 0 and 1. Its coefficients n ≥ 1 are nonnegative, but
    those at multiples of 4 nonpositive. Then every law has the energy
    Σ K ≥ Σ h = Σ_n c_n|μ̂_n|² ≥ c_0 + Σ_{4|n} c_n, which is what the square has. A linear
    programme finds h; K - h is divided by x²(1 - x²), so that it is tested at its zeros as well.
    """
    n = np.arange(degree + 1)
    x = np.cos(np.pi * (np.arange(grid) + 0.5) / grid)
    x = x[(np.abs(x) > 0.02) & (np.abs(x) < 0.9999)]
    weight = x**2 * (1 - x**2)
    at = chebyshev.chebvander(x, degree)
    ends = chebyshev.chebvander(np.array([-1.0, 0.0, 1.0]), degree)
    touch = n * np.sin(n * np.pi / 2)  # T_n'(0)
    equal = np.vstack([ends, touch])
    meets = np.append(kernel([-1.0, 0.0, 1.0], b), slope(b))
    limits = [(None, None)] + [(None, 0) if k % 4 == 0 else (0, None) for k in n[1:]]
    # maximise the least quotient, the last variable
    found = linprog(
        np.append(np.zeros(degree + 1), -1.0),
        A_ub=np.column_stack([at / weight[:, None], np.ones(len(x))]),
        b_ub=kernel(x, b) / weight,
        A_eq=np.column_stack([equal, np.zeros(4)]),
        b_eq=meets,
        bounds=[*limits, (None, 1.0)],
    )
    return found.x[:-1] if found.success and found.x[-1] >= 0 else None


def square_is_optimal(b: float) -> bool:
    """Whether some h proves that the square has the least energy of all laws on the circle."""
    return certificate(b) is not None


def polygon(n: int, b: Any) -> Any:
    """Energy of the regular n-gon with equal masses: (1/n) Σ_j log(1 + e^{-b(1 - cos 2πj/n)}).

    In ball arithmetic if b is a ball.
    """
    if isinstance(b, arb):
        terms = [(1 + (-b * (1 - (2 * arb.pi() * j / n).cos())).exp()).log() for j in range(n)]
        return sum(terms[1:], terms[0]) / n
    return float(kernel(np.cos(2 * np.pi * np.arange(n) / n), float(b)).mean())


def polygon_slope(n: int, b: arb) -> arb:
    """Derivative of `polygon` in b, in ball arithmetic."""
    total = arb(0)
    for j in range(1, n):
        gap = 1 - (2 * arb.pi() * j / n).cos()
        total -= gap / (1 + (b * gap).exp())
    return total / n


def pentagon_wins_from(b: float, to: float = 8.0, step: float = 0.02) -> bool:
    """Whether the pentagon has less energy than the square for all b' ≥ b, in ball arithmetic.

    Balls cover [b, to], each by its centre and a bound on the slope; beyond, the pentagon's energy
    is at most its value at ``to``, as it falls in b, and the square's at least log(2) / 4.
    """
    for centre in np.arange(b + step / 2, to + step, step):
        middle, ball = arb(float(centre)), arb(float(centre), step / 2 * 1.01)
        gain = polygon(4, middle) - polygon(5, middle)
        gain += (polygon_slope(4, ball) - polygon_slope(5, ball)) * arb(0, step / 2 * 1.01)
        if not gain > 0:
            return False
    return bool(polygon(5, arb(to)) < arb(2).log() / 4)


def sufficient_radius(p: NDArray[np.float64], varies: float) -> float:
    """A B_i that suffices for ``varies`` = Pr[z_{-i} = z_{-i}⁻, z_i ≠ z_i⁻], k = 2, logistic.

    The regular n-gon of all n values costs at most ℓ(0)Σp² + ℓ(b(1 - cos 2π/n))(1 - Σp²); a table
    that ignores z_i costs at least ℓ(0)(Σp² + varies).
    """
    same = float((p**2).sum())
    want = np.log(2) * varies / (1 - same)  # ℓ(t) below this
    gap = 1 - np.cos(2 * np.pi / len(p))
    return float(np.sqrt(-np.log(np.expm1(want)) / gap))
