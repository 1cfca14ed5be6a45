"""The checks of the chapter on training, first part: where regularised training ends."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook import core, verdicts
from featurebook.papers.fourier_circuits import circuits, theory, training
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, identity, inequality, together

TRAINED = (2, 7)
"""Inputs k and modulus p of the networks that are trained at `PENALTIES`, 48 neurons."""
PENALTIES = (0.95, 0.8, 0.5, 0.2, 0.05, 0.01, 1e-3, 1e-4)
"""Their penalties λ over γ*, with the power k + 1; the first is above the critical one."""
FIRST_POWERS = (0.1, 0.01, 1e-4)
"""Penalties λ of first power at which the limit is judged."""
FLAWS = [("phase", 0.2), ("scale", 0.5), ("split", 0.2), ("phase", 1.0)]
"""Flaws of one neuron, and their sizes, with which no network may be a minimiser."""
SMALL = (2, 11)
"""Inputs k and modulus p of the networks that are trained from small starts, 80 neurons."""
FIRST, NATURAL = 0.01, 0.02
"""Their penalties: λ of the first power, and λ/γ* of the power k + 1."""


def bound_withstands(search_steps: int, seed: int) -> Verdict:
    """An attack on the bound over networks of six neurons, with the first power."""
    k, p = 2, 5
    sides = partial(training.bound_sides, reg=0.3 * theory.gamma(k, p), r=1.0)
    return attack(
        core.takes_replicas(sides),
        verdicts.starts((6, k + 1, p), random=16, seed=seed),
        steps=search_steps,
        what="bound and loss, r = 1",
    )


def loss_of_circuit(k: int, p: int, rho: float, reg: float, r: float) -> float:
    """The regularised loss of the short circuit, scaled to norm ρ."""
    U, W = circuits.network(*circuits.short(k), p)
    return float(training.full_loss({"U": rho * U[None], "W": rho * W[None]}, [reg], r))


@claims.check("minimum", proof="proved on the page")
def regularised_minimum(search_steps: int, seed: int) -> Iterator[Verdict]:
    """The bound under attack, the circuits that attain it, and the closed form of its minimum."""
    yield bound_withstands(search_steps, seed)
    reg = 0.3 * theory.gamma(2, 5)
    cases = [(rho, r) for rho in (0.3, 1.0, 2.0, 5.0, 8.0) for r in (1.0, 3.0)]
    yield identity(
        [loss_of_circuit(2, 5, rho, reg, r) for rho, r in cases],
        [theory.loss_bound(2, 5, rho, reg, r) for rho, r in cases],
        tolerance=1e-12,
        what="circuit of norm ρ and bound",
    )
    closed, searched = [], []  # norm and loss
    for k, p in [(2, 7), (3, 7), (4, 5)]:
        for share in (0.95, 0.9, 0.7, 0.3, 0.05, 0.001):
            reg = share * theory.gamma(k, p)
            closed.append(theory.minimum(k, p, reg))
            searched.append(theory.minimum_by_search(k, p, reg, k + 1))
    (norm, loss), (norm_found, loss_found) = np.array(closed).T, np.array(searched).T
    yield identity(loss, loss_found, tolerance=1e-12, what="smallest loss")
    yield identity(norm, norm_found, tolerance=1e-6, what="its norm")


@claims.experiment
def penalised(penalty_steps: int, seed: int) -> core.Params:
    """Eight trained networks, one for each of `PENALTIES`: U (8, 48, 2, 7) and W (8, 48, 7)."""
    k, p = TRAINED
    seeds = list(range(seed, seed + len(PENALTIES)))
    return training.train(
        training.initial(k, p, 48, 0.3, seeds),
        [share * theory.gamma(k, p) for share in PENALTIES],
        k + 1,
        steps=penalty_steps,
        lr=1e-2,
        seeds=seeds,
        label="penalties",
    ).params


@claims.experiment
def at_penalties(penalised: core.Params) -> dict[str, NDArray[np.float64]]:
    """What these networks have, and the closed form, each (8,).

    "penalty" λ, "norm", "loss", "margin" over γ*; "best norm" and "best loss" of the minimum.
    """
    k, p = TRAINED
    reg = [share * theory.gamma(k, p) for share in PENALTIES]
    found = training.measures(penalised)
    best = np.array([theory.minimum(k, p, x) for x in reg])
    return {
        "penalty": np.array(reg),
        "norm": found["norm"].numpy(),
        "loss": training.full_loss(penalised, reg, k + 1).numpy(),
        "margin": found["margin"].numpy(),
        "best norm": best[:, 0],
        "best loss": best[:, 1],
    }


@claims.check("minimum-trained")
def training_comes_close(at_penalties: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """Loss, norm and margin of trained networks and of the closed form."""
    x = at_penalties
    excess = np.abs(x["loss"] - x["best loss"]) / x["best loss"]
    yield inequality(excess, 1e-3, what="relative distance of the loss")
    away = np.abs(x["norm"] - x["best norm"]) / x["best norm"].max()
    yield inequality(away, 1e-3, what="distance of the norm")
    yield inequality(1 - x["margin"][x["best norm"] > 0], 0.01, what="1 - margin/γ*")


@claims.check("lemma-4-7", proof="proved on the page")
def weak_regularisation(search_steps: int, seed: int) -> Iterator[Verdict]:
    """The minimum, scaled circuits, the attack, and the least loss of circuits with a flaw."""
    k, p = TRAINED
    minima = []  # norm, loss, penalty, power
    for share in PENALTIES:
        reg = share * theory.gamma(k, p)
        norm, loss = theory.minimum(k, p, reg)
        if norm > 0:
            minima.append((norm, loss, reg, k + 1))
    for reg in FIRST_POWERS:
        minima.append((*theory.minimum_by_search(k, p, reg, 1), reg, 1))
    yield identity(
        [loss_of_circuit(k, p, norm, reg, r) for norm, _, reg, r in minima],
        [loss for _, loss, _, _ in minima],
        tolerance=1e-12,
        what="loss of a scaled circuit and the minimum",
    )
    yield bound_withstands(search_steps, seed)
    ratios = []
    for flaw, t in FLAWS:
        U, W = circuits.flawed(k, p, flaw, t)
        for _, loss, reg, r in minima:
            ratios.append(loss / training.smallest_loss(U, W, reg, r))
    yield inequality(ratios, 1 - 1e-6, what="minimum over the least loss with a flaw")


@claims.experiment
def from_small_starts(trap_steps: int, sigma_small: float, seed: int) -> dict[str, core.Params]:
    """Two networks from small starts, trained with the "first power" and the "natural power"."""
    k, p = SMALL
    seeds = [seed, seed + 1]
    begin = training.initial(k, p, 80, sigma_small, seeds)
    penalties = {"first power": (FIRST, 1), "natural power": (NATURAL * theory.gamma(k, p), k + 1)}
    return {
        name: training.train(
            begin, reg, r, steps=trap_steps, lr=1e-2, seeds=seeds, label=name
        ).params
        for name, (reg, r) in penalties.items()
    }


@claims.check("trap")
def trap(from_small_starts: dict[str, core.Params]) -> Iterator[Verdict]:
    """Where training ends, the minimum far away, and the wall around zero."""
    k, p = SMALL
    norm, loss = theory.minimum_by_search(k, p, FIRST, 1)
    trapped = training.measures(from_small_starts["first power"])["norm"]
    yield inequality(trapped / norm, 0.05, what="norm over that of the minimum")
    yield inequality(loss, 0.5 * np.log(p), what="smallest loss and log(p)/2")
    wall = (FIRST * p / (theory.gamma(k, p) * (p - 1))) ** (1 / k)
    near = [theory.loss_bound(k, p, x, FIRST, 1) for x in np.linspace(0.01, 0.99, 50) * wall]
    yield inequality(np.log(p), near, what="log p and the loss near zero")


@claims.check("no-trap")
def no_trap(from_small_starts: dict[str, core.Params]) -> Iterator[Verdict]:
    """The margin of the trained networks; and a small neuron whose loss is below that of zero."""
    k, p = SMALL
    margin = training.measures(from_small_starts["natural power"])["margin"]
    yield inequality(0.99, margin, what="margin over γ*")
    neuron, norm = small_neuron(k, p), 1e-2
    reg = np.array([0.02, 0.5, 0.9, 0.999]) * theory.critical_penalty(k, p)
    losses = np.array([float(training.full_loss(neuron, [x], k + 1)) for x in reg])
    slope = (losses - np.log(p)) / norm ** (k + 1)
    computed = [
        inequality(slope, 0.0, what="loss of one small neuron, less log p, over u"),
        identity(slope, reg - theory.critical_penalty(k, p), tolerance=1e-4, what="its slope"),
    ]
    yield verdicts.proved(together("", computed))


def small_neuron(k: int, p: int) -> dict[str, Any]:
    """One neuron of the short circuit, scaled to norm 0.01: U (1, 1, k, p), W (1, 1, p)."""
    U, W = circuits.network(*circuits.short(k), p)
    one = {"U": U[None, :1], "W": W[None, :1]}
    return {name: 1e-2 * x / training.measures(one)["norm"] for name, x in one.items()}
