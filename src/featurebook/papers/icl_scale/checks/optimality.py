"""The checks of the chapter on parity, continued: networks that cost less, in fractions."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from featurebook.papers.icl_scale import certified, parity
from featurebook.papers.icl_scale.certified import Network
from featurebook.papers.icl_scale.checks.parity import Sizes
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity

SMALLER_GAMMA = Fraction(1, 10)
"""γ at which the changed small network is compared with the printed one."""


@dataclass(frozen=True)
class Rival:
    """A network of zero loss beside the printed one.

    Attributes:
        name: number of features, and whether heads are full matrices.
        stated: the cost that the claim states.
    """

    name: str
    network: Network
    printed: Network
    stated: Fraction


@claims.experiment
def rivals() -> list[Rival]:
    """Networks from searches, rounded to fractions."""
    half = Fraction(1, 2)
    found = [
        ("d = 2, full", certified.cheap_d2(), 1, Fraction(1)),
        ("d = 4, full", certified.cheap_d4_four_heads(), 2, Fraction(19, 2)),
        ("d = 4", certified.cheap_d4(), 2, Fraction(269, 36)),
        ("d = 8", certified.cheap_from_simplex(4, [half, half]), 3, Fraction(14)),
        ("d = 16", certified.cheap_from_simplex(8, [Fraction(5, 4)]), 4, Fraction(64)),
    ]
    return [Rival(name, net, certified.printed(nu), cost) for name, net, nu, cost in found]


@claims.experiment
def costs_of_rivals(rivals: list[Rival]) -> pd.DataFrame:
    """Heads and costs of the printed networks and of the others."""
    return pd.DataFrame(
        [
            (x.name, len(x.printed.heads), str(x.printed.cost), len(x.network.heads),
             str(x.network.cost))
            for x in rivals
        ],
        columns=["network", "printed: heads", "cost", "better: heads", "cost "],
    )  # fmt: skip


@claims.check("theorem-5-5-1")
def optimal_solution(rivals: list[Rival]) -> Iterator[Verdict]:
    """Heads, margins and costs of rivals of g_2*, and a rival of g_1* that solves all tasks."""
    cheaper = [x for x in rivals if x.name in ("d = 4", "d = 8")]
    same_size = [len(x.network.heads) == len(x.printed.heads) for x in cheaper]
    yield everywhere(same_size, what="as many heads")
    for rival in cheaper:
        net = rival.network
        yield exactly(net.least_margin(), ">=", 1, what=f"least margin, {rival.name}")
        yield exactly(rival.printed.cost, "<=", net.cost, what=f"printed cost, {rival.name}")
    four, few = certified.four_heads(8), certified.printed(3, kept=1)
    heads = [len(four.heads), len(few.heads)]
    yield exactly(heads, "==", 4, what="heads of a rival of g₁*, and of g₁*, d = 8, k = 2")
    yield exactly(four.least_margin(), ">=", 1, what="least margin of the rival")
    yield exactly(few.least_margin(), ">=", 1, what="least margin of g₁*, d = 8, k = 2")


@claims.check("theorem-5-5-1-corrected", proof="proved on the page")
def optimal_among_sign_heads() -> Iterator[Verdict]:
    """The least cost with as many pairs of heads as printed, and with fewer, by brute force."""
    best = [certified.best_of_sign_heads(2, 2), certified.best_of_sign_heads(4, 3)]
    yield exactly(best, "==", [2, 12], what="best cost, d = 2 and 4")
    fewer = [certified.best_of_sign_heads(2, 1), certified.best_of_sign_heads(4, 2)]
    yield everywhere([x is None for x in fewer], what="fewer pairs have loss")


@claims.check("cheaper")
def cheaper_networks(rivals: list[Rival]) -> Iterator[Verdict]:
    """Costs and least margins."""
    costs = [x.network.cost for x in rivals]
    yield exactly(costs, "==", [x.stated for x in rivals], what="cost")
    yield exactly([x.network.least_margin() for x in rivals], ">=", 1, what="least margin")


def rescaled(gamma: Fraction) -> tuple[list[list[Any]], list[Fraction], Fraction]:
    """g_1* at d = 8, k = 2 and the same with twice the positive scale: losses on S_1 and S_2,
    costs, and up to which λ the second is better, at half the printed bound on p_T.
    """
    g1, quarter = certified.printed(3, kept=1), Fraction(1, 4)
    doubled = [(a, tuple(tuple((1 + (a > 0)) * x for x in r) for r in B)) for a, B in g1.heads]
    chances = np.array([quarter + gamma, quarter, quarter, quarter - gamma])
    losses, costs, mine = [], [], parity.important(8, 2)
    for net in (g1, Network(tuple(doubled))):
        hinge = np.array([max(Fraction(0), 1 - x) for x in net.margins()]).reshape(-1, 4) @ chances
        losses.append([sum(hinge[kind]) / len(hinge[kind]) for kind in (mine, ~mine)])
        costs.append(net.cost)
    bound = (quarter - gamma) / (28 * (quarter + gamma) + quarter - gamma)  # 28 tasks
    saved = bound / 2 * (losses[0][1] - losses[1][1])
    return losses, costs, saved / ((costs[1] - costs[0]) / (4 * gamma**2))


def halved(n1: int, n2: int, gamma: float) -> tuple[float, float]:
    """With the positive scale ν_1 + 1 for ν_1: the loss on S_1, and that on S_2 over g_1*'s."""
    weights, diagonals = parity.printed(2**n2, 2**n1)
    scaled = np.where(weights[:, None] > 0, diagonals * (n1 + 1) / n1, diagonals)
    first, second = parity.losses(weights, scaled, 2**n1, gamma)
    return first, second / parity.loss_on_s2(2**n2, 2**n1)


