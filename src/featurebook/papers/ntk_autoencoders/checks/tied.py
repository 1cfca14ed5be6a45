"""The checks of the tied network: its error at the start, its width, its training."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, sqrt

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import data, exact, experiments, kernels, network, tied
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, inequality

SETTINGS = [
    (2, 5, 2, 1), (5, 20, 2, 1), (10, 100, 2, 1), (10, 100, 1, 1), (10, 100, 3, 1),
    (50, 100, 2, 1), (10, 500, 2, 1), (3, 30, 1.5, 5),
]  # fmt: skip
"""d, m, σ² and ‖x‖ at which Lemma 6.1 is sampled."""
EPS, DIMENSIONS = Fraction(1, 100), range(1, 21)
"""The error ε of Remark 6.1, and the d at which its widths are tried."""
SCALED = (100, 400, 1000)
"""Widths m with the factor 1/√(md), d = 10."""
D = 10
"""Dimension of the tied networks that are trained."""
UNTIED = 1024
"""Width of the untied network that is trained for contrast."""


@claims.experiment
def sampled_errors(first: int, tied_draws: int) -> pd.DataFrame:
    """The expected error at each of `SETTINGS`: estimated, its standard error, by the lemma."""
    draw = core.generator(first, "tied")
    found = np.array([tied.sampled_error(*s, tied_draws, draw) for s in SETTINGS])
    table = pd.DataFrame(SETTINGS, columns=["d", "m", "σ²", "‖x‖"])
    lemma = [tied.expected_error(*s) for s in SETTINGS]
    return table.assign(estimate=found[:, 0], stderr=found[:, 1], lemma=lemma)


@claims.check("lemma-6-1", proof="proved on the page")
def error_at_the_start(sampled_errors: pd.DataFrame) -> Iterator[Verdict]:
    """The estimates in five standard errors of the lemma."""
    off = (sampled_errors.estimate - sampled_errors.lemma).abs()
    yield inequality(off, 5 * sampled_errors.stderr, what="|estimate - lemma|")


@claims.check("remark-6-1")
def width_of_the_remark() -> Iterator[Verdict]:
    """The exact error at m = 3d/ε."""
    found = [exact.tied_error(k, ceil(3 * k / EPS)) for k in DIMENSIONS]
    instance = {"d": 1, "m": ceil(3 / EPS), "ε": EPS, "expected error": found[0]}
    yield exactly(found, "<=", EPS, what="d = 1 to 20", instance=instance)


@claims.check("remark-6-1-corrected", proof="proved on the page")
def width_that_it_needs() -> Iterator[Verdict]:
    """The exact error at m = (2d + 3)/ε."""
    found = [exact.tied_error(k, ceil((2 * k + 3) / EPS)) for k in DIMENSIONS]
    yield exactly(found, "<=", EPS, what="d = 1 to 20")


@claims.check("equation-6-3", undecided=("our text", "a denominator may be lost"))
def fourth_moment() -> Iterator[Verdict]:
    """The printed and the exact value at d = 4, σ² = 2."""
    sides = {
        "d": 4, "σ²": 2,
        "left": 4 * exact.fourth_moment(4), "right": Fraction((2 * 4 + 4) * 4),
    }  # fmt: skip
    yield exactly(sides["left"], "==", sides["right"], what="d = 4, σ² = 2", instance=sides)


@claims.check("equation-6-3-corrected", proof="proved on the page")
def second_moment(first: int, tied_draws: int) -> Iterator[Verdict]:
    """An estimate at d = 4, σ² = 2, in five standard errors."""
    draw, count = core.generator(first + 1, "expectation"), 100 * tied_draws
    w = torch.randn(4, count, generator=draw, dtype=torch.double)
    found = 4 * torch.relu(w[0]).square() * w.square().sum(0)
    off = abs(float(found.mean()) - (4 + 2) / 2 * 4)
    yield inequality(off, experiments.five_errors(found), what="|estimate - value|")


@claims.experiment
def tied_sets(first: int, place: torch.device) -> dict[str, Tensor]:
    """Samples that are trained, and new ones (10, n)."""
    found = {"train": data.sphere(20, D, first), "test": data.sphere(500, D, first + 1)}
    return {name: X.to(place) for name, X in found.items()}


def mean_error(params: core.Params, X: Tensor) -> Tensor:
    """Squared error per sample of each tied network (R,)."""
    error = core.per_network(lambda p, x: (x - tied.outputs(p, x)).square().sum(0).mean(), 0, None)
    found: Tensor = error(params, X)
    return found.cpu()


@claims.experiment
def tied_training(
    tied_sets: dict[str, Tensor], tied_widths: list[int], tied_steps: int, n_seeds: int,
    seed: int, place: torch.device,
) -> pd.DataFrame:  # fmt: skip
    """Errors per sample before and after training with η = m/10, a row per network."""
    frames = []
    for m in tied_widths:
        start = experiments.tied_ensemble(m, D, n_seeds, seed=seed, place=place)
        after = tied.descend(start, tied_sets["train"], eta=0.1 * m, steps=tied_steps)
        values = {
            f"{which} {when}": mean_error(p, X)
            for which, X in tied_sets.items()
            for when, p in (("before", start), ("after", after))
        }
        values["moved"] = (after["W"] - start["W"]).flatten(1).norm(dim=1).cpu()
        frames.append(pd.DataFrame(values).assign(m=m))
    return pd.concat(frames)


@claims.check("observation-tied-training")
def tied_network_improves(tied_training: pd.DataFrame) -> Iterator[Verdict]:
    """Whether both errors are lower after training."""
    lower = [
        tied_training[f"{which} after"] < tied_training[f"{which} before"]
        for which in ("train", "test")
    ]
    yield everywhere(lower[0] & lower[1], what="both errors lower after training")


@claims.experiment
def tied_steps_tried(
    tied_sets: dict[str, Tensor], tied_widths: list[int], tied_steps: int, seed: int,
    place: torch.device,
) -> pd.DataFrame:  # fmt: skip
    """Training error of three networks of the largest width after three steps."""
    m = tied_widths[-1]
    start = experiments.tied_ensemble(m, D, 3, seed=seed, place=place)
    found = {
        f"η = {c} m": mean_error(
            tied.descend(start, tied_sets["train"], eta=c * m, steps=tied_steps),
            tied_sets["train"],
        )
        for c in (0.02, 0.1, 0.2)
    }
    return pd.DataFrame(found, index=[f"seed {s}" for s in range(3)])


@claims.experiment
def untied_errors(
    tied_sets: dict[str, Tensor], c: float, steps: int, seed: int, place: torch.device
) -> dict[str, float]:
    """Error per sample of joint training: the largest on samples, the mean on new ones."""
    X, new = tied_sets["train"], tied_sets["test"]
    start = experiments.ensemble(UNTIED, D, 3, seed=seed, place=place)
    eta = kernels.stable_step("joint", start, X, c)
    run = network.descend("joint", start, X, eta=eta, steps=steps, seeds=range(3), observe_at=[])
    return {
        "train": float(network.squared_error(run.params, X).max()) / X.shape[1],
        "test": float(network.squared_error(run.params, new).mean()) / new.shape[1],
    }


@claims.check("observation-tied-scaling")
def announced_factor(first: int, tied_draws: int) -> Iterator[Verdict]:
    """Estimates with the factor of (2.1), σ² = 1, in five standard errors of the formula."""
    draw = core.generator(first + 1, "tied")
    found = np.array([
        tied.sampled_error(D, m, 1, 1, tied_draws // 4, draw, sqrt(D * m)) for m in SCALED
    ])  # fmt: skip
    off = np.abs(found[:, 0] - [tied.expected_error(D, m, 1, 1, sqrt(D * m)) for m in SCALED])
    yield inequality(off, 5 * found[:, 1], what="|estimate - formula|, d = 10")
