"""The checks on polynomials of a few directions, and on features that are fixed beforehand."""

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.gradient_features import (
    data,
    experiments,
    linear,
    maps,
    network,
    one_step,
    theory,
)
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality, trend

Array = NDArray[np.float64]

FIT = 4000
"""Samples to which the second layer is fitted."""
MARKS = (10, 100, 1000)
"""Steps of descent on the second layer after which its error is observed."""
BITS, SIZE = 12, 3
"""Fair bits, and the size of the sets of them whose characters are averaged over."""
CHARACTERS = ((0, 1, 2), (1, 4, 7), (3, 9, 11))
"""Three sets of three bits."""
INPUTS, BLOCK = 9, 7
"""Bits of the attack on the floor, and the bits of the parity among them."""
RADII = (1.0, 2.0, 4.0, 8.0)
"""Norms B of the linear models that the attack tries."""
SIZES = (1, 2, 3, 5, 8, 13)
"""Sizes k of parities for which both floors are compared, with d = 16k."""
D_LOW, LOW = 100, 4.0
"""Dimension and signal ‖μ‖/σ of the XOR that random features do not see."""


@claims.experiment
def fixed_draws(seed: int) -> dict[str, Array]:
    """What this chapter draws from one generator.

    "H": a quadratic form (2, 2); "V" (9, 2): two ReLU features.
    """
    rng = np.random.default_rng([seed, 66])
    H = rng.normal(size=(2, 2))
    return {"H": H + H.T, "V": rng.normal(size=(INPUTS, 2))}


def cube(bits: int) -> Array:
    """All inputs, (2^bits, bits) of ±1."""
    return np.asarray(1.0 - 2 * ((np.arange(2**bits)[:, None] >> np.arange(bits)) & 1))


@claims.check("quadratic-form", proof="proved on the page")
def gradient_of_a_quadratic(fixed_draws: dict[str, Array]) -> Iterator[Verdict]:
    """The formula and quadrature over the half circle for d = 2, and one case by hand."""
    angles, H = np.linspace(0, 2 * np.pi, 25), fixed_draws["H"]
    W = np.stack([np.cos(angles), np.sin(angles)], 1)
    closed = maps.G_quadratic(3.0 * W, H)
    summed = np.array([maps.G_quadratic_plane(t, H) for t in angles])
    yield identity(closed, summed, tolerance=1e-12, what="closed form and quadrature")
    one = maps.G_quadratic(np.eye(1, 5), np.diag([1.0, 0, 0, 0, 0]))[0]
    by_hand = np.eye(5)[0] / (2 * np.sqrt(2 * np.pi))
    yield identity(one, by_hand, tolerance=1e-12, what="by hand")


@claims.experiment
def multi_index(
    poly_d: int, poly_m: int, poly_samples: int, n_seeds: int, seed: int
) -> dict[str, Any]:
    """Algorithm 7 and random features on the polynomial.

    "trained" and "random": test errors, (seeds,); "zero" and "signs": errors of descent on the
    second layer from either start, (seeds, marks); "G" (m, d) and "inside" (m,) of the first seed:
    the first gradients, and which share of their length lies in the relevant plane.
    """
    runs, random, signs = [], [], []
    for s in range(seed, seed + n_seeds):
        args = (poly_d, poly_m, poly_samples, FIT, s)
        runs.append(one_step.algorithm_7(*args, descent=MARKS))
        signs.append(one_step.algorithm_7(*args, descent=MARKS, a_start="signs")["descent"])
        random.append(one_step.algorithm_7(*args, train_W=False, ridge=100.0)["mse"])
    return {
        "trained": np.array([run["mse"] for run in runs]),
        "random": np.array(random),
        "zero": np.array([run["descent"] for run in runs]),
        "signs": np.array(signs),
        "G": runs[0]["G"],
        "inside": runs[0]["inside"],
    }


@claims.check("multi-index-training")
def one_step_into_the_span(multi_index: dict[str, Any]) -> Iterator[Verdict]:
    """How many times the error of random features is larger, for each seed."""
    gain = np.log10(multi_index["random"] / multi_index["trained"])
    yield trend(gain, expected=(0.5, 2), rival=0.0, what="log10 of random over trained")


@claims.check("multi-index-start")
def where_the_second_phase_starts(multi_index: dict[str, Any]) -> Iterator[Verdict]:
    """How many times the error after the last step is larger from signs, for each seed."""
    slower = np.log10(multi_index["signs"][:, -1] / multi_index["zero"][:, -1])
    yield trend(slower, expected=(0.3, 4), rival=0.0, what="log10 of signs over zero, 1,000 steps")


def averaged_characters() -> Verdict:
    """The mean over A of ‖E χ_A Ψ‖² against its bound, for features that are characters."""
    X = cube(BITS)
    characters = np.stack([X[:, list(c)].prod(1) for c in CHARACTERS], 1)
    energy = theory.character_energy(characters, SIZE)
    return identity(
        *energy, tolerance=1e-12, what="mean over A of ‖E χ Ψ‖² for characters: equality"
    )


