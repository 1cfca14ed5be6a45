"""Two ways to draw the noise Ξ of Theorem 5.5.2 together with a prompt.

g_1* reads the last ν digits of a feature only, so it sees Ξ through its sums over the d/k features
of each code. For a task (i, j) of S_1 the codes of i and j are two of the k = 2^ν groups; the sums
of all other groups have the law of the prompt's already. Thesis, Section 5.5.2 and Appendix D.3.2.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from featurebook.papers.icl_scale.parity import Array, chances, draw_tasks, output, printed

Counts = NDArray[np.int64]


def group_law(M: int, size: int, gamma: float) -> Array:
    """P(A_i = a, A_j = b): how many of the size M signs of the groups of i and j are +1.

    Of each group M signs are y φ_i or y φ_j, and the other (size - 1) M are fair coins.
    Shape (n + 1, n + 1) with n = size M; a transform of the law of one example.
    """
    n = size * M
    both = np.zeros((n + 1, n + 1))
    both[:2, :2] = chances(gamma)[[3, 1, 2, 0]].reshape(2, 2)  # yφ_i = φ_j, and yφ_j = φ_i
    coin = np.zeros(n + 1)
    coin[:2] = 0.5
    coins = np.fft.fft(coin) ** (n - M)
    law: Array = np.fft.ifft2(np.fft.fft2(both) ** M * coins[:, None] * coins).real
    return np.clip(law, 0, None)


def quantiles(counts: Counts, law: Array, M: int, rng: np.random.Generator) -> Counts:
    """Two independent Bin(n, 1/2), drawn together with ``counts`` (N, 2): the first from the rank
    of A_i in its law, the second from that of A_j in its law given A_i.

    Ranks are uniform within an atom, so the two are independent and exactly binomial.
    """
    n = len(law) - 1
    u = rng.random(counts.shape)
    first = law.sum(1)
    below = np.concatenate([[0.0], first.cumsum()])
    rows = law[counts[:, 0]] / first[counts[:, 0], None]
    under = np.concatenate([np.zeros((len(rows), 1)), rows.cumsum(1)], 1)
    at = np.arange(len(rows))
    ranks = np.stack(
        [
            below[counts[:, 0]] + u[:, 0] * first[counts[:, 0]],
            under[at, counts[:, 1]] + u[:, 1] * rows[at, counts[:, 1]],
        ],
        1,
    )
    return stats.binom(n, 0.5).ppf(np.clip(ranks, 1e-15, 1 - 1e-15)).astype(np.int64)


def errors(
    nu: int, M: int, size: int, gamma: float, count: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """ε of g_1*, k = 2^ν and d = size k, on tasks of S_1 under both couplings: (count,) each.

    The proof's: Ξ is the prompt's own noise off the task, and fresh on it. By quantiles: all of
    the noise of the two groups moves. Both on the same prompts.
    """
    k, n = 2**nu, size * M
    a, b = printed(k)  # a group has one entry in each head
    tasks, row = draw_tasks(k, count, rng), np.arange(count)
    kinds = rng.multinomial(M, chances(gamma), size=count)  # (++, +-, -+, --) of (φ_i, φ_j)
    own = np.stack([kinds[:, 0] + kinds[:, 2], kinds[:, 0] + kinds[:, 1]], 1)
    other = rng.binomial(n - M, 0.5, size=(count, 2))
    fresh = rng.binomial(M, 0.5, size=(count, 2))
    moved = quantiles(own + other, group_law(M, size, gamma), M, rng)
    query = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])[
        rng.choice(4, p=chances(gamma), size=count)
    ]
    rest = (2 * rng.binomial(n, 0.5, size=(count, k)) - n) / M

    def answer(counts: Counts, shift: float) -> Array:
        sums = rest.copy()
        for e in (0, 1):
            sums[row, tasks[:, e]] = query[:, e] * (shift + (2 * counts[:, e] - n) / M)
        return output(a, b, sums, gamma)

    g = answer(own + other, 0.0)
    return g - answer(fresh + other, 2 * gamma), g - answer(moved, 2 * gamma)


def by_quantiles(
    lengths: Sequence[int],
    levels: Sequence[int],
    runs: int,
    count: int,
    rng: np.random.Generator,
    gamma: float = 0.1,
) -> tuple[Array, tuple[int, int]]:
    """rms of ε under the coupling by quantiles at ν = 3, d = 4k, per run and length, and how often
    |ε| <= 2ν/(γM), of how many: there, and at M = 64, d = 2k for every ν of ``levels``.
    """
    found = [[errors(3, M, 4, gamma, count, rng)[1] for M in lengths] for _ in range(runs)]
    cases = [(x, 3, M) for run in found for x, M in zip(run, lengths, strict=True)]
    cases += [(errors(nu, 64, 2, gamma, count, rng)[1], nu, 64) for nu in levels]
    within = sum(int((np.abs(x) <= 2 * nu / (gamma * M)).sum()) for x, nu, M in cases)
    return np.sqrt((np.array(found) ** 2).mean(2)), (within, sum(x.size for x, _, _ in cases))
