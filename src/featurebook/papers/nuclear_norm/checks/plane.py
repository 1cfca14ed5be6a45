"""The checks of the task in the plane: what ties both accuracies, and what descent finds."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook.papers.nuclear_norm import plane, printed, selection
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.model import Task
from featurebook.verdicts import Verdict, proved, undecided
from featurebook.verdicts.comparisons import (
    attack,
    everywhere,
    exactly,
    identity,
    inequality,
    reproduction,
    search,
)

TOY, ERM = Fraction(printed.TOY["p"]), Fraction(printed.TOY["erm"])
"""The printed chance of agreement p, and the OOD accuracy of ERM."""
LEANING = 0.95
"""A chance of agreement at which the nuclear norm never gives c = 0."""
POOR = 0.8
"""An OOD accuracy that counts as the printed 0.76."""
NUCLEAR = (0.03, 0.1, 0.3)
"""Weights λ of the nuclear norm in the plane."""
DRAWS = 200_000
SETS = (20, 100, 1000)
"""Sizes of a training set; at most a twentieth of its points are errors."""


def both_errors(point: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """err_OOD and its bound, at errors a, b and a chance p of the set."""
    inside, outside = plane.errors(point["a"], point["b"], point["p"])
    return outside, point["p"] / (1 - point["p"]) * inside


def squashed(raw: dict[str, Tensor]) -> dict[str, Tensor]:
    """Any numbers to errors in [0, 1] and p in [1/2, 0.999]."""
    found = {k: torch.sigmoid(v) for k, v in raw.items()}
    return found | {"p": 0.5 + 0.499 * found["p"]}


@claims.experiment
def line_errors(seed: int) -> dict[str, NDArray[np.float64]]:
    """Shares of draws on which lines of three slopes c err, where the signs differ and agree."""
    rng = np.random.default_rng([seed, 1])
    x1, size, agree = rng.random(DRAWS), rng.random(DRAWS), rng.random(DRAWS) < 0.5
    slopes = np.array([0.2, 1.0, 3.0])
    return {
        "c": slopes,
        "differ": np.array([(x1[~agree] < c * size[~agree]).mean() for c in slopes]),
        "agree": np.array([(x1[agree] + c * size[agree] < 0).mean() for c in slopes]),
        "draws": (~agree).sum(),
    }


@claims.experiment
def descended(
    p: float, plane_sizes: list[int], descent_steps: int, n_seeds: int, seed: int
) -> pd.DataFrame:
    """Descent on n points, by n, λ and seed: accuracy of ERM on them (``training``) and out of
    distribution (``ERM``), and of ERM-NU from the same start (``NU``)."""
    seeds, rows = list(range(seed, seed + n_seeds)), []
    for n in plane_sizes:
        found = {
            lam: plane.descend(p, lam, n=n, steps=descent_steps, seeds=seeds)
            for lam in (0.0, *NUCLEAR)
        }
        inside = plane.training_accuracy(found[0.0], p, n, seeds)
        outside = {lam: plane.line(c, p)[1] for lam, c in found.items()}
        rows += [
            pd.DataFrame({"n": n, "λ": lam, "seed": seeds, "training": inside,
                          "ERM": outside[0.0], "NU": outside[lam]})
            for lam in NUCLEAR
        ]  # fmt: skip
    return pd.concat(rows, ignore_index=True)


def at_some_setting(seen: pd.Series, by: list[pd.Series], what: str) -> Verdict:
    """Whether nine of ten runs show something in some setting, since print states none."""
    share = seen.groupby(by).mean()
    found = everywhere([bool((share >= 0.9).any())], what=what)
    if found.outcome == "holds":
        return found
    least, most = (f"{x:.0%}" for x in (share.min(), share.max()))
    told = f"in {least} to {most} of the runs, by setting" if least != most else f"in {most}"
    return undecided(found, "not seen", told)


@claims.experiment
def slopes_of_decay() -> list[float]:
    """c of weight decay at p = 0.7, for λ = 1, 1e-2, ..., 1e-8."""
    return [plane.slope_of_weight_decay(0.7, 10.0**-k) for k in range(0, 9, 2)]


@claims.check("coupling", proof="proved on the page")
def coupled(attack_steps: int, seed: int) -> Iterator[Verdict]:
    """Ascent over the errors a and b and the chance p."""
    starts = {
        k: torch.randn(32, generator=torch.Generator().manual_seed(seed + i)).double() * 3
        for i, k in enumerate("abp")
    }
    yield attack(
        both_errors, starts, into=squashed, steps=attack_steps, what="OOD error over its bound"
    )


@claims.check("line", proof="proved on the page")
def lines(line_errors: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The formula in intervals of four standard errors around shares of draws."""
    yield everywhere(line_errors["agree"] == 0, what="no error where signs agree")
    c, share = line_errors["c"], line_errors["differ"]
    reach = 4 * np.sqrt(share * (1 - share) / line_errors["draws"])
    cells = pd.DataFrame({
        "label": c, "paper": plane.disagreement(c), "ours": share,
        "low": share - reach, "high": share + reach,
    })  # fmt: skip
    yield reproduction(cells, what="formula, in Monte Carlo intervals")


