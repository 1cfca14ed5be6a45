"""The checks of the chapter on parity, continued: how many heads are needed, and which."""

from collections.abc import Iterator
from itertools import product
from math import comb

import numpy as np

from featurebook.papers.icl_scale import certified, parity
from featurebook.papers.icl_scale.certified import Network
from featurebook.papers.icl_scale.checks.parity import Sizes
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, inequality

FEATURES = (2, 4, 8, 16, 32)
"""Numbers of features d at which four heads are certified."""


@claims.experiment
def four_headed() -> dict[int, Network]:
    """Networks of four heads that solve all tasks, by the number of features."""
    return {d: certified.four_heads(d) for d in FEATURES}


def margins_of(four_headed: dict[int, Network], *features: int) -> Verdict:
    """Their least margins."""
    margins = [four_headed[d].least_margin() for d in features]
    return exactly(margins, ">=", 1, what="margins")


@claims.check("head-count")
def how_many_the_loss_needs(four_headed: dict[int, Network]) -> Iterator[Verdict]:
    """Margins of four heads, and their number against the printed need."""
    yield margins_of(four_headed, 2, 4, 8, 16)
    yield exactly([4] * 3, ">=", [6, 8, 10], what="heads for d = 4, 8, 16")


@claims.check("head-count-corrected", proof="proved on the page")
def four_are_enough(four_headed: dict[int, Network]) -> Iterator[Verdict]:
    """Least margins."""
    margins = [net.least_margin() for net in four_headed.values()]
    yield exactly(margins, "==", 1, what="least margin of four heads, d = 2..32")


@claims.check("noncovered")
def all_patterns_must_be_covered(four_headed: dict[int, Network]) -> Iterator[Verdict]:
    """Four heads with zero loss, and whether they cover all negative patterns."""
    yield margins_of(four_headed, 4, 8, 16)
    yield everywhere(
        [four_headed[d].covers_by_signs() for d in (4, 8, 16)],
        what="four heads with zero loss cover all negative patterns, d = 4, 8, 16",
    )


@claims.check("noncovered-corrected", proof="proved on the page")
def active_heads_count(four_headed: dict[int, Network]) -> Iterator[Verdict]:
    """Networks with zero loss, and whether each pattern has an active head of its weight."""
    nets = [*(four_headed[d] for d in (2, 4, 8)), certified.printed(3), certified.cheap_d4()]
    yield everywhere(
        [net.least_margin() >= 1 and net.answers_by_activity() for net in nets],
        what="networks with zero loss have an active head of the right weight everywhere",
    )


@claims.check("covering")
def covering_by_signs() -> Iterator[Verdict]:
    """Networks with fewer negative heads than printed that cover all negative patterns."""
    nets = [certified.by_subsets(8), certified.by_subsets(16)]
    counts = [sum(a < 0 for a, _ in net.heads) for net in nets]
    yield exactly(counts, ">=", [6, 8], what="negative heads, d = 8 and 16")
    covered = [net.covers_by_signs() for net in nets]
    yield everywhere(covered, what="all negative patterns covered by signs")


@claims.check("covering-corrected", proof="proved on the page")
def antichain() -> Iterator[Verdict]:
    """The width of the subset lattice, the least numbers of heads, and two networks."""
    letters = range(1, 7)
    widths = [certified.width(t) for t in letters]
    yield exactly(widths, "==", [comb(t, t // 2) for t in letters], what="width")
    numbers = [certified.sperner(2**n) for n in range(2, 7)]
    yield exactly(numbers, "==", [4, 5, 6, 7, 8], what="d = 4..64")
    nets = [certified.by_subsets(8), certified.by_subsets(16)]
    yield exactly([net.cost for net in nets], "==", [36, 96], what="costs")
    yield exactly([net.least_margin() for net in nets], ">=", 1, what="margin")


@claims.check("neuron-covers")
def how_many_patterns_it_covers() -> Iterator[Verdict]:
    """The most patterns that a head covers, over all signs of six features."""
    signs = list(product([1, -1], repeat=6))
    most = {a: int(max(parity.patterns_covered(s, a) for s in signs)) for a in (1, -1)}
    yield exactly(most[1], "==", 15, what="positive, d = 6, all signs")
    yield exactly(most[-1], "==", 9, what="negative, d = 6")


@claims.check("prefers", proof="proved on the page")
def important_patterns_first(sizes: Sizes, gamma: float) -> Iterator[Verdict]:
    """The weight of a pattern of S_1 and of all those of S_2 that a head covers.

    Just below the printed bound on p_T: as printed, and with the weights of the two task sets.
    """
    below, claimed, weighted = [], [], []
    for n1, n2 in (x for x in sizes if x[0] < x[1]):
        for g in (0.01, gamma, 0.24):
            d, k = 2**n2, 2**n1
            share = parity.threshold(d, g) * (1 - 1e-9)
            left, right = share * (0.25 + g), (1 - share) * (0.25 - g)
            below.append(d * (d - 1) / 2 * left)
            claimed.append(right)
            weighted.append((left, right / (k * (k - 1) / 2)))
    yield inequality(below, claimed, what="as printed")
    yield inequality(*np.array(weighted).T, what="with the weights")


@claims.check("scales", proof="proved on the page")
def which_heads_are_active(nu_max: int) -> Iterator[Verdict]:
    """The four facts, by enumeration of all pairs and signs."""
    facts = [ok for n in range(1, nu_max + 1) for ok in parity.scale_facts(n).values()]
    yield everywhere(facts, what=f"the four facts, ν up to {nu_max}")
