"""What is optimal on the circle, certified: the square, the pentagon, and thresholds (F.1).

With no spurious features, k = 2 and ‖φ‖ = B_r the loss of a law μ of φ is the energy
Σ K(x·y) with K(x) = ℓ(b(1 - x)), b = B_r², unit vectors x and y. A polynomial below K that meets
it where the square has its inner products proves that the square is best among all laws.
"""

from typing import Any

import numpy as np
from flint import arb, arb_poly
from numpy.polynomial import chebyshev
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize


def kernel(x: Any, b: float) -> NDArray[np.float64]:
    """K(x) = log(1 + e^{-b(1 - x)}) for x = cos of the angle between two values."""
    return np.logaddexp(0, -b * (1 - np.asarray(x, dtype=float)))


def slope(b: float) -> float:
    """K'(0) = b / (1 + e^b)."""
    return float(b / (1 + np.exp(b)))


def certificate(b: float, degree: int = 8, grid: int = 801) -> NDArray[np.float64] | None:
    """Chebyshev coefficients of an h that makes the square optimal, by a linear programme.

    h ≤ K on [-1, 1], with equality at -1, 0 and 1. Its coefficients n ≥ 1 are nonnegative, but
    those at multiples of 4 nonpositive. Then every law has the energy
    Σ K ≥ Σ h = Σ_n c_n|μ̂_n|² ≥ c_0 + Σ_{4|n} c_n, which is what the square has. The programme
    makes the least quotient (K - h)/(x²(1 - x²)) on a grid large; it is a guess in floating point,
    which `square_is_optimal` proves. None if no quotient is positive.
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
    low, high = np.zeros(degree + 1), np.full(degree + 1, np.inf)
    low[1:4] = 1e-7  # these follow from the others in balls, so they are kept off zero
    low[::4], high[4::4] = -np.inf, 0
    # maximise the least quotient, the last variable
    found = linprog(
        np.append(np.zeros(degree + 1), -1.0),
        A_ub=np.column_stack([at / weight[:, None], np.ones(len(x))]),
        b_ub=kernel(x, b) / weight,
        A_eq=np.column_stack([equal, np.zeros(4)]),
        b_eq=meets,
        bounds=[*zip(low, high, strict=True), (-np.inf, 1.0)],
    )
    if not found.success or found.x[-1] <= 0:
        return None
    return np.clip(found.x[:-1], low, high)  # the solver keeps signs to its tolerance only


def in_balls(c: NDArray[np.float64], b: arb) -> list[arb]:
    """A certificate of degree 8 whose four equalities hold exactly: c_4, ..., c_8 as they are.

    c_0, ..., c_3 solve h(-1) = K(-1), h(0) = K(0), h(1) = K(1), h'(0) = K'(0) in ball arithmetic.
    """
    c4, c5, c6, c7, c8 = (arb(float(v)) for v in c[4:])
    low, middle, high = ((1 + (-b * gap).exp()).log() for gap in (2, 1, 0))
    touch = b / (1 + b.exp())
    even, odd = (high + low) / 2, (high - low) / 2
    c3 = (odd - touch + 4 * c5 - 8 * c7) / 4
    return [
        (even + middle) / 2 - c4 - c8, odd - c3 - c5 - c7, (even - middle) / 2 - c6, c3,
        c4, c5, c6, c7, c8,
    ]  # fmt: skip


def polynomial(c: list[arb]) -> arb_poly:
    """Σ c_n T_n with its coefficients in powers of x."""
    total = arb_poly([0])
    for n, value in enumerate(c):
        total += value * arb_poly([round(whole) for whole in chebyshev.cheb2poly([0] * n + [1])])
    return total


def kernel_derivatives(b: arb, x: arb) -> list[arb]:
    """K and four derivatives on a ball x, from σ = 1 / (1 + e^{b(1 - x)})."""
    small = (b * (x - 1)).exp()
    sigma = small / (1 + small)
    bend = sigma * (1 - sigma)
    return [
        (1 + small).log(),
        b * sigma,
        b**2 * bend,
        b**3 * bend * (1 - 2 * sigma),
        b**4 * bend * (1 - 6 * bend),
    ]


def lies_below(h: arb_poly, b: arb, near: int = 64, pieces: int = 1024) -> bool:
    """Whether h < K on [-1, 1] apart from -1, 0, 1, where the two meet; proved in balls.

    Within 1/``near`` of the ends the slope of K - h has a sign, and about 0 its curvature; in
    between K - h itself. Each of the ``pieces`` of [-1, 1] is taken by Taylor's formula with the
    second derivative in balls. Both numbers are powers of 2, so that centres and radii are exact.
    """
    polynomials = [h]
    for _ in range(4):
        polynomials.append(polynomials[-1].derivative())

    def excess(x: arb) -> list[arb]:
        pairs = zip(kernel_derivatives(b, x), polynomials, strict=True)
        return [value - p(x) for value, p in pairs]

    half = 1 / pieces
    reach = arb(0, half)
    for centre in half * (2 * np.arange(pieces) + 1) - 1:
        if abs(centre) < 1 / near:
            order, sign = 2, 1
        elif abs(centre) > 1 - 1 / near:
            order, sign = 1, 1 if centre < 0 else -1
        else:
            order, sign = 0, 1
        at, over = excess(arb(float(centre))), excess(arb(float(centre)) + reach)
        value = at[order] + at[order + 1] * reach + over[order + 2] * reach * reach / 2
        if not sign * value > 0:
            return False
    return True


def square_is_optimal(b: float) -> bool:
    """Whether the square has the least energy of all laws on the circle, proved in balls.

    The signs of the coefficients and h ≤ K are decided for the number b as it is stored. False
    means that no proof was found. A True also says that no other law is optimal, up to rotation:
    h < K elsewhere, and c_1, c_2 > 0 make the four masses equal.
    """
    guess = certificate(b)
    if guess is None:
        return False
    ball = arb(b)
    c = in_balls(guess, ball)
    signs = all(c[n] > 0 for n in (1, 2, 3)) and all(c[n] >= 0 for n in (5, 6, 7))
    return signs and all(c[n] <= 0 for n in (4, 8)) and lies_below(polynomial(c), ball)


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


def split_cost(b: float) -> float:
    """What turning both halves of a vertex of the square by ±δ costs, in units of bδ²/16.

    2bℓ''(b) - ℓ'(2b) - 1/2: the halves gain by leaving each other, and lose against the rest.
    """
    inverse = 1 + np.exp(-b)
    return float(2 * b * np.exp(-b) / inverse**2 + 1 / (1 + np.exp(2 * b)) - 0.5)


def sufficient_radius(p: NDArray[np.float64], varies: float) -> float:
    """A B_i that suffices for ``varies`` = Pr[z_{-i} = z_{-i}⁻, z_i ≠ z_i⁻], k = 2, logistic.

    The regular n-gon of all n values costs at most ℓ(0)Σp² + ℓ(b(1 - cos 2π/n))(1 - Σp²); a table
    that ignores z_i costs at least ℓ(0)(Σp² + varies).
    """
    same = float((p**2).sum())
    want = np.log(2) * varies / (1 - same)  # ℓ(t) below this
    gap = 1 - np.cos(2 * np.pi / len(p))
    return float(np.sqrt(-np.log(np.expm1(want)) / gap))


def searched_energies(points: int, b: float, starts: int, seed: int) -> NDArray[np.float64]:
    """Energies of laws of so many equal masses at which BFGS in the angles ends, (starts,)."""

    def energy(angles: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        apart = angles[:, None] - angles
        x = np.cos(apart)
        force = b / (1 + np.exp(b * (1 - x))) * np.sin(apart)
        return float(kernel(x, b).mean()), -2 * force.sum(1) / points**2

    rng = np.random.default_rng([seed, 7])
    first = rng.uniform(0, 2 * np.pi, (starts, points))
    ended = [minimize(energy, at, jac=True, method="BFGS", options={"gtol": 1e-9}) for at in first]
    return np.array([one.fun for one in ended])
