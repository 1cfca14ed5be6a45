"""The checks of rates: of gradient descent, of which steps, of the best schedule, and of noise."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from featurebook import verdicts
from featurebook.core.spectra import eigh
from featurebook.papers.looped_transformers import data, randmat, search, theory
from featurebook.papers.looped_transformers.attention import LoopedTransformer, prompt
from featurebook.papers.looped_transformers.checks.drawn import Drawn
from featurebook.papers.looped_transformers.checks.registry import claims
from featurebook.papers.looped_transformers.checks.theorem import Exact
from featurebook.verdicts import Verdict, comparisons
from featurebook.verdicts.comparisons import attack, everywhere, exactly, identity, inequality

Numbers = NDArray[np.float64]

UNIT = np.array([[Fraction(3, 5)], [Fraction(4, 5)]])
"""Examples with n = 2, d = 1 and XᵀX = 1."""
LOOPED = 500
"""Loops after which noisy labels are compared with least squares."""


def rate_attacks(
    power: int, longest: bool, starts: int, steps: int, d: int, seed: int
) -> Iterator[Verdict]:
    """Attacks on ‖θ^(t) - θ*‖² <= (1 - ημ)^(power t) ‖θ^(0) - θ*‖² after five steps."""
    prompts = partial(search.any_step, T=5, power=power, longest=longest)
    stepped = search.with_step(seed, starts, d + 1, d)
    yield attack(prompts, stepped, into=search.into_prompt, steps=steps, what="prompts")
    others = partial(search.any_convex, T=5, power=power, mu=1.0, L=10.0, longest=longest)
    curved = search.convex(seed, starts, 3, 4)
    yield attack(others, curved, steps=steps, what="no quadratics")


@claims.check("lemma-8-23", proof="proved on the page")
def quoted_rate(search_starts: int, search_steps: int, d: int, seed: int) -> Iterator[Verdict]:
    """The quoted rate for steps up to 1/L, on prompts and on functions that are not quadratic."""
    yield from rate_attacks(1, False, search_starts, search_steps, d, seed)


@claims.check("general-rate", proof="proved on the page")
def without_the_square(
    search_starts: int, search_steps: int, d: int, seed: int
) -> Iterator[Verdict]:
    """Our rate for steps up to 2/(L + μ), on the same."""
    yield from rate_attacks(2, True, search_starts, search_steps, d, seed)


@claims.check("fact-8-24", proof="proved on the page")
def power_below_exponential() -> Iterator[Verdict]:
    """Both sides for m up to a million."""
    m, T = np.unique(np.geomspace(1, 1e6, 60).round())[:, None], np.array([1, 2, 10, 1000])
    yield inequality((1 - 1 / m) ** T, np.exp(-T / m), slack=1e-12, what="m up to a million")


@claims.check("theorem-8-25", proof="proved on the page")
def linear_convergence(starts: verdicts.Starts, search_steps: int) -> Iterator[Verdict]:
    """Attacks on the squared error of the parameters."""
    for T in (1, 5, 20):
        yield attack(
            partial(search.parameter_theorem, T=T),
            starts,
            into=search.into_prompt,
            steps=search_steps,
            what=f"T = {T}",
        )


@claims.check("theorem-8-1", proof="proved on the page")
def main_result(gaussian_prompts: Drawn, n: int, d: int) -> Iterator[Verdict]:
    """The transformer's error after 20 loops, and the bound."""
    x, part = gaussian_prompts, slice(0, 300)
    net = LoopedTransformer.gradient_descent(n, d)
    found = net(prompt(x.X[part], x.labels[part], -0.7), [1 / x.L[part]] * 20)
    error = np.abs((found * x.theta[part]).sum(1) + 0.7) / 0.7
    bound = theory.printed_bound(20, x.kappa[part])
    yield inequality(error, bound, what="transformer, 20 loops")


