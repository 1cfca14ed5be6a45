"""The linear model of Section 6.4, exactly: loss, gradient and accuracy without sampling.

A margin is Y = Σ_k v_k S_k with S_k the sum of n_k independent coordinates of law D_γk: uniform on
[0, 1] with probability 1/2 + γ, else on [-1, 0]. Invariant coordinates have γ = 1/2. All that is
wanted of Y is a contour integral of its moment generating function. For 0 < Re s < 1

    1 / (1 + e^t)   = 1/(2πi) ∫ π / sin(πs) e^(-st) ds
    ln(1 + e^(-t))  = 1/(2πi) ∫ π / (s sin(πs)) e^(-st) ds

and the trapezoidal rule on Re s = 1/2 has errors below rounding unless margins are widely negative
(`quadrature_error`). Probabilities are integrals of
M(s) / s through the saddle point, so that tails of any size have full relative accuracy.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

Array = NDArray[np.float64]

_STEP = 0.08
_U = np.arange(_STEP / 2, 13.0, _STEP)
_S = 0.5 + 1j * _U  # the half line Im s > 0; the other half is its mirror image
_INVERSE_FACTORIALS = 1 / np.cumprod([1.0, *range(1, 20)])
LARGEST_ERROR = 1e-10
"""Of the loss, at points where a minimisation starts or stops."""
_KERNEL = np.pi / np.sin(np.pi * _S) * (2 * _STEP / (2 * np.pi))


@dataclass(frozen=True)
class Task:
    """Data of Section 6.4: r invariant and q = d - r environmental features of strength γ."""

    r: int
    q: int
    gamma: float

    @property
    def gammas(self) -> Array:
        """Of the two groups, in distribution."""
        return np.array([0.5, self.gamma])

    @property
    def ood(self) -> Array:
        """Of the two groups, out of distribution."""
        return np.array([0.5, -self.gamma])

    @property
    def counts(self) -> Array:
        return np.array([self.r, self.q], dtype=float)

    @cached_property
    def second_moment(self) -> Array:
        """C = E[z zᵀ] (d, d)."""
        means = np.repeat([0.5, self.gamma], [self.r, self.q])
        return np.outer(means, means) + np.diag(np.repeat(
            [1 / 12, 1 / 3 - self.gamma**2], [self.r, self.q]))  # fmt: skip


def uniform_mgf(s: NDArray[np.complex128]) -> tuple[NDArray[np.complex128], ...]:
    """g(s) = (e^s - 1) / s, the moment generating function of U[0, 1], and its two derivatives."""
    small = np.abs(s) < 0.5
    t = np.where(small, s, 0)
    series = [np.zeros_like(t), np.zeros_like(t), np.zeros_like(t)]
    for k in range(17, -1, -1):  # Horner: the coefficients of g are 1 / (k + 1)!
        size = _INVERSE_FACTORIALS[k + 1]
        series[0] = series[0] * t + size
        if k >= 1:
            series[1] = series[1] * t + k * size
        if k >= 2:
            series[2] = series[2] * t + k * (k - 1) * size
    if small.all():
        return tuple(series)
    u = np.where(small, 1.0, s)
    e = np.exp(u)
    g = (e - 1) / u
    first = (e - g) / u
    second = (e - 2 * first) / u
    return tuple(np.where(small, a, b) for a, b in zip(series, (g, first, second), strict=True))


def mgf(s: NDArray[np.complex128], gamma: ArrayLike) -> tuple[NDArray[np.complex128], ...]:
    """Moment generating function of D_γ at s, and its two derivatives."""
    g, first, second = uniform_mgf(s)
    e = np.exp(-s)  # the other half, U[-1, 0], is U[0, 1] moved by -1
    down = (e * g, e * (first - g), e * (second - 2 * first + g))
    p = 0.5 + np.asarray(gamma)
    return tuple(p * a + (1 - p) * b for a, b in zip((g, first, second), down, strict=True))


def _margin(v: Array, gammas: Array, counts: Array) -> tuple[NDArray[np.complex128], ...]:
    """E e^(-sY) at the nodes (S,), with m'/m and m''/m of each group (S, k)."""
    m, first, second = mgf(np.asarray(-_S[:, None] * v, dtype=np.complex128), gammas)
    return (m**counts).prod(1), first / m, second / m


