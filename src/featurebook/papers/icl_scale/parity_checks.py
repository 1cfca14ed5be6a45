"""What the checks of the parity chapter compare."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats

from featurebook.papers.icl_scale import certified, parity, printed
from featurebook.papers.icl_scale.parity import Array


def example() -> list[bool]:
    """The printed example for d = 8: heads, weights, and g_1* for k = 2 against the rule."""
    a, b = parity.printed(8)
    a1, b1 = parity.printed(8, 2)
    half = np.array([f * np.array(row) / 2 for f, row in printed.EXAMPLE.values()])
    chosen = [i - 1 for i in printed.EXAMPLE_SMALL]
    return [
        np.array_equal(b, np.concatenate([half, -half])),
        list(a[:4]) == [*printed.EXAMPLE_WEIGHTS],
        np.array_equal(np.sign(b1), np.sign(b[chosen])),
        np.array_equal(a1, a[chosen]),
    ]


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


def mixed(nu: int) -> tuple[int, float]:
    """Ordered tasks with one of the first two of 2^ν features, and their least margin in g_2*."""
    d = 2**nu
    touches = (parity.pairs(d)[:, 0] < 2) & ~parity.important(d, 2)
    return 2 * int(touches.sum()), float(parity.margins(*parity.printed(d))[touches].min())


def rescaled(gamma: Fraction) -> tuple[list[list[Any]], list[Fraction], Fraction]:
    """g_1* at d = 8, k = 2 and the same with twice the positive scale: losses on S_1 and S_2,
    costs, and up to which λ the second is better, at half the printed bound on p_T.
    """
    g1, quarter = certified.printed(3, kept=1), Fraction(1, 4)
    doubled = [(a, tuple(tuple((1 + (a > 0)) * x for x in r) for r in B)) for a, B in g1.heads]
    chances = np.array([quarter + gamma, quarter, quarter, quarter - gamma])
    losses, costs, mine = [], [], parity.important(8, 2)
    for net in (g1, certified.Network(tuple(doubled))):
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


def tail_against_bound(x: Array) -> tuple[float, float, bool]:
    """Exact P(|Z - μ| ≥ εμ) and the bound of Lemma D.3, and whether the bound is below 1.

    For n = x[0], μ = exp(x[1]) ≤ n and |k - μ| = εμ at the whole number k = x[2].
    """
    n, p, k = int(x[0]), min(float(np.exp(x[1])) / x[0], 1.0), x[2]
    mu, Z = n * p, stats.binom(n, p)
    eps = np.clip(abs(k - mu) / mu, 1e-9, 1 - 1e-9)
    low, high = np.floor(mu * (1 - eps) + 1e-9), np.ceil(mu * (1 + eps) - 1e-9)
    bound = float(2 * np.exp(-(eps**2) * mu / 3))
    return float(Z.cdf(low) + Z.sf(high - 1)), bound, bound < 1


def priorities(
    sizes: Sequence[tuple[int, int]], gamma: float
) -> tuple[list[float], list[float], list[tuple[float, float]]]:
    """Both sides of "one pattern of S_1 outweighs all of S_2 that a head covers", just below the
    printed bound on p_T: as printed, and with the weights of the two task sets.
    """
    below, claimed, weighted = [], [], []
    for n1, n2 in sizes:
        for g in (0.01, gamma, 0.24):
            d, k = 2**n2, 2**n1
            share = parity.threshold(d, g) * (1 - 1e-9)
            left, right = share * (0.25 + g), (1 - share) * (0.25 - g)
            below.append(d * (d - 1) / 2 * left)
            claimed.append(right)
            weighted.append((left, right / (k * (k - 1) / 2)))
    return below, claimed, weighted
