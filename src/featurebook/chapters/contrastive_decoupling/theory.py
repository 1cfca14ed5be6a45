"""Closed forms: second moments under a mask, growth rates, tails, bounds. All in float64.

Source: Wen and Li (2021); where a form is sharper than the printed one the docstring says so.
"""

import itertools
import math

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats
from torch import Tensor

from featurebook.verdicts import Verdict, mean_interval

Array = NDArray[np.float64]


# --- the mask -------------------------------------------------------------------------------------


def covariance(M: Tensor, p: float, sigma2: float) -> Tensor:
    """Σ = p M Mᵀ + σ² I (d_1, d_1), float64."""
    P = M.double() @ M.double().T
    return p * P + sigma2 * torch.eye(len(P), dtype=torch.float64)


def decoupled(Sigma: Tensor) -> Tensor:
    """E[x⁺⁺ x⁺ᵀ] = Σ - diag(Σ) under RandomMask, whatever the covariance Σ (sharpens Lemma C.2)."""
    return Sigma - torch.diag(torch.diag(Sigma))


def all_masks(n: int) -> Tensor:
    """The 2ⁿ diagonals of D (2ⁿ, n), float64.

    Raises:
        ValueError: for n > 16.
    """
    if not 1 <= n <= 16:
        raise ValueError(f"n = {n}: all masks are listed for 1 <= n <= 16 only")
    return torch.tensor(list(itertools.product((0.0, 1.0), repeat=n)), dtype=torch.float64)


def mean_moment(Sigma: Tensor, first: Tensor, second: Tensor, weights: Tensor) -> Tensor:
    """E[(A x)(B x)ᵀ] over diagonal A, B: Σ_k weight_k A_k Σ B_k.

    Args:
        Sigma: covariance (n, n) of x.
        first, second: the diagonals of A and B, (k, n).
        weights: probabilities (k,).
    """
    return torch.einsum("k,ki,kj->ij", weights, first, second) * Sigma


def growth_factors(
    d: int, d1: int, p: float, eta: float, lam: float, n_negatives: int
) -> tuple[float, float]:
    """Factors a step of stage I on span(M) and on its complement, for a flat dictionary.

    1 - ηλ + η (1 - 1/|B|) p (1 - d/d_1) and 1 - ηλ - η (1 - 1/|B|) p d/d_1: sharper than Induction
    Hypothesis C.4, whose 1 - ηλ + ηp lacks the two corrections.
    """
    rate = eta * p * (1 - 1 / (n_negatives + 1))
    return 1 - eta * lam + rate * (1 - d / d1), 1 - eta * lam - rate * d / d1


# --- chance ---------------------------------------------------------------------------------------


def share_window(gamma: ArrayLike, c0: ArrayLike) -> tuple[Array, Array]:
    """Shares s that Theorem C.1 (b) needs at least and (c) at most, for its c_1 and c_2.

    In stage I all coordinates on M grow alike, so a borderline lucky neuron has
    ⟨w, M_j⟩² = c_1 s (log d / d)‖w‖², a borderline unlucky one c_2 s (log d / d)‖w‖².
    """
    x, c0 = np.asarray(gamma) * np.asarray(c0), np.asarray(c0)
    c1 = 2 + 2 * c0 - 2 * x
    return 2 * (1 + x) ** 2 / c1, 2 * (1 - x) ** 2 / (c1 - x)


def log_lucky(log_d: ArrayLike, c: float, c0: float = 0.01) -> Array:
    """log E|{i : ⟨w_i, M_j⟩² >= (c log d / d)‖M Mᵀ w_i‖²}| for m = d^(1 + c_0) Gaussian neurons.

    Exact by the Beta(1/2, (d-1)/2) law up to d = 10⁶, by the Gaussian tail beyond.
    """
    log_d = np.atleast_1d(np.asarray(log_d, dtype=float))
    small = np.minimum(log_d, math.log(1e6))
    d = np.exp(small)
    exact = stats.beta.logsf(np.minimum(c * small / d, 1), 0.5, (d - 1) / 2)
    gaussian = math.log(2) + special.log_ndtr(-np.sqrt(c * log_d))
    return (1 + c0) * log_d + np.where(log_d <= math.log(1e6), exact, gaussian)