def loss(v: ArrayLike, gammas: Array, counts: Array) -> float:
    """E ln(1 + e^(-Y))."""
    whole, _, _ = _margin(np.asarray(v, float), gammas, counts)
    return float((_KERNEL / _S * whole).sum().real)


def pulls(v: ArrayLike, gammas: Array, counts: Array) -> Array:
    """E[z_k / (1 + e^Y)] for a coordinate of each group (k,): minus the slope of the loss."""
    whole, ratio, _ = _margin(np.asarray(v, float), gammas, counts)
    return ((_KERNEL * whole) @ ratio).real


def curvature(v: ArrayLike, gammas: Array, counts: Array) -> Array:
    """Hessian of the loss by the groups' weights (k, k)."""
    whole, ratio, second = _margin(np.asarray(v, float), gammas, counts)
    weight = _KERNEL * _S * whole
    cross = ((ratio * weight[:, None]).T @ ratio).real * np.outer(counts, counts)
    return cross + np.diag((weight @ (second - ratio**2)).real * counts)


def wrong(v: ArrayLike, gammas: Array, counts: Array) -> float:
    """E[1 / (1 + e^Y)]."""
    return float((_KERNEL * _margin(np.asarray(v, float), gammas, counts)[0]).sum().real)


def quadrature_error(v: ArrayLike, gammas: Array, counts: Array) -> float:
    """How far `loss`, `wrong` and `pulls` may be off at v: e^(-π/h) E e^(-Y) + ε E e^(-Y/2).

    The trapezoidal rule of step h adds the integrand's copies at t + 2πn/h, n != 0: for n > 0 at
    most e^(-t) e^(-πn/h), since ln(1 + e^(-t)) and 1/(1 + e^t) are below e^(-t); for n < 0 less
    than rounding. No term of the sum exceeds a few times E e^(-Y/2), so rounding is ε times that.
    """
    logarithms = cumulant(np.array([-1.0 + 0j, -0.5 + 0j]), np.asarray(v, float), gammas, counts)
    whole, half = np.minimum(logarithms.real, 700.0)
    return float(np.exp(whole - np.pi / _STEP) + np.finfo(float).eps * np.exp(half))


def minimise(
    lam: float, gammas: Array, counts: Array, start: ArrayLike | None = None, steps: int = 200
) -> tuple[Array, float]:
    """Minimiser of loss + λ/2 ‖w‖² (ERM-ℓ2, (6.4)) by Newton, and its gradient's largest entry.

    A start whose loss the quadrature does not resolve (`quadrature_error`) is halved until it
    does. The objective is strictly convex: any start leads to the same point.
    """
    v = np.full(len(counts), 0.05) if start is None else np.array(start, dtype=float)
    while quadrature_error(v, gammas, counts) > LARGEST_ERROR:
        v = v / 2

    def value(x: Array) -> float:
        if quadrature_error(x, gammas, counts) > LARGEST_ERROR:
            return np.inf
        return loss(x, gammas, counts) + lam / 2 * (counts * x**2).sum()

    slope = np.full(len(v), np.inf)
    for _ in range(steps):
        slope = counts * (lam * v - pulls(v, gammas, counts))
        step = np.linalg.solve(curvature(v, gammas, counts) + np.diag(lam * counts), slope)
        size, before = 1.0, value(v)
        while size > 1e-6 and value(v - size * step) > before * (1 + 1e-13):
            size /= 2
        v = v - size * step
        if np.abs(step).max() < 1e-9 * np.abs(v).max():
            break
    slope = counts * (lam * v - pulls(v, gammas, counts))
    return v, float(np.abs(slope / counts).max())


def weight_decay(task: Task, lam: float) -> tuple[float, float]:
    """(α, β) of ERM-ℓ2."""
    start = np.array([1.0, 2 * task.gamma]) / (task.r / 2 + 2 * task.q * task.gamma**2)
    (alpha, beta), _ = minimise(lam, task.gammas, task.counts, start)
    return float(alpha), float(beta)


def cumulant(
    s: NDArray[np.complex128], v: Array, gammas: Array, counts: Array
) -> NDArray[np.complex128]:
    """ln E e^(sY) at s (S,), up to multiples of 2πi."""
    return np.asarray(np.log(mgf(s[:, None] * v, gammas)[0]) @ counts)


