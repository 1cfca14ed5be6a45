"""The checks of transformers whose weights are learned, and of what their weights can do."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.looped_transformers import data, experiments, theory, trained
from featurebook.papers.looped_transformers.attention import (
    LoopedTransformer,
    linear_attention,
    mask,
    prompt,
)
from featurebook.papers.looped_transformers.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, inequality

Numbers = NDArray[np.float64]

LABEL = Fraction(6, 5)
"""Weight c of the label in the exact checks."""
DRIFT = Fraction(-1, 7)
"""Corner e of P in the exact checks, by which the query drifts."""


@claims.experiment
def learned(
    train_loops: list[int],
    n: int,
    d: int,
    train_steps: int,
    batch: int,
    n_seeds: int,
    seed: int,
    device: str,
) -> dict[int, Params]:
    """Weights Q and P, (seeds, d + 1, d + 1), on the processor, by the loops of the training."""
    seeds = list(range(seed, seed + n_seeds))
    where = core.pick_device(device)
    runs = {
        T: trained.train(n, d, T, steps=train_steps, batch=batch, seeds=seeds, device=where)
        for T in train_loops
    }
    return {T: {k: p.cpu() for k, p in run.params.items()} for T, run in runs.items()}


@dataclass(frozen=True)
class Fresh:
    """Prompts that no training saw.

    Attributes:
        G: Gram matrices (draws, d + 1, d + 1); theta: tasks (draws, d).
    """

    G: Tensor
    theta: Tensor


@claims.experiment
def test_prompts(draws: int, n: int, d: int, seed: int) -> Fresh:
    """Fresh Gaussian prompts, as Gram matrices."""
    return Fresh(*trained.grams(data.generator(seed, "test"), draws, n, d))


@claims.experiment
def learned_errors(
    learned: dict[int, Params], test_prompts: Fresh, beyond: int
) -> dict[int, Numbers]:
    """Mean and median squared error after 0 to `beyond` loops, (seeds, 2, loops + 1)."""
    return {
        T: np.stack(
            [
                trained.mean_and_median(
                    {k: p[r] for k, p in params.items()},
                    test_prompts.G,
                    test_prompts.theta,
                    beyond,
                )
                for r in range(len(params["Q"]))
            ]
        )
        for T, params in learned.items()
    }


@claims.experiment
def best_constructions(train_loops: list[int], test_prompts: Fresh) -> dict[int, dict[str, Any]]:
    """By loops: step ηn, label weight c and mean error of the best construction.

    "step" is the best with c = 1, "both" with the best c.
    """
    G, theta = test_prompts.G, test_prompts.theta
    return {
        T: {
            "step": trained.best_weights(G, theta, T, label=False),
            "both": trained.best_weights(G, theta, T),
        }
        for T in train_loops
    }


@claims.experiment
def learned_table(
    learned: dict[int, Params],
    test_prompts: Fresh,
    learned_errors: dict[int, Numbers],
    best_constructions: dict[int, dict[str, Any]],
) -> pd.DataFrame:
    """Mean errors, steps and label weights, a column for each number of loops."""
    rows = {}
    for T, params in learned.items():
        eta, c, weighed = best_constructions[T]["both"]
        descent = trained.descent_errors(test_prompts.G, test_prompts.theta, T)[-1]
        rows[T] = {
            "1/L": descent.mean(),
            "best step": best_constructions[T]["step"][2],
            "best step and label weight": weighed,
            "trained": learned_errors[T][:, 0, T].mean(),
            "step, of the best": eta,
            "step, trained": float(trained.step_size(params).mean()),
            "label weight, of the best": c,
            "label weight net of drift, trained": trained.net_label_weights(params).mean(),
        }
    return pd.DataFrame(rows).rename_axis(columns="loops")


@claims.check("label-weight")
def label_weight(seed: int) -> Iterator[Verdict]:
    """Answers with the label's weight, and c times those without it, in fractions."""
    etas = [Fraction(1, 3), Fraction(5, 2), Fraction(1, 7)]
    weighed: list[Any] = []
    plain: list[Any] = []
    for X, task, alpha, _ in experiments.exact_prompts(seed):
        for label, answers in ((LABEL, weighed), (1, plain)):
            net = LoopedTransformer.gradient_descent(len(X), len(task), object, label=label)
            answers.append(net(prompt(X, X @ task, alpha), etas))
    yield exactly(np.concatenate(weighed), "==", LABEL * np.concatenate(plain), what="c = 6/5")