def bites(
    claim: str,
    log_d: ArrayLike,
    satisfied: ArrayLike,
    *,
    reachable: float = math.log(1e6),
    what: str,
) -> Verdict:
    """A statement for d → ∞ whose truth at each d is a closed form: from what size is it true?

    Holds if it is true at every reachable size, vacuous if it becomes true for good at a size that
    no computer reaches, inconclusive if it is true at no size listed.

    Args:
        log_d: increasing sizes, as logarithms.
        satisfied: whether the statement is true there.
        reachable: log of the largest d that could be run.
    """
    sizes, ok = np.asarray(log_d, dtype=float), np.asarray(satisfied, dtype=bool)
    numbers = {"log_d_largest": float(sizes[-1])}
    if not ok[-1]:
        return Verdict(
            claim,
            "inconclusive",
            f"{what}: still false at log d = {sizes[-1]:.3g}",
            numbers,
            len(ok),
        )
    first = 0 if ok.all() else int(np.flatnonzero(~ok)[-1]) + 1
    numbers["log_d_from"] = float(sizes[first])
    if sizes[first] <= reachable:
        sentence = f"{what}: true from d = {math.exp(sizes[first]):.3g} on"
        return Verdict(claim, "holds", sentence, numbers, len(ok))
    sentence = (
        f"{what}: true only from log d = {sizes[first]:.3g} on; "
        f"the largest d that could be run has log d = {reachable:.3g}"
    )
    return Verdict(claim, "vacuous", sentence, numbers, len(ok))


def above(claim: str, differences: ArrayLike, *, what: str, least: float = 0.0) -> Verdict:
    """An ordering that a paper reports of its experiments, in experiments like them.

    A trend if the 95% interval of the mean difference lies above ``least``, else inconclusive:
    other data and networks cannot refute it.

    Args:
        differences: one a seed, larger less smaller as the paper has them; at least two.
    """
    mean, low, high = mean_interval(differences)
    values = np.asarray(differences, dtype=float)
    return Verdict(
        claim,
        "trend" if low > least else "inconclusive",
        f"{what}: {mean:.3g}, 95% interval [{low:.3g}, {high:.3g}] over {values.size} runs; "
        f"claimed above {least:g}",
        {"mean": mean, "low": low, "high": high, "least": least},
        values.size,
    )


# --- gradients under a bias -----------------------------------------------------------------------


def normal_density(t: Tensor) -> Tensor:
    """The standard normal density φ."""
    return torch.exp(-t.square() / 2) / math.sqrt(2 * math.pi)


def normal_tail(t: Tensor | float) -> Tensor:
    """Pr(Z >= t) of a standard normal Z."""
    return torch.special.ndtr(-torch.as_tensor(t, dtype=torch.float64))


def mean_soft_threshold(a: Tensor, s: Tensor, b: float) -> Tensor:
    """E[S_b(a + s Z)] of a standard normal Z, s > 0."""
    up, down = (a - b) / s, (-a - b) / s
    cdf = torch.special.ndtr
    return (
        (a - b) * cdf(up) + s * normal_density(up) - (-a - b) * cdf(down) - s * normal_density(down)
    )


