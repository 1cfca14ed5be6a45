"""The truncated-ReLU network: its two aggressive steps, the classifier stage, and its rivals.

Shapes: R replicas (seeds), n samples, D coordinates, 2m neurons (twins i and m + i).
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from featurebook.core import Execution, Observe, Params, Run, takes_replicas, train
from featurebook.papers.feature_emergence.data import Distribution

CHUNK = 500
"""Samples whose gradient is computed at a time, so that it stays in a cache."""
Data = tuple[Tensor, Tensor]


def activation(z: Tensor) -> Tensor:
    """The truncated ReLU, sigma(z) = min(1, max(z, 0))."""
    return z.clamp(0, 1)


def smoothed(z: Tensor, sigma_xi: float) -> Tensor:
    """E_xi sigma(z + xi) for xi ~ N(0, sigma_xi^2); the activation itself for sigma_xi = 0."""
    return value_and_slope(z, sigma_xi)[0]


def active(z: Tensor, sigma_xi: float) -> Tensor:
    """Pr_xi[z + xi in (0, 1)], the derivative of `smoothed`."""
    return value_and_slope(z, sigma_xi)[1]


def value_and_slope(z: Tensor, sigma_xi: float) -> tuple[Tensor, Tensor]:
    """`smoothed` and `active` together: they share their Gaussian integrals.

    With F(u) = E max(u + xi, 0) = u Phi(u/s) + s phi(u/s), the value is F(z) - F(z - 1), and
    Phi(u/s) = erfc(-u / (s sqrt 2)) / 2, which is several times faster than `torch.special.ndtr`.
    """
    if sigma_xi == 0:
        return activation(z), ((z > 0) & (z < 1)).to(z.dtype)
    unit = 1 / (sigma_xi * math.sqrt(2))
    u = z * -unit
    v = u + unit
    above_1 = torch.erfc(v)
    slope = torch.erfc(u) - above_1
    densities = u.square().neg_().exp_() - v.square().neg_().exp_()
    value = torch.addcmul(above_1, z, slope) / 2
    return value.add_(densities, alpha=sigma_xi / math.sqrt(2 * math.pi)), slope / 2


def output(params: Params, x: Tensor) -> Tensor:
    """g(x), eq. (2): (n,) for x (n, D) and one network W (2m, D), b and a (2m,)."""
    return activation(x @ params["W"].T + params["b"]) @ params["a"]


def hinge(g: Tensor, y: Tensor) -> Tensor:
    """Mean hinge loss over the last axis."""
    return (1 - y * g).clamp(min=0).mean(-1)


def hinge_loss(params: Params, batch: Data) -> Tensor:
    """L(g) of one network on a batch (x, y); what the classifier stage minimises."""
    x, y = batch
    return hinge(output(params, x), y)


def smoothed_loss(
    params: Params, batch: Data, sigma_xi: float, weights: tuple[float, float]
) -> Tensor:
    """L^alpha(g; sigma_xi) of one network on a batch (x, y), eqs. (3) and (4)."""
    x, y = batch
    g = smoothed(x @ params["W"].T + params["b"], sigma_xi) @ params["a"]
    return (torch.where(y > 0, weights[1], weights[0]) * (1 - y * g).clamp(min=0)).mean()


def sigma_a(dist: Distribution) -> float:
    """sigma~^2 / (gamma k^2), the spread of the initial second layer."""
    return dist.sigma**2 / (dist.gamma * dist.k**2)


@takes_replicas
def hinge_gradient(params: Params, batch: Data) -> tuple[Params, Tensor]:
    """Gradient and value of `hinge_loss`, at half the cost of automatic differentiation."""
    x, y = batch
    z = x @ params["W"].mT + params["b"][..., None, :]
    h = activation(z)
    force, loss = _force(_apply(h, params["a"]), y)
    pull = force[..., None] * params["a"][..., None, :]
    pull = torch.ops.aten.hardtanh_backward(pull, z, 0, 1)  # 0 unless 0 < z < 1
    return {"W": pull.mT @ x, "b": pull.sum(-2), "a": _total(force, h)}, loss


def _apply(matrix: Tensor, vector: Tensor) -> Tensor:
    """Matrix times vector, with or without an axis of replicas."""
    return (matrix @ vector[..., None]).squeeze(-1)


def _total(weights: Tensor, rows: Tensor) -> Tensor:
    """The weighted sum of rows, with or without an axis of replicas."""
    return (weights[..., None, :] @ rows).squeeze(-2)


def _force(g: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Derivative of the mean hinge loss in the outputs g (..., n), and the loss."""
    margin = 1 - y * g
    return -y * (margin > 0) / y.shape[-1], margin.clamp(min=0).mean(-1)


