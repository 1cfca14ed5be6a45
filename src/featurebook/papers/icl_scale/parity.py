"""Sparse parity, where the size of a model is its number m of attention heads.

A head is a weight a and a matrix V = Gᵀ W G; the dictionary G is the identity without loss of
generality. In the limit of long prompts a head sees 2γ (V_i + V_j) φ_q for the task (i, j), so we
write networks as a list of `Head`s with B = 2γ V. Thesis, Section 5.5, Appendix D.3.
"""

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from featurebook.core.spectra import pinv

Array = NDArray[np.float64]


def digits(d: int) -> Array:
    """2 digit(bin(p-1), h) - 1 for h = 1..ν (from the right) and p = 1..d = 2^ν: (ν, d)."""
    nu = d.bit_length() - 1
    if d != 2**nu or nu < 1:
        raise ValueError(f"d = {d}: must be a power of two, at least 2")
    p = np.arange(d)
    return np.array([2 * ((p >> h) & 1) - 1 for h in range(nu)], dtype=float)


def printed(d: int, k: int | None = None) -> tuple[Array, Array]:
    """g_2* of Theorem 5.5.1, or g_1* for k: weights a (m,) and diagonals of B = 2γ V*, (m, d).

    The heads of g_1* are {1..ν_1, ν_2+1} and their opposites, the positive ones with scale ν_1/2.
    """
    codes = digits(d)
    nu = len(codes) if k is None else k.bit_length() - 1
    if k is not None and (k != 2**nu or not 1 <= nu <= len(codes)):
        raise ValueError(f"k = {k}: must be a power of two between 2 and d = {d}")
    half = np.concatenate([codes[:nu] / 2, np.full((1, d), -nu / 2)])
    a = np.append(-np.ones(nu), 1.0)
    return np.tile(a, 2), np.concatenate([half, -half])


def pairs(d: int) -> NDArray[np.int64]:
    """The unordered tasks i < j, (d (d-1)/2, 2), counted from 0."""
    return np.array(list(combinations(range(d), 2)))


def important(d: int, k: int) -> NDArray[np.bool_]:
    """Which of `pairs` belong to S_1: both entries below k."""
    return pairs(d)[:, 1] < k


def margins(a: Array, b: Array, tasks: NDArray[np.int64] | None = None) -> Array:
    """y g for each task and the signs (φ_i, φ_j) = (1,1), (1,-1), (-1,1), (-1,-1): (tasks, 4).

    For diagonal heads ``b`` (m, d) and long prompts; entries of φ outside the task do not matter.
    """
    t = pairs(b.shape[1]) if tasks is None else tasks
    signs = np.array(list(product([1, -1], repeat=2)))
    before = b[:, t[:, 0], None] * signs[:, 0] + b[:, t[:, 1], None] * signs[:, 1]
    return np.einsum("m,mts->ts", a, np.maximum(before, 0)) * signs.prod(1)


def chances(gamma: float) -> Array:
    """Probabilities of the four signs of (φ_i, φ_j), in the order of `margins`."""
    return np.array([0.25 + gamma, 0.25, 0.25, 0.25 - gamma])


def losses(a: Array, b: Array, k: int, gamma: float) -> tuple[float, float]:
    """Mean hinge loss on S_1 and on S_2 for long prompts."""
    hinge = np.maximum(0, 1 - margins(a, b)) @ chances(gamma)
    mine = important(b.shape[1], k)
    return float(hinge[mine].mean()), float(hinge[~mine].mean()) if (~mine).any() else 0.0


def hamming(d: int, digits_counted: int) -> NDArray[np.int64]:
    """Hamming distance of the last ``digits_counted`` binary digits of i-1 and j-1, per task."""
    t = pairs(d)
    different = (t[:, 0] ^ t[:, 1]) & (2**digits_counted - 1)
    return np.array([int(x).bit_count() for x in different])


def loss_on_s2(d: int, k: int) -> float:
    """Hinge loss of g_1* on S_2: the share of its tasks that agree in the last ν_1 digits."""
    return d * (d / k - 1) / (d * (d - 1) - k * (k - 1)) if k < d else 0.0


def norm(b: Array, gamma: float) -> float:
    """Σ ‖W‖² of diagonal heads with B = 2γ V."""
    return float((b**2).sum()) / (4 * gamma**2)


def threshold(d: int, gamma: float) -> float:
    """The upper end of p_T in Theorem 5.5.1."""
    few, many = 0.25 - gamma, d * (d - 1) / 2 * (0.25 + gamma)
    return few / (many + few)


