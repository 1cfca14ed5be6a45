"""Both sides of the chapter's bounds for one instance, in torch, for `verdicts.attack`.

An instance is a prompt X (n, d), a task theta (d,) and a query alpha, or a convex function with a
place to start from. `prompts` and `convex` are where attacks start; `into_prompt` makes any tensors
of these shapes an instance.
"""

import torch
from torch import Tensor

from featurebook import core, verdicts
from featurebook.core.spectra import eigvalsh
from featurebook.papers.looped_transformers.attention import linear_attention

Instance = dict[str, Tensor]


def prompts(seed: int, random: int, n: int, d: int) -> verdicts.Starts:
    """Random and structured prompts, and some with one weak direction and the task along it."""
    shapes = {"X": (n, d), "theta": (d,), "alpha": ()}
    kinds = ("equal", "opposite", "rank one", "orthogonal", "scales", "tiny", "huge")
    structured = verdicts.starts(shapes, random=random, seed=seed, kinds=kinds)
    g = core.generator(seed, "weak direction")
    X = torch.randn(4, n, d, generator=g, dtype=torch.float64)
    X[..., -1] *= torch.tensor([1.0, 0.3, 0.1, 0.01], dtype=torch.float64)[:, None]
    theta = torch.zeros(4, d, dtype=torch.float64)
    theta[:, -1] = 1.0
    points = {"X": X, "theta": theta, "alpha": torch.ones(4, dtype=torch.float64)}
    return structured + verdicts.Starts(points, tuple(f"weak direction {k + 1}" for k in range(4)))


def into_prompt(raw: Instance) -> Instance:
    """A task of norm 1; everything else may be anything."""
    return raw | {"theta": raw["theta"] / raw["theta"].norm()}


def spectrum(X: Tensor) -> tuple[Tensor, Tensor]:
    """μ >= 0 and L of XᵀX; differentiable."""
    lam = eigvalsh(X.T @ X)
    return lam[0].clamp(min=0.0), lam[-1]


def answer(X: Tensor, theta: Tensor, alpha: Tensor, eta: Tensor, T: int) -> Tensor:
    """TF(Z^(0)) by the transformer itself with T equal steps: (d,)."""
    n, d = X.shape
    last = torch.cat([torch.zeros_like(theta), alpha[None]])
    Z = torch.cat([torch.cat([X, (X @ theta)[:, None]], 1), last[None]])
    Q, P = torch.eye(d + 1, dtype=X.dtype), torch.eye(d + 1, dtype=X.dtype)
    M = torch.zeros(n + 1, n + 1, dtype=X.dtype)
    P[d, d], M[n, :n] = 0.0, 1.0
    for _ in range(T):
        Z = Z - eta * linear_attention(Z, Q, P, M)
    return -Z[n, :d]


def main_theorem(x: Instance, T: int, reach: float = 1.0) -> tuple[Tensor, Tensor, Tensor]:
    """|⟨TF, θ*⟩ - α|/|α| and exp(-T/2κ), informative below 0.9; steps reach/L."""
    mu, L = spectrum(x["X"])
    found = answer(x["X"], x["theta"], x["alpha"], reach / L, T)
    bound = torch.exp(-T * mu / (2 * L))
    return (found @ x["theta"] / x["alpha"] - 1).abs(), bound, bound < 0.9


def parameter_theorem(x: Instance, T: int) -> tuple[Tensor, Tensor, Tensor]:
    """‖θ^(T) - θ*‖² and exp(-T/κ) (Theorem 8.25)."""
    mu, L = spectrum(x["X"])
    found = answer(x["X"], x["theta"], x["alpha"], 1 / L, T) / x["alpha"]
    bound = torch.exp(-T * mu / L)
    return (found - x["theta"]).square().sum(), bound, bound < 0.9


def sharp_bound(x: Instance, T: int) -> tuple[Tensor, Tensor]:
    """Both errors, of prediction and parameters, and (1 - 1/κ)^T."""
    mu, L = spectrum(x["X"])
    found = answer(x["X"], x["theta"], x["alpha"], 1 / L, T) / x["alpha"]
    errors = torch.stack([(found @ x["theta"] - 1).abs(), (found - x["theta"]).norm()])
    return errors, (1 - mu / L) ** T


def any_step(x: Instance, T: int, power: int, longest: bool = False) -> tuple[Tensor, Tensor]:
    """‖θ^(T) - θ*‖² and (1 - ημ)^(power T), for a step in (0, 1/L], or (0, 2/(L + μ)].

    Lemma 8.23 is power 1, and power 2 is the rate without the square.
    """
    mu, L = spectrum(x["X"])
    eta = torch.sigmoid(x["step"]) * (2 / (L + mu) if longest else 1 / L)
    found = answer(x["X"], x["theta"], torch.ones_like(eta), eta, T)
    return (found - x["theta"]).square().sum(), (1 - eta * mu) ** (power * T)


def with_step(seed: int, random: int, n: int, d: int) -> verdicts.Starts:
    """Starts for `any_step`."""
    shapes = {"X": (n, d), "theta": (d,), "step": ()}
    return verdicts.starts(shapes, random=random, seed=seed, kinds=("opposite", "orthogonal"))


def convex(seed: int, random: int, d: int, terms: int) -> verdicts.Starts:
    """Starts for `any_convex`: directions w, thresholds b, a place theta, a step."""
    shapes = {"w": (terms, d), "b": (terms,), "theta": (d,), "step": ()}
    return verdicts.starts(shapes, random=random, seed=seed, kinds=("equal", "orthogonal", "huge"))


def any_convex(
    x: Instance, T: int, power: int, mu: float, L: float, longest: bool = False
) -> tuple[Tensor, Tensor]:
    """The sides of `any_step` for functions that are not quadratic, minimal at 0.

    f(θ) = μ/2 ‖θ‖² + (L - μ)/K Σ_k [ln cosh(w_k·θ - b_k) + tanh(b_k) w_k·θ], ‖w_k‖ = 1: its
    Hessian lies between μ and L.
    """
    w = x["w"] / x["w"].norm(dim=-1, keepdim=True)  # (K, d)
    eta = torch.sigmoid(x["step"]) * (2 / (L + mu) if longest else 1 / L)
    theta, b = x["theta"], x["b"]
    for _ in range(T):
        slope = torch.tanh(w @ theta - b) + torch.tanh(b)  # (K,)
        theta = theta - eta * (mu * theta + (L - mu) / len(w) * (slope @ w))
    start = x["theta"].square().sum()
    return theta.square().sum() / start, (1 - eta * mu) ** (power * T)
