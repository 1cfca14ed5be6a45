"""The checks of the network that Lemma 3.14 builds: its loss, size, weights and probability."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
from flint import arb
from numpy.typing import NDArray

from featurebook.papers.gradient_features import construction, exact, theory
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.papers.gradient_features.construction import Built, Teacher
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality, search

Array = NDArray[np.float64]

TEACHERS = {
    "bias 1": construction.one_line(),
    "bias 0": construction.one_line(1e-9),
    "parity": construction.biased_parity(),
}
ZERO = TEACHERS["bias 0"]
P = ZERO.family.p
EQUAL = (1, 4, 16, 64)
"""Numbers r of equal teacher neurons."""


@claims.experiment
def built_table(widths: list[int], n_seeds: int, seed: int) -> pd.DataFrame:
    """Loss and bound of built networks, and their largest Λ, by teacher, width m and seed."""
    rows = []
    for name, teacher in TEACHERS.items():
        for m in widths:
            for s in range(seed, seed + n_seeds):
                found = construction.build(teacher, m, np.random.default_rng([s, m]))
                rows.append((name, m, s, found.loss, found.bound, found.sizes.max()))
    return pd.DataFrame(rows, columns=["teacher", "m", "seed", "loss", "bound", "largest"])


def below_the_bound(table: pd.DataFrame) -> Verdict:
    """Losses of built networks, and the bound where it is below that of the zero network."""
    return inequality(
        table.loss,
        table.bound,
        informative=table.bound < 1,
        what="loss against the bound; the zero network has 1",
    )


@claims.check("lemma-3-14", proof="proved on the page")
def good_networks(built_table: pd.DataFrame) -> Iterator[Verdict]:
    """Losses and bounds on simple data."""
    yield below_the_bound(built_table[built_table.teacher != "parity"])


@claims.check("lemma-3-14-parity")
def on_a_parity(built_table: pd.DataFrame) -> Iterator[Verdict]:
    """Losses and bounds on the biased parity."""
    yield below_the_bound(built_table[built_table.teacher == "parity"])


@claims.check("lemma-b-6-sparsity")
def few_as_printed(built_table: pd.DataFrame) -> Iterator[Verdict]:
    """The size of Λ where the teacher has no bias, in balls and drawn, and ten times the order."""
    halves, orders = zip(*[exact.half_of_the_nice(x) for x in (8, 10, 12)], strict=True)
    yield exactly(
        list(halves),
        "<=",
        list(orders),
        what="half the mean of |Λ| and 10 √(mp), m = 10^8, 10^10, 10^12",
    )
    flat = built_table[built_table.teacher == "bias 0"]
    yield inequality(flat.largest, 10 * np.sqrt(flat.m * P), what="|Λ| drawn, and 10 √(mp)")


@claims.check("lemma-b-6-sparsity-corrected", proof="proved on the page")
def few_suffice(widths: list[int], seed: int) -> Iterator[Verdict]:
    """Sizes and losses of networks that keep only some neurons of Λ."""
    kept = [
        construction.build(ZERO, m, np.random.default_rng([seed, m]), keep=True) for m in widths
    ]
    yield inequality([x.sizes.max() for x in kept], np.ceil(np.sqrt(np.array(widths) * P)))
    yield inequality(
        [x.loss for x in kept],
        [x.bound for x in kept],
        informative=[x.bound < 1 for x in kept],
        what="loss, truncated",
    )


@claims.check("lemma-b-6-norms")
def weights_as_printed() -> Iterator[Verdict]:
    """For equal teacher neurons, in fractions: the loss if weights are set, as printed, and the
    norms over the printed orders if they are added.
    """
    each, r = 2 * Fraction(1, 20), 4  # of a neuron at x = e_1, where y = 1 and B_b = 1
    printed = 1 - r * each + r * Fraction(1, 20) / 50  # (B.25) at mp = 1e8, B_ε = 1/100
    yield exactly(1 - each, "<=", printed, what="loss if the weights are set, and (B.25), r = 4")
    yield exactly(
        [list(exact.growth_of_norms(r)) for r in EQUAL],
        "<=",
        3,
        what="if added: largest entry and squared norm over the printed orders, and 3, r = 1 to 64",
    )


def with_equal_neurons(r: int, seed: int) -> Built:
    """A network for r equal teacher neurons."""
    family = TEACHERS["bias 1"].family
    teacher = Teacher(np.ones(r), np.ones(r), ZERO.u, ZERO.y, ZERO.chance, family, 1.25)
    return construction.build(teacher, 1e6, np.random.default_rng(seed))


@claims.check("lemma-b-6-norms-corrected", proof="proved on the page")
def weights(seed: int) -> Iterator[Verdict]:
    """How both norms of built networks grow with r."""
    built = [with_equal_neurons(r, seed) for r in EQUAL]
    ratios = np.array([(x.norm_2 / r**0.5, x.norm_inf) for x, r in zip(built, EQUAL, strict=True)])
    roots = np.sqrt(np.array(EQUAL))
    wanted = np.stack([roots, roots**2], 1)
    yield identity(ratios / ratios[0], wanted, tolerance=1e-12, what="growth and √r, r")


@claims.check("lemma-b-6-delta")
def enough_as_printed() -> Iterator[Verdict]:
    """A lower bound of the probability that Λ is empty, and the printed δ, p = 1/2, m = 10^4."""
    m, half = 10**4, arb(1) / 2
    eps = 1 / (m * half).sqrt()
    inside = (-half).exp() / (2 * arb.pi()).sqrt() * ((1 + eps) / (1 - eps)).log()
    delta = 2 * (-(m * half).sqrt()).exp()
    yield exactly((1 - inside) ** m, "<=", delta, what="P(Λ is empty) at least, and δ")


def no_neuron(x: Array) -> tuple[float, float]:
    """P(Λ is empty) for m = 10^x neurons, and its bound."""
    m = 10 ** x[0]
    return theory.nearly_right(m, 10 ** (-x[0] / 2), 1.0), theory.empty_bound(m)


@claims.check("lemma-b-6-delta-corrected", proof="proved on the page")
def enough(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search over m."""
    yield search(
        no_neuron,
        [(0, 4)],
        evaluations=evaluations // 4,
        seed=seed,
        floor=0,
        what="P(Λ is empty), exact",
    )
