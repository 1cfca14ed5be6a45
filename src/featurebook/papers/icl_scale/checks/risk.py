"""The checks of the chapter on regression, continued: the risk of noisy prompts, and two ranks."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import sympy

from featurebook import verdicts
from featurebook.papers.icl_scale import facts, noise, quadrature
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.checks.registry import ROUNDING, claims
from featurebook.papers.icl_scale.checks.regression import HALF, PLANE, THIRD
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, exponent, identity, inequality

LONG = np.geomspace(1e5, 1e8, 7).astype(int)
"""Pretraining lengths N at which approximations are judged."""
CONFIDENCE = 0.9999
"""Of the intervals of simulated risks."""


@claims.check("lemma-d-2", undecided=("our text", "the lemma's second line has the outer product"))
def fourth_moment_with_a_scalar() -> Iterator[Verdict]:
    """The moment in exact numbers, and the printed formula with wᵀw read as a number."""
    z = sympy.symbols("z:3")
    tokens, label = [2 * z[0], z[1]], 2 * z[0] - 3 * z[1] + z[2]  # w = (1, -3), σ = 1
    exact = [[quadrature.exact_mean(label**2 * s * t, z) for t in tokens] for s in tokens]
    printed = [[(1 + 13) * s + 2 * 10 * s * s if s == t else 0 for t in (4, 1)] for s in (4, 1)]
    yield exactly(exact, "==", printed, what="Λ = diag(4, 1), w = (1, -3)")


@claims.check("lemma-d-2-corrected")
def fourth_moment() -> Iterator[Verdict]:
    """Moment and covariance by quadrature, and the formula with the outer product."""
    w, Lam = np.array([1.1, -0.6]), np.diag(PLANE)
    nodes, weights = quadrature.gaussians(3)
    x = nodes[:, :2] * np.sqrt(PLANE)
    y = x @ w + 0.8 * nodes[:, 2]
    moment, mean = np.einsum("p,p,pa,pb->ab", weights, y**2, x, x), (weights * y) @ x
    outer = reg.second_moment(w, Lam, 0.8)
    yield identity(
        [moment, moment - np.outer(mean, mean)],
        [outer, outer - np.outer(Lam @ w, Lam @ w)],
        tolerance=ROUNDING,
        what="moment and covariance",
    )


@dataclass(frozen=True)
class Risks:
    """Risks of the optimal models against the formula of Theorem 5.4.2.

    Attributes:
        ratios: exact risks in the plane over the formula.
        simulated: one row per setting and rank: formula, mean, and ends of its interval.
    """

    ratios: Array
    simulated: pd.DataFrame


@claims.experiment
def risks(
    eigenvalues: Array, d: int, N: int, M: int, sigma: float, ranks: list[int],
    draws: int, seed: int,
) -> Risks:  # fmt: skip
    """Exact risks in the plane, and simulated ones; all ranks see the same prompts."""
    rng, lam = np.random.default_rng([seed, 10]), eigenvalues
    ratios, w = facts.risk_ratios(rng, N), rng.normal(size=d)
    cells = [(m, n, s) for m in (max(M // 4, 1), M) for n in (N, 50 * N) for s in (0.0, 2 * sigma)]
    rows = []
    for m, n, s in cells:
        models = [reg.optimum(lam, n, r) for r in ranks]
        errors = facts.squared_errors(w, lam, models, m, s, draws // len(cells), rng)
        for r, v, e in zip(ranks, models, errors, strict=True):
            _, low, high = verdicts.mean_interval(e, CONFIDENCE)
            rows.append((r, n, m, s, reg.risk(w, lam, v, m, s), e.mean(), low, high))
    columns = ["r", "N", "M", "σ", "formula", "simulated", "low", "high"]
    return Risks(ratios, pd.DataFrame(rows, columns=columns))


@claims.check("theorem-5-4-2")
def risk_of_rank_r(risks: Risks) -> Iterator[Verdict]:
    """Exact risks over the formula, and intervals of simulated ones."""
    yield identity(risks.ratios, 1.0, tolerance=ROUNDING, what="exact risk over formula")
    table = risks.simulated
    inside = (table.low <= table.formula) & (table.formula <= table.high)
    yield everywhere(inside, what="99.99% interval of the mean covers it")


@claims.experiment
def simulated_by_rank(eigenvalues: Array, N: int, M: int, draws: int, seed: int) -> list[float]:
    """Mean risk over tasks of the optimal models of rank 0..d at σ = 1, simulated."""
    rng, lam = np.random.default_rng([seed, 11]), eigenvalues
    w, b = noise.contexts(lam, M, 1.0, 0, draws // 4, rng)
    models = [reg.optimum(lam, N, r) for r in range(len(lam) + 1)]
    return [float(((b * v - w) ** 2 @ lam).mean()) for v in models]


def terms_in_exact_numbers() -> dict[str, sympy.Expr]:
    """For λ = (4, 1), s = (½, ⅓), M = 2 and V* of rank 2 for N = 1, without noise.

    "itself" and "query": term II over σ² with the token against itself, and against the query;
    "trace" over M; "risk", and "squares" and "cubes": the formula with D² and with D³.
    """
    M, lam, s = 2, sympy.Matrix([4, 1]), sympy.Matrix([HALF, THIRD])
    v = sympy.Matrix([sympy.Rational(1, 13), sympy.Rational(1, 7)])
    z = sympy.symbols("z:6")
    x = [[2 * z[0], z[1]], [2 * z[2], z[3]]]
    trace = sum(v[i] ** 2 * lam[i] ** 2 for i in (0, 1))
    energy = sum(s[i] ** 2 * lam[i] for i in (0, 1))
    rest = energy * trace / M + sum(s[i] ** 2 * lam[i] * (lam[i] * v[i] - 1) ** 2 for i in (0, 1))
    found = {"trace": trace / M, "risk": quadrature.exact_risk(list(v), list(lam), M, list(s))}
    for name, power in (("squares", 2), ("cubes", 3)):
        found[name] = sum(s[i] ** 2 * v[i] ** 2 * lam[i] ** power for i in (0, 1)) / M + rest
    for name, against in (("itself", x), ("query", [[2 * z[4], z[5]]] * M)):
        pairs = zip(x, against, strict=True)
        total = sum(a * b * c for p, q in pairs for a, b, c in zip(p, v, q, strict=True))
        found[name] = quadrature.exact_mean(total**2, z) / M**2
    return found


@claims.check("proof-lines", undecided=("our text", "perhaps damage of the scan"))
def two_lines_of_the_proof() -> Iterator[Verdict]:
    """Term II as printed, and the risk with the printed norm."""
    terms = terms_in_exact_numbers()
    yield exactly(
        [terms["itself"], terms["risk"]],
        "==",
        [terms["trace"], terms["squares"]],
        what="term II over σ²; risk, λ = (4, 1), M = 2",
    )


@claims.check("proof-lines-corrected")
def what_both_lines_should_say() -> Iterator[Verdict]:
    """Term II with the query, and the risk with D³."""
    terms = terms_in_exact_numbers()
    yield exactly(
        [terms["query"], terms["risk"]], "==", [terms["trace"], terms["cubes"]], what="the same"
    )


@claims.check("implication-5-4-2")
def long_pretraining_prompts(
    eigenvalues: Array, d: int, M: int, sigma: float, instances: int, seed: int
) -> Iterator[Verdict]:
    """The exponent in N of the approximation's relative error, for random tasks and ranks."""
    rng, lam, errors = np.random.default_rng([seed, 12]), eigenvalues, []
    for _ in range(max(instances // 5, 8)):
        w, r = rng.normal(size=d), int(rng.integers(1, d + 1))
        exact = [reg.risk(w, lam, reg.optimum(lam, int(n), r), M, sigma) for n in LONG]
        errors.append(np.abs(reg.risk_implied(w, lam, r, M, sigma) / np.array(exact) - 1))
    yield falls_like_one_over_n(errors)


def falls_like_one_over_n(errors: list[Array]) -> Verdict:
    """The exponent of relative errors at `LONG`."""
    return exponent(
        LONG,
        np.array(errors),
        expected=(-1.05, -0.95),
        rival=[-2, -0.5],
        what="exponent in N of the relative error",
    )


@claims.check("implication-m")
def also_needs_short_prompts() -> Iterator[Verdict]:
    """The approximation over the exact risk at M = 10⁴."""
    lam, w = reg.spectrum("1/i", 8), np.array([1, -0.7, 0, 0, 0, 0, 0, 0])
    exact = reg.risk(w, lam, reg.optimum(lam, 1000, 2), 10**4, 0.0)
    share = reg.risk_implied(w, lam, 2, 10**4, 0.0) / exact
    yield identity(share, 0.949, tolerance=5e-4, what="share at M = 10⁴")


@claims.check("monotone-terms", proof="proved on the page")
def tradeoff(seed: int) -> Iterator[Verdict]:
    """What is left of exact risks for long prompts, and what 1/M multiplies, for ranks 0, 1, 2."""
    rng = np.random.default_rng([seed, 13])
    terms = [
        facts.two_terms(PLANE, rng.normal(size=2), rng.uniform(0.1, 2), 10**9) for _ in range(8)
    ]
    left_over, bracket = np.moveaxis(np.array(terms), 1, 0)  # (8, 3) each
    yield inequality(1e-9, -np.diff(left_over), what="‖ξ‖² falls")
    yield inequality(left_over[:, -1], 1e-6, what="‖ξ‖² at r = d")
    yield inequality(1e-9, np.diff(bracket), what="the bracket grows")
