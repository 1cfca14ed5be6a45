"""Attacks on the paper's statements "for all", each over the whole set that it names."""

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook.papers.cone_sets import network, theory
from featurebook.verdicts import Verdict, starts
from featurebook.verdicts.comparisons import attack, search

Pair = tuple[Any, ...]


def one_step(seed: int, eps: float = 0.118, C: int = 4, d: int = 4, P: int = 3) -> Verdict:
    """Lemma 3.1, growth, corrected: ‖w_j²‖ <= 2 max_j ‖w_j¹‖ while C max ‖w‖² <= 2, a = 1/5.

    Two images of P patches, patch i with feature i and noise of norm at most ε.
    """
    features = torch.eye(d, dtype=torch.float64)[:P].expand(2, P, d)

    def into(raw: dict[str, Tensor]) -> dict[str, Tensor]:
        longest = raw["w"].norm(dim=1).max().clamp(min=1e-30)
        size = math.sqrt(2 / C) * torch.exp(-torch.nn.functional.softplus(3 * raw["size"]))
        w = raw["w"] * size / longest
        noise = raw["noise"].reshape(2, P, d)
        return {"w": w, "x": features + eps * noise / noise.norm(dim=2, keepdim=True).clamp(min=1)}

    def sides(point: dict[str, Tensor]) -> Pair:
        w = point["w"]
        gradient = torch.func.grad(lambda w: network.loss({"w": w}, point["x"], 1e-6))(w)
        return (w - 0.2 * gradient).norm(dim=1).max(), 2 * w.norm(dim=1).max()

    return attack(
        sides,
        starts({"w": (C, d), "noise": (2 * P, d), "size": ()}, seed=seed, random=16),
        into=into,
        steps=60,
        what="norm after the first step against twice the largest",
    )


def wins(seed: int, d: int = 6, c1: float = 0.5, *, sharp: bool = False) -> list[Verdict]:
    """Lemma 3.2, ‖ρ‖ <= ε: every other patch excites a kernel of the cone less than its own.

    Lengths are in units of t σ0 f_h. One attack per level.

    Args:
        sharp: the radius is c_1 - 2ε; otherwise that of (D.1)'s edge, c_1 - 2 √(2ε).
    """

    def attacked(eps: float) -> Verdict:
        r = c1 - 2 * (eps if sharp else math.sqrt(2 * eps))

        def into(raw: dict[str, Tensor]) -> dict[str, Tensor]:
            height = c1 + (1 - c1) * torch.sigmoid(raw["kernel"][0])
            others = r - torch.nn.functional.softplus(raw["kernel"][1:])
            room = (1 - height**2).sqrt() / others.norm().clamp(min=1e-30)
            w = torch.cat([height[None], others * room.clamp(max=1.0)])
            size = raw["noise"].norm(dim=1, keepdim=True).clamp(min=1)
            return {"w": w, "x": torch.eye(d, dtype=w.dtype) + eps * raw["noise"] / size}

        def sides(point: dict[str, Tensor]) -> Pair:
            u = point["x"] @ point["w"]
            return u[1:], u[0]

        return attack(
            sides,
            starts({"kernel": (d,), "noise": (d, d)}, seed=seed, random=16),
            into=into,
            steps=100,
            what=f"another patch against the own, f_r/f_h = {r:.4g}, ε = {eps:g}",
        )

    return [attacked(eps) for eps in ((1e-1, 1e-3) if sharp else (1e-3, 1e-6))]


def _searched(sides: Any, box: list[tuple[float, float]], seed: int, what: str) -> Verdict:
    """A search of an exponent that a bound promises against that of the true probability.

    A bound e^{-a} of a probability e^{-b} is attacked as a <= b: where the bound nears 1 and says
    nothing, a / b does not near 1. Probabilities below e^{-600}, which underflow, are left out.
    """

    def known(x: NDArray[np.float64]) -> Pair:
        with np.errstate(all="ignore"):
            a, b, says = sides(x)
        large = b < 600
        return np.where(large, a, 0.0), np.where(large, b, 1.0), large & says

    return search(known, box, vectorised=True, seed=seed, evaluations=6_000, what=what)


