"""The checks of the chapter on grokking: the figure, smaller, and a control by data alone."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.fourier_circuits import printed, transformers
from featurebook.papers.fourier_circuits.checks.figures import seen
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality, trend

INPUTS = (2, 3, 4, 5)
"""Numbers k that the networks add, one modulus of `grok_p` for each."""
CLOSER = {2: 47, 3: 13, 4: 7, 5: 5}
"""Prime moduli with sets of more nearly equal size than the printed ones."""
CONTROL = {"k = 2, 60%": (2, 23, 0.6), "k = 3, 60%": (3, 7, 0.6), "k = 3, 35%": (3, 7, 0.35)}
"""Inputs k, modulus p and share of training data of the networks of the control."""
LAST = 5
"""Looks over which the accuracies of the control are averaged."""
FITTED = 0.9
"""Training accuracy of all three networks with which a seed of the control counts."""
TEXT = "the text's networks"

Numbers = NDArray[np.float64]


def counterpart(grok_p: list[int], grok_steps: list[int], milestones: dict[str, Numbers]) -> str:
    """What is judged instead of the text's networks of 160 heads, and how many of them fitted."""
    fitted = milestones["fit"] < max(grok_steps)
    return f"p = {grok_p}, 4 heads, {fitted.sum()} of {fitted.size} networks fitted"


def set_ratio(moduli: dict[int, int]) -> Fraction:
    """The size of the largest data set over that of the smallest, all inputs."""
    sizes = [p**k for k, p in moduli.items()]
    return Fraction(max(sizes), min(sizes))


@claims.check("grokking-sizes", undecided=("two readings", "factor of ten: holds; of two: fails"))
def sizes_roughly_equal() -> Iterator[Verdict]:
    """The ratio of the printed sizes and a factor of two."""
    yield exactly(
        set_ratio(printed.GROKKING),
        "<=",
        2,
        what="largest over smallest set and a factor of two",
        instance={"sizes": [p**k for k, p in printed.GROKKING.items()]},
    )


@claims.check("grokking-sizes-corrected")
def sizes() -> Iterator[Verdict]:
    """The ratio of the printed sizes, and that with other primes."""
    yield exactly(Fraction(95, 10), "<=", set_ratio(printed.GROKKING), what="printed")
    yield exactly(set_ratio(CLOSER), "<=", Fraction(3, 2), what="ours")


@claims.experiment
def grokking_runs(
    grok_p: list[int], grok_steps: list[int], grok_layers: int, n_seeds: int, seed: int
) -> dict[int, core.Run]:
    """Training of transformers on half of the inputs, by k; both accuracies every 20 steps."""
    return {
        k: transformers.train(
            k=k,
            p=p,
            d=64,
            heads=4,
            size=16,
            layers=grok_layers,
            mlp=128,
            last=True,
            share=0.5,
            steps=steps,
            lr=3e-3,
            decay=1.0,
            batch=128,
            seeds=list(range(seed, seed + n_seeds)),
            every=20,
            label=f"k = {k}",
        )
        for k, p, steps in zip(INPUTS, grok_p, grok_steps, strict=True)
    }


@claims.experiment
def milestones(grokking_runs: dict[int, core.Run], grok_steps: list[int]) -> dict[str, Numbers]:
    """When each network gets how far, (k, seeds).

    Steps, at most those of the longest training run: "fit", to 95% training accuracy; "half" and
    "known", to 50% and 95% test accuracy; "delay", from the fit to that. "ahead" is the test
    accuracy at the fit.
    """
    longest, runs = max(grok_steps), list(grokking_runs.values())

    def first(name: str, level: float) -> Numbers:
        reached = [transformers.first_reach(run, name, level) for run in runs]
        return np.minimum(np.array(reached), longest)

    return {
        "fit": first("train", 0.95),
        "half": first("test", 0.5),
        "known": first("test", 0.95),
        "delay": np.array([transformers.delays(run, longest) for run in runs]),
        "ahead": np.array([transformers.accuracy_at_fit(run) for run in runs]),
    }