@claims.check("g1-scalar")
def one_scalar_changed(sizes: Sizes, gamma: float) -> Iterator[Verdict]:
    """Losses before and after, costs, and the decay at which the printed network wins."""
    changed = [halved(n1, n2, gamma) for n1, n2 in sizes if n1 < n2]
    yield identity(np.add(changed, (1, 0.5)), 1.0, tolerance=1e-13, what="S1 + 1, S2 + ½")
    losses, costs, least = rescaled(SMALLER_GAMMA)
    yield exactly(
        losses,
        "==",
        [[0, Fraction(4, 9)], [0, Fraction(2, 9)]],
        what="losses on S1, S2, before and after, d = 8, k = 2",
    )
    yield exactly(costs, "==", [8, 20], what="cost")
    yield exactly(least, ">=", Fraction(558, 10**8), what="largest λ and 5.58e-6")


def four_heads_at_d_4() -> tuple[Verdict, Fraction, Fraction]:
    """The margins of a network of full heads, its cost, and the least cost of diagonal ones.

    Four numbers at distances of at least 1 cost least at 0, 1, 2, 3 about their mean; two heads.
    """
    full = certified.cheap_d4_four_heads()
    solves = exactly(full.least_margin(), ">=", 1, what="least margin of full heads")
    return solves, full.cost, 2 * sum(((x - Fraction(3, 2)) ** 2 for x in range(4)), Fraction(0))


@claims.check("diagonal")
def heads_are_diagonal() -> Iterator[Verdict]:
    """The least cost of four diagonal heads against four full ones."""
    solves, full, diagonal = four_heads_at_d_4()
    yield solves
    yield exactly(
        [diagonal], "<=", full, what="least cost of four diagonal heads, and of full ones"
    )


@claims.check("diagonal-corrected", proof="proved on the page")
def a_head_need_not_be_diagonal() -> Iterator[Verdict]:
    """The same the other way round."""
    solves, full, diagonal = four_heads_at_d_4()
    yield solves
    yield exactly(full, "<", [diagonal], what="costs, d = m = 4")
