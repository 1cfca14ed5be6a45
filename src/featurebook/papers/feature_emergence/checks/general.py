"""The checks of the general setting: a run, the scale of the inputs, typical neurons, moments."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import sympy
import torch
from torch import Tensor

from featurebook import core
from featurebook.core import generator
from featurebook.papers.feature_emergence import appendix, data, exact, general, network, steps
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict, starts
from featurebook.verdicts.comparisons import (
    attack,
    exactly,
    identity,
    inequality,
    probability,
)

FEW, AMBIENT = 30, 600
"""Patterns and dimension of the run."""
NOISE = 0.2
"""σ_ζ where the normalisation is looked at."""
DRAWS, WIDE, NETWORKS = 20_000, 400, 400
"""Neurons for Lemma 36; D and networks for Lemma 37."""
LOOSE = (24 / 17 - 1 - math.log(24 / 17)) / 2
"""Chernoff's constant at 24/17."""


@claims.experiment
def coherent_run(
    m: int, n: int, n_test: int, T: int, batch: int, eta: float, seeds: list[int], seed: int,
    device: str,
) -> dict[str, Any]:  # fmt: skip
    """A network on a random dictionary with noise and 80 % negative labels.

    Returns:
        the dictionary's ``coherence``; the median |cosine| after steps ``one`` and ``two``; and
        test ``accuracy`` and ``hinge`` loss at the end, (R,).
    """
    where, steps_ = core.pick_device(device), min(T, 300)
    tilted = data.with_negative_share(data.parity_mixture(FEW, 3, 0.5), 0.8)
    M = general.incoherent_dictionary(generator(seed, "dictionary"), AMBIENT, FEW)
    setting = general.General(tilted, M, 0.05)

    def sample(size: int, stream: str) -> tuple[Tensor, Tensor]:
        draw = partial(general.draw_general, setting=setting, n=size)
        x, y = core.replicate(draw, seeds, stream)
        return x.to(where), y.to(where)

    fit, test = sample(min(n, 4000), "data"), sample(n_test, "test")
    drawn = [network.initial(generator(s, "init"), AMBIENT, m // 2, 3, setting.sigma_a)
             for s in seeds]  # fmt: skip
    begin = [{name: v.to(where) for name, v in p.items()} for p in drawn]
    rate = setting.eta_one(m // 2)
    one, two = network.first_two_steps(begin, fit, rate, 3**-1.5, weighted=True)
    run = network.train_network(
        network.amplified(two, 9.0), fit, test, eta=eta, steps=steps_, batch=batch // 2,
        seeds=seeds, observe_at=[steps_],
    )  # fmt: skip
    wanted = M[:, :3].sum(1)
    cosines = (float(network.cosines(p["W"].cpu(), wanted).abs().median()) for p in (one, two))
    return {
        "coherence": setting.coherence,
        **dict(zip(("one", "two"), cosines, strict=True)),
        **{name: run.observed[f"test {name}"][-1].cpu() for name in ("accuracy", "hinge")},
    }


@claims.check("theorem-34")
def the_general_network_learns(coherent_run: dict[str, Any], m: int, T: int) -> Iterator[Verdict]:
    """The hinge loss at the end against the rate with constants 1."""
    bound = sum(exact.theorem_26_terms(3, m // 2, min(T, 300)))
    yield inequality(
        coherent_run["hinge"],
        bound,
        informative=bound < 1,
        what="hinge loss against the rate, constants 1",
    )


@claims.experiment
def normalised(seed: int) -> dict[str, Any]:
    """Inputs and total variance of 12 patterns in 40 dimensions, with noise.

    Returns:
        inputs (2000, 40) ``by definition`` and in two ``forms``, by what ζ is divided by; the
        ``total`` variance over all patterns, and the ``variances`` that the two forms give.
    """
    g = generator(seed, "normalisation")
    twelve = data.with_negative_share(data.parity_mixture(12, 3, 0.5), 0.8)
    setting = general.General(twelve, general.incoherent_dictionary(g, 40, 12), NOISE)
    phi, _ = data.draw(g, twelve, 2000)
    zeta = NOISE * torch.randn(2000, 40, generator=g).double()
    x, _, prob = data.enumerate_all(twelve)
    every, drawn = (x > 0).double(), (phi > 0).double()  # patterns as bits
    share, M = prob @ every, setting.M
    mean, spread = M @ share, math.sqrt(float((share * (1 - share)).sum()) + 40 * NOISE**2)  # σ̃
    inside = twelve.sigma / setting.sigma * phi.double() @ M.T  # M φ
    raw = every @ M.T - mean  # all inputs without noise, centred
    covariance = twelve.sigma**2 * x.T @ (prob[:, None] * x)
    grams = {"ζ/σ_ζ": torch.eye(12), "ζ/σ̃": M.T @ M}
    return {
        "by definition": (drawn @ M.T + zeta - mean) / spread,
        "forms": {"ζ/σ_ζ": inside + zeta / NOISE, "ζ/σ̃": inside + zeta / setting.sigma},
        "total": sum(float(prob @ (raw + e).square().sum(1)) / 2 for e in (NOISE, -NOISE)),
        "variances": {n: float((covariance * v).sum()) + 40 * NOISE**2 for n, v in grams.items()},
    }


def form_against_definition(normalised: dict[str, Any], form: str) -> Iterator[Verdict]:
    """Inputs and total variance of one form against the definitions."""
    inputs, variance = normalised["forms"][form], normalised["variances"][form]
    yield identity(inputs, normalised["by definition"], tolerance=1e-6, what=form)
    yield identity(variance, normalised["total"], tolerance=1e-12, what="total variance")


@claims.check("normalisation")
def scale_as_printed(normalised: dict[str, Any]) -> Iterator[Verdict]:
    """The printed form against the definitions, and its variance in a case with two patterns."""
    yield from form_against_definition(normalised, "ζ/σ_ζ")
    product = sympy.Rational(3, 5)  # <M_1, M_2> of patterns that are present or absent together
    yield exactly(
        sympy.Rational(1, 2),
        "==",
        (1 + product) / 2,
        what="printed against true total variance of two equal fair coins, columns at 3/5",
    )


@claims.check("normalisation-corrected", proof="proved on the page")
def scale_corrected(normalised: dict[str, Any]) -> Iterator[Verdict]:
    """The corrected form against the definitions."""
    yield from form_against_definition(normalised, "ζ/σ̃")


@claims.check("gershgorin", proof="proved on the page")
def gram_norm(seed: int) -> Iterator[Verdict]:
    """An attack on the norm over all coherences up to the limit."""
    yield attack(
        appendix.gram_norm,
        starts((12, 12), seed=seed),
        steps=80,
        what="norm of the Gram matrix, D = 12, all coherences up to 1/(16 D)",
    )


@claims.experiment
def typical_neurons(D: int, k: int, m: int, seed: int) -> dict[str, Any]:
    """Whether each of 20000 neurons is typical at D (``one``), and whether all of m neurons are, at
    D = 400, for each of 400 networks (``all``)."""
    g, delta = generator(seed, "lemma 36"), steps.DELTA
    M = general.nearly_orthogonal(g, 2 * D, D)
    one = appendix.typical(torch.randn(DRAWS, 2 * D, generator=g), M, k, delta)
    M = general.nearly_orthogonal(g, 2 * WIDE, WIDE)
    every = [
        bool(appendix.typical(torch.randn(m, 2 * WIDE, generator=g), M, k, delta / m).all())
        for _ in range(NETWORKS)
    ]
    return {"one": one, "all": every}


@claims.check("lemma-36")
def one_general_neuron(typical_neurons: dict[str, Any], D: int, k: int) -> Iterator[Verdict]:
    """The share of neurons that are typical."""
    least = 1 - steps.DELTA - 2 * math.exp(-LOOSE * (D - k))
    found = int(typical_neurons["one"].sum())
    yield probability(found, DRAWS, at_least=least, what="w typical")


@claims.check("lemma-37")
def all_general_neurons(typical_neurons: dict[str, Any], k: int, m: int) -> Iterator[Verdict]:
    """The share of networks all of whose neurons are typical."""
    least = 1 - steps.DELTA - 2 * m * math.exp(-LOOSE * (WIDE - k))
    found = sum(typical_neurons["all"])
    yield probability(found, NETWORKS, at_least=least, what="all w typical")


@claims.check("lemma-38")
def weighted_gradient(seed: int) -> Iterator[Verdict]:
    """The closed form with class weights against autograd."""
    both = steps.gradients((0.6, 3.0), 4.0, seed)
    yield identity(*both, tolerance=1e-12, what="closed form against autograd")


@claims.check("lemma-39")
def weighted_moments() -> Iterator[Verdict]:
    """Weighted means over all points of three unbalanced distributions."""
    left: list[float] = []
    right: list[float] = []
    for share in (0.2, 0.8, 0.9):
        dist = data.with_negative_share(data.parity_mixture(12, 5), share)
        x, y, prob = data.enumerate_all(dist)
        low, high = dist.class_weights
        alpha = low + (high - low) * (y > 0).double()
        of_class = [prob * (y == v) / (prob @ (y == v).double()) for v in (1.0, -1.0)]
        given = [float((law * y) @ (x[:, 0] > 0).double()) for law in of_class]  # γ_{+1}, γ_{-1}
        left += [float(prob @ (alpha * y)), float(prob @ alpha)]
        left += ((prob * alpha * y) @ x)[:5].tolist()
        right += [0.0, 1.0, *[sum(given) / 2 / dist.sigma] * 5]
    yield identity(left, right, tolerance=1e-12)
