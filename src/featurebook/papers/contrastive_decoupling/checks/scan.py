"""The checks of a scan over d with augmentation: features, weights and firing."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.contrastive_decoupling import (
    experiments,
    measures,
    model,
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.theory import above
from featurebook.verdicts import Verdict, exponents
from featurebook.verdicts.comparisons import inequality, trend

IN_RUNS = "these runs are a few of all trajectories"
SLACK = 2 * theory.GAMMA * theory.C0
"""Ξ₂ is d to this."""


@claims.experiment
def standard_recipe(setting: model.SparseCoding, steps: int) -> model.Recipe:
    """The recipe of run A, with its usual bias."""
    return experiments.recipe(setting.d, setting.p, steps)


@claims.experiment
def scan(
    worlds: dict[int, model.SparseCoding], d: int, m: int, K: int, N: int, steps: int,
    seeds: list[int], device: str,
) -> dict[int, core.Run]:  # fmt: skip
    """Run A at each size d, with neurons in proportion."""
    return {
        size: experiments.fit(
            "mask", experiments.recipe(size, world.p, steps), world=world, K=K, N=N,
            m=max(m * size // d, 8), seeds=seeds, observe_at=[0, steps], label=f"d = {size}",
            device=core.pick_device(device),
        )
        for size, world in worlds.items()
    }  # fmt: skip


@claims.experiment
def by_d(
    scan: dict[int, core.Run], worlds: dict[int, model.SparseCoding], N: int, n_probe: int,
    seed: int,
) -> pd.DataFrame:  # fmt: skip
    """All measures of the networks, a row for each d and seed."""
    rows = []
    for size, run in scan.items():
        world = worlds[size]
        probe = measures.probe_data(world, n_probe, n_probe, seed + size)
        known = {"d": size, "d_1": world.d1, "p": world.p}
        known["floor"] = theory.loss_floor(size, world.p, N)
        known["linear bound"] = theory.linear_bound(world.p, world.sigma**2)
        for loss, (s, W, b) in zip(run.params["loss"], measures.networks(run), strict=True):
            found = measures.judge(W, b, world, probe) | measures.anatomy(W, b, world, probe)
            rows.append({"seed": s, "loss": float(loss), "neurons": len(W)} | known | found)
    return pd.DataFrame(rows)


@claims.experiment
def middle(scan_d: list[int]) -> int:
    """The size in the middle of the scan."""
    return scan_d[len(scan_d) // 2]


@claims.experiment
def scan_untrained(
    scan: dict[int, core.Run], worlds: dict[int, model.SparseCoding], middle: int, n_probe: int,
    seed: int,
) -> dict[str, float]:  # fmt: skip
    """The same measures of a network of that size before training."""
    W, b = (scan[middle].observed[name][0, 0].cpu() for name in ("W", "b"))
    probe = measures.probe_data(worlds[middle], n_probe, n_probe, seed + middle)
    about = measures.anatomy(W, b, worlds[middle], probe)
    return measures.judge(W, b, worlds[middle], probe) | about


@claims.experiment
def by_seed_and_d(by_d: pd.DataFrame) -> pd.DataFrame:
    """The measures, a row for each seed, columns (measure, d)."""
    return by_d.pivot_table(index="seed", columns="d", dropna=False)


@claims.experiment
def powers(by_seed_and_d: pd.DataFrame, scan_d: list[int]) -> dict[str, NDArray[np.float64]]:
    """Powers of d of some measures, (seeds,)."""
    names = ("relative error", "own weight", "max |w|", "least / largest", "firing / p")
    others = ("off-atom rms / |w|", "off-span rms / |w|", "fires without its atom")
    return {q: exponents(np.array(scan_d), by_seed_and_d[q]) for q in (*names, *others)}


@claims.check("theorem-3-4")
def features_of_signals(
    by_d: pd.DataFrame, powers: dict[str, NDArray[np.float64]], scan_d: list[int]
) -> Iterator[Verdict]:
    """Atoms that are found, the error of the features, and when they are silent."""
    yield trend(
        (by_d.covered / by_d.d).groupby(by_d.seed).mean(),
        expected=(0.95, 1),
        within=(0, 1),
        what="share of the atoms with a singleton",
    )
    yield trend(
        powers["relative error"],
        expected=(-np.inf, 0),
        rival=0.0,
        what="power of d of the relative error",
    )
    beyond = by_d[by_d.d > min(scan_d)]
    yield trend(
        (beyond["heard"] - beyond["z ≠ 0"]).groupby(beyond.seed).mean(),
        expected=(-0.01, 0.01),
        what="Pr(f(Mz) ≠ 0) - Pr(z ≠ 0) beyond the smallest d",
    )


@claims.check("theorem-e-1")
def weights_off_their_atom(powers: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """Powers of d with which other weights fall."""
    off_atom, off_span = (-powers[f"off-{q} rms / |w|"] for q in ("atom", "span"))
    yield above(off_atom, least=0.75, what="(b) off-atom weights fall like d to minus this")
    yield above(off_span, least=0.25, what="(c) dense weights like d to minus this")


@claims.check("theorem-e-1-a")
def weight_of_a_singleton(powers: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """Powers of d of a singleton's weight and of the largest norm."""
    own, largest = powers["own weight"], powers["max |w|"]
    yield trend(own, expected=(-SLACK, 0), what="power of d of a singleton's weight")
    yield trend(largest, expected=(-math.inf, 0), what="power of d of the largest norm")


@claims.check("hypothesis-e-2-rest")
def coherence_in_stage_three(
    by_seed_and_d: pd.DataFrame, powers: dict[str, NDArray[np.float64]]
) -> Iterator[Verdict]:
    """Mean coherence, and powers of d of other weights."""
    coherence = by_seed_and_d["coherence"].T.mean()
    yield trend(coherence, expected=(0.5, 1), what="(1) mean coherence")
    off_atom, off_span = (-powers[f"off-{q} rms / |w|"] for q in ("atom", "span"))
    yield above(off_atom, least=0.5 + 5 * SLACK, what="(5) minus the power of d, off-atom")
    yield above(off_span, least=5 * SLACK, what="(6) minus the power of d, dense")


@claims.check("hypothesis-e-2-4")
def weights_on_an_atom_are_alike(powers: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The power of d of the least weight on an atom over the largest."""
    what = "power of d of the least over the largest weight"
    yield above(powers["least / largest"], what=what)


@claims.check("hypothesis-e-2", beyond=IN_RUNS)
def atoms_are_not_used_too_much(
    by_d: pd.DataFrame, standard_recipe: model.Recipe
) -> Iterator[Verdict]:
    """The largest squared weight on an atom against τ log³ d."""
    allowed = standard_recipe.tau * np.log(by_d.d) ** 3
    yield inequality(by_d["max F_j"], allowed, what="largest F_j, constant 1")


@claims.check("fact-e-3")
def rare_and_right_firing(
    powers: dict[str, NDArray[np.float64]], worlds: dict[int, model.SparseCoding],
    scan_d: list[int],
) -> Iterator[Verdict]:  # fmt: skip
    """Powers of d of firing, and of firing without one's atom."""
    rarer = float(exponents(np.array(scan_d), [worlds[n].p for n in scan_d])[0])
    yield trend(
        powers["firing / p"],
        expected=(-np.inf, 0),
        rival={"a fixed firing rate": -rarer},
        what="power of d of the firing rate over p",
    )
    yield trend(
        powers["fires without its atom"],
        expected=(-np.inf, -1),
        rival={"as p": rarer},
        what="power of d of false firing",
    )
