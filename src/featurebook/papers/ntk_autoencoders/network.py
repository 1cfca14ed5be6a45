"""The autoencoder u = A φ(Wᵀx) / √(md), its gradients, and how it is trained.

Outputs, losses and gradients take one network, W and A (d, m), or an ensemble, (R, d, m) each.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import torch
from torch import Tensor

from featurebook.core import Execution, Observe, Params, Run, takes_replicas, train, where_active

Gradient = Callable[[Params, Tensor], tuple[Params, Tensor]]
Observer = Callable[[Params], dict[str, Tensor]]


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
    """U = A φ(WᵀX) / √(md), shape (..., d, n)."""
    d, m = params["W"].shape[-2:]
    return params["A"] @ torch.relu(X.mT @ params["W"]).mT / (m * d) ** 0.5


def squared_error(params: Params, X: Tensor) -> Tensor:
    """‖X - U‖²_F, the quantity that all the theorems bound; one number per network."""
    return (X - outputs(params, X)).square().sum((-2, -1))


def loss(params: Params, X: Tensor) -> Tensor:
    """L = ‖X - U‖²_F / 2, (2.1); one number per network."""
    return squared_error(params, X) / 2


def active(z: Tensor) -> Tensor:
    """1 where z >= 0, else 0, in z's own type: to multiply by it is faster than by truth values."""
    return (z.sign() + 1).clamp(max=1)


def _forward(params: Params, X: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Pre-activations z and features φ(z) (..., n, m); E = X - U (..., d, n), and E / √(md).

    Neurons come last: with few samples, products of long rows are faster than of long columns.
    """
    d, m = params["W"].shape[-2:]
    z = X.mT @ params["W"]
    phi, scale = torch.relu(z), (m * d) ** 0.5
    E = X - params["A"] @ phi.mT / scale
    return z, phi, E, E / scale


def _encoder_gradient(params: Params, X: Tensor, z: Tensor, e: Tensor) -> Tensor:
    """(5.4), of the scaled residual e."""
    return -X @ where_active(e.mT @ params["A"], z)


def _decoder_gradient(phi: Tensor, e: Tensor) -> Tensor:
    """(5.5), of the scaled residual e."""
    return -e @ phi


@takes_replicas
def weak_gradient(params: Params, X: Tensor) -> tuple[Params, Tensor]:
    """Gradients and loss when only the encoder W is trained (Section 4)."""
    z, _phi, E, e = _forward(params, X)
    gradients = {"W": _encoder_gradient(params, X, z, e), "A": torch.zeros_like(params["A"])}
    return gradients, E.square().sum((-2, -1)) / 2


@takes_replicas
def decoder_gradient(params: Params, X: Tensor) -> tuple[Params, Tensor]:
    """Gradients and loss when only the decoder A is trained: a linear problem with kernel H(0)."""
    _z, phi, E, e = _forward(params, X)
    gradients = {"W": torch.zeros_like(params["W"]), "A": _decoder_gradient(phi, e)}
    return gradients, E.square().sum((-2, -1)) / 2


@takes_replicas
def joint_gradient(params: Params, X: Tensor) -> tuple[Params, Tensor]:
    """Gradients and loss when both layers are trained (Section 5)."""
    z, phi, E, e = _forward(params, X)
    gradients = {"W": _encoder_gradient(params, X, z, e), "A": _decoder_gradient(phi, e)}
    return gradients, E.square().sum((-2, -1)) / 2


GRADIENTS: dict[str, Gradient] = {
    "weak": weak_gradient,
    "decoder": decoder_gradient,
    "joint": joint_gradient,
}
"""The gradient of each regime."""


def printed_encoder_gradient(params: Params, X: Tensor) -> Tensor:
    """(4.2) as printed: a_r x_iᵀ(x_i - u_i) in place of x_i a_rᵀ(x_i - u_i); (d, m)."""
    z, _phi, _E, e = _forward(params, X)
    return -params["A"] * ((X * e).sum(0) @ active(z))


def movement(start: Params, X: Tensor) -> Observer:
    """An observer of ensembles: squared error and how far the weights have moved, (R,) each.

    Gives ``error`` ‖X - U‖²_F, ``max_r`` max_r ‖w_r - w_r(0)‖, ``W`` ‖W - W(0)‖_F and ``A``
    ‖A - A(0)‖_F. ``start`` is not copied.
    """

    def observe(params: Params) -> dict[str, Tensor]:
        of_neuron = (params["W"] - start["W"]).square().sum(1)  # (R, m), faster than Tensor.norm
        return {
            "error": squared_error(params, X),
            "max_r": of_neuron.amax(1).sqrt(),
            "W": of_neuron.sum(1).sqrt(),
            "A": (params["A"] - start["A"]).square().sum((1, 2)).sqrt(),
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
    observe: Observer | None = None,
    observe_at: Sequence[int] | None = None,
) -> Run:
    """Full-batch gradient descent with a constant step size η, for an ensemble.

    Args:
        regime: a key of `GRADIENTS`.
        params: W and A, (R, d, m) each.
        X: (d, n), shared; or (R, d, n), one per replica.
        eta: η, the same for all replicas.
        observe: by default `movement`.
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
        observe=Observe(
            observe or movement(params, X),
            at=range(steps + 1) if observe_at is None else observe_at,
        ),
        execution=Execution(label=f"gradient descent, {regime}"),
    )


def flow(
    regime: str,
    params: Params,
    X: Tensor,
    times: Sequence[float],
    *,
    step: float,
    observe: Observer | None = None,
) -> dict[str, Tensor]:
    """Gradient flow dθ/dt = -∇L of an ensemble, by `runge_kutta_step`.

    Its steps are fixed, so that a network's path does not depend on the others of the ensemble.

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
    look = observe or movement(params, X)
    seen = [look(params)]
    for begin, end in pairwise(times):
        count = math.ceil((end - begin) / step)
        for k in range(count):
            length = step if k < count - 1 else (end - begin) - step * k
            params = runge_kutta_step(lambda p: GRADIENTS[regime](p, X)[0], params, length)
        seen.append(look(params))
    return {name: torch.stack([s[name] for s in seen]) for name in seen[0]}


def runge_kutta_step(gradient: Callable[[Params], Params], start: Params, h: float) -> Params:
    """Where gradient flow is after time h: one step of order 4, by Kutta's 3/8 rule."""

    def back(*weights: float) -> Params:
        """From the start against the slopes found so far, each times its weight."""
        moved = {name: x.sub(slopes[0][name], alpha=weights[0]) for name, x in start.items()}
        for slope, weight in zip(slopes[1:], weights[1:], strict=True):
            for name, x in moved.items():
                x.sub_(slope[name], alpha=weight)
        return moved

    slopes = [gradient(start)]
    slopes.append(gradient(back(h / 3)))
    slopes.append(gradient(back(-h / 3, h)))
    slopes.append(gradient(back(h, -h, h)))
    return back(h / 8, 3 * h / 8, 3 * h / 8, h / 8)
