"""The autoencoder u = A φ(Wᵀx) / √(md), its gradients, and how it is trained."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import ceil

import torch
from torch import Tensor

from featurebook.core import Params, Run, per_network, train

Gradient = Callable[[Params, Tensor], tuple[Params, Tensor]]
Observe = Callable[[Params], dict[str, Tensor]]


def initial(generator: torch.Generator, d: int, m: int) -> Params:
    """W (d, m) standard normal, A (d, m) of independent signs, as all the theorems assume."""
    W = torch.randn(d, m, generator=generator, dtype=torch.double)
    A = torch.randint(0, 2, (d, m), generator=generator).double() * 2 - 1
    return {"W": W, "A": A}


def gaussian_initial(generator: torch.Generator, d: int, m: int) -> Params:
    """W and A both standard normal (Remark 5.1)."""
    W, A = torch.randn(2, d, m, generator=generator, dtype=torch.double)
    return {"W": W, "A": A}


def outputs(params: Params, X: Tensor) -> Tensor:
    """U = A φ(WᵀX) / √(md), shape (d, n)."""
    d, m = params["W"].shape
    return params["A"] @ torch.relu(params["W"].T @ X) / (m * d) ** 0.5


def loss(params: Params, X: Tensor) -> Tensor:
    """L = ‖X - U‖²_F / 2, (2.1)."""
    return (X - outputs(params, X)).square().sum() / 2


def squared_error(params: Params, X: Tensor) -> Tensor:
    """‖X - U‖²_F = 2L, the quantity that all the theorems bound."""
    return 2 * loss(params, X)


def _forward(params: Params, X: Tensor) -> tuple[Tensor, Tensor, float]:
    """Pre-activations (m, n), residual E = X - U (d, n), and √(md)."""
    d, m = params["W"].shape
    z = params["W"].T @ X
    scale = (m * d) ** 0.5
    return z, X - params["A"] @ torch.relu(z) / scale, scale


def _encoder_gradient(params: Params, X: Tensor, z: Tensor, E: Tensor, scale: float) -> Tensor:
    return -X @ ((params["A"].T @ E) * (z >= 0)).T / scale  # (5.4)


def _decoder_gradient(z: Tensor, E: Tensor, scale: float) -> Tensor:
    return -E @ torch.relu(z).T / scale  # (5.5)


def weak_gradient(params: Params, X: Tensor) -> tuple[Params, Tensor]:
    """Gradients and loss when only the encoder W is trained (Section 4)."""
    z, E, scale = _forward(params, X)
    gradients = {
        "W": _encoder_gradient(params, X, z, E, scale),
        "A": torch.zeros_like(params["A"]),
    }
    return gradients, E.square().sum() / 2


def decoder_gradient(params: Params, X: Tensor) -> tuple[Params, Tensor]:
    """Gradients and loss when only the decoder A is trained: a linear problem with kernel H(0)."""
    z, E, scale = _forward(params, X)
    gradients = {"W": torch.zeros_like(params["W"]), "A": _decoder_gradient(z, E, scale)}
    return gradients, E.square().sum() / 2


def joint_gradient(params: Params, X: Tensor) -> tuple[Params, Tensor]:
    """Gradients and loss when both layers are trained (Section 5)."""
    z, E, scale = _forward(params, X)
    gradients = {
        "W": _encoder_gradient(params, X, z, E, scale),
        "A": _decoder_gradient(z, E, scale),
    }
    return gradients, E.square().sum() / 2


GRADIENTS: dict[str, Gradient] = {
    "weak": weak_gradient,
    "decoder": decoder_gradient,
    "joint": joint_gradient,
}
"""The gradient of each regime."""


def printed_encoder_gradient(params: Params, X: Tensor) -> Tensor:
    """(4.2) as printed: a_r x_iᵀ(x_i - u_i) in place of x_i a_rᵀ(x_i - u_i); (d, m)."""
    z, E, scale = _forward(params, X)
    return -params["A"] * ((z >= 0).to(X) @ (X * E).sum(0)) / scale


def movement(start: Params, X: Tensor) -> Observe:
    """An observer of ensembles: squared error and how far the weights have moved, (R,) each.

    Gives ``error`` ‖X - U‖²_F, ``max_r`` max_r ‖w_r - w_r(0)‖, ``W`` ‖W - W(0)‖_F and ``A``
    ‖A - A(0)‖_F. ``start`` is not copied.
    """
    squared = per_network(squared_error, 0, None)

    def observe(params: Params) -> dict[str, Tensor]:
        moved = params["W"] - start["W"]
        return {
            "error": squared(params, X),
            "max_r": moved.norm(dim=1).amax(1),
            "W": moved.flatten(1).norm(dim=1),
            "A": (params["A"] - start["A"]).flatten(1).norm(dim=1),
        }

    return observe


def descend(
    regime: str,
    params: Params,
    X: Tensor,
    *,
    eta: float,
    steps: int,
    seeds: Sequence[int],
    observe: Observe | None = None,
    observe_at: Sequence[int] | None = None,
) -> Run:
    """Full-batch gradient descent with a constant step size η, for an ensemble.

    Args:
        regime: a key of `GRADIENTS`.
        params: W and A, (R, d, m) each.
        X: (d, n), shared; or (R, d, n), one a replica.
        eta: η, the same for all replicas.
        observe: by default `movement` (for a shared X).
        observe_at: by default every step.
    """
    return train(
        loss,
        params,
        X,
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=eta),
        data_dim=0 if X.ndim == 3 else None,
        gradient=GRADIENTS[regime],
        observe=observe or movement(params, X),
        observe_at=range(steps + 1) if observe_at is None else observe_at,
        label=f"gradient descent, {regime}",
    )


def flow(
    regime: str,
    params: Params,
    X: Tensor,
    times: Sequence[float],
    *,
    step: float,
    observe: Observe | None = None,
) -> dict[str, Tensor]:
    """Gradient flow dθ/dt = -∇L of an ensemble, by the classical Runge-Kutta method of order 4.

    Args:
        regime: a key of `GRADIENTS`.
        params: W and A, (R, d, m) each.
        X: (d, n).
        times: increasing, the first is 0.
        step: largest step of the integrator; d / λ_max(K(0)) is stable and accurate.
        observe: by default `movement`.

    Returns:
        The observables, each (len(times), R).

    Raises:
        ValueError: if ``times`` does not start at 0 or does not increase.
    """
    if times[0] != 0 or any(b <= a for a, b in pairwise(times)):
        raise ValueError("times must start at 0 and increase")
    gradient = per_network(GRADIENTS[regime], 0, None)
    look = observe or movement(params, X)

    def velocity(state: Params) -> Params:
        gradients, _loss = gradient(state, X)
        return {name: -g for name, g in gradients.items()}

    state = params
    seen = [look(state)]
    for start, stop in pairwise(times):
        count = ceil((stop - start) / step)
        for _ in range(count):
            state = _runge_kutta(velocity, state, (stop - start) / count)
        seen.append(look(state))
    return {name: torch.stack([s[name] for s in seen]) for name in seen[0]}


def _runge_kutta(velocity: Callable[[Params], Params], state: Params, step: float) -> Params:
    """One step of the classical Runge-Kutta method of order 4."""

    def along(slope: Params, length: float) -> Params:
        return {name: p + length * slope[name] for name, p in state.items()}

    first = velocity(state)
    second = velocity(along(first, step / 2))
    third = velocity(along(second, step / 2))
    fourth = velocity(along(third, step))
    mean = {k: (first[k] + 2 * second[k] + 2 * third[k] + fourth[k]) / 6 for k in state}
    return along(mean, step)