def initial(g: torch.Generator, d: int, m: int, k: int, sigma_a: float) -> Params:
    """The unbiased initialisation of Section 2.3, float64: twins cancel, so g = 0.

    sigma_w = 1/k, sigma_b = 1/k^2; W is (2m, d), and d = D in the dictionary's coordinates.
    """
    draw = partial(torch.randn, generator=g, dtype=torch.float64)
    w = draw(m, d) / k
    b = draw(m) / k**2
    a = draw(m) * sigma_a
    return {"W": torch.cat([w, w]), "b": torch.cat([b, b]), "a": torch.cat([a, -a])}


def eta_one(dist: Distribution, m: int) -> float:
    """eta^(1) of Lemma 23, gamma^2 sigma~ / (k m^3)."""
    return dist.gamma**2 * dist.sigma / (dist.k * m**3)


def gradient(params: Params, data: Data, sigma_xi: float, weights: tuple[float, float]) -> Params:
    """The gradient of L^alpha(g; sigma_xi), Lemmas 12 and 38, in the dtype of the parameters.

    Args:
        params: one network.
        data: x (n, D) and y (n,).
        weights: alpha_{-1} and alpha_{+1}; (1, 1) for the plain loss.
    """
    W, b, a = params["W"], params["b"], params["a"]
    total = {name: torch.zeros_like(p) for name, p in params.items()}
    n = len(data[1])
    for x, y in zip(data[0].split(CHUNK), data[1].split(CHUNK), strict=True):
        x, y = x.to(W.dtype), y.to(W.dtype)
        z = x @ W.T + b  # (c, 2m)
        h, slope = value_and_slope(z, sigma_xi)
        alpha = torch.where(y > 0, weights[1], weights[0])
        force = alpha * y * (y * (h @ a) <= 1) / n  # (c,)
        pull = slope * force[:, None]
        total["W"] -= a[:, None] * (pull.T @ x)
        total["b"] -= a * pull.sum(0)
        total["a"] -= force @ h
    return total


def step_one(
    params: Params, data: Data, eta: float, sigma_xi: float, weights: tuple[float, float] = (1, 1)
) -> Params:
    """Step 1: lambda_w = 1/(2 eta) erases W, so it is written W <- -eta grad; lambda_a = 0."""
    slope = gradient(params, data, sigma_xi, weights)
    return {
        "W": -eta * slope["W"],
        "b": params["b"] - eta * slope["b"],
        "a": params["a"] - eta * slope["a"],
    }


def step_two(
    params: Params, data: Data, sigma_xi: float, weights: tuple[float, float] = (1, 1)
) -> Params:
    """Step 2: eta = 1 and lambda_w = lambda_a = 1/2 erase both layers."""
    slope = gradient(params, data, sigma_xi, weights)
    return {"W": -slope["W"], "b": params["b"] - slope["b"], "a": -slope["a"]}


def class_weights(y: Tensor) -> tuple[float, float]:
    """alpha_v = 1 / (2 Pr[y = v]) for v = -1, +1, estimated on a sample (n,) (Appendix F)."""
    positive = float((y > 0).double().mean())
    return 0.5 / (1 - positive), 0.5 / positive