@claims.check("proposition-3-23", proof="proved on the page")
def floor_for_fixed_features(fixed_draws: dict[str, Array]) -> Iterator[Verdict]:
    """The averaging step where it is tight, the binomials, and an attack by linear models."""
    yield averaged_characters()
    choose = [comb(16 * k, k) for k in SIZES]
    yield exactly([16**k for k in SIZES], "<=", choose, what="16^k and C(16k, k)")
    Z = cube(INPUTS)
    few = np.column_stack([Z.mean(1), np.clip(Z @ fixed_draws["V"] / 3, 0, 1)])
    least = np.array([linear.linear_floor(few, Z, BLOCK, B) for B in RADII])  # floor, found
    yield inequality(
        *least.T,
        informative=least[:, 0] > 0,
        what="floor, and least loss found for the worst A of 7 bits, B = 1 to 8",
    )
    yield inequality(float(least[:, 1].min()), 0.6, what="the attack comes near one half")


@claims.check("sharper-floor", proof="proved on the page")
def sharper_floor() -> Iterator[Verdict]:
    """The printed floor and ours, and the averaging step for characters."""
    floors = [
        (
            theory.fixed_features_floor_printed(k, 1e4, 3.0),
            theory.fixed_features_floor(16 * k, k, 1e4, 3.0),
        )
        for k in SIZES
    ]
    yield inequality(*np.transpose(floors), what="printed floor and ours")
    yield averaged_characters()


@claims.experiment
def fixed_losses(
    d_parity: int, fixed: int, parity_steps: int, parity_batch: int, n_seeds: int, seed: int
) -> dict[str, dict[str, Array]]:
    """Last hinge losses of linear models on fixed features, on "all" and "uniform" inputs, (S,)."""
    law = data.Parity(d_parity, 5)
    X, y = law.draw(core.generator(seed, "test"), 4000)
    uniform = (X[:, :5].sum(1).abs() < 5) & (X[:, :5].abs().sum(1) == 5)
    tests = {"all": (X, y), "uniform": (X[uniform], y[uniform])}
    found = {}
    for kind, count in {"random features": fixed, "ntk": max(fixed // 4, 4)}.items():
        run = experiments.train_fixed(
            kind,
            count,
            law,
            range(seed, seed + n_seeds),
            eta=1.0,
            steps=parity_steps,
            batch=parity_batch,
            test=tests,
        )
        found[kind] = {name: run.observed[name][-1].numpy() for name in tests}
    return found


@claims.check("fixed-training")
def fixed_features_stay(fixed_losses: dict[str, dict[str, Array]]) -> Iterator[Verdict]:
    """The loss of each kind on all inputs."""
    for kind, losses in fixed_losses.items():
        yield everywhere(losses["all"] >= 0.49, what=f"{kind}: loss >= 0.49")


@claims.experiment
def high_signal(n_seeds: int, seed: int) -> dict[int, Array]:
    """Test errors of 100 random features on the XOR of the thesis by d, (S,)."""
    seeds = range(seed, seed + n_seeds)
    return {
        d: np.array([experiments.random_features_error(data.xor(d), 100, 1000, s) for s in seeds])
        for d in (100, 400, 1600)
    }


def after_a_first_batch(law: data.Mixture, m: int, seeds: Sequence[int]) -> core.Params:
    """Networks of 4m neurons after step one on 10,000 samples, with half the median threshold."""
    nets = []
    for s in seeds:
        W = np.random.default_rng(s).normal(size=(200, D_LOW)) / 10
        size = float(np.median(np.linalg.norm(maps.G_mixture(W, 0.5, law), axis=1)))
        sigma_a = 0.5 / (2 * experiments.ETA1 * size)
        g = core.generator(s, "init")
        start = network.symmetric(g, D_LOW, m, sigma_a=sigma_a, sigma_w=0.1, b=0.5)
        sample = law.draw(core.generator(s, "one"), 10000)
        nets.append(network.first_step(start, *sample, experiments.ETA1))
    return network.stack(nets)


@claims.experiment
def low_signal(m: int, n_seeds: int, seed: int) -> dict[str, Array]:
    """Test errors at ‖μ‖ = 4σ of "random" features and of the trained "network", (S,)."""
    seeds, law = range(seed, seed + n_seeds), data.xor(D_LOW, 1.0, LOW)
    run = network.algorithm_1(
        after_a_first_batch(law, m, seeds),
        law.draw,
        eta=0.02,
        steps=150,
        batch=200,
        seeds=seeds,
        test=law.draw(core.generator(seed, "low test"), 4000),
        observe_at=[0, 50, 100, 150],
        label="low signal",
    )
    random = [experiments.random_features_error(law, 4 * m, 40000, s) for s in seeds]
    return {"random": np.array(random), "network": run.observed["error"].min(0).values.numpy()}


@claims.check("kernel-regime")
def beyond_the_kernel_regime(high_signal: dict[int, Array]) -> Iterator[Verdict]:
    """The largest error of random features at the signal of the thesis, whatever d."""
    worst = max(errors.max() for errors in high_signal.values())
    what = "an error of 0.25 or more with N = 100, n = 1,000 at d = 100, 400 or 1,600"
    yield everywhere([worst >= 0.25], what=what)


@claims.check("kernel-regime-corrected")
def at_low_signal(low_signal: dict[str, Array]) -> Iterator[Verdict]:
    """The error of random features less that of the network, for each seed."""
    gap = low_signal["random"] - low_signal["network"]
    yield trend(
        gap, expected=(0.05, 0.5), rival=0.0, within=(-1, 1), what="random features minus network"
    )