@claims.check("theorem-8-16-any-step", undecided=("two readings", "any η: false; η = 1/L: true"))
def any_step() -> Iterator[Verdict]:
    """Errors with a long and a short step, and a number above the bound."""
    net = LoopedTransformer.gradient_descent(2, 1, object)
    steps = (Fraction(3), Fraction(1, 10))
    yield exactly(
        [abs(net(prompt(UNIT, UNIT[:, 0], 1), [eta] * 10)[0] - 1) for eta in steps],
        "<=",
        Fraction(2, 3) ** 10,  # above the bound: e^(-1/2) < 2/3
        what="κ = 1, T = 10, η = 3 and 1/10; error and (2/3)¹⁰",
        instance={"X": UNIT},
    )


def worst_factor(step: float, kappa: float) -> float:
    """The largest |1 - ηλ| at the ends of the spectrum; the step is ηL."""
    return max(abs(1 - step / kappa), abs(1 - step))


@claims.check("theorem-8-16-steps", proof="proved on the page")
def allowed_steps() -> Iterator[Verdict]:
    """The worst factor of a loop over the bound, for steps inside of the range and outside."""
    inside, outside = [], []
    for kappa in np.geomspace(1, 1e6, 50):
        low, high = theory.allowed_steps(kappa)
        bound = theory.printed_bound(1, kappa)
        inside.append([worst_factor(s, kappa) / bound for s in np.linspace(low, high, 20)])
        beyond = (low * (1 - 1e-6), high * (1 + 1e-6))
        outside.append([worst_factor(s, kappa) > bound for s in beyond])
    yield inequality(inside, 1.0, slack=1e-12, what="steps inside, factor over bound")
    yield everywhere(outside, what="steps a millionth outside fail")


@claims.check("more-loops", proof="proved on the page")
def more_loops(exact_prompts: Exact) -> Iterator[Verdict]:
    """The error before and after each of four loops, in fractions, with a step a little
    below 1/L."""
    before: list[Any] = []
    after: list[Any] = []
    for X, task, alpha, _ in exact_prompts:
        if any(X.ravel()):
            net = LoopedTransformer.gradient_descent(len(X), len(task), object)
            largest = float(eigh((X.T @ X).astype(float))[0].max())
            step = 1 / Fraction(math.ceil(1000 * largest * 1.001), 1000)
            states = net.states(prompt(X, X @ task, alpha), [step] * 4)
            left = [1 + (Z[-1, :-1] @ task) / alpha for Z in states]  # relative, with its sign
            before += left
            after += [*left[1:], 0]
    yield exactly(after, "<=", before, what="0 ≤ error(T+1) ≤ error(T), T < 4")


@claims.check("mean-error", proof="proved on the page")
def average_task(gaussian_prompts: Drawn, d: int, seed: int) -> Iterator[Verdict]:
    """The mean error over a basis of tasks and the formula, and the formula and its bound."""
    x = gaussian_prompts
    basis = np.linalg.qr(data.generator(seed, "basis").standard_normal((d, d)))[0]
    weights = np.einsum("kij,il->kjl", x.v, basis) ** 2  # (prompts, eigenvector, task)
    each = [
        np.abs(theory.prediction_error(x.lam, weights[:, :, k], [1 / x.L] * 7)) for k in range(d)
    ]
    formula = ((1 - x.lam / x.L[:, None]) ** 7).mean(1)
    mean = np.mean(each, axis=0)
    yield identity(mean, formula, tolerance=1e-12, what="mean over a basis of tasks")
    bound = (1 - 1 / d) * theory.sharp_bound(7, x.kappa)
    yield inequality(formula, bound, slack=1e-12, what="T = 7")


def guaranteed(steps: Sequence[float], low: float = 1.0, high: float = 9.0) -> float:
    """The largest |Π(1 - ηλ)| over the spectrum."""
    return float(np.abs(theory.left_over(np.linspace(low, high, 401), list(steps))).max())


