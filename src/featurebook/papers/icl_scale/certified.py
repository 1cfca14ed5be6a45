"""Networks that beat the printed optimum, and what is provably best, in exact fractions.

A network is a tuple of heads (a, B) with B = 2γ V: a diagonal as a tuple of d fractions, or a
matrix as a tuple of rows. Its cost is Σ ‖B‖² = 4γ² Σ ‖W‖². A network solves all tasks with zero
hinge loss if every margin is at least 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb

import networkx as nx

F = Fraction
Row = tuple[Fraction, ...]
Head = tuple[int, tuple[Row, ...]]


@dataclass(frozen=True)
class Network:
    """Heads (a, B) with B as rows of fractions."""

    heads: tuple[Head, ...]

    @property
    def d(self) -> int:
        """Number of features."""
        return len(self.heads[0][1])

    @property
    def cost(self) -> Fraction:
        """Σ ‖B‖_F²."""
        return sum((x * x for _, rows in self.heads for row in rows for x in row), F(0))

    def margins(self) -> Iterator[Fraction]:
        """y g for every pair i < j and every φ in {±1}^d (four signs if all B are diagonal)."""
        d = self.d
        diagonal = all(
            x == 0 or i == j for _, rows in self.heads for i, r in enumerate(rows)
            for j, x in enumerate(r)
        )  # fmt: skip
        for i, j in combinations(range(d), 2):
            support = (i, j) if diagonal else tuple(range(d))
            for signs in product((1, -1), repeat=len(support)):
                phi = dict(zip(support, signs, strict=True))
                g = sum(
                    (a * max(F(0), sum((rows[i][p] + rows[j][p]) * phi[p] for p in support))
                     for a, rows in self.heads), F(0)
                )  # fmt: skip
                yield F(g * phi[i] * phi[j])

    def answers_by_activity(self) -> bool:
        """Whether for every pair and its four signs a head of the label's weight is active.

        Diagonal heads; active means a positive sum, whatever the signs of its two entries.
        """
        return all(
            any(a == x * y and rows[i][i] * x + rows[j][j] * y > 0 for a, rows in self.heads)
            for i, j in combinations(range(self.d), 2)
            for x, y in product((1, -1), repeat=2)
        )

    def covers_by_signs(self) -> bool:
        """Whether for all i != j a negative head has a + at i and a - at j (diagonal heads)."""
        plus = [{p for p in range(self.d) if rows[p][p] > 0} for a, rows in self.heads if a < 0]
        minus = [{p for p in range(self.d) if rows[p][p] < 0} for a, rows in self.heads if a < 0]
        return all(
            any(i in up and j in down for up, down in zip(plus, minus, strict=True))
            for i, j in product(range(self.d), repeat=2)
            if i != j
        )

    def least_margin(self) -> Fraction:
        """The smallest margin; at least 1 means zero hinge loss on every task."""
        return min(self.margins())


def diagonal(entries: Sequence[Fraction | int]) -> tuple[Row, ...]:
    """The rows of diag(entries)."""
    d = len(entries)
    return tuple(tuple(F(x) if p == q else F(0) for q in range(d)) for p, x in enumerate(entries))


def opposite(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """-B."""
    return tuple(tuple(-x for x in row) for row in rows)


def antipodal(*halves: Head) -> Network:
    """The network with each given head and its opposite."""
    return Network(tuple(h for a, rows in halves for h in ((a, rows), (a, opposite(rows)))))


def identity(d: int, scale: Fraction | int) -> tuple[Row, ...]:
    """``scale`` times the identity."""
    return diagonal([F(scale)] * d)


def printed(nu: int, kept: int | None = None) -> Network:
    """g_2* of Theorem 5.5.1 for d = 2^nu, or g_1* that keeps the first ``kept`` digits, ν_1."""
    d, digits = 2**nu, nu if kept is None else kept
    negative = [diagonal([F(2 * ((p >> h) & 1) - 1, 2) for p in range(d)]) for h in range(digits)]
    return antipodal(*((-1, rows) for rows in negative), (1, identity(d, F(-digits, 2))))


def four_heads(d: int) -> Network:
    """Zero loss on all tasks with four heads: ±diag(p - (d+1)/2), a = -1, and ±(d-1)/2 I, a = 1."""
    ladder = diagonal([F(2 * p - d - 1, 2) for p in range(1, d + 1)])
    return antipodal((-1, ladder), (1, identity(d, F(d - 1, 2))))


def sperner(d: int) -> int:
    """The least t with binomial(t, ⌊t/2⌋) >= d: negative heads that sign-covering needs."""
    return next(t for t in range(1, d + 1) if comb(t, t // 2) >= d)


def by_subsets(d: int) -> Network:
    """`sperner`(d) negative heads, one per letter, and two positive: covers every sign pattern.

    Index p has the p-th set of ⌊t/2⌋ letters; an entry is ½ where the letter is in the set, else
    -½. The positive heads are c and c' times ± the identity, just large enough.
    """
    t = sperner(d)
    sets = list(combinations(range(t), t // 2))[:d]
    negative = [diagonal([F(1 if h in s else -1, 2) for s in sets]) for h in range(t)]
    agreeing = [
        [sum(z in s and z in u for z in range(t)) for s, u in combinations(sets, 2)],
        [sum(z not in s and z not in u for z in range(t)) for s, u in combinations(sets, 2)],
    ]
    up, down = (F(1 + max(n), 2) for n in agreeing)
    heads = [(-1, rows) for rows in negative] + [(1, identity(d, up)), (1, identity(d, -down))]
    return Network(tuple(heads))


def cheap_d2() -> Network:
    """d = 2, four full heads of cost 1: ¼ (1 1; 1 1) with a = 1, ¼ (1 -1; 1 -1) with a = -1."""
    q = F(1, 4)
    return antipodal((1, ((q, q), (q, q))), (-1, ((q, -q), (q, -q))))


def cheap_d4() -> Network:
    """d = 4, six diagonal heads of cost 269/36."""
    rows = [(9, 7, -5, -11), (9, -13, -1, 5), (-9, 1, 13, -5), (-9, 5, -7, 11)]
    negative = [(-1, diagonal([F(x, 24) for x in row])) for row in rows]
    positive = [(1, identity(4, F(5, 6))), (1, identity(4, F(-5, 6)))]
    return Network((*negative, *positive))


def cheap_d4_four_heads() -> Network:
    """d = 4, four full heads of cost 19/2."""
    P = ((3, 0, 1, 0), (-1, 2, -1, 0), (1, 0, 3, 0), (0, 0, 0, 4))
    R = ((1, -2, -1, 0), (1, 0, 1, 0), (-1, -2, 1, 0), (0, 2, 0, -4))
    quarter = [tuple(tuple(F(x, 4) for x in row) for row in rows) for rows in (P, R)]
    return antipodal((1, quarter[0]), (-1, quarter[1]))


def cheap_from_simplex(letters: int, scales: Sequence[Fraction]) -> Network:
    """d = 2 letters: index p has the code ±(e_h - 1/letters), a negative head for each letter.

    The positive heads are ± each scale times the identity. With scales ½, ½ and four letters the
    cost is 14 at d = 8; with 5/4 and eight letters it is 64 at d = 16.
    """
    axes = range(letters)
    codes = [[s * (F(int(h == c)) - F(1, letters)) for c in axes] for s in (1, -1) for h in axes]
    negative = [(-1, diagonal([code[c] for code in codes])) for c in axes]
    positive = [(1, identity(2 * letters, sign * s)) for s in scales for sign in (1, -1)]
    return Network((*negative, *positive))


def width(letters: int) -> int:
    """Largest antichain of subsets of ``letters`` letters, by Dilworth's theorem and a matching."""
    sets = range(2**letters)
    above = nx.Graph()
    above.add_nodes_from([("low", s) for s in sets])
    above.add_edges_from(
        (("low", s), ("high", u)) for s in sets for u in sets if s != u and s & u == s
    )
    matching = nx.bipartite.maximum_matching(above, top_nodes=[("low", s) for s in sets])
    return len(sets) - len(matching) // 2


