"""The checks on biased parities: their mean, features with and without bias, and the training."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from featurebook import core
from featurebook.papers.gradient_features import (
    construction,
    data,
    experiments,
    maps,
    network,
    theory,
)
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    everywhere,
    exactly,
    identity,
    inequality,
    probability,
    trend,
)

Array = NDArray[np.float64]

SMALL = {"r = 1": data.Parity(6, 3, 1, 0.25, 0.25), "r = 3": data.Parity(10, 3, 3, 0.125, 0.5)}
"""Parities whose inputs are enumerated."""
MAPPED = {"r = 1": data.Parity(64, 5, 1, 0.25, 0.5), "r = 3": data.Parity(96, 9, 3, 0.125, 0.1)}
"""Parities whose maps are sampled."""
LEVELS = (-1.5, 0.0, 1.5)
"""Biases of a map, in roots of rk."""
STRUCTURED = data.Parity(11, 3, 3, 1 / 6, 0.5)
"""A parity of three blocks without a uniform part."""
MILD = data.Parity(12, 3, 3, 0.125, 0.25)
"""A parity of three blocks with one."""
SUM = MILD.directions.sum(0, keepdims=True) / 3**0.5
"""D̄ of its blocks, (1, d)."""
DIMENSIONS = (1e2, 1e3, 1e4, 1e6)
"""Dimensions at which printed probabilities and errors are evaluated, τ = 8."""
PRACTICAL = -18
"""log10 of the least p for which a network of 1/p neurons is called possible."""


@claims.experiment
def parity_draws(neurons: int, seed: int) -> dict[str, Any]:
    """What the chapter on parities draws from one generator.

    "generic": neurons (200, d) for each parity of `SMALL`; "whole": whole-numbered ones (60, 11);
    "normal": (neurons, 12); "signs": neurons of ±1, (4, d) for d = 11, 19, 51; "one": one of 9.
    """
    rng = np.random.default_rng([seed, 43])
    return {
        "generic": [rng.normal(size=(200, law.d)) for law in SMALL.values()],
        "whole": rng.integers(-9, 10, size=(60, 11)),
        "normal": rng.normal(size=(neurons, 12)),
        "signs": [rng.choice([-1, 1], size=(4, d)) for d in (11, 19, 51)],
        "one": rng.choice([-1, 1], size=9),
    }


@claims.check("remark-b-44", proof="proved on the page")
def signal_and_noise() -> Iterator[Verdict]:
    """The expected squared norm of φ_A, enumerated, and its two bounds."""
    norms = []
    for law in SMALL.values():
        X, _, chance = law.support()
        norms.append(chance @ (X[:, : law.r * law.k] ** 2).sum(1))
    yield inequality([law.k for law in SMALL.values()], norms, what="k and E‖φ_A‖²")
    yield inequality(norms, [law.r * law.k for law in SMALL.values()], what="E‖φ_A‖² and rk")


@claims.check("remark-b-45-symmetry")
def symmetry() -> Iterator[Verdict]:
    """Labels and probabilities of every input and of its negative."""
    mirrored: list[bool] = []
    for law in SMALL.values():
        X, y, chance = law.support()
        at = {tuple(x): (v, c) for x, v, c in zip(X.astype(int), y, chance, strict=True)}
        for x, (v, c) in at.items():
            w, e = at[tuple(-np.array(x))]
            mirrored.append(v == -w and c == e)
    yield everywhere(mirrored, what="φ and -φ, all inputs")


def mean_of_label_times_input(law: data.Parity) -> list[Fraction]:
    """E[y x], enumerated in fractions: (d,)."""
    X, y, chance = law.support()
    rows = [[Fraction(int(v)) for v in row] for row in y[:, None] * X]
    return list(sum(np.array(row) * Fraction(c) for row, c in zip(rows, chance, strict=True)))


@claims.check("remark-b-45")
def mean_is_zero() -> Iterator[Verdict]:
    """The mean of label times input, and 0."""
    means = [x for law in SMALL.values() for x in mean_of_label_times_input(law)]
    yield exactly(means, "==", 0, what="E[y x], enumerated")


@claims.check("remark-b-45-corrected")
def mean_of_structured_parts() -> Iterator[Verdict]:
    """The mean of label times input, and 2 p_A on the blocks."""
    means, wanted = [], []
    for law in SMALL.values():
        means += mean_of_label_times_input(law)
        inside = law.r * law.k
        wanted += [2 * Fraction(law.p_A)] * inside + [Fraction(0)] * (law.d - inside)
    yield exactly(means, "==", wanted, what="E[y x]")


@claims.check("zero-bias", proof="proved on the page")
def without_bias(parity_draws: dict[str, Any]) -> Iterator[Verdict]:
    """Gradients of generic neurons, enumerated, and the least hinge loss by a linear program."""
    found, alike = [], []
    for law, W in zip(SMALL.values(), parity_draws["generic"], strict=True):
        G = maps.G_points(W, 0.0, *law.support())
        inside = np.arange(law.d) < law.r * law.k
        found.append(G.ravel())
        alike.append((law.p_A * inside + 0 * G).ravel())
    what = "G(w, 0) of 400 neurons, enumerated"
    yield identity(np.concatenate(found), np.concatenate(alike), tolerance=1e-12, what=what)
    shares = np.array([0.25, 0.25, 0.25, 0.25, 0.1])  # p_A
    sizes = (3, 5, 7, 9, 5)
    least = [construction.least_loss_without_bias(k, p) for k, p in zip(sizes, shares, strict=True)]
    what = "least hinge loss without bias, k = 3, 5, 7, 9"
    yield identity(least, 1 - 2 * shares, tolerance=1e-9, what=what)


@claims.experiment
def parity_maps(neurons: int, samples: int, n_seeds: int, seed: int) -> dict[str, Array]:
    """Largest cosine of a gradient to a feature, (seeds, `LEVELS`, neurons), by parity."""
    found = {}
    for name, law in MAPPED.items():
        found[name] = np.zeros((n_seeds, len(LEVELS), neurons // 4))
        for i, s in enumerate(range(seed, seed + n_seeds)):
            X, y = law.draw(core.generator(s, "parity map"), samples)
            rng = np.random.default_rng([s, 46])
            W: NDArray[Any] = rng.normal(size=(neurons // 4, law.d)).astype(np.float32)
            for j, c_b in enumerate(LEVELS):
                G = maps.G_points(W, c_b * (law.r * law.k) ** 0.5, X.numpy(), y.numpy())
                found[name][i, j] = maps.cosines(G, law.directions).max(1)
    return found


@claims.check("bias-separates")
def bias_separates(parity_maps: dict[str, Array]) -> Iterator[Verdict]:
    """Median cosines with a positive bias less those without, and those with a negative one."""
    middle = np.median(parity_maps["r = 3"], axis=2)  # (seeds, levels)
    yield trend(
        middle[:, 2] - middle[:, 1],
        expected=(0.1, 0.5),
        rival=0.0,
        within=(-1, 1),
        what="cosine at 1.5 minus at 0",
    )
    yield everywhere(middle[:, 0] < 0.82, what="cosine at -1.5 below 0.82")


@claims.check("lemma-3-21-minus")
def every_block_is_a_feature(parity_draws: dict[str, Any]) -> Iterator[Verdict]:
    """Squared cosines to the nearest block with a negative bias, in fractions."""
    X, y, _ = (v.astype(int) for v in STRUCTURED.support())
    active = (parity_draws["whole"] @ X.T) > -np.repeat([1, 4, 9], 20)[:, None]
    G = np.array([[Fraction(int(v)) for v in row] for row in (active * y) @ X])
    blocks = G[:, :9].reshape(60, 3, 3).sum(2)
    cosines = [
        max(row) ** 2 / 3 / sum(g * g for g in full) for row, full in zip(blocks, G, strict=True)
    ]
    yield exactly(
        [*cosines, Fraction(4, 6)],  # the last: what the proof allows for r = 3
        ">=",
        Fraction(81, 100),
        what="cos² to the nearest D_j, r = 3, γ = 0.1",
    )


@claims.check("lemma-3-21-minus-corrected", proof="proved on the page")
def sum_of_the_blocks(parity_draws: dict[str, Any], neurons: int) -> Iterator[Verdict]:
    """The rewritten teacher, and gradients with negative biases: distance and frequency."""
    X, y, chance = MILD.support()
    u, W = X @ MILD.directions.T, parity_draws["normal"]
    bent, slope, shift = theory.rewritten_teacher(u, 3)
    plain = theory.teacher_parity(u, 3).sum(1)
    yield identity(bent + slope * u.sum(1) + 3 * shift, plain, tolerance=1e-12, what="teachers")
    off, within, often = [], [], []
    for c_b in (2, 4, 6):  # b = -c_b √(rk)
        G, bias = maps.G_points(W, -3.0 * c_b, X, y, chance), 3.0 * c_b
        asleep = (-bias >= W @ X.T) @ chance
        off.append(np.linalg.norm(G - 2 * MILD.p_A * 3 * SUM, axis=1))
        within.append(np.sqrt(asleep * (chance @ (X**2).sum(1))))
        typical = chance @ special.ndtr(-bias / np.linalg.norm(X, axis=1))
        often.append(int((asleep <= 2 * typical).sum()))
    yield inequality(
        off,
        within,
        slack=1e-12,
        informative=np.array(within) < 2 * MILD.p_A * 3,
        what="distance of G from 2 p_A √(rk) D̄, b = -2, -4, -6 √(rk)",
    )
    for count in often:
        what = "asleep at most twice as often as Q says"
        yield probability(count, neurons, at_least=0.5, what=what)


@dataclass(frozen=True)
class Training:
    """Test losses of Algorithm 1 at the observed steps.

    Attributes:
        steps: (T,); losses: (T, seeds), by "gradient" and "random" directions.
    """

    steps: list[int]
    losses: dict[str, Array]


@claims.experiment
def parity_training(
    k: int,
    d_parity: int,
    m_parity: int,
    parity_steps: int,
    parity_batch: int,
    n_seeds: int,
    seed: int,
) -> Training:
    """Algorithm 1 on the biased parity from gradient directions and from random ones."""
    law, seeds, b = data.Parity(d_parity, k), range(seed, seed + n_seeds), 0.5
    sigma_a = b / (0.5 * experiments.ETA1 * k**0.5 * law.p_A)
    first = []
    for s in seeds:
        g = core.generator(s, "init")
        start = network.symmetric(
            g, d_parity, m_parity, sigma_a=sigma_a, sigma_w=d_parity**-0.5, b=b
        )
        sample = law.draw(core.generator(s, "first sample"), 10000)
        first.append(network.first_step(start, *sample, experiments.ETA1))
    losses = {}
    for name, nets in {"gradient": first, "random": experiments.controls(first, seeds)}.items():
        run = network.algorithm_1(
            network.stack(nets),
            law.draw,
            eta=0.2,
            steps=parity_steps,
            batch=parity_batch,
            seeds=seeds,
            test=law.draw(core.generator(seed, "test"), 4000),
            observe_at=network.log_steps(parity_steps, 24),
            label=name,
        )
        losses[name] = run.observed["loss"].numpy()
    return Training(list(run.steps), losses)


@claims.check("parity-training")
def gradient_directions_are_needed(parity_training: Training) -> Iterator[Verdict]:
    """The least loss from both starts, for each seed."""
    least = {name: x.min(0) for name, x in parity_training.losses.items()}
    yield everywhere(least["gradient"] < 0.1, what="gradient: loss < 0.1")
    yield everywhere(least["random"] > 0.4, what="random: loss > 0.4")
