"""The checks of the chapter on regression, continued: the optimal model of each rank."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from featurebook.core.spectra import rank
from featurebook.papers.icl_scale import facts, quadrature
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.checks.registry import ROUNDING, claims
from featurebook.papers.icl_scale.checks.regression import PLANE
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

LINES = ((1.05, 0.1), (2, 50), (1.001, 9))
"""Slopes α and constants β of the denominator in x²/(αx + β)."""
PRETRAINING = (1, 20, 1000)
"""Pretraining lengths N at which the minimum is computed."""


@claims.check("lemma-d-1", proof="proved on the page")
def unconstrained_optimum(
    eigenvalues: Array, d: int, instances: int, seed: int
) -> Iterator[Verdict]:
    """Both sides of (D.4) for random U, and the loss at the optimum, rescaled by c = -3."""
    left, right = facts.excess_pairs(d, instances, np.random.default_rng([seed, 4]))
    yield identity(left / right, 1.0, tolerance=ROUNDING, what="(D.4)")
    lam, reached, least = eigenvalues, [], []
    for n in PRETRAINING:
        g = reg.gamma(lam, n)
        reached.append(reg.loss(np.diag(-3 / g), -1 / 3, lam, n))
        least.append(-np.trace(np.diag(lam**2) @ np.diag(1 / g)) / 2)
    yield identity(reached, least, tolerance=ROUNDING, what="minimum")


@dataclass(frozen=True)
class Searches:
    """Attacks on the least loss.

    Attributes:
        closed: the closed form, one for each rank, N and spectrum.
        found: what each start reached, (cases, starts).
        rotation: an eigenbasis Q, (d, d), drawn afterwards.
    """

    closed: Array
    found: Array
    rotation: Array


@claims.experiment
def least_loss_searches(eigenvalues: Array, d: int, N: int, starts: int, seed: int) -> Searches:
    """L-BFGS over matrices of several ranks, for several N and spectra."""
    rng = np.random.default_rng([seed, 5])
    closed, found = [], []
    for r in sorted({1, 2, d // 2, d - 1} & set(range(1, d))):
        spectra = [(1, eigenvalues), (N, eigenvalues), (N, facts.random_spectrum(d, rng))]
        for n, lam in spectra:
            found.append(facts.search_ranks(lam, n, r, starts, rng)[0])
            closed.append(reg.least_loss(lam, n, r))
    return Searches(np.array(closed), np.array(found), reg.rotation(d, rng))


@claims.check("theorem-5-4-1", proof="proved on the page")
def optimal_rank_r(
    least_loss_searches: Searches, eigenvalues: Array, optima: dict[int, Array], N: int
) -> Iterator[Verdict]:
    """The closed form under attack, how near the attack comes, and truncated decompositions."""
    closed, found = least_loss_searches.closed, least_loss_searches.found
    yield inequality(closed[:, None], found, slack=1e-12, what="search")
    reached = np.abs(found.min(1) / closed - 1)
    yield inequality(reached, 1e-6, what="relative gap of its best start")
    Q = least_loss_searches.rotation
    truncated = [reg.by_truncation(Q * eigenvalues @ Q.T, N, r) for r in optima]
    rotated = [Q * v @ Q.T for v in optima.values()]
    yield identity(truncated, rotated, tolerance=1e-10, what="truncated SVD")


@claims.check("unique", proof="proved on the page")
def unique_solution(
    eigenvalues: Array, d: int, N: int, starts: int, seed: int
) -> Iterator[Verdict]:
    """Another matrix of the least loss at λ_d = 0, ties, and where the starts of a search end."""
    singular = np.array([1.0, 0.5, 0.0])
    v1 = reg.optimum(singular, N, 1)[0]
    other = np.array([[v1, 0, -2 * v1], [0, 0, 0], [3 * v1, 0, -6 * v1]])
    yield everywhere(rank(other) == 1, what="another, of rank 1")
    yield identity(
        reg.loss(other, 1.0, singular, N),
        reg.least_loss(singular, N, 1),
        tolerance=ROUNDING,
        what="loss of the other",
    )
    flat = np.ones(3)
    kept = [np.diag(np.roll(reg.optimum(flat, N, 1), k)) for k in range(3)]
    swapped = [reg.loss(V, 1.0, flat, N) for V in kept]
    yield identity(swapped, swapped[0], tolerance=ROUNDING, what="tie")
    lam, rng = eigenvalues, np.random.default_rng([seed, 6])
    values, matrices = facts.search_ranks(lam, N, 2, starts, rng)
    distance = np.abs(matrices - np.diag(reg.optimum(lam, N, 2))).max((1, 2))
    ended = values / reg.least_loss(lam, N, 2) > 1 - 1e-10  # not stopped on the way
    unique = lam[-1] > 0 and lam[1] > lam[min(2, d - 1)]
    agree = (distance[ended] < 1e-4) | (not unique)
    yield everywhere(agree, what="starts that reach the least loss agree")


@claims.check("g-increasing", proof="proved on the page")
def increasing_function() -> Iterator[Verdict]:
    """The derivative, and differences."""
    x = np.geomspace(1e-6, 1e6, 400)
    derivative = [x * (a * x + 2 * b) / (a * x + b) ** 2 for a, b in LINES]
    yield inequality(0.0, derivative, what="derivative")
    yield inequality(0.0, [np.diff(x**2 / (a * x + b)) for a, b in LINES], what="differences")


@claims.check("argmin-sum")
def minimum_as_a_sum() -> Iterator[Verdict]:
    """The least loss of rank 1, and what the sum has left: T_2 λ_2² (0 - 1/T_2)²."""
    first, second = (Fraction(x * x, 2 * x + 5) for x in (4, 1))  # λ_i²/T_i for N = 1
    yield exactly(-first / 2, "==", second, what="λ = (4, 1), N = 1, r = 1")


@claims.check("argmin-sum-corrected")
def excess_as_a_sum(
    eigenvalues: Array, d: int, N: int, instances: int, seed: int
) -> Iterator[Verdict]:
    """Twice the excess of random diagonal matrices, and the sum."""
    v = np.random.default_rng([seed, 7]).normal(size=(instances, d))
    T = reg.gamma(eigenvalues, N)
    losses = np.array([reg.loss(np.diag(row), 1.0, eigenvalues, N) for row in v])
    yield identity(
        2 * (losses - reg.least_loss(eigenvalues, N)),
        (T * eigenvalues**2 * (v - 1 / T) ** 2).sum(1),
        tolerance=ROUNDING,
        what="random diagonal V",
    )


@claims.check("truncation")
def small_model_is_a_truncated_one(
    least_loss_searches: Searches,
    eigenvalues: Array,
    optima: dict[int, Array],
    d: int,
    N: int,
    starts: int,
    seed: int,
) -> Iterator[Verdict]:
    """Best matrices of searches, and predictions after all other components have changed."""
    rng = np.random.default_rng([seed, 9])
    searched = {}
    for r in sorted({1, min(2, d - 1), d}):
        values, matrices = facts.search_ranks(eigenvalues, N, r, starts, rng)
        searched[r] = matrices[values.argmin()]
    kept = [np.where(np.arange(d) < r, 1.0, 0.0) for r in searched]
    cut = [k[:, None] * searched[d] * k for k in kept]
    yield identity(list(searched.values()), cut, tolerance=1e-4, what="searched, cut")
    Q, before, after = least_loss_searches.rotation, [], []
    for r, v in optima.items():
        x, x_q, y = rng.normal(size=(N, d)), rng.normal(size=d), rng.normal(size=N)
        network, rest = reg.blocks(Q * v @ Q.T, 1.0), Q[:, r:]
        moved = reg.prompt(x + rng.normal(size=(N, d - r)) @ rest.T, y,
                           x_q + rest @ rng.normal(size=d - r))  # fmt: skip
        before.append(reg.attention(reg.prompt(x, y, x_q), *network, N)[d, N])
        after.append(reg.attention(moved, *network, N)[d, N])
    yield identity(after, before, tolerance=1e-10, what="other components changed")


@dataclass(frozen=True)
class Networks:
    """Losses of random networks in the plane, N = 2.

    Attributes:
        optimal: that of (5.3) with rank 1.
        zero: with U of rank 1 and both blocks at zero.
        free: with W^KQ of rank 1 and all blocks free; half of them near the optimum.
        numbers: three numbers drawn afterwards.
    """

    optimal: float
    zero: list[float]
    free: list[float]
    numbers: Array


@claims.experiment
def random_networks(instances: int, seed: int) -> Networks:
    """Exact losses of networks with zero and with free blocks."""
    rng = np.random.default_rng([seed, 8])
    zero, free, best = [], [], reg.blocks(np.diag(reg.optimum(PLANE, 2, 1)), 1.0)
    for k in range(instances // 2):
        step = 10.0 ** -(k % 4)
        low = np.outer(rng.normal(size=3), rng.normal(size=3))
        near = best[1] + step * np.outer(rng.normal(size=3), best[1][0])  # still of rank 1
        W_pv = best[0] + step * rng.normal(size=(3, 3))
        free += [quadrature.full_risk(W_pv, W, PLANE, 2) / 2 for W in (low, near)]
        rank_one = reg.blocks(np.outer(*rng.normal(size=(2, 2))), rng.normal())
        zero.append(quadrature.full_risk(*rank_one, PLANE, 2) / 2)
    return Networks(quadrature.full_risk(*best, PLANE, 2) / 2, zero, free, rng.normal(size=3))


@claims.check("eq-5-3", proof="proved on the page")
def optimal_network(random_networks: Networks) -> Iterator[Verdict]:
    """The loss of (5.3) against random networks."""
    optimal = random_networks.optimal
    yield inequality(optimal, random_networks.zero, slack=1e-12, what="U of rank 1, zero blocks")
    yield inequality(optimal, random_networks.free, slack=1e-12, what="free blocks, rank 1")


@claims.check("free-blocks", proof="proved on the page")
def rank_of_u_alone(random_networks: Networks) -> Iterator[Verdict]:
    """The loss with free blocks: exact means, its least value, and one network in fractions."""
    a, b, c = random_networks.numbers
    network = facts.free_blocks(a, b, c, b * c / a)
    exact = [quadrature.full_risk(*network, np.ones(2), n) / 2 for n in (1, 2, 3)]
    formula = [reg.free_blocks_loss(n, b * c, a / c) for n in (1, 2, 3)]
    yield identity(exact, formula, tolerance=ROUNDING, what="loss, quadrature")
    sizes = np.arange(11, 1001)
    free = [reg.least_free_blocks_loss(int(n)) for n in sizes]
    yield inequality(free, 1 - sizes / (2 * sizes + 6) - 1e-9, what="N = 11..1000")
    rational = reg.free_blocks_loss(Fraction(20), Fraction(51, 100), Fraction(17, 5))
    yield exactly(rational, "<", 1 - Fraction(20, 46), what="in fractions, N = 20")
