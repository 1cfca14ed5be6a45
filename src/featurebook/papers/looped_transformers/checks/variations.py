"""The checks of what is left of the loop with another mask, a fixed step, or softmax attention."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook import verdicts
from featurebook.papers.looped_transformers import data, experiments, randmat, theory
from featurebook.papers.looped_transformers.attention import (
    LoopedTransformer,
    linear_attention,
    mask,
    prompt,
    softmax_attention,
)
from featurebook.papers.looped_transformers.checks import drawn
from featurebook.papers.looped_transformers.checks.drawn import Drawn
from featurebook.papers.looped_transformers.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, exponent, identity, probability

Numbers = NDArray[np.float64]

EXAMPLES = verdicts.rationals([[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0]])
"""The prompt on which masks are compared."""
COUNT = len(EXAMPLES)
NETWORK = LoopedTransformer.gradient_descent(COUNT, 2, object)
"""The construction for it, in fractions."""
SIZES = (16, 32, 64, 128)
"""Numbers of examples at which a fixed step is tried, d = 4."""
BETAS = (0.1, 0.05, 0.025, 0.0125)
"""Scales β of the scores of softmax attention."""
PROMPTS = 200
"""Gaussian prompts of the figures."""


@claims.experiment
def shown_prompts(n: int, d: int, seed: int) -> Drawn:
    """The Gaussian prompts of the figures."""
    return drawn.gaussian(data.generator(seed, "prompts"), PROMPTS, n, d)


def masked_prompt(seed: int, *stream: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """A random task of norm 1 in fractions, and Z^(0) with its labels."""
    task = data.rational_unit(data.generator(seed, "mask", *stream), 2)
    return task, prompt(EXAMPLES, EXAMPLES @ task, Fraction(1))


def no_later_row() -> Verdict:
    """The printed mask above its diagonal."""
    return exactly(np.triu(NETWORK.M, 1), "==", 0, what="no row looks at a later one")


@claims.check(
    "remark-8-8-mask", undecided=("two readings", "causal, but not the mask of generation")
)
def mask_of_generation(seed: int) -> Iterator[Verdict]:
    """Entries of both masks, one layer with that of generation, and the printed one's zeros."""
    task, Z = masked_prompt(seed)
    yield exactly(
        NETWORK.M.astype(int), "==", mask(COUNT, "causal", int), what="entries of both masks, n = 3"
    )
    yield exactly(
        linear_attention(Z, NETWORK.Q, NETWORK.P, mask(COUNT, "causal", object)),
        "==",
        experiments.one_layer(EXAMPLES, task, Fraction(1), 0 * task)[1],
        what="one layer with the mask of generation, and Lemma 8.13",
        instance={"X": EXAMPLES, "theta": task},
    )
    yield no_later_row()


@claims.check("remark-8-8-mask-corrected")
def no_further_ones(seed: int) -> Iterator[Verdict]:
    """The largest change of the answer, over five prompts, by each further one of the mask."""
    yield no_later_row()
    weights, changed = [Fraction(1, 8), Fraction(1, 4)], []
    prompts = [masked_prompt(seed)[1], *(masked_prompt(seed, k)[1] for k in range(4))]
    for i, j in experiments.switched_on(COUNT):
        M = NETWORK.M.copy()
        M[i, j] = 1
        other = LoopedTransformer(NETWORK.Q, NETWORK.P, M)
        changed.append(max(max(abs(other(Z, weights) - NETWORK(Z, weights))) for Z in prompts))
    yield exactly(changed, ">", 0, what="change of two loops by each further one")


@claims.experiment
def fixed_schedules() -> dict[str, list[Any]]:
    """Eight schedules of six steps, each on a prompt that is small for it, with κ = 1, d = 1.

    "error": relative errors of the answer, in fractions; "X": the examples (2, 1).
    """
    found: dict[str, list[Any]] = {"error": [], "X": []}
    net = LoopedTransformer.gradient_descent(2, 1, object)
    for eta in (Fraction(0), Fraction(1, 1000), Fraction(1, 7), Fraction(3)):
        for schedule in ([eta] * 6, [eta / (t + 1) for t in range(6)]):
            size = Fraction(1, int(np.ceil((12 * eta) ** 0.5)) or 1)  # η size² <= 1/12 for all six
            x = size * np.array([[Fraction(3, 5)], [Fraction(4, 5)]])  # XᵀX = size², κ = 1
            found["error"].append(abs(net(prompt(x, x[:, 0], 1), schedule)[0] - 1))
            found["X"].append(x)
    return found


