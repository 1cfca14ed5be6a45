"""The checks of the first step: emergence in exact gradients, and the weights after it."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.core import generator
from featurebook.papers.feature_emergence import data, exact, network, steps
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.data import Distribution
from featurebook.verdicts import Verdict, exponents
from featurebook.verdicts.comparisons import exponent, identity, inequality

Table = dict[str, np.ndarray]
"""Deviations of the first gradient, (seeds, D), by name."""
AMBIENT = (500, 2000)
"""Dimensions d, beside D, in which the two steps are run."""


@claims.experiment
def emergence(
    exact_sizes: list[int], exact_neurons: int, k: int, p_o: float, m: int, seed: int
) -> pd.DataFrame:
    """Deviations of the exact first gradient by D and eight seeds (`steps.first_step`)."""
    return pd.DataFrame(
        [
            steps.first_step(data.parity_mixture(D, k, p_o), s, exact_neurons, m)
            for D in exact_sizes
            for s in range(seed, seed + 8)
        ]
    )


@claims.experiment
def deviations(emergence: pd.DataFrame) -> Table:
    """The same as arrays (seeds, D)."""
    return {
        name: emergence.pivot_table(index="seed", columns="D", values=name).to_numpy()
        for name in emergence.columns[2:]
    }


@claims.check("lemma-6")
def emergence_as_announced(deviations: Table, parity: Distribution) -> Iterator[Verdict]:
    """Both deviations against ε_e with constant 1, which says something below γ."""
    bound = deviations["epsilon_e"]
    yield inequality(
        np.maximum(deviations["relevant"], deviations["background"]),
        bound,
        informative=bound < parity.gamma,
        what="deviation against ε_e, constant 1; informative if ε_e < γ",
    )


def falls(deviations: Table, sizes: list[int], name: str, what: str) -> Verdict:
    """How fast a deviation falls with D, against how fast ε_e does."""
    allowed = float(exponents(np.array(sizes), deviations["epsilon_e"][:1])[0])
    return exponent(
        np.array(sizes),
        deviations[name],
        expected=(-math.inf, allowed),
        rival={"no decay": 0},
        what=what,
    )


def both_fall(deviations: Table, sizes: list[int]) -> Iterator[Verdict]:
    """Lemma 15: the deviations of relevant and of background patterns."""
    for name in ("relevant", "background"):
        yield falls(deviations, sizes, name, f"exponent in D, {name}")


@claims.check("lemma-15")
def emergence_in_full(deviations: Table, exact_sizes: list[int]) -> Iterator[Verdict]:
    """The exponents of both deviations in D."""
    yield from both_fall(deviations, exact_sizes)


@claims.check("lemma-16")
def bias(deviations: Table, exact_sizes: list[int]) -> Iterator[Verdict]:
    """The exponent of |T_b| in D."""
    yield falls(deviations, exact_sizes, "bias", "exponent in D of |T_b|")


def second_layer_bounded(deviations: Table, parity: Distribution) -> Verdict:
    """Lemma 17: |T_a| over max|q| against the proof's constant, for random and structured q."""
    D, k = parity.D, parity.k
    ones, on_relevant = torch.ones(D, dtype=torch.float64), network.relevant_direction(D, k)
    shapes = torch.stack([ones, on_relevant, ones - on_relevant, ones - 2 * on_relevant])
    q = torch.cat([0.01 * shapes, 0.1 * shapes, shapes, -shapes])
    zero = torch.zeros(len(q), dtype=torch.float64)
    found = exact.gradient_components(parity, q, zero, k**-1.5)
    share = k * parity.p_relevant * (1 - parity.p_relevant) / parity.sigma**2
    ratios = np.append(deviations["second"], (found.T_a.abs() / q.abs().amax(1)).numpy())
    return inequality(ratios, math.sqrt(1 + (k - 1) * share), what="|T_a| / max|q|")


@claims.check("lemma-17", proof="proved on the page")
def second_layer(deviations: Table, parity: Distribution) -> Iterator[Verdict]:
    """|T_a| over max|q|, for random, equal and opposite weights, and weights on A only."""
    yield second_layer_bounded(deviations, parity)


def forgotten(
    p: core.Params, fit: network.Data, weights: tuple[float, float], k: int
) -> tuple[Tensor, Tensor]:
    """First layers after the plain update at η = 0.001 with decay 1/(2η), and as -η ∇L."""
    slope = network.gradient(p, fit, k**-1.5, weights)["W"]
    plain = p["W"] - 1e-3 * (slope + p["W"] / 1e-3)
    return plain, network.step_one(p, fit, 1e-3, k**-1.5, weights)["W"]


@claims.check("lemma-18")
def weights_after_step_1(
    networks: list[core.Params], deviations: Table, parity: Distribution, exact_sizes: list[int],
    seed: int,
) -> Iterator[Verdict]:  # fmt: skip
    """That the old weights are forgotten, and the parts of Lemmas 15 to 17."""
    fit = data.draw(generator(seed, "picture"), parity, 2000)
    both = forgotten(networks[0], fit, (1.0, 1.0), parity.k)
    yield identity(*both, tolerance=1e-11, what="the old weights are forgotten")
    yield from both_fall(deviations, exact_sizes)
    yield falls(deviations, exact_sizes, "bias", "exponent in D of |T_b|")
    yield second_layer_bounded(deviations, parity)


@claims.check("dimension-free", proof="proved on the page")
def cosines_do_not_depend_on_the_dimension(parity: Distribution, seed: int) -> Iterator[Verdict]:
    """Cosines after both steps in three dimensions against those in D coordinates."""
    D, k = parity.D, parity.k
    x, y = data.draw(generator(seed, "dimension"), parity, 1000)
    x = x.double()
    p = network.initial(generator(seed, "dimension"), D, 10, k, network.sigma_a(parity))
    in_space, in_coordinates = [], []
    for d in (D, *AMBIENT):
        g = generator(seed, "ambient", d)
        M = torch.linalg.qr(torch.randn(d, D, generator=g, dtype=torch.float64)).Q
        outside = torch.randn(20, d, generator=g, dtype=torch.float64) / k
        lift = p | {"W": p["W"] @ M.T + outside - outside @ M @ M.T}
        for one in after_steps(lift, (x @ M.T, y), k):
            in_space.append(network.cosines(one["W"], M[:, :k].sum(1)))
        for one in after_steps(p, (x, y), k):
            in_coordinates.append(network.cosines(one["W"], network.relevant_direction(D, k)))
    what = "cosines in R^d against D coordinates"
    yield identity(torch.cat(in_space), torch.cat(in_coordinates), tolerance=1e-9, what=what)


def after_steps(p: core.Params, fit: network.Data, k: int) -> tuple[core.Params, core.Params]:
    """The network after step 1, at η = 0.001, and after step 2."""
    one = network.step_one(p, fit, 1e-3, k**-1.5)
    return one, network.step_two(one, fit, k**-1.5)
