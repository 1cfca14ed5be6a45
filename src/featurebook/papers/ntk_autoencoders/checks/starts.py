"""The checks of kernels at the start: how near they are to their limits, and the lemmas on H(0)."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import log, pi, sqrt

import numpy as np
import pandas as pd
import torch
from flint import arb
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import (
    bounds,
    data,
    exact,
    experiments,
    kernels,
    network,
    sliding,
)
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble, norms
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict, proved
from featurebook.verdicts.comparisons import exactly, exponent, inequality, probability, search

TINY_DELTA = Fraction(1, 10**9)
"""δ of the refutation of Lemma 5.1."""
NETWORKS = 30
"""Networks that show it."""
GROWING = [20, 40, 80, 160]
"""Orthonormal samples along which ‖H(0) - H∞‖ grows."""
TAILS = [(dim, 10.0**-p) for dim in (1, 2, 3, 5, 10, 50) for p in range(1, 17)]
"""d and δ at which the printed tail is compared with the exact one."""
SLIDER = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
"""Widths of the figure with a slider."""


@dataclass(frozen=True)
class Distances:
    """‖G(0) - G∞‖ and ‖H(0) - H∞‖ (networks, widths), and means by width in a table."""

    of: dict[str, NDArray[np.float64]]
    means: pd.DataFrame


@claims.experiment
def distances(
    samples: Tensor, shape: Geometry, d: int, kernel_widths: list[int], n_seeds: int, delta: float,
    seed: int, place: torch.device,
) -> Distances:  # fmt: skip
    """Kernels of untrained networks beside their limits."""
    rows = [
        experiments.kernel_distances(ensemble(m, d, n_seeds, seed=seed, place=place), samples)
        for m in kernel_widths
    ]
    of = {
        "G": torch.stack([row[0] for row in rows], dim=1).numpy(),
        "H": torch.stack([row[1] for row in rows], dim=1).numpy(),
    }
    table = pd.DataFrame(
        [row[2] for row in rows], index=pd.Index(kernel_widths, name="m"),
        columns=["λ_min(G(0))", "λ_min(H(0))", "H(0) from G∞"],
    )  # fmt: skip
    for name, values in of.items():
        table[f"{name}(0) from {name}∞"] = values.mean(0)
    table["bernstein"] = [bounds.bernstein_radius(shape, m, delta) for m in kernel_widths]
    return Distances(of, table)


@claims.check("observation-concentration")
def law_of_the_distance(distances: Distances, kernel_widths: list[int]) -> Iterator[Verdict]:
    """The exponent in m of both distances."""
    for name, values in distances.of.items():
        yield exponent(
            kernel_widths, values, expected=(-0.6, -0.4), rival=[-0.25, -1.0],
            what=f"exponent in m, {name}",
        )  # fmt: skip


@claims.experiment
def wider_networks(
    d: int, kernel_widths: list[int], seed: int, place: torch.device
) -> dict[int, core.Params]:
    """One untrained network of each width of `SLIDER`, up to the largest of ``kernel_widths``."""
    widths = [m for m in SLIDER if m <= max(kernel_widths)]
    nets = {m: ensemble(m, d, 1, seed=seed, place=place) for m in widths}
    return {m: {name: p[0].cpu() for name, p in net.items()} for m, net in nets.items()}


@dataclass(frozen=True)
class OrthonormalStarts:
    """H(0) of networks of width m on two orthonormal samples.

    Attributes:
        near: whether ‖H(0) - H∞‖ <= λ_0/4, (networks,).
        least: λ_min(H(0)), (networks,).
        order: the printed order of width, C = 1.
        allowed: the largest δ that the lemma allows.
    """

    m: int
    near: Tensor
    least: Tensor
    order: float
    allowed: float


@claims.experiment
def orthonormal_starts(certificate_width: int, seed: int, place: torch.device) -> OrthonormalStarts:
    """Thirty networks of twice the certificates' width."""
    m, X = 2 * certificate_width, data.orthonormal(2, 2)
    form, points = kernels.geometry(X), X.to(place)
    W = ensemble(m, 2, NETWORKS, seed=seed, place=place)["W"]
    H = core.per_network(lambda W: kernels.decoder_kernel(W, points), 0)(W).cpu()
    order = 2 * form.lambda_n * log(4 / float(TINY_DELTA)) ** 2 / form.lambda_0**2
    return OrthonormalStarts(
        m, norms(H - kernels.H_limit(X)) <= form.lambda_0 / 4, kernels.smallest(H), order,
        form.lambda_0 / (12 * 2 * form.lambda_n**2),
    )  # fmt: skip