def norm_tail(seed: int) -> Verdict:
    """Lemma 3.1, start, corrected: the χ² tail against p_0, √d < f_h < √(2d), d up to 10^4."""

    def sides(x: NDArray[np.float64]) -> Pair:
        d = np.round(10 ** x[:, 0])
        promised = -np.log(theory.p0_corrected(d, np.sqrt(d * x[:, 1])))
        return promised, -stats.chi2.logsf(d * x[:, 1], d), promised > 0

    return _searched(
        sides, [(0, 4), (1, 2)], seed,
        "promised exponent against the exact one, (log10 d, f_h²/d)",
    )  # fmt: skip


def chi_squared(seed: int) -> Verdict:
    """Lemma F.3 for 0 < λ < 1: the two-sided χ² tail against 2 e^{-λ²d/8}, d up to 10^4."""

    def sides(x: NDArray[np.float64]) -> Pair:
        d, lam = np.round(10 ** x[:, 0]), x[:, 1]
        both = np.logaddexp(stats.chi2.logsf(d * (1 + lam), d), stats.chi2.logcdf(d * (1 - lam), d))
        promised = -np.log(2) + lam**2 * d / 8
        return promised, -both, promised > 0

    return _searched(
        sides, [(0, 4), (1e-6, 1)], seed,
        "promised exponent against the exact one, (log10 d, λ)",
    )  # fmt: skip


def gaussian_tail(seed: int) -> Verdict:
    """(E.32) with half the exponent: both bounds of Pr[g > x], 10^-3 <= x <= 30."""

    def sides(x: NDArray[np.float64]) -> Pair:
        at = 10 ** x[:, 0]
        tail = -stats.norm.logsf(at)
        low, high = (-np.log(bound) for bound in theory.gaussian_tail_bounds(at, 0.5))
        return np.stack([tail, high], 1), np.stack([low, tail], 1), True

    return _searched(
        sides, [(-3, math.log10(30))], seed,
        "exponents of both bounds against the exact one, log10 x",
    )  # fmt: skip


def _binomial(L: NDArray[Any], q: NDArray[Any], above: NDArray[Any]) -> NDArray[Any]:
    """-log Pr[B >= above] for B ~ Binomial(L, q)."""
    return -stats.binom.logsf(np.ceil(above - 1e-9) - 1, L, q)


def upper_tail(seed: int) -> Verdict:
    """Lemma F.1 on all laws of two values, M and M - 1: sums of L <= 1000 copies.

    The scale is free; M is taken with probability q, and runs from -1 to 3.
    """

    def sides(x: NDArray[np.float64]) -> Pair:
        L, q, M = np.round(10 ** x[:, 0]), 10 ** x[:, 1], x[:, 2]
        lam = x[:, 3] * L * (1 - q)
        energy = L * (q * M**2 + (1 - q) * (M - 1) ** 2)
        return 3 * lam**2 / (6 * energy + 2 * M * lam), _binomial(L, q, L * q + lam), True

    return _searched(
        sides, [(0, 3), (-4, -1e-3), (-1, 3), (1e-3, 1)], seed,
        "promised exponent against the exact one, (log10 L, log10 q, M, λ/λ_max)",
    )  # fmt: skip


def lower_tail(seed: int) -> Verdict:
    """Lemma F.2 corrected, on all laws of two values, -M and 1 - M; L <= 1000 copies."""

    def sides(x: NDArray[np.float64]) -> Pair:
        L, q, M = np.round(10 ** x[:, 0]), 10 ** x[:, 1], x[:, 2]
        lam = x[:, 3] * L * (1 - q)  # q is the probability of -M
        energy = L * (q * M**2 + (1 - q) * (1 - M) ** 2)
        return 3 * lam**2 / (6 * energy + 2 * M * lam), _binomial(L, q, L * q + lam), True

    return _searched(
        sides, [(0, 3), (-4, -1e-3), (-1, 3), (1e-3, 1)], seed,
        "promised exponent against the exact one, (log10 L, log10 q, M, λ/λ_max)",
    )  # fmt: skip


