"""The checks of what the linear model learns: weights of shared and private features."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import verdicts
from featurebook.core.spectra import spectral_norm
from featurebook.papers.universality_tradeoff import adversaries, linear, training
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, exponent, identity, inequality, search

SOLVED = (1, 2, 4)
"""Tasks of the mixtures whose programme is solved."""
MIXTURES = (([0.5, 0.5], 1.0, [1.0, 1.0]), ([0.7, 0.3], 0.8, [1.0, 1.5]))
"""Task weights, σ_S and σ_R of the two tasks at which full matrices W are attacked."""
HALVES = (0.5, 0.5)
"""Weights of two equal tasks."""
UNEVEN = (
    ((0.9, 0.1), 1.0, (1, 1), (1, 0.811, 0.189)),
    ((0.6, 0.4), 1.0, (1, 1), (1, 0.559, 0.441)),
    ((0.5, 0.3, 0.2), 1.0, (1, 1, 1), (1, 0.453, 0.320, 0.227)),
    (HALVES, 1.0, (2, 1), (1, 0.316, 0.684)),
    (HALVES, 0.6, (1, 1), (0.793, 0.604, 0.604)),
)
"""Task weights, σ_S, σ_R, and the optimum (α, α_1, ...) that is stated, for s = q = 5."""


@claims.experiment
def solved_mixtures(s_small: int) -> list[NDArray[np.float64]]:
    """(α, α_1, ..., α_T) that minimise the loss of an even mixture, for each T of `SOLVED`."""
    return [linear.optimum(s_small, s_small, [1 / T] * T) for T in SOLVED]


@claims.experiment
def trained_W(
    tasks: list[int], s_small: int, trainings: int, W_steps: int, seed: int
) -> torch.Tensor:
    """W trained on even mixtures of T tasks, with s = q: (tasks, runs, k, k + spurious)."""
    seeds = range(seed, seed + trainings)
    return training.pretrain(tasks, s_small, s_small, seeds=seeds, steps=W_steps)


@claims.experiment
def trained_weights(
    trained_W: torch.Tensor, tasks: list[int], s_small: int
) -> dict[str, NDArray[np.float64]]:
    """Squared weights in trained W.

    "private" is their mean, and "distance" the largest distance of a shared or private one from
    the closed form, both (tasks, runs); "spurious" is the largest of all.
    """
    most = tasks[-1]
    blocks = training.block_means(trained_W, s_small, s_small, most).numpy()  # T, runs, blocks
    wanted = np.array([np.r_[1, np.full(T, 1 / T), np.zeros(most - T)] for T in tasks])
    private = [of[:, 1 : 1 + T].mean(1) for of, T in zip(blocks, tasks, strict=True)]
    spurious = (trained_W[..., s_small * (1 + most) :] ** 2).sum(2).max()
    return {
        "distance": np.abs(blocks - wanted[:, None]).max(2),
        "private": np.array(private),
        "spurious": spurious.numpy(),
    }


@claims.check("norm-bounds", proof="proved on the page")
def least_norms(seed: int) -> Iterator[Verdict]:
    """Norms of the matrix that recovers r of d features, and what less of either norm misses."""
    rng = np.random.default_rng([seed, 6])
    norms, missed = [], []
    for d, r in ((3, 1), (5, 3), (8, 8)):
        M = np.linalg.qr(rng.normal(size=(d, d)))[0]
        kept = np.eye(d)[rng.permutation(d)[:r]]
        W = kept @ np.linalg.inv(M)
        norms.append([spectral_norm(W), np.linalg.norm(W) / np.sqrt(r)])
        for size in [0.0, *[0.1] * 20]:  # 0.99 of W, and others with 0.99 of one of its norms
            V = W + size * rng.normal(size=W.shape)
            for norm in (2, "fro"):
                smaller = 0.99 * V * np.linalg.norm(W, norm) / np.linalg.norm(V, norm)
                missed.append(spectral_norm(smaller @ M - kept))
    yield identity(norms, 1.0, tolerance=1e-12, what="spectral norm, and Frobenius norm over √r")
    what = "error of matrices with 0.99 of a norm"
    yield inequality(0.01, missed, slack=1e-12, what=what)


@claims.check("lemma-f-3", proof="proved on the page")
def optimum_is_diagonal(evaluations: int, seed: int) -> Iterator[Verdict]:
    """The least loss of diagonal W against that of full W, which an attack lowers."""
    for mixture in MIXTURES:
        two = adversaries.TwoTasks(*mixture)
        best = torch.tensor(two.programme() - 1e-7, dtype=torch.float64)
        yield attack(
            lambda W, two=two, best=best: (best, two.loss(W)),
            verdicts.starts((3, 3), random=24, seed=seed),
            into=two.feasible,
            steps=max(evaluations // 4, 20),
            what=f"diagonal against full W, weights {mixture[0]}",
        )


@claims.check("claim-f-4", proof="proved on the page")
def equal_weights_in_a_block(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A block of equal weights against unequal ones of the same sum."""
    yield attack(
        adversaries.TwoTasks(*MIXTURES[-1]).split,
        verdicts.starts((3,), random=24, seed=seed),
        into=torch.sigmoid,
        steps=max(evaluations // 8, 20),
        what="equal against unequal",
    )


@claims.check("prop-7-3", proof="proved on the page")
def private_weights(solved_mixtures: list[NDArray[np.float64]], s_small: int) -> Iterator[Verdict]:
    """The private weights of a solver against β at its α."""
    s = s_small
    beta = [linear.shared_first(2 * s, s, s, len(x) - 1, x[0]) for x in solved_mixtures]
    yield identity(
        np.concatenate([x[1:] for x in solved_mixtures]),
        np.repeat(beta, [len(x) - 1 for x in solved_mixtures]),
        tolerance=1e-4,
        what="α_t against β(α)",
    )


@claims.check("y1", proof="proved on the page")
def shared_weight_is_one(
    solved_mixtures: list[NDArray[np.float64]], evaluations: int, seed: int
) -> Iterator[Verdict]:
    """The slope of the loss in α for several losses and sizes, and the solver's weights."""
    yield search(
        adversaries.slope_sides,
        [(0.01, 1), (1, 20), (1, 20), (1, 20), (0, 1)],
        integrality=[False, True, True, False, True],
        evaluations=evaluations,
        seed=seed,
        what="slope in α",
    )
    yield identity(
        np.concatenate(solved_mixtures),
        np.concatenate([np.r_[1, np.full(T, 1 / T)] for T in SOLVED]),
        tolerance=1e-3,
        what="solver",
    )


@claims.check("superposed", proof="proved on the page")
def optimum_is_not_unique(
    tasks: list[int], s: int, q: int, s_small: int, seed: int
) -> Iterator[Verdict]:
    """Losses of samples under both representations, and the loss -t of random splits."""
    rng = np.random.default_rng([seed, 1])
    losses = []
    for T in tasks[1:]:
        owner = rng.integers(T, size=64)
        z = rng.normal(size=(64, s + T * q))
        z[:, s:] *= np.repeat(np.eye(T)[owner], q, axis=1)
        both = (linear.diagonal(s, q, T), linear.superposed(s, q, T))
        losses += [(linear.logistic(((z @ A.T) ** 2).sum(1))) for A in both]
    sides = [np.concatenate(losses[i::2]) for i in (0, 1)]
    yield identity(*sides, tolerance=1e-12, what="loss of each sample")
    shares = rng.dirichlet(np.ones(4), size=50)
    flat = [
        linear.mixture_loss(1, x, s_small, s_small, [0.25] * 4, loss=lambda t: -t) for x in shares
    ]
    yield identity(flat, flat[0], tolerance=1e-12, what="loss -t of any split")


@claims.check("budget", proof="proved on the page")
def larger_budget(s_small: int) -> Iterator[Verdict]:
    """The solver's weights of four tasks with a budget for all of their features."""
    wide = linear.optimum(s_small, s_small, [0.25] * 4, budget=5 * s_small)
    yield identity(wide, 1.0, tolerance=1e-6, what="weights")


@claims.check("trained")
def training_finds_the_weights(
    trained_weights: dict[str, NDArray[np.float64]], tasks: list[int]
) -> Iterator[Verdict]:
    """Distances from the closed form, spurious weights, and the exponent of β in T."""
    T = np.array(tasks)
    even = 2 / (1 + T)  # s = q: what an even share of the budget gives all
    yield inequality(trained_weights["distance"], 0.02, what="distance from the weights")
    yield inequality(float(trained_weights["spurious"]), 0.01, what="spurious weight")
    yield exponent(
        T,
        trained_weights["private"].T,
        expected=(-1.05, -0.95),
        rival={"an even share": float(verdicts.exponents(T, even)[0])},
        what="exponent of β in T",
    )


@claims.check("cross-blocks")
def entries_between_tasks(
    trained_W: torch.Tensor, tasks: list[int], s_small: int
) -> Iterator[Verdict]:
    """The largest entries off the diagonal, elsewhere and between two tasks."""
    several = list(zip(trained_W, tasks, strict=True))[1:]
    entries = np.array([
        training.off_diagonal(W, s_small, s_small, T).numpy() for W, T in several
    ])  # fmt: skip
    yield inequality(
        entries[..., 1].ravel(),
        entries[..., 0].ravel(),
        what="largest entry elsewhere, and between tasks",
    )


def relative_gains() -> tuple[list[float], list[float]]:
    """Gains of the weights of `UNEVEN`, over that of the first private one: inside, and at 1."""
    inside: list[float] = []
    capped: list[float] = []
    for w, sigma_S, sigma_R, at in UNEVEN:
        power = np.square(sigma_R)  # α_t σ_t² is the weight of white features
        white = np.r_[at[0], at[1:] * power]
        gain = linear.marginal_gains(white, 5, 5, w, sigma_S) * np.r_[1, power]
        (capped if at[0] == 1 else inside).append(gain[0] / gain[1])
        inside += list(gain[2:] / gain[1])
    return inside, capped


@claims.check("uneven")
def rare_and_weak_are_dropped() -> Iterator[Verdict]:
    """A solver's weights of seven mixtures, and slopes that show these to be optimal."""
    skewed, weak = linear.optimum(5, 5, (0.99, 0.01)), linear.optimum(5, 5, HALVES, sigma_S=0.3)
    rare = linear.marginal_gains([1, 1, 0], 5, 5, (0.99, 0.01))
    faint = linear.marginal_gains([0, 1, 1], 5, 5, HALVES, sigma_S=0.3)
    yield identity(
        np.r_[skewed, weak],
        np.r_[1, 1, 0, 0, 1, 1],
        tolerance=1e-3,
        what="weights of the rare task, of the weak features",
    )
    yield inequality(
        [rare[2], faint[0]],
        [rare[:2].min(), faint[1:].min()],
        what="gain of what is dropped, of what is kept",
    )
    yield identity(
        np.concatenate([linear.optimum(5, 5, *x[:3]) for x in UNEVEN]),
        np.concatenate([x[3] for x in UNEVEN]),
        tolerance=1e-3,
        what="weights of the five others",
    )
    inside, capped = relative_gains()
    yield identity(inside, 1.0, tolerance=5e-3, what="gains inside, ratio")
    yield inequality(1.0, capped, what="gains at 1 against those inside")
