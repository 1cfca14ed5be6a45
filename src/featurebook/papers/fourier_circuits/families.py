"""Large families of waves that a circuit must keep apart: lower bounds on its neurons.

If Σ_i α_i^{k+1} e^{i(n - n')·θ_i} = 0 for all members n ≠ n' of a family, the vectors
(α_i^{(k+1)/2} e^{in·θ_i})_i of its members are orthogonal, so a frequency has at least as many
neurons as the family has members. `circuits.clique` finds a largest family by trying all, which
takes too long for k > 3.
"""

import numpy as np
from numpy.typing import NDArray

from featurebook.papers.fourier_circuits import circuits, exact


def neighbours(k: int) -> tuple[list[tuple[int, ...]], NDArray[np.bool_]]:
    """The waves S, and which pairs of them may be in one family, (|S|, |S|)."""
    rows = circuits.exponents(k)
    place = (6 * k + 1) ** np.arange(k)  # differences have entries of at most 2k + 1
    allowed = np.array(sorted(exact.forced(k))) @ place
    code = rows @ place
    return [tuple(int(x) for x in n) for n in rows], np.isin(code[:, None] - code, allowed)


def large(k: int, *, tries: int = 10, seed: int = 0) -> list[tuple[int, ...]]:
    """The largest family of several local searches: not known to be a largest one."""
    waves, near = neighbours(k)
    rng = np.random.default_rng(seed)
    found = [_grown(near, rng) for _ in range(tries)]
    return [waves[i] for i in np.flatnonzero(max(found, key=np.sum))]


def _grown(near: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.bool_]:
    """One search: members of the largest family on its way, (|S|,).

    A wave that fits all members is added, of twenty the one that leaves most to add; if none fits,
    one that fits all but one takes its place, and that one stays out.
    """
    misfit = ~near & ~np.eye(len(near), dtype=bool)
    count = np.zeros(len(near), dtype=int)  # members that a wave does not fit
    inside, out = np.zeros((2, len(near)), dtype=bool)
    best = inside.copy()
    while True:
        while (free := np.flatnonzero((count == 0) & ~inside & ~out)).size:
            some = rng.permutation(free)[:20]
            new = some[near[np.ix_(some, free)].sum(1).argmax()]
            inside[new] = True
            count += misfit[new]
        if inside.sum() > best.sum():
            best = inside.copy()
        swap = np.flatnonzero((count == 1) & ~inside & ~out)
        if not swap.size:
            return best
        new = rng.choice(swap)
        old = np.flatnonzero(inside & misfit[new])[0]
        inside[[new, old]] = True, False
        out[old] = True
        count += misfit[new].astype(int) - misfit[old]