def masked_noise_push(
    w: Tensor, v: Tensor, b: float, Mz: Tensor, keep: Tensor, sigma: float
) -> Tensor:
    """E[h(x⁺⁺) 1(|⟨w, x⁺⟩| >= b) ⟨2Dξ, v⟩ | z, D], (n,); the exact form behind Lemma D.4.

    Given (z, D) the halves of ξ are independent: the mean of h times Stein's formula.

    Args:
        w, v: (d_1,), float64.
        Mz: (n, d_1) signals, keep: (n, d_1) the diagonals of D (0 or 1).
    """
    Dw, Ew = keep * w, (1 - keep) * w
    a, a_other = 2 * (Dw * Mz).sum(1), 2 * (Ew * Mz).sum(1)
    s, s_other = 2 * sigma * Dw.norm(dim=1), 2 * sigma * Ew.norm(dim=1)
    edge = normal_density((b - a) / s) - normal_density((b + a) / s)
    return mean_soft_threshold(a_other, s_other, b) * 4 * sigma**2 * (Dw @ v) / s * edge


def plain_noise_push(w: Tensor, v: Tensor, b: float, Mz: Tensor, sigma: float) -> Tensor:
    """E[h(x) ⟨ξ, v⟩ | z], (n,) without augmentation: σ²⟨w, v⟩ Pr(|⟨w, x⟩| >= b | z) (Stein)."""
    a, s = Mz @ w, sigma * w.norm()
    return sigma**2 * (w @ v) * (normal_tail((b - a) / s) + normal_tail((b + a) / s))


# --- bounds ---------------------------------------------------------------------------------------


def linear_bound(p: float, sigma2: float) -> float:
    """Largest R² of any linear map of x for y = ⟨w*, z⟩: (p/σ²) / (1 + p/σ²)."""
    return p / (p + sigma2)


def arcsine_accuracy(r2: float) -> float:
    """Accuracy for the sign that goes with R² where prediction and label are jointly Gaussian."""
    return 0.5 + math.asin(math.sqrt(r2)) / math.pi


def loss_floor(d: int, p: float, n_negatives: int) -> float:
    """Lower bound on loss / τ for codes that see x only through z.

    Σ_k Pr(‖z‖_0 = k) E log(1 + Bin(N, (p/2)^k)): a negative that has z_p's support with its signs
    is as similar as the positive. For k = 0 that is every negative: log(1 + N).
    """
    total = 0.0
    for k in range(min(d, 12) + 1):
        q = (p / 2) ** k
        counts = np.arange(n_negatives + 1)
        mean = float(stats.binom.pmf(counts, n_negatives, q) @ np.log1p(counts))
        total += float(stats.binom.pmf(k, d, p)) * mean
    return total


def no_atom(log_d: ArrayLike, C_z: float) -> Array:
    """Pr(z = 0) = (1 - p)^d for any log d; its limit is that of (log d)^-C_z."""
    x = np.asarray(log_d, dtype=float)
    log_p = np.log(C_z * np.log(x)) - x
    log_empty = np.where(
        x < 30, np.exp(np.minimum(x, 30)) * np.log1p(-np.exp(log_p)), -C_z * np.log(x)
    )
    return np.exp(log_empty)


def empty_code_loss(log_d: ArrayLike, C_z: float, power: float = 2.0) -> Array:
    """Pr(z = 0) log(1 + N) for N = d^power and any log d: what z = 0 alone costs, over τ."""
    return no_atom(log_d, C_z) * np.logaddexp(0, power * np.asarray(log_d, dtype=float))


def any_weights_bound(log_d: ArrayLike, C_z: float, power: float = 2.0) -> Array:
    """½ Pr(z = 0) log((N + 1) / 2), N = d^power: below the masked loss / τ whatever the weights.

    Given z = 0 and the mask the two views are independent and symmetric and f is odd, so that
    L >= ½ Pr(z = 0) τ E log(1 + B) with B ~ Bin(N, ½); and E log(1 + B) >= -log E[1 / (1 + B)] by
    Jensen, where E[1 / (1 + B)] = 2 (1 - 2^-(N+1)) / (N + 1).
    """
    x = np.asarray(log_d, dtype=float)
    return 0.5 * no_atom(x, C_z) * (np.logaddexp(0, power * x) - math.log(2))
