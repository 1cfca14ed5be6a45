"""The checks of the chapter on training, second part: what trained networks look like."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.fourier_circuits import fourier, printed, theory, training
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, exponent, inequality

PENALTY = 0.02
"""Our penalty λ/γ*, with the power k + 1."""
READ = (2, 11)
"""Inputs k and modulus p of the networks that read 0.005 in three ways, 80 neurons."""

Halves = dict[tuple[int, int], tuple[NDArray[np.float64], NDArray[np.float64]]]


@claims.experiment
def on_all_inputs(p_two: int, p_three: int, train_steps: int, seed: int) -> dict[int, core.Params]:
    """Two networks for each k = 2, 3 at the printed width, trained on all inputs."""
    found, seeds = {}, [seed, seed + 1]
    for k, p, lr, sigma in [(2, p_two, 1e-2, 0.2), (3, p_three, 2e-2, 0.3)]:
        found[k] = training.train(
            training.initial(k, p, theory.printed_width(k, p), sigma, seeds),
            PENALTY * theory.gamma(k, p),
            k + 1,
            steps=train_steps,
            lr=lr,
            seeds=seeds,
            label=f"k = {k}, p = {p}",
        ).params
    return found


@claims.experiment
def untrained(on_all_inputs: dict[int, core.Params], seed: int) -> dict[int, core.Params]:
    """Thirty networks of the same sizes that are not trained."""
    found = {}
    for k, q in on_all_inputs.items():
        m, _, p = q["U"].shape[1:]
        found[k] = training.initial(k, p, m, 0.2, range(seed, seed + 30))
    return found


@claims.check("equal-shares")
def equal_shares(
    on_all_inputs: dict[int, core.Params], untrained: dict[int, core.Params]
) -> Iterator[Verdict]:
    """Shares of the norm: their distance from equal, alone and against untrained networks."""
    away = {
        k: (fourier.norm_shares(q["U"].double(), q["W"].double()) - 1).abs()
        for k, q in on_all_inputs.items()
    }
    for k, x in away.items():
        yield inequality(x, 0.25, what=f"distance of shares from equal, k = {k}")
    for k, q in untrained.items():
        least = (fourier.norm_shares(q["U"], q["W"]) - 1).abs().amax(-1).min()
        yield inequality(away[k].amax(-1), least, what=f"and least of 30 untrained, k = {k}")


@claims.check("histogram")
def counts_say_nothing(on_all_inputs: dict[int, core.Params], seed: int) -> Iterator[Verdict]:
    """Counts of neurons by frequency: random networks of the printed sizes, and trained ones."""
    random = [training.initial(s.k, s.p, s.m, 1.0, [seed]) for s in printed.FIGURES]
    counted = [
        fourier.evenness(fourier.frequency(q["U"].double(), q["W"].double()), q["U"].shape[-1] // 2)
        for q in [*random, *on_all_inputs.values()]
    ]
    for statistic, limit, _ in counted:
        yield inequality(statistic, limit, what="chi-square of counts and 99.99%")
    yield exactly([empty for *_, empty in counted], "==", 0, what="empty frequencies")


@claims.check("figure-4-2b")
def power_before_training(seed: int) -> Iterator[Verdict]:
    """The mean largest power at a random start, and its formula, at the printed sizes."""
    gaps, allowed, level = [], [], []
    for size in printed.FIGURES:
        start = training.initial(size.k, size.p, size.m, 1.0, [seed])["U"]
        share = fourier.largest_share(start).flatten()
        gaps.append(float((share.mean() - theory.mean_largest_share(size.p)).abs()))
        allowed.append(4 * float(share.std()) / len(share) ** 0.5)
        level.append(float(share.mean()))
    yield inequality(gaps, allowed, what="distance from the formula, 4 errors")
    yield inequality(level, 0.5, what="mean largest power")


@claims.experiment
def readings(reading_steps: int, seed: int) -> dict[str, core.Params]:
    """Two networks for each reading of 0.005, trained on all inputs with the printed step size."""
    k, p = READ
    seeds = [seed, seed + 1]
    begin = training.initial(k, p, 80, 0.1, seeds)
    train = partial(
        training.train, begin, r=1, steps=reading_steps, lr=printed.LEARNING_RATE, seeds=seeds,
        constant=True,
    )  # fmt: skip
    return {
        "first power": train(reg=printed.PENALTY, label="λ‖θ‖").params,
        "decay": train(reg=0.0, decay=printed.PENALTY, label="decay").params,
        "strong decay": train(reg=0.0, decay=1.0, label="strong decay").params,
    }


@claims.check(
    "regularisation",
    undecided=("two readings", "λ‖θ‖ makes small networks cosines, decay does not"),
)
def strength(readings: dict[str, core.Params]) -> Iterator[Verdict]:
    """The efficiency that the other reading leaves."""
    yield inequality(training.measures(readings["decay"])["efficiency"], 0.99)


@claims.check("regularisation-first")
def one_reading(readings: dict[str, core.Params]) -> Iterator[Verdict]:
    """The mean efficiency that each reading gives."""
    mean = {name: training.measures(q)["efficiency"] for name, q in readings.items()}
    yield inequality(0.999, mean["first power"], what="efficiency, λ‖θ‖")
    yield inequality(mean["decay"], 0.99, what="efficiency, decay 0.005")
    yield inequality(mean["strong decay"], 0.99, what="efficiency, decay 1")


@claims.experiment
def by_sgd(reading_steps: int, seed: int) -> core.Params:
    """Two networks of the same size, trained by SGD with momentum and our penalty."""
    k, p = READ
    seeds = [seed, seed + 1]
    return training.train(
        training.initial(k, p, 80, 0.2, seeds),
        PENALTY * theory.gamma(k, p),
        k + 1,
        steps=reading_steps,
        lr=5.0,
        seeds=seeds,
        optimizer=partial(torch.optim.SGD, lr=5.0, momentum=0.9),
        label="SGD",
    ).params


@claims.check("sgd")
def another_optimiser(by_sgd: core.Params) -> Iterator[Verdict]:
    """The mean efficiency of these networks."""
    yield inequality(0.99, training.measures(by_sgd)["efficiency"], what="efficiency, SGD")


@claims.experiment
def halves(
    p_half: list[int], p_half_three: list[int], half_steps: int, n_seeds: int, seed: int
) -> Halves:
    """Networks trained on a random half of the inputs, by k and p.

    One minus their mean efficiency, (n_seeds,), and their accuracy on the other half, (n_seeds,).
    """
    seeds = list(range(seed, seed + n_seeds))
    sizes = [*((2, p) for p in p_half), *((3, p) for p in p_half_three)]
    return {(k, p): training.on_half(k, p, half_steps, seeds) for k, p in sizes}


@claims.check(
    "half",
    of="half of the text's inputs",
    on=lambda p_half, p_half_three: f"p = {p_half[-1]} and {p_half_three[-1]}",
)
def circuits_again(halves: Halves, p_half: list[int], p_half_three: list[int]) -> Iterator[Verdict]:
    """The distance from a circuit at the largest modulus."""
    for k, p in [(2, p_half[-1]), (3, p_half_three[-1])]:
        yield inequality(halves[k, p][0], 0.01, what=f"1 - efficiency, k = {k}, p = {p}")


@claims.check("half-trend")
def more_data(halves: Halves) -> Iterator[Verdict]:
    """The exponent of that distance in the number of inputs, one estimate per seed."""
    for k in (2, 3):
        moduli = [p for inputs, p in halves if inputs == k]
        yield exponent(
            [p**k for p in moduli],
            np.array([halves[k, p][0] for p in moduli]).T,
            expected=(-2, 0),
            rival={"no change": 0.0},
            what=f"1 - efficiency in pᵏ, k = {k}",
        )


@claims.check("printed-widths")
def printed_widths() -> Iterator[Verdict]:
    """The printed widths and the formula."""
    widths = [size.m for size in printed.FIGURES]
    formula = [theory.printed_width(size.k, size.p) for size in printed.FIGURES]
    yield exactly(widths, "==", formula, what="widths")
