"""The checks of losses and scales, of training with a frozen first layer, and of emergence."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np
import sympy
import torch
from flint import arb
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.gradient_features import data, lemmas, maps, network, theory
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, exactly, identity, inequality, search
from featurebook.verdicts.comparisons import probability as probable

Array = NDArray[np.float64]

LOG2 = arb(2).log()
SMOOTH = {"h": (4, 3), "a": (3,), "star": (3,)}
"""Shapes of features times labels, the start and the comparator of logistic regression."""
NICE, GROUP = 20000, 200
"""Random neurons on the XOR, and neurons of one network."""


@claims.experiment
def framework_draws(seed: int) -> dict[str, Array]:
    """What the chapter on the framework draws from one generator.

    "X" (60, 7), "y" (60,), "W" (9, 7), "b" and "scale" (9,), "D" (3, 7): neurons on a sample;
    "xor" (20000, 100) and "coin" (20000,); "constants" (2000, 3) and "slopes" (500, 8);
    "linear" (2000, 10).
    """
    rng = np.random.default_rng([seed, 18])
    return {
        "X": rng.normal(size=(60, 7)),
        "y": np.sign(rng.normal(size=60)),
        "W": rng.normal(size=(9, 7)),
        "b": rng.normal(size=9),
        "scale": rng.uniform(0.1, 10, 9),
        "D": np.linalg.qr(rng.normal(size=(7, 7)))[0][:3],
        "xor": rng.normal(size=(NICE, 100)) / 10,
        "coin": rng.random(NICE),
        "constants": 10 ** rng.uniform(-1, 1, (2000, 3)),
        "slopes": rng.normal(size=(500, 8)) * 3,
        "linear": rng.normal(size=(2000, 10)),
    }


@claims.check(
    "remark-3-2",
    undecided=("two readings", "as printed: false; with value and argument rescaled: true"),
)
def logistic_loss() -> Iterator[Verdict]:
    """The loss at 0 as printed; value at 0 and steepest slope of the rescaled loss."""
    z = sympy.Symbol("z", real=True)
    printed, rescaled = sympy.log(1 + sympy.exp(-z)), sympy.log(1 + 2**-z) / sympy.log(2)
    yield exactly(printed.subs(z, 0), "==", 1, what="loss at 0")
    yield exactly(rescaled.subs(z, 0), "==", 1, what="rescaled loss at 0")
    steepest = sympy.limit(-sympy.diff(rescaled, z), z, -sympy.oo)
    yield exactly(steepest, "<=", 1, what="steepest slope of the rescaled loss")


@claims.check("logistic-multiples", proof="proved on the page")
def no_multiple() -> Iterator[Verdict]:
    """The steepest slope of the multiple that is 1 at 0."""
    z = sympy.Symbol("z", real=True)
    multiple = sympy.log(1 + sympy.exp(-z)) / sympy.log(2)
    steepest = sympy.limit(-sympy.diff(multiple, z), z, -sympy.oo)
    yield exactly(steepest, ">", 1, what="steepest slope of the multiple that is 1 at 0")


def convex_and_slow(p: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Convexity at the middle, and Lipschitz with 1."""
    u, v = lemmas.logistic(p["u"]), lemmas.logistic(p["v"])
    middle = lemmas.logistic((p["u"] + p["v"]) / 2)
    return torch.stack([middle, (u - v).abs()]), torch.stack([(u + v) / 2, (p["u"] - p["v"]).abs()])


