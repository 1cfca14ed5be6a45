"""The checks of the main theorem, run to the letter, of its widths, and of its parameters."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from featurebook import verdicts
from featurebook.papers.gradient_features import experiments, theory
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.papers.gradient_features.theory import Family
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality
from featurebook.verdicts.comparisons import probability as probable

Array = NDArray[np.float64]

RHO, SIDE = 0.8, 1.2
"""Signal and noise of the linear data."""
LINEAR = Family(2, 1 / RHO, 2**0.5 / RHO, 0.25, (RHO**2 + SIDE**2) ** 0.5, RHO, 1.0)
KINDS: dict[str, dict[str, Any]] = {
    "population": {},
    "64 samples": {"batch": 64},
    "random directions": {"start": "random"},
}
"""Runs to the letter: Theorem B.3, Theorem 3.12, and the control."""
TOO = "random directions meet it too"
XOR = Family(4, 0.4, 0.8, 5.0, 20.0, 2.0, 0.1)
"""Constants of the XOR at d = 100, p = 1/10."""
PARITY = Family(18, 2 * 5**0.5, 1.0, 6 / 5**0.5, 8.0, 5**0.5 / 4, 1.0)
"""Constants of a biased parity at d = 64, k = 5."""
WIDTHS = [
    (4 * Fraction(2, 5) * 20) ** 4 * Fraction(5, 2) ** 2 * 10 * 10**4,
    (18 * 8) ** 4 * 400 * Fraction(24, 5) ** 2 * 10**4,
]
"""Their prescribed widths at ε = 1/10, by hand."""


@dataclass(frozen=True)
class Literal:
    """Runs to the letter.

    Attributes:
        m: the prescribed width; how: the other prescribed parameters.
        steps: observed steps (T,); losses: hinge losses (T, seeds), by run.
    """

    m: int
    how: dict[str, float]
    steps: list[int]
    losses: dict[str, Tensor]


@claims.experiment
def literal_runs(epsilon: float, verbatim_steps: int, n_seeds: int, seed: int) -> Literal:
    """The prescription on linear data in ten dimensions, at most so many steps of it."""
    m = int(np.ceil(theory.width(LINEAR, epsilon)))
    runs = {
        name: experiments.verbatim(
            m,
            epsilon,
            range(seed, seed + n_seeds),
            LINEAR,
            d=10,
            side=SIDE,
            sigma_w=1e-3 * theory.bias(LINEAR),
            most=verbatim_steps,
            **more,
        )
        for name, more in KINDS.items()
    }
    run, how = runs["population"]
    losses = {name: x.observed["loss"] for name, (x, _) in runs.items()}
    return Literal(m, how, list(run.steps), losses)


def likely(runs: Literal, name: str, epsilon: float, n_seeds: int) -> Verdict:
    """How many seeds of a run reach ε."""
    reached = int((runs.losses[name].min(0).values <= epsilon).sum())
    return probable(reached, n_seeds, at_least=0.5, what=f"loss <= {epsilon:g}, {name}")


@claims.check("theorem-b-3", beyond=TOO)
def population(literal_runs: Literal, epsilon: float, n_seeds: int) -> Iterator[Verdict]:
    """Seeds that reach ε with the population's gradient."""
    yield likely(literal_runs, "population", epsilon, n_seeds)


@claims.check("theorem-3-12", beyond=TOO)
def samples(literal_runs: Literal, epsilon: float, n_seeds: int) -> Iterator[Verdict]:
    """Seeds that reach ε with fresh samples."""
    yield likely(literal_runs, "64 samples", epsilon, n_seeds)


@claims.check("verbatim-control")
def without_the_features(literal_runs: Literal, epsilon: float, n_seeds: int) -> Iterator[Verdict]:
    """Seeds that reach ε from random directions, and how much later."""
    yield likely(literal_runs, "random directions", epsilon, n_seeds)
    first = {
        name: experiments.first_time(loss <= epsilon, literal_runs.steps)
        for name, loss in literal_runs.losses.items()
    }
    later = first["random directions"] > 3 * first["population"]
    yield everywhere(later, what="three times as late")


