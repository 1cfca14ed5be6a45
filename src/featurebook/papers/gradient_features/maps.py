"""Gradient maps: G(w, b) = E[y x 1(⟨w, x⟩ > b)] in closed form (Definition 3.5), cones, p."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from featurebook.papers.gradient_features.data import Mixture

Array = NDArray[np.float64]


def phi(z: ArrayLike) -> Array:
    """The standard normal density."""
    return np.exp(-np.square(z) / 2) / np.sqrt(2 * np.pi)


def G_mixture(W: Array, b: ArrayLike, mix: Mixture) -> Array:
    """G of neurons (N, d) for a mixture of Gaussians, (N, d).

    Σ_j p_j y_j [μ_j Φ(z_j) + σ_j φ(z_j) w/‖w‖] with z_j = (⟨w, μ_j⟩ - b)/(σ_j‖w‖).
    """
    size = np.linalg.norm(W, axis=1, keepdims=True)
    z = (W @ mix.means.T - np.reshape(b, (-1, 1))) / (mix.sigma * size)  # (N, r)
    p = mix.weights * mix.labels
    along = (p * mix.sigma * phi(z)).sum(1, keepdims=True)
    return (p * ndtr(z)) @ mix.means + along * W / size


def G_neuron(w: Array, b: float, mix: Mixture) -> Array:
    """G of one neuron w (d,) for a mixture of Gaussians, as the formula reads: (d,)."""
    size = np.linalg.norm(w)
    z = (mix.means @ w - b) / (mix.sigma * size)
    p = mix.weights * mix.labels
    return np.asarray((p * ndtr(z)) @ mix.means + (p * mix.sigma * phi(z)).sum() * w / size)


def output_mixture(W: Array, b: ArrayLike, mix: Mixture) -> Array:
    """E[y σ(⟨w, x⟩ - b)] of neurons (N, d), (N,): what the second layer gets in the first step."""
    size = np.linalg.norm(W, axis=1, keepdims=True)
    mean, spread = W @ mix.means.T - np.reshape(b, (-1, 1)), mix.sigma * size
    z = mean / spread
    return (mix.weights * mix.labels * (mean * ndtr(z) + spread * phi(z))).sum(1)


def G_points(W: Array, b: ArrayLike, X: Array, y: Array, chance: ArrayLike | None = None) -> Array:
    """G of neurons (N, d) for a finite distribution, or a sample: points X (n, d), labels y (n,).

    Args:
        chance: probabilities of the points; equal ones by default.
    """
    weights = y / len(y) if chance is None else y * np.asarray(chance)
    return ((np.reshape(b, (-1, 1)) < W @ X.T) * weights) @ X


def G_quadratic(W: Array, H: Array) -> Array:
    """G(w, 0) of neurons (N, d) for x ~ N(0, I) and y = ½(xᵀHx - tr H), (N, d).

    (2π)^{-1/2}[Hŵ - ½(ŵᵀHŵ)ŵ] with ŵ = w/‖w‖ and H symmetric, (d, d).
    """
    w = W / np.linalg.norm(W, axis=1, keepdims=True)
    Hw = w @ H
    return (Hw - 0.5 * (Hw * w).sum(1, keepdims=True) * w) / np.sqrt(2 * np.pi)


def cosines(G: Array, D: Array) -> Array:
    """|⟨G, D_j⟩|/‖G‖, (N, r): the cone of Definition 3.7 asks for more than 1 - γ."""
    size = np.linalg.norm(G, axis=1, keepdims=True)
    return np.abs(G @ D.T) / np.where(size > 0, size, np.inf)


def in_cone(G: Array, D: Array, gamma: float, B_G: float) -> NDArray[np.bool_]:
    """Which G lie in the cone of D_j and have norm at least B_G, (N, r)."""
    long_enough = np.linalg.norm(G, axis=1) >= B_G
    return (cosines(G, D) > 1 - gamma) & long_enough[:, None]


def thresholds(W: Array, b: ArrayLike) -> Array:
    """Effective thresholds b/‖w‖ in units of the data, (N,)."""
    return np.asarray(b) / np.linalg.norm(W, axis=1)


def G_mixture_quadrature(W: Array, b: ArrayLike, mix: Mixture, nodes: int = 200) -> Array:
    """As `G_mixture`, by Gauss-Legendre quadrature along w: the check of the closed form."""
    size = np.linalg.norm(W, axis=1, keepdims=True)
    unit, G = W / size, np.zeros_like(W)
    x, weight = np.polynomial.legendre.leggauss(nodes)
    for mu, y, sigma, p in zip(mix.means, mix.labels, mix.sigma, mix.weights, strict=True):
        low = np.clip((np.reshape(b, (-1, 1)) - (W @ mu)[:, None]) / (sigma * size), -12, 12)
        g = low + (12 - low) * (x + 1) / 2  # (N, nodes): active where g > low
        mass = weight * (12 - low) / 2 * phi(g)
        total, mean = mass.sum(1, keepdims=True), (mass * g).sum(1, keepdims=True)
        G += p * y * (mu * total + sigma * mean * unit)
    return G


def G_quadratic_plane(angle: float, H: Array, nodes: int = 60) -> Array:
    """G(w, 0) for d = 2, w at an angle and y = ½(xᵀHx - tr H), by quadrature over the half circle.

    The integrals over the radius are ∫r⁴e^{-r²/2} = 3√(π/2) and ∫r²e^{-r²/2} = √(π/2).
    """
    x, weight = np.polynomial.legendre.leggauss(nodes)
    turn = angle + np.pi / 2 * x
    unit = np.stack([np.cos(turn), np.sin(turn)], 1)
    of_angle = 3 * ((unit @ H) * unit).sum(1) - np.trace(H)
    return np.sqrt(np.pi / 2) / (4 * np.pi) * (weight * np.pi / 2 * of_angle) @ unit