@claims.check("remark-3-2-corrected", proof="proved on the page")
def base_two(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """An attack on convexity and slope, and the loss at 0."""
    pair = verdicts.starts({"u": (), "v": ()}, random=search_starts, seed=seed)
    yield attack(convex_and_slow, pair, steps=search_steps, what="convex, 1-Lipschitz")
    at_zero = float(lemmas.logistic(torch.tensor(0.0, dtype=torch.float64)))
    yield identity(at_zero, 1.0, tolerance=1e-12, what="loss at 0")


@claims.check("remark-3-10")
def scales(framework_draws: dict[str, Array]) -> Iterator[Verdict]:
    """Neurons with scaled weights, and scaled neurons with another bias."""
    X, W, b, c = (framework_draws[x] for x in ("X", "W", "b", "scale"))
    inside = c[:, None] * np.maximum((W * c[:, None]) @ X.T - b[:, None], 0)
    outside = np.maximum(W @ X.T - (b / c)[:, None], 0)
    yield identity(inside, outside * c[:, None] * c[:, None], tolerance=1e-12)


@claims.check("lemma-b-72", proof="proved on the page")
def cones(framework_draws: dict[str, Array]) -> Iterator[Verdict]:
    """Cosines of gradients, and of scaled gradients of either sign to the opposite directions."""
    X, y, W, b, c, D = (framework_draws[x] for x in ("X", "y", "W", "b", "scale", "D"))
    G = maps.G_points(W, b, X, y)
    signs = (-1) ** np.arange(len(W))
    scaled = maps.cosines(G * signs[:, None] * c[:, None], -D)
    yield identity(scaled, maps.cosines(G, D), tolerance=1e-12)


@claims.check("lemma-b-71")
def symmetric_start(framework_draws: dict[str, Array], seed: int) -> Iterator[Verdict]:
    """Gradients of opposite neurons, the output at the start, and both kinds of twins."""
    X, y, W, b = (framework_draws[x] for x in ("X", "y", "W", "b"))
    G = maps.G_points(W, b, X, y)
    mean = y @ X / len(y) + 0 * G
    yield identity(maps.G_points(-W, -b, X, y) + G, mean, tolerance=1e-12, what="G and -G")
    g = core.generator(seed, "init")
    start = network.symmetric(g, 7, 5, sigma_a=1.0, sigma_w=1.0, b=0.4)
    Xt, yt = torch.tensor(X).float(), torch.tensor(y).float()
    yield identity(1 + network.output(start, Xt), 1.0, tolerance=1e-5, what="output + 1")
    both = torch.cat([Xt, -Xt]), torch.cat([yt, yt])  # E[y x] = 0
    first = network.first_step(start, *both, 1.0)["W"]
    yield identity(first[:10], -first[10:], tolerance=1e-5, what="twins")
    yield identity(first[:5], first[5:10], tolerance=1e-5, what="E[yx] = 0")


@claims.check("theorem-3-4-step", undecided=("our text", "Theorem B.2, its restatement, has 1/L"))
def shrinking_step() -> Iterator[Verdict]:
    """The least loss of ten steps 1/t, and the optimum plus what the theorem allows."""
    room = LOG2 / 4 * (arb(3).log() / LOG2) ** 2  # L B_a2² with B_a2 = |a*|
    diverged, least = lemmas.divergent_step(10, 100)
    yield exactly(diverged, "<=", least + room / 10, what="loss at t <= 10")


@claims.check("theorem-3-4-step-corrected", proof="proved on the page")
def constant_step(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """The least loss of T steps 1/L and the bound, and an attack at T = 2."""
    room = LOG2 / 4 * (arb(3).log() / LOG2) ** 2
    horizons = (2, 3, 5, 10)
    runs = [lemmas.divergent_step(T, 100, printed=False) for T in horizons]
    yield exactly(
        [reached for reached, _ in runs],
        "<=",
        [least + 2 * room / T for T, (_, least) in zip(horizons, runs, strict=True)],
        what="loss at t <= T = 2, 3, 5, 10",
    )
    points = verdicts.starts(SMOOTH, random=search_starts, seed=seed)
    what = "best of t <= 2, logistic loss"
    yield attack(lemmas.frozen_sides, points, steps=search_steps, what=what)


@claims.check("eq-b-12")
def smooth_descent() -> Iterator[Verdict]:
    """Both sides as printed for one feature, in balls."""
    left, right = zip(*[lemmas.smooth_counterexample(T) for T in (1, 2, 5)], strict=True)
    yield exactly(list(left), "<=", list(right), what="T = 1, 2, 5")


@claims.check("eq-b-12-corrected", proof="proved on the page")
def smooth_descent_later(search_starts: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """An attack with the average from the second iterate on."""
    points = verdicts.starts(SMOOTH, random=search_starts, seed=seed)
    sides = partial(lemmas.smooth_sides, T=4)
    yield attack(sides, points, steps=search_steps, what="T = 4, logistic loss")


@claims.check(
    "lemma-3-13", undecided=("two readings", "with Definition B.4: true; with (3.14): false")
)
def emergence() -> Iterator[Verdict]:
    """The gradient of every neuron on one point, and the norm that (3.14) asks for."""
    what = "‖∇ᵢ‖ / |aᵢ| of every neuron, and B_G, which (3.14) asks of it"
    yield exactly(Fraction(1, 2), ">=", 1, what=what)


def too_few(x: Array) -> tuple[Array, Array]:
    """Exact P(Bin(m, p/2) < mp/4) and the bound."""
    m, p = np.round(x[:, 0]), x[:, 1]
    return theory.too_few_nice(m, p), theory.too_few_bound(m, p)


@claims.check("lemma-3-13-corrected", proof="proved on the page")
def emergence_with_a_constant(
    framework_draws: dict[str, Array], evaluations: int, seed: int
) -> Iterator[Verdict]:
    """The exact tail and its bound over m and p, and networks on the XOR with too few."""
    yield search(
        too_few,
        [(1, 1500), (0.001, 1)],
        vectorised=True,
        floor=0,
        what="exact tail",
        evaluations=evaluations,
        seed=seed,
    )
    mix = data.xor(100)
    G = maps.G_mixture(framework_draws["xor"], 1.5, mix)
    hit = maps.in_cone(G, mix.directions[:1], 0.05, 1.0)[:, 0]
    nice = (hit & (framework_draws["coin"] < 0.5)).reshape(-1, GROUP)
    share = float(hit.mean())
    yield probable(
        int((nice.sum(1) < GROUP * share / 4).sum()),
        len(nice),
        at_most=float(theory.too_few_bound(GROUP, share)),
        what=f"XOR, m = {GROUP}, p = {share:.3f}",
    )


@claims.check("labels")
def error_and_loss() -> Iterator[Verdict]:
    """Error and loss for a label of size 1/2."""
    loss = max(Fraction(0), 1 - Fraction(1, 2) * 2)
    yield exactly(1, "<=", loss, what="error and loss, y = ½, g = 2")


@claims.check("labels-corrected", proof="proved on the page")
def error_and_loss_of_signs() -> Iterator[Verdict]:
    """Error and loss for a label of size 1."""
    score = np.linspace(-3, 3, 601)
    wrong = (np.sign(score) != 1).astype(float)
    yield inequality(wrong, np.maximum(1 - score, 0), what="y = 1, g in [-3, 3]")


@claims.check("square-lost")
def square_is_lost() -> Iterator[Verdict]:
    """A squared norm and the bound without the square."""
    yield exactly(4 * 2**2, "<=", 4 * 2, what="4 slopes of 2")


@claims.check("square-lost-corrected", proof="proved on the page")
def with_the_square(framework_draws: dict[str, Array]) -> Iterator[Verdict]:
    """Squared norms and the bound with the square."""
    squares = framework_draws["slopes"] ** 2
    yield inequality(squares.sum(1), 8 * squares.max(1), what="8 slopes")
