"""The runs behind the chapters: exactness, rounding, Figure 8.1, masks, steps, softmax."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook.papers.looped_transformers import data, randmat, rounding, theory
from featurebook.papers.looped_transformers.attention import (
    LoopedTransformer,
    descend,
    linear_attention,
    prompt,
    read,
    softmax_attention,
)

Floats = NDArray[Any]

SMALL = ((3, 2), (2, 3), (1, 1), (1, 3), (4, 3), (2, 2))
"""Sizes (n, d) of exact checks; also with fewer examples than dimensions."""


# Exactness


def exact_prompts(seed: int) -> Iterable[tuple[Floats, Floats, Fraction, Floats]]:
    """X, θ*, α, q^(0) in fractions: small sizes, and degenerate ones of size (4, 3)."""
    rng = data.generator(seed, "exact")
    shapes = [data.small_fractions(rng, *size) for size in SMALL]
    rows = data.small_fractions(rng, 4, 3)
    opposite = np.concatenate([rows[:2], -rows[:2]])
    equal = np.concatenate([rows[:1]] * 4)
    parallel = rows[:, :1] * rows[:1]
    for X in (*shapes, opposite, equal, parallel, 0 * rows):
        d = X.shape[1]
        alpha = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 5))) * (-1) ** d
        yield X, data.rational_unit(rng, d), alpha, data.small_fractions(rng, d)


def any_labels(seed: int) -> list[tuple[tuple[Floats, Floats, Fraction, Floats], Floats]]:
    """Each of `exact_prompts` twice: with the labels Xθ* and with labels that no task gives."""
    rng = data.generator(seed, "labels")
    cases = list(exact_prompts(seed))
    free = [data.small_fractions(rng, len(case[0])) for case in cases]
    plain = [(case, case[0] @ case[1]) for case in cases]
    return plain + list(zip(cases, free, strict=True))


def one_layer(
    X: Floats, theta: Floats, alpha: Any, q: Floats, y: Floats | None = None
) -> tuple[Floats, Floats]:
    """Attn(Z^(0)) of the construction, and the matrix that Lemma 8.13 says it is.

    Args:
        y: labels; by default Xθ.
    """
    (n, d), y = X.shape, X @ theta if y is None else y
    net = LoopedTransformer.gradient_descent(n, d, X.dtype)
    right = np.zeros((n + 1, d + 1), dtype=X.dtype)
    right[n, :d] = (X @ q + alpha * y) @ X
    return linear_attention(prompt(X, y, alpha, q), net.Q, net.P, net.M), right


def loop_and_descent(
    X: Floats,
    theta: Floats,
    alpha: Any,
    q: Floats,
    etas: Sequence[Any],
    y: Floats | None = None,
) -> tuple[Floats, Floats]:
    """TF(Z^(0)), and αθ^(T) of gradient descent from θ^(0) = -q^(0)/α (Theorem 8.14).

    Args:
        y: labels; by default Xθ.
    """
    (n, d), y = X.shape, X @ theta if y is None else y
    net = LoopedTransformer.gradient_descent(n, d, X.dtype)
    last = list(descend(X, y, etas, -q / alpha))[-1]
    return net(prompt(X, y, alpha, q), etas), alpha * last


def one_loop(X: Floats, tasks: Sequence[Floats]) -> tuple[Floats, list[Any]]:
    """One loop with η = 1/‖y‖² on tasks with the same labels: q/α, and the squared errors.

    The error of a task is (⟨q, θ*⟩ - α)²/α².

    Raises:
        ValueError: if the tasks can be distinguished by their labels.
    """
    (n, d), y = X.shape, X @ tasks[0]
    if any((X @ task != y).any() for task in tasks):
        raise ValueError("the tasks give different labels")
    net = LoopedTransformer.gradient_descent(n, d, X.dtype)
    answer = net(prompt(X, y, 1), [1 / (y @ y)])
    return answer, [(answer @ task - 1) ** 2 for task in tasks]


def solve(A: Floats, b: Floats) -> Floats | None:
    """x with Ax = b in fractions, by elimination; None if A (d, d) is singular."""
    d = len(b)
    rows = np.concatenate([A, b[:, None]], axis=1)
    for k in range(d):
        pivot = next((i for i in range(k, d) if rows[i, k] != 0), None)
        if pivot is None:
            return None
        rows[[k, pivot]] = rows[[pivot, k]]
        rows[k] = rows[k] / rows[k, k]
        for i in range(d):
            if i != k:
                rows[i] = rows[i] - rows[i, k] * rows[k]
    return rows[:, d]


# Rounding


def rounding_table(seed: int, T: int, dtypes: Sequence[Any]) -> pd.DataFrame:
    """Errors of one layer and of T loops on `data.cases`, and over their bounds.

    The exact values come from fractions: a float is one. Columns case, dtype, layer, loop (errors,
    relative to the largest exact entry), layer_of_bound, loop_of_bound.
    """
    rows = [_rounding(case, T, dtype) for case in data.cases(seed) for dtype in dtypes]
    return pd.DataFrame(rows)


def _rounding(case: data.Case, T: int, dtype: Any) -> dict[str, Any]:
    X, q, alpha = case.X.astype(dtype), case.q.astype(dtype), dtype(case.alpha)
    y = X @ case.theta.astype(dtype)
    L = float(theory.spectrum(case.X)[0][-1])
    eta = dtype(case.step / (L if L > 0 else 1.0))
    n, d = X.shape
    net = LoopedTransformer.gradient_descent(n, d, dtype)
    states = np.array([Z[-1, :-1] for Z in net.states(prompt(X, y, alpha, q), [eta] * T)])
    layer = linear_attention(prompt(X, y, alpha, q), net.Q, net.P, net.M)[-1, :-1]

    eX, ey, eq, ealpha = (data.exact(v) for v in (X, y, q, alpha))
    true_layer = (eX @ eq + ealpha * ey) @ eX
    steps = [Fraction(float(eta))] * T
    true = np.array([-ealpha * th for th in descend(eX, ey, steps, -eq / ealpha)])
    wide = (X.astype(float), y.astype(float), float(alpha))
    off_layer = np.abs((data.exact(layer) - true_layer).astype(float))
    off = np.linalg.norm((data.exact(states) - true).astype(float), axis=1)
    layer_bound = rounding.layer_bound(*wide, q.astype(float), dtype)
    loop_bound = rounding.loop_bound(*wide, states.astype(float), float(eta), dtype)
    return {
        "case": case.name,
        "dtype": np.dtype(dtype).name,
        "layer": _over(off_layer.max(), np.abs(true_layer.astype(float)).max()),
        "loop": _over(off[-1], np.abs(true.astype(float)).max()),
        "layer_of_bound": max(map(_over, off_layer, layer_bound)),
        "loop_of_bound": max(map(_over, off, loop_bound)),
    }


def _over(error: float, size: float) -> float:
    """error/size; 0 if both are zero, infinite if only the size is."""
    if size > 0:
        return float(error) / float(size)
    return 0.0 if error == 0 else np.inf


# Figure 8.1


def trial_curves(seed: int, n: int, d: int, trials: int, T: int) -> tuple[Floats, Floats, Floats]:
    """The experiment of Section 8.6 through the transformer itself, in float64.

    Returns:
        ln of the squared parameter error over its start, (trials, T + 1), as computed; the same
        from the spectrum, without rounding floor; κ (trials,).
    """
    X, theta = data.gaussian(data.generator(seed, "figure", n), trials, n, d)
    exact, kappa = randmat.curves(X, theta, T)
    lam = theory.spectrum(X)[0]
    y = (X @ theta[..., None])[..., 0]
    net = LoopedTransformer.gradient_descent(n, d)
    states = net.states(prompt(X, y, 1.0), [1 / lam[:, -1]] * T)
    left = np.stack([((-Z[:, -1, :d] - theta) ** 2).sum(-1) for Z in states], axis=1)
    with np.errstate(divide="ignore"):
        return np.log(left), exact, kappa


def log_mean(logs: Floats, axis: int = 0) -> Floats:
    """ln of the mean of exp(logs)."""
    top = logs.max(axis, keepdims=True)
    return np.asarray(np.log(np.exp(logs - top).mean(axis)) + top.squeeze(axis))


def crossings(
    rng: np.random.Generator, n: int, d: int, *, trials: int, repetitions: int, T: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """In which repetitions of the figure its mean curve rises above a line, at some t <= T.

    Returns:
        for the line -t/κ̄ at the average κ, and for the mean of the trials' own bounds exp(-t/κ).
    """
    draws = trials * repetitions
    lam = randmat.eigenvalues(rng, draws, n, d)
    logs = randmat.spectral_curves(lam, data.sphere(rng, draws, d) ** 2, T)
    kappa = (lam[:, -1] / lam[:, 0]).reshape(repetitions, trials)
    mean = log_mean(logs.reshape(repetitions, trials, T + 1), axis=1)
    t = np.arange(T + 1)
    at_average = -t / kappa.mean(1, keepdims=True)
    own = log_mean(-t / kappa[..., None], axis=1)
    return np.any(mean > at_average + 1e-9, axis=1), np.any(mean > own + 1e-9, axis=1)


def loops_to(logs: Floats, level: float) -> float:
    """The t at which a falling curve, one value per loop, reaches ``level``; linear between."""
    after = int(np.argmax(logs <= level))
    if logs[after] > level:
        return float("inf")
    if after == 0:
        return 0.0
    above, below = float(logs[after - 1]), float(logs[after])
    return after - (level - below) / (above - below)


def gaps(
    rng: np.random.Generator, n: int, d: int, draws: int, at: Sequence[int], level: float
) -> tuple[Floats, float]:
    """How far theory, exp(-t/κ̄), lags behind the mean logarithm of the squared error.

    Returns:
        the vertical gap in the logarithm at the loops ``at``, and how many loops more theory asks
        for to bring the squared error to ``level``.
    """
    lam = randmat.eigenvalues(rng, draws, n, d)
    last = max(60, *at)
    mean = randmat.spectral_curves(lam, data.sphere(rng, draws, d) ** 2, last).mean(0)
    average = float((lam[:, -1] / lam[:, 0]).mean())
    times = np.array(at)
    saved = -average * np.log(level) - loops_to(mean, float(np.log(level)))
    return -times / average - mean[times], float(saved)


# Masks and softmax


def relative_error(answer: Floats, theta: Floats, alpha: float) -> Floats:
    """‖answer/α - θ*‖ for each prompt."""
    return np.asarray(np.linalg.norm(answer / alpha - theta, axis=-1))


def along_loops(net: LoopedTransformer, Z: Floats, etas: Sequence[Any], theta: Floats) -> Floats:
    """‖answer/α - θ*‖ after 0..T loops: (T + 1, prompts)."""
    alpha = float(Z[..., -1, -1].flat[0])
    with np.errstate(over="ignore", invalid="ignore"):
        return np.stack([relative_error(read(S), theta, alpha) for S in net.states(Z, etas)])


def switched_on(n: int) -> list[tuple[int, int]]:
    """The zeros of the printed mask that a causal mask in the wide sense could have as ones."""
    return [(i, j) for i in range(n) for j in range(i + 1)] + [(n, n)]


def mirrored(X: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Each example also with both signs turned: (..., 2n, d), (..., 2n)."""
    return np.concatenate([X, -X], axis=-2), np.concatenate([y, -y], axis=-1)


def mirrored_softmax(n: int, d: int, beta: float) -> LoopedTransformer:
    """Softmax attention that does gradient descent on n mirrored examples, up to O(β²).

    Σ_i x_i sinh(βs_i)/Σ_j cosh(βs_j) = (β/n) Σ_i s_i x_i + O(β³), so Q = βI, P = (n/β) diag(I, 0).
    """
    linear = LoopedTransformer.gradient_descent(2 * n, d)
    return LoopedTransformer(beta * linear.Q, n / beta * linear.P, linear.M, softmax_attention)
