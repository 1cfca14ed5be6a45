"""The linear model of Section 7.2.2 in closed form (Appendix F.2).

Task t has the features S, shared by all tasks, and P_t, its own: s = |S|, q = |P_t| = r - s.
A representation weighs the square of a shared feature by α, of a private one by α_t (or β).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats
from scipy.optimize import minimize

Array = NDArray[np.float64]


def logistic(t: Any) -> Array:
    """ℓ(t) = log(1 + e^-t)."""
    return np.logaddexp(0, -np.asarray(t, dtype=float))


def logistic_pull(t: Any) -> Array:
    """-ℓ'(t) of the logistic loss."""
    return special.expit(-np.asarray(t, dtype=float))


def exponential(t: Any) -> Array:
    """ℓ(t) = e^-t, which is also -ℓ'(t)."""
    return np.exp(-np.asarray(t, dtype=float))


PULLS: dict[str, Callable[[Any], Array]] = {
    "logistic": logistic_pull,
    "exponential": exponential,
    "hinge": lambda t: (np.asarray(t) < 1).astype(float),
}
"""-ℓ' of convex decreasing losses."""


def chi_square(degrees: float, nodes: int = 40) -> tuple[Array, Array]:
    """Gauss nodes and weights for a chi-square variable: E f ≈ Σ w f(x)."""
    x, w = special.roots_genlaguerre(nodes, degrees / 2 - 1)
    return 2 * x, w / w.sum()


def shared_first(r: int, s: int, q: int, T: int, alpha: Any) -> Any:
    """β = min(1, (r - αs) / (Tq)) of Proposition 7.3, for any α."""
    return np.minimum(1, (r - np.asarray(alpha, dtype=float) * s) / (T * q))


def mixture_loss(
    alpha: float,
    alphas: ArrayLike,
    s: int,
    q: int,
    weights: ArrayLike,
    sigma_S: float = 1.0,
    sigma_R: ArrayLike = 1.0,
    loss: Callable[[Any], Array] = logistic,
    nodes: int = 40,
) -> float:
    """Σ_t w_t E ℓ(ασ_S²Z + α_tσ_{R,t}²Z_t), Z ~ χ²_s, Z_t ~ χ²_q (Lemma F.3)."""
    z, w = chi_square(s, nodes)
    y, v = chi_square(q, nodes)
    scaled = np.asarray(alphas) * np.broadcast_to(sigma_R, np.shape(alphas)) ** 2
    values = loss(alpha * sigma_S**2 * z[:, None] + scaled[:, None, None] * y)
    return float(np.asarray(weights) @ (values @ v @ w))


