"""The checks of Proposition 6.3: the gap out of distribution, and smaller points of its proof."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from featurebook.papers.nuclear_norm import certified, model, plane
from featurebook.papers.nuclear_norm.checks import statements
from featurebook.papers.nuclear_norm.checks.decay import search_tasks
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.model import Task
from featurebook.verdicts import Verdict, proved
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality, search

COUPLED = Task(4, 11, 0.3)
"""The task of the coupling, in floating point and in fractions."""
SHARES = np.array([0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 0.75, 1.0, 1.3])
"""|U| in units of r/γ² of the figure of the gap."""
STRONG = 0.1
"""λ of that figure, and of the claim on a quarter."""
VANISHING = [10, 1, 0.1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10]
"""λ of vanishing weight decay."""
DENOMINATORS = [
    (n, gamma)
    for n in (37, 100, 400)
    for gamma in (Fraction(k, 50) for k in range(1, 25))
    if gamma**2 * n > 9
]
"""r and γ at which the denominators of (E.49) are compared."""


@claims.experiment
def growing_weights() -> NDArray[np.float64]:
    """ID and OOD error (2, 3) as the weights on R grow from 1 to 100 times those on U."""
    weights = [np.array([scale, 1.0]) for scale in (1.0, 10.0, 100.0)]
    return 1 - np.array([
        [model.accuracy(v, laws, COUPLED.counts) for v in weights]
        for laws in (COUPLED.gammas, COUPLED.ood)
    ])  # fmt: skip


@claims.experiment
def decay_attack(evaluations: int, seed: int) -> Verdict:
    """A search inside the conditions of Proposition 6.3 for a task with OOD accuracy e^(-r/10)."""
    return search_tasks(
        statements.ood_exponent, statements.admissible, evaluations, seed,
        "r/10 over -ln(OOD accuracy)",
    )  # fmt: skip


def decay_accuracy(task: Task, lam: float) -> float:
    """OOD accuracy of the optimum of ERM-ℓ2."""
    return model.accuracy(model.weight_decay(task, lam), task.ood, task.counts)


@claims.experiment
def decay_curves(features: list[int], gamma: float) -> dict[int, list[float]]:
    """OOD accuracy at λ = `STRONG` and each of `SHARES`, by r."""
    return {
        n: [decay_accuracy(Task(n, max(1, round(s * n / gamma**2)), gamma), STRONG) for s in SHARES]
        for n in features
    }


@claims.check("coupling-many", proof="proved on the page")
def errors_are_coupled(growing_weights: NDArray[np.float64]) -> Iterator[Verdict]:
    """The extremal and a lazy randomised classifier in fractions, and growing weights on R."""
    up, down, q = Fraction(4, 5), Fraction(1, 5), COUPLED.q  # chances of a sign at γ = 3/10
    inside, outside = ([x**q, x**q / 2, Fraction(1, 3)] for x in (down, up))
    yield exactly(outside, "<=", [x * 4**q for x in inside], what="extreme ones")
    factor = plane.coupling(COUPLED.gamma, q)
    yield inequality(growing_weights[1], factor * growing_weights[0], what="growing weights on R")


@claims.check(
    "proposition-6-3",
    undecided=("two readings", "attained: there is no optimum; in the limit: true"),
)
def gap(doubled_losses: list[arb]) -> Iterator[Verdict]:
    """A supposed optimum against its double."""
    yield exactly(
        doubled_losses[:-1], "<=", doubled_losses[1:],
        what="loss at t and at 2t, B_rank = 1: no optimum",
    )  # fmt: skip


@claims.check("proposition-6-3-corrected")
def gap_for_sequences(
    growing_weights: NDArray[np.float64], invariant_alone: list[bool], decay_attack: Verdict
) -> Iterator[Verdict]:
    """A minimising sequence, optima of bounded norm, and the search of the half on decay."""
    error = growing_weights[1]
    falls = inequality(error[1:], error[:-1], what="OOD error as weights on R grow")
    lie = everywhere(invariant_alone, what="optima of bounded norm lie in R")
    yield replace(falls, title="minimising sequence")
    yield replace(lie, title="bounded norm")
    yield replace(decay_attack, title="weight decay")


@claims.check("proposition-6-3-decay")
def half_on_decay(decay_attack: Verdict) -> Iterator[Verdict]:
    """The search of a task with a higher OOD accuracy."""
    yield decay_attack


def around_a_quarter(x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """At (r, γ): accuracy at a fifth of r/γ² above, at two fifths below one half."""
    n, strength = round(x[0]), float(x[1])
    few, many = (
        decay_accuracy(Task(n, round(share * n / strength**2), strength), STRONG)
        for share in (0.2, 0.4)
    )
    return np.array([0.5, many]), np.array([few, 0.5])


@claims.check("quarter")
def a_quarter_is_enough(features: list[int], evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search over r and γ."""
    yield search(
        around_a_quarter, [(min(features), max(features)), (0.1, 0.45)], integrality=[True, False],
        evaluations=evaluations, rounds=1, seed=seed,
        what="one half and accuracy at a fifth; accuracy at two fifths and one half",
    )  # fmt: skip


