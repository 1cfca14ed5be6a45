"""The paper's statements in exact arithmetic: fractions and balls, no doubles.

A network with rational weights and md a square has rational outputs. Its loss is a polynomial of
degree two in W and in A while no neuron changes sides, so central differences are derivatives.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt

from flint import arb

Rows = Sequence[Sequence[Fraction]]


def fractions(rows: Sequence[Sequence[int | str | Fraction]]) -> list[list[Fraction]]:
    """A matrix of whole numbers, of fractions or of texts such as "3/5"."""
    return [[Fraction(x) for x in row] for row in rows]


def outputs(W: Rows, A: Rows, X: Rows) -> list[list[Fraction]]:
    """U = A φ(WᵀX) / √(md) for W, A (d, m) and X (d, n), each a list of rows.

    Raises:
        ValueError: if md is no square.
    """
    d, m = len(W), len(W[0])
    root = isqrt(m * d)
    if root * root != m * d:
        raise ValueError(f"md = {m * d} is no square: the outputs are not rational")
    n = len(X[0])
    on = [
        [
            max(Fraction(0), sum((W[j][r] * X[j][i] for j in range(d)), Fraction(0)))
            for i in range(n)
        ]
        for r in range(m)
    ]
    return [
        [sum((A[j][r] * on[r][i] for r in range(m)), Fraction(0)) / root for i in range(n)]
        for j in range(d)
    ]


def loss(W: Rows, A: Rows, X: Rows) -> Fraction:
    """‖X - U‖²_F / 2."""
    U = outputs(W, A, X)
    gaps = (x - u for a, b in zip(X, U, strict=True) for x, u in zip(a, b, strict=True))
    return sum((gap * gap for gap in gaps), Fraction(0)) / 2


def differences(value: Callable[[Rows], Fraction], P: Rows, h: Fraction) -> list[list[Fraction]]:
    """Central differences of ``value`` in each entry of P, exact for polynomials of degree two."""

    def moved(j: int, r: int, by: Fraction) -> Rows:
        return [[x + by * ((j, r) == (i, k)) for k, x in enumerate(p)] for i, p in enumerate(P)]

    return [
        [(value(moved(j, r, h)) - value(moved(j, r, -h))) / (2 * h) for r in range(len(row))]
        for j, row in enumerate(P)
    ]


def encoder_slope(
    W: Rows, A: Rows, X: Rows, h: Fraction = Fraction(1, 1000)
) -> list[list[Fraction]]:
    """∂L/∂W, exact while no neuron changes sides within h."""
    return differences(lambda V: loss(V, A, X), W, h)


def printed_encoder_slope(W: Rows, A: Rows, X: Rows) -> list[list[Fraction]]:
    """(4.2) as printed: -(1/√(md)) Σ_i 1[w_r·x_i >= 0] a_r x_iᵀ(x_i - u_i)."""
    d, m, n = len(W), len(W[0]), len(X[0])
    U, root = outputs(W, A, X), isqrt(m * d)
    pull = [sum((X[j][i] * (X[j][i] - U[j][i]) for j in range(d)), Fraction(0)) for i in range(n)]
    on = [[sum(W[j][r] * X[j][i] for j in range(d)) >= 0 for i in range(n)] for r in range(m)]
    sums = [sum((pull[i] for i in range(n) if on[r][i]), Fraction(0)) for r in range(m)]
    return [[-A[j][r] * sums[r] / root for r in range(m)] for j in range(d)]


def decoder_slope(W: Rows, A: Rows, X: Rows) -> list[list[Fraction]]:
    """∂L/∂A, exact."""
    return differences(lambda B: loss(W, B, X), A, Fraction(1, 1000))


def joint_terms(W: Rows, A: Rows, X: Rows, eta: Fraction) -> dict[str, Fraction]:
    """The change of ‖X - U‖²_F in one joint step, ``total``, and what its square expands to.

    U is linear in W and in A while no neuron changes sides. So the kernel's part of U(k+1) - U(k)
    is what the two layers change one at a time, and v_3 what they change together; v_2 = 0.
    ``kernel``, ``cross`` and ``squared`` are -2 vecᵀ of the first, of the second, and the square.

    Raises:
        ValueError: if a neuron changes sides.
    """
    moved = [
        [[x - eta * g for x, g in zip(a, b, strict=True)] for a, b in zip(old, slope, strict=True)]
        for old, slope in ((W, encoder_slope(W, A, X)), (A, decoder_slope(W, A, X)))
    ]
    if signs(W, X) != signs(moved[0], X):
        raise ValueError("a neuron changes sides")
    U, W_only, A_only, both = (
        [u for row in outputs(w, a, X) for u in row]
        for w, a in ((W, A), (moved[0], A), (W, moved[1]), moved)
    )
    E = [x - u for x, u in zip((x for row in X for x in row), U, strict=True)]
    first = [w + a - 2 * u for w, a, u in zip(W_only, A_only, U, strict=True)]
    change = [v - u for v, u in zip(both, U, strict=True)]

    def inner(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))

    after = [e - c for e, c in zip(E, change, strict=True)]
    v3 = [c - f for c, f in zip(change, first, strict=True)]
    return {"total": inner(after, after) - inner(E, E), "kernel": -2 * inner(E, first),
            "cross": -2 * inner(E, v3), "squared": inner(change, change)}  # fmt: skip


def signs(W: Rows, X: Rows) -> list[list[bool]]:
    """Whether w_r·x_i >= 0, (m, n)."""
    d = len(W)
    return [
        [sum((W[j][r] * X[j][i] for j in range(d)), Fraction(0)) >= 0 for i in range(len(X[0]))]
        for r in range(len(W[0]))
    ]


def velocity(W: Rows, A: Rows, X: Rows, h: Fraction = Fraction(1, 1000)) -> list[list[Fraction]]:
    """dU/dt under the weak flow, (d, n): U is linear in W while no neuron changes sides."""
    slope = encoder_slope(W, A, X)
    moved = [[w - h * g for w, g in zip(a, b, strict=True)] for a, b in zip(W, slope, strict=True)]
    before, after = outputs(W, A, X), outputs(moved, A, X)
    return [[(u - v) / h for u, v in zip(a, b, strict=True)]
            for a, b in zip(after, before, strict=True)]  # fmt: skip


def kernel_velocity(W: Rows, A: Rows, X: Rows, divisor: int) -> list[list[Fraction]]:
    """G vec(X - U) / ``divisor`` as (d, n): d once is what Lemma 3.1's corrected form says."""
    d, m, n = len(W), len(W[0]), len(X[0])
    U = outputs(W, A, X)
    on = [[sum(W[j][r] * X[j][i] for j in range(d)) >= 0 for i in range(n)] for r in range(m)]
    found = [[Fraction(0)] * n for _ in range(d)]
    for i in range(n):
        for k in range(n):
            rho = sum((X[j][i] * X[j][k] for j in range(d)), Fraction(0))
            for r in range(m):
                if on[r][i] and on[r][k]:
                    inner = sum((A[j][r] * (X[j][k] - U[j][k]) for j in range(d)), Fraction(0))
                    for j in range(d):
                        found[j][i] += rho * A[j][r] * inner / (m * divisor)
    return found


