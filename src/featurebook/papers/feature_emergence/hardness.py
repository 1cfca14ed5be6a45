"""What fixed features and statistical queries cannot do, where everything can be computed."""

import itertools
import math

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import optimize
from torch import Tensor

from featurebook.papers.feature_emergence.data import Distribution
from featurebook.papers.feature_emergence.exact import NODES, REACH

Array = NDArray[np.float64]
LARGEST = 6
"""Weights of halfspaces of at most five bits need not be larger."""


def walsh_hadamard(values: Tensor) -> Tensor:
    """Fourier coefficients E[f(z) prod_{j in A} z_j] of functions on {+-1}^D, (2^D, N) -> same.

    Row index: bit j of the row number is 1 where z_j = -1; the coefficient of A is in the row
    whose bits are A.
    """
    size = values.shape[0]
    if size & (size - 1):
        raise ValueError(f"{size} rows: needs a power of two")
    out, h = values.clone(), 1
    while h < size:
        pairs = out.view(size // (2 * h), 2, h, *values.shape[1:])
        out = torch.cat([pairs[:, :1] + pairs[:, 1:], pairs[:, :1] - pairs[:, 1:]], dim=1)
        out = out.reshape(values.shape)
        h *= 2
    return out / size


def cube(D: int) -> Tensor:
    """All points of {+-1}^D in the order of `walsh_hadamard`, float64 (2^D, D)."""
    bits = (torch.arange(2**D)[:, None] >> torch.arange(D)) & 1
    return 1.0 - 2.0 * bits.double()


def degree(D: int) -> Tensor:
    """|A| for every row of `walsh_hadamard`, (2^D,)."""
    return ((torch.arange(2**D)[:, None] >> torch.arange(D)) & 1).sum(1)


def parity_coefficients(q: Tensor, b: Tensor, k: int) -> Tensor:
    """E[sigma(<q, z> + b) prod_{j <= k} z_j] for uniform z in {+-1}^D and N truncated ReLUs, (N,).

    Fix z_1..z_k; the rest of the sum has characteristic function prod cos(t q_l). As E y = 0,
    E[y sigma(Z)] = 1/pi int_0^inf Im[(1 - e^{-it}) / (it) E[y e^{itZ}]] dt / t.

    Args:
        q: (N, D), for z = +-1.
        b: (N,).
    """
    width = REACH / q[:, k:].norm(dim=1) / NODES  # (N,)
    t = width[:, None] * (torch.arange(NODES, dtype=torch.float64) + 0.5)  # (N, t)
    rest = torch.cos(t[:, :, None] * q[:, None, k:]).prod(2)
    # sum over the 2^k signs of y e^{it <q_A, z_A>} / 2^k = prod_{j in A} i sin(t q_j)
    signed = (1j * torch.sin(t[:, :, None] * q[:, None, :k])).prod(2)
    it = 1j * t
    integrand = (1 - torch.exp(-it)) / (it * t) * torch.exp(it * b[:, None]) * rest * signed
    return integrand.imag.sum(1) * width / math.pi


def printed_bound(N: int, B: float, k: int) -> float:
    """1 - sqrt(2 N) B / 2^k, the factor of p_o in Theorem 2 (root read as sqrt(2N) B)."""
    return 1 - math.sqrt(2 * N) * B / 2**k


def parseval_bound(N: int, B: float, D: int, k: int, p: float = 0.5) -> float:
    """1 - B sqrt(N / (binom(D, k) (4 p (1 - p))^k)): what Bessel's inequality gives."""
    return 1 - B * math.sqrt(N / (math.comb(D, k) * (4 * p * (1 - p)) ** k))


def least_hinge(dist: Distribution, degree: int) -> float:
    """The least hinge loss of a polynomial of degree at most ``degree`` in the bits of A.

    Exact, a linear program over the 2^k states. The background is left out; where it is independent
    of A, averaging over it shows that it cannot help (the hinge loss is convex).
    """
    bits, laws = dist.states()
    weights = torch.tensor([c.weight for c in dist.components], dtype=torch.float64)
    p = (weights @ laws).numpy()
    y = dist.labels[bits.sum(1).long()].numpy()
    subsets = [s for r in range(degree + 1) for s in itertools.combinations(range(dist.k), r)]
    monomials = np.stack([bits[:, list(s)].prod(1).numpy() for s in subsets], axis=1)
    n, f = monomials.shape
    # minimise p . slack  subject to  slack >= 1 - y (monomials w), slack >= 0
    upper = np.hstack([-y[:, None] * monomials, -np.eye(n)])
    found = optimize.linprog(
        np.concatenate([np.zeros(f), p]), A_ub=upper, b_ub=-np.ones(n),
        bounds=[(None, None)] * f + [(0, None)] * n, method="highs",
    )  # fmt: skip
    return float(found.fun)


def best_halfspace(dist: Distribution) -> float:
    """The best accuracy of a linear threshold of the bits of A, by trying them all.

    A halfspace of bits has whole weights of size at most (k + 1)^((k + 1) / 2) / 2^k (Muroga): 6
    for k = 5. Permuting the bits of A changes nothing, so ascending weights are enough. Without
    rounding where all probabilities are multiples of a small power of 2, as in the parity mixture
    with p_o = 1/2.
    """
    if dist.k > 5:
        raise ValueError(f"k = {dist.k}: needs k <= 5")
    bits, laws = dist.states()
    mix = torch.tensor([c.weight for c in dist.components], dtype=torch.float64)
    signed = (mix @ laws * dist.labels[bits.sum(1).long()]).numpy()  # y times probability
    weights = itertools.combinations_with_replacement(range(-LARGEST, LARGEST + 1), dist.k)
    sums = np.array(list(weights)) @ bits.numpy().T.astype(int)  # (weights, 2^k)
    order = np.argsort(sums, axis=1)
    sums = np.take_along_axis(sums, order, 1)
    above = signed[order][:, ::-1].cumsum(1)[:, ::-1]  # E[y 1[sum >= this]], where a cut can be
    above = above[np.diff(sums, axis=1, prepend=-np.inf) > 0]
    # accuracy of "+1 iff sum >= c" is Pr[y = -1] + E[y 1[sum >= c]]; with c = inf the latter is 0
    return float(-signed[signed < 0].sum() + max(above.max(), 0.0))


def threshold_accuracies(dist: Distribution) -> Array:
    """Accuracy of "+1 iff s >= r" for r = 0, ..., k + 1, better of the rule and its opposite."""
    p, y = dist.counts.numpy(), dist.labels.numpy()
    s = np.arange(dist.k + 1)
    right = np.array([(p * (np.where(s >= r, 1, -1) == y)).sum() for r in range(dist.k + 2)])
    return np.maximum(right, 1 - right)


def staircase(dist: Distribution) -> Array:
    """Accuracies below 1, from the majority class up, at which a function of s gets stuck: those of
    the thresholds, and of the functions that are wrong at one count between 0 and k."""
    p = dist.counts.numpy()
    levels = np.concatenate([threshold_accuracies(dist), 1 - p[1:-1]])
    majority = (1 + abs(dist.mean_label)) / 2
    return np.unique(levels[(levels > majority - 1e-9) & (levels < 1 - 1e-9)].round(9))


def hinge_losses(W: Tensor, b: Tensor, a: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Hinge loss of sum_i a_i sigma(<w_i, x> + b_i) at every sample x (n, D), labels y (n,)."""
    return (1 - y * ((x @ W.T + b).clamp(0, 1) @ a)).clamp(min=0)


def regret(x: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Both sides of Theorem 27 for f_t = |<u_t, theta> - v_t|.

    Args:
        x: u (T, n), v (T,), the start theta (n,), its rival best (n,), and log_eta, whose
            tanh gives step sizes from e^-5 to e^5.
    """
    eta, theta = (5 * torch.tanh(x["log_eta"])).exp(), x["theta"]
    losses, sizes = [], []
    for u, v in zip(x["u"], x["v"], strict=True):
        losses.append((u @ theta - v).abs())
        slope = torch.sign(u @ theta - v) * u
        sizes.append(slope.norm())
        theta = theta - eta * slope
    lengths, T = torch.stack(sizes), len(losses)
    rival = (x["u"] @ x["best"] - x["v"]).abs().mean() + x["best"].square().sum() / (2 * eta * T)
    bound = rival + x["theta"].norm() * lengths.mean() + eta * lengths.square().mean()
    return torch.stack(losses).mean(), bound
