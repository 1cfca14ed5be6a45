"""The checks of both steps in the general setting, by exact gradients, and of what they leave."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from featurebook.core import generator
from featurebook.papers.feature_emergence import appendix, balls, data, general, network, steps
from featurebook.papers.feature_emergence.checks.emergence import forgotten
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.general import General
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, exponent, identity, inequality, probability

PATTERNS, AMBIENT = 50, 100
"""D and d of the exact gradients."""
WEIGHTS = np.array([1e-3, 1e-2, 1e-1])
"""σ_w times k."""
FIRST_STEPS = np.array([1e-3, 1e-2, 1e-1])
"""Step sizes η⁽¹⁾."""
INPUTS = 5000
"""Inputs for Lemma 44."""
Table = dict[str, np.ndarray]
"""Deviations, (seeds, sizes), by name."""


@claims.experiment
def general_setting(k: int, seed: int) -> General:
    """Coherences up to 1/(16D), noise 0.1, 80 % negative labels."""
    unequal = data.with_negative_share(data.parity_mixture(PATTERNS, k), 0.8)
    M = general.nearly_orthogonal(generator(seed, "nearly orthogonal"), AMBIENT, PATTERNS)
    return General(unequal, M, 0.1)


@claims.experiment
def small_weights(general_setting: General, exact_neurons: int, k: int, seed: int) -> Table:
    """Deviations of the first gradient over the lemmas' factors, by seed and σ_w."""
    rows = [
        appendix.first_gradient(general_setting, v, s, exact_neurons)
        for v in WEIGHTS / k
        for s in range(seed, seed + 6)
    ]
    table = pd.DataFrame(rows).pivot_table(index="seed", columns="sigma_w")
    return {name: table[name].to_numpy() for name in rows[0] if name not in ("sigma_w", "seed")}


def against_epsilon(found: Table, gamma: float, k: int, name: str) -> Iterator[Verdict]:
    """The exponent in σ_w of one deviation, and the deviation against ε_e, which says something
    below γ."""
    yield exponent(
        WEIGHTS / k,
        found[name],
        expected=(0.95, math.inf),
        rival={"a square root": 0.5},
        what=f"exponent in σ_w, {name}",
    )
    eps = found["epsilon_e"]
    yield inequality(found[name], eps, informative=eps < gamma, what=f"{name} against ε_e")


@claims.check("lemma-40")
def emergence_from_small_weights(
    small_weights: Table, general_setting: General, k: int
) -> Iterator[Verdict]:
    """Relevant and background components, and the part outside the dictionary."""
    for name in ("relevant", "background", "outside"):
        yield from against_epsilon(small_weights, general_setting.gamma, k, name)


@claims.check("lemma-41")
def general_bias(small_weights: Table, general_setting: General, k: int) -> Iterator[Verdict]:
    """|T_b|."""
    yield from against_epsilon(small_weights, general_setting.gamma, k, "bias")


def second_layer_bounded(small_weights: Table, setting: General) -> Verdict:
    """Lemma 42: |T_a| over max|q| against the proof's constant."""
    most = setting.dist.k / setting.dist.sigma
    return inequality(small_weights["second"], most, what="|T_a| over max|q| against k/σ̃")


@claims.check("lemma-42", proof="proved on the page")
def general_second_layer(small_weights: Table, general_setting: General) -> Iterator[Verdict]:
    """|T_a| over max|q|."""
    yield second_layer_bounded(small_weights, general_setting)


@claims.experiment
def general_start(general_setting: General, k: int, seed: int) -> dict[str, Any]:
    """Inputs ``fit``, x (2000, d) and y, and a network ``p`` of ten neurons."""
    g = generator(seed, "step one, general")
    fit = general.draw_general(g, general_setting, 2000)
    return {"fit": fit, "p": network.initial(g, AMBIENT, 5, k, general_setting.sigma_a)}


@claims.check("lemma-43")
def general_weights_after_step_1(
    general_start: dict[str, Any], small_weights: Table, general_setting: General, k: int
) -> Iterator[Verdict]:
    """That the old weights are forgotten, and the parts of Lemmas 40 to 42."""
    weights = general_setting.dist.class_weights
    both = forgotten(general_start["p"], general_start["fit"], weights, k)
    yield identity(*both, tolerance=1e-11, what="the old weights are forgotten")
    for name in ("relevant", "background", "outside", "bias"):
        yield from against_epsilon(small_weights, general_setting.gamma, k, name)
    yield second_layer_bounded(small_weights, general_setting)


@claims.experiment
def inner_products(
    general_start: dict[str, Any], general_setting: General, k: int
) -> dict[str, Any]:
    """Background inner products |<w⁽¹⁾, M_l>| over |η a| of five neurons from σ_w = 1e-8/k.

    Returns:
        ``seen`` and what the triangle inequality ``allowed``, (5, D - k); which neurons are
        ``typical``; and the ``claimed`` bound.
    """
    setting, delta, M = general_setting, steps.DELTA, general_setting.M
    p = {name: v[:5] for name, v in general_start["p"].items()}
    W = 1e-8 * p["W"]
    towards, _, _ = general.push(setting, k**-1.5, W, p["b"])  # w⁽¹⁾ over η a
    c, nu = general.components(setting, W, p["b"], k**-1.5)
    typical = appendix.typical(p["W"] * k, M, k, delta)
    typical &= p["b"].abs() < math.sqrt(2 * math.log(50)) / k**2
    allowed = c.T.abs() @ (M.T @ M).abs() + (nu @ M).abs()
    return {
        "seen": (towards @ M)[:, k:].abs(),
        "allowed": allowed[:, k:],
        "typical": typical,
        "claimed": setting.variance * setting.epsilon_e(1e-8 / k, k**-1.5, delta) * setting.sigma,
    }


