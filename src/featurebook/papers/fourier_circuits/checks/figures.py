"""The checks of Figures 4.1, 4.2 and C.1 to C.4: networks trained by the text's recipe."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.fourier_circuits import fourier, network, printed, theory, training
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict, undecided
from featurebook.verdicts.comparisons import exactly, inequality, together

INPUTS = (3, 4, 5)
"""Numbers k that the networks add, one modulus of `p_figure` for each."""
PURE = 0.9
"""Share of its power at one frequency that makes a neuron a cosine."""
OUTLIERS = 0.01
"""Share of the neurons that may be none, where a caption speaks of all."""
ALIVE = 0.1
"""Share of the norm that a neuron counts with, as a multiple of an equal share."""
LEARNED = 0.5
"""Share of unseen inputs from which on a network has learned something: guessing is 1/p."""
SHOWN = 3
"""Neurons whose weights are kept for the figure, the first ones of the network."""
TEXT = "the text's networks"

Seen = dict[int, dict[str, Any]]


def sizes(p_figure: list[int]) -> str:
    """The networks that are judged: the text's, or smaller ones."""
    if list(p_figure) == [size.p for size in sorted(printed.FIGURES, key=lambda size: size.k)]:
        return TEXT
    return f"k = 3, 4, 5, p = {p_figure}"


@claims.experiment
def as_printed(
    p_figure: list[int], figure_steps: int, seed: int
) -> dict[int, tuple[core.Params, float]]:
    """By k, a network trained by the text's recipe on half of the inputs, and its test accuracy."""
    found = {}
    for k, p in zip(INPUTS, p_figure, strict=True):
        run, right = training.train_as_printed(k, p, steps=figure_steps, seed=seed)
        found[k] = (run.params, right)
    return found