@claims.check("lemma-5-1")
def concentration_of_H(certificate_width: int) -> Iterator[Verdict]:
    """The claimed probability against Chebyshev's bound of λ_min(H(0)) >= 3/8."""
    m = 2 * certificate_width
    claimed, most = exact.two_orthonormal(m, TINY_DELTA)
    instance = {
        "samples": "orthonormal", "n": 2, "d": 2, "m": m, "δ": "10^-9", "λ_0": "1/2",
        "λ_H": "1/2 - 1/2π",
    }  # fmt: skip
    what = f"claimed probability, and a bound of that of λ_min(H(0)) ≥ 3/8, m = {m:,}"
    yield exactly(claimed, "<=", most, what=what, instance=instance)


@claims.check("lemma-5-1-corrected", proof="proved on the page")
def kernel_at_the_start(draws: int, delta: float, first: int) -> Iterator[Verdict]:
    """How many networks have both conclusions, at the corrected width, on two data sets."""
    sets = {"orthonormal 4": data.orthonormal(4, 4), "sphere 4, 10": data.sphere(4, 10, first)}
    for name, points in sets.items():
        form = kernels.geometry(points)
        m = bounds.decoder_width(form, delta)
        drawn = torch.stack([
            experiments.decoder_kernel_at_start(m, points, first + s) for s in range(draws)
        ])  # fmt: skip
        near = norms(drawn - kernels.H_limit(points)) <= form.lambda_h / 4
        good = int((near & (kernels.smallest(drawn) >= 0.75 * form.lambda_h)).sum())
        yield probability(good, draws, at_least=1 - delta, what=f"{name}, m = {m:,}")


@claims.check("lemma-5-1-growth")
def growth(n_seeds: int, first: int) -> Iterator[Verdict]:
    """The exponent of the distance in n; fewer samples are leading blocks."""
    far, X = [], data.orthonormal(GROWING[-1], GROWING[-1])
    for s in range(first, first + n_seeds):
        gap = experiments.decoder_kernel_at_start(4096, X, s) - kernels.H_limit(X)
        far.append([float(norms(gap[:k, :k])) for k in GROWING])
    yield exponent(
        GROWING, far, expected=(0.75, 1.25), rival={"the printed order": 0.5},
        what="exponent of ‖H(0) - H∞‖ in n, orthonormal, m = 4096",
    )  # fmt: skip


@claims.experiment
def neuron_sizes(gaussian_vectors: Tensor, first: int) -> Verdict:
    """Claim C.1 (i): ‖Z‖ against λ_n ‖w‖² for six samples in four dimensions."""
    X, w = data.sphere(6, 4, seed=first + 2), gaussian_vectors[:, :2000]
    size = torch.relu(X.T @ w).square().sum(0)
    return proved(inequality(size, norms(X) ** 2 * w.square().sum(0), what="(i)"))


@claims.check("claim-C-1")
def size_of_one_neuron(neuron_sizes: Verdict) -> Iterator[Verdict]:
    """(i), and the printed tail at d = 1 and at `TAILS`."""
    yield neuron_sizes
    yield exactly(
        exact.chi_square_tail(4 * arb(20000).log().sqrt()), "<=", Fraction(1, 10000),
        what="(ii), d = 1, δ = 10^-4", instance={"d": 1, "δ": "1/10000"},
    )  # fmt: skip
    printed = [stats.chi2.sf(4 * dim * sqrt(log(2 / eps)), dim) for dim, eps in TAILS]
    yield inequality(printed, [eps for _, eps in TAILS], what="(ii) exact tail against δ")


def tail_sides(x: NDArray[np.float64]) -> tuple[float, float]:
    """The exact tail at the corrected radius and δ, at d and -log10 δ."""
    delta = 10 ** -x[1]
    return stats.chi2.sf(bounds.chi_square_radius(x[0], delta), x[0]), delta


