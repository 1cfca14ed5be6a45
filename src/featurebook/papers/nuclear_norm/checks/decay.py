"""The checks of Lemma 6.1: the two weights of weight decay, their order, and its proof."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from featurebook.papers.nuclear_norm import certified, model
from featurebook.papers.nuclear_norm.checks import statements
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.model import Task
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality, search

CUBE = [(0.0, 1.0)] * 4
"""Where r, γ, |U| and λ are searched, by `statements.admissible` or `statements.any_task`."""
UNCONDITIONAL = (((40, 1), Fraction(1, 10)), ((40, 176), Fraction(1, 10**7)))
"""(r, |U|) and λ at γ = 0.48 with α >= 1/√r."""
SMALLEST, LARGEST = 37, 5000
"""Values of r for which λ_0 is computed."""


def search_tasks(
    sides: Callable[..., Any], into: Callable[..., Any], evaluations: int, seed: int, what: str
) -> Verdict:
    """A search over tasks and λ for a place where the first side exceeds the second."""
    return search(
        sides, CUBE, into=into, evaluations=evaluations, rounds=1, seed=seed,
        describe=statements.describe, what=what,
    )  # fmt: skip


@claims.check("lemma-6-1-groups", proof="proved on the page")
def one_weight_for_each_kind(task: Task, lam: float, seed: int) -> Iterator[Verdict]:
    """All d weights from a random start against the solution for two."""
    rng = np.random.default_rng([seed, 2])
    spread, left = [], []
    for some in (task, Task(1, 1, 0.2), Task(4, 9, 0.45), Task(12, 3, 0.1)):
        every = np.repeat(some.gammas, [some.r, some.q])
        start = rng.normal(size=some.r + some.q)
        free, residual = model.minimise(lam, every, np.ones(len(every)), start)
        spread.append(free - np.repeat(model.weight_decay(some, lam), [some.r, some.q]))
        left.append(residual)
    yield identity(1 + np.concatenate(spread), 1.0, tolerance=1e-9, what="all weights against two")
    yield inequality(left, 1e-10, what="largest entry of the gradient")


@claims.check(
    "lemma-6-1-order",
    undecided=("two readings", "with the conditions of Proposition 6.3: true; without: false"),
)
def sizes_without_conditions() -> Iterator[Verdict]:
    """The least α that a rational point and its gradient allow, in two tasks, against 1/√r."""
    certified.precise()
    least = []
    for counts, price in UNCONDITIONAL:
        found = model.weight_decay(Task(*counts, 0.48), float(price))
        alpha, beta = (Fraction(round(x * 10**14), 10**14) for x in found)
        off = certified.distance((alpha, beta), counts, Fraction(48, 100), price)
        least.append(certified.ball(alpha) - off)
    yield exactly(
        least, "<", 1 / arb(40).sqrt(),
        what="least α, at |U| = 1, λ = 0.1, and |U| = 176, λ = 1e-7; r = 40, γ = 0.48",
    )  # fmt: skip


@claims.check("lemma-6-1-order-corrected")
def sizes_with_conditions(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search inside the conditions of Proposition 6.3."""
    yield search_tasks(
        statements.weights, statements.admissible, evaluations, seed, "the four inequalities"
    )


@claims.check("order-always")
def order_without_conditions(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search over any task; and three tasks in which a slightly stronger statement is false."""
    yield search_tasks(
        statements.order, statements.any_task, evaluations, seed, "0 ≤ β ≤ α and 1/(2γ) ≤ α/β"
    )
    over = []
    for task in (Task(1, 1, 0.1), Task(1, 1, 0.45), Task(40, 20, 0.3)):
        alpha, beta = model.weight_decay(task, 100.0)
        over.append(2 * task.gamma * alpha / beta)
    yield inequality(over, 1.001, what="2γ α/β at λ = 100: sharp")


@claims.check("lambda-0", proof="proved on the page")
def lambda_of_the_proof() -> Iterator[Verdict]:
    """λ_0 at |U|γ² = r for each r, against a third of the printed scale."""
    sizes = np.arange(SMALLEST, LARGEST)
    at_border = np.array([model.lambda_0(Task(int(n), int(n) * 4, 0.5)) for n in sizes])
    yield inequality(
        at_border, model.decay_scale(sizes) / 3,
        what="λ_0 against a third of √r exp(-√r/5), each r below 5,000",
    )  # fmt: skip


@claims.check("step-e-34")
def lemma_e_1_does_not_give_it() -> Iterator[Verdict]:
    """The factor of both integrands at z_k = 1/10, z_l = -1, for α = 1/7 and β = 1/8."""
    certified.precise()
    added = Fraction(1, 7) * Fraction(1, 10) - Fraction(1, 8)
    yield exactly(
        1 / (1 + certified.ball(added).exp()), ">", 1 / arb(2),
        what="-ℓ' with and without the two, Z = 0, α = 1/7, β = 1/8; "
        "both integrands have this factor",
    )  # fmt: skip


def strip(corner: NDArray[np.float64]) -> NDArray[np.float64]:
    """(x, γ) from the unit square (S, 2): 0 < x <= 1/6 and 3x <= γ <= 1/2."""
    x = 1e-3 + (1 / 6 - 1e-3) * corner[:, 0]
    return np.stack([x, 3 * x + (0.5 - 3 * x) * corner[:, 1]], 1)


def ratio_sides(p: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bound on α/β at (x, γ) over 3/(4γ), and 0.813."""
    return model.ratio_bound(p[:, 0], p[:, 1]) * p[:, 1] / 0.75, np.full(len(p), 0.813)


@claims.check("step-e-34-corrected")
def gap_closed(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search over x and γ for a larger ratio."""
    yield search(
        ratio_sides, [(0, 1)] * 2, into=strip, vectorised=True, evaluations=20 * evaluations,
        seed=seed, what="the bound over 3/(4γ)",
    )  # fmt: skip