def draw_features(
    i: NDArray[np.int64],
    j: NDArray[np.int64],
    shape: tuple[int, ...],
    d: int,
    gamma: float,
    rng: np.random.Generator,
) -> Array:
    """φ for the tasks (i, j), each (n,): (n, *shape, d), uniform outside the task."""
    phi: Array = np.asarray(2 * rng.integers(0, 2, size=(len(i), *shape, d)) - 1, dtype=np.float64)
    kind = rng.choice(4, p=chances(gamma), size=(len(i), *shape))
    row = np.arange(len(i))
    for entry, signs in ((i, [1, 1, -1, -1]), (j, [1, -1, 1, -1])):
        moved = np.moveaxis(phi, -1, 1)  # (n, d, ...), a view
        moved[row, entry] = np.array(signs)[kind]
    return phi


def draw_tasks(d: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Ordered tasks (i, j), i != j, uniform over the first d indices: (count, 2)."""
    i = rng.integers(0, d, count)
    j = rng.integers(0, d - 1, count)
    return np.stack([i, j + (j >= i)], 1)


def effective_input(
    tasks: NDArray[np.int64], M: int, d: int, gamma: float, flip: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """η = (Φᵀ y / M) ⊙ φ_q for prompts of M examples, and φ_q; both (n, d).

    A diagonal head sees diag(V) · η. The first round(flip M) labels are negated.
    """
    i, j = tasks.T
    phi = draw_features(i, j, (M,), d, gamma, rng)
    row = np.arange(len(tasks))
    y = phi[row, :, i] * phi[row, :, j]
    y[:, : round(flip * M)] *= -1
    query = draw_features(i, j, (), d, gamma, rng)
    return np.einsum("nm,nmd->nd", y, phi) / M * query, query


def output(a: Array, b: Array, eta: Array, gamma: float) -> Array:
    """g = Σ a relu(diag(V) · η) with V = B/(2γ), for η (n, d)."""
    return np.maximum(eta @ b.T / (2 * gamma), 0) @ a


def accuracy(y: Array, g: Array) -> Array:
    """1 where the sign is right, ½ where the output is exactly 0."""
    return (1 + np.sign(y * g)) / 2


def projector(b: Array) -> Array:
    """The orthogonal projection onto the span of the columns diag(V), (d, d).

    The printed Z (ZᵀZ)⁻¹ Zᵀ does not exist here, since heads come in opposite pairs.
    """
    return b.T @ pinv(b.T)


def epsilon_bound(nu: int, M: int, gamma: float, delta: float) -> float:
    """(2ν/γ) sqrt(2 log(8/δ) / M), ours: exceeds |ε| with probability at least 1 - δ."""
    return 2 * nu / gamma * float(np.sqrt(2 * np.log(8 / delta) / M))


def epsilon(
    a: Array, b: Array, tasks: NDArray[np.int64], M: int, gamma: float, rng: np.random.Generator
) -> Array:
    """ε = g - h for prompts of the tasks, see `coupled`."""
    eta, shifted, _ = coupled(tasks, M, b.shape[1], gamma, rng)
    return output(a, b, eta, gamma) - output(a, b, shifted, gamma)


def coupled(
    tasks: NDArray[np.int64], M: int, d: int, gamma: float, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """η of a prompt, 2γ φ̂_q + Ξ, and φ_q: (n, d) each.

    As in the proof, Ξ is the prompt's own noise off the task; on the task it is drawn afresh.
    """
    row = np.arange(len(tasks))
    eta, query = effective_input(tasks, M, d, gamma, 0.0, rng)
    shifted = eta.copy()
    for entry in tasks.T:
        fresh = rng.integers(0, 2, size=(len(tasks), M)).mean(1) * 2 - 1
        shifted[row, entry] = 2 * gamma * query[row, entry] + fresh
    return eta, shifted, query


def error_below(
    nu: int, M: int, gamma: float, count: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """(ν/4γ)(|Δ_i + Δ_j| - |Δ_i - Δ_j|) and |ε| of g_1* at d = 2k, k = 2^ν, task (1, k): (n,) each.

    The codes of 1 and k differ in all digits of g_1*. A lower bound on |ε| at y = 1 in prompts so
    long that positive heads do not change sides; the prompts where they do, and those with y = -1,
    are left out.
    """
    k, d = 2**nu, 2 * 2**nu
    a, b = printed(d, k)
    tasks = np.tile([0, k - 1], (count, 1))
    eta, shifted, query = coupled(tasks, M, d, gamma, rng)
    change = (eta - shifted)[:, [0, k - 1]]
    bound = nu / (4 * gamma) * (abs(change.sum(1)) - abs(change[:, 0] - change[:, 1]))
    error = np.abs(output(a, b, eta, gamma) - output(a, b, shifted, gamma))
    kept = (query[:, 0] * query[:, k - 1] > 0) & (eta.sum(1) * shifted.sum(1) > 0)
    return bound[kept], error[kept]


def patterns_covered(signs: Sequence[int], a: int) -> int:
    """How many sign patterns (φ_i, φ_j) a head covers in the thesis's sense (Appendix D.3.1).

    For each pair the head covers the pattern with its own two signs, if their product is a.
    """
    return sum(int(x * y == a) for x, y in combinations(signs, 2))


def scale_facts(nu: int, net: tuple[Array, Array] | None = None) -> dict[str, bool]:
    """The four facts from which the thesis concludes that the scales are optimal, for d = 2^ν.

    Of g_2*, or of another ``net`` with as many features.

    By enumeration of all pairs and signs: positive heads are silent at y = -1; each negative head
    has a pattern that it alone covers; at y = 1 at most ν - 1 negative heads are active, and once
    exactly so; each positive head has a pattern of its own.
    """
    a, b = net or printed(2**nu)
    t = pairs(2**nu)
    signs = np.array(list(product([1, -1], repeat=2)))
    on = b[:, t[:, 0], None] * signs[:, 0] + b[:, t[:, 1], None] * signs[:, 1] > 0  # (m, pairs, 4)
    odd, negative = signs.prod(1) < 0, a < 0
    active = on[negative][:, :, ~odd].sum(0)  # negative heads at y = 1
    alone = on[negative][:, :, odd] & (on[negative][:, :, odd].sum(0) == 1)
    own = on[~negative][:, :, ~odd] & (on[~negative][:, :, ~odd].sum(0) == 1)
    return {
        "positive heads silent at y = -1": not on[~negative][:, :, odd].any(),
        "each negative head needed": bool(alone.any((1, 2)).all()),
        "at most ν - 1 cancel, once exactly": int(active.max()) == nu - 1,
        "each positive head needed": bool(own.any((1, 2)).all()),
    }


def flipped_accuracy(
    nets: Sequence[tuple[Array, Array]],
    k: int,
    M: int,
    gamma: float,
    flip: float,
    draws: int,
    rng: np.random.Generator,
) -> list[float]:
    """Accuracies of several networks on the same prompts of important tasks, labels flipped."""
    d = nets[0][1].shape[1]
    tasks = draw_tasks(k, draws, rng)
    eta, query = effective_input(tasks, M, d, gamma, flip, rng)
    row = np.arange(draws)
    y = query[row, tasks[:, 0]] * query[row, tasks[:, 1]]
    return [float(accuracy(y, output(a, b, eta, gamma)).mean()) for a, b in nets]


def error_runs(
    levels: Sequence[int],
    lengths: Sequence[int],
    runs: int,
    count: int,
    gamma: float,
    rng: np.random.Generator,
) -> Array:
    """`epsilon` of the printed g_1* at d = 2k, k = 2^ν, on tasks of S_1: (runs, n, count).

    For every ν of ``levels`` and M of ``lengths``, one of them of length 1.
    """
    cases = [(2**nu, M) for nu in levels for M in lengths]
    return np.array(
        [
            [
                epsilon(*printed(2 * k, k), draw_tasks(k, count, rng), M, gamma, rng)
                for k, M in cases
            ]
            for _ in range(runs)
        ]
    )


def off_task_dependence(gamma: float) -> float:
    """Largest |P(Ξ off the task, labels) - P(Ξ) P(labels)| for d = 4, the task (1, 3), M = 2.

    By enumeration of the prompt; Ξ is the mean of y φ over the prompt at the entries 2 and 4.
    """
    phi = np.array(list(product([1, -1], repeat=4)))
    y = phi[:, 0] * phi[:, 2]
    one = (0.25 + gamma * (phi[:, 0] + phi[:, 2]) / 2) / 4
    joint: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    for a, b in product(range(16), repeat=2):
        noise = tuple(int(v) for v in y[a] * phi[a, [1, 3]] + y[b] * phi[b, [1, 3]])
        key = (noise, (int(y[a]), int(y[b])))
        joint[key] = joint.get(key, 0.0) + float(one[a] * one[b])
    of_noise, of_labels = ({k[e]: 0.0 for k in joint} for e in (0, 1))
    for (noise, labels), p in joint.items():
        of_noise[noise] += p
        of_labels[labels] += p
    return max(abs(joint.get((n, t), 0.0) - of_noise[n] * of_labels[t])
               for n in of_noise for t in of_labels)  # fmt: skip
