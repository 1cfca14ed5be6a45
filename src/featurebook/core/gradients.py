"""Gradients of all replicas at once, from the loss of one network."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from featurebook.core.ensemble import Params, for_replicas

BELOW_ZERO = {torch.float32: -(2.0**-149), torch.float64: -(2.0**-1074)}
"""The largest number below 0 of each type."""

Loss = Callable[[Params, Any], Tensor]
Gradient = Callable[[Params, Any], tuple[Params, Tensor]]


def of_replicas(loss: Loss, gradient: Gradient | None, batch_dim: int | None) -> Gradient:
    """``(gradients, losses)`` of all replicas: tensors (R, ...) and (R,).

    Args:
        loss: of one network.
        gradient: hand-written gradient of ``loss`` for one network, if any.
        batch_dim: axis of the replicas in a batch; None where they share it.
    """
    if gradient is not None:
        return for_replicas(gradient, 0, batch_dim)
    return partial(by_autograd, for_replicas(loss, 0, batch_dim))


def by_autograd(loss: Loss, params: Params, batch: Any) -> tuple[Params, Tensor]:
    """``(gradients, loss)`` of one network, or of all replicas, by automatic differentiation.

    The losses of replicas depend on parameters of their own, so one backward pass through their
    sum gives every gradient, with half of the calls of `torch.func.grad` under vmap. And that
    function loads torch's compiler when it is first called, for most of a second.
    """
    leaves = {name: p.detach().requires_grad_() for name, p in params.items()}
    with torch.enable_grad():
        value = loss(leaves, batch)
        total = value.sum()
    grads = torch.autograd.grad(total, list(leaves.values()), materialize_grads=True)
    return dict(zip(leaves, grads, strict=True)), value.detach()


def where_active(x: Tensor, z: Tensor) -> Tensor:
    """x where z >= 0, else 0, elementwise: the gate in the gradient of a ReLU.

    One operation; to multiply by ``z >= 0`` takes four times as long, `torch.where` ten times.
    """
    return torch.ops.aten.threshold_backward(x, z, BELOW_ZERO[z.dtype])


def traceable(loss: Loss, gradient: Gradient | None, batch_dim: int | None) -> Gradient:
    """`of_replicas` in functions alone, as `torch.compile` needs them inside a loop."""
    return for_replicas(gradient or torch.func.grad_and_value(loss), 0, batch_dim)
