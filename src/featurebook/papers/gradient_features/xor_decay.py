"""How likely an XOR feature is in dimension d, by quadrature instead of random neurons.

By rotation a neuron w ~ N(0, I) enters only through u_1 = ⟨w, D_1⟩, u_3 = ⟨w, D_3⟩ and the norm of
the rest, whose square is chi-squared with d - 2 degrees of freedom.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr

from featurebook.papers.gradient_features.maps import phi

Array = NDArray[np.float64]


def components(u1: Array, u3: Array, rest: Array, d: float, b: float, sigma: float) -> Array:
    """⟨G, D_1⟩, ⟨G, D_3⟩ and the rest of G along w_⊥, stacked: (3, ...).

    The XOR mixture of Assumption B.36, ‖μ‖ = √d; ``rest`` is ‖w_⊥‖ and b the bias over σ_w.
    """
    size = np.sqrt(u1**2 + u3**2 + rest**2)
    root = np.sqrt(d)
    z = [(s * root * u - b) / (sigma * size) for u in (u1, u3) for s in (1, -1)]
    along = sigma / 4 * (phi(z[0]) + phi(z[1]) - phi(z[2]) - phi(z[3])) / size
    first = root / 4 * (ndtr(z[0]) - ndtr(z[1])) + along * u1
    third = -root / 4 * (ndtr(z[2]) - ndtr(z[3])) + along * u3
    return np.stack([first, third, along * rest])


def grid(d: float, nodes: int = 3) -> tuple[Array, Array, Array, Array]:
    """u_1, u_3 > 0 and ‖w_⊥‖ on a grid, and the probability of its cells, each (n1, n3, nodes)."""
    e1 = np.linspace(0, 7, 211)
    e3 = np.concatenate([[0], np.geomspace(1e-10, 7, 420)])
    x, weight = np.polynomial.legendre.leggauss(nodes)
    half = stats.chi2(d - 2).ppf((x + 1) / 2) if d < 1e7 else d - 2 + np.sqrt(
        2 * (d - 2)
    ) * stats.norm.ppf((x + 1) / 2)  # fmt: skip
    u1, u3, rest = np.meshgrid(
        (e1[1:] + e1[:-1]) / 2, (e3[1:] + e3[:-1]) / 2, np.sqrt(half), indexing="ij"
    )
    mass = np.diff(ndtr(e1))[:, None, None] * np.diff(ndtr(e3))[None, :, None] * weight / 2
    return u1, u3, rest, mass


def decay(
    d: float, *, b: float | None = None, gamma: float | None = None, sigma: float = 1.0
) -> dict[str, float]:
    """Probabilities over w of the events in Lemma B.37, at σ_B = ``sigma`` and τ = 1.

    Args:
        b: bias over σ_w; √(d log log d)·σ_B by default, as the lemma has it.
        gamma: opening of the cone; σ_B/√d by default.

    Returns:
        ``p``: G in the cone of D_1, of either sign, with norm at least √d/5 (Lemma B.41);
        ``sure``: the set of Lemma B.37, ⟨w, μ_1⟩ >= 6b/5, |⟨w, μ_3⟩| <= √2 b/√(log log d);
        ``share``: of the sure set in the cone; ``third``: median of |⟨G, D_3⟩| on the sure set.
    """
    root = np.sqrt(d)
    lll = np.log(np.log(d))
    b = root * np.sqrt(lll) * sigma if b is None else b
    gamma = sigma / root if gamma is None else gamma
    u1, u3, rest, mass = grid(d)
    first, third, other = components(u1, u3, rest, d, b, sigma)
    size = np.sqrt(first**2 + third**2 + other**2)
    hit = (np.abs(first) > (1 - gamma) * size) & (size >= root / 5)
    sure = (u1 * root >= 1.2 * b) & (u3 * root <= np.sqrt(2) * b / np.sqrt(lll))
    order = np.argsort(np.abs(third[sure]))
    cumulative = np.cumsum(mass[sure][order])
    middle = np.searchsorted(cumulative, cumulative[-1] / 2)
    return {
        "p": 4 * float(mass[hit].sum()),
        "sure": 2 * float(mass[sure].sum()),
        "share": float(mass[sure & (np.abs(first) > (1 - gamma) * size)].sum() / mass[sure].sum()),
        "third": float(np.abs(third[sure])[order][middle]),
    }


def law_sides(x: Array) -> tuple[Array, Array]:
    """Both inequalities of 0.04 <= p d^{1/4} <= 0.11 at d = 10^x (Lemma B.37, corrected)."""
    d = 10.0 ** float(x[0])
    scaled = decay(d)["p"] * d**0.25
    return np.array([0.04, scaled]), np.array([scaled, 0.11])


def claimed(d: float, sigma: float = 1.0) -> float:
    """p of Lemma B.37 at τ = 1, without its constant: 1/(√(log log d) σ (log d)^{18σ²/25})."""
    log = np.log(d)
    return float(1 / (np.sqrt(np.log(log)) * sigma * log ** (18 * sigma**2 / 25)))