def counts(seed: int) -> Verdict:
    """Corollary F.1: both tails of a binomial count, C <= 1000, p_1 <= p <= p_2."""

    def sides(x: NDArray[np.float64]) -> Pair:
        C, p = np.round(10 ** x[:, 0]), 10 ** x[:, 1]
        p1, p2, lam = p * x[:, 2], np.minimum(p * 10 ** x[:, 3], 1 - 1e-9), x[:, 4] * C
        low = _binomial(C, 1 - p, C - C * p1 + lam)  # C - B is binomial too
        high = _binomial(C, p, C * p2 + lam)
        promised = [-np.log(tail(C, p2, lam)) for tail in (theory.lower_tail, theory.upper_tail)]
        return np.stack(promised, 1), np.stack([low, high], 1), True

    return _searched(
        sides, [(0, 3), (-4, -1e-3), (0.5, 1), (0, 0.5), (1e-3, 1)],
        seed, "promised exponents against the exact ones, (log10 C, log10 p, p1/p, log p2/p, λ/C)",
    )  # fmt: skip


def occupancy(seed: int) -> Verdict:
    """Theorem 2 corrected: the exact law of a cone's count against both bounds, f_r <= c_1 f_h."""

    def sides(x: NDArray[np.float64]) -> Pair:
        d, C, lam = np.round(10 ** x[:, 0]), np.round(10 ** x[:, 1]), 10 ** x[:, 4]
        height, f_r = x[:, 2], x[:, 2] * x[:, 3]
        p = theory.cone_probability(d, height, f_r)
        low, high = theory.cone_bounds_corrected(d, height, f_r)
        above = _binomial(C, p, np.floor(C * high + lam) + 1)  # more than C p_2 + λ
        below = _binomial(C, 1 - p, C - np.ceil(C * low - lam) + 1)  # fewer than C p_1 - λ
        promised = [-np.log(tail(C, high, lam)) for tail in (theory.upper_tail, theory.lower_tail)]
        return np.stack(promised, 1), np.stack([above, below], 1), True

    return _searched(
        sides, [(0.31, 3), (0, 5), (0.05, 4), (0.01, 1), (-1, 2)],
        seed, "promised exponents against the exact ones, (log10 d, log10 C, c1 f_h, f_r, log λ)",
    )  # fmt: skip


def sphere(seed: int) -> Verdict:
    """Lemma F.4: the exact tail of a component of a random unit vector, d up to 10^6."""

    def sides(x: NDArray[np.float64]) -> Pair:
        d, share = np.round(10 ** x[:, 0]), x[:, 1]  # c = share √(d-1)
        c = share * np.sqrt(d - 1)
        promised = c**2 / 2 - np.log(2 / c)
        return promised, -theory.log_sphere_tail(d, share), promised > 0

    return _searched(
        sides, [(0.31, 6), (1e-4, 0.999)], seed,
        "promised exponent against the exact one, (log10 d, c/√(d-1))",
    )  # fmt: skip


def filtering(seed: int) -> Verdict:
    """Theorem 3 for one kernel: the exact failure against 2θ e^{-1/(2θ²)}, d up to 10^6."""

    def sides(x: NDArray[np.float64]) -> Pair:
        d, theta = np.round(10 ** x[:, 0]), 10 ** x[:, 1]
        level = theory.filtering_level(d, theta)
        promised = -np.log(theory.filtering_failure(theta))
        exact = np.where(level < 1, -theory.log_sphere_tail(d, np.minimum(level, 0.999)), np.inf)
        return promised, exact, (level < 1) & (promised > 0)

    return _searched(
        sides, [(0.31, 6), (-1.4, -1e-3)], seed,
        "promised exponent against the exact one, (log10 d, log10 θ)",
    )  # fmt: skip
