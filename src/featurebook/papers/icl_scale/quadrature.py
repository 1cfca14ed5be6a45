"""Exact means over prompts: products of Gauss-Hermite rules.

A squared prediction error has degree at most 4 in each coordinate of an example and 2 in each of
the query, the noise and the task (6 in the query with all blocks). Three points integrate degree 5
exactly, four degree 7, so nothing is estimated. Where a certificate is wanted, `exact_mean` takes
the mean of a polynomial of normals in exact numbers.
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from featurebook.papers.icl_scale.regression import Array


def gaussians(count: int, points: int = 3) -> tuple[Array, Array]:
    """Nodes (points^count, count) and weights (points^count,) for ``count`` standard normals."""
    x, w = np.polynomial.hermite_e.hermegauss(points)
    nodes = np.stack(np.meshgrid(*[x] * count, indexing="ij"), -1).reshape(-1, count)
    weights = np.array([1.0])
    for _ in range(count):
        weights = np.outer(weights, w / w.sum()).ravel()
    return nodes, weights


def moments(
    lam: Array,
    M: int,
    *,
    w: Array | None = None,
    sigma: float = 0.0,
    signs: NDArray[np.float64] | None = None,
) -> tuple[Array, Array, Array, Array]:
    """Prompts in the eigenbasis: tasks (P, d), tokens (P, M, d), labels (P, M), weights (P,).

    Args:
        w: the task, fixed; drawn from N(0, I) if None.
        sigma: standard deviation of the label noise.
        signs: factors (M,) on the labels, for flips.
    """
    d = len(lam)
    noisy = M if sigma else 0
    free = 0 if w is not None else d
    nodes, weights = gaussians(M * d + noisy + free)
    x = nodes[:, : M * d].reshape(-1, M, d) * np.sqrt(lam)
    task = nodes[:, M * d + noisy :] if w is None else np.broadcast_to(w, (len(nodes), d))
    y = np.einsum("pmd,pd->pm", x, task)
    if sigma:
        y = y + sigma * nodes[:, M * d : M * d + noisy]
    return task, x, y if signs is None else y * signs, weights


def risk(
    U: Array,
    lam: Array,
    M: int,
    *,
    w: Array | None = None,
    sigma: float = 0.0,
    signs: NDArray[np.float64] | None = None,
) -> float:
    """E (bᵀ U x_q - <w, x_q>)² over prompts of M examples, b = Σ y_i x_i / M."""
    task, x, y, weights = moments(lam, M, w=w, sigma=sigma, signs=signs)
    b = np.einsum("pm,pmd->pd", y, x) / M
    return float(weights @ ((b @ U - task) ** 2 * lam).sum(1))


def flipped_risk(U: Array, lam: Array, M: int, w: Array, sigma: float, p: float) -> float:
    """The same with each label flipped independently with probability p: all 2^M patterns."""
    total = 0.0
    for pattern in product([1.0, -1.0], repeat=M):
        flips = pattern.count(-1.0)
        chance = p**flips * (1 - p) ** (M - flips)
        total += chance * risk(U, lam, M, w=w, sigma=sigma, signs=np.array(pattern))
    return total


def full_risk(W_pv: Array, W_kq: Array, lam: Array, N: int) -> float:
    """E (ŷ_q - <w, x_q>)² of (5.2) with all blocks, over tasks and prompts of N examples."""
    d = len(lam)
    task, x, y, weights = moments(lam, N)
    nodes, w_q = gaussians(d, points=4)
    left, right = W_pv[d], W_kq[:, :d]  # (w_21ᵀ, w_22) and (W_11; w_21ᵀ)
    tokens = np.concatenate([x, y[..., None]], -1)  # (P, N, d+1)
    base = np.einsum("pna,pnb->pab", tokens, tokens) / N
    total = 0.0
    for x_q, chance in zip(nodes * np.sqrt(lam), w_q, strict=True):
        column = np.append(x_q, 0.0)
        moved = right @ x_q
        predicted = (base @ moved) @ left + (left @ column) * (column @ moved) / N
        total += float(chance * (weights @ (predicted - task @ x_q) ** 2))
    return total


def exact_mean(expression: sympy.Expr, normals: Sequence[sympy.Symbol]) -> sympy.Expr:
    """The mean of a polynomial in independent standard normals, exactly.

    E z^(2k) = 1·3·…·(2k - 1), and odd powers have mean 0.
    """
    total = sympy.Integer(0)
    for powers, coefficient in sympy.Poly(expression, *normals).terms():
        if all(p % 2 == 0 for p in powers):
            total += coefficient * prod(sympy.factorial2(p - 1) for p in powers)
    return total


def exact_full_risk(W_pv: Sequence[Any], W_kq: Sequence[Any], lam: Sequence[Any]) -> sympy.Expr:
    """`full_risk` for prompts of one example, exact for rational blocks and eigenvalues."""
    d = len(lam)
    x, x_q, w = (sympy.symbols(f"{name}:{d}") for name in ("x", "q", "w"))
    roots = [sympy.sqrt(sympy.Rational(v)) for v in lam]
    token = sympy.Matrix([r * z for r, z in zip(roots, x, strict=True)])
    query, task = sympy.Matrix([r * z for r, z in zip(roots, x_q, strict=True)]), sympy.Matrix(w)
    zero = sympy.zeros(1, 1)
    E = sympy.Matrix([token, task.T * token]).row_join(sympy.Matrix([query, zero]))
    predicted = (sympy.Matrix(W_pv) * E * (E.T * sympy.Matrix(W_kq) * E))[d, 1]
    error = sympy.expand(predicted - (task.T * query)[0])
    return exact_mean(error**2, [*x, *x_q, *w])


def exact_risk(
    v: Sequence[Any], lam: Sequence[Any], M: int, w: Sequence[Any], sigma: Any = 0
) -> sympy.Expr:
    """`risk` of U = diag(v) for a fixed task and noise σ, exact for rational numbers."""
    d = len(lam)
    roots = [sympy.sqrt(sympy.Rational(value)) for value in lam]
    z = [sympy.symbols(f"z{m}_:{d + 1}") for m in range(M)]
    x = [[r * s for r, s in zip(roots, row[:d], strict=True)] for row in z]
    y = [sum(a * b for a, b in zip(w, t, strict=True)) + sigma * z[m][d] for m, t in enumerate(x)]
    seen = [sum(y[m] * x[m][a] for m in range(M)) / sympy.Integer(M) for a in range(d)]
    error = sum(lam[a] * (seen[a] * v[a] - w[a]) ** 2 for a in range(d))
    return exact_mean(sympy.expand(error), [s for row in z for s in row])