@claims.check("figure-6-2")
def perfect_inside_poor_outside(descended: pd.DataFrame) -> Iterator[Verdict]:
    """Training and OOD accuracy of ERM, run by run, at some number of points."""
    yield at_some_setting(
        (descended.training >= 0.95) & (descended.ERM <= POOR),
        [descended.n],
        f"training accuracy of 0.95 with an OOD accuracy of {POOR} at most",
    )


@claims.check("figure-6-2-corrected")
def possible_pairs() -> Iterator[Verdict]:
    """The limit in the population, the chances on small training sets, and another p."""
    least = plane.least_id_error(ERM, TOY)
    yield proved(exactly(1 - least, "<=", Fraction(8972, 10000), what="at p = 0.7"))
    slope = plane.slope_of_weight_decay(LEANING, 0.003)
    found = [float(x) for x in plane.line(slope, LEANING)]
    yield identity(found, [0.987, 0.756], tolerance=1e-3, what="at p = 0.95")
    lucky = [float(stats.binom(n, float(least)).cdf(n // 20)) for n in SETS]
    yield everywhere(
        [f"{chance:.2g}" for chance in lucky] == ["0.38", "0.048", "1.2e-09"],
        what="chances for n = 20, 100, 1000, to two digits",
    )


@claims.check("figure-6-3")
def nuclear_norm_helps(descended: pd.DataFrame) -> Iterator[Verdict]:
    """OOD accuracy with the nuclear norm minus that without, paired, at some n and λ."""
    least = float(Fraction(printed.TOY["nu"]) - ERM) / 2
    gain = descended.NU - descended.ERM
    yield at_some_setting(
        gain.ge(least),
        [descended.n, descended["λ"]],
        f"a gain in OOD accuracy of {least:.2f}, half of the printed one",
    )


@claims.check("erm-recovers")
def erm_recovers(slopes_of_decay: list[float], attack_steps: int, seed: int) -> Iterator[Verdict]:
    """The slope as λ falls, and a search over λ for one above 2γ."""
    yield inequality(slopes_of_decay[1:], slopes_of_decay[:-1], what="c as λ falls")
    yield inequality(slopes_of_decay[-1], 0.02, what="c at λ = 1e-8")
    yield search(
        lambda x: (plane.slope_of_weight_decay(0.7, 10.0 ** x[0]), 0.4), [(-8, 3)],
        evaluations=max(24, attack_steps // 3), rounds=1, seed=seed, what="c against 2γ",
    )  # fmt: skip


@claims.check("transition", proof="proved on the page")
def transition(slopes_of_decay: list[float]) -> Iterator[Verdict]:
    """What is left at λ on both sides of λ_c and of √3/4, for p = 0.7 and 0.95."""
    here, leaning = Task(1, 1, 0.2), Task(1, 1, LEANING - 0.5)
    edge = selection.smallest_lambda(here)
    after = [plane.slope_of_nuclear_norm(0.7, x) < 1e-6 for x in (1.02 * edge, 3 * edge, 0.42)]
    before = [plane.slope_of_nuclear_norm(0.7, x * edge) > 1e-4 for x in (0.98, 0.5, 0.1)]
    nothing = [max(selection.minimise(here, x)) < 1e-9 for x in (0.44, 1.0)]
    never = [selection.minimise(leaning, x)[1] > 1e-3 for x in (0.01, 0.2, 0.4, 0.42, 0.44)]
    nothing.append(max(selection.minimise(leaning, 0.5)) < 1e-9)
    yield everywhere(
        after + before + nothing + never + [c > 0 for c in slopes_of_decay],
        what=f"on both sides of λ_c = {edge:.4f} and √3/4 at p = 0.7; p = 0.95",
    )
