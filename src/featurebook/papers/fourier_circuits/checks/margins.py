"""The checks of the chapter on one neuron, first part: from a network's margin to its neurons."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.fourier_circuits import circuits, exact, fourier, network, single, theory
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, exactly, identity, inequality

SIZES = [(2, 7), (3, 5), (4, 3)]
"""Pairs (k, p) of the networks on which identities are tried."""
TRANSFORMED = [(2, 7), (3, 5), (4, 3), (2, 6), (3, 4)]
"""Pairs of the neurons whose margin is transformed, with even p too."""
BEST = [(2, 7), (3, 5), (4, 5)]
"""Pairs at which the best neurons are attacked."""
AMPLITUDES = [(2, 7), (3, 7), (4, 5), (5, 3)]
"""Pairs at which both signs of the amplitude are tried."""
MIXED = 12
"""Neurons of the networks of random maximal neurons."""
ATTACKED = 4
"""Neurons of the networks that the attacks change."""
FLAWS = ("phase", "scale", "split")

Networks = list[tuple[Any, Any]]


@claims.experiment
def whole_networks(seed: int) -> Networks:
    """Networks of whole numbers at `SIZES`, random and degenerate: U (m, k, p) and W (m, p)."""
    found: Networks = []
    for i, (k, p) in enumerate(SIZES):
        found += exact.whole_networks(seed + i, k, p)
    return found


@claims.experiment
def drawn_neurons(instances: int, seed: int) -> dict[str, list[Any]]:
    """What the chapter draws from one stream.

    - mixed: networks of maximal neurons with random phases and sizes, U and W, for `SIZES`;
    - shares: in what proportions three circuits are mixed, (3,), for `SIZES`;
    - neurons: U (n, k, p) and W (n, p), some degenerate, for `TRANSFORMED`;
    - phases: θ (k,) for each frequency, of each of `BEST`;
    - signed: θ (k,) for both signs, of each of `AMPLITUDES`.
    """
    g = core.generator(seed, "theorem")

    def turns(k: int, count: int) -> list[Tensor]:
        return [2 * np.pi * torch.rand(k, generator=g, dtype=torch.float64) for _ in range(count)]

    return {
        "mixed": [single.mixed_network(k, p, MIXED, g) for k, p in SIZES * instances],
        "shares": [
            [torch.rand(3, generator=g, dtype=torch.float64) for _ in range(instances)]
            for _ in SIZES
        ],
        "neurons": [single.random_neurons(k, p, instances, g) for k, p in TRANSFORMED],
        "phases": [turns(k, p // 2) for k, p in BEST],
        "signed": [turns(k, 2) for k, _ in AMPLITUDES],
    }


@claims.check("equation-4-3", proof="proved on the page")
def distributions(whole_networks: Networks, seed: int) -> Iterator[Verdict]:
    """The smallest margin, a mean of random rational weights, and the one that attains it."""
    rng = np.random.default_rng(seed)
    smallest, means, attained = [], [], []
    for U, W in whole_networks:
        at_inputs = exact.margins(U, W)[0]
        weights = rng.integers(0, 10, len(at_inputs)).tolist()
        weights[0] += 1  # so that not all are 0
        weighted = [Fraction(q, sum(weights)) * g for q, g in zip(weights, at_inputs, strict=True)]
        means.append(sum(weighted))
        smallest.append(min(at_inputs))
        attained.append(at_inputs[int(np.argmin(at_inputs))])
    yield exactly(smallest, "<=", means, what="smallest margin and a mean")
    yield exactly(smallest, "==", attained, what="distribution on one input")


@claims.check("definition-4-5")
def stationary_as_printed() -> Iterator[Verdict]:
    """The circuit minimises no mean margin: flipping the signs of its outputs gives a smaller."""
    U, W = exact.whole_circuit()
    yield exactly(
        sum(exact.margins(U, W)[0]),
        "<=",
        sum(exact.margins(U, -W)[0]),
        what="sum of margins of the circuit, and with signs flipped, k = 2, p = 3",
        instance={"U": U, "W": W},
    )


@claims.check("definition-4-5-corrected", proof="proved on the page")
def stationary() -> Iterator[Verdict]:
    """The circuit's margins are all equal, and their mean is the maximum."""
    U, W = exact.whole_circuit()
    at_inputs = exact.margins(U, W)[0]
    yield exactly(at_inputs, "==", at_inputs[0], what="margins at all inputs")
    squared = exact.normalized_margin_squared(U, W)
    yield exactly(squared, "==", theory.gamma_squared(2, 3), what="h² and γ*²")