def first_two_steps(
    starts: Sequence[Params], data: Data, eta: float, sigma_xi: float, *, weighted: bool = False
) -> tuple[Params, Params]:
    """Both steps for R networks, each on its own full sample (R, n, ...): stacked parameters.

    Args:
        weighted: use the class-weighted loss L^alpha, as Appendix F does for unbalanced classes.
    """
    ones, twos = [], []
    for start, x, y in zip(starts, *data, strict=True):
        alpha = class_weights(y) if weighted else (1.0, 1.0)
        first = step_one(start, (x, y), eta, sigma_xi, alpha)
        ones.append(first)
        twos.append(step_two(first, (x, y), sigma_xi, alpha))
    return stack(ones), stack(twos)


def stack(networks: Sequence[Params]) -> Params:
    """Networks of equal shape as one ensemble with a leading replica axis."""
    return {name: torch.stack([p[name] for p in networks]) for name in networks[0]}


def amplified(params: Params, gain: float) -> Params:
    """W and b times the gain kappa, a = 0, float32: the start of the classifier stage."""
    return {
        "W": (gain * params["W"]).float(),
        "b": (gain * params["b"]).float(),
        "a": torch.zeros_like(params["a"]).float(),
    }


def rescaled(params: Params, like: Params) -> Params:
    """The same directions with every |w_i| that ``like`` has; b and a untouched."""
    norms = like["W"].norm(dim=-1, keepdim=True)
    return params | {"W": norms * torch.nn.functional.normalize(params["W"], dim=-1, eps=1e-300)}


def cosines(W: Tensor, direction: Tensor) -> Tensor:
    """cos(w_i, direction): (..., 2m), NaN for a dead neuron (w = 0)."""
    return W @ direction / (direction.norm() * W.norm(dim=-1))


def relevant_direction(D: int, k: int) -> Tensor:
    """sum_{j in A} M_j in the dictionary's coordinates: k ones, then zeros, float64 (D,)."""
    return (torch.arange(D) < k).double()


def lifted_cosines(W: Tensor, k: int, d: int, g: torch.Generator, sigma_w: float) -> Tensor:
    """Cosines of initial weights in R^d: the part outside the dictionary only adds to the norm."""
    outside = torch.randn(*W.shape[:-1], max(d - W.shape[-1], 0), generator=g, dtype=torch.float64)
    norm = (W.square().sum(-1) + sigma_w**2 * outside.to(W.device).square().sum(-1)).sqrt()
    return W[..., :k].sum(-1) / (math.sqrt(k) * norm)