def slopes(values: Numbers) -> Numbers:
    """The slope in k of values (k, seeds), one per seed."""
    return np.polyfit(np.array(INPUTS, dtype=float), values, 1)[0]


@claims.check("grokking-all", of=TEXT, on=counterpart)
def for_every_k(milestones: dict[str, Numbers]) -> Iterator[Verdict]:
    """Mean steps to fit and mean delay, for each k."""
    fit, delay = (milestones[name].mean(1) for name in ("fit", "delay"))
    yield seen(inequality(fit, delay, what="steps to fit and delay, k = 2 to 5"))


@claims.check("grokking-weakens", of=TEXT, on=counterpart)
def weakens(milestones: dict[str, Numbers]) -> Iterator[Verdict]:
    """The slope in k of the delay's logarithm."""
    yield trend(
        slopes(np.log2(10 + milestones["delay"])),
        expected=(-20, 0),
        rival={"no change": 0.0},
        what="slope of log₂(10 + delay)",
    )


@claims.check("grokking-fit", of=TEXT, on=counterpart)
def slower_training(milestones: dict[str, Numbers]) -> Iterator[Verdict]:
    """The slope in k of the steps to fit, relative to their mean."""
    fit = milestones["fit"]
    yield trend(
        slopes(fit / fit.mean()),
        expected=(0, 5),
        rival={"no change": 0.0},
        what="slope of steps to fit",
    )


@claims.check("grokking-abrupt", of=TEXT, on=counterpart)
def abrupt(milestones: dict[str, Numbers]) -> Iterator[Verdict]:
    """Mean steps from 50% to 95% test accuracy, and before them, for each k."""
    half, known = milestones["half"], milestones["known"]
    rise = (known - half).mean(1)
    yield seen(inequality(rise, half.mean(1), what="steps of the rise and before it, k = 2 to 5"))


@claims.check("grokking-generalises", of=TEXT, on=counterpart)
def generalises(milestones: dict[str, Numbers]) -> Iterator[Verdict]:
    """The slope in k of the test accuracy at the fit."""
    yield trend(
        slopes(milestones["ahead"]),
        expected=(0, 1),
        rival={"no change": 0.0},
        what="slope of test accuracy at the fit",
    )


@claims.experiment
def control_runs(control_steps: int, control_seeds: int, seed: int) -> dict[str, dict[str, Any]]:
    """For each network of `CONTROL`, "train" and "test" accuracy, mean of the last looks, (R,)."""
    found = {}
    for name, (k, p, share) in CONTROL.items():
        run = transformers.train(
            k=k,
            p=p,
            d=32,
            heads=4,
            size=8,
            layers=1,
            mlp=64,
            last=False,
            share=share,
            steps=control_steps,
            lr=1e-2,
            decay=1.0,
            batch=128,
            seeds=list(range(seed, seed + control_seeds)),
            every=10,
            label=name,
        )
        found[name] = {x: run.observed[x][-LAST:].mean(0).numpy() for x in ("train", "test")}
    return found


@claims.check("grokking-density")
def data_alone(control_runs: dict[str, dict[str, Any]]) -> Iterator[Verdict]:
    """Two differences of test accuracy, over seeds with which all three networks have fitted."""
    fits = np.min([x["train"] for x in control_runs.values()], 0) >= FITTED  # (seeds,)
    counted = f"{fits.sum()} of {len(fits)} seeds"
    two, three, less = (x["test"] for x in control_runs.values())

    def ahead(difference: Sequence[float], what: str) -> Verdict:
        return trend(
            difference,
            expected=(0.0, 1.0),
            rival={"no difference": 0.0},
            within=(-1, 1),
            what=f"{what}, {counted}",
        )

    yield ahead((three - two)[fits], "k = 3 less k = 2, 60% each")
    yield ahead((two - less)[fits], "k = 2 at 60% less k = 3 at 35%")
