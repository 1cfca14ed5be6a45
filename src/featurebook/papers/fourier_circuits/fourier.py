"""What a neuron or a network looks like in Fourier space. U (..., m, k, p), W (..., m, p)."""

from math import factorial

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook.papers.fourier_circuits import theory
from featurebook.papers.fourier_circuits.network import norms


def power(x: Tensor) -> Tensor:
    """One-sided power |x̂(ζ)|² for ζ = 0..⌊p/2⌋, (..., ⌊p/2⌋ + 1); a cosine has it in one entry."""
    p = x.shape[-1]
    found = torch.fft.rfft(x).abs().square()
    twice = torch.full(found.shape[-1:], 2.0, dtype=x.dtype)
    twice[0] = 1.0
    if p % 2 == 0:
        twice[-1] = 1.0
    return found * twice


def largest_share(x: Tensor) -> Tensor:
    """Largest share of the power in one frequency ζ ≥ 1, the mean removed, (...)."""
    found = power(x)[..., 1:]
    return found.amax(-1) / found.sum(-1).clamp(min=1e-300)


def frequency(U: Tensor, W: Tensor) -> Tensor:
    """The frequency ζ ≥ 1 with most power in a neuron's k + 1 vectors, (..., m)."""
    return (power(U).sum(-2) + power(W))[..., 1:].argmax(-1) + 1


def evenness(at: Tensor, n: int) -> tuple[NDArray[np.float64], float, int]:
    """Whether neurons spread over the frequencies 1..n as a fair die would; at (R, m).

    Returns the chi-square statistic of the counts of each replica (R,), its 99.99% quantile, and
    how many frequencies have no neuron in some replica.
    """
    counts = torch.nn.functional.one_hot(at - 1, n).sum(-2).numpy()
    statistic = stats.chisquare(counts, axis=-1).statistic
    return statistic, float(stats.chi2.ppf(1 - 1e-4, n - 1)), int((counts == 0).sum())


def margin_transform(U: Tensor, W: Tensor) -> Tensor:
    """η(0) - E_{δ≠0} η(δ) of each neuron by (C.10), (..., m): a sum over Fourier coefficients."""
    k, p = U.shape[-2:]
    term = torch.fft.fft(U).prod(-2) * torch.fft.fft(W).conj()
    return factorial(k) / ((p - 1) * p**k) * term[..., 1:].real.sum(-1)


def efficiency(U: Tensor, W: Tensor) -> Tensor:
    """Class-weighted margin over γ*‖θ_i‖^{k+1}, in [-1, 1]; 1 exactly for cosine neurons."""
    k, p = U.shape[-2:]
    size = norms(U, W) ** (k + 1)
    return margin_transform(U, W) / (theory.gamma(k, p) * size.clamp(min=1e-300))


def phases(U: Tensor, W: Tensor) -> tuple[Tensor, Tensor]:
    """θ_u (..., m, k) and θ_w (..., m) at the neuron's own frequency."""
    at = frequency(U, W)
    angle = [torch.fft.rfft(x).angle() for x in (U, W)]
    index = at[..., None, None].expand(*U.shape[:-1], 1)
    return angle[0].gather(-1, index)[..., 0], angle[1].gather(-1, at[..., None])[..., 0]


def phase_gap(U: Tensor, W: Tensor) -> Tensor:
    """θ_{u_1} + ... + θ_{u_k} - θ_w, wrapped to (-π, π], (..., m)."""
    u, w = phases(U, W)
    gap = u.sum(-1) - w
    return torch.atan2(gap.sin(), gap.cos())


def distance_from_cosine(U: Tensor, W: Tensor) -> Tensor:
    """How far each neuron is from one of the form of Theorem 4.9 (ii), over its norm, (..., m).

    That one has the neuron's dominant frequency and its phases there, changed by equal amounts
    until θ_{u_1} + ... + θ_{u_k} = θ_w, and the amplitude that is nearest.
    """
    u, w = phases(U, W)
    gap = phase_gap(U, W)[..., None] / (U.shape[-2] + 1)
    theta = torch.cat([u - gap, w[..., None] + gap], -1)
    p = U.shape[-1]
    turn = 2 * torch.pi / p * torch.arange(p, dtype=U.dtype) * frequency(U, W)[..., None]
    wave = torch.cos(theta[..., None] + turn[..., None, :])  # (..., m, k + 1, p)
    x = torch.cat([U, W[..., None, :]], -2)
    beta = (x * wave).sum((-1, -2)) / wave.square().sum((-1, -2))
    left = (x - beta[..., None, None] * wave).square().sum((-1, -2)).sqrt()
    return left / norms(U, W).clamp(min=1e-300)


def norm_shares(U: Tensor, W: Tensor) -> Tensor:
    """Share of Σ‖θ_i‖^{k+1} at each frequency 1..(p-1)/2, times (p-1)/2, (..., (p-1)/2)."""
    k, p = U.shape[-2:]
    size = norms(U, W) ** (k + 1)
    where = torch.nn.functional.one_hot(frequency(U, W) - 1, p // 2).to(size.dtype)
    return (size[..., None] * where).sum(-2) / size.sum(-1, keepdim=True) * ((p - 1) // 2)


def weighted(values: Tensor, U: Tensor, W: Tensor) -> Tensor:
    """Mean of the neurons' values (..., m) with weights ‖θ_i‖^{k+1}, (...)."""
    size = norms(U, W) ** (U.shape[-2] + 1)
    return (values * size).sum(-1) / size.sum(-1)


def diagonal_transform(U: Tensor, W: Tensor) -> Tensor:
    """f̂(j, ..., j, -j) of the network for j = 1..p-1, (..., p - 1), complex. Lemma C.20."""
    k = U.shape[-2]
    term = torch.fft.fft(U).prod(-2) * torch.fft.fft(W).conj()
    return factorial(k) * term[..., 1:].sum(-2)


def network_transform(F: Tensor, k: int, p: int) -> Tensor:
    """The (k+1)-dimensional DFT of the logits F (pᵏ, p): (p, ..., p, p)."""
    return torch.fft.fftn(F.reshape(*[p] * (k + 1)))


def margin_by_phases(U: Tensor, W: Tensor) -> Tensor:
    """The same margin by sizes and phases, (..., m), for odd p. (C.13)."""
    k, p = U.shape[-2:]
    u, w = (torch.fft.rfft(x)[..., 1:] for x in (U, W))
    size = u.abs().prod(-2) * w.abs()
    gap = u.angle().sum(-2) - w.angle()
    return 2 * factorial(k) / ((p - 1) * p**k) * (size * gap.cos()).sum(-1)
