"""The checks of what fixed features cannot do: parities, Theorem 2 and its repairs, kernels."""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, fixed, hardness, machines, network
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality, trend

N, WIDE = 100, 96
"""Random features, and patterns of the eight random subsets."""
SUBSETS = (3, 5)
"""Sizes k of the subsets that are all looked at."""
LEAST_P = Fraction(67, 1000)
"""p_o from which the corrected Theorem 2 follows from the sharper bound."""
WIDE_K = 7
"""k of the support vector machine, at D = 112."""


@claims.experiment
def random_features(cube_size: int, seed: int) -> dict[str, Any]:
    """Truncated ReLUs at random.

    Returns:
        ``coefficients``, |Ψ̂(A)| for eight random A at D = 96, k = 5; ``q`` (N, D) and ``b`` (N,)
        of those on the small cube; and four more weights there, ``probes`` (4, D).
    """
    g = generator(seed, "fixed features")

    def drawn(size: int) -> tuple[Tensor, Tensor]:
        q = torch.randn(N, size, generator=g, dtype=torch.float64) / math.sqrt(size)
        return q, 0.2 * torch.randn(N, generator=g, dtype=torch.float64)

    q, b = drawn(WIDE)
    coefficients = []
    for _ in range(8):  # permuting the coordinates moves A to the front
        order = torch.randperm(WIDE, generator=g)
        coefficients.append(float(hardness.parity_coefficients(q[:, order], b, 5).norm()))
    q, b = drawn(cube_size)
    probes = [torch.randn(cube_size, generator=g, dtype=torch.float64) for _ in range(4)]
    return {
        "coefficients": coefficients, "q": q, "b": b,
        "probes": torch.stack(probes) / math.sqrt(cube_size),
    }  # fmt: skip


@claims.experiment
def features_on_cube(random_features: dict[str, Any], cube_size: int) -> Tensor:
    """The small ones at all points, (2^D, N)."""
    z = hardness.cube(cube_size)
    return network.activation(z @ random_features["q"].T + random_features["b"])


@claims.experiment
def subset_norms(features_on_cube: Tensor, cube_size: int) -> dict[int, Tensor]:
    """|Ψ̂(A)| for all A of three and of five patterns, by Walsh-Hadamard transform."""
    norms = hardness.walsh_hadamard(features_on_cube).norm(dim=1)
    degrees = hardness.degree(cube_size)
    return {k: norms[degrees == k] for k in SUBSETS}


def triples() -> Tensor:
    """The parities of three of six patterns, (2^6, 20)."""
    six = hardness.cube(6)
    return torch.stack([six[:, list(A)].prod(1) for A in itertools.combinations(range(6), 3)], 1)


@claims.check("theorem-29", proof="proved on the page")
def nearly_orthogonal_to_everything(random_features: dict[str, Any]) -> Iterator[Verdict]:
    """Parities as features, where averaging over A is tight, random ones, and the binomials."""
    least, odd_k = min(random_features["coefficients"]), range(1, 40, 2)
    spectrum = hardness.walsh_hadamard(triples())[hardness.degree(6) == 3]
    yield identity(
        spectrum.square().sum(1).mean(),
        20 / math.comb(6, 3),
        tolerance=1e-12,
        what="mean over A of ‖Ψ̂(A)‖² for 20 parities: equality with N/binom(D, k)",
    )
    yield inequality(least, math.sqrt(2 * N) / 2**5, what="|Ψ̂(A)| against √(2N)/2^k")
    yield exactly(
        [2 * math.comb(16 * k, k) for k in odd_k],
        ">=",
        [4**k for k in odd_k],
        what="2·binom(16k, k) against 4^k",
    )


@claims.check("sharper-bound", proof="proved on the page")
def sharper_bound(
    subset_norms: dict[int, Tensor], floor: pd.DataFrame, cube_size: int
) -> Iterator[Verdict]:
    """Parities as their own features, the best subset of random ones, and trained ones."""
    own = [float((1 - 0.5 * y * y).clamp(min=0).mean()) for y in triples().T]
    yield identity(
        own,
        hardness.parseval_bound(20, 0.5, 6, 3),
        tolerance=1e-12,
        what="parities as features, B = 1/2: loss against the bound",
    )
    for k, norms in subset_norms.items():
        bound = math.sqrt(N / math.comb(cube_size, k))
        yield inequality(float(norms.min()), bound, what=f"best A, k = {k}")
    yield inequality(
        floor["sharper bound"],
        floor["RF"] + 2.6 * floor["error"],
        informative=floor["sharper bound"] > 0,
        what="this bound and the loss of trained random features, plus 2.6 standard errors",
    )


@claims.check("theorem-2")
def no_fixed_features() -> Iterator[Verdict]:
    """What linear features reach against the printed bound, in two corners, in fractions."""
    rare = Fraction(1, 10**6)
    count, squared = fixed.size(272, 17)
    yield exactly(
        [Fraction(0), 2 * 255 * 254 * rare**2],
        ">=",
        [
            fixed.printed_bound(Fraction(1, 2), 145, 65, 9),
            fixed.printed_bound(rare, count, squared, 17),
        ],
        what="what linear features reach, and the printed bound",
        instance={
            "γ = 1/2": {"k": 9, "D": 144, "p_o": Fraction(1, 2), "N": 145, "B²": 65},
            "rare background": {"k": 17, "D": 272, "p_o": rare, "N": count, "B²": squared},
        },
    )


