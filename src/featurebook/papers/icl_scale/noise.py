"""What label noise and flipped labels do to models of different rank: exact corollaries, ours.

`lam` are the eigenvalues of Λ, `v` the diagonal of V* as in `regression`. A label is flipped with
probability p, independently, or exactly p M of the M labels are (the protocol of the experiments).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from featurebook.papers.icl_scale.regression import Array, optimum

FLIP_MODES = ("exact", "independent")


def sensitivity(lam: Array, v: Array, M: int) -> float:
    """∂ℒ/∂σ² = tr((V*)² D²)/M: grows with the rank, whatever the task."""
    return float((v**2 * lam**2).sum()) / M


def curvature(p: float, mode: str) -> float:
    """The factor c of ‖s‖² in `flip_risk`: 2 - q² for independent flips, 1 for an exact count.

    Raises:
        ValueError: for a mode that is not one of `FLIP_MODES`.
    """
    if mode not in FLIP_MODES:
        raise ValueError(f"mode {mode!r}: must be one of {', '.join(FLIP_MODES)}")
    return 1.0 if mode == "exact" else 2 - (1 - 2 * p) ** 2


def flip_risk(
    w: ArrayLike, lam: Array, v: Array, M: int, sigma: float, p: float, mode: str
) -> float:
    """ℒ_p: the risk of Theorem 5.4.2 with a share p of the labels flipped. p = 0 is the theorem."""
    energy = np.asarray(w, dtype=float) ** 2
    return float(_flipped(energy, lam, v, M, sigma, p, mode).sum())


def mean_flip_risk(
    lam: Array, v: Array, M: int, sigma: float, p: float, mode: str = "exact"
) -> float:
    """`flip_risk` averaged over tasks w ~ N(0, I)."""
    return float(_flipped(np.ones_like(lam), lam, v, M, sigma, p, mode).sum())


def _flipped(
    energy: Array, lam: Array, v: Array, M: int, sigma: float, p: float, mode: str
) -> Array:
    """What each direction adds to the risk; it is linear in w_i², so averaging over w is easy."""
    q = 1 - 2 * p
    total = (energy * lam).sum() + sigma**2
    spread = curvature(p, mode) * energy * v**2 * lam**3 + total * v**2 * lam**2
    return spread / M + energy * lam * (q * lam * v - 1) ** 2


def helps(lam: Array, N: int, M: int, sigma: float) -> Array:
    """For each direction i, whether covering it lowers the risk averaged over w ~ N(0, I).

    N ((λ_i + tr D + σ²)/M + λ_i) < 2 ((N+1) λ_i + tr D); monotone in λ_i.
    """
    trace = lam.sum()
    return N * ((lam + trace + sigma**2) / M + lam) < 2 * ((N + 1) * lam + trace)


def best_rank(lam: Array, N: int, M: int, sigma: float) -> int:
    """The rank with the least average risk, by trying all of 0..d; the smallest of equal ones."""
    ranks = range(len(lam) + 1)
    return int(np.argmin([mean_flip_risk(lam, optimum(lam, N, r), M, sigma, 0.0) for r in ranks]))


def crossing(lam: Array, N: int, M: int, sigma: float, r: int, r2: int, mode: str) -> float:
    """The flip rate at which rank r2 > r begins to be worse than rank r on average over tasks.

    0 where it is worse from the start, NaN where it never is.
    """
    small, large = optimum(lam, N, r), optimum(lam, N, r2)

    def difference(p: float) -> float:
        return mean_flip_risk(lam, large, M, sigma, p, mode) - mean_flip_risk(
            lam, small, M, sigma, p, mode
        )

    if difference(0.0) >= 0:
        return 0.0
    return float(brentq(difference, 0.0, 1.0, xtol=1e-13)) if difference(1.0) > 0 else np.nan


def sign_accuracy(b: Array, w: Array, lam: Array, v: Array) -> Array:
    """P(sign ŷ_q = sign <w, x_q>) given the context's b, over the query; b and w are (..., d).

    1 - arccos(ρ)/π with the correlation ρ of two Gaussians. A prediction of exactly 0 counts half.
    """
    u = b * v
    norm = np.sqrt((u**2 * lam).sum(-1) * (w**2 * lam).sum(-1))
    rho = (u * lam * w).sum(-1) / np.where(norm > 0, norm, 1.0)
    return 1 - np.arccos(np.clip(rho, -1, 1)) / np.pi


def contexts(
    lam: Array, M: int, sigma: float, flips: int, draws: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Tasks w ~ N(0, I) and b = Σ y_i x_i / M, the first ``flips`` labels negated: (draws, d)."""
    w = rng.normal(size=(draws, len(lam)))
    x = rng.normal(size=(draws, M, len(lam))) * np.sqrt(lam)
    y = np.einsum("nmd,nd->nm", x, w) + sigma * rng.normal(size=(draws, M))
    y[:, :flips] *= -1
    return w, np.einsum("nm,nmd->nd", y, x) / M
