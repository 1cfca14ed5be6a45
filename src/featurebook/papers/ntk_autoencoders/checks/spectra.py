"""The checks of the data and of the limits of both kernels: smallest eigenvalues, ratios."""

from collections.abc import Iterator
from fractions import Fraction
from math import pi

import numpy as np
import pandas as pd
import torch
from flint import arb
from numpy.typing import NDArray
from torch import Tensor

from featurebook.papers.ntk_autoencoders import bounds, data, exact, experiments, kernels
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Starts, Verdict, proved, starts
from featurebook.verdicts.comparisons import attack, exactly, exponent, inequality

SIZES = [(k, dim, s) for k in (2, 5, 10, 40) for dim in (5, 10) for s in range(10)]
"""n, d and seed of random data sets."""
RAYS = {
    "n = 4d": [(4 * k, k) for k in (10, 20, 40, 80)],
    "n = d/4": [(k // 4, k) for k in (40, 80, 160, 320)],
}
"""n and d along which λ_n / max(n/d, 1) must not grow."""
PAIRS = [(2, 2), (2, 3), (3, 3), (5, 5), (5, 10), (10, 5), (10, 10), (10, 50), (20, 10), (50, 20)]
"""n and d of random data sets whose spectra are drawn."""
COSINES = [0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999]
"""Of the pairs of samples whose ratio λ_H/λ_0 is computed."""
DIMENSIONS = {"n = 5": [50, 200, 800, 3200], "n = d": [64, 128, 256, 512]}
LEVELS = {"n = 5": 1 - 1 / pi, "n = d": 1 - 2 / pi}
"""The limits of λ_H/λ_0 along `DIMENSIONS`."""
SETS = {"n = 5": 600, "n = d": 60}
"""Data sets of each size, in six groups."""


@claims.experiment
def random_shapes(first: int) -> list[Geometry]:
    """What the bounds know of the data sets of `SIZES`."""
    return [kernels.geometry(data.sphere(k, dim, first + s)) for k, dim, s in SIZES]


@claims.check("remark-lambda-n")
def norm_of_the_data(random_shapes: list[Geometry], first: int) -> Iterator[Verdict]:
    """Both inequalities, and the exponent of λ_n / max(n/d, 1) in d along two rays."""
    lambdas = np.array([g.lambda_n for g in random_shapes])
    least = np.array([max(g.n / g.d, 1) for g in random_shapes])
    most = [g.n for g in random_shapes]
    yield proved(inequality(least, lambdas, slack=1e-12, what="max(n/d, 1) <= λ_n"))
    yield proved(inequality(lambdas, most, slack=1e-12, what="λ_n <= n"))
    for name, ray in RAYS.items():
        grown = [
            [experiments.relative_norm(*size, s) for size in ray] for s in range(first, first + 8)
        ]
        yield exponent(
            [dim for _, dim in ray], grown, expected=(-0.1, 0.1), rival={"λ_n ~ n": 1.0},
            what=f"{name}, exponent of λ_n / max(n/d, 1) in d",
        )  # fmt: skip


@claims.experiment
def separation_attacks(first: int, seed: int) -> list[Verdict]:
    """Attacks that lower λ_0 relative to Δ±/100n², for n = 2, 3, 5 and 6 samples."""
    begin = {k: starts({"X": (3 if k < 6 else 2, k)}, random=48, seed=seed) for k in (2, 3, 5, 6)}
    turned = [data.near_hexagon(first + s, size) for s in range(8) for size in (0.1, 0.01, 1e-3)]
    begin[6] = begin[6] + Starts.plain({"X": torch.stack(turned)})
    return [
        attack(
            bounds.separation_sides, points, steps=150, what=f"n = {k}",
            into=lambda raw: raw["X"] / raw["X"].norm(dim=0).clamp(min=1e-9),
        )
        for k, points in begin.items()
    ]  # fmt: skip


@claims.check("remark-parallel", proof="proved on the page")
def no_parallel_samples(
    separation_attacks: list[Verdict], random_shapes: list[Geometry]
) -> Iterator[Verdict]:
    """λ_0 where an attack ended, and of random data."""
    ended = [verdict.numbers["larger_at_worst"] for verdict in separation_attacks]
    found = [*ended, *(g.lambda_0 for g in random_shapes)]
    yield inequality(0.0, found, what="λ_0 at the tightest instances of the attack")


@claims.check("remark-separation")
def separation_of_samples() -> Iterator[Verdict]:
    """Δ/100n² against λ_0 for a hexagon, and for one with a corner turned."""
    entries = [Fraction(1, k) for k in (2, 6, -12)]  # cos(60°k) (180 - 60k)/360, k = 0, 1, 2
    quotient = entries[0] - 2 * entries[1] + 2 * entries[2]
    least, most = exact.near_hexagon(arb(1) / 1000)
    yield exactly(
        least, "<=", most, what="hexagon, one corner turned by 0.001: Δ/100n² and λ_0 at most",
        instance={"samples": "corners of a regular hexagon", "one is turned by": "1/1000"},
    )  # fmt: skip
    yield exactly(Fraction(1, 3600), "<=", quotient, what="hexagon: Δ/100n² and λ_0 at most")


@claims.check("remark-separation-corrected")
def separation_of_lines(separation_attacks: list[Verdict]) -> Iterator[Verdict]:
    """The attacks on Δ±/100n²."""
    yield from separation_attacks


@claims.experiment
def random_spectra(data_draws: int, seed: int) -> dict[tuple[int, int], Tensor]:
    """λ_0, λ_H and λ_min(K∞) of random data sets (3, draws), by (n, d)."""
    return {size: experiments.spectra(*size, data_draws, seed) for size in PAIRS}


@claims.check("K-limit")
def joint_limit(random_spectra: dict[tuple[int, int], Tensor]) -> Iterator[Verdict]:
    """λ_0 against λ_H, for two orthonormal samples and on random data."""
    half = arb(1) / 2
    yield exactly(
        half, "<=", half - 1 / (2 * arb.pi()), what="λ_0 <= λ_H, two orthonormal samples",
        instance={"X": "I_2"},
    )  # fmt: skip
    low, low_h, _ = torch.cat(list(random_spectra.values()), dim=1)
    yield inequality(low, low_h, slack=1e-12, what="λ_0 <= λ_H, random data")


@claims.check("K-limit-corrected", proof="proved on the page")
def limit_as_a_sum(random_spectra: dict[tuple[int, int], Tensor]) -> Iterator[Verdict]:
    """Weyl's inequality on random data, and the ratio of pairs against its bound and its slope."""
    low, low_h, low_k = torch.cat(list(random_spectra.values()), dim=1)
    yield proved(inequality(low + low_h, low_k, slack=1e-12, what="λ_0 + λ_H <= λ_min(K∞)"))
    psi = np.arccos(COSINES)
    close = [kernels.geometry(data.pair(float(np.cos(a)))) for a in psi]
    ratio = np.array([g.lambda_h / g.lambda_0 for g in close])
    yield proved(inequality(ratio, pi / 2 * psi, what="λ_H/λ_0 <= πψ/2, pairs"))
    slope = np.diff(np.log(ratio[-2:])) / np.diff(np.log(psi[-2:]))
    short = abs(experiments.slope_shortfall(psi[-2:].tolist()))
    yield inequality(np.abs(slope - 1), short, what="slope of λ_H/λ_0 in ψ, last two, from 1")


@claims.experiment
def special_sets() -> pd.DataFrame:
    """λ_0, λ_H and their ratio for pairs, simplices and orthonormal samples."""
    sets = {f"pair, cosine {r}": data.pair(r) for r in (-0.6, -0.39, 0.0, 0.5, 0.99, 0.999)}
    sets |= {f"simplex, n = {k}": data.simplex(k) for k in (3, 11)}
    sets["orthonormal, n = 10"] = data.orthonormal(10, 10)
    table = pd.DataFrame({name: vars(kernels.geometry(x)) for name, x in sets.items()}).T
    table["ratio"] = table.lambda_h / table.lambda_0
    return table[["lambda_0", "lambda_h", "ratio"]].astype(float)


@claims.experiment
def ratios(seed: int) -> dict[str, NDArray[np.float64]]:
    """λ_H/λ_0 of random data sets (sets, sizes) along `DIMENSIONS`."""
    found = {}
    for name, values in DIMENSIONS.items():
        spectra = [
            experiments.spectra(5 if name == "n = 5" else dim, dim, SETS[name], seed)
            for dim in values
        ]
        found[name] = torch.stack([high / low for low, high, _ in spectra], dim=1).numpy()
    return found


@claims.check("observation-ratio-limits")
def ratio_in_high_dimension(ratios: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The exponent in d of the root mean square distance from the limits, in six groups."""
    for name, values in DIMENSIONS.items():
        off = np.square(ratios[name] - LEVELS[name])
        gap = np.sqrt(off.reshape(6, SETS[name] // 6, len(values)).mean(1))
        yield exponent(
            values, gap, expected=(-np.inf, -0.5), rival={"another limit": 0.0},
            what=f"{name}, exponent in d of the root mean square distance",
        )  # fmt: skip