@claims.check("claim-C-1-corrected")
def upper_tail(neuron_sizes: Verdict, seed: int) -> Iterator[Verdict]:
    """(i), and a search over d and δ."""
    yield neuron_sizes
    yield search(
        tail_sides, [(1, 300), (0.001, 16)], integrality=[True, False], evaluations=4000, floor=0,
        seed=seed, what="(ii) exact tail against δ",
    )  # fmt: skip


@dataclass(frozen=True)
class Moments:
    """Estimates for Z on three data sets, the last of them twenty orthonormal samples.

    Attributes:
        forms: what the bounds know of the sets.
        second: ‖E[Z Zᵀ]‖.
        fourth: an upper estimate of (E‖φ(Xᵀw)‖⁴)^(1/2).
    """

    forms: list[Geometry]
    second: list[float]
    fourth: list[float]


@claims.experiment
def moments(monte_carlo: int, first: int) -> Moments:
    """Monte Carlo with a quarter of the draws."""
    sets = [data.sphere(20, 10, first), data.sphere(40, 5, first), data.orthonormal(20, 20)]
    draw, count = core.generator(first + 2, "Z"), monte_carlo // 4
    found = [kernels.moment_estimates(x, count, draw) for x in sets]
    return Moments(
        [kernels.geometry(x) for x in sets],
        [float(norms(second)) for second, _, _ in found],
        [float((fourth + 5 * error).sqrt()) for _, fourth, error in found],
    )


ORTHONORMAL = range(2, 201)
"""Numbers of orthonormal samples whose second moment is computed."""


def closed_moments() -> NDArray[np.float64]:
    """‖E[Z Zᵀ]‖ of `ORTHONORMAL` samples."""
    return np.array([kernels.orthonormal_moment_norm(k) for k in ORTHONORMAL])


@claims.check("claim-C-2")
def second_moment() -> Iterator[Verdict]:
    """The exact moment of orthonormal samples against 3n."""
    yield exactly(
        exact.orthonormal_moment(30), "<=", 90, what="30 orthonormal samples",
        instance={"X": "I_30"},
    )  # fmt: skip
    most = [3.0 * k for k in ORTHONORMAL]
    yield inequality(closed_moments(), most, what="orthonormal, n = 2 to 200")


@claims.check("claim-C-2-corrected", proof="proved on the page")
def second_moment_corrected(moments: Moments) -> Iterator[Verdict]:
    """The bound for orthonormal samples and three data sets, and the exact value."""
    above = [bounds.moment_bound(k, 0.5 + (k - 1) / (2 * pi), 1.0) for k in ORTHONORMAL]  # ‖H∞‖
    yield proved(inequality(closed_moments(), above, what="orthonormal"))
    most = [bounds.moment_bound(f.n, f.norm_h, f.lambda_n) for f in moments.forms]
    yield proved(inequality(moments.second, most, what="three data sets, estimated"))
    off = abs(moments.second[2] / kernels.orthonormal_moment_norm(20) - 1)
    yield inequality(off, 0.03, what="estimate against the exact value, relative")


@claims.check("claim-C-3", proof="proved on the page")
def fourth_moment(moments: Moments) -> Iterator[Verdict]:
    """An upper bound of the left side against the right one."""
    most = [sqrt(3) * f.d * f.lambda_n for f in moments.forms]
    yield inequality(moments.fourth, most, what="upper bound of the left side, estimated")


@claims.check("sliding")
def slower_than_proved() -> Iterator[Verdict]:
    """The least eigenvalue of G with the six gates open, closed or partly open, and the error at
    t = 40, for two steps, against that of Lemma 4.3."""
    X, p, times = sliding.samples(), sliding.start(), [0.0, 10.0, 20.0, 40.0]
    half = kernels.geometry(X).lambda_0 / 2
    least = [sliding.least(gates) for gates in product((0.0, 1.0), repeat=6)]
    yield inequality(half, least, what="λ₀/2, and λ_min(G) with gates of 0 and 1")
    yield inequality(sliding.least([sliding.GATE] * 6), half, what="with gates of 0.6, and λ₀/2")
    for step in (0.05, 0.02):
        look = kernels.watch("weak", p, X)
        seen = network.flow("weak", p, X, times, step=step, observe=look)
        allowed = 1.5 * bounds.flow_bound(half, times, seen["error"][0])
        yield inequality(half, seen["least"], what="λ₀/2, and λ_min(G) on the way")
        yield inequality(allowed[-1], seen["error"][-1], what=f"1.5 times the bound, steps {step}")
