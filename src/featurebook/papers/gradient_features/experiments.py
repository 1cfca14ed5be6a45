"""Trainings of the part: Algorithm 1, tickets, simplicity, fixed features."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gradient_features import maps, network, theory
from featurebook.papers.gradient_features.data import Mixture, Parity, linear_support

ETA1 = 1e-3
"""First step size η^(1); only η^(1) σ_a matters, and a^(1) stays near 0."""


def first_time(reached: Tensor, steps: Sequence[int]) -> NDArray[np.float64]:
    """The first of the observed ``steps`` at which something is so, inf where it never is: (S,).

    Args:
        reached: (observations, S) truth values.
    """
    found = reached.cpu().numpy()
    return np.where(found.any(0), np.asarray(steps)[found.argmax(0)], np.inf)


def after_first_step(
    mix: Mixture, m: int, seeds: Sequence[int], *, c_b: float, kappa: float, B_G: float
) -> list[Params]:
    """Networks of 4m neurons after step one on a whole mixture of Gaussians.

    Args:
        c_b: bias over the standard deviation of ⟨w, x⟩, b̃ = c_b σ_w √(E‖x‖²) with σ_w = 1/√d.
        kappa: effective threshold κ B_G/(|g|‖G‖) that neurons get, by the scale σ_a.
        B_G: typical norm of a gradient.
    """
    d = mix.means.shape[1]
    second = mix.weights @ ((mix.means**2).sum(1) + d * mix.sigma**2)
    b = c_b * float(np.sqrt(second / d))
    found = []
    for s in seeds:
        g = core.generator(s, "init")
        sigma_a = b / (kappa * ETA1 * B_G)
        start = network.symmetric(g, d, m, sigma_a=sigma_a, sigma_w=d**-0.5, b=b)
        found.append(network.first_step_exact(start, mix, ETA1))
    return found


def controls(starts: Sequence[Params], seeds: Sequence[int]) -> list[Params]:
    """The same networks with random directions of the same norms."""
    return [
        network.randomised(p, core.generator(s, "control"))
        for p, s in zip(starts, seeds, strict=True)
    ]


def verbatim(
    m: int, epsilon: float, seeds: Sequence[int], family: theory.Family, *, d: int, side: float,
    sigma_w: float, start: str = "printed", batch: int | None = None, most: int | None = None,
) -> tuple[core.Run, dict[str, float]]:  # fmt: skip
    """Theorem B.3 (3.12 with ``batch``) on linear data with every hidden constant 1.

    Args:
        start: "printed"; "random" for directions at random after step one.
        batch: samples of a step; the whole distribution by default.
        most: steps at most; T of the prescription by default.
    """
    X, y = linear_support(d, family.B_G, side)
    Xt, yt = torch.tensor(X).float(), torch.tensor(y).float()
    how = theory.prescription(family, m, epsilon, sigma_w=sigma_w, d=d)
    networks = []
    for s in seeds:
        g = core.generator(s, "init")
        first = network.symmetric(g, d, m, sigma_a=how["sigma_a"], sigma_w=sigma_w, b=how["b"])
        first = network.first_step(first, Xt, yt, how["eta1"])
        if start == "random":
            first = network.randomised(first, core.generator(s, "control"))
        networks.append(first)
    T = int(how["T"]) if most is None else min(most, int(how["T"]))

    def draw(g: torch.Generator, *shape: int) -> tuple[Tensor, Tensor]:
        if batch is None:
            return Xt.expand(*shape[:-1], *Xt.shape), yt.expand(*shape[:-1], *yt.shape)
        rows = torch.randint(len(yt), shape, generator=g)
        return Xt[rows], yt[rows]

    starts = network.stack(networks)
    size = starts["W"].norm(dim=(1, 2))

    def observe(params: Params) -> dict[str, Tensor]:
        seen = network.observed(params, (Xt, yt))
        return seen | {"moved": (params["W"] - starts["W"]).norm(dim=(1, 2)) / size}

    run = network.algorithm_1(
        starts, draw, eta=how["eta"], steps=T, batch=batch or len(y), seeds=seeds, test=(Xt, yt),
        observe_at=network.log_steps(T, 40), observe=observe, label=f"verbatim, {start}",
    )  # fmt: skip
    return run, how


def tickets(
    params: Params, D: np.ndarray, size: int, target: float, g: torch.Generator, *,
    close: float = 0.95, far: float = 0.8,
) -> dict[str, Tensor]:  # fmt: skip
    """Neurons of three subnetworks of equal size after step one.

    ticket: for each direction ±D_j the ``size`` positive-bias neurons of cosine above ``close`` (or
    the closest) with effective threshold nearest ``target``, as Lemma 3.14 chooses its support;
    random: as many at random; losers: at random among those with all cosines below ``far``.
    """
    W, b = params["W"].double().numpy(), params["b"].double().numpy()
    signed = (W @ D.T) / np.linalg.norm(W, axis=1, keepdims=True)  # (N, r)
    away = np.abs(np.log(maps.thresholds(W, np.abs(b)) / target))
    chosen: list[int] = []
    for direction in [*signed.T, *(-signed).T]:
        good = (b > 0) & (direction > close)
        order = np.lexsort((away, ~good, -np.where(good, 1.0, direction)))
        chosen += order[:size].tolist()
    count = len(chosen)
    losers = np.flatnonzero(np.abs(signed).max(1) < far)
    if len(losers) < count:
        losers = np.argsort(np.abs(signed).max(1))[:count]
    at = torch.randperm(len(losers), generator=g)[:count]
    return {
        "ticket": torch.tensor(chosen),
        "random": torch.randperm(len(W), generator=g)[:count],
        "losers": torch.tensor(losers)[at],
    }


def group_losses(params: Params, tests: dict[str, tuple[Tensor, Tensor]]) -> dict[str, Tensor]:
    """Hinge loss on several test sets, each (R,)."""
    return {name: network.hinge(params, test) for name, test in tests.items()}


def train_fixed(
    kind: str, width: int, parity: Parity, seeds: Sequence[int], *, eta: float, steps: int,
    batch: int, test: dict[str, tuple[Tensor, Tensor]],
) -> core.Run:  # fmt: skip
    """A linear model on fixed features by the same SGD on the same stream as the network.

    Args:
        kind: "random features" σ(⟨w, x⟩ - b)/√N, or "ntk": the gradient in W of such a network,
            ⟨V_i, x⟩ 1(⟨w_i, x⟩ > b_i)/√N with N d parameters.
    """
    d = parity.d

    def start(g: torch.Generator) -> Params:
        W = torch.randn(width, d, generator=g) / d**0.5
        b = torch.rand(width, generator=g) * 2 - 1
        theta = torch.zeros(width) if kind == "random features" else torch.zeros(width, d)
        return {"theta": theta, "W": W, "b": b}

    def score(params: Params, X: Tensor) -> Tensor:
        Z = X @ params["W"].mT - params["b"][..., None, :]
        if kind == "random features":
            return (torch.relu(Z) @ params["theta"][..., None])[..., 0] / width**0.5
        return ((Z > 0) * (X @ params["theta"].mT)).sum(-1) / width**0.5

    def loss(params: Params, data: tuple[Tensor, Tensor]) -> Tensor:
        return torch.relu(1 - data[1] * score(params, data[0])).mean(-1)

    @core.takes_replicas
    def gradient(params: Params, data: tuple[Tensor, Tensor]) -> tuple[Params, Tensor]:
        X, y = data
        margin = 1 - y * score(params, X)
        pull = torch.where(margin > 0, -y, torch.zeros_like(y)) / y.shape[-1] / width**0.5
        Z = X @ params["W"].mT - params["b"][..., None, :]
        if kind == "random features":
            step = (torch.relu(Z).mT @ pull[..., None])[..., 0]
        else:
            step = ((Z > 0) * pull[..., None]).mT @ X
        zeros = {k: torch.zeros_like(params[k]) for k in ("W", "b")}
        return {"theta": step, **zeros}, torch.relu(margin).mean(-1)

    return core.train(
        loss,
        core.replicate(start, seeds, "features"),
        lambda g, count: parity.draw(g, count, batch),
        steps=steps, seeds=seeds, optimizer=partial(torch.optim.SGD, lr=eta), gradient=gradient,
        schedule=lambda t: eta / (1 + 4 * t / steps),
        observe=core.Observe(lambda p: {n: loss(p, data) for n, data in test.items()}, [0, steps]),
        execution=core.Execution(label=kind),
    )  # fmt: skip


def random_features_error(
    mix: Mixture, width: int, n: int, seed: int, *, ridge: float = 10.0
) -> float:
    """Test error of ridge regression on ``width`` random ReLU features and n samples (E8)."""
    d = mix.means.shape[1]
    g = core.generator(seed, "random features", width, n)
    W = torch.randn(width, d, generator=g) / (d**0.5 * float(mix.sigma.max()))
    b = torch.randn(width, generator=g) / 2
    X, y = mix.draw(g, n)
    H = torch.relu(X @ W.T - b).double()
    theta = torch.linalg.solve(H.T @ H + ridge * torch.eye(width), H.T @ y.double())
    X, y = mix.draw(g, 4000)
    return float(((torch.relu(X @ W.T - b).double() @ theta) * y <= 0).double().mean())
