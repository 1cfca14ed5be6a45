"""The checks on what is learned first: the bounds of two families, and a training on both."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.gradient_features import data, exact, experiments, network, theory
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, trend

Array = NDArray[np.float64]

SMALL, LARGE = (theory.Family(r, 0.4, 0.4 * r**0.5, 5.0, 20.0, 2.0, 0.1) for r in (2, 60))
"""Families of 2 and of 60 teacher neurons, otherwise equal."""
SHARED = replace(LARGE, B_a2=SMALL.B_a2)
"""The larger family with the B_F of the smaller."""
EPSILON = 0.1
"""Error that both are to reach."""
WIDTHS = np.array([1e3, 1e4, 1e5, 1e6, 1e7, 1e8])
"""Widths at which T_2/T_1 is followed."""
LEARNED = 0.3
"""Loss below which a group counts as learned."""
SHARES = {"a third": 1 / 3, "half": 0.5}
"""Mass of the linear task."""
EVERY = 5
"""Steps between two observations."""


@claims.check("simplicity", undecided=("two readings", "least widths: true; equal m: false"))
def runtimes() -> Iterator[Verdict]:
    """T of both families at equal width, and at the least widths of each."""
    equal = [10**17, 10**18]
    T = [[exact.steps(r, m) for m in equal] for r in (2, 60)]
    yield exactly(
        [2 * x for x in T[0]],
        "<=",
        T[1],
        what="2 T_1 and T_2, r = 2, 60, equal m = 10^17, 10^18",
    )
    least = [int(theory.width(family, EPSILON)) for family in (SMALL, LARGE)]
    yield exactly(
        [1000 * exact.steps(2, least[0])],
        "<=",
        [exact.steps(60, least[1])],
        what="1000 T_1 and T_2, r = 2, 60, least widths",
    )


@claims.check("simplicity-corrected", proof="proved on the page")
def runtimes_at_equal_width() -> Iterator[Verdict]:
    """The exponent in m of T_2/T_1 - 1, and its size at two widths."""
    T = [np.array([theory.steps(f, m, EPSILON) for m in WIDTHS]) for f in (SMALL, LARGE)]
    excess = T[1] / T[0] - 1
    yield identity(
        verdicts.exponents(WIDTHS[2:], excess[2:]),
        -1.25,
        tolerance=0.01,
        what="T_2/T_1 - 1 falls like m^(-5/4)",
    )
    yield identity(
        excess[[0, 3]], [0.2888, 5.0e-5], tolerance=0.05, each=True, what="at m = 10^3 and 10^6"
    )


@claims.experiment
def simple_paths(
    d_train: int, m: int, simple_steps: int, batch: int, n_seeds: int, seed: int
) -> dict[str, dict[str, Tensor]]:
    """Test losses of the groups "linear" and "XOR", (observations, S), by mass of the linear."""
    found = {}
    seeds, root = range(seed, seed + n_seeds), d_train**0.5
    for name, share in SHARES.items():
        mix = data.easy_and_hard(d_train, share, root)
        nets = experiments.after_first_step(mix, m, seeds, c_b=1.0, kappa=root / 2, B_G=root / 6)
        X, y = mix.draw(core.generator(seed, "groups"), 1000)
        easy = X[:, 0].abs() > root / 2
        groups = {"linear": (X[easy], y[easy]), "XOR": (X[~easy], y[~easy])}
        found[name] = network.algorithm_1(
            network.stack(nets),
            mix.draw,
            eta=0.005,
            steps=simple_steps,
            batch=batch,
            seeds=seeds,
            test=(X, y),
            observe_at=list(range(0, simple_steps + 1, EVERY)),
            label=f"{name} of the mass linear",
            observe=partial(experiments.group_losses, tests=groups),
        ).observed
    return found


@claims.check("simplicity-order")
def linear_first(
    simple_paths: dict[str, dict[str, Tensor]], simple_steps: int
) -> Iterator[Verdict]:
    """The time of the XOR over that of the linear task, for each seed."""
    marks = range(0, simple_steps + 1, EVERY)
    losses = simple_paths["a third"]
    times = {g: experiments.first_time(x < LEARNED, marks) for g, x in losses.items()}
    ended = np.minimum(times["XOR"], simple_steps)  # at least that long, if never
    later = ended / np.maximum(times["linear"], 1)  # 0 if the linear task is never learned
    yield everywhere(later > 3, what="time to loss 0.3, ratio > 3")


@claims.check("simplicity-mass")
def more_mass(simple_paths: dict[str, dict[str, Tensor]]) -> Iterator[Verdict]:
    """The mean loss on the XOR with half of the mass linear, less that with a third."""
    half, third = (simple_paths[name]["XOR"].mean(0) for name in ("half", "a third"))
    yield trend(
        (half - third).numpy(),
        expected=(0.05, 1),
        rival=0.0,
        within=(-1, 1),
        what="mean loss on XOR, half minus a third",
    )