@claims.check("best-step", proof="proved on the page")
def best_step() -> Iterator[Verdict]:
    """The best constant step and its factor by a search, and the formulas."""
    found, wanted = [], []
    for kappa in (1.5, 9.0, 100.0):
        best = minimize_scalar(
            lambda s, kappa=kappa: guaranteed([s], high=kappa),
            bounds=(0.01 / kappa, 4 / kappa),
            method="bounded",
            options={"xatol": 1e-9 / kappa},
        )
        found.append([best.x * kappa, best.fun])
        wanted.append([2 * kappa / (1 + kappa), theory.best_step_bound(1, kappa)])
    yield identity(
        found, wanted, tolerance=1e-6, each=True, what="step over 1/L and factor, κ = 1.5, 9, 100"
    )


@claims.check("chebyshev", proof="proved on the page")
def chebyshev(n: int, search_steps: int, seed: int) -> Iterator[Verdict]:
    """The schedule's worst errors, all other schedules of three steps, and the simpler bound."""
    extremes = 5 + 4 * np.cos(np.pi * np.arange(4) / 3)  # where the polynomial of degree 3 is ±1
    X = data.with_spectrum(data.generator(seed, "chebyshev"), n, extremes)
    tasks = eigh(X.T @ X)[1].T  # eigenvectors
    net = LoopedTransformer.gradient_descent(n, 4)
    Z = prompt(np.broadcast_to(X, (4, n, 4)).copy(), tasks @ X.T, 1.0)
    found = net(Z, list(theory.chebyshev_steps(3, 1.0, 9.0)))
    limit = theory.chebyshev_bound(3, 9.0)
    errors = np.abs((found * tasks).sum(1) - 1)
    yield identity(errors, limit, tolerance=1e-12, what="T = 3, κ = 9, worst tasks")
    yield comparisons.search(
        lambda x: (limit, guaranteed(x)),
        [(0.05, 1.2)] * 3,
        seed=seed,
        evaluations=40 * search_steps,
        what="all schedules of three",
    )
    sizes = [(T, k) for T in (1, 2, 5, 20) for k in (1.01, 2.0, 9.0, 1e4)]
    yield inequality(
        [theory.chebyshev_bound(T, k) for T, k in sizes],
        [2 * ((k**0.5 - 1) / (k**0.5 + 1)) ** T for T, k in sizes],
        slack=1e-12,
        what="1/C and 2((√κ - 1)/(√κ + 1))ᵀ",
    )


@claims.experiment
def noise_table(n: int, d: int, sigma: float, draws: int, seed: int) -> pd.DataFrame:
    """Root mean square of the noise in the prediction: formula, and 99.9% interval of ours."""
    rows = {}
    for count in sorted({max(n, d + 6), 4 * n}):
        W = randmat.wishart(data.generator(seed, "noise", count), draws, count, d)
        g = data.generator(seed, "label noise", count).standard_normal((draws, d, 1))
        noise = np.linalg.solve(W, sigma * (np.linalg.cholesky(W) @ g))[..., 0]
        # By symmetry the task may be taken as the first basis vector.
        interval = verdicts.mean_interval(noise[:, 0] ** 2, 0.999)
        rows[f"n = {count}"] = [theory.noise_limit(sigma, count, d), *(x**0.5 for x in interval)]
    return pd.DataFrame(rows, index=["formula", "measured", "low", "high"]).T


@claims.check("noise", proof="proved on the page")
def noise(
    noise_table: pd.DataFrame, gaussian_prompts: Drawn, n: int, d: int, seed: int
) -> Iterator[Verdict]:
    """The formula and our interval, and the loop's limit and least squares."""
    covers = noise_table.formula.between(noise_table.low, noise_table.high)
    yield everywhere(covers, what="99.9% interval covers the formula")
    x = gaussian_prompts
    easy = np.argsort(x.kappa)[:20]  # prompts on which a few hundred loops are enough
    labels = data.generator(seed, "noisy").standard_normal((20, n))
    net = LoopedTransformer.gradient_descent(n, d)
    looped = net(prompt(x.X[easy], labels, 2.0), [1 / x.L[easy]] * LOOPED)
    squares = [2 * np.linalg.lstsq(X, y)[0] for X, y in zip(x.X[easy], labels, strict=True)]
    yield identity(looped, squares, tolerance=1e-9, what=f"{LOOPED} loops and lstsq")
