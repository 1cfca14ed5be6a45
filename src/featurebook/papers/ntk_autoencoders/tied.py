"""The weight-tied autoencoder of Section 6, u = W φ(Wᵀx) / m."""

from functools import partial

import torch
from torch import Tensor

from featurebook.core import Execution, Params, train


def initial(generator: torch.Generator, d: int, m: int, sigma2: float) -> Params:
    """W (d, m) of independent N(0, σ²) entries."""
    return {"W": sigma2**0.5 * torch.randn(d, m, generator=generator, dtype=torch.double)}


def outputs(params: Params, X: Tensor) -> Tensor:
    """U = W φ(WᵀX) / m, shape (d, n)."""
    W = params["W"]
    return W @ torch.relu(W.T @ X) / W.shape[1]


def loss(params: Params, X: Tensor) -> Tensor:
    """‖X - U‖²_F / 2."""
    return (X - outputs(params, X)).square().sum() / 2


def gradient(params: Params, X: Tensor) -> tuple[Params, Tensor]:
    """Gradient of `loss` in closed form, and the loss."""
    W = params["W"]
    m = W.shape[1]
    z = W.T @ X  # (m, n)
    phi = torch.relu(z)
    E = X - W @ phi / m
    step = -(E @ phi.T + X @ ((W.T @ E) * (z >= 0)).T) / m
    return {"W": step}, E.square().sum() / 2


def descend(params: Params, X: Tensor, *, eta: float, steps: int) -> Params:
    """Full-batch gradient descent of an ensemble, W (R, d, m); the trained weights."""
    run = train(
        loss,
        params,
        X,
        steps=steps,
        seeds=range(len(params["W"])),
        data_dim=None,
        gradient=gradient,
        optimizer=partial(torch.optim.SGD, lr=eta),
        execution=Execution(label="tied networks"),
    )
    return run.params


def expected_error(
    d: int, m: int, sigma2: float = 2.0, norm: float = 1.0, divisor: float | None = None
) -> float:
    """E‖x - u‖² at initialisation for ‖x‖ = ``norm`` (Lemma 6.1).

    Args:
        divisor: of W φ(Wᵀx); by default the lemma's m. With the √(md) of (2.1) the error grows
            with m.
    """
    s = m / (divisor or m)
    spread = (m - 1) / (4 * m) + (d + 2) / (2 * m)
    return norm**2 * (1 - s * sigma2 + s**2 * sigma2**2 * spread)


def sampled_error(
    d: int,
    m: int,
    sigma2: float,
    norm: float,
    count: int,
    generator: torch.Generator,
    divisor: float | None = None,
) -> tuple[float, float]:
    """What `expected_error` says, from ``count`` initial networks: mean and standard error."""
    x = torch.zeros(d, 1, dtype=torch.double)
    x[0] = norm
    W = sigma2**0.5 * torch.randn(count, d, m, generator=generator, dtype=torch.double)
    errors = (x - W @ torch.relu(W.mT @ x) / (divisor or m)).square().sum((1, 2))
    return float(errors.mean()), float(errors.std()) / count**0.5
