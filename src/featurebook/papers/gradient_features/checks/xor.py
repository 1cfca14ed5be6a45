"""The checks on the XOR: how rare its features are, sure neurons, and the teacher's loss."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
from flint import arb
from numpy.typing import NDArray
from scipy import special

from featurebook.papers.gradient_features import data, exact, maps, theory, xor_decay
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality, search

Array = NDArray[np.float64]

SHIFTS = [arb(t) for t in (4, 6, 8)]
"""Thresholds t = √(τ log log d)."""
TEACHERS = (1024, 10**4, 10**6)
"""Dimensions at which the loss of the XOR teacher is certified, with 4s = √d."""
RANGES = [arb(16).log(), arb(100).log(), arb(100), arb(49 * 10**6)]
"""Ends of ranges of log d on which the size of a sure neuron's gradient is bounded."""


@claims.experiment
def xor_features(exponents: list[int]) -> pd.DataFrame:
    """By dimension: what `xor_decay.decay` finds, and the claimed law "fitted" at the first."""
    d = 10.0 ** np.array(exponents)
    found = pd.DataFrame([xor_decay.decay(x) for x in d], index=d)
    claimed = np.array([xor_decay.claimed(x) for x in d])
    return found.assign(fitted=claimed * found.p.iloc[0] / claimed[0])


@claims.check("lemma-b-37")
def how_rare(xor_features: pd.DataFrame) -> Iterator[Verdict]:
    """The printed order and a proved upper bound, and p by quadrature."""
    orders, at_most = ([f(n) for n in (50, 100)] for f in (exact.xor_claimed, exact.xor_upper))
    yield exactly(
        [x / 10**6 for x in orders],
        "<=",
        at_most,
        what="10^-6 of the printed order, and p at most; d = 10^50, 10^100",
    )
    tenth = xor_features.fitted.to_numpy() / 10
    yield inequality(tenth, xor_features.p, what="a tenth of the fit at d = 100, to d = 10^16")


@claims.check("lemma-b-37-corrected")
def fourth_root(xor_features: pd.DataFrame, seed: int) -> Iterator[Verdict]:
    """p times the fourth root of d, at some dimensions and by a search over all."""
    scaled = xor_features.p * xor_features.index.to_numpy() ** 0.25
    yield inequality(0.04, scaled, what="p d^(1/4)")
    yield inequality(scaled, 0.11, what="p d^(1/4)")
    yield search(
        xor_decay.law_sides,
        [(2, 16)],
        evaluations=60,
        rounds=1,
        seed=seed,
        what="both, log10 of d in [2, 16]",
    )


@claims.check("lemma-b-40")
def orthogonal_part(xor_features: pd.DataFrame) -> Iterator[Verdict]:
    """The part along D_3 of one sure neuron, and its median on the sure set."""
    yield exactly(
        [exact.third_of_sure(d) for d in (10**4, 10**6, 10**8)],
        "<=",
        10,
        what="|⟨G, D_3⟩| of one sure neuron, d = 10^4, 10^6, 10^8",
    )
    yield inequality(xor_features.third, 10.0, what="median |⟨G, D_3⟩| on the sure set")


@claims.check("lemma-b-40-along", proof="proved on the page")
def along_the_feature() -> Iterator[Verdict]:
    """What is missing from √d/4 on the border of the sure set, and its bound."""
    log_d = 10.0 ** np.linspace(1, 40, 40)
    edge = np.sqrt(np.log(log_d))  # b/‖w‖ at τ = σ_B = 1, ‖w‖ = √d σ_w; ⟨w, μ_1⟩ = 6b/5
    short_by = special.ndtr(-edge / 5) + special.ndtr(-edge * 11 / 5)
    bound = 2 * log_d ** (-1 / 50)
    yield inequality(
        short_by,
        bound,
        what="1 - 4⟨G, D_1⟩/√d on the border, and twice (log d)^(-1/50)",
        informative=bound < 1,
    )


