"""The checks of the chapter on parity: the task, and what the printed networks compute."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from featurebook.papers.icl_scale import certified, parity, printed
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

Sizes = list[tuple[int, int]]
"""Pairs (ν_1, ν_2), ν_1 <= ν_2."""
TASK = (0, 2)
"""The task (1, 3) of four features, counted from 0."""


@claims.experiment
def sizes(nu_max: int) -> Sizes:
    """All ν_1 <= ν_2 up to `nu_max`."""
    return [(n1, n2) for n2 in range(1, nu_max + 1) for n1 in range(1, n2 + 1)]


@claims.experiment
def four_features(gamma: float) -> tuple[Array, Array, Array]:
    """All φ of four features (16, 4), their labels for `TASK`, and their probabilities."""
    phi = np.array(list(product([1, -1], repeat=4)), dtype=float)
    pair = phi[:, list(TASK)]
    return phi, pair.prod(1), (0.25 + gamma * pair.sum(1) / 2) / 4


@claims.check("parity-data")
def moments(four_features: tuple[Array, Array, Array], gamma: float) -> Iterator[Verdict]:
    """E y, E φ and E yφ by enumeration."""
    phi, y, chance = four_features
    found = np.concatenate([[chance @ y], chance @ phi, (chance * y) @ phi])
    on_task = 2 * gamma * np.isin(range(4), TASK)
    expected = np.concatenate([[0], on_task, on_task])
    yield identity(found, expected, tolerance=1e-14, what="moments, enumerated")


@claims.check("parity-limit")
def long_prompts(
    four_features: tuple[Array, Array, Array], gamma: float, seed: int
) -> Iterator[Verdict]:
    """What a head with a random W and dictionary sees, and the norms of W and V."""
    phi, y, chance = four_features
    rng = np.random.default_rng([seed, 40])
    G, W = np.linalg.qr(rng.normal(size=(4, 4)))[0], rng.normal(size=(4, 4))
    V = G.T @ W @ G
    seen = ((chance * y) @ (phi @ G.T)) @ W @ (G @ phi.T)
    yield identity(
        np.append(seen, np.linalg.norm(V)),
        np.append(2 * gamma * V[list(TASK)].sum(0) @ phi.T, np.linalg.norm(W)),
        tolerance=1e-12,
        what="what a head sees",
    )


@claims.check("margin", proof="proved on the page")
def margins_are_distances(sizes: Sizes, nu_max: int) -> Iterator[Verdict]:
    """Margins of every task and sign, by enumeration, against the distances of codes."""
    equal = [
        bool((parity.margins(*net) == parity.hamming(2**n2, n1)[:, None]).all())
        for n1, n2 in sizes
        for net in [parity.printed(2**n2, 2**n1)]
    ]
    yield everywhere(equal, what=f"networks with ν up to {nu_max}")


@claims.check("norm")
def norm_of_the_printed_network(nu_max: int, gamma: float) -> Iterator[Verdict]:
    """Costs in fractions, and norms."""
    small, levels = range(1, 5), range(1, nu_max + 1)
    costs = [certified.printed(n).cost for n in small]
    yield exactly(costs, "==", [Fraction(2**n * n * (n + 1), 2) for n in small], what="cost")
    norms = [parity.norm(parity.printed(2**n)[1], gamma) for n in levels]
    formula = [2**n * n * (n + 1) / 8 / gamma**2 for n in levels]
    yield identity(norms, formula, tolerance=1e-13, what="norm")


@claims.check("g1-loss")
def loss_of_the_small_network(sizes: Sizes, gamma: float) -> Iterator[Verdict]:
    """Losses on important tasks, and on the others minus the formula."""
    on_s1, beyond = [], []
    for n1, n2 in sizes:
        first, second = parity.losses(*parity.printed(2**n2, 2**n1), 2**n1, gamma)
        on_s1.append(first)
        beyond.append(second - parity.loss_on_s2(2**n2, 2**n1) * (n1 < n2))
    yield identity(1 + np.array(on_s1 + beyond), 1.0, tolerance=1e-13)


@claims.check("example")
def eight_features() -> Iterator[Verdict]:
    """The printed example for d = 8: heads, weights, and g_1* for k = 2 against the rule."""
    a, b = parity.printed(8)
    a1, b1 = parity.printed(8, 2)
    half = np.array([f * np.array(row) / 2 for f, row in printed.EXAMPLE.values()])
    chosen = [i - 1 for i in printed.EXAMPLE_SMALL]
    same = [
        np.array_equal(b, np.concatenate([half, -half])),
        list(a[:4]) == [*printed.EXAMPLE_WEIGHTS],
        np.array_equal(np.sign(b1), np.sign(b[chosen])),
        np.array_equal(a1, a[chosen]),
    ]
    yield everywhere(same, what="printed example against the rule")


def is_submodel(n1: int, n2: int) -> list[bool]:
    """Weights, negative heads and one scale of positive heads: g_1* inside g_2*."""
    (a_mine, mine), (a_theirs, theirs) = parity.printed(2**n2, 2**n1), parity.printed(2**n2)
    index = [*range(n1), n2, *range(n2 + 1, n2 + 1 + n1), 2 * n2 + 1]
    scale = mine[a_mine > 0] / theirs[index][a_mine > 0]
    return [
        np.array_equal(a_mine, a_theirs[index]),
        np.array_equal(mine[a_mine < 0], theirs[index][a_mine < 0]),
        bool(0 < scale.min() == scale.max()),
    ]


@claims.check("submodel")
def small_inside_large(sizes: Sizes) -> Iterator[Verdict]:
    """Heads and weights of g_1* among those of g_2*."""
    same = [ok for n1, n2 in sizes for ok in is_submodel(n1, n2)]
    yield everywhere(same, what="weights, negative heads, scale")


@claims.check("other-heads")
def what_other_heads_are_for() -> Iterator[Verdict]:
    """The pairs outside of S_2 for k = 2, d = 8, and the margins of g_2* on S_2."""
    mine = parity.important(8, 2)
    pairs = parity.pairs(8)[mine].tolist()
    yield exactly(pairs, "==", [[0, 1]], what="pairs that are not in S2")
    yield inequality(1.0, parity.margins(*parity.printed(8))[~mine], what="margin on S2")


@claims.check("other-heads-corrected", proof="proved on the page")
def mixed_tasks(nu_max: int) -> Iterator[Verdict]:
    """Ordered tasks with one of the first two features, and their least margin in g_2*."""
    levels, counts, solved = range(2, nu_max + 1), [], []
    for d in (2**n for n in levels):
        touches = (parity.pairs(d)[:, 0] < 2) & ~parity.important(d, 2)
        counts.append(2 * int(touches.sum()))
        solved.append(float(parity.margins(*parity.printed(d))[touches].min()))
    yield exactly(counts, "==", [4 * (2**n - 2) for n in levels], what="ordered mixed tasks")
    yield inequality(1.0, solved, what="least margin of these")