def best_of_sign_heads(d: int, pair_count: int) -> Fraction | None:
    """Least cost of zero-loss networks of ``pair_count`` antipodal pairs ±c diag(σ), σ in {±1}^d.

    By brute force: every choice of signs σ and weights a, and for each the exact minimum of
    2d Σ c² over the scales. None if no choice has zero loss.
    """
    sigmas = [(1, *rest) for rest in product((1, -1), repeat=d - 1)]
    kinds = [(a, s) for a in (1, -1) for s in sigmas]
    best: Fraction | None = None
    for chosen in combinations_with_replacement(kinds, pair_count):
        demands = {
            tuple(
                a * y * 2 * int(s[i] * s[j] == y) for a, s in chosen
            )
            for i, j in combinations(range(d), 2)
            for y in (1, -1)
        }  # fmt: skip
        scales = _least_square(sorted(demands), pair_count)
        if scales is not None:
            cost = 2 * d * sum((c * c for c in scales), F(0))
            best = cost if best is None else min(best, cost)
    return best


def _least_square(demands: Sequence[tuple[int, ...]], size: int) -> list[Fraction] | None:
    """The shortest c >= 0 with every demand · c >= 1, exactly, by trying all active sets."""
    if any(all(x <= 0 for x in row) for row in demands):
        return None
    signs = [tuple(int(p == q) for q in range(size)) for p in range(size)]
    rows = [(row, F(1)) for row in demands] + [(row, F(0)) for row in signs]
    best: list[Fraction] | None = None
    for count in range(1, size + 1):
        for active in combinations(rows, count):
            point = _shortest(active, size)
            if point is None or any(_dot(row, point) < need for row, need in rows):
                continue
            if best is None or sum(x * x for x in point) < sum(x * x for x in best):
                best = point
    return best


def _dot(row: Sequence[int], point: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(row, point, strict=True)), F(0))


def _shortest(
    active: Sequence[tuple[tuple[int, ...], Fraction]], size: int
) -> list[Fraction] | None:
    """The shortest point on all the given hyperplanes, or None if they are dependent."""
    gram = [[_dot(p, [F(x) for x in q]) for q, _ in active] + [need] for p, need in active]
    n = len(gram)
    for col in range(n):
        pivot = next((r for r in range(col, n) if gram[r][col] != 0), None)
        if pivot is None:
            return None
        gram[col], gram[pivot] = gram[pivot], gram[col]
        gram[col] = [x / gram[col][col] for x in gram[col]]
        for r in range(n):
            if r != col and gram[r][col] != 0:
                gram[r] = [x - gram[r][col] * y for x, y in zip(gram[r], gram[col], strict=True)]
    weights = [row[-1] for row in gram]
    return [sum((w * active[k][0][p] for k, w in enumerate(weights)), F(0)) for p in range(size)]
