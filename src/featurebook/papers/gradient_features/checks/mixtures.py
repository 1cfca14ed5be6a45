"""The checks on mixtures of Gaussians: the map, the training, and how likely features are."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from flint import arb
from numpy.typing import NDArray

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gradient_features import data, experiments, maps, network, theory
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, inequality

Array = NDArray[np.float64]

XOR = 0
"""The number of clusters that stands for the XOR in tables."""
DIMENSIONS = np.array([1e2, 1e3, 1e4, 1e6, 1e9])
"""Dimensions at which printed probabilities and errors are evaluated."""
PRACTICAL = -18
"""log10 of the least p for which a network of 1/p neurons is called possible."""
TEACHERS = (1024, 4096, 10000)
"""Dimensions at which the teacher's loss is certified, τ = 8."""
CURVE = np.geomspace(100, 1e6, 9)
"""Dimensions at which it is drawn."""
ARMS = {
    "gradient": (False, False),
    "gradient, frozen": (False, True),
    "random": (True, False),
    "random, frozen": (True, True),
}
"""Whether directions are random, and whether the first layer is frozen."""


@claims.experiment
def mixture_draws(neurons: int, d: int, d_train: int, seed: int) -> dict[str, Array]:
    """Random neurons, from one generator: "training" (1000, d_train) and "map" (neurons, d)."""
    rng = np.random.default_rng([seed, 28])
    return {"training": rng.normal(size=(1000, d_train)), "map": rng.normal(size=(neurons, d))}


@claims.experiment
def map_table(
    d: int,
    gamma: float,
    neurons: int,
    clusters: list[int],
    biases: list[float],
    n_seeds: int,
    seed: int,
) -> pd.DataFrame:
    """Probability p of a feature and median largest cosine, by r (0 is XOR), seed and bias c_b."""
    rows = []
    for r in [*clusters, XOR]:
        mix = data.xor(d) if r == XOR else data.orthogonal(d, r, d**0.5)
        least = d**0.5 * (0.1 if r == XOR else 0.5 / r)
        D = mix.directions[:: 2 if r == XOR else 1]
        for s in range(seed, seed + n_seeds):
            W = np.random.default_rng([s, 30]).normal(size=(neurons, d))
            for c_b in biases:
                G = maps.G_mixture(W, c_b * d**0.5, mix)
                p = maps.in_cone(G, D, gamma, least).mean()
                rows.append((r, s, c_b, p, np.median(maps.cosines(G, D).max(1))))
    return pd.DataFrame(rows, columns=["r", "seed", "c_b", "p", "cosine"])


@claims.check("best-bias")
def best_bias(map_table: pd.DataFrame, clusters: list[int]) -> Iterator[Verdict]:
    """The bias of the largest p, and the mean bias weighted by p, for each r and seed."""
    each = dict(list(map_table[map_table.r != XOR].groupby(["r", "seed"])))
    peak = np.array([x.c_b.iloc[int(x.p.argmax())] for x in each.values()])
    yield everywhere(peak > 0, what="the best bias is positive")
    centre = {key: (x.c_b * x.p).sum() / x.p.sum() for key, x in each.items()}
    rows = [[c for (k, _), c in centre.items() if k == r] for r in sorted(clusters)]
    yield everywhere(np.diff(rows, axis=0) > 0, what="mean bias grows with r")


@dataclass(frozen=True)
class Training:
    """Trainings of networks after step one, from gradient directions and from random ones.

    Attributes:
        steps: observed steps (T,).
        losses: test losses (T, seeds), by data and arm.
        first: the network of the first seed on the XOR after step one.
        trained: its first layer after training, (4m, d).
    """

    steps: list[int]
    losses: dict[tuple[str, str], Array]
    first: Params
    trained: Array


def training_data(d: int) -> dict[str, tuple[data.Mixture, int]]:
    """The mixtures, and the number r by which √d is divided for the size of a gradient."""
    return {"XOR": (data.xor(d), 5), "six clusters": (data.orthogonal(d, 6, d**0.5), 6)}


@claims.experiment
def mixture_training(
    d_train: int, m: int, train_steps: int, batch: int, n_seeds: int, seed: int
) -> Training:
    """Algorithm 1 on both mixtures from both starts, with the first layer trained and frozen."""
    losses, runs, firsts = {}, {}, {}
    seeds, root = range(seed, seed + n_seeds), d_train**0.5
    for name, (mix, r) in training_data(d_train).items():
        first = experiments.after_first_step(mix, m, seeds, c_b=0.5, kappa=root / 2, B_G=root / r)
        firsts[name], swapped = first, experiments.controls(first, seeds)
        for arm, (random, frozen) in ARMS.items():
            run = network.algorithm_1(
                network.stack(swapped if random else first),
                mix.draw,
                eta=0.02,
                steps=train_steps,
                batch=batch,
                seeds=seeds,
                test=mix.draw(core.generator(seed, "test"), 2000),
                observe_at=network.log_steps(train_steps, 14),
                frozen=frozen,
                label=arm,
            )
            runs[name, arm], losses[name, arm] = run, run.observed["loss"].numpy()
    trained = runs["XOR", "gradient"]
    return Training(list(trained.steps), losses, firsts["XOR"][0], trained.params["W"][0].numpy())


@claims.check("mixture-training")
def training_and_control(mixture_training: Training) -> Iterator[Verdict]:
    """The least loss of each arm, for each seed."""
    best = {key: x.min(0) for key, x in mixture_training.losses.items()}
    learned = [x < 0.05 for (_, arm), x in best.items() if arm.startswith("gradient")]
    yield everywhere(np.stack(learned), what="gradient directions: loss < 0.05")
    yield everywhere(best["XOR", "random, frozen"] > 0.4, what="random, frozen: > 0.4")


def certified_losses() -> tuple[list[arb], list[arb]]:
    """A lower bound of the teacher's loss and the printed bound, in balls."""
    least, printed = zip(*[theory.teacher_loss_ball(d, 8) for d in TEACHERS], strict=True)
    return list(least), list(printed)


@claims.experiment
def teacher_losses() -> dict[str, Array]:
    """Loss of the teacher for two clusters at `CURVE`, "exact", and three bounds on it."""
    s = np.sqrt(8 * np.log(CURVE))
    exact = np.array([theory.teacher_loss(x) for x in s]) + theory.shortfall(2 * s) / s
    return {
        "exact": exact,
        "printed": theory.teacher_loss_printed(CURVE, 8),
        "corrected": theory.teacher_loss_corrected(CURVE, 8),
        "simple": theory.teacher_loss_simple(CURVE, 8),
    }


@claims.check("lemma-3-17-loss")
def teacher_as_printed() -> Iterator[Verdict]:
    """A lower bound of the loss and the printed bound."""
    least, printed = certified_losses()
    yield exactly(least, "<=", printed, what="loss, d = 1024 to 10^4")


@claims.check("lemma-3-17-loss-corrected", proof="proved on the page")
def teacher_corrected(teacher_losses: dict[str, Array]) -> Iterator[Verdict]:
    """The loss, both bounds of the correction, and the printed bound with the constant 5."""
    true, close, simple = (teacher_losses[x] for x in ("exact", "corrected", "simple"))
    yield inequality(
        [true / simple, close / simple],
        [close / simple, simple / simple],
        what="loss and bounds, over the simple bound",
    )
    roots = [(8 * arb(d).log()).sqrt() for d in TEACHERS]
    at_five = [2 * theory.shortfall_ball(s * 3 / 2) / s for s in roots]
    yield exactly(at_five, "<=", certified_losses()[1], what="2 f(3s/2)/s and the printed bound")
