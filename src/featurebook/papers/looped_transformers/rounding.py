"""How far a floating-point loop may be from the exact one: bounds from the rounding model.

Every operation is exact up to a factor 1 + δ, |δ| <= u, so that a sum of k products is exact up to
γ_k = k u/(1 - k u) times the sum of absolute values, in whatever order it is added (Higham 2002).
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook.core.spectra import svdvals

Floats = NDArray[np.float64]


def unit_roundoff(dtype: Any) -> float:
    """u = 2⁻⁵³ for float64, 2⁻²⁴ for float32."""
    return float(np.finfo(dtype).eps) / 2


def gamma(k: int, u: float) -> float:
    """γ_k = k u/(1 - k u)."""
    return k * u / (1 - k * u)


def sizes(X: Floats, y: Floats, alpha: float, q: Floats) -> Floats:
    """|q|ᵀ|X|ᵀ|X| + |α| |y|ᵀ|X|: the sum of absolute values behind a layer's output, (d,)."""
    X = np.abs(X)
    return (X @ np.abs(q) + abs(alpha) * np.abs(y)) @ X


def layer_bound(X: Floats, y: Floats, alpha: float, q: Floats, dtype: Any) -> Floats:
    """Bound on the error of each entry of the computed qᵀXᵀX + αyᵀX, (d,).

    d + 1 products in a score, n + 1 in the sum over rows; products by Q, P and M are exact.
    """
    n, d = X.shape
    return gamma(n + d + 2, unit_roundoff(dtype)) * sizes(X, y, alpha, q)


def loop_bound(
    X: Floats, y: Floats, alpha: float, states: Floats, eta: float, dtype: Any
) -> Floats:
    """Bound on ‖q^(t) computed - q^(t) exact‖ for t = 0..T, where all loops have the step η.

    Each loop adds its own rounding and multiplies what came before by max_i |1 - ηλ_i|.

    Args:
        states: the computed q^(0), ..., q^(T), (T + 1, d).
    """
    n, d = X.shape
    u = unit_roundoff(dtype)
    lam = svdvals(X) ** 2
    spread = np.append(lam, 0.0) if n < d else lam
    factor = float(np.abs(1 - eta * spread).max(initial=0.0)) * (1 + 1e-10)
    bounds = [0.0]
    for q, after in pairwise(states):
        fresh = gamma(n + d + 4, u) * eta * sizes(X, y, alpha, q) + u * np.abs(after)
        bounds.append(factor * bounds[-1] + float(np.linalg.norm(fresh)) * (1 + 1e-10))
    return np.array(bounds)
