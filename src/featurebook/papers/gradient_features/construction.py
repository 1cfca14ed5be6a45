"""The network of Lemma 3.14, built: ã on the neurons whose first step hit a feature (L5674).

A neuron that hits feature j has w^(1) = t b̃/B_ε·(‖G‖/B_G) D_j with t = c·g, g ~ N(0, 1), c the
hidden constant of σ_a. It is in Λ_j if |‖w^(1)‖β_j/b̃ - 1| <= ε_a, β_j = max(|b_j*|, B_ε), and gets
ã = a_j* β_j/(|Λ_j| b̃). Only those neurons matter, so that only they are drawn: their number is
binomial, their t a truncated normal. This is the law of the network of m neurons, for any m.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.special import ndtr, ndtri

from featurebook.papers.gradient_features import theory

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Teacher:
    """A teacher of one feature on finitely many values of u = ⟨D, x⟩.

    Attributes:
        a, b: second layer and biases, (r,).
        u, y, chance: values of ⟨D, x⟩, labels and probabilities, (N,).
        family: its constants.
        norm: ‖G‖ of a neuron that hits the feature.
    """

    a: Array
    b: Array
    u: Array
    y: Array
    chance: Array
    family: theory.Family
    norm: float

    def loss(self, output: Array) -> float:
        """Hinge loss of outputs (N,)."""
        return float(self.chance @ np.maximum(1 - self.y * output, 0))

    def output(self) -> Array:
        """g* at the values of u, (N,)."""
        return np.maximum(self.u[:, None] - self.b, 0) @ self.a


def one_line(bias: float = 1.0) -> Teacher:
    """x uniform on {½, 1, 3/2, 2}, y = 1, teacher σ(x - bias): where the bound says something.

    With b̃ = σ_w/100 a neuron with w > 2b̃ sees all x and has ‖G‖ = E x = 5/4: p = P(g > 0.02).
    """
    p = 1 - float(ndtr(0.02))
    family = theory.Family(1, 1.0, 1.0, 1.0, 1.25, 1.25, p)
    u = np.array([0.5, 1.0, 1.5, 2.0])
    return Teacher(np.ones(1), np.array([bias]), u, np.ones(4), np.full(4, 0.25), family, 1.25)


def biased_parity(k: int = 5, d: int = 64, p_A: float = 0.25) -> Teacher:
    """One block of k bits at b̃ -> 0, where G = p_A 1_A for every neuron: p = 1, γ = 0."""
    a, b = theory.teacher_neurons(k)
    heads = np.arange(k + 1)
    u = np.concatenate([(2 * heads - k) / np.sqrt(k), [np.sqrt(k), -np.sqrt(k)]])
    y = np.concatenate([(-1.0) ** (k - heads), [1.0, -1.0]])
    uniform = np.array([comb(k, i) for i in heads]) / 2**k
    chance = np.concatenate([(1 - 2 * p_A) * uniform, [p_A, p_A]])
    family = theory.Family(
        len(a), 2 * np.sqrt(k), float(np.linalg.norm(a)), (k + 1) / np.sqrt(k), np.sqrt(d),
        np.sqrt(k) * p_A, 1.0,
    )  # fmt: skip
    return Teacher(a, b, u, y, chance, family, np.sqrt(k) * p_A)


@dataclass(frozen=True)
class Built:
    """A built network: its loss, how large the Λ_j are, and the bound of Lemma B.6."""

    loss: float
    bound: float
    sizes: NDArray[np.int64]
    norm_2: float
    norm_inf: float


def build(
    teacher: Teacher, m: float, rng: np.random.Generator, *, keep: bool = False,
    add: bool = True, c: float = 1.0,
) -> Built:  # fmt: skip
    """ã of Lemma 3.14 for m neurons per sign; norms are of b̃ ã.

    Args:
        keep: keep only ⌈√(mp)⌉ neurons of each Λ_j.
        add: add what different teacher neurons put on the same one; else the last overwrites.
        c: hidden constant of σ_a.
    """
    f = teacher.family
    B_eps = min(theory.least_bias_scale(f, m), f.B_b / 2)
    eps_a = min(f.B_x1 * f.B_b / (np.sqrt(m * f.p) * f.B_G * B_eps), 0.5)
    output = np.zeros(len(teacher.u))
    sizes, squares, largest = [], 0.0, 0.0
    groups: dict[tuple[float, float], list[float]] = {}
    for a, b in zip(teacher.a, teacher.b, strict=True):
        sign = -1.0 if b < 0 else 1.0
        groups.setdefault((sign, max(abs(b), B_eps)), []).append(a)
    for (sign, beta), weights in groups.items():
        # ‖w‖ β/b̃ = c g s; Λ: within ε_a of 1
        s = c * teacher.norm / f.B_G * beta / B_eps
        low, high = ndtr((1 - eps_a) / s), ndtr((1 + eps_a) / s)
        # Of m neurons a share p hits the feature, with a sign that g decides.
        count = int(rng.binomial(int(m), f.p * (high - low)))
        if count == 0:
            sizes.append(0)
            continue
        if keep:
            count = min(count, int(np.ceil(np.sqrt(m * f.p))))
        g = ndtri(low + (high - low) * rng.random(count)) * s  # ‖w‖ β/b̃, near 1
        total = sum(weights) if add else weights[-1]
        seen = np.maximum(np.outer(teacher.u, g) - sign * beta, 0).mean(1)
        output += total * seen
        sizes.append(count)
        squares += (total * beta) ** 2 / count
        largest = max(largest, abs(total) * beta / count)
    bound = float(theory.good_network_bound(f, m, B_eps)) + teacher.loss(teacher.output())
    return Built(
        teacher.loss(output), bound, np.array(sizes), float(np.sqrt(squares)), float(largest)
    )


def least_loss_without_bias(k: int, p_A: float) -> float:
    """Least hinge loss of α σ(u) + β σ(-u), u = φ_1 + ... + φ_k, on the biased parity with r = 1.

    A linear program: minimise E ξ with ξ >= 0 and ξ >= 1 - y(α σ(u) + β σ(-u)) at each value of u.
    """
    heads = np.arange(k + 1)
    u = np.concatenate([2.0 * heads - k, [k, -k]])
    y = np.concatenate([(-1.0) ** (k - heads), [1.0, -1.0]])
    uniform = np.array([comb(k, i) for i in heads]) / 2**k
    chance = np.concatenate([(1 - 2 * p_A) * uniform, [p_A, p_A]])
    hidden = np.stack([np.maximum(u, 0), np.maximum(-u, 0)], 1)
    rows = np.hstack([-y[:, None] * hidden, -np.eye(len(u))])
    found = linprog(
        np.concatenate([[0, 0], chance]), A_ub=rows, b_ub=-np.ones(len(u)),
        bounds=[(None, None)] * 2 + [(0, None)] * len(u),
    )  # fmt: skip
    return float(found.fun)
