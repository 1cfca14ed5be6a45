"""Linear models on fixed features against biased parities with k bits (Proposition 3.23)."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def linear_floor(
    features: Array, X: Array, k: int, B: float, steps: int = 2000
) -> tuple[float, float]:
    """½ - (B/2)‖E[χ_A Ψ]‖ for the A of k bits that Ψ sees least, and the least loss found.

    The data have p_A = ¼, p_o = ½: half of the mass is uniform, the other half has all bits of A
    equal. The hinge loss over ‖w‖ <= B is minimised by projected subgradient steps, so that what is
    found is at least the true minimum.

    Args:
        features: Ψ at all inputs, (2^d, N), bounded by 1.
        X: the inputs, (2^d, d) of ±1.
    """
    sets = [list(c) for c in combinations(range(X.shape[1]), k)]
    seen = [np.linalg.norm(X[:, c].prod(1) @ features / len(X)) for c in sets]
    A = sets[int(np.argmin(seen))]
    y, equal = X[:, A].prod(1), np.abs(X[:, A].sum(1)) == k
    chance = 0.5 / len(X) + 0.5 * equal / equal.sum()
    w, best = np.zeros(features.shape[1]), 1.0
    for t in range(steps):
        slack = 1 - y * (features @ w)
        best = min(best, float(chance @ np.maximum(slack, 0)))
        w = w + B / (1 + t) ** 0.5 * ((chance * y * (slack > 0)) @ features)
        w = w * min(1.0, B / max(float(np.linalg.norm(w)), 1e-300))
    return 0.5 - B / 2 * float(min(seen)), best
