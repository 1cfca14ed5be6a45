"""The checks of the regression behind the prompt, of rounding, and of smoothness and convexity."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from torch import Tensor

from featurebook import verdicts
from featurebook.core.spectra import svd
from featurebook.papers.looped_transformers import data, experiments, search
from featurebook.papers.looped_transformers.attention import LoopedTransformer, prompt
from featurebook.papers.looped_transformers.checks import drawn
from featurebook.papers.looped_transformers.checks.drawn import Drawn
from featurebook.papers.looped_transformers.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import attack, exactly, identity, inequality

Exact = list[tuple[NDArray[Any], NDArray[Any], Fraction, NDArray[Any]]]
"""Prompts in fractions: X, θ*, α, q^(0)."""

UNEQUAL = (Fraction(1, 5), Fraction(3, 2), Fraction(1, 9))
"""Steps that differ from loop to loop."""
FEW = 50
"""Gaussian prompts at which bounds are attained."""


@claims.experiment
def gaussian_prompts(prompts: int, n: int, d: int, seed: int) -> Drawn:
    """The Gaussian prompts of this chapter."""
    return drawn.gaussian(data.generator(seed, "prompts"), prompts, n, d)


@claims.experiment
def exact_prompts(seed: int) -> Exact:
    """Random and degenerate prompts in fractions, from three seeds."""
    return [case for s in range(seed, seed + 3) for case in experiments.exact_prompts(s)]


def loss(X: Any, y: Any, theta: Any) -> Any:
    """½‖y - Xθ‖²."""
    return (y - X @ theta) @ (y - X @ theta) / 2


def difference(X: Any, y: Any, at: Any, h: Fraction = Fraction(1, 3)) -> NDArray[Any]:
    """Central differences of the loss, exact for a quadratic."""
    steps = h * verdicts.rationals(np.eye(len(at)))
    return np.array([(loss(X, y, at + e) - loss(X, y, at - e)) / (2 * h) for e in steps])


@claims.check("equation-8-1", proof="proved on the page")
def gradient(seed: int) -> Iterator[Verdict]:
    """The formula and central differences, in fractions."""
    free = [case for s in range(seed, seed + 3) for case in experiments.any_labels(s)]
    formula = np.concatenate([X.T @ X @ q - X.T @ y for (X, _, _, q), y in free])
    slopes = np.concatenate([difference(X, y, q) for (X, _, _, q), y in free])
    yield exactly(formula, "==", slopes, what="formula and differences")


@claims.check("lemma-8-11", proof="proved on the page")
def optimiser_is_the_task(exact_prompts: Exact) -> Iterator[Verdict]:
    """The optimiser, by elimination in fractions, and the task."""
    found = [
        (experiments.solve(X.T @ X, X.T @ (X @ task)), task) for X, task, _, _ in exact_prompts
    ]
    solved = [(optimiser, task) for optimiser, task in found if optimiser is not None]
    left, right = (np.concatenate(side) for side in zip(*solved, strict=True))
    yield exactly(left, "==", right, what=f"optimiser and task, {len(solved)} prompts")


@claims.check("rank", proof="proved on the page")
def examples_do_not_span(n: int, seed: int) -> Iterator[Verdict]:
    """The error after 400 loops on prompts of rank 3, for three steps, and the task's part in the
    kernel."""
    rng = data.generator(seed, "rank")
    flat = np.stack([data.with_spectrum(rng, max(n, 5), [0, 0, 1.0, 2, 3]) for _ in range(20)])
    tasks = data.sphere(rng, 20, 5)
    kernel = svd(flat)[2][:, 3:]  # (20, 2, 5)
    unseen = ((kernel @ tasks[..., None])[..., 0] ** 2).sum(1)
    net = LoopedTransformer.gradient_descent(flat.shape[1], 5)
    labels = (flat @ tasks[..., None])[..., 0]
    for step in (0.5, 1.0, 1.9):
        found = net(prompt(flat, labels, -2.0), [step / 3.0] * 400)
        yield identity(
            (found * tasks).sum(1) + 2.0,
            2.0 * unseen,
            tolerance=1e-12,
            what=f"error after 400 loops, rank 3 of 5, η = {step}/L",
        )


@claims.experiment
def rounding_table(exact_loops: int, seed: int) -> pd.DataFrame:
    """Errors of one layer and of several loops, and their bounds (`experiments.rounding_table`)."""
    return experiments.rounding_table(seed, exact_loops, [np.float64, np.float32])


@claims.check("rounding", proof="proved on the page")
def rounding(rounding_table: pd.DataFrame, exact_loops: int) -> Iterator[Verdict]:
    """Errors over their bounds."""
    yield inequality(rounding_table.layer_of_bound, 1.0, what="one layer, error over bound")
    yield inequality(
        rounding_table.loop_of_bound, 1.0, what=f"{exact_loops} loops, error over bound"
    )


@claims.check("lemma-8-15", proof="proved on the page")
def read_out(exact_prompts: Exact) -> Iterator[Verdict]:
    """Squares of both sides in fractions, for any start and steps."""
    left, right = [], []
    for X, task, alpha, q in exact_prompts:
        found, descended = experiments.loop_and_descent(X, task, alpha, q, UNEQUAL)
        off = descended / alpha - task
        left.append((found @ task - alpha) ** 2)
        right.append(alpha * alpha * (off @ off))
    yield exactly(left, "<=", right, what="squares of both sides")


@claims.experiment
def directions(search_starts: int, d: int, seed: int) -> verdicts.Starts:
    """Examples X and directions v from which attacks on the quadratic form start."""
    return verdicts.starts({"X": (d + 1, d), "v": (d,)}, random=search_starts, seed=seed)


def stretched(x: search.Instance) -> tuple[Tensor, Tensor]:
    """‖XᵀXv‖ and L ‖v‖."""
    return (x["X"].T @ (x["X"] @ x["v"])).norm(), search.spectrum(x["X"])[1] * x["v"].norm()


def quadratic(x: search.Instance) -> tuple[Tensor, Tensor]:
    """λ_min ‖v‖² and vᵀXᵀXv."""
    return search.spectrum(x["X"])[0] * x["v"].square().sum(), (x["X"] @ x["v"]).square().sum()


def every_direction(
    sides: Callable[[search.Instance], tuple[Tensor, Tensor]], starts: verdicts.Starts, steps: int
) -> Verdict:
    """An attack over examples and directions."""
    return attack(sides, starts, steps=steps, what="all directions")


def attained(found: NDArray[Any], wanted: NDArray[Any]) -> Verdict:
    """Both sides along an eigenvector."""
    return identity(found, wanted, tolerance=1e-10, what="attained by an eigenvector")


def smallest_attained(x: Drawn) -> Verdict:
    """vᵀXᵀXv along the eigenvector of the smallest eigenvalue, and that eigenvalue."""
    along = np.einsum("kij,kj->ki", x.X[:FEW], x.v[:FEW, :, 0])
    return attained((along**2).sum(1), x.lam[:FEW, 0])


@claims.check("lemma-8-20")
def smoothness(
    directions: verdicts.Starts, gaussian_prompts: Drawn, search_steps: int
) -> Iterator[Verdict]:
    """How far XᵀX stretches any direction, and the eigenvector of the largest eigenvalue."""
    yield every_direction(stretched, directions, search_steps)
    x = gaussian_prompts
    gram = x.X[:FEW].swapaxes(1, 2) @ x.X[:FEW]
    top = np.einsum("kij,kj->ki", gram, x.v[:FEW, :, -1])
    yield attained(np.linalg.norm(top, axis=1), x.L[:FEW])


@claims.check("lemma-8-21")
def lower_bound(
    directions: verdicts.Starts, gaussian_prompts: Drawn, search_steps: int
) -> Iterator[Verdict]:
    """The quadratic form in any direction, and along the eigenvector of the smallest eigenvalue."""
    yield every_direction(quadratic, directions, search_steps)
    yield smallest_attained(gaussian_prompts)


@claims.check("lemma-8-22", proof="proved on the page")
def strong_convexity(exact_prompts: Exact, gaussian_prompts: Drawn) -> Iterator[Verdict]:
    """The two sides of convexity in fractions, and the constant along an eigenvector."""
    left, right = [], []
    g = Fraction(1, 3)
    for X, task, _, q in exact_prompts:
        y, off = X @ task, X @ (q - task)
        mixed = loss(X, y, g * q + (1 - g) * task)
        left.append(g * loss(X, y, q) + (1 - g) * loss(X, y, task) - mixed)
        right.append(g * (1 - g) / 2 * (off @ off))
    yield exactly(left, "==", right, what="convexity, less γ(1-γ)/2 ‖X(a-b)‖²")
    yield smallest_attained(gaussian_prompts)