@claims.check("theorem-2-few", proof="proved on the page")
def few_features_for_a_rare_background(seed: int) -> Iterator[Verdict]:
    """The loss of the few features and the norm of their weights, for five problems at random."""
    rng, excess, norms = np.random.default_rng(seed), [], []
    for _ in range(5):
        answers, labels, others, norm = fixed.trial(rng, 40, 7)
        excess.append(np.maximum(1 - labels * answers, 0) - 2 * others * (others - 1))
        norms.append(norm / fixed.size(40, 7)[1])
    yield inequality(
        np.concatenate(excess),
        0.0,
        slack=1e-9,
        what="hinge loss less 2s(s-1), k = 7, d = D = 40, five A, P and M",
    )
    yield inequality(norms, 1.0, slack=1e-9, what="squared norm as a fraction of its bound")


@claims.check("theorem-2-corrected", proof="proved on the page")
def no_fixed_features_with_the_conditions(floor: pd.DataFrame) -> Iterator[Verdict]:
    """Both ranges of p_o at odd k below 40, and the bound against trained random features."""
    odd_k = range(5, 40, 2)
    share = 4 * LEAST_P * (1 - LEAST_P)
    yield exactly(
        [2 * math.comb(16 * k, k) * share**k for k in odd_k],
        ">=",
        [4**k for k in odd_k],
        what="2·binom(16k, k)·(4p(1-p))^k against 4^k at p = 0.067",
    )
    yield inequality(
        [
            2**k * fixed.mean_root(D, k, k**2 / D)
            for k in odd_k
            for D in (max(16 * k, 2 * k**2), 20 * k**2)
        ],
        math.sqrt(2),
        what="2^k times the mean of binom(k + |S|, k)^(-1/2) at p = k²/D",
    )
    yield inequality(
        floor["printed bound"],
        floor["RF"] + 2.6 * floor["error"],
        informative=floor["printed bound"] > 0,
        what="printed bound and the loss of trained RF, plus 2.6 standard errors",
    )


@claims.experiment
def least_losses(features_on_cube: Tensor, cube_size: int) -> dict[str, Any]:
    """Hinge loss (``attained``) of the best weights of ``norms`` B up to 1/√N on the parity of
    five patterns, and its ``coefficient`` |Ψ̂(A)|."""
    y = hardness.cube(cube_size)[:, :5].prod(1)
    spectrum = (y[:, None] * features_on_cube).mean(0)
    best = spectrum / spectrum.norm()
    norms = np.geomspace(1e-3, 1, 7) / math.sqrt(N)
    attained = [float((1 - y * (features_on_cube @ (B * best))).clamp(min=0).mean()) for B in norms]
    return {"norms": norms, "attained": attained, "coefficient": float(spectrum.norm())}


@claims.check("root", proof="proved on the page")
def how_far_the_root_reaches(least_losses: dict[str, Any]) -> Iterator[Verdict]:
    """The loss that is attained, and both readings of the root against Parseval's bound."""
    norms, attained, coefficient = least_losses.values()
    yield identity(
        attained, 1 - norms * coefficient, tolerance=1e-12, what="loss against 1 - B|Ψ̂(A)|"
    )
    readings, sharper = [], []
    sizes = itertools.product((5, 9, 15), (10, 1000, 100_000), np.geomspace(1e-3, 1e9, 25))
    for k, count, B in sizes:
        roots = math.sqrt(2 * count) * B, math.sqrt(2 * count * B)
        readings += [max(0.0, 1 - root / 2**k) for root in roots]
        sharper += [max(0.0, hardness.parseval_bound(count, B, 16 * k, k))] * 2
    yield inequality(
        readings,
        sharper,
        slack=1e-12,
        informative=np.array(readings) > 0,
        what="either reading against Parseval",
    )


@claims.experiment
def machine_losses(D: int, p_o: float, n: int, n_seeds: int, seed: int) -> dict[str, list[float]]:
    """Hinge loss over p_o of support vector machines for k = 3 and 7, and of those for k = 7 that
    see the relevant patterns alone."""
    few, many, alone = "3", str(WIDE_K), f"{WIDE_K}, relevant patterns alone"
    found: dict[str, list[float]] = {few: [], many: [], alone: []}
    for k, count in ((3, 1), (WIDE_K, max(8, n_seeds))):
        dist = data.parity_mixture(max(D, 16 * k), k, p_o)  # k <= D/16
        for s in range(seed, seed + count):
            (x, y), (u, v) = (
                data.draw(generator(s, name, k), dist, min(n, 2000)) for name in ("svm", "svm test")
            )
            found[str(k)].append(machines.machine_loss(x, y, u, v) / p_o)
            if k == WIDE_K:
                own = machines.machine_loss(x[:, :k], y, u[:, :k], v)
                found[alone].append(own / p_o)
    return found


@claims.check("corollary-3")
def kernels(machine_losses: dict[str, list[float]]) -> Iterator[Verdict]:
    """The loss for k = 7 over p_o, against a machine that knows the relevant patterns."""
    _, many, alone = machine_losses.values()
    yield trend(
        many,
        expected=(1 - 2 / 2**WIDE_K, math.inf),
        rival={"A known": float(np.mean(alone))},
        what="hinge loss of the SVM divided by p_o, k = 7",
    )