@claims.check(
    "lemma-43-inner",
    undecided=("two readings", "inner products: false; coefficients: as Lemma 43"),
)
def bounds_of_inner_products(inner_products: dict[str, Any]) -> Iterator[Verdict]:
    """A symmetric neuron in balls at two sizes, and typical ones, against the claimed bound."""
    symmetric = [balls.Symmetric(Fraction(1, 3 * 10**power)) for power in (8, 12)]
    yield exactly(
        [v.inner_product() for v in symmetric],
        "<=",
        [v.claimed(Fraction(1, 10)) for v in symmetric],
        what="D = 16, σ_w = 10^-8/k and 10^-12/k",
        instance={"D": 16, "k": 3, "δ": "1/10", "q": "σ_w", "b": 0, "coherences": "1/256"},
    )
    typical = inner_products["typical"]
    yield inequality(
        inner_products["seen"][typical],
        inner_products["claimed"],
        what=f"background inner products of {int(typical.sum())} typical neurons",
    )


@claims.check("lemma-43-inner-corrected", proof="proved on the page")
def triangle_inequality(inner_products: dict[str, Any]) -> Iterator[Verdict]:
    """All five neurons against the triangle inequality."""
    seen, allowed = inner_products["seen"], inner_products["allowed"]
    yield inequality(seen, allowed, slack=1e-12, what="background inner products")


@claims.experiment
def nine_patterns(seed: int) -> dict[str, Any]:
    """The ``setting`` of Lemma 44, k = 9, and a ``start`` of 20 neurons."""
    nine = data.with_negative_share(data.parity_mixture(40, 9), 0.8)
    M = general.nearly_orthogonal(generator(seed, "nine"), 80, 40)
    setting = General(nine, M, 0.1)
    start = network.initial(generator(seed, "nine"), 80, 10, 9, setting.sigma_a)
    return {"setting": setting, "start": start}


@claims.check("lemma-44", beyond="one start and one distribution")
def the_loss_is_still_active(nine_patterns: dict[str, Any], seed: int) -> Iterator[Verdict]:
    """How often y g ≥ 1 after an exact first step."""
    setting, start = nine_patterns["setting"], nine_patterns["start"]
    one = appendix.one_exact_step(setting, start, setting.eta_one(10))
    x, y = general.draw_general(generator(seed, "nine, inputs"), setting, INPUTS)
    outputs = network.smoothed(x.double() @ one["W"].T + one["b"], 9**-1.5) @ one["a"]
    found = int((y * outputs >= 1).sum())
    yield probability(found, INPUTS, at_most=(80 + 40) * math.exp(-9), what="y g ≥ 1")


@claims.check("claim-1", proof="proved on the page")
def pre_activations_after_step_1(nine_patterns: dict[str, Any], seed: int) -> Iterator[Verdict]:
    """At two sizes the worst input against the proof's bound, and that against the claim."""
    three = data.with_negative_share(data.parity_mixture(400, 3), 0.8)
    M = general.nearly_orthogonal(generator(seed, "three"), 400, 400)
    broad = General(three, M, 0.1)
    start = network.initial(generator(seed, "three"), 400, 10, 3, broad.sigma_a)
    for case, begin in (tuple(nine_patterns.values()), (broad, start)):
        found = appendix.pre_activations(case, begin, case.eta_one(10))
        worst, provable, claimed, alone = found
        what = f"at the worst x, k = {case.dist.k}"
        says = claimed < alone
        yield inequality(provable, claimed, informative=says, what=f"the proof's bound {what}")
        yield inequality(worst, provable, what=f"|<w⁽¹⁾, x>| {what}, and the proof's")


@claims.experiment
def second_deviations(general_setting: General, exact_neurons: int, seed: int) -> Table:
    """What is wrong with the second gradient, by seed and η⁽¹⁾ (`appendix.second_gradient`)."""
    rows = [
        appendix.second_gradient(general_setting, step, s, exact_neurons)
        for step in FIRST_STEPS
        for s in range(seed, seed + 4)
    ]
    table = pd.DataFrame(rows).pivot_table(index="seed", columns="eta")
    return {name: table[name].to_numpy() for name in rows[0] if name not in ("eta", "seed")}


def shrinks(found: Table, setting: General, name: str) -> Iterator[Verdict]:
    """The exponent in η⁽¹⁾ of one quantity, and its bound where there is one, which says something
    below what is known without it."""
    k = setting.dist.k
    yield exponent(
        FIRST_STEPS,
        found[name],
        expected=(0.95, math.inf),
        rival={"a square root": 0.5},
        what=f"exponent in η₁, {name}",
    )
    limits = {
        "outside": FIRST_STEPS * 0.1 / (setting.gamma * k**-1.5),
        "second": FIRST_STEPS * setting.sigma / (setting.gamma * setting.p_min),
    }
    trivial = {"outside": setting.sigma_zeta / setting.sigma, "second": 1.0}
    if name in limits:
        most = limits[name]
        yield inequality(found[name], most, informative=most < trivial[name], what=name)


@claims.check("lemma-45")
def general_second_gradient(
    second_deviations: Table, general_setting: General
) -> Iterator[Verdict]:
    """Relevant and background components, and the part outside the dictionary."""
    for name in ("relevant", "background", "outside"):
        yield from shrinks(second_deviations, general_setting, name)


@claims.check("lemma-46")
def general_second_bias(second_deviations: Table, general_setting: General) -> Iterator[Verdict]:
    """|T_b|."""
    yield from shrinks(second_deviations, general_setting, "bias")


@claims.check("lemma-47")
def general_second_layer_again(
    second_deviations: Table, general_setting: General
) -> Iterator[Verdict]:
    """|T_a|."""
    yield from shrinks(second_deviations, general_setting, "second")
