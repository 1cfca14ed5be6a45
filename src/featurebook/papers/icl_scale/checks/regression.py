"""The checks of the chapter on regression: the model, its loss, and what the loss depends on."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import sympy

from featurebook.papers.icl_scale import facts, quadrature
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.checks.registry import ROUNDING, claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality

HALF, THIRD = sympy.Rational(1, 2), sympy.Rational(1, 3)
PLANE = np.array([2.3, 0.7])
"""Eigenvalues for exact means in two dimensions."""
WHOLE = [4, 1]
"""Eigenvalues for exact numbers."""
LAST_ROW = [HALF, -1, 1]
"""The last row of a W^PV with all blocks, u = 1."""
KEY_QUERY = [[1, -HALF, 0], [0, 1, 0], [THIRD, 2, 0]]
"""A W^KQ with all blocks."""
SCALES = (1, -2, 7)
"""Factors c of the same network written as cU and u/c."""


def exact_loss(last_row: Sequence[Any], key_query: Sequence[Sequence[Any]]) -> sympy.Expr:
    """The loss for N = 1 and Λ = diag(4, 1) in exact numbers."""
    value = [[0, 0, 0], [0, 0, 0], last_row]
    return quadrature.exact_full_risk(value, key_query, WHOLE) / 2


def exact_loss_without_blocks(c: int) -> sympy.Expr:
    """The same at (cU, u/c), U of `KEY_QUERY` and u = 1, with both blocks at zero."""
    scaled = [[c * entry for entry in row] for row in KEY_QUERY[:2]]
    return exact_loss([0, 0, sympy.Rational(1, c)], [*scaled, [0, 0, 0]])


@claims.check("eq-5-2")
def prediction(d: int, N: int, instances: int, seed: int) -> Iterator[Verdict]:
    """The entry of the whole matrix over both formulas, for random blocks."""
    rng = np.random.default_rng([seed, 1])
    sides = [
        facts.predictions(d, N, instances, rng),
        facts.reduced_predictions(d, N, instances, rng),
    ]
    ratios = np.concatenate([whole / formula for whole, formula in sides])
    yield identity(ratios, 1.0, tolerance=1e-9, what="entry of (5.1) over (5.2)")


@claims.check("lemma-5-1")
def loss(seed: int) -> Iterator[Verdict]:
    """Exact mean losses over the formula."""
    ratios = facts.loss_ratios(np.random.default_rng([seed, 2]))
    yield identity(ratios, 1.0, tolerance=ROUNDING, what="exact loss over formula")


@claims.check("only-uu", proof="proved on the page")
def product_alone_counts() -> Iterator[Verdict]:
    """Losses of the same network written in several ways."""
    first, *others = [exact_loss_without_blocks(c) for c in SCALES]
    yield exactly(others, "==", first, what="(cU, u/c), N = 1")
    U = np.array([[0.3, -1.1], [0.4, 0.2]])
    same = [quadrature.full_risk(*reg.blocks(c * U, 1 / c), PLANE, 2) / 2 for c in SCALES]
    yield identity(same, same[0], tolerance=ROUNDING, what="(cU, u/c), N = 2")


@claims.check("only-uu-corrected", proof="proved on the page")
def free_blocks_count(seed: int) -> Iterator[Verdict]:
    """Two networks with the same U and u; the loss of the odd part against the whole loss."""
    yield exactly(
        exact_loss(LAST_ROW, KEY_QUERY),
        "!=",
        exact_loss_without_blocks(1),
        what="same U and u, other blocks",
        instance={
            "last row of W^PV": LAST_ROW, "W^KQ": KEY_QUERY, "eigenvalues": WHOLE, "N": 1,
        },
    )  # fmt: skip
    whole, odd = [], []
    for W_pv, W_kq, lam, n in facts.blocks_cases(np.random.default_rng([seed, 3])):
        whole.append(quadrature.full_risk(W_pv, W_kq, lam, n) / 2)
        odd.append(reg.loss(facts.odd_part(W_pv, W_kq), 1.0, lam, n) + reg.constant(lam))
    yield inequality(odd, whole, what="loss of the odd part")


def losses_at_u_one() -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
    """For N = 1: the exact loss of a network with u = 1, its printed formula, and the constant."""
    D, U = sympy.diag(*WHOLE), sympy.Matrix([[HALF, 1], [-THIRD, 2]])
    Gamma = 2 * D + D.trace() * sympy.eye(2)
    printed = (Gamma * D * U * D * U.T / 2 - D**2 * U.T).trace()
    exact = exact_loss([0, 0, 1], sympy.diag(U, 0).tolist())
    return exact, printed, D.trace() / 2


@claims.check("constant")
def without_the_constant() -> Iterator[Verdict]:
    """The exact loss and the printed formula."""
    exact, printed, _ = losses_at_u_one()
    yield exactly(exact, "==", printed, what="loss, N = 1, d = 2")


@claims.check("constant-corrected")
def with_the_constant() -> Iterator[Verdict]:
    """The exact loss and the formula with half the trace."""
    exact, printed, constant = losses_at_u_one()
    yield exactly(exact, "==", printed + constant, what="loss")
