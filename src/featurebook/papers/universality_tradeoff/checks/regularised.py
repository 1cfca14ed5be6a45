"""The checks of similarities in the linear model, and of its contrastive regularisation."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy
import torch
from numpy.typing import NDArray

from featurebook.papers.universality_tradeoff import adversaries, linear, risks, training
from featurebook.papers.universality_tradeoff.checks.bounds import Q_, S_, V1_, V2_
from featurebook.papers.universality_tradeoff.checks.more_tasks import SHARED_WEIGHTS, grows
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, exactly, identity, inequality

OTHER_SIZES = ((2, 4), (4, 2))
"""s and q of further trained W whose similarities are measured."""
FEW_TASKS = [1, 2, 4]
"""Tasks of their mixtures."""
TASKS = 4
"""T before the regularisation."""
ELSEWHERE = ((2, 0.3), (9, 0.5), (2, 2.0))
"""Further T and γ; with the last β reaches 1."""
ATTACKED = ((4, 1, 0.3), (16, 1, 0.6), (64, 1, 0.8))
"""T, s and γ at which the reach from the superposed optimum is attacked."""
ONE_MORE = (64, 1, 0.8, 1)
"""The same with one more output."""
BETA_ = sympy.Symbol("β", positive=True)
GENERAL = (V1_ + V2_ / BETA_) * (S_ + Q_ * BETA_)
"""The squared leading term at α = 1."""


@claims.experiment
def measured_similarities(
    trained_W: torch.Tensor, tasks: list[int], s_small: int, W_steps: int, seed: int
) -> dict[str, NDArray[np.float64]]:
    """CKA of pairs of mixtures on the target task, (pairs, sizes).

    "closed" is the formula, "optima" that of the optima on white data, "trained" that of trained W
    on fresh data.
    """
    rng = np.random.default_rng([seed, 7])
    sets: list[tuple[int, int, list[int], torch.Tensor]] = [
        (s_small, s_small, tasks, trained_W[:, 0])
    ]
    for n_s, n_q in OTHER_SIZES:
        also = training.pretrain(FEW_TASKS, n_s, n_q, seeds=[seed], steps=W_steps)[:, 0]
        sets.append((n_s, n_q, FEW_TASKS, also))
    rows = [row for some in sets for row in _similarities(*some, rng)]
    return dict(zip(("closed", "optima", "trained"), np.array(rows).T, strict=True))


def _similarities(
    s: int, q: int, tasks: list[int], some: torch.Tensor, rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """The formula, and CKA of optima and of trained W (tasks, k, d), for each pair of mixtures."""
    white = np.linalg.qr(np.c_[np.ones(64), rng.normal(size=(64, s + q))])[0][:, 1:]
    optima = [white * np.sqrt(np.r_[np.ones(s), np.full(q, 1 / T)]) for T in tasks]
    z = np.zeros((20000, some.shape[-1]))
    z[:, : s + q] = rng.normal(size=(20000, s + q))
    trained = [z @ V.numpy().T for V in some]
    return [
        (
            linear.cka_of_mixtures(T, other, s, q),
            linear.cka_of_features(X, Y),
            linear.cka_of_features(U, V),
        )
        for (T, X, U), (other, Y, V) in product(zip(tasks, optima, trained, strict=True), repeat=2)
    ]


@claims.experiment
def regularised_W(
    s_small: int, gamma: float, trainings: int, W_steps: int, seed: int
) -> dict[str, NDArray[np.float64]]:
    """(α, β) after contrastive steps on the target from both optima: (runs, 2)."""
    return {
        make.__name__: training.block_means(
            training.regularise(
                torch.tensor(make(s_small, s_small, TASKS)), s_small, s_small, gamma,
                seeds=range(seed, seed + trainings), steps=max(W_steps // 4, 20),
            ),
            s_small, s_small, 1,
        ).numpy()
        for make in (linear.diagonal, linear.superposed)
    }  # fmt: skip


@claims.experiment
def regularised_elsewhere(
    s_small: int, W_steps: int, seed: int
) -> dict[tuple[int, float], NDArray[np.float64]]:
    """The same from the diagonal optimum, one run, by T and γ in `ELSEWHERE`: (1, 2) each."""
    return {
        (T, gamma): training.block_means(
            training.regularise(
                torch.tensor(linear.diagonal(s_small, s_small, T)), s_small, s_small, gamma,
                seeds=[seed], steps=max(W_steps // 4, 20),
            ),
            s_small, s_small, 1,
        ).numpy()
        for T, gamma in ELSEWHERE
    }  # fmt: skip


@claims.experiment
def regularised_risks(
    gamma: float, s: int, q: int, m: int, tau: float, reps: int, runs: int, seed: int
) -> dict[float, NDArray[np.float64]]:
    """Mean risks on the target before and after the step, (runs, 2), by v_1."""
    return {
        v1: risks.regularised(TASKS, gamma, s, q, v1, m, tau, reps, runs, seed)
        for v1 in SHARED_WEIGHTS
    }


@claims.check("y4", proof="proved on the page")
def similarity_in_closed_form(
    measured_similarities: dict[str, NDArray[np.float64]], s_small: int
) -> Iterator[Verdict]:
    """CKA of optima on white data, and with another single task, against the formulas."""
    found = measured_similarities
    yield identity(found["optima"], found["closed"], tolerance=1e-12, what="optima")
    single = []
    for s, q in ((s_small, s_small), *OTHER_SIZES):
        alike = linear.cka(np.ones(s + q), np.r_[np.ones(s), np.zeros(q)])
        single.append((alike, np.sqrt(s / (s + q))))
    yield identity(*zip(*single, strict=True), tolerance=1e-12, what="other task")


@claims.check("prop-f-9", proof="proved on the page")
def regularised_on_the_target(
    regularised_W: dict[str, NDArray[np.float64]],
    regularised_elsewhere: dict[tuple[int, float], NDArray[np.float64]],
    gamma: float, s_small: int,
) -> Iterator[Verdict]:  # fmt: skip
    """(α, β) of trained W from the diagonal optimum, also for other T and where β reaches 1."""
    claimed = [1, linear.after_regularisation(TASKS, gamma, s_small)]
    yield identity(regularised_W["diagonal"], claimed, tolerance=0.005, what="α, β")
    for (T, radius), found in regularised_elsewhere.items():
        claimed = [1, linear.after_regularisation(T, radius, s_small)]
        yield identity(found, claimed, tolerance=0.005, what=f"α, β, T = {T}, γ = {radius}")


def attacked(case: tuple[Any, ...], evaluations: int, seed: int) -> tuple[Verdict, float]:
    """An attack on what one reaches from the superposed optimum, and what is said to be most."""
    near = adversaries.NearSuperposed(*case)
    found = attack(
        near.sides,
        near.starts(seed),
        into=near.feasible,
        steps=min(150, evaluations),
        what=f"T, s, γ = {case[:3]}",
    )
    return found, float(near.most)


@claims.check("f-9-superposed")
def from_the_superposed_optimum(
    regularised_W: dict[str, NDArray[np.float64]], gamma: float, s_small: int, evaluations: int,
    seed: int,
) -> Iterator[Verdict]:  # fmt: skip
    """Attacks on the reach, (α, β) of trained W, and a W that reaches more by one more output."""
    for case in (*ATTACKED, (TASKS, s_small, gamma)):
        yield attacked(case, evaluations, seed)[0]
    claimed = [1, linear.after_from_superposed(TASKS, gamma, s_small)]
    yield identity(regularised_W["superposed"], claimed, tolerance=0.005, what="α, β")
    found, most = attacked(ONE_MORE, evaluations, seed)
    beyond = found.numbers["smaller_at_worst"]
    yield inequality(1.02 * most, beyond, what="with one more output")


@claims.check("rate-after")
def the_bound_falls() -> Iterator[Verdict]:
    """The squared term and its slope for v_1 = v_2, r = 2s."""
    half = sympy.Rational(1, 2)
    even = GENERAL.subs({V1_: half, V2_: half, Q_: S_})
    yield exactly(
        [even, sympy.diff(even, BETA_) * BETA_**2],
        "==",
        [S_ / 2 * (2 + 1 / BETA_ + BETA_), S_ / 2 * (BETA_**2 - 1)],
        what="squared term and slope",
    )


@claims.check("when-lower")
def when_the_bound_falls() -> Iterator[Verdict]:
    """The slope in general."""
    slope = sympy.diff(GENERAL, BETA_) * BETA_**2
    yield exactly(slope, "==", V1_ * Q_ * BETA_**2 - V2_ * S_, what="slope times β²")


@claims.check("regularised-risk")
def risk_after_the_step(regularised_risks: dict[float, NDArray[np.float64]]) -> Iterator[Verdict]:
    """What the step saves at v_1 = v_2, and adds at v_1 = 0.9."""
    saved = {v1: risk[:, 0] - risk[:, 1] for v1, risk in regularised_risks.items()}
    yield grows(saved[0.5], "saved, v_1 = v_2")
    yield grows(-saved[0.9], "added, v_1 = .9")
