"""The checks of the data and of the lemmas of the appendix: loss, derivatives, moments, tails."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy
import torch
from flint import arb

from featurebook.papers.nuclear_norm import certified, model
from featurebook.papers.nuclear_norm.checks import statements
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.model import Task
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, search

PAIRWISE = 101
"""Features r of the example that is independent in pairs."""


@claims.experiment
def task(r: int, q: int, gamma: float) -> Task:
    """The task of this chapter."""
    return Task(r, q, gamma)


@claims.experiment
def tail_attack(evaluations: int, seed: int) -> Verdict:
    """A search for n and γ at which a printed exponent exceeds the exact one."""
    return search(
        statements.tails, [(2, 200), (0.01, 0.49)], integrality=[True, False],
        evaluations=evaluations, rounds=1, seed=seed, what="printed exponent over the exact one",
    )  # fmt: skip


@claims.check("gamma-ends")
def ends_of_gamma(r: int, q: int, lam: float) -> Iterator[Verdict]:
    """Both weights of weight decay at γ = 1/2, and both losses at γ = 0."""
    alike, none = model.weight_decay(Task(r, q, 0.5), lam), Task(r, q, 0.0)
    yield identity(alike[0], alike[1], tolerance=1e-9, what="α and β at γ = 1/2")
    both = [model.loss([0.7, 0.4], laws, none.counts) for laws in (none.gammas, none.ood)]
    yield identity(*both, tolerance=1e-12, what="ID and OOD loss at γ = 0")


@claims.check("lemma-e-1", proof="proved on the page")
def logistic_loss() -> Iterator[Verdict]:
    """Three derivatives of the loss and the gap of (4), by computer algebra."""
    t, c = sympy.symbols("t c", positive=True)
    ell, bar = sympy.log(1 + sympy.exp(-t)), 1 / (1 + sympy.exp(t))
    slopes = [ell.diff(t) + bar, ell.diff(t, 2) - bar * (1 - bar)]
    slopes.append(ell.diff(t, 3) + bar * (1 - bar) * (1 - 2 * bar))
    gap = bar.subs(t, t + c) - sympy.exp(-c) * bar
    positive = (1 - sympy.exp(-c)) * bar.subs(t, t + c) * bar
    zeros = [sympy.simplify(x) for x in [*slopes, gap - positive]]
    yield exactly(zeros, "==", 0, what="slopes; gap of (4)")


@claims.check("lemma-e-2")
def derivatives(task: Task, seed: int) -> Iterator[Verdict]:
    """The slope at points against autograd, and of the mean against differences."""
    rng = np.random.default_rng([seed, 1])
    w = torch.tensor(rng.normal(size=(50, 5)), dtype=torch.float64, requires_grad=True)
    z = torch.tensor(rng.uniform(-1, 1, size=(50, 5)))
    made = torch.autograd.grad(torch.nn.functional.softplus(-(w * z).sum(1)).sum(), w)[0]
    printed = -z / (1 + torch.exp((w * z).sum(1, keepdim=True)))
    yield identity(made, printed, tolerance=1e-13, what="against autograd")
    v, h = np.array([0.4, 0.2]), 1e-5
    steps = [
        model.loss(v + h * e, task.gammas, task.counts)
        - model.loss(v - h * e, task.gammas, task.counts)
        for e in np.eye(2)
    ]
    exact = -task.counts * model.pulls(v, task.gammas, task.counts)
    yield identity(np.array(steps) / 2 / h, exact, tolerance=1e-8, what="mean, by differences")


@claims.check("lemma-e-3")
def moments() -> Iterator[Verdict]:
    """Mean and variance by integration, and γ = 1/2 for an invariant feature."""
    u, g = sympy.symbols("u gamma")
    half = sympy.Rational(1, 2)
    raw = [
        (half + g) * sympy.integrate(u**k, (u, 0, 1))
        + (half - g) * sympy.integrate(u**k, (u, -1, 0))
        for k in range(3)
    ]
    found = [raw[0], raw[1], sympy.expand(raw[2] - raw[1] ** 2), raw[1].subs(g, half)]
    wanted = [1, g, sympy.Rational(1, 3) - g**2, half]
    yield exactly(found, "==", wanted, what="moments, by integration")


@claims.check("lemma-e-4", proof="proved on the page")
def two_tails(tail_attack: Verdict) -> Iterator[Verdict]:
    """Both printed exponents against the exact ones."""
    yield tail_attack


@claims.check(
    "independence",
    undecided=("two readings", "mutually independent: true; in pairs, to the letter: false"),
)
def in_pairs() -> Iterator[Verdict]:
    """The chance that A + jB modulo 1 sum to at most r/4, against the printed tail."""
    certified.precise()
    chance = certified.ball(Fraction(1, 16 * (PAIRWISE + 1)))
    yield exactly(
        chance, "<=", (-arb(PAIRWISE) / 8).exp(),
        what=f"chance of a small sum, r = {PAIRWISE}, independent in pairs",
    )  # fmt: skip


@claims.check("independence-corrected", proof="proved on the page")
def all_together(tail_attack: Verdict) -> Iterator[Verdict]:
    """The tails of Lemma E.4."""
    yield tail_attack
