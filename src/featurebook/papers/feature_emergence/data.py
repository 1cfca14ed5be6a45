"""Labelled hidden patterns: the family with input structure, without it, and their exact moments.

A distribution is a mixture of components. In each, the number s of relevant patterns has a given
law, the s of them are placed uniformly among the k, and the background is i.i.d. Bernoulli. The
relevant patterns are the first k coordinates: A = {1, ..., k}.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor


@dataclass(frozen=True)
class Component:
    """One part of a mixture.

    Attributes:
        weight: its probability.
        counts: probabilities of s = 0, ..., k relevant patterns, k + 1 numbers.
        background: Pr[pattern j present] for every j outside A.
    """

    weight: float
    counts: tuple[float, ...]
    background: float


@dataclass(frozen=True)
class Distribution:
    """Hidden 0/1 patterns and their label, eq. (1).

    Attributes:
        D: patterns in the dictionary.
        k: relevant ones.
        positive: P, the counts s with label +1; a subset of {1, ..., k}.
        components: the mixture.
    """

    D: int
    k: int
    positive: frozenset[int]
    components: tuple[Component, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.k < self.D:
            raise ValueError(f"k = {self.k}, D = {self.D}: needs 1 <= k < D")
        if not self.positive <= set(range(1, self.k + 1)):
            raise ValueError(f"P = {sorted(self.positive)}: must be a subset of 1..{self.k}")
        for c in self.components:
            if len(c.counts) != self.k + 1 or abs(sum(c.counts) - 1) > 1e-9:
                raise ValueError(f"counts must be {self.k + 1} probabilities that sum to 1")
        if abs(sum(c.weight for c in self.components) - 1) > 1e-9:
            raise ValueError("the components' weights must sum to 1")

    @property
    def labels(self) -> Tensor:
        """y as a function of s = 0, ..., k: float64 (k + 1,)."""
        values = [1.0 if s in self.positive else -1.0 for s in range(self.k + 1)]
        return torch.tensor(values, dtype=torch.float64)

    @property
    def counts(self) -> Tensor:
        """Law of s over the whole mixture: float64 (k + 1,)."""
        rows = torch.tensor([c.counts for c in self.components], dtype=torch.float64)
        weights = torch.tensor([c.weight for c in self.components], dtype=torch.float64)
        return weights @ rows

    @property
    def mean_label(self) -> float:
        return float(self.counts @ self.labels)

    @property
    def p_relevant(self) -> float:
        """Pr[pattern i present] for i in A."""
        return float(self.counts @ torch.arange(self.k + 1.0, dtype=torch.float64)) / self.k

    @property
    def p_background(self) -> float:
        """p_o = Pr[pattern j present] for j outside A."""
        return sum(c.weight * c.background for c in self.components)

    @property
    def mean(self) -> Tensor:
        """Expected patterns, float64 (D,)."""
        means = [self.p_relevant] * self.k + [self.p_background] * (self.D - self.k)
        return torch.tensor(means, dtype=torch.float64)

    @property
    def sigma(self) -> float:
        """sigma~, the square root of the total variance of the patterns."""
        return math.sqrt(float((self.mean * (1 - self.mean)).sum()))

    @property
    def sigma_phi_squared(self) -> float:
        """Variance of a normalised background pattern, p_o (1 - p_o) / sigma~^2."""
        return self.p_background * (1 - self.p_background) / self.sigma**2

    @property
    def gamma(self) -> float:
        """Correlation of a relevant pattern with the label, E[y phi] - E[y] E[phi]  (A1)."""
        s = torch.arange(self.k + 1.0, dtype=torch.float64)
        joint = float(self.counts @ (self.labels * s)) / self.k
        return joint - self.mean_label * self.p_relevant

    @property
    def class_weights(self) -> tuple[float, float]:
        """alpha_v = 1 / (2 Pr[y = v]) for v = -1, +1 (Appendix F)."""
        positive = (1 + self.mean_label) / 2
        return 0.5 / (1 - positive), 0.5 / positive

    def states(self) -> tuple[Tensor, Tensor]:
        """The 2^k patterns in A (2^k, k) and for each component their probabilities (C, 2^k)."""
        bits = torch.tensor(list(itertools.product([0.0, 1.0], repeat=self.k)), dtype=torch.float64)
        s = bits.sum(1).long()
        ways = torch.tensor([math.comb(self.k, int(c)) for c in s], dtype=torch.float64)
        rows = torch.tensor([c.counts for c in self.components], dtype=torch.float64)
        return bits, rows[:, s] / ways


def binomial(k: int, p: float) -> tuple[float, ...]:
    """Probabilities of 0, ..., k successes."""
    return tuple(math.comb(k, s) * p**s * (1 - p) ** (k - s) for s in range(k + 1))


def all_or_none(k: int) -> tuple[float, ...]:
    """All relevant patterns or none, each with probability 1/2."""
    return (0.5, *([0.0] * (k - 1)), 0.5)


def odd(k: int) -> frozenset[int]:
    """P of Example 2: the odd counts."""
    return frozenset(range(1, k + 1, 2))


def parity_mixture(D: int, k: int, p_o: float = 0.5) -> Distribution:
    """D_A^mix as printed in the proof of Theorem 2: p_o times uniform, 1 - p_o times all-or-none.

    Its background depends on the component unless p_o = 1/2; see `independent_mixture`.
    """
    _check_parity(k, p_o)
    uniform = Component(p_o, binomial(k, 0.5), 0.5)
    aligned = Component(1 - p_o, all_or_none(k), p_o / (2 - 2 * p_o))
    return Distribution(D, k, odd(k), (uniform, aligned))


def independent_mixture(D: int, k: int, p_o: float, alpha: float) -> Distribution:
    """The repaired mixture: A uniform with probability alpha, else all-or-none; background
    Ber(p_o), independent of everything. It satisfies (A0)-(A2) for every p_o <= 1/2."""
    _check_parity(k, p_o)
    counts = [
        alpha * u + (1 - alpha) * v for u, v in zip(binomial(k, 0.5), all_or_none(k), strict=True)
    ]
    return Distribution(D, k, odd(k), (Component(1.0, tuple(counts), p_o),))


def independent(
    D: int, k: int, positive: Iterable[int], p_relevant: float, p_o: float
) -> Distribution:
    """Independent patterns: Ber(p_relevant) in A, Ber(p_o) outside; any label P."""
    component = Component(1.0, binomial(k, p_relevant), p_o)
    return Distribution(D, k, frozenset(positive), (component,))


def uniform(D: int, k: int, positive: Iterable[int]) -> Distribution:
    """Without input structure (A1'): every pattern Ber(1/2)."""
    return independent(D, k, positive, 0.5, 0.5)


def with_negative_share(dist: Distribution, share: float) -> Distribution:
    """The same distribution given the label, with Pr[y = -1] = ``share``.

    Raises:
        ValueError: if ``share`` is not strictly between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"share = {share}: must be strictly between 0 and 1")
    negative = (1 - dist.mean_label) / 2
    tilt = [
        (1 - share) / (1 - negative) if y > 0 else share / negative for y in dist.labels.tolist()
    ]
    tilted = []
    for c in dist.components:
        mass = [p * t for p, t in zip(c.counts, tilt, strict=True)]
        total = sum(mass)
        tilted.append(Component(c.weight * total, tuple(p / total for p in mass), c.background))
    return replace(dist, components=tuple(tilted))


def draw(g: torch.Generator, dist: Distribution, n: int) -> tuple[Tensor, Tensor]:
    """``n`` samples: normalised phi (n, D) and labels +-1 (n,), both float32.

    phi = (patterns - mean) / sigma~ with the exact moments, so E |phi|^2 = 1.
    """
    weights = torch.tensor([c.weight for c in dist.components])
    which = torch.multinomial(weights, n, replacement=True, generator=g)
    rows = torch.tensor([c.counts for c in dist.components], dtype=torch.float64).cumsum(1)
    u = torch.rand(n, generator=g, dtype=torch.float64)
    s = (u[:, None] > rows[which]).sum(1).clamp(max=dist.k)  # (n,)
    places = torch.rand(n, dist.k, generator=g).argsort(1).argsort(1)  # a random permutation
    relevant = places < s[:, None]
    p = torch.tensor([c.background for c in dist.components])[which]
    background = torch.rand(n, dist.D - dist.k, generator=g) < p[:, None]
    bits = torch.cat([relevant, background], dim=1).float()
    phi = (bits - dist.mean.float()) / dist.sigma
    return phi, dist.labels.float()[s]


def draw_representation(
    g: torch.Generator, codes: Tensor, code_labels: Tensor, D: int, n: int
) -> tuple[Tensor, Tensor]:
    """Hidden-representation labels: phi_A uniform on given codes (C, k), background uniform.

    Returns normalised phi (n, D), with the codes' own mean, and y (n,), float32.
    """
    which = torch.randint(0, len(codes), (n,), generator=g)
    background = torch.randint(0, 2, (n, D - codes.shape[1]), generator=g).float()
    mean = codes.mean(0)
    sigma = math.sqrt(float((mean * (1 - mean)).sum()) + background.shape[1] / 4)
    bits = torch.cat([codes[which] - mean, background - 0.5], dim=1)
    return bits / sigma, code_labels[which]


def enumerate_all(dist: Distribution) -> tuple[Tensor, Tensor, Tensor]:
    """Every one of the 2^D points: phi (2^D, D), y and probability (2^D,), float64. D <= 20."""
    if dist.D > 20:
        raise ValueError(f"D = {dist.D}: enumeration needs D <= 20")
    bits = (torch.arange(2**dist.D)[:, None] >> torch.arange(dist.D)) & 1
    s = bits[:, : dist.k].sum(1)
    others = bits[:, dist.k :].sum(1).double()
    ways = torch.tensor([math.comb(dist.k, c) for c in range(dist.k + 1)], dtype=torch.float64)
    rest = dist.D - dist.k
    probability = torch.zeros(2**dist.D, dtype=torch.float64)
    for c in dist.components:
        law = torch.tensor(c.counts, dtype=torch.float64) / ways
        p = c.background
        probability += c.weight * law[s] * p**others * (1 - p) ** (rest - others)
    return (bits.double() - dist.mean) / dist.sigma, dist.labels[s], probability


def _check_parity(k: int, p_o: float) -> None:
    if k % 2 == 0:
        raise ValueError(f"k = {k}: the parity mixture is balanced only for odd k")
    if not 0 < p_o <= 0.5:
        raise ValueError(f"p_o = {p_o}: needs 0 < p_o <= 1/2")