@claims.check("definition-4-6", proof="proved on the page")
def class_weighted(whole_networks: Networks, seed: int) -> Iterator[Verdict]:
    """The margin and class-weighted ones, and the sum of the neurons' own."""
    rng = np.random.default_rng(seed)
    uniform: list[Any] = []
    drawn: list[Any] = []
    of_network, of_neurons = [], []
    for U, W in whole_networks:
        hard, weighted = exact.margins(U, W)
        uniform += [(W.shape[1] - 1) * g - soft for g, soft in zip(hard, weighted, strict=True)]
        drawn += over_drawn_weights(U, W, hard, rng)
        of_network.append(sum(weighted))
        alone = [exact.margins(U[[i]], W[[i]])[1] for i in range(len(U))]
        of_neurons.append(sum(sum(one) for one in alone))
    yield exactly(uniform, "<=", 0, what="(p - 1)(g - g') and 0")
    yield exactly(drawn, "<=", 0, what="g - g' and 0, random τ")
    yield exactly(of_network, "==", of_neurons, what="network and sum of neurons")


def over_drawn_weights(
    U: Any, W: Any, hard: Sequence[Any], rng: np.random.Generator
) -> list[Fraction]:
    """g - g' at every input, with random rational weights τ of the wrong labels."""
    k, p = U.shape[1:]
    found = []
    inputs = product(range(p), repeat=k)
    for a, f, g in zip(inputs, exact.logits(U, W), hard, strict=True):
        right = sum(a) % p
        tau = rng.integers(0, 5, p).tolist()
        tau[right - 1] += 1  # so that not all are 0
        tau[right] = 0
        mean = Fraction(sum(t * x for t, x in zip(tau, f, strict=True)), sum(tau))
        found.append(g - (f[right] - mean))
    return found


@claims.check("lemma-c-5")
def neurons_make_a_network_as_printed() -> Iterator[Verdict]:
    """The norm of two maximal neurons that are scaled as the lemma says."""
    alpha = sp.Rational(2) ** sp.Rational(-1, 3)  # α³ + α³ = 1
    yield exactly(
        (alpha**2 + alpha**2) ** 3,
        "<=",
        1,
        what="norm⁶, b = 2, ν = 3, two neurons",
        instance={"alpha": [str(alpha)] * 2},
    )


@claims.check("lemma-c-5-corrected", proof="proved on the page")
def neurons_make_a_network(drawn_neurons: dict[str, list[Any]]) -> Iterator[Verdict]:
    """Networks of maximal neurons: their mean class-weighted margin and their norm."""
    found = []
    for U, W in drawn_neurons["mixed"]:
        found.append([mean_class_weighted(U, W), float(network.norm(U, W))])
    yield identity(
        found, 1.0, tolerance=1e-12, what="E[g'] over γ* and norm, random phases and weights"
    )


def mean_class_weighted(U: Tensor, W: Tensor) -> float:
    """E[g'] of a network over γ*."""
    k, p = U.shape[-2:]
    mean = network.mean_margins(network.logits(U, W), network.labels(k, p)).mean()
    return float(mean) / theory.gamma(k, p)


@claims.check("lemma-c-6", proof="proved on the page")
def class_weighted_to_maximum(
    drawn_neurons: dict[str, list[Any]], search_starts: int, search_steps: int, seed: int
) -> Iterator[Verdict]:
    """Mixed circuits, attacked networks, and circuits with one flawed neuron."""
    yield identity(
        mixed_circuits(drawn_neurons["shares"]),
        1.0,
        tolerance=1e-12,
        what="smallest and largest margin over γ*, mixed circuits",
    )
    for k, p in [(2, 5), (3, 3)]:
        yield attack(
            core.takes_replicas(network_sides),
            verdicts.starts((ATTACKED, k + 1, p), random=search_starts, seed=seed),
            steps=search_steps,
            what=f"k = {k}, p = {p}",
        )
    lost, own = [], []
    for k, flaw, t in product((2, 3, 4), FLAWS, (0.2, 1.0)):
        U, W = circuits.flawed(k, 5, flaw, t)
        lost.append(1 - mean_class_weighted(U, W))
        own.append((1 - float(fourier.efficiency(U[:1], W[:1]))) / len(U))
    yield identity(lost, own, tolerance=1e-9, what="what one flawed neuron costs")
    yield inequality(1e-6, lost, what="and that it costs something")


def mixed_circuits(shares: Sequence[Sequence[Tensor]]) -> list[list[float]]:
    """Smallest and largest margin over γ* of three circuits mixed in each of the proportions."""
    found = []
    for (k, p), proportions in zip(SIZES, shares, strict=True):
        kinds = (circuits.grid, circuits.short, circuits.ternary)
        made = [circuits.network(*kind(k), p) for kind in kinds]
        for share in proportions:
            size = (share / share.sum()) ** (1 / (k + 1))
            U, W = (torch.cat([s * x[i] for s, x in zip(size, made, strict=True)]) for i in (0, 1))
            g = network.margins(network.logits(U, W), network.labels(k, p)) / theory.gamma(k, p)
            found.append([float(g.min()), float(g.max())])
    return found


def network_sides(x: Tensor) -> tuple[Tensor, Tensor]:
    """E[g'] of networks x (R, m, k + 1, p), and γ*‖θ‖^{k+1}."""
    U, W = x[..., :-1, :], x[..., -1, :]
    k, p = U.shape[-2:]
    mean = network.mean_margins(network.logits(U, W), network.labels(k, p)).mean(-1)
    return mean, theory.gamma(k, p) * network.norm(U, W) ** (k + 1)
