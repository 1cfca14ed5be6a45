"""The technical lemmas of Appendices B.4 and B.6: sides to attack, and what breaks some of them."""

from fractions import Fraction
from typing import Any

import numpy as np
import torch
from flint import arb
from numpy.typing import NDArray
from scipy import stats
from scipy.special import log_ndtr
from torch import Tensor

Array = NDArray[np.float64]
LOG2 = float(np.log(2))


def logistic(z: Any) -> Any:
    """ℓ(z) = log_2(1 + 2^{-z}), a logistic loss that meets Assumption 3.1; tensors."""
    return torch.nn.functional.softplus(-z * LOG2) / LOG2


def descent_sides(p: dict[str, Tensor], factor: float = 1.0) -> tuple[Tensor, Tensor]:
    """Both sides of Theorem B.7 for linear f_t(θ) = ⟨g_t, θ⟩, the worst convex ones.

    p: g (T, d), theta (d,) the start, star (d,), eta () > 0. The last term carries ``factor``.
    """
    g, T = p["g"], p["g"].shape[0]
    thetas = p["theta"] - p["eta"] * (torch.cumsum(g, 0) - g)  # (T, d)
    left = (g * (thetas - p["star"])).sum(1).mean()
    sizes = g.norm(dim=1)
    right = p["star"].square().sum() / (2 * p["eta"] * T) + p["theta"].norm() * sizes.mean()
    return left, right + factor * p["eta"] * sizes.square().mean()


def smooth_sides(p: dict[str, Tensor], T: int, first: int = 2) -> tuple[Tensor, Tensor]:
    """(B.12) for logistic regression: mean excess of T iterates, from the ``first``, and its bound.

    p: h (n, m) features times labels, a (m,) the start, star (m,). The step is 1/L with
    L = tr(hᵀh) log 2/(4n), at least the smoothness.
    """
    h, a, star = p["h"], p["a"], p["star"]
    n = h.shape[0]
    L = h.square().sum() / n * LOG2 / 4 + 1e-9
    bound = (a - star).square().sum() * L / (2 * T)
    losses = []
    for t in range(1, T + first):
        if t >= first:
            losses.append(logistic(h @ a).mean())
        a = a + (torch.sigmoid(-(h @ a) * LOG2) @ h) / n / L
    return torch.stack(losses).mean() - logistic(h @ star).mean(), bound


