"""The checks of the width that training needs, of certified widths, and of Table 1 on data."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import ceil, log, sqrt

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, images
from featurebook.core import spectra
from featurebook.papers.ntk_autoencoders import (
    bounds,
    data,
    experiments,
    kernels,
    network,
    search,
)
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, identity, inequality, probability

ORDERED = [
    ("weak, This work, single", "weak, Du et al. 2018, single"),
    ("joint, This work, single", "joint, Du et al. 2018, single"),
    ("joint, This work, multiple", "joint, Zou, Gu 2019, multiple"),
]
"""Rows of Table 1, the smaller width first."""
SAME = ("joint, This work, single", "weak, Oymak, Soltanolkotabi 2019, single")
TYPICAL = Geometry(1000, 10, 1.0, 1.0, 1.0, lambda_n=100.0, norm_h=1.0)
"""A data set with λ_n = n/d and every other quantity of Table 1 equal to 1."""
SQUEEZED = (40, 5)
"""n and d of the narrow networks."""
NARROW = (("joint", 10, 40), ("joint", 64, 3), ("weak", 10, 10), ("weak", 64, 3))
"""Regime, width and number of the narrow networks."""


@claims.experiment
def needed_widths(
    search_samples: list[int], search_dimension: int, search_data: int, search_seeds: int,
    search_error: float, c: float, first: int, place: torch.device,
) -> pd.DataFrame:  # fmt: skip
    """The smallest width that keeps the proved rate: n, set, regime, width."""
    rows = []
    for k in search_samples:
        sets = [data.sphere(k, search_dimension, first + 100 + s) for s in range(search_data)]
        for regime in network.GRADIENTS:
            found = search.smallest_width(
                regime, torch.stack(sets).to(place),
                seeds=search_seeds, c=c, error=search_error, first=first,
            )  # fmt: skip
            rows += [(k, s, regime, m) for s, m in enumerate(found)]
    return pd.DataFrame(rows, columns=["n", "set", "regime", "width"])


@claims.check("observation-message")
def joint_needs_less(needed_widths: pd.DataFrame, search_dimension: int) -> Iterator[Verdict]:
    """On how many data sets joint training needs no more width than weak training."""
    by = needed_widths.pivot_table(index=["n", "set"], columns="regime", values="width")
    yield probability(
        int((by.joint <= by.weak).sum()), len(by), at_least=0.5,
        what=f"m* of joint at most that of weak, d = {search_dimension}, random data",
    )  # fmt: skip


@claims.experiment
def certified_widths(
    certificate_sizes: list[int], certificate_width: int, first: int
) -> dict[str, NDArray[np.float64]]:
    """Smallest certified widths (seeds, sizes) of weak and joint training."""
    return {
        regime: np.array([
            [
                experiments.certified_width(regime, k, certificate_width, s)
                for k in certificate_sizes
            ]
            for s in range(first, first + 3)
        ])
        for regime in ("weak", "joint")
    }  # fmt: skip


@claims.experiment
def real_images() -> list[images.Images]:
    """Digits, and CIFAR-10 if it is there."""
    digits = images.digits("test")
    try:
        return [digits, images.cifar10("test")]
    except images.MissingDataError:
        return [digits]


@claims.experiment
def data_shapes(table_rows: int, real_images: list[images.Images]) -> dict[str, Geometry]:
    """What the bounds know of each data set."""
    sets = data.named_sets(table_rows, real_images)
    return {name: kernels.geometry(x) for name, x in sets.items()}


@claims.experiment
def table_1(data_shapes: dict[str, Geometry]) -> pd.DataFrame:
    """The widths of Table 1 with C = 1 and δ = 1: data sets by rows of the table."""
    asked = {}
    for name, form in data_shapes.items():
        table = bounds.table_1(form, delta=1.0)
        index = table.regime + ", " + table.reference + ", " + table.outputs
        asked[name] = table.set_index(index).width
    return pd.DataFrame(asked).T


@claims.check("table-1")
def widths_that_suffice(table_1: pd.DataFrame) -> Iterator[Verdict]:
    """Which row asks for less, which two are the same, and the order at λ_n = n/d."""
    logs = np.log10(table_1)
    for a, b in ORDERED:
        yield inequality(logs[a], logs[b], slack=1e-9, what=f"log10, {a} and {b}")
    same = [logs[row] for row in SAME]
    yield identity(*same, tolerance=1e-12, what="log10, joint and Oymak")
    quartic = bounds.width(bounds.TABLE_1[7], TYPICAL, 1.0)
    expected = float(TYPICAL.n) ** 4 / TYPICAL.d**3
    yield identity(quartic, expected, tolerance=1e-12, what="n⁴/d³")


@claims.experiment
def route_powers() -> pd.DataFrame:
    """Powers of λ_n, λ_0 and δ in the widths that the proofs' conditions ask for."""
    routes: dict[str, Callable[[Geometry, float], float]] = {
        "weak": bounds.weak_route_width,
        "joint": bounds.joint_route_width,
    }
    base = Geometry(50, 20, 1.0, lambda_0=1e-3, lambda_h=1e-3, lambda_n=10.0, norm_h=10.0)
    doubled = {
        "λ_n": (replace(base, lambda_n=20.0), 1e-3),
        "λ_0": (replace(base, lambda_0=2e-3), 1e-3),
        "δ": (base, 2e-3),
    }
    return pd.DataFrame({
        regime: {k: np.log2(width(*v) / width(base, 1e-3)) for k, v in doubled.items()}
        for regime, width in routes.items()
    }).T  # fmt: skip


