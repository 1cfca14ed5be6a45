"""Algorithms 6 and 7: one step on the first layer, then the second layer alone.

Uniform parities are learned by Algorithm 6, polynomials of a few directions by Algorithm 7.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.core.spectra import eigvalsh
from featurebook.papers.gradient_features import majority, network


def linear_grid(k: int) -> Tensor:
    """The biases -1 + 1/k, ..., 1 - 1/k of (B.479), in steps of 1/k."""
    return torch.arange(-k + 1, k) / k


def parity_start(d: int, k: int, m: int, g: torch.Generator) -> Params:
    """The start of Algorithm 6 (B.479): signs a (m,), W (m, d), biases b (m,) of the grid."""
    return {
        "W": torch.randint(0, 2, (m, d), generator=g) * 2.0 - 1,
        "a": torch.randint(0, 2, (m,), generator=g) * 2.0 - 1,
        "b": linear_grid(k)[torch.randint(2 * k - 1, (m,), generator=g)],
    }


def parity_sample(d: int, k: int, n: int, g: torch.Generator) -> tuple[Tensor, Tensor]:
    """Uniform bits X (n, d) and the product y (n,) of the first k."""
    X = torch.randint(0, 2, (n, d), generator=g) * 2.0 - 1
    return X, X[:, :k].prod(1)


def algorithm_6(
    d: int, k: int, m: int, n1: int, n: int, steps: int, seed: int, *, rate: float = 0.5
) -> dict[str, Any]:
    """Uniform parity: one step on W with n1 samples, then `second_layer` (Algorithm 6)."""
    g = core.generator(seed, "uniform parity")
    start = parity_start(d, k, m, g)
    both = {name: torch.cat([p, -p if name == "a" else p]) for name, p in start.items()}
    params = network.first_step(both, *parity_sample(d, k, n1, g), parity_step_size(d, k))
    fitted = second_layer(params, k, n, steps, g, rate)
    return {"W": params["W"], "signs": both["W"], "a1": params["a"], **fitted}


def algorithm_6_exact(
    d: int, k: int, m: int, n: int, steps: int, seed: int, *, rate: float = 0.5
) -> dict[str, Any]:
    """As `algorithm_6` with the expected gradient, in closed form, in place of n1 samples."""
    g = core.generator(seed, "uniform parity, exact")
    start = parity_start(d, k, m, g)
    G = majority.gradient(start["W"].long().numpy(), k).astype(float)
    W = parity_step_size(d, k) * start["a"][:, None] * torch.tensor(G).float()
    params = {"W": torch.cat([W, -W]), "b": torch.cat([start["b"]] * 2)}
    return second_layer(params, k, n, steps, g, rate)


def untrained_parity(
    d: int, k: int, m: int, n: int, steps: int, seed: int, *, rate: float = 0.5
) -> dict[str, Any]:
    """As `algorithm_6_exact` without the first step: `second_layer` over random signs."""
    g = core.generator(seed, "uniform parity, exact")
    return second_layer(parity_start(d, k, 2 * m, g), k, n, steps, g, rate)


def parity_step_size(d: int, k: int) -> float:
    """η of Algorithm 6's first step, 1/(k|ξ_{k-1}|)."""
    return 1 / (k * abs(float(majority.xi(k - 1, d))))


def second_layer(
    params: Params, k: int, n: int, steps: int, g: torch.Generator, rate: float
) -> dict[str, Any]:
    """Full-batch hinge descent on a from 0, which the proof of Theorem B.56 assumes.

    Args:
        params: W (m, d) and b (m,), fixed.
        rate: step size over 1/E‖σ(Wx - b)‖².

    Returns:
        Hinge loss and error on 4,000 fresh inputs, and the training losses.
    """
    W, b = params["W"], params["b"]
    X, y = parity_sample(W.shape[1], k, n, g)
    H = torch.relu(X @ W.T - b)
    eta = rate / float(H.square().sum(1).mean())
    losses, theta = [], torch.zeros(len(W))
    for _ in range(steps):
        margin = 1 - y * (H @ theta)
        losses.append(float(torch.relu(margin).mean()))
        theta = theta + eta * (((margin > 0) * y) @ H) / n
    X, y = parity_sample(W.shape[1], k, 4000, g)
    score = y * (torch.relu(X @ W.T - b) @ theta)
    return {
        "loss": float(torch.relu(1 - score).mean()), "error": float((score <= 0).float().mean()),
        "losses": losses,
    }  # fmt: skip


def multi_index_target(X: Tensor) -> Tensor:
    """y = [x_1 x_2 + ½(x_1² - 1)(x_2² - 1)]/√2: degree 4, E y = 0, E y² = 1, E ∇²y of rank 2."""
    a, b = X[..., 0], X[..., 1]
    return (a * b + 0.5 * (a**2 - 1) * (b**2 - 1)) / 2**0.5


def algorithm_7(
    d: int, m: int, n1: int, n2: int, seed: int, *, train_W: bool = True, ridge: float = 0.1,
    descent: Sequence[int] = (), a_start: str = "zero",
) -> dict[str, Any]:  # fmt: skip
    """Multi-index polynomial: one step on W of 2m neurons, fresh biases, then a by ridge.

    Args:
        train_W: False is a random-feature network of the same size.
        descent: numbers of steps after which to observe gradient descent on a with η = 1/L too.
        a_start: "zero", or "signs" as Algorithm 7 says.
    """
    g = core.generator(seed, "multi-index")
    W = torch.randn(m, d, generator=g) / d**0.5
    a = torch.randint(0, 2, (m,), generator=g) * 2.0 - 1
    X = torch.randn(n1, d, generator=g)
    y = multi_index_target(X)
    y = y - y.mean() - X @ ((X * y[:, None]).mean(0))
    G = ((X @ W.T > 0) * y[:, None]).T @ X / n1
    inside = G[:, :2].norm(dim=1) / G.norm(dim=1)
    size = G.norm(dim=1).median()
    W1 = torch.cat([W, W]) * d**0.5 / d**0.5 if not train_W else torch.cat([G, -G]) / size
    b = torch.randn(2 * m, generator=g)
    X, X_test = torch.randn(n2, d, generator=g), torch.randn(4000, d, generator=g)
    H, H_test = (torch.relu(x @ W1.T - b).double() for x in (X, X_test))
    y, y_test = multi_index_target(X).double(), multi_index_target(X_test).double()
    gram, target = H.T @ H / n2, H.T @ y / n2
    theta = torch.linalg.solve(gram + ridge / n2 * torch.eye(2 * m), target)
    found: dict[str, Any] = {
        "mse": float((H_test @ theta - y_test).square().mean()), "inside": inside.numpy(),
        "G": G.numpy(), "smoothness": 2 * float(eigvalsh(gram)[-1]),
    }  # fmt: skip
    if len(descent):
        theta = torch.cat([a, -a]).double() if a_start == "signs" else torch.zeros(2 * m).double()
        eta, seen = 1 / found["smoothness"], []
        for t in range(max(descent) + 1):
            if t in descent:
                seen.append(float((H_test @ theta - y_test).square().mean()))
            theta = theta - 2 * eta * (gram @ theta - target)
        found |= {"descent": seen, "norm": float(theta.norm())}
    return found
