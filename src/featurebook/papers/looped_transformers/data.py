"""Prompts: Gaussian, with a given spectrum, and degenerate ones."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featurebook import core

Floats = NDArray[Any]


@dataclass(frozen=True)
class Case:
    """One prompt with everything that Theorem 8.14 leaves free.

    Attributes:
        X: examples (n, d); theta: hidden task (d,), of norm 1 up to rounding; alpha: query, not 0.
        q: start (d,); step: η times the largest eigenvalue of XᵀX (η itself where X = 0).
    """

    name: str
    X: Floats
    theta: Floats
    alpha: float
    q: Floats
    step: float


def generator(seed: int, *stream: int | str) -> np.random.Generator:
    """NumPy's generator for one seed and one named stream of it; see `core.generator`."""
    return np.random.default_rng(core.generator(seed, *stream).initial_seed())


def sphere(rng: np.random.Generator, *shape: int) -> Floats:
    """Uniform on the unit sphere of the last axis (Definition 8.3)."""
    x = rng.standard_normal(shape)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def gaussian(rng: np.random.Generator, draws: int, n: int, d: int) -> tuple[Floats, Floats]:
    """Prompts X (draws, n, d) with independent standard normal entries, and tasks (draws, d)."""
    return rng.standard_normal((draws, n, d)), sphere(rng, draws, d)


def with_spectrum(rng: np.random.Generator, n: int, eigenvalues: ArrayLike) -> Floats:
    """An X (n, d) such that XᵀX has these eigenvalues, in random directions; n >= d.

    Raises:
        ValueError: for fewer examples than eigenvalues, or a negative one.
    """
    lam = np.asarray(eigenvalues, dtype=float)
    d = len(lam)
    if n < d or (lam < 0).any():
        raise ValueError(f"n = {n} examples for eigenvalues {list(lam)}: need n >= d, all >= 0")
    left = np.linalg.qr(rng.standard_normal((n, d)))[0]
    right = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return left * np.sqrt(lam) @ right.T


def cases(seed: int) -> list[Case]:
    """Prompts on which an identity could fail: random, degenerate, badly scaled, divergent."""
    rng = generator(seed, "cases")
    normal = rng.standard_normal
    row, column = normal((1, 3)), normal((6, 1))
    spectrum = np.geomspace(1e-12, 1.0, 3)
    made: dict[str, tuple[Floats, float, float]] = {
        "Gaussian": (normal((8, 3)), 1.5, 1.0),
        "negative query": (normal((8, 3)), -2.0, 1.0),
        "tiny query": (normal((8, 3)), 1e-8, 1.0),
        "n < d": (normal((2, 4)), 1.0, 1.0),
        "n = d": (normal((3, 3)), 1.0, 1.0),
        "n = d + 1": (normal((4, 3)), 1.0, 1.0),
        "one example": (normal((1, 4)), -0.5, 1.0),
        "rank one": (column @ row, 1.0, 1.0),
        "equal rows": (np.repeat(row, 5, axis=0), 1.0, 1.0),
        "opposite rows": (np.concatenate([normal((1, 3)) * [[1], [-1]]] * 2), 1.0, 1.0),
        "zero": (np.zeros((4, 3)), 1.0, 1.0),
        "κ = 1": (with_spectrum(rng, 6, [1.0] * 3), 1.0, 1.0),
        "κ = 10¹²": (with_spectrum(rng, 6, spectrum), 1.0, 1.0),
        "entries near 10⁻¹²": (1e-12 * normal((6, 3)), 1.0, 1.0),
        "entries near 10¹²": (1e12 * normal((6, 3)), 1.0, 1.0),
        "small step": (normal((8, 3)), 1.0, 0.01),
        "best step": (normal((8, 3)), 1.0, 1.6),
        "divergent step": (normal((8, 3)), -1.0, 3.0),
    }
    found = []
    for k, (name, (X, alpha, step)) in enumerate(made.items()):
        d = X.shape[1]
        q = normal((d,)) if k % 2 else np.zeros(d)
        found.append(Case(name, X, sphere(rng, d), alpha, q, step))
    return found


def exact(x: Any) -> NDArray[Any]:
    """Floats as the fractions that they are: an array of `Fraction`, nothing rounded."""
    x = np.asarray(x)
    return np.array([Fraction(float(v)) for v in x.ravel()], dtype=object).reshape(x.shape)


def small_fractions(rng: np.random.Generator, *shape: int) -> NDArray[Any]:
    """Fractions p/q with -6 <= p <= 6 and 1 <= q <= 4, for exact arithmetic."""
    p, q = rng.integers(-6, 7, shape), rng.integers(1, 5, shape)
    flat = [Fraction(int(a), int(b)) for a, b in zip(p.ravel(), q.ravel(), strict=True)]
    return np.array(flat, dtype=object).reshape(shape)


def rational_unit(rng: np.random.Generator, d: int) -> NDArray[Any]:
    """A fraction vector of norm exactly 1: a random reflection of the first basis vector."""
    w = small_fractions(rng, d)
    w[-1] = w[-1] if any(w) else Fraction(1)
    first = np.array([Fraction(int(i == 0)) for i in range(d)], dtype=object)
    return first - 2 * w[0] / (w @ w) * w