def scores(g: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Accuracy and hinge loss over the last axis (sign 0 counts as wrong)."""
    return ((g * y) > 0).float().mean(-1), hinge(g, y)


Predict = Callable[..., Tensor]
Inputs = tuple[Tensor, ...]
"""What a prediction is made from, then the labels y: each (R, n, ...)."""


def observed(predict: Predict, sets: Sequence[Inputs], params: Params) -> dict[str, Tensor]:
    """Accuracy, hinge loss and its standard error ("error") on the training and the test sample.

    Args:
        predict: g (n,) of one network's parameters and its inputs.
        sets: inputs and labels of both samples.
    """
    found: dict[str, Tensor] = {}
    for name, (*inputs, y) in zip(("train", "test"), sets, strict=True):
        g = torch.vmap(predict)(params, *inputs)
        accuracy, loss = scores(g, y)
        error = (1 - y * g).clamp(min=0).std(-1) / y.shape[-1] ** 0.5
        found |= {f"{name} accuracy": accuracy, f"{name} hinge": loss, f"{name} error": error}
    return found


def train_classifier(
    predict: Predict, gradient: Callable[[Params, Any], tuple[Params, Tensor]], start: Params,
    fit: Inputs, test: Inputs, *, eta: float, steps: int, batch: int,
    seeds: Sequence[int], observe_at: Sequence[int],
) -> Run:  # fmt: skip
    """SGD on the hinge loss of ``predict``; see `observed`, on as many training as test samples.

    Args:
        gradient: of the hinge loss of one network on a batch, with its value.
    """
    sets = (tuple(x[:, : test[-1].shape[1]] for x in fit), test)

    def loss(params: Params, batch: Inputs) -> Tensor:
        return hinge(predict(params, *batch[:-1]), batch[-1])

    return train(
        loss,
        start,
        fit,
        steps=steps,
        seeds=seeds,
        batch_size=batch,
        optimizer=partial(torch.optim.SGD, lr=eta),
        gradient=gradient,
        observe=Observe(partial(observed, predict, sets), at=observe_at),
        execution=Execution(label="classifier"),
    )


def train_network(start: Params, fit: Data, test: Data, **plan: Any) -> Run:
    """The classifier stage (t > 2): all parameters, no noise, lambda = 0.

    Args:
        plan: eta, steps, batch, seeds and observe_at, as in `train_classifier`.
    """
    return train_classifier(output, hinge_gradient, start, fit, test, **plan)


def hidden(params: Params, x: Tensor) -> Tensor:
    """Outputs of the hidden neurons: (R, n, 2m) float32 for x (R, n, D)."""
    z = torch.baddbmm(params["b"].float()[:, None], x, params["W"].float().mT)
    return activation(z)


def linear_output(params: Params, features: Tensor) -> Tensor:
    """A linear function of features (n, N), without intercept: (n,)."""
    return _apply(features, params["a"])


@takes_replicas
def linear_gradient(params: Params, batch: Data) -> tuple[Params, Tensor]:
    """Gradient and value of the hinge loss of `linear_output`."""
    features, y = batch
    force, loss = _force(linear_output(params, features), y)
    return {"a": _apply(features.mT, force)}, loss


def train_linear(fit: Data, test: Data, **plan: Any) -> Run:
    """A linear classifier on fixed features (R, n, N), from zero.

    Args:
        plan: as in `train_network`.
    """
    start = {"a": torch.zeros_like(fit[0][:, 0])}
    return train_classifier(linear_output, linear_gradient, start, fit, test, **plan)


Tangent = tuple[Tensor, Tensor, Tensor, Tensor]


def tangent_output(params: Params, x: Tensor, slope: Tensor, h: Tensor) -> Tensor:
    """sum_i a_i sigma'(z_i) (<U_i, x> + c_i) + sigma(z_i) e_i: the network's linearisation."""
    linear = x @ params["U"].mT + params["c"][..., None, :]
    return (linear * slope).sum(-1) + _apply(h, params["e"])


def tangent_features(start: Params, data: Data) -> Tangent:
    """x, a_i sigma'(z_i), sigma(z_i) and y of the initial network: twins have the same tangent
    features up to a sign, so one of each pair is kept."""
    m = start["a"].shape[-1] // 2
    x, y = data
    W, b, a = (start[name].float()[:, :m] for name in ("W", "b", "a"))
    z = torch.baddbmm(b[:, None], x, W.mT)
    return x, a[:, None] * active(z, 0.0), activation(z), y


@takes_replicas
def tangent_gradient(params: Params, batch: Tangent) -> tuple[Params, Tensor]:
    """Gradient and value of the hinge loss of `tangent_output`."""
    x, slope, h, y = batch
    force, loss = _force(tangent_output(params, x, slope, h), y)
    U = (force[..., None] * slope).mT @ x
    return {"U": U, "c": _total(force, slope), "e": _total(force, h)}, loss


def train_tangent(start: Params, fit: Data, test: Data, **plan: Any) -> Run:
    """A linear classifier on the tangent features (NTK) of the initial network, from zero.

    Args:
        plan: as in `train_network`.
    """
    every, fresh = (tangent_features(start, part) for part in (fit, test))
    R, _, m = every[1].shape
    zero = partial(torch.zeros, device=fit[0].device)
    parameters = {"U": zero(R, m, fit[0].shape[-1]), "c": zero(R, m), "e": zero(R, m)}
    return train_classifier(tangent_output, tangent_gradient, parameters, every, fresh, **plan)