@claims.check("widths")
def prescribed_widths() -> Iterator[Verdict]:
    """The formula and the widths by hand, and those and 4·10¹⁰."""
    found = [theory.width(family, 0.1) for family in (XOR, PARITY)]
    yield identity(found, [float(x) for x in WIDTHS], tolerance=1e-9, each=True, what="m")
    yield exactly([400 * 10**8] * 2, "<=", WIDTHS, what="4·10^10 neurons, and m")


def roughly(r: int, epsilon: float, p: float) -> float:
    """m of (3.10) with every other parameter 1."""
    return theory.width(Family(r, 1.0, 1.0, 1.0, 1.0, 1.0, p), epsilon)


@claims.check("roughly")
def how_many_neurons() -> Iterator[Verdict]:
    """Exponents of the width in r, ε and p, each alone."""
    small = [0.1, 0.05, 0.025]
    by_r = [roughly(r, 0.1, 0.1) for r in (8, 16, 32)]
    by_epsilon = [roughly(8, epsilon, 0.1) for epsilon in small]
    by_p = [roughly(8, 0.1, p) for p in small]
    powers = [
        float(verdicts.exponents(np.array(x), np.array(m))[0])
        for x, m in (([8, 16, 32], by_r), (small, by_epsilon), (small, by_p))
    ]
    what = "exponents of m in r, ε and p"
    yield identity(powers, [4, -4, -1], tolerance=0.01, each=True, what=what)


@claims.check("least-scale")
def width_not_enough() -> Iterator[Verdict]:
    """B_ε and B_b, to the fourth power, at the prescribed width."""
    yield exactly(Fraction(16) * Fraction(1, 64) / 70, ">", Fraction(1, 4096), what="B_ε⁴ and B_b⁴")


@claims.check("least-scale-corrected", proof="proved on the page")
def larger_width(framework_draws: dict[str, Array]) -> Iterator[Verdict]:
    """B_ε and B_b just above the least width, for random constants."""
    B_x1, B_b, B_G = framework_draws["constants"].T
    mp = (B_x1**2 / (B_b * B_G)) ** 2
    B_eps = B_x1 / (1.0001 * mp) ** 0.25 * np.sqrt(B_b / B_G)
    yield inequality(B_eps, B_b, what="B_ε and B_b")


@claims.check("bias-formula", undecided=("our text", "one of nine places has the longer root"))
def bias_as_printed() -> Iterator[Verdict]:
    """The two sides of (B.122) with the printed bias, in fractions."""
    # b̃² as printed at r = 3, B_a1 = 2, B_a2 = 5/2, √B_b = 3/2, √B_G = 1/2; and B_x1 = 7/5
    B_x1, B_a2, root_b, root_G = Fraction(7, 5), Fraction(5, 2), Fraction(3, 2), Fraction(1, 2)
    squared = root_G * B_a2**2 * root_b**3 / (3 * 2**2)
    yield exactly(
        B_x1 * B_a2**2 * root_b**4 / squared,
        "==",
        3 * 2 * B_x1 * root_b / root_G,
        what="the two sides of (B.122)",
    )


@claims.check("bias-formula-corrected", proof="proved on the page")
def bias_with_a_longer_root() -> Iterator[Verdict]:
    """The two sides of (B.122), without (mp)^(1/4), with our bias."""
    left, right = [], []
    for f in (Family(3, 1.7, 2.1, 0.6, 1.4, 0.8, 0.3), Family(7, 0.4, 3.0, 2.5, 5.0, 1.9, 0.7)):
        left.append(f.B_x1 * f.B_a2**2 * f.B_b**2 / theory.bias(f) ** 2)
        right.append(f.r * f.B_a1 * f.B_x1 * np.sqrt(f.B_b / f.B_G))
    yield identity(left, right, tolerance=1e-10, what="(B.122)")
