"""The checks of the assumptions on mixtures of Gaussians, and of steps of their proofs."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy
from flint import arb
from numpy.typing import NDArray
from scipy import stats

from featurebook.papers.gradient_features import exact, theory
from featurebook.papers.gradient_features.checks.mixtures import DIMENSIONS
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality, search

Array = NDArray[np.float64]

FLAT = np.array(
    [
        [Fraction(84, 85), Fraction(0), Fraction(13, 85)],
        [-Fraction(84, 85), Fraction(0), Fraction(13, 85)],
        [Fraction(0), Fraction(0), Fraction(1)],
    ]
)
"""Three directions in a plane."""
SCALES = [(8 * arb(d).log()).sqrt() for d in (10**6, 10**8, 10**12)]
"""s = √(τ log d) at τ = 8."""


@claims.check("covariance", undecided=("our text", "one line of the appendix has the square"))
def without_the_square() -> Iterator[Verdict]:
    """E‖x‖² with σ_j as a variance, and the printed bound, at σ = μ = 1/4."""
    mean = Fraction(1, 16) + Fraction(1, 4)
    yield exactly(mean, "<=", Fraction(1, 4), what="over d")


@claims.check("covariance-corrected")
def with_the_square() -> Iterator[Verdict]:
    """The same with σ_j as a standard deviation, for all positive μ and σ."""
    mu, sigma = sympy.symbols("μ σ", positive=True)
    yield exactly(mu**2 + sigma**2, "<=", (mu + sigma) ** 2, what="E‖x‖² and the bound, over d")


@claims.check("bounded", proof="proved on the page")
def not_bounded() -> Iterator[Verdict]:
    """Probabilities of large inputs."""
    beyond = [theory.tail_ball(arb(t)) for t in (10, 20, 30)]
    yield exactly(0, "<", beyond, what="P(x_1 > 10, 20, 30 σ)")


@claims.check("bounded-corrected", proof="proved on the page")
def bounded_on_a_sample() -> Iterator[Verdict]:
    """The probability that one of N samples is larger, over δ."""
    d, count, delta = np.meshgrid([1, 10, 1e3, 1e6], [1, 1e3, 1e9], [0.5, 1e-3, 1e-9])
    radius = np.sqrt(d) + np.sqrt(2 * np.log(count / delta))
    escape = np.log(count) + stats.chi2(d).logsf(radius**2)
    yield inequality(np.exp(escape - np.log(delta)), 1.0, what="failure over δ, exact")


@claims.check("clusters")
def how_many() -> Iterator[Verdict]:
    """Products of ± e_j for d = 7."""
    D = np.concatenate([np.eye(7), -np.eye(7)])
    products = (D @ D.T)[np.triu_indices(14, 1)]
    yield exactly([int(x) for x in products], "<=", 0, what="products of ± e_j, θ = 0")


@claims.check("gram")
def projection() -> Iterator[Verdict]:
    """A quarter, and the squared part of D_3 orthogonal to D_1 and D_2, by determinants."""
    g = FLAT @ FLAT.T
    plane = g[0, 0] * g[1, 1] - g[0, 1] ** 2
    space = plane * g[2, 2] - g[0, 2] ** 2 * g[1, 1] - g[1, 2] ** 2 * g[0, 0]
    space += 2 * g[0, 1] * g[0, 2] * g[1, 2]
    instance = {"D": FLAT}
    yield exactly(Fraction(1, 4), "<=", space / plane, what="squared norm", instance=instance)


def left_over(x: Array) -> tuple[Array, Array]:
    """1/4 and the squared distance of the fourth unit vector to the others, from Gram entries."""
    upper = np.zeros((len(x), 4, 4))
    upper[:, *np.triu_indices(4, 1)] = x
    full = np.eye(4) + upper + upper.swapaxes(1, 2)
    return np.full(len(x), 0.25), np.linalg.det(full) / np.linalg.det(full[:, :3, :3])


@claims.check("gram-corrected", proof="proved on the page")
def projection_corrected(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search over Gram matrices of four directions."""
    yield search(
        left_over,
        [(-0.125, 0.125)] * 6,
        evaluations=evaluations,
        seed=seed,
        vectorised=True,
        what="r = 4, θ = 1/8",
    )


@claims.check("lemma-b-32", proof="proved on the page")
def activations() -> Iterator[Verdict]:
    """A thousand times d^-τ, and the probability that is attained."""
    yield exactly(
        [1000 * (-(s * s)).exp() for s in SCALES],
        "<",
        [theory.tail_ball(4 * s / 3) for s in SCALES],
        what="1000/d^8 and Q(4s/3), d = 10^6, 10^8, 10^12",
    )


@claims.check("lemma-b-32-corrected", proof="proved on the page")
def activations_with_a_constant() -> Iterator[Verdict]:
    """The probability at the edge of the sure set, and d^-τ."""
    tails = [theory.tail_ball(arb(2).sqrt() * s) for s in SCALES]
    yield exactly(tails, "<=", [(-(s * s)).exp() for s in SCALES], what="Q(√2 s) and d^-8")


@claims.check("proof-b-35")
def middle_term_as_printed() -> Iterator[Verdict]:
    """The printed middle term and that of the framework, at τ = 9, r = 3."""
    printed, framework = zip(*[exact.middle_terms(int(d)) for d in DIMENSIONS], strict=True)
    yield exactly(list(printed), "==", list(framework), what="(B.338) and r B_a1 B_x1 √(2γ)")


@claims.check("proof-b-35-corrected", proof="proved on the page")
def middle_term() -> Iterator[Verdict]:
    """The framework's middle term over the stated rate."""
    ratio = [
        theory.middle_term_mixture(d, tau, 3) / theory.error_mixture(d, tau, 3)
        for tau in (8, 9, 12)
        for d in DIMENSIONS
    ]
    yield inequality(ratio, 1.0, what="middle term over the stated rate")