@claims.check("lemma-b-40-corrected", proof="proved on the page")
def what_was_dropped(mixture_draws: dict[str, Array], d: int) -> Iterator[Verdict]:
    """⟨G, D_3⟩ of random neurons less its main part, and the bound on the rest."""
    mix, W, b = data.xor(d), mixture_draws["map"], 1.2 * d**0.5
    z = (W @ mix.means.T - b) / np.linalg.norm(W, axis=1, keepdims=True)
    main = -(d**0.5) / 4 * (special.ndtr(z[:, 2]) - special.ndtr(z[:, 3]))
    rest = 1 / np.sqrt(8 * np.pi)
    yield inequality(
        np.abs(maps.G_mixture(W, b, mix) @ mix.directions[2] - main),
        rest,
        informative=np.abs(main) > rest,
        what="rest of ⟨G, D_3⟩",
    )


@claims.check("lemma-b-38")
def tail() -> Iterator[Verdict]:
    """The printed bound and the error function, at σ_B = 1."""
    inside = (-arb(1)).exp() / arb.pi().sqrt()
    yield exactly(1 - inside / 2, "<=", arb(1).erf(), what="σ_B = 1")


@claims.check("lemma-b-38-corrected", proof="proved on the page")
def tail_corrected() -> Iterator[Verdict]:
    """The exact complement and the bound's."""
    sigma = np.linspace(1, 8, 71)
    yield inequality(
        np.exp(sigma**2) * special.erfc(sigma),
        1 / (np.sqrt(np.pi) * sigma),
        what="both complements, times e^(σ²)",
    )


def own_cluster(t: Array) -> tuple[Array, Array]:
    """Chance to sleep on the own cluster on the border of the sure set, and its bound."""
    return special.ndtr(-t[:, 0] / 5), np.exp(-(t[:, 0] ** 2) / 50)


@claims.check("lemma-b-39-own", proof="proved on the page")
def asleep_on_its_own(evaluations: int, seed: int) -> Iterator[Verdict]:
    """A search over the threshold t."""
    yield search(
        own_cluster,
        [(0.001, 40)],
        evaluations=evaluations // 4,
        seed=seed,
        vectorised=True,
        floor=0,
        what="Q(t/5) and (log d)^(-τ/50), t = √(τ log log d)",
    )


@claims.check("lemma-b-39")
def awake_elsewhere() -> Iterator[Verdict]:
    """The probability on the border of the sure set, and ten times the printed order."""
    yield exactly(
        [theory.tail_ball(t - arb(2).sqrt()) for t in SHIFTS],
        "<=",
        [10 * (-t * t / 2).exp() for t in SHIFTS],
        what="t = 4, 6, 8; ten times the order",
    )


@claims.check("lemma-b-39-corrected", proof="proved on the page")
def awake_elsewhere_corrected() -> Iterator[Verdict]:
    """The tail over its bound."""
    u = np.linspace(0, 30, 301)
    yield inequality(special.erfcx(u / 2**0.5) / 2, 1.0, what="Q(u) e^(u²/2), u = (t - √2)/K")


@claims.check("lemma-b-41")
def teacher() -> Iterator[Verdict]:
    """The printed bound and a lower bound of the loss."""
    pairs = [theory.teacher_loss_ball(d, arb(d) / 16 / arb(d).log()) for d in TEACHERS]
    loss, printed = zip(*pairs, strict=True)
    yield exactly(list(printed), "<", list(loss), what="4s = √d, d = 1024 to 10^6")


@claims.check("lemma-b-41-corrected", proof="proved on the page")
def teacher_corrected() -> Iterator[Verdict]:
    """The loss over the bound for four clusters."""
    loss = theory.teacher_loss(8.0) + 3 * theory.shortfall(16.0) / 8
    bound = 4 * theory.shortfall(8.0) / 8
    yield inequality(float(loss) / bound, 1.0, what="loss over bound, d = 1024")


@claims.check("xor-size")
def large_enough() -> Iterator[Verdict]:
    """An upper bound on the gradient's norm over √d, and the fifth that the lemma asks for."""
    yield exactly(
        [exact.sure_size(*ends) for ends in pairwise(RANGES)],
        "<",
        Fraction(1, 5),
        what="‖G‖/√d at most, on three ranges of d from 16 to log d = 4.9·10^7, and 1/5",
    )
