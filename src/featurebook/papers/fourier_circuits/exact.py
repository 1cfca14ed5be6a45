"""Instances and identities in whole numbers, fractions and polynomials."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from featurebook.papers.fourier_circuits import circuits

TWICE_COSINE = np.array([2, 1, -1, -2, -1, 1])
"""2 cos(πn/3) for n = 0..5."""

Whole = NDArray[Any]


def whole_circuit() -> tuple[Whole, Whole]:
    """Our circuit for k = 2, p = 3, twice its cosines: whole numbers U (6, 2, 3), W (6, 3)."""
    phases, _ = circuits.short(2)
    both = np.concatenate([phases, phases.sum(1, keepdims=True)], 1)
    both = TWICE_COSINE[(both[:, :, None] + 2 * np.arange(3)) % 6].astype(object)
    return both[:, :-1], both[:, -1]


def logits(U: Whole, W: Whole) -> Whole:
    """f at all inputs, (pᵏ, p), of whole or rational parameters U (m, k, p), W (m, p)."""
    m, k, p = U.shape
    rows = [[sum(U[i, j, a[j]] for j in range(k)) ** k for i in range(m)]
            for a in product(range(p), repeat=k)]  # fmt: skip
    return np.array(rows, dtype=object) @ W


def margins(U: Whole, W: Whole) -> tuple[list[Any], list[Any]]:
    """At every input: g, and (p - 1) times g' with uniform weights."""
    k, p = U.shape[1:]
    g, weighted = [], []
    for a, row in zip(product(range(p), repeat=k), logits(U, W), strict=True):
        wrong = [row[c] for c in range(p) if c != sum(a) % p]
        right = row[sum(a) % p]
        g.append(right - max(wrong))
        weighted.append((p - 1) * right - sum(wrong))
    return g, weighted


def normalized_margin_squared(U: Whole, W: Whole) -> Fraction:
    """(h/‖θ‖^{k+1})² of a network whose neurons all have the same norm."""
    k = U.shape[1]
    sizes = {sum(x * x for x in u.ravel()) + sum(x * x for x in w)
             for u, w in zip(U, W, strict=True)}  # fmt: skip
    if len(sizes) != 1:
        raise ValueError("the neurons have different norms")
    smallest = min(margins(U, W)[0])
    return Fraction(smallest**2) / (len(U) ** 2 * Fraction(sizes.pop()) ** (k + 1))


def whole_networks(seed: int, k: int, p: int, m: int = 4) -> list[tuple[Whole, Whole]]:
    """Random whole networks, and degenerate ones: zero, equal neurons, opposite, constant."""
    rng = np.random.default_rng(seed)
    U, W = rng.integers(-5, 6, (m, k, p)), rng.integers(-5, 6, (m, p))
    found = [(U, W), (0 * U, W), (U[[0] * m], W[[0] * m]), (U, 0 * W), (U * 10**6, W)]
    found += [(np.concatenate([U, U]), np.concatenate([W, -W])), (U[..., :1] + 0 * U, W)]
    return [(u.astype(object), w.astype(object)) for u, w in found]


def partial_term(u: Whole, w: Whole, powers: Sequence[int]) -> list[Fraction]:
    """E_a[Π_j u_j(a_j)^{e_j} w(Σ_j a_j - δ)] for δ = 0..p-1, exactly."""
    k, p = u.shape
    every = list(product(range(p), repeat=k))
    term = [prod(u[j][a[j]] ** powers[j] for j in range(k)) for a in every]
    sums = [sum(a) for a in every]
    return [
        Fraction(sum(t * w[(s - delta) % p] for t, s in zip(term, sums, strict=True)), p**k)
        for delta in range(p)
    ]


def sign_coefficients(k: int) -> tuple[list[int], list[int]]:
    """The coefficients of all monomials of degree k on both sides of Lemma C.16."""
    left, right = [], []
    for e in product(range(k + 1), repeat=k):
        if sum(e) != k:
            continue
        left.append(2**k * factorial(k) if set(e) == {1} else 0)
        signs = sum(
            (-1) ** ((k - sum(c)) // 2) * prod(x**y for x, y in zip(c, e, strict=True))
            for c in product((1, -1), repeat=k)
        )
        right.append(signs * factorial(k) // prod(factorial(y) for y in e))
    return left, right


def cosine_terms(angles: int) -> tuple[sp.Expr, int]:
    """(C.21) for a number of angles: both sides subtracted, and the terms of the expansion.

    Cosines and sines are free symbols; the cosine of the sum is the real part of Π(c_j + i s_j).
    """
    c, s = sp.symbols(f"c1:{angles + 1}"), sp.symbols(f"s1:{angles + 1}")
    whole = sp.expand(sp.prod([x + sp.I * y for x, y in zip(c, s, strict=True)]))
    real = sp.expand((whole + whole.subs(sp.I, -sp.I)) / 2)
    printed = sum(
        (-1) ** int(sum(b) % 4 == 2) * sp.prod([(x, y)[i] for x, y, i in zip(c, s, b, strict=True)])
        for b in product((0, 1), repeat=angles) if sum(b) % 2 == 0
    )  # fmt: skip
    return sp.expand(real - printed), len(sp.Add.make_args(real))


def neuron_sum(quarters: Sequence[Sequence[int]]) -> sp.Expr:
    """Σ (Σ_j cos(x_j + θ_j))ᵏ cos(x_{k+1} + θ_{k+1}) over neurons with phases in quarter turns.

    Of the angles x_j the cosines c_j and sines s_j are free symbols.
    """
    n = len(quarters[0])
    c, s = sp.symbols(f"c1:{n + 1}"), sp.symbols(f"s1:{n + 1}")
    waves = [[(x, -y, -x, y)[q % 4] for x, y, q in zip(c, s, row, strict=True)] for row in quarters]
    return sp.expand(sum(sum(row[:-1]) ** (n - 1) * row[-1] for row in waves))


def flat_network(p: int) -> tuple[Whole, Whole]:
    """k = 1: u_i = w_i = e_i - 1/p for i = 1..p, fractions (p, 1, p) and (p, p)."""
    rows = np.array([[Fraction(int(i == a)) - Fraction(1, p) for a in range(p)] for i in range(p)])
    return rows[:, None], rows


def even_family(k: int) -> list[tuple[int, ...]]:
    """{-1_A : A a set of an even number of coordinates}: 2^{k-1} members of S."""
    return [tuple(-x for x in b) for b in product((0, 1), repeat=k) if sum(b) % 2 == 0]


def forced(k: int) -> set[tuple[int, ...]]:
    """Differences d with Σ_i α_i^{k+1} e^{id·θ_i} = 0 in a max-margin network: ±(n - 1), n in S."""
    rows = [tuple(int(x) - 1 for x in n) for n in circuits.exponents(k)]
    rows = [d for d in rows if any(d)]
    return {*rows, *(tuple(-x for x in d) for d in rows)}


def all_differences_forced(family: Sequence[tuple[int, ...]], k: int) -> bool:
    """Whether all differences of different members are `forced`."""
    allowed = forced(k)
    return all(
        tuple(x - y for x, y in zip(a, b, strict=True)) in allowed
        for a in family for b in family if a != b
    )  # fmt: skip


def collisions(k: int, p: int, zeta: int) -> int:
    """Pairs n ≠ n' in S with ζn = ζn' modulo p."""
    images = [tuple(int(x) * zeta % p for x in n) for n in circuits.exponents(k)]
    return len(images) - len(set(images))