def optimum(
    s: int,
    q: int,
    weights: Sequence[float],
    sigma_S: float = 1.0,
    sigma_R: ArrayLike = 1.0,
    budget: float | None = None,
    loss: Callable[[Any], Array] = logistic,
) -> Array:
    """(α, α_1, ..., α_T) that minimise `mixture_loss` with αs + qΣα_t ≤ budget, in the unit cube.

    Args:
        budget: of ‖W‖_F²; r = s + q by default.
    """
    T = len(weights)
    limit = s + q if budget is None else budget
    price = np.array([s] + [q] * T, dtype=float)
    start = np.full(T + 1, min(1.0, limit / price.sum()))
    found = minimize(
        lambda a: mixture_loss(a[0], a[1:], s, q, weights, sigma_S, sigma_R, loss, nodes=30),
        start,
        bounds=[(0, 1)] * (T + 1),
        constraints={"type": "ineq", "fun": lambda a: limit - price @ a, "jac": lambda a: -price},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return np.asarray(found.x)


def slope_in_alpha(
    alpha: Any, s: int, q: int, T: float, pull: Callable[[Any], Array], nodes: int = 24
) -> tuple[float, float]:
    """The two terms of d/dα E ℓ(αZ + βZ_1) on the frontier β = (r - αs)/(Tq), over s.

    The slope is the second minus the first: (1/T) E g(X + βξ) - E g(X + αξ), g = -ℓ', ξ ~ χ²_2
    (Y1). Returned as (second, first).
    """
    beta = (s + q - alpha * s) / (T * q)
    z, w = chi_square(s, nodes)
    y, v = chi_square(q, nodes)
    x, u = chi_square(2, nodes)
    base = alpha * z[:, None, None] + beta * y[:, None]
    private = np.einsum("abc,a,b,c->", pull(base + beta * x), w, v, u) / T
    shared = np.einsum("abc,a,b,c->", pull(base + alpha * x), w, v, u)
    return float(private), float(shared)


def marginal_gains(
    alphas: ArrayLike,
    s: int,
    q: int,
    weights: ArrayLike,
    sigma_S: float = 1.0,
    pull: Callable[[Any], Array] = logistic_pull,
    nodes: int = 40,
) -> Array:
    """What a unit of ‖W‖_F² saves at (α, α_1, ..., α_T): -∂/∂α of `mixture_loss` over s, q.

    As E[Zf(Z)] = s E f(χ²_{s+2}). The programme of Lemma F.3 is convex, so a point on its budget is
    optimal if weights at 0 gain at most, and those at 1 at least, what those between gain. σ_R = 1.
    Shape (1 + T,).
    """
    a, w = np.asarray(alphas, dtype=float), np.asarray(weights, dtype=float)

    def mean(more_s: int, more_q: int) -> Array:
        z, u = chi_square(s + more_s, nodes)
        y, v = chi_square(q + more_q, nodes)
        values = pull(a[0] * sigma_S**2 * z[:, None] + a[1:, None, None] * y)
        return np.asarray(values @ v @ u)

    return np.r_[sigma_S**2 * w @ mean(2, 0), w * mean(0, 2)]


def radius(v1: Any, v2: Any, alpha: Any, beta: Any) -> Any:
    """B_{φ,t} = √(v_1/α + v_2/β), the norm of the least exact predictor (F.68)."""
    return np.sqrt(v1 / alpha + v2 / beta)


def leading_squared(T: Any, s: Any, q: Any, v1: Any, v2: Any) -> Any:
    """f(T) = (v_1 + T v_2)(s + q/T): the bound of Proposition 7.3 is 4L√(f(T)/m) + ..."""
    return (v1 + T * v2) * (s + q / T)


def bound_factor(T: Any) -> Any:
    """(T + 1) / (2√T): what T tasks do to the leading term if r = 2s and v_1 = v_2."""
    return (T + 1) / (2 * np.sqrt(T))


def best_tasks(s: float, q: float, v1: float, v2: float) -> float:
    """The T with the least leading term, √(v_1 q / (v_2 s)); above its square T tasks hurt."""
    return float(np.sqrt(v1 * q / (v2 * s)))


def deviation_term(m: Any, delta: float) -> Any:
    """8√(2 ln(4/δ)/m), the last term of the printed bounds."""
    return 8 * np.sqrt(2 * np.log(4 / delta) / m)


def mean_norm(scales: ArrayLike, copies: ArrayLike) -> float:
    """E‖A g‖ for a standard Gaussian g, A with the squared entries ``scales``, by one integral.

    E√Q = (1/(2√π)) ∫ (1 - E e^{-tQ}) t^{-3/2} dt, and E e^{-tQ} = Π (1 + 2ta)^{-n/2}.
    """
    a, n = np.asarray(scales, dtype=float), np.asarray(copies, dtype=float)
    x, w = np.polynomial.legendre.leggauss(400)
    u = 40 * x  # t = e^u
    laplace = np.exp(-(n / 2 * np.log1p(2 * np.exp(u)[:, None] * a)).sum(1))
    inner = float(40 * w @ ((1 - laplace) * np.exp(-u / 2)))
    tail = 2 * np.exp(-20.0) + float((a * n).sum()) * 2 * np.exp(-20.0)
    return (inner + tail) / (2 * np.sqrt(np.pi))


def survival(x: float, a: float, b: float, s: int, q: int, nodes: int = 80) -> float:
    """Pr[aZ + bZ_1 > x] for independent Z ~ χ²_s and Z_1 ~ χ²_q."""
    if b <= 0:
        return float(stats.chi2.sf(x / a, s))
    if a <= 0:
        return float(stats.chi2.sf(x / b, q))
    u, w = np.polynomial.legendre.leggauss(nodes)
    # Z = (x/a) sin²θ, so that neither end is singular
    theta = np.pi / 4 * (u + 1)
    z = x / a * np.sin(theta) ** 2
    jacobian = x / a * np.sin(2 * theta) * np.pi / 4
    within = stats.chi2.pdf(z, s) * stats.chi2.sf((x - a * z) / b, q)
    return float(stats.chi2.sf(x / a, s) + w @ (within * jacobian))


def cka(a: ArrayLike, b: ArrayLike) -> float:
    """Linear CKA of two diagonal representations of white features, squared weights a, b (Y4)."""
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return float((x * y).sum() / np.sqrt((x**2).sum() * (y**2).sum()))


def cka_of_mixtures(T: float, other: float, s: int, q: int) -> float:
    """CKA on the target task of the optima of T and of ``other`` tasks, with the target (Y4)."""
    top = s + q / (T * other)
    return float(top / np.sqrt((s + q / T**2) * (s + q / other**2)))


def cka_of_features(X: Array, Y: Array) -> float:
    """Linear CKA of two feature matrices (n, k) and (n, k')."""
    X, Y = X - X.mean(0), Y - Y.mean(0)
    cross = np.linalg.norm(Y.T @ X) ** 2
    return float(cross / (np.linalg.norm(X.T @ X) * np.linalg.norm(Y.T @ Y)))


def after_regularisation(T: float, gamma: float, s: int) -> float:
    """β = min(1, 1/√T + γ/√s)² of Proposition F.9, from the diagonal W*."""
    return float(min(1.0, 1 / np.sqrt(T) + gamma / np.sqrt(s)) ** 2)


def after_from_superposed(T: float, gamma: float, s: int) -> float:
    """The same from the superposed W* of Y3, where a row has room on the unit sphere only."""
    angle = np.arccos(1 / np.sqrt(T)) - 2 * np.arcsin(gamma / (2 * np.sqrt(s)))
    return float(np.cos(max(angle, 0.0)) ** 2)


def superposed(s: int, q: int, T: int) -> Array:
    """A: W* = A M^-1 of rank r: all P_t share the same q outputs, scaled by 1/√T (Y3): (r, k)."""
    shared = np.hstack([np.eye(s), np.zeros((s, T * q))])
    private = np.hstack([np.zeros((q, s))] + [np.eye(q) / np.sqrt(T)] * T)
    return np.vstack([shared, private])


def diagonal(s: int, q: int, T: int) -> Array:
    """A: the optimum that Proposition F.8 prints, diag(1 on S, 1/√T elsewhere): (k, k)."""
    return np.diag(np.r_[np.ones(s), np.full(T * q, 1 / np.sqrt(T))])