@claims.experiment
def largest_eigenvalues(draws: int, seed: int) -> dict[int, Numbers]:
    """Largest eigenvalues of XᵀX, (draws,), by n; d = 4."""
    return {
        n: randmat.eigenvalues(data.generator(seed, "fixed", n), draws, n, 4)[:, -1] for n in SIZES
    }


@claims.check(
    "remark-8-8-distribution",
    undecided=("two readings", "η a weight: false; η = 1/L of each prompt: true"),
)
def one_network_for_all(fixed_schedules: dict[str, list[Any]]) -> Iterator[Verdict]:
    """Errors of fixed weights and a number above the bound."""
    yield exactly(
        fixed_schedules["error"],
        "<=",
        Fraction(2, 3) ** 6,  # > e^(-3)
        what="eight schedules, κ = 1, T = 6: error and (2/3)⁶",
        instance={"X": np.stack(fixed_schedules["X"])},
    )


@claims.check("remark-8-8-distribution-corrected")
def what_must_be_known(
    fixed_schedules: dict[str, list[Any]], largest_eigenvalues: dict[int, Numbers], draws: int
) -> Iterator[Verdict]:
    """Errors of fixed weights, and how often the Marchenko-Pastur step converges."""
    what = "eight schedules, each on its prompt; error and 1/2 > e⁻³"
    yield verdicts.proved(exactly(fixed_schedules["error"], ">=", Fraction(1, 2), what=what))
    for n, L in largest_eigenvalues.items():
        stays = int((theory.isotropic_step(n, 4) * L < 2).sum())
        yield probability(stays, draws, at_least=0.999, what=f"n = {n}: ηL < 2")


@claims.check("fixed-step")
def step_one_over_n(largest_eigenvalues: dict[int, Numbers], draws: int) -> Iterator[Verdict]:
    """How many prompts diverge with the step 1/n."""
    beyond = {n: int((L / n > 2).sum()) for n, L in largest_eigenvalues.items()}
    yield probability(beyond[16], draws, at_least=0.2, what="n = 16, ηL > 2")
    yield probability(beyond[128], draws, at_most=0.001, what="n = 128, ηL > 2")


@claims.check("fixed-step-mean", proof="proved on the page")
def no_safe_step() -> Iterator[Verdict]:
    """The mean square error in one dimension, loop by loop, in fractions."""
    mean = [theory.mean_square_left(16, Fraction(1, 25), t) for t in range(61)]
    turn = int(np.argmin([float(x) for x in mean]))
    above = next((t for t, x in enumerate(mean) if t > turn and x > 1), 0)
    rises = [mean[t] < mean[t + 1] for t in range(turn, 60)]
    yield everywhere(
        [*rises, above > 0],
        what=f"d = 1, in fractions: least {float(mean[turn]):.1e} at loop {turn}, "
        f"rising ever after, above 1 from loop {above}",
    )


@claims.check("softmax", proof="proved on the page")
def softmax_forgets(shown_prompts: Drawn, d: int) -> Iterator[Verdict]:
    """The answer to one example, and the example times the sum of steps."""
    X, y = shown_prompts.X[:, :1], shown_prompts.labels[:, :1]
    steps = [0.5, 0.25, 0.125]
    net = LoopedTransformer(np.eye(d + 1), np.diag([1.0] * d + [0.0]), mask(1), softmax_attention)
    yield identity(
        net(prompt(X, y, 1.5), steps),
        sum(steps) * X[:, 0],
        tolerance=1e-12,
        what="answer, and the sum of steps times x₁",
    )


@claims.check("softmax-mirrored")
def mirrored(n: int, d: int, n_seeds: int, seed: int) -> Iterator[Verdict]:
    """The exponent in β of the distance from gradient descent, one for each seed."""
    distances = []
    for s in range(seed, seed + n_seeds):
        x = drawn.gaussian(data.generator(s, "mirror"), 20, n, d)
        both, etas = prompt(*experiments.mirrored(x.X, x.labels), 1.0), [1 / x.L] * 10
        plain = LoopedTransformer.gradient_descent(n, d)(x.prompts(1.0), etas)
        soft = [experiments.mirrored_softmax(n, d, beta)(both, etas) for beta in BETAS]
        distances.append([np.abs(answer - plain).mean() for answer in soft])
    yield exponent(
        BETAS,
        distances,
        expected=(1.9, 2.1),
        rival={"first order": 1.0},
        what="exponent in β of the distance after 10 loops",
    )