@claims.check("resting-point")
def resting_point(seed: int) -> Iterator[Verdict]:
    """How the query drifts from loop to loop, and the layer's move at rest, in fractions."""
    etas = [Fraction(1, 3), Fraction(5, 2), Fraction(1, 7)]
    follows: list[Any] = []
    zero: list[Any] = []
    for X, task, alpha, _ in experiments.exact_prompts(seed):
        net = LoopedTransformer.gradient_descent(len(X), len(task), object, label=LABEL)
        net.P[-1, -1] = DRIFT
        rows = [Z[-1] for Z in net.states(prompt(X, X @ task, alpha), etas)]
        follows += [z[-1] - alpha - DRIFT * (z[:-1] @ task) for z in rows]
        q = -trained.net_label_weight(LABEL, DRIFT) * alpha * task
        rest = prompt(X, X @ task, alpha / (1 + LABEL * DRIFT), q)
        zero += [*linear_attention(rest, net.Q, net.P, net.M).ravel()]
    yield exactly([*follows, *zero], "==", 0, what="drift, and move at rest")


@claims.check("trained-one-loop")
def one_loop(
    n: int, d: int, test_prompts: Fresh, learned_errors: dict[int, Numbers]
) -> Iterator[Verdict]:
    """The trained error over that of the best step, and that over the formula."""
    step, least = theory.one_step_optimum(n, d)
    best = trained.construction(d, step * n)
    at_step = trained.errors(best, test_prompts.G, test_prompts.theta, 1)[1]  # (prompts,)
    five = 5 * float(at_step.std()) / len(at_step) ** 0.5
    seen = float(at_step.mean())
    reached = learned_errors[1][:, 0, 1] if 1 in learned_errors else np.array([])
    yield inequality(np.abs(reached / seen - 1), 0.01, what="trained, from the best")
    yield inequality(
        abs(seen - least), five, what=f"best step's mean error from {least:.4f}, five s.e."
    )


@claims.check("weight-symmetry")
def weight_symmetry(seed: int) -> Iterator[Verdict]:
    """Answers of two loops with random weights and with sheared ones, in fractions."""
    plain: list[Any] = []
    moved: list[Any] = []
    for k, (X, task, alpha, s) in enumerate(experiments.exact_prompts(seed)):
        rng, size = data.generator(seed, "weights", k), len(s) + 1
        Q, P = (data.small_fractions(rng, size, size) for _ in range(2))
        for (left, right), answers in (((Q, P), plain), (trained.sheared(Q, P, s), moved)):
            net = LoopedTransformer(left, right, mask(len(X), dtype=object))
            answers.append(net(prompt(X, X @ task, alpha), [Fraction(1, 3), Fraction(2)]))
    yield exactly(np.concatenate(plain), "==", np.concatenate(moved), what="two loops")


@claims.experiment
def learned_gains(
    learned: dict[int, Params],
    learned_errors: dict[int, Numbers],
    best_constructions: dict[int, dict[str, Any]],
) -> pd.DataFrame:
    """Errors over those of both best constructions, c and c', a row for each network; T > 1."""
    rows = []
    for T, params in learned.items():
        if T == 1:
            continue
        plain, weighed = (best_constructions[T][name][2] for name in ("step", "both"))
        c, net = trained.label_weight(params).numpy(), trained.net_label_weights(params)
        rows += [
            (T, mean / plain, mean / weighed, c[r], net[r])
            for r, mean in enumerate(learned_errors[T][:, 0, T])
        ]
    columns = ["loops", "over best step", "over best step and weight", "c", "c'"]
    return pd.DataFrame(rows, columns=columns).set_index("loops")


@claims.check("trained-gain")
def what_training_gains(learned_gains: pd.DataFrame) -> Iterator[Verdict]:
    """Ratios of errors and weights of the label against the claimed ranges."""
    shallow = learned_gains[learned_gains.index == 2]
    inside = [
        shallow["over best step"] < 0.9,
        shallow["over best step and weight"].between(0.95, 1.05),
        learned_gains.groupby("loops")["over best step"].median() < 0.9,
        learned_gains["c'"].between(1.0, 1.3, inclusive="right"),
    ]
    yield everywhere(np.concatenate(inside), what="ratios and c' in the claimed ranges")


@claims.check("trained-explosion")
def looped_longer(
    learned: dict[int, Params],
    test_prompts: Fresh,
    learned_errors: dict[int, Numbers],
    n_seeds: int,
    beyond: int,
) -> Iterator[Verdict]:
    """The median error over that at rest, and the mean error at the last loop."""
    deep = max(learned)
    rest = np.array(
        [
            np.median(trained.resting_errors(learned[deep], r, test_prompts.theta))
            for r in range(n_seeds)
        ]
    )
    mean, settled = learned_errors[deep][:, 0], learned_errors[deep][:, 1, -1]
    yield everywhere(
        np.abs(settled / rest - 1) < 0.05,
        what=f"median error {settled.mean():.5f}, at rest {rest.mean():.5f}",
    )
    yield everywhere(mean[:, -1] > 1, what=f"mean error above 1 at loop {beyond}")
