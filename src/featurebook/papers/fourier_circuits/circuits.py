"""Max-margin networks built from cosines, and an exact test of their phases.

A circuit is a table of phases, the same for every frequency: whole numbers t (n, k), in units of
π/N. Neuron i has u_j(a) = cos(π t_ij/N + 2πζa/p) and w(c) = cos(π Σ_j t_ij/N + 2πζc/p).
"""

from itertools import product

import flint
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook.papers.fourier_circuits import network as networks
from featurebook.papers.fourier_circuits import single, theory

Phases = NDArray[np.int64]


def grid(k: int) -> tuple[Phases, int]:
    """The text's neurons: all phases that are multiples of π/2, up to a common π: 2^{2k-1}."""
    rows = product(range(2), *[range(4)] * (k - 1))
    return np.array(list(rows), dtype=np.int64).reshape(-1, k), 2


def short(k: int, turns: int | None = None) -> tuple[Phases, int]:
    """Ours: phases π t/(k+1) + π s_j, with t = 0..k, s in {0, 1}ᵏ, s₁ = 0: (k+1) 2^{k-1}.

    Another number of ``turns`` than k + 1 is for the control that must fail.
    """
    n = k + 1 if turns is None else turns
    signs = product((0,), *[(0, n)] * (k - 1))
    rows = [[t + s for s in row] for row in signs for t in range(n)]
    return np.array(rows, dtype=np.int64).reshape(-1, k), n


def ternary(k: int) -> tuple[Phases, int]:
    """Phases π 3^{j-1} t/N, N = 2·3^{k-1}, t = 0..N-1: 2·3^{k-1} a frequency."""
    n = 2 * 3 ** (k - 1)
    return np.outer(np.arange(n), 3 ** np.arange(k)) % (2 * n), n


def exponents(k: int) -> NDArray[np.int64]:
    """S: the n in Zᵏ with |n₁| + ... + |n_k| at most k and of the parity of k, (|S|, k)."""
    rows = [n for n in product(range(-k, k + 1), repeat=k) if sum(map(abs, n)) <= k]
    return np.array([n for n in rows if sum(map(abs, n)) % 2 == k % 2], dtype=np.int64)


def wrong_phase_sums(phases: Phases, unit: int) -> int:
    """How many of the sums Σ_i e^{i(n - 1)·θ_i}, n in S other than (1, ..., 1), are not zero.

    Decided exactly: a sum of powers of x = e^{iπ/N} is zero if and only if the cyclotomic
    polynomial of order 2N divides it.
    """
    k, order = phases.shape[1], 2 * unit
    divisor = flint.fmpz_poly.cyclotomic(order)
    wrong = 0
    for n in exponents(k):
        if (n == 1).all():
            continue
        powers = ((n - 1) * phases).sum(1) % order
        counts = np.bincount(powers, minlength=order)
        wrong += flint.fmpz_poly(counts.tolist()) % divisor != 0
    return wrong


def neurons(phases: Phases, unit: int, zeta: int, p: int) -> tuple[Tensor, Tensor]:
    """The circuit at one frequency with amplitude 1: U (n, k, p), W (n, p), float64."""
    theta = np.pi * np.concatenate([phases, phases.sum(1, keepdims=True)], 1) / unit
    turn = 2 * np.pi * zeta * np.arange(p) / p
    both = torch.from_numpy(np.cos(theta[:, :, None] + turn))
    return both[:, :-1], both[:, -1]