@claims.check("discussion")
def no_better_than_guessing(decay_attack: Verdict) -> Iterator[Verdict]:
    """The bound on the accuracy, and that it is below one half at the least r."""
    certified.precise()
    yield decay_attack
    bound = (arb(-37) / 10).exp()
    yield exactly(bound, "<", Fraction(1, 2), what="bound at the least r, 37, and one half")


@claims.check("vanishing-decay")
def vanishing_decay() -> Iterator[Verdict]:
    """The bound of the proof in a small task, and the accuracy as λ falls in a larger one."""
    single, known = Task(1, 2, 0.1), Task(10, 28, 0.3)
    optima = [model.weight_decay(single, p) for p in VANISHING[:-1]]
    missed = np.array([1 - model.accuracy(v, single.ood, single.counts) for v in optima])
    loss = np.array([model.loss(v, single.gammas, single.counts) for v in optima])
    bound = (0.6 / 0.4) ** 2 * loss / np.log(2)
    yield proved(
        inequality(missed, bound, informative=bound < 1, what="OOD error and its bound, r = 1")
    )
    rise = [decay_accuracy(known, p) for p in VANISHING]
    yield inequality(rise[:-1], rise[1:], what="at a λ and the next smaller")
    yield identity(rise[0], 0.489, tolerance=1e-3, what="at λ = 10")
    yield identity(rise[-1], 0.9995, tolerance=1e-3, what="at λ = 1e-10")


@claims.check("constant-c")
def lower_bound_on_r() -> Iterator[Verdict]:
    """The constant against the r up to which γ's interval is empty."""
    yield inequality(
        20, 36, informative=False, what="C is below 20, and γ's interval is empty up to r = 36"
    )


@claims.check("least-r")
def what_gamma_asks() -> Iterator[Verdict]:
    """9/r against 1/4."""
    yield exactly([9 * 4] * 36, ">=", list(range(1, 37)), what="9/r ≥ 1/4 for each r ≤ 36")


@claims.check(
    "more-general",
    undecided=(
        "two readings",
        "the data are more general; the proposition does not cover that task",
    ),
)
def more_general() -> Iterator[Verdict]:
    """γ of the task in the plane against 3/√r."""
    yield exactly(Fraction(1, 5), ">", 3, what="γ against 3/√r")


@claims.check("more-general-corrected")
def when_more_general() -> Iterator[Verdict]:
    """γ and d of that task against both conditions."""
    yield exactly(
        [Fraction(1, 5), Fraction(2)], "<=", [3, 1 / Fraction(1, 5) ** 2 + 1],
        what="γ and 3/√r; d and r/γ² + r",
    )  # fmt: skip


@claims.experiment
def denominators() -> list[tuple[Fraction, int, Fraction]]:
    """γ, the least |U|, and the denominator in Hoeffding's inequality at `DENOMINATORS`."""
    least = [(r, g, int(r / g**2) + 1) for r, g in DENOMINATORS]
    return [(g, q, Fraction(9, 16) * r / g**2 + 4 * q) for r, g, q in least]


@claims.check("step-e-49")
def above_4d(denominators: list[tuple[Fraction, int, Fraction]]) -> Iterator[Verdict]:
    """The denominator against 4d, where γ < 3/8."""
    sizes = [r for r, _ in DENOMINATORS]
    pairs = [
        (found, 4 * (r + q))
        for r, (g, q, found) in zip(sizes, denominators, strict=True)
        if g < Fraction(3, 8)
    ]
    true, four_d = zip(*pairs, strict=True)
    yield exactly(list(true), ">", list(four_d), what="denominator and 4d, γ < 3/8")


@claims.check("step-e-49-corrected")
def denominator_enough(denominators: list[tuple[Fraction, int, Fraction]]) -> Iterator[Verdict]:
    """The denominator against 5|U|."""
    true = [found for _, _, found in denominators]
    yield exactly(true, "<", [5 * q for _, q, _ in denominators], what="and 5|U|")