def orthonormal_moment(n: int) -> arb:
    """‖E[Z Zᵀ]‖ for orthonormal samples, a ball; see `kernels.orthonormal_moment_norm`."""
    return arb(3) / 2 + arb(n - 1) / 4 + (n - 1) * (2 / arb.pi() + (n - 2) / (4 * arb.pi()))


def fourth_moment(d: int) -> Fraction:
    """E[φ(w·x)²‖w‖²] for w ~ N(0, I) in d dimensions and a unit vector x: half of E[g_1²‖g‖²]."""
    second, fourth = Fraction(1), Fraction(3)  # of a standard normal number
    return (fourth + (d - 1) * second**2) / 2


def tied_error(d: int, m: int) -> Fraction:
    """E‖x - u‖² of Lemma 6.1 for σ² = 2, ‖x‖ = 1: the spread of Wφ(Wᵀx)/m, term by term.

    E‖u‖² is σ⁴ times `fourth_moment` over m for equal neurons, and E[φ(g)²·] = 1/4 of x for pairs.
    """
    same = 4 * fourth_moment(d) / m
    return 1 - 2 * Fraction(1) + same + 4 * Fraction(m - 1, m) / 4


def two_orthonormal(m: int, delta: Fraction) -> tuple[arb, arb]:
    """For two orthonormal samples in d = 2: the probability that Lemma 5.1 claims, and a bound of
    the probability that λ_min(H(0)) >= 3/8 = (3/4) λ_0, two balls.

    λ_min is at most vᵀH(0)v for v = (1, -1)/√2, a mean over m neurons of ½(φ(g) - φ(g'))² with mean
    λ_H = 1/2 - 1/2π and second moment ¼(9/2 - 8/π); Chebyshev's inequality gives the bound.
    """
    pi = arb.pi()
    mean = arb(1) / 2 - 1 / (2 * pi)
    variance = (arb(9) / 2 - 8 / pi) / 4 - mean**2
    claimed = (
        1
        - (-2 * arb(4).log() * arb(8).log()).exp()
        - m * arb(delta.numerator) / arb(delta.denominator)
    )
    return claimed, variance / m / (arb(3) / 8 - mean) ** 2


def near_hexagon(turn: arb) -> tuple[arb, arb]:
    """Δ/100n² and an upper bound of λ_0 for six unit vectors of the plane, two balls.

    The corners of a regular hexagon, the last turned by the angle ``turn`` >= 0; λ_0 is at most the
    quotient of E[X̃ᵀX̃] at the vector of alternating signs, 0 for the hexagon itself.
    """
    angles = [k * arb.pi() / 3 + (turn if k == 5 else 0) for k in range(6)]
    total = 6 * arb(1) / 2
    for j in range(6):
        for i in range(j):
            between = angles[j] - angles[i]
            if j - i >= 3:
                between = 2 * arb.pi() - between
            entry = between.cos() * (arb.pi() - between) / (2 * arb.pi())
            total += 2 * (-1) ** (j - i) * entry
    return 2 * ((arb.pi() / 3 - turn) / 2).sin() / 3600, total / 6


def chi_square_tail(x: arb) -> arb:
    """P(χ² > x) with one degree of freedom, a ball: erfc(√(x/2))."""
    return (x / 2).sqrt().erfc()
