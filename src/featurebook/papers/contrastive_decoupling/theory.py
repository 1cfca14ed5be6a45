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

from featurebook.verdicts import Verdict, shown, trend

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


def worst_pull_error(pull: Tensor, M: Tensor, p: float) -> Tensor:
    """Largest error of Lemma C.2 over ‖w‖ = 1, for each direction of a basis, (d_1,), float64.

    For an atom v = M_j that is sup |⟨w, pull v⟩ - p⟨w, v⟩|, for the dense directions (last)
    sup |⟨w, pull v⟩|: the norms of what stands beside w.
    """
    M, d = M.double(), M.shape[1]
    dense = torch.linalg.qr(M, mode="complete")[0][:, d:]
    return torch.cat([pull @ M - p * M, pull @ dense], 1).norm(dim=0)


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


GAMMA, C0 = 0.01, 0.01
"""γ < 1/100 and c_0, with m = d^(1 + c_0)."""


def luck(gamma: float, c0: float) -> tuple[float, float]:
    """c_1 = 2 + 2 (1 - γ) c_0 and c_2 = c_1 - γ c_0 of Definition B.1."""
    c1 = 2 + 2 * (1 - gamma) * c0
    return c1, c1 - gamma * c0


def share_window(gamma: ArrayLike, c0: ArrayLike) -> tuple[Array, Array]:
    """Shares s that Theorem C.1 (b) needs at least and (c) at most, for its c_1 and c_2.

    In stage I all coordinates on M grow alike, so a borderline lucky neuron has
    ⟨w, M_j⟩² = c_1 s (log d / d)‖w‖², a borderline unlucky one c_2 s (log d / d)‖w‖².
    """
    x, c0 = np.asarray(gamma) * np.asarray(c0), np.asarray(c0)
    c1 = 2 + 2 * c0 - 2 * x
    return 2 * (1 + x) ** 2 / c1, 2 * (1 - x) ** 2 / (c1 - x)


def log_large_fraction(root: ArrayLike, share: ArrayLike) -> Array:
    """log of the fraction of coordinates of at least log^(1/4) d, over ‖w‖/√d, at a given share.

    2 Q(sqrt(root / share)) for coordinates √share Z, where root = sqrt(log d).
    """
    level = np.sqrt(np.asarray(root, dtype=float) / np.asarray(share, dtype=float))
    return math.log(2) + special.log_ndtr(-level)


def log_lucky(log_d: ArrayLike, c: float, c0: float = 0.01) -> Array:
    """log E|{i : ⟨w_i, M_j⟩² >= (c log d / d)‖M Mᵀ w_i‖²}| for m = d^(1 + c_0) Gaussian neurons.

    Exact by the Beta(1/2, (d-1)/2) law up to d = 10⁶, by the Gaussian tail beyond.
    """
    log_d = np.atleast_1d(np.asarray(log_d, dtype=float))
    small = np.minimum(log_d, math.log(1e6))
    d = np.exp(small)
    exact = stats.beta.logsf(c * small / d, 0.5, (d - 1) / 2)
    gaussian = math.log(2) + special.log_ndtr(-np.sqrt(c * log_d))
    return (1 + c0) * log_d + np.where(log_d <= math.log(1e6), exact, gaussian)


def bites(
    log_d: ArrayLike,
    satisfied: ArrayLike,
    *,
    reachable: float = math.log(1e6),
    what: str,
) -> Verdict:
    """A statement for d → ∞ whose truth at each d is a closed form: from what size is it true?

    Holds if it is true at every reachable size, vacuous if it becomes true for good at a size that
    no computer reaches, open if it is true at no size listed.

    Args:
        log_d: increasing sizes, as logarithms.
        satisfied: whether the statement is true there.
        reachable: log of the largest d that could be run.
    """
    sizes, ok = np.asarray(log_d, dtype=float), np.asarray(satisfied, dtype=bool)
    numbers = {"log_d_largest": float(sizes[-1])}
    if not ok[-1]:
        return Verdict(
            "",
            "open",
            f"{what}: still false at log d = {sizes[-1]:.3g}",
            numbers,
            len(ok),
        )
    first = 0 if ok.all() else int(np.flatnonzero(~ok)[-1]) + 1
    numbers["log_d_from"] = float(sizes[first])
    if sizes[first] <= reachable:
        sentence = f"{what}: true from d = {math.exp(sizes[first]):.3g} on"
        return Verdict("", "holds", sentence, numbers, len(ok))
    sentence = (
        f"{what}: true only from log d = {sizes[first]:.3g} on; "
        f"the largest d that could be run has log d = {reachable:.3g}"
    )
    return Verdict("", "vacuous", sentence, numbers, len(ok))


def above(differences: ArrayLike, *, what: str, least: float = 0.0) -> Verdict:
    """An ordering that a paper reports of its experiments, in experiments like them.

    A trend if the 95% interval of the mean difference lies above ``least``, else open:
    other data and networks cannot refute it. The law that it excludes is no difference, or one of
    ``least`` and no more.

    Args:
        differences: one per seed, larger less smaller as the paper has them; at least two.
    """
    rival = {f"at most {shown(least)}" if least else "no difference": least}
    return trend(differences, expected=(least, math.inf), rival=rival, what=what)


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