def chernoff(v: ArrayLike, gammas: Array, counts: Array) -> float:
    """min over c > 0 of ln E e^(cY), which is at least ln P[Y >= 0]."""
    v = np.asarray(v, dtype=float)
    found = minimize_scalar(
        lambda x: float(cumulant(np.array([np.exp(x) + 0j]), v, gammas, counts)[0].real),
        bounds=(np.log(1e-4 / np.abs(v).max()), np.log(200 / np.abs(v).max())), method="bounded",
        options={"xatol": 1e-6},
    )  # fmt: skip
    return float(found.fun)


def log_positive(v: ArrayLike, gammas: Array, counts: Array, above: float = 0.0) -> float:
    """ln P[Y > above], of any size, for E Y < above (otherwise use the mirror image)."""
    every = np.asarray(v, dtype=float)
    keep = (every != 0) & (np.asarray(counts) > 0)
    w = every[keep]
    laws, n = (np.asarray(x, dtype=float)[keep] for x in (gammas, counts))
    if above >= 0 and np.all((np.abs(laws) >= 0.5) & (laws * w < 0)):
        return -np.inf  # Y is never positive
    # The constant is one more coordinate: a shift of the cumulant by -above s.
    reach = float((n * np.abs(w)).sum()) + abs(above)

    def shifted(s: NDArray[np.complex128]) -> NDArray[np.complex128]:
        return cumulant(s, w, laws, n) - above * s

    c = _saddle(shifted, float(np.abs(w).max()))
    top = float(shifted(np.array([c + 0j]))[0].real)
    period = reach + max(0.0, 45 - top + np.log(c)) / c
    step = 2 * np.pi / period
    total, start, block = 0.0, 0.5, 512
    while True:
        u = (start + np.arange(block)) * step
        s = c + 1j * u
        parts = (np.exp(shifted(s) - top) / s).real
        total += float(parts.sum())
        start += block
        if np.abs(parts[-64:]).max() < 1e-17 / c or start > 400_000:
            break
    return top + float(np.log(max(total * step / np.pi, 1e-320)))


def _saddle(shifted: Any, unit: float) -> float:
    """The c > 0 where shifted(c) - ln c is least."""
    found = minimize_scalar(
        lambda x: float(shifted(np.array([np.exp(x) + 0j]))[0].real) - x,
        bounds=(np.log(1e-4 / unit), np.log(200 / unit)), method="bounded",
        options={"xatol": 1e-6},
    )  # fmt: skip
    return float(np.exp(found.x))


def accuracy(v: ArrayLike, gammas: Array, counts: Array) -> float:
    """P[Y > 0]."""
    v = np.asarray(v, dtype=float)
    gammas, counts = np.asarray(gammas, float), np.asarray(counts, float)
    if (counts * v * gammas).sum() >= 0:
        return 1.0 - float(np.exp(log_positive(-v, gammas, counts)))
    return float(np.exp(log_positive(v, gammas, counts)))


def lambda_0(task: Task) -> float:
    """λ above which (E.31) and (E.32) give α < 1/√r."""
    r, q, gamma = task.r, task.q, task.gamma
    return float(np.sqrt(r) * (
        0.5 / (1 + np.exp((r - 1) / (4 * np.sqrt(r))))
        + np.exp(-(r - 1) / 8) / 4
        + np.exp(-q * gamma**2 / 2) / 2
    ))  # fmt: skip


def decay_scale(r: ArrayLike) -> Array:
    """√r e^(-√r/5), the λ of Proposition 6.3 with the constant 1."""
    root = np.sqrt(np.asarray(r, dtype=float))
    return np.asarray(root * np.exp(-root / 5))


def ratio_bound(x: ArrayLike, gamma: ArrayLike) -> Array:
    """Upper bound of α/β for weights below x = 1/√r: what closes the gap after (E.34)."""
    x, p = np.asarray(x, dtype=float), 0.5 + np.asarray(gamma, dtype=float)
    above = 0.5 * (p + (1 - p) * np.expm1(x) / x)
    down = -np.expm1(-x) / x * (1 - (1 + x) * np.exp(-x)) / x**2
    up = ((x - 1) * np.exp(x) + 1) / x**2
    return np.asarray(above / (p * down - (1 - p) * up))


def hoeffding_denominator(r: int, q: int, gamma: float) -> tuple[float, float]:
    """Σ (width)² in (E.49) as Hoeffding has it, and as printed, 4d."""
    return 9 * r / (16 * gamma**2) + 4 * q, 4 * (r + q)