def frozen_sides(p: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Theorem 3.4 with η = 1/L at T = 2: least excess of two iterates, and L(‖a^(1)‖² + ‖a*‖²).

    p: as for `smooth_sides`; this is the optimisation term with the constant 2.
    """
    h, a, star = p["h"], p["a"], p["star"]
    n = h.shape[0]
    L = h.square().sum() / n * LOG2 / 4 + 1e-9
    after = a + (torch.sigmoid(-(h @ a) * LOG2) @ h) / n / L
    best = torch.minimum(logistic(h @ a).mean(), logistic(h @ after).mean())
    return best - logistic(h @ star).mean(), L * (a.square().sum() + star.square().sum())


def smooth_counterexample(T: int = 1) -> tuple[arb, arb]:
    """Both sides of (B.12) as printed: one feature equal to 1, y = 1, a^(1) = 0.

    T = 1: a* = 1, η = 1/L = 4/log 2. T > 1: η = 1/20 and a* = (T - 1)η/2, about a^(T).
    """

    def loss(z: arb) -> arb:
        return (1 + arb(2) ** (-z)).log() / arb(2).log()

    eta = 4 / arb(2).log() if T == 1 else arb(1) / 20
    star = arb(1) if T == 1 else (T - 1) * eta / 2
    a, total = arb(0), arb(0)
    for _ in range(T):
        total += loss(a)
        a = a + eta / (1 + arb(2) ** a)
    return total / T - loss(star), star * star / (2 * T * eta)


def divergent_step(T: int, c: int = 100, *, printed: bool = True) -> tuple[arb, arb]:
    """Least loss of GD in steps 1..T with η = 1/t (printed) or 1/L, and the optimum; in balls.

    One feature of size c, y = 1 with probability 3/4: f(a) = ¾ℓ(ca) + ¼ℓ(-ca), started at 0.
    """

    def loss(z: arb) -> arb:
        return (1 + arb(2) ** (-z)).log() / arb(2).log()

    a, best, L = arb(0), arb(1), arb(2).log() / 4 * c * c
    for t in range(2, T + 1):
        slope = arb(3) / 4 / (1 + arb(2) ** (c * a)) - arb(1) / 4 / (1 + arb(2) ** (-c * a))
        a = (a + c * slope * (1 / arb(t) if printed else 1 / L)).mid()
        here = 3 * loss(c * a) / 4 + loss(-c * a) / 4
        best = here if here < best else best
    entropy = arb(3).log() * 3 / 4 / arb(2).log()
    return best, 2 - entropy


def majorant(t: int, a: Fraction, Z: Fraction, u: Fraction, B: Fraction) -> Fraction:
    """h(t) of (B.72), the bound of Σ_{l<=t}|a^(l)|, by its recurrence; u = ηB."""
    before, now = a, 2 * a + u / B * Z
    if t == 1:
        return before
    for _ in range(t - 2):
        before, now = now, 2 * now - (1 - u * u) * before + u / B * Z
    return now


def majorant_closed(t: int, a: Fraction, Z: Fraction, u: Fraction, B: Fraction) -> Fraction:
    """h(t) in closed form, (B.72) to (B.74)."""
    eta = u / B
    rest = Z / (eta * B * B)
    swing = (a + eta * Z) / u
    c1, c2 = (a + rest - swing) / 2, (a + rest + swing) / 2
    return -rest + c1 * (1 - u) ** (t - 1) + c2 * (1 + u) ** (t - 1)


def slope_sums(p: dict[str, Tensor], eta: float, T: int) -> tuple[Tensor, Tensor]:
    """Σ_{l<=t}|a_i^(l)| of population descent on the hinge loss, and h(t) of (B.72): (T, m) each.

    p: a (m,), W (m, d), b (m,), X (n, d), y (n,) whose signs are the labels. B_x1 = mean ‖x‖.
    """
    X, y, a, W, b = p["X"], p["y"].sign(), p["a"], p["W"], p["b"]
    B = X.norm(dim=1).mean()
    Z, start = B * W.norm(dim=1) + b.abs(), a.abs()
    sums = [a.abs()]
    for _ in range(T - 1):
        hidden = torch.relu(X @ W.mT - b)
        pull = (1 - y * (hidden @ a) > 0).to(X.dtype) * y / len(y)
        step = ((hidden > 0).to(X.dtype) * pull[:, None]).mT @ X
        a, W = a + eta * pull @ hidden, W + eta * a[:, None] * step
        sums.append(sums[-1] + a.abs())
    bounds = [start, 2 * start + eta * Z]
    while len(bounds) < T:
        bounds.append(2 * bounds[-1] - (1 - (eta * B) ** 2) * bounds[-2] + eta * Z)
    return torch.stack(sums), torch.stack(bounds[:T])


def ball(x: Fraction) -> arb:
    """A fraction as a ball."""
    return arb(x.numerator) / arb(x.denominator)


def drift(T: int) -> arb:
    """‖w^(T) - w^(1)‖ of one active neuron on x = e_1, y = 1, in ball arithmetic.

    w^(1) = e_1, b̃ = 1/10, a^(1) = 0, B_x1 = 1, Tη = 1/100: a += η(w - b̃), w += ηa while yg < 1.
    """
    eta, n = 1 / arb(100 * T), T - 1
    even = ((1 + eta) ** n + (1 - eta) ** n) / 2
    return arb(9) / 10 * (even - 1)


def drift_printed(T: int) -> Fraction:
    """The printed bound (B.61) for the instance of `drift`, with the constant 1."""
    return T * Fraction(1, 100 * T) ** 2 * (1 + Fraction(1, 10))


def drift_corrected(T: int) -> Fraction:
    """1.2 (tηB|a| + t²η²B Z) for the instance of `drift`: Z = B‖w^(1)‖ + b̃."""
    return Fraction(12, 10) * Fraction(1, 100) ** 2 * Fraction(11, 10)


def drift_sides(x: Array) -> tuple[float, float]:
    """ηB h(t-1) and its corrected bound for x = (|a|, Z, log10 of ηB, tηB <= 1), B = 1."""
    a, Z, u, reach = x[0], x[1], 10 ** x[2], x[3]
    t = max(2, int(reach / u + 1e-9))
    rest, n = Z / u, t - 2
    # In η B = u and B = 1: -Z/u + c1 (1-u)^n + c2 (1+u)^n, without cancellation.
    up, down = np.expm1(n * np.log1p(u)), np.expm1(n * np.log1p(-u))
    swing = (a + u * Z) / u
    h = a + (a + rest) * (up + down) / 2 + swing * (up - down) / 2
    return float(u * h), float(1.2 * (t * u * a + (t * u) ** 2 * Z))


def second_layer_sides(x: Array) -> tuple[float, float]:
    """h(t) - h(t-1) and three times (B.60): x = (|a|, ‖w‖, b̃, log10 of u = ηB_x1, tu), B_x1 = 1."""
    a, w, b, u = x[0], x[1], x[2], 10 ** x[3]
    t = max(2, int(x[4] / u + 1e-9))
    Z, n = w + b, t - 2
    up, down = (1 + u) ** n, (1 - u) ** n  # h(t) - h(t-1) = u (c_2 (1 + u)^n - c_1 (1 - u)^n)
    c1, c2 = (a + Z / u - (a + u * Z) / u) / 2, (a + Z / u + (a + u * Z) / u) / 2
    return float(u * (c2 * up - c1 * down)), float(3 * (a + w + b + u * b))


def loss_gap_sides(p: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Lemma B.10's two inequalities. p: a (m,), V, W (m, d), b (m,), X (n, d), y (n,)."""
    X, y, a = p["X"], torch.tanh(p["y"]), p["a"]
    size = X.norm(dim=1).mean()
    moved = (p["V"] - p["W"]).norm(dim=1)

    def loss(W: Tensor) -> Tensor:
        return torch.relu(1 - y * (torch.relu(X @ W.mT - p["b"]) @ a)).mean()

    hidden = torch.relu(X @ p["V"].mT - p["b"])
    active = (1 - y * (hidden @ a) > 0).to(X.dtype)
    slopes = ((active * y) @ hidden / len(y)).abs()
    left = [(loss(p["V"]) - loss(p["W"])).abs()[None], slopes]
    first = size * a.norm() * len(a) ** 0.5 * moved.max()
    right = [first[None], size * (moved + p["W"].norm(dim=1)) + p["b"].abs()]
    return torch.cat(left), torch.cat(right)


def rademacher_sides(p: dict[str, Tensor], factor: float = 2**0.5) -> tuple[Tensor, Tensor]:
    """Lemma B.78, all sign patterns: R of {‖a‖ <= 1} and √((‖W‖²B_x² + ‖b‖²)/n) times a factor.

    p: X (n, d), W (m, d), b (m,); n is small.
    """
    X, W, b = p["X"], p["W"], p["b"]
    n = X.shape[0]
    codes = torch.arange(2**n)
    signs = 1.0 - 2.0 * ((codes[:, None] >> torch.arange(n)) & 1).to(X.dtype)
    H = torch.relu(X @ W.mT - b)  # (n, m)
    left = (signs @ H).norm(dim=1).mean() / n
    squares = W.square().sum() * X.square().sum(1).max() + b.square().sum()
    return left, factor * (squares / n).sqrt()


def log_gaussian_maximum(n: Array, z: Array) -> tuple[Array, Array]:
    """Logarithms of P(max of n normals >= √(2 log n) + z/√(2 log n)) and of e^{-z}; n >= 2."""
    root = np.sqrt(2 * np.log(n))
    at = root + z / root
    none_above = n * log_ndtr(at)  # log of P(max < at)
    with np.errstate(divide="ignore"):
        return np.log(-np.expm1(none_above)), -z


def log_chi_square(k: Array, z: Array) -> tuple[Array, Array]:
    """Logarithms of P(χ²_k >= k + 2√(kz) + 2z) and of e^{-z}; z >= 0."""
    return stats.chi2(k).logsf(k + 2 * np.sqrt(k * z) + 2 * z), -z


def log_tail_bounds(z: Array) -> tuple[Array, Array]:
    """Logarithms: (z φ/(z² + 1), Q) and (Q, φ/z), z > 0 (Lemma B.75)."""
    density, tail = -z * z / 2 - 0.5 * np.log(2 * np.pi), log_ndtr(-z)
    lower = density + np.log(z) - np.log1p(z * z)
    return np.stack([lower, tail]), np.stack([tail, density - np.log(z)])


def log_density_bound(z: Array) -> tuple[Array, Array]:
    """Logarithms of φ(z) = |E 1(g > z) g| and of 2 Q(z)^0.9 (Lemma B.76)."""
    return -z * z / 2 - 0.5 * np.log(2 * np.pi), np.log(2) + 0.9 * log_ndtr(-z)


def recurrence(
    first: Fraction, second: Fraction, rho: Fraction, beta: Fraction, n: int
) -> Fraction:
    """h(n) of h(n + 2) = 2h(n + 1) - (1 - ρ²)h(n) + β from h(1) and h(2)."""
    values = [first, second]
    while len(values) < n:
        values.append(2 * values[-1] - (1 - rho**2) * values[-2] + beta)
    return values[n - 1]


def recurrence_closed(
    first: Fraction, second: Fraction, rho: Fraction, beta: Fraction, n: int, shift: int = 1
) -> Fraction:
    """-β/ρ² + c_1(1 - ρ)^{n-shift} + c_2(1 + ρ)^{n-shift}, c from h(1) and h(2) (Lemma B.77).

    The lemma prints shift 0, with which ρ = 1 has no solution; then c_1 is taken to be 0 here.
    """
    rest = beta / rho**2
    h1, h2 = first + rest, second + rest
    c2 = (h2 - (1 - rho) * h1) / (2 * rho)
    c1 = h1 - c2
    low, high = (1 - rho), (1 + rho)
    if shift == 0:
        c1, c2 = (c1 / low if low else Fraction(0)), c2 / high
    return -rest + c1 * low ** (n - shift) + c2 * high ** (n - shift)


def sign_mean_tail(n: int, at: float) -> float:
    """P(|mean of n fair signs| > at), exact."""
    k = np.arange(n + 1)
    return float(stats.binom(n, 0.5).pmf(k)[np.abs(2 * k / n - 1) > at + 1e-12].sum())
