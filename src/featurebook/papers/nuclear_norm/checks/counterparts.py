"""The checks of the counterparts: gains on images at hand, and the sweep of λ."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook import images
from featurebook.papers.nuclear_norm import benchmarks, data
from featurebook.papers.nuclear_norm.benchmarks import Recipe
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.checks.regularisers import OUTER, improves
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

CHANCES = [0.9, 0.8, 0.1]
"""How often the colour tells the label, in each domain of coloured digits."""
MISLEADING = 2
"""The domain of coloured digits that the sweep leaves out."""
MIXUP = 0.2
"""Mixup draws its shares from Beta(MIXUP, MIXUP)."""

Gains = dict[tuple[str, str], pd.DataFrame]
"""`benchmarks.chosen_gains` by data and method."""

positive = partial(trend, expected=(0.0, np.inf), rival=0.0)


@claims.experiment
def coloured_digits(seed: int) -> data.Domains:
    """Digits in ten colours, three domains."""
    return data.coloured(images.bundled_digits(), CHANCES, seed)


@claims.experiment
def photographs() -> images.Images:
    """CIFAR-10, or where it is missing digits of its shape, which say so in their source."""
    try:
        return images.cifar10("test")
    except images.MissingDataError:
        digits = images.bundled_digits()
        pixels = digits.pixels.repeat(1, 3, 4, 4)
        return images.Images(pixels, digits.labels, digits.source, digits.files)


def name_of(photographs: images.Images) -> str:
    """What the photographs are called in tables."""
    return "CIFAR-10" if photographs.source.startswith("CIFAR") else "tinted digits"


@claims.experiment
def styled(photographs: images.Images, cifar_images: int, seed: int) -> data.Domains:
    """The first photographs in four styles."""
    some = images.Images(
        photographs.pixels[:cifar_images], photographs.labels[:cifar_images],
        photographs.source, photographs.files,
    )  # fmt: skip
    return data.tinted(some, seed)


@claims.experiment
def run_seeds(n_seeds: int, seed: int) -> list[int]:
    """One per independent run."""
    return list(range(seed, seed + n_seeds))


@claims.experiment
def counterparts(
    turned_digits: data.Domains, coloured_digits: data.Domains, styled: data.Domains,
    photographs: images.Images, digit_lams: list[float], digit_steps: int, run_seeds: list[int],
) -> Gains:  # fmt: skip
    """OOD accuracy with the λ that validation chooses and without, each domain left out in turn."""
    left_out = {
        "rotated digits": (turned_digits, OUTER),
        "coloured digits": (coloured_digits, range(len(CHANCES))),
        name_of(photographs): (styled, range(4)),
    }
    found = {}
    for name, (domains, tests) in left_out.items():
        for method, mixup in (("ERM", 0.0), ("Mixup", MIXUP)):
            recipe = Recipe(steps=digit_steps, mixup=mixup)
            runs = benchmarks.leave_out(domains, tests, digit_lams, run_seeds, recipe)
            found[name, method] = runs[runs.weights.eq("best")]
            if method == "ERM":
                found[name, "averaged"] = runs[runs.weights.eq("averaged")]
    return found


@claims.experiment
def counterpart_gains(counterparts: Gains) -> dict[tuple[str, str], "pd.Series[float]"]:
    """The gain of each seed, mean over the domains left out, by data and method."""
    return {key: part.groupby("seed").gain.mean() for key, part in counterparts.items()}


@claims.experiment
def colour_sweep(
    coloured_digits: data.Domains, colour_lams: list[float], digit_steps: int, run_seeds: list[int]
) -> tuple[pd.DataFrame, dict[float, NDArray[np.float64]]]:
    """`benchmarks.train` at each λ, the domain with the misleading colour left out."""
    recipe = Recipe(steps=digit_steps)
    runs, spectra = benchmarks.train(coloured_digits, MISLEADING, colour_lams, run_seeds, recipe)
    return runs[runs.weights.eq("best")], spectra


@claims.experiment
def colour_curves(
    colour_sweep: tuple[pd.DataFrame, dict[float, NDArray[np.float64]]],
) -> dict[str, NDArray[np.float64]]:
    """OOD accuracy, stable rank and printed stable rank (seeds, λ)."""
    runs = colour_sweep[0].set_index(["seed", "lam"])
    return {
        c: runs[c].unstack().to_numpy()  # noqa: PD010
        for c in ("ood", "stable_rank", "printed_rank")
    }


@claims.experiment
def rank_changes(
    colour_curves: dict[str, NDArray[np.float64]],
) -> dict[str, NDArray[np.float64]]:
    """Log of both stable ranks at the largest λ over that at the smallest, one per seed."""
    return {
        c: np.log(colour_curves[c][:, -1] / colour_curves[c][:, 0])
        for c in ("stable_rank", "printed_rank")
    }


@claims.experiment
def batch_runs(
    coloured_digits: data.Domains, colour_lams: list[float], batch_sizes: list[int],
    digit_steps: int, run_seeds: list[int],
) -> pd.DataFrame:  # fmt: skip
    """What the middle λ does at each batch size: columns size, seed, gain and shrink."""
    middle = colour_lams[len(colour_lams) // 2]
    recipe = Recipe(steps=digit_steps)
    return benchmarks.by_batch(coloured_digits, MISLEADING, middle, batch_sizes, run_seeds, recipe)


def improved(gains: "pd.Series[float]") -> Verdict:
    """The trend of paired gains, mean over the domains left out."""
    return improves(gains, what="mean gain over left-out domains, paired")


@claims.check("counterpart-erm")
def erm(counterpart_gains: dict[tuple[str, str], "pd.Series[float]"]) -> Iterator[Verdict]:
    """ERM on rotated digits."""
    yield improved(counterpart_gains["rotated digits", "ERM"])


@claims.check("counterpart-mixup")
def mixup(counterpart_gains: dict[tuple[str, str], "pd.Series[float]"]) -> Iterator[Verdict]:
    """Mixup on rotated digits."""
    yield improved(counterpart_gains["rotated digits", "Mixup"])


@claims.check("counterpart-swad")
def averaged(counterpart_gains: dict[tuple[str, str], "pd.Series[float]"]) -> Iterator[Verdict]:
    """Averaged weights on rotated digits."""
    yield improved(counterpart_gains["rotated digits", "averaged"])


@claims.check(
    "counterpart-cifar", of="CIFAR-10", on=lambda photographs: photographs.source
)  # fmt: skip
def cifar(
    counterpart_gains: dict[tuple[str, str], "pd.Series[float]"], photographs: images.Images
) -> Iterator[Verdict]:
    """ERM on photographs in four styles."""
    yield improved(counterpart_gains[name_of(photographs), "ERM"])


@claims.check("counterpart-all", of="CIFAR-10", on=lambda photographs: photographs.source)
def all_of_them(
    counterpart_gains: dict[tuple[str, str], "pd.Series[float]"],
) -> Iterator[Verdict]:
    """Each method on each data set."""
    for key, gains in counterpart_gains.items():
        yield improves(gains, what=", ".join(key))


@claims.check("figure-6-5-rank", of="DomainBed", on=lambda: "coloured digits")
def rank_falls(rank_changes: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """How far the corrected stable rank falls from λ = 0 to the largest λ."""
    yield positive(-rank_changes["stable_rank"], what="fall of the log corrected stable rank")


@claims.check("figure-6-5-accuracy", of="DomainBed", on=lambda: "coloured digits")
def accuracy_rises_and_falls(colour_curves: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The mean accuracy of the middle λ above the higher of both ends."""
    ood = colour_curves["ood"]
    middle = ood[:, 1:-1].mean(1)
    hump = np.minimum(middle - ood[:, 0], middle - ood[:, -1])
    yield improves(hump, what="middle λ above both ends")


@claims.check("counterpart-rank")
def two_ranks(rank_changes: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The printed stable rank should fall, and the corrected one rise."""
    yield trend(
        rank_changes["printed_rank"], expected=(-np.inf, 0.0), rival=0.0,
        what="log change of the printed stable rank",
    )  # fmt: skip
    yield positive(rank_changes["stable_rank"], what="log change of the corrected one")


@claims.check("counterpart-batch")
def larger_batches(batch_runs: pd.DataFrame, batch_sizes: list[int]) -> Iterator[Verdict]:
    """The log shrinkage of the features at the largest batch minus that at the smallest."""
    shrink = batch_runs.pivot_table(index="seed", columns="size", values="shrink").to_numpy()
    yield trend(
        shrink[:, -1] - shrink[:, 0], expected=(-np.inf, 0.0), rival=0.0,
        what=f"log shrinkage at {batch_sizes[-1]} minus at {batch_sizes[0]} images",
    )  # fmt: skip
