"""Closed forms: the maximum margin, the regularised minimum, counts of neurons."""

import math
from fractions import Fraction
from math import comb, factorial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar


def gamma(k: int, p: int) -> float:
    """γ*, the maximum L_{2,k+1} margin for odd p as printed in Theorem 4.9."""
    return 2 * factorial(k) / ((2 * k + 2) ** ((k + 1) / 2) * (p - 1) * p ** ((k - 1) / 2))


def gamma_squared(k: int, p: int) -> Fraction:
    """γ*², a fraction."""
    return Fraction(4 * factorial(k) ** 2, (2 * k + 2) ** (k + 1) * (p - 1) ** 2 * p ** (k - 1))


def gamma_even(k: int, p: int) -> float:
    """The maximum margin for even p (ours)."""
    return factorial(k) / ((k + 1) ** ((k + 1) / 2) * p ** ((k - 1) / 2) * even_weight(k, p))


def even_weight(k: int, p: int) -> float:
    """D = (p - 2) 2^{(k-1)/2} + 1, of the class weights for even p."""
    return (p - 2) * 2 ** ((k - 1) / 2) + 1


def even_class_weights(k: int, p: int) -> np.ndarray:
    """τ by offset, (p,): zero at 0, 1/D at odd offsets, (2·2^{(k-1)/2} - 1)/D at even ones."""
    tau = np.where(np.arange(p) % 2 == 1, 1.0, 2 * 2 ** ((k - 1) / 2) - 1) / even_weight(k, p)
    tau[0] = 0.0
    return tau


def largest_margin(k: int, p: int) -> float:
    """γ* for any p: the printed formula for odd p, ours for even p."""
    return gamma(k, p) if p % 2 else gamma_even(k, p)


def amplitude(k: int, p: int) -> float:
    """β = √(2/((k+1)p)) of a cosine neuron of norm 1."""
    return math.sqrt(2 / ((k + 1) * p))


def flawed_efficiency(flaw: str, t: ArrayLike, k: int) -> NDArray[np.float64]:
    """What a flaw of size t in [0, 1] (`single.flawed_neuron`) leaves of a neuron's efficiency."""
    t = np.asarray(t, dtype=float)
    if flaw == "phase":
        return np.cos(t * np.pi / 2)
    if flaw == "scale":
        return (1 + t) * ((k + 1) / (k + (1 + t) ** 2)) ** ((k + 1) / 2)
    return (1 - t / 2) ** ((k + 1) / 2) + (t / 2) ** ((k + 1) / 2)


def printed_width(k: int, p: int) -> int:
    """2^{2k-1} (p - 1)/2, the width of Theorem 4.9."""
    return 2 ** (2 * k - 1) * (p - 1) // 2


def sign_sum(k: int) -> int:
    """Σ_j (-1)^j C(k, j) (k - 2j)^k, which the proof of Lemma C.16 needs to be 2^k k!."""
    return sum((-1) ** j * comb(k, j) * (k - 2 * j) ** k for j in range(k + 1))


def loss_bound(k: int, p: int, rho: float, reg: float, r: float) -> float:
    """log(1 + (p-1) e^{-γρ^{k+1}}) + λρ^r: no network of norm ρ has a smaller regularised loss."""
    return math.log1p((p - 1) * math.exp(-gamma(k, p) * rho ** (k + 1))) + reg * rho**r


def critical_penalty(k: int, p: int) -> float:
    """λ at and above which the minimiser with r = k + 1 is zero: γ*(p - 1)/p."""
    return gamma(k, p) * (p - 1) / p


def minimum(k: int, p: int, reg: float) -> tuple[float, float]:
    """Norm ρ and loss of the global minimum with penalty λ‖θ‖^{k+1}, in closed form."""
    g = gamma(k, p)
    if reg >= critical_penalty(k, p):
        return 0.0, math.log(p)
    decay = math.log((p - 1) * (g / reg - 1))  # γ ρ^{k+1}
    return (decay / g) ** (1 / (k + 1)), -math.log(1 - reg / g) + reg * decay / g


def minimum_by_search(k: int, p: int, reg: float, r: float) -> tuple[float, float]:
    """The same for any power r, by a search over ρ; zero where zero is the minimum."""
    top = (40 / gamma(k, p)) ** (1 / (k + 1))
    grid = np.linspace(0, top, 400)
    losses = [loss_bound(k, p, x, reg, r) for x in grid]
    i = int(np.argmin(losses))
    if i == 0:
        return 0.0, losses[0]
    found = minimize_scalar(
        lambda x: loss_bound(k, p, x, reg, r),
        bounds=(grid[i - 1], grid[min(i + 1, 399)]), method="bounded", options={"xatol": 1e-10},
    )  # fmt: skip
    return float(found.x), float(found.fun)


def mean_largest_share(p: int) -> float:
    """Mean largest share of power at initialisation, over n = (p-1)/2 frequencies: H_n/n."""
    n = (p - 1) // 2
    return sum(1 / i for i in range(1, n + 1)) / n