def network(phases: Phases, unit: int, p: int) -> tuple[Tensor, Tensor]:
    """The circuit at every frequency 1..(p-1)/2, p odd, with norm 1: U (m, k, p), W (m, p)."""
    parts = [neurons(phases, unit, zeta, p) for zeta in range(1, (p + 1) // 2)]
    U, W = (torch.cat([part[i] for part in parts]) for i in (0, 1))
    k = U.shape[1]
    size = theory.amplitude(k, p) * len(U) ** (-1 / (k + 1))
    return U * size, W * size


def flawed(k: int, p: int, flaw: str, t: float) -> tuple[Tensor, Tensor]:
    """The short circuit of norm 1 with a flaw of size t in its first neuron, which keeps its norm.

    The flaws are those of `single.flawed_neuron`; the first neuron has phases 0.
    """
    U, W = network(*short(k), p)
    u, w = (x[None] for x in single.flawed_neuron(flaw, t, k, p, torch.zeros(k).double()))
    scale = networks.norms(U[:1], W[:1]) / networks.norms(u, w)
    return torch.cat([scale * u, U[1:]]), torch.cat([scale * w, W[1:]])


def text_network(k: int, p: int) -> tuple[Tensor, Tensor]:
    """The construction as the proof of Lemma C.18 writes it, amplitude 1: by sines, cosines, signs.

    For each ζ one neuron per term of (C.21) and sign vector c with c₁ = 1 of Lemma C.16.
    """
    rows = []
    turn = 2 * np.pi * np.arange(p) / p
    for zeta in range(1, (p + 1) // 2):
        wave = np.stack([np.cos(zeta * turn), np.sin(zeta * turn)])  # cosine, sine
        out = np.stack([wave[0], -wave[1]])  # of -c
        for b in product((0, 1), repeat=k + 1):
            if sum(b) % 2:
                continue
            for rest in product((1, -1), repeat=k - 1):
                c = np.array([1, *rest])
                sign = (-1) ** (sum(b) % 4 == 2) * (-1) ** ((k - c.sum()) // 2)
                rows.append(np.vstack([c[:, None] * wave[list(b[:k])], sign * out[b[k]]]))
    both = torch.from_numpy(np.stack(rows))
    return both[:, :-1], both[:, -1]


def even_network(k: int, p: int) -> tuple[Tensor, Tensor]:
    """Ours for even p, norm 1: the short circuit at ζ < p/2, and 2^{k-1} sign neurons at p/2."""
    parts = [neurons(*short(k), zeta, p) for zeta in range(1, p // 2)]
    s = 2 ** ((k - 1) / 2)
    share = 2 * s / theory.even_weight(k, p)  # of the norm, of a frequency below p/2
    count = len(short(k)[0])
    size = theory.amplitude(k, p) * (share / count) ** (1 / (k + 1))
    U = [part[0] * size for part in parts]
    W = [part[1] * size for part in parts]
    signs = torch.tensor([[1.0, *row] for row in product((1.0, -1.0), repeat=k - 1)]).double()
    wave = (-1.0) ** torch.arange(p).double()
    size = ((k + 1) * p) ** -0.5 * (share / (2 * s) / len(signs)) ** (1 / (k + 1))
    U.append(size * signs[:, :, None] * wave)
    W.append(size * signs.prod(1)[:, None] * wave)
    return torch.cat(U), torch.cat(W)


def clique(k: int) -> list[tuple[int, ...]]:
    """A largest set of n in S whose differences are all forced to have phase sum zero.

    The vectors (α_i^{(k+1)/2} e^{in·θ_i})_i of its members are orthogonal, so that a max-margin
    network has at least as many neurons per frequency.
    """
    rows = [tuple(int(x) for x in n) for n in exponents(k)]
    one = (1,) * k
    forced = {tuple(x - 1 for x in n) for n in rows if n != one}
    forced |= {tuple(-x for x in n) for n in forced}
    near = {
        a: {b for b in rows if a != b and tuple(x - y for x, y in zip(a, b, strict=True)) in forced}
        for a in rows
    }
    best: list[tuple[int, ...]] = []

    def grow(found: list[tuple[int, ...]], left: set[tuple[int, ...]]) -> None:
        nonlocal best
        if len(found) > len(best):
            best = found
        for n in sorted(left):
            if len(found) + len(left) <= len(best):
                return
            grow([*found, n], left & near[n])
            left = left - {n}

    grow([], set(rows))
    return best