@claims.experiment
def by_decay(p_figure: list[int], figure_steps: int, seed: int) -> dict[str, Any]:
    """The network for k = 3 if 0.005 is the decay of AdamW instead: as in `pictured`."""
    k, p, size = 3, p_figure[0], printed.BATCH
    seen = torch.randperm(p**k, generator=core.generator(seed, "half"))[: p**k // 2]

    def draw(g: torch.Generator, count: int) -> dict[str, Tensor]:
        at = seen[torch.randint(len(seen), (count, size), generator=g)]
        return {"a": network.digits(at, k, p), "reg": torch.zeros(count, size)}

    rate = printed.LEARNING_RATE
    start = training.initial(k, p, theory.printed_width(k, p), 0.2, [seed])
    adam = partial(
        torch.optim.AdamW, lr=rate, betas=printed.BETAS, weight_decay=printed.PENALTY, foreach=True
    )
    params = core.train(
        partial(training.loss, r=1.0), start, draw, steps=figure_steps, seeds=[seed],
        gradient=partial(training.gradient, r=1.0), optimizer=adam,
        schedule=lambda t: rate * min(1.0, t / printed.WARM_UP),
        execution=core.Execution(label=f"k = {k}, p = {p}, decay"),
    ).params  # fmt: skip
    of_all = {n: float(x) for n, x in training.shape(params).items()}
    return {**portrait(params), "shape": of_all}


def portrait(params: core.Params) -> dict[str, Tensor]:
    """What the figures show of one network, a number per neuron unless stated otherwise.

    "power": the largest share of power of its embeddings, added up; "one": the same of all k + 1
    vectors, the mean counted as power; "alive"; "frequency"; "weights" of the first `SHOWN`.
    """
    U, W = params["U"][0].double(), params["W"][0].double()
    embeddings = fourier.power(U).sum(-2)
    every = embeddings + fourier.power(W)
    size = network.norms(U, W) ** (U.shape[-2] + 1)
    return {
        "power": (embeddings[:, 1:].amax(-1) / embeddings.sum(-1)).float(),
        "one": (every[:, 1:].amax(-1) / every.sum(-1)).float(),
        "alive": size > ALIVE * size.mean(),
        "frequency": fourier.frequency(U, W),
        "weights": torch.cat([U, W[:, None]], 1)[:SHOWN].float(),
    }


@claims.experiment
def pictured(as_printed: dict[int, tuple[core.Params, float]], seed: int) -> Seen:
    """What the figures show of these networks, by k, and of networks before training.

    As in `portrait`; "shape" of the whole network, its accuracy on unseen inputs "right", and
    the best efficiency of a neuron at each frequency, trained ("best") and not ("best untrained").
    """
    found: Seen = {}
    for k, (params, right) in as_printed.items():
        _, m, _, p = params["U"].shape
        start = training.initial(k, p, m, 0.2, [seed])
        found[k] = {
            **portrait(params),
            "one untrained": portrait(start)["one"],
            "shape": {n: float(x) for n, x in training.shape(params).items()},
            "right": right,
            "best": training.best_by_frequency(params)[0],
            "best untrained": training.best_by_frequency(start)[0],
        }
    return found


def seen(verdict: Verdict) -> Verdict:
    """What a network does not show refutes no figure: the message was not seen."""
    return undecided(verdict, "not seen") if verdict.outcome == "refuted" else verdict


def trained_alone(message: str, trained: Verdict, untrained: Verdict) -> Verdict:
    """A message and its control as one: what an untrained network lacks is no message by itself."""
    return together(message, [seen(trained), seen(untrained)])


def least(values: Tensor) -> float:
    """The smallest value but for the share of `OUTLIERS`."""
    return float(values.double().quantile(OUTLIERS))


def learned(pictured: Seen) -> Iterator[tuple[int, dict[str, Any]]]:
    """The networks that training has changed: right on most unseen inputs."""
    return ((k, found) for k, found in pictured.items() if found["right"] > LEARNED)


def not_learned(pictured: Seen) -> Iterator[Verdict]:
    """A part without a decision for each network that still guesses: it shows what chance does."""
    for k, found in pictured.items():
        if not found["right"] > LEARNED:
            verdict = inequality(LEARNED, found["right"], what=f"unseen inputs right, k = {k}")
            yield undecided(verdict, "undecided", "more steps are needed")


@claims.check("figure-4-1", of=TEXT, on=sizes)
def cosines(pictured: Seen) -> Iterator[Verdict]:
    """The share of a neuron's power at one frequency, all k + 1 vectors, and before training."""
    yield from not_learned(pictured)
    for k, found in learned(pictured):
        power = least(found["one"][found["alive"]])
        before = float(found["one untrained"].median())
        what = f"power at one frequency, 99% of neurons, k = {k}"
        yield trained_alone(
            what, inequality(PURE, power, what=what), inequality(before, 0.5, what="untrained")
        )


@claims.check("figure-4-2a", of=TEXT, on=sizes)
def all_frequencies(pictured: Seen) -> Iterator[Verdict]:
    """The counts of neurons by frequency against those of a fair die."""
    yield from not_learned(pictured)
    for k, found in learned(pictured):
        statistic, limit, empty = fourier.evenness(found["frequency"][None], len(found["best"]))
        yield seen(exactly(empty, "==", 0, what=f"empty frequencies, k = {k}"))
        yield seen(inequality(statistic, limit, what=f"chi-square of counts and 99.99%, k = {k}"))


@claims.check("figure-4-2c", of=TEXT, on=sizes)
def power_after_training(pictured: Seen) -> Iterator[Verdict]:
    """The largest power of the embeddings, but for the lowest hundredth of the neurons."""
    yield from not_learned(pictured)
    for k, found in learned(pictured):
        power = least(found["power"][found["alive"]])
        yield seen(inequality(PURE, power, what=f"largest power, 99% of neurons, k = {k}"))


@claims.check("width-empirical", of=TEXT, on=sizes)
def neuron_at_each_frequency(pictured: Seen) -> Iterator[Verdict]:
    """The best neuron at each frequency, after training and without it."""
    yield from not_learned(pictured)
    for k, found in learned(pictured):
        what = f"best efficiency at a frequency, k = {k}"
        yield trained_alone(
            what,
            inequality(0.99, found["best"], what=what),
            inequality(found["best untrained"], 0.5, what="untrained"),
        )


@claims.check("own-recipe", of="p = 97", on=lambda p_figure: f"p = {p_figure[0]}")
def own_recipe(pictured: Seen) -> Iterator[Verdict]:
    """The mean efficiency for k = 3."""
    yield inequality(0.99, pictured[3]["shape"]["efficiency"], what="mean efficiency")