def gated_noise(w: Tensor, v: Tensor, b: float, Mz: Tensor, keep: Tensor, sigma: float) -> Tensor:
    """E[1(|⟨w, x⁺⟩| >= b) ⟨2Dξ, v⟩ | z, D], (n,); the exact form behind Lemma D.4.

    4σ²⟨Dw, v⟩/s [φ((b - a)/s) - φ((b + a)/s)] with a = ⟨w, 2DMz⟩ and s = 2σ‖Dw‖; 0 where Dw = 0.

    Args:
        w, v: (d_1,), float64.
        Mz: (n, d_1) signals, keep: (n, d_1) the diagonals of D (0 or 1).
    """
    Dw = keep * w
    a, s = 2 * (Dw * Mz).sum(1), _spread(Dw, sigma)
    edge = normal_density((b - a) / s) - normal_density((b + a) / s)
    return 4 * sigma**2 * (Dw @ v) / s * edge


def masked_noise_push(
    w: Tensor, v: Tensor, b: float, Mz: Tensor, keep: Tensor, sigma: float
) -> Tensor:
    """E[h(x⁺⁺) 1(|⟨w, x⁺⟩| >= b) ⟨2Dξ, v⟩ | z, D], (n,); arguments as for `gated_noise`.

    Given (z, D) the halves of ξ are independent: the mean of h times `gated_noise`.
    """
    Ew = (1 - keep) * w
    other = mean_soft_threshold(2 * (Ew * Mz).sum(1), _spread(Ew, sigma), b)
    return other * gated_noise(w, v, b, Mz, keep, sigma)


def _spread(half: Tensor, sigma: float) -> Tensor:
    """2σ‖Dw‖, the standard deviation of ⟨2Dξ, w⟩, (n,); tiny and not 0 where Dw = 0."""
    return (2 * sigma * half.norm(dim=1)).clamp_min(torch.finfo(half.dtype).tiny)


def plain_noise_push(w: Tensor, v: Tensor, b: float, Mz: Tensor, sigma: float) -> Tensor:
    """E[h(x) ⟨ξ, v⟩ | z], (n,) without augmentation: σ²⟨w, v⟩ Pr(|⟨w, x⟩| >= b | z) (Stein)."""
    a, s = Mz @ w, sigma * w.norm()
    return sigma**2 * (w @ v) * (normal_tail((b - a) / s) + normal_tail((b + a) / s))


def masked_firing(w: Tensor, b: float, Mz: Tensor, keep: Tensor, sigma: float) -> Tensor:
    """Pr(|⟨w, x⁺⟩| >= b | z, D), (n,); arguments as for `gated_noise`."""
    Dw = keep * w
    a, s = 2 * (Dw * Mz).sum(1), _spread(Dw, sigma)
    return normal_tail((b - a) / s) + normal_tail((b + a) / s)


def wide_push(alpha: Tensor, b: float, sigma: float) -> Tensor:
    """Lemmas A.3 and D.3 (b) over p as d_1 → ∞ with d fixed, for w = α M_j + sqrt(1 - α²) v.

    The two views are then independent given z_j, ⟨w, x^±⟩ ~ N(α z_j, 2σ²), and ᾱ = 0.

    Args:
        alpha: (k,), float64, above b.

    Returns:
        (4, k): distance of the push from the sketch's main term α Pr(|⟨w, x⟩| >= b) and from
        (α - b) q; the error that D.3 (b) allows, with constants 1; its main term (α - b) q.
    """
    sd = math.sqrt(2) * sigma
    low, high = b - alpha, b + alpha
    fires = normal_tail(low / sd) + normal_tail(high / sd)
    fires_x = normal_tail(low / sigma) + normal_tail(high / sigma)
    push = mean_soft_threshold(alpha, torch.tensor(sd, dtype=alpha.dtype), b) * fires
    q = normal_tail(low / sd) ** 2 + normal_tail(high / sd) ** 2
    t = (alpha - b) / (2 * sigma)  # of A_3 and A_4, in units of σ
    square = 2 * (t * normal_density(t) + normal_tail(t)) + normal_tail(t)
    allowed = alpha * (square.sqrt() + 2 * normal_tail(t))
    main = (alpha - b) * q
    return torch.stack([(push - alpha * fires_x).abs(), (push - main).abs(), allowed, main])


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


# --- what weight decay costs without augmentation -------------------------------------------------


def psi(y: ArrayLike, N: int) -> Array:
    """ψ(y) = y (log N - log(y / (1 - y))): most that Σ_s ℓ_s u_s can be at 1 - ℓ_p = y."""
    y = np.asarray(y, dtype=float)
    return y * (math.log(N) - np.log(y) + np.log1p(-y))


def held_up(u: Tensor) -> tuple[Tensor, Tensor]:
    """Σ_s ℓ_s u_s of one example with similarity gaps u (N,), and ψ(1 - ℓ_p)."""
    log_q = torch.logsumexp(-u, 0)
    y = torch.sigmoid(log_q)
    return y * (torch.softmax(-u, 0) * u).sum(), y * (math.log(len(u)) - log_q)


def balance(f: Tensor, f_n: Tensor) -> dict[str, float]:
    """Of features f (K, m) of positives and f_n (N, m) of negatives, b = 0, no mask, τ = 1.

    Returns:
        "growth" ⟨W, -∇L⟩ = E Σ_s ℓ_s u_s, "missing" E(1 - ℓ_p), "loss".
    """
    gaps = f.square().sum(1, keepdim=True) - f @ f_n.T
    log_q = torch.logsumexp(-gaps.double(), 1)
    y = torch.sigmoid(log_q)
    growth = y * (torch.softmax(-gaps.double(), 1) * gaps).sum(1)
    found = {"growth": growth, "missing": y, "loss": torch.nn.functional.softplus(log_q)}
    return {name: float(value.mean()) for name, value in found.items()}