@claims.experiment
def ranks(
    samples: Tensor, n: int, d: int, n_seeds: int, seed: int, place: torch.device
) -> pd.DataFrame:
    """The rank of K(0) of narrow networks beside the numbers of parameters and of equations."""
    rows = []
    for m in (ceil(n * d / (2 * d - 1)), n, 2 * n, 4 * n):
        nets = experiments.ensemble(m, d, n_seeds, seed=seed, place=place)
        for regime, count in (("weak", m * d), ("joint", (2 * d - 1) * m)):
            kernel = core.per_network(lambda p, r=regime: kernels.KERNELS[r](p, samples), 0)
            rank = spectra.rank(kernel(nets).cpu(), symmetric=True).tolist()
            rows.append((m, regime, count, n * d, rank))
    return pd.DataFrame(rows, columns=["m", "regime", "parameters", "nd", "rank of K(0), seeds"])


@claims.experiment
def narrow_sets(first: int, place: torch.device) -> dict[str, Tensor]:
    """Forty samples in five dimensions that are trained, and new ones (5, N)."""
    n, d = SQUEEZED
    found = {"train": data.sphere(n, d, first + 40), "test": data.sphere(200, d, first + 41)}
    return {name: X.to(place) for name, X in found.items()}


@claims.experiment
def narrow_runs(
    narrow_sets: dict[str, Tensor], narrow_error: float, c: float, seed: int, place: torch.device
) -> pd.DataFrame:
    """Errors per sample of narrow networks: step, replica, train, test, regime, m, after.

    They are trained as long as the proved rate needs to ``narrow_error``, from 3/2.
    """
    X, d, frames = narrow_sets["train"], SQUEEZED[1], []
    least = kernels.geometry(X.cpu()).lambda_0

    def errors(params: core.Params) -> dict[str, Tensor]:
        return {k: network.squared_error(params, x) / x.shape[1] for k, x in narrow_sets.items()}

    for regime, m, count in NARROW:
        start = experiments.ensemble(m, d, count, seed=seed, place=place)
        eta = kernels.stable_step(regime, start, X, c)
        steps = ceil(log(narrow_error / 1.5) / log(1 - eta * least / (2 * d)))
        when = {min(1500, steps - 1): "1500 steps", steps: "proved rate"}
        run = network.descend(
            regime, start, X, eta=eta, steps=steps, seeds=range(count), observe=errors,
            observe_at=list(when),
        )  # fmt: skip
        frame = run.frame().assign(regime=regime, m=m)
        frames.append(frame.assign(after=frame.step.map(when)))
    return pd.concat(frames)


def identity_network(d: int) -> core.Params:
    """W = [I, -I] and A = √(md) W, a network of width m = 2d that is the identity."""
    eye = torch.eye(d, dtype=torch.double)
    both = torch.cat([eye, -eye], dim=1)
    return {"W": both, "A": sqrt(2 * d * d) * both}


@claims.check("observation-narrow")
def zero_error(
    narrow_runs: pd.DataFrame, narrow_sets: dict[str, Tensor], narrow_error: float
) -> Iterator[Verdict]:
    """The exact network, and which narrow networks come below the error."""
    d, new = SQUEEZED[1], narrow_sets["test"].cpu()
    reached = network.outputs(identity_network(d), new)
    yield identity(reached, new, tolerance=1e-12, what="the exact network")
    last = narrow_runs[(narrow_runs.m == 2 * d) & (narrow_runs.after == "proved rate")]
    joint, weak = (last[last.regime.eq(regime)] for regime in ("joint", "weak"))
    zero = (joint.train < narrow_error) & (joint.test < narrow_error)
    yield probability(
        zero.sum(), len(zero), at_least=1 / 3,
        what=f"joint, m = 10: train and test error below {narrow_error:g}",
    )  # fmt: skip
    yield everywhere(weak.train > narrow_error, what="weak, m = 10: train error above")
