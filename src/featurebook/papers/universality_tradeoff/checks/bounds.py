"""The checks of the printed bounds on the risk of a probe, and of what they say of more tasks."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy
from numpy.typing import NDArray
from scipy.stats import norm

from featurebook.core.spectra import pinv
from featurebook.papers.universality_tradeoff import adversaries, linear, probes, risks
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Verdict, proved
from featurebook.verdicts.comparisons import exactly, identity, inequality, search

F = Fraction
GUESS = np.sqrt(2 / np.pi) * (1 - np.exp(-0.5)) + 2 * norm.sf(1)
"""E min(1, |y|), the risk of predicting zero with ‖u‖ = 1."""
STARS = (1000, 20000, 10000)
"""T, q and m for a label in one shared feature at which the printed bound says something."""
FEW_LABELS = (13, 20, 30, 40)
"""Labels at which a bound says something for one shared feature among 40 private ones."""
T_, S_, Q_, V1_, V2_ = sympy.symbols("T s q v₁ v₂", positive=True)
M_, C_ = sympy.symbols("m C", positive=True)
PRINTED = 4 * (sympy.sqrt(2) + C_) / sympy.sqrt(M_) + 8 * sympy.sqrt(2 * sympy.log(80) / M_)
"""The bound of Lemma F.5 for T = s = q = 1, v_1 = v_2 = 1/2, δ = 1/20."""
BOTH_WORSE = "least risk of any predictor, and the bound as m → ∞"


@claims.experiment
def worst_probes(
    tasks: list[int], s: int, q: int, m: int, reps: int, seed: int
) -> dict[str, NDArray[np.float64]]:
    """Least exact predictors and worst minimisers for v_1 = v_2, all from one generator.

    "least norm" is (tasks,); "worst", "twice R_m" and "printed" are those of
    `risks.worst_against_bounds` with 5 and m labels; "stars" is the largest risk at `STARS`.
    """
    rng = np.random.default_rng([seed, 2])
    least = []
    for T in tasks:
        u = np.hstack([probes.unit_blocks(1, n, 0.5, rng) for n in (s, q)])[0]
        least.append(np.linalg.norm(pinv(linear.diagonal(s, q, T)[:, : s + q]).T @ u))
    worst = risks.worst_against_bounds(tasks, s, q, (5, m), reps, rng)
    stars = probes.one_shared(*STARS, reps, rng).max()
    return {"least norm": np.array(least), **worst, "stars": stars}


@claims.check("radius", proof="proved on the page")
def least_exact_predictor(
    worst_probes: dict[str, NDArray[np.float64]], tasks: list[int]
) -> Iterator[Verdict]:
    """The norm of a least exact predictor, by a pseudoinverse, against the formula."""
    radius = linear.radius(0.5, 0.5, 1, 1 / np.array(tasks))
    yield identity(worst_probes["least norm"], radius, tolerance=1e-12)


@claims.check(
    "lemma-f-5",
    undecided=(
        "two readings", "false as printed, true for a loss in [0, 1] that is 0 at the label"
    ),
)  # fmt: skip
def bound_as_printed() -> Iterator[Verdict]:
    """The least risk under a loss that is 1 at the label, and the limit of the bound."""
    yield exactly(
        1,
        "<=",
        sympy.limit(PRINTED, M_, sympy.oo),
        what=BOTH_WORSE,
        instance={
            "ℓ_c": "1 + |ŷ - y|", "T": 1, "s = q": 1, "v_1 = v_2": "1/2", "δ": "1/20", "O": "C",
        },
    )  # fmt: skip


@claims.check("lemma-f-5-corrected", proof="proved on the page")
def bound_on_the_worst_minimiser(
    worst_probes: dict[str, NDArray[np.float64]],
) -> Iterator[Verdict]:
    """The risk of the worst minimiser against the bound, also where the bound says something."""
    T, q, m = STARS
    below = 4 * np.sqrt(linear.leading_squared(T, 1, q, 1, 0) / m) + linear.deviation_term(m, 0.05)
    bound = np.r_[worst_probes["printed"], below]
    yield inequality(
        np.r_[worst_probes["worst"], worst_probes["stars"]],
        bound,
        informative=bound < GUESS,
        what="worst risk, bound",
    )


@claims.check(
    "bounds",
    undecided=(
        "two readings", "false as printed, empty for a loss in [0, 1] that is 0 at the label"
    ),
)  # fmt: skip
def bound_after_one_task() -> Iterator[Verdict]:
    """The limit of the bound under a loss that is 1 at the label, and its size under another."""
    yield exactly(1, "<=", sympy.limit(PRINTED.subs(C_, 0), M_, sympy.oo), what=BOTH_WORSE)
    powers = 10 ** np.arange(7)
    sizes, labelled = (x.ravel() for x in np.meshgrid(powers, powers))
    alone = 4 * np.sqrt(sizes / labelled) + linear.deviation_term(labelled, 0.05)
    yield inequality(
        np.where(labelled >= sizes, 0, GUESS),  # what is known
        alone,
        informative=(alone < GUESS) & (labelled < sizes),
        what="r and m from 1 to a million",
    )


@claims.check("sharp-bound")
def no_order_term(tasks: list[int], s: int, q: int) -> Iterator[Verdict]:
    """E‖X‖ against its root mean square, from above and from below."""
    norms = [linear.mean_norm([1, 1 / T], [s, q]) for T in tasks]
    roots = np.sqrt(s + q / np.array(tasks))  # √μ
    yield proved(inequality(norms, roots, what="E‖X‖ and its root mean square"))
    share = [linear.mean_norm([1, 1 / T], [10, 10]) / np.sqrt(10 + 10 / T) for T in range(1, 17)]
    yield inequality(0.97, share, what="share for s = q = 10, T = 1 to 16")


@claims.check("twice-rademacher", proof="proved on the page")
def half_of_the_first_term(
    worst_probes: dict[str, NDArray[np.float64]], tasks: list[int], s: int, q: int, reps: int,
    evaluations: int, seed: int,
) -> Iterator[Verdict]:  # fmt: skip
    """The risk of the worst minimiser against 2 R_m, at fixed sizes and at those of a search."""
    told = np.array([
        risks.worst_sides(np.array([40, 1, 40, 1, (n - 1) / 39]), reps, seed) for n in FEW_LABELS
    ])  # fmt: skip
    smaller = np.r_[worst_probes["worst"], told[:, 0]]
    larger = np.r_[worst_probes["twice R_m"], told[:, 1]]
    says = larger < np.sqrt(2 / np.pi)
    yield inequality(smaller, larger, informative=says, what="fixed sizes")
    yield search(
        lambda x: risks.worst_sides(x, 20, seed),
        [(1, 64), (1, 10), (1, 40), (0, 1), (0, 1)],
        integrality=[False, True, True, False, False],
        starts=[[40, 1, 40, 1, 0.75], [tasks[-1], s, q, 0.5, 0.5]],
        evaluations=evaluations // 2,
        rounds=1,
        seed=seed,
        what="T, s, q, v_1, place of m",
    )


def variance(power: int) -> Verdict:
    """The variance of X = α^{power/2} Σ z_j, Σ of m terms, against that of √α Σ z_j."""
    alpha, count, sigma = sympy.symbols("α m σ", positive=True)
    found = alpha**power * count * sigma**2
    return exactly(
        found,
        "==",
        alpha * count * sigma**2,
        what="variance",
        instance={"X": f"sum of m independent terms of variance {found / count}"},
    )


@claims.check("proof-f-5", undecided=("our text", "perhaps a root lost in the scan"))
def variance_as_printed() -> Iterator[Verdict]:
    """The variance with the printed α."""
    yield variance(2)


@claims.check("proof-f-5-corrected")
def variance_with_a_root() -> Iterator[Verdict]:
    """The variance with √α."""
    yield variance(1)


@claims.check("prop-7-4", proof="proved on the page")
def one_task(s: int, q: int, s_small: int, m: int, reps: int, seed: int) -> Iterator[Verdict]:
    """The weights of one task, and the risk of probes on another."""
    single = linear.optimum(s_small, s_small, [1.0])
    yield identity(single, 1.0, tolerance=1e-6, what="weights for T = 1")
    rng = np.random.default_rng([seed, 3])
    far = [probes.outside_risks(s, q, 0.5, x, 0, reps, rng) for x in (m, 100)]
    yield inequality(0.5, np.concatenate(far), slack=1e-12, what="floor v_2")


@claims.check("prop-f-8")
def leading_term() -> Iterator[Verdict]:
    """The squared leading term for r = 2s."""
    found = linear.leading_squared(T_, S_, S_, V1_, V2_)
    stated = (V1_ + T_ * V2_) * 2 * S_ * (T_ + 1) / (2 * T_)
    yield exactly(found, "==", stated, what="squared leading term")


@claims.check("dominance", proof="proved on the page")
def stochastic_dominance(evaluations: int, seed: int) -> Iterator[Verdict]:
    """Both tails, at α, s, T and a place that a search chooses."""
    yield search(
        adversaries.dominance_sides,
        [(0.001, 0.999), (1, 20), (2, 20), (0.05, 4)],
        integrality=[False, True, False, False],
        evaluations=evaluations,
        seed=seed,
        floor=1e-7,
        what="tails",
    )
