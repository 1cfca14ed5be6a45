"""The checks of stages II and III: bias schedules, singletons, and the push on them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.contrastive_decoupling import (
    experiments,
    gradients,
    measures,
    model,
    signs,
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.theory import bites
from featurebook.verdicts import Verdict, contrary
from featurebook.verdicts.comparisons import exactly, exponent, identity, inequality, trend

LEVELS = np.array([0.03, 0.1, 0.3, 1, 3, 10, 30])
"""𝔉_j over τ log d at which the push on a singleton is computed."""
PASSED = 5
"""Place of t_1 among the steps at which runs of a schedule are looked at."""


@claims.experiment
def full_recipe(setting: model.SparseCoding, steps: int, beta_end: float) -> model.Recipe:
    """The recipe of run A."""
    return experiments.recipe(setting.d, setting.p, steps, beta_end)


@dataclass(frozen=True)
class Schedule:
    """How a bias rises: C_z of its world, and its rule."""

    C_z: float
    rule: model.BiasRule


@claims.experiment
def schedules(full_recipe: model.Recipe, d: int) -> dict[str, Schedule]:
    """The printed schedule at several C_z and with a cap, and the bias tied to the norm."""
    printed = model.printed_schedule(d, full_recipe.t1)
    capped = model.printed_schedule(d, full_recipe.t1, cap=0.4)
    return {
        "printed, C_z = 1": Schedule(1.0, printed),
        "printed, C_z = 3": Schedule(3.0, printed),
        "printed, C_z = 5": Schedule(5.0, printed),
        "printed, C_z = 5, cap 0.4": Schedule(5.0, capped),
        "tied to the norm, C_z = 1": Schedule(1.0, model.ramp(full_recipe)),
    }


@claims.experiment
def schedule_runs(
    schedules: dict[str, Schedule], full_recipe: model.Recipe, d: int, d1: int, C_sigma: float,
    K: int, N: int, m: int, seeds: list[int], seed: int, device: str,
) -> dict[str, tuple[model.SparseCoding, core.Run]]:  # fmt: skip
    """The world and the run of each schedule; all seeds for the tied one, one for the others."""
    found, t1 = {}, full_recipe.t1
    for name, schedule in schedules.items():
        world = model.sparse_coding(d, d1, schedule.C_z, C_sigma, seed)
        eta = experiments.ETA_P / world.p
        run = experiments.fit(
            "mask", replace(full_recipe, eta=eta, eta_late=eta, steps=5 * t1),
            world=world, K=K // 2, N=N, m=m // 2, rule=schedule.rule,
            observe_at=range(0, 5 * t1 + 1, max(t1 // 5, 1)), label=name,
            seeds=seeds if name.startswith("tied") else seeds[:1], device=core.pick_device(device),
        )  # fmt: skip
        found[name] = (world, run)
    return found


@claims.experiment
def tied(schedule_runs: dict[str, tuple[model.SparseCoding, core.Run]]) -> core.Run:
    """The run whose bias is tied to the norm."""
    return schedule_runs["tied to the norm, C_z = 1"][1]


@claims.experiment
def alive(schedule_runs: dict[str, tuple[model.SparseCoding, core.Run]], seed: int) -> pd.DataFrame:
    """Share of the neurons that fire on any example, by step and schedule."""
    shares = {
        name: experiments.firing_share(run, experiments.alive_at(world, seed))
        for name, (world, run) in schedule_runs.items()
    }
    *_, (_, run) = schedule_runs.values()
    return pd.DataFrame(shares, index=run.steps)


@claims.experiment
def learnt_by_schedule(
    schedule_runs: dict[str, tuple[model.SparseCoding, core.Run]], alive: pd.DataFrame,
    n_probe: int, seed: int,
) -> pd.DataFrame:  # fmt: skip
    """The measures of the first network of each schedule."""
    rows = {}
    for name, (world, run) in schedule_runs.items():
        _, W, b = measures.networks(run)[0]
        probe = measures.probe_data(world, n_probe, n_probe, seed)
        rows[name] = measures.judge(W, b, world, probe)
    return pd.DataFrame(rows).T.assign(**{"neurons that fire": alive.iloc[-1]})


@claims.experiment
def coherent(tied: core.Run, setting: model.SparseCoding) -> NDArray[np.float64]:
    """Mean share of a neuron's square on its strongest atom, (steps, seeds)."""
    return np.array([
        [float(measures.coherences(w, setting.M).mean()) for w in W.cpu()]
        for W in tied.observed["W"]
    ])  # fmt: skip


@claims.experiment
def bias_without_mask(
    scan_d: list[int], d: int, d1: int, m: int, C_z: float, C_sigma: float, K: int, N: int,
    steps: int, beta_end: float, n_probe: int, seeds: list[int], seed: int, device: str,
) -> pd.DataFrame:  # fmt: skip
    """Without a mask, with a bias and without: what is learnt, a row for each run, d and seed."""
    rows: list[dict[str, Any]] = []
    for size in scan_d:
        world = model.sparse_coding(size, experiments.larger(d, d1, size), C_z, C_sigma, seed)
        probe = measures.probe_data(world, n_probe, n_probe, seed + size)
        ramped = replace(experiments.recipe(size, world.p, steps, beta_end), norm=0.9)
        recipes = {"with bias": ramped, "no bias": replace(ramped, beta_end=0.0)}
        runs = experiments.fit_all(
            "plain", recipes, world=world, K=K // 2, N=N, m=max(m // 2 * size // d, 8),
            seeds=seeds, label=f"d = {size}", device=core.pick_device(device),
            observe_at={name: [0, steps] for name in recipes},
        )  # fmt: skip
        for name, run in runs.items():
            killed = measures.dead(run, probe.x[:2000])
            for s, W, b in measures.networks(run):
                about = {"cosine": measures.cosine_to_noise(W, b, probe), "dead": killed}
                about["found"] = int(measures.covered(W, world.M)) / size
                rows.append({"run": name, "d": size, "seed": s} | about)
        W0, b0 = (runs["no bias"].observed[key][0, 0].cpu() for key in ("W", "b"))
        start = {"cosine": measures.cosine_to_noise(W0, b0, probe), "found": 0, "dead": 0}
        rows.append({"run": "untrained", "d": size, "seed": seed} | start)
    return pd.DataFrame(rows)


@claims.experiment
def singleton_pushes(setting: model.SparseCoding, N: int, seeds: list[int]) -> NDArray[np.float64]:
    """Relative pushes of the part Ψ and of all parts on a singleton: (2, seeds, `LEVELS`)."""
    log_d = math.log(setting.d)
    found = [
        [gradients.singleton_pushes(setting, s, level * log_d, N) for level in LEVELS]
        for s in seeds
    ]
    return np.array(found).transpose(2, 0, 1)


@claims.experiment
def worlds(
    scan_d: list[int], d1: int, C_z: float, C_sigma: float, seed: int
) -> dict[int, model.SparseCoding]:
    """The model at the sizes of the scan over d."""
    return {n: model.sparse_coding(n, d1, C_z, C_sigma, seed) for n in scan_d}


@claims.check("hypothesis-d-1")
def printed_schedule(C_z: float) -> Iterator[Verdict]:
    """From what size on a lucky coordinate grows faster than the printed bias."""
    log_sizes = np.geomspace(3, 1e60, 2000)
    ahead = C_z * np.log(log_sizes) * theory.C0 / (1 + theory.C0) > 1
    yield bites(log_sizes, ahead, what="a lucky coordinate keeps ahead of the printed bias")


@claims.check("theorem-d-5")
def each_neuron_one_atom(coherent: NDArray[np.float64]) -> Iterator[Verdict]:
    """The share on the strongest atom at the end, of each network."""
    begun, risen = (coherent[k].mean() for k in (0, PASSED))
    yield trend(
        coherent[-1],
        expected=(0.5, 1.0),
        rival={"untrained": begun, "when the bias begins": risen},
        what="mean share of a neuron's norm on its strongest atom at the end",
    )


@claims.check("footnote-3")
def bias_cannot_help(bias_without_mask: pd.DataFrame, scan_d: list[int]) -> Iterator[Verdict]:
    """Powers of d of the distance from the noise, and of what the bias takes from the cosine."""
    cosines = bias_without_mask.pivot_table(index="seed", columns=["run", "d"])["cosine"]
    without, under = cosines["no bias"], cosines["with bias"]
    for what, taken in (
        ("1 - cosine under the bias", 1 - under),
        ("what the bias takes from the cosine", (without - under).clip(lower=1e-3)),
    ):
        yield contrary(
            exponent(
                scan_d,
                taken,
                expected=(-np.inf, 0),
                rival={"the same at every d": 0.0},
                what=f"power of d of {what}",
            )
        )


@claims.check("definition-e-4")
def parts_as_printed() -> Iterator[Verdict]:
    """The four printed parts and the gradient, for one neuron in the plane."""
    parts, slope = signs.pull_in_parts(printed=True)
    yield exactly(
        parts,
        "==",
        slope,
        what="sum of the four parts, and minus the gradient",
        instance={"M": "e₁", "z": "±1", "noise": "±e₂", "w": [1, 1], "b": "1/2"},
    )


@claims.check("definition-e-4-corrected", proof="proved on the page")
def parts_with_signs_mended(
    tied: core.Run, setting: model.SparseCoding, N: int, seed: int
) -> Iterator[Verdict]:
    """The mended parts of a trained network and its gradient, along own atoms and random ones."""
    _, W, b = measures.networks(tied)[0]
    g, M = core.generator(seed, "E4"), setting.M
    batch = gradients.draw(g, setting, 2000, N)
    others = torch.randint(0, setting.d, (len(W),), generator=g)
    mended, whole = [], []
    for j in (gradients.own_atoms(W, M)[0], others):
        part = gradients.gradient_parts(W, b, j, batch)
        errors = ((part["cross"] + part["noise"]) * M.T[j]).sum(1)
        mended.append(part["psi"] + part["phi"] + errors)
        whole.append((part["whole"] * M.T[j]).sum(1))
    what = "the same with the signs mended"
    yield identity(torch.stack(mended), torch.stack(whole), tolerance=1e-4, what=what)


@claims.check("lemma-e-5", beyond="chosen neurons, not all")
def little_used_atoms(
    singleton_pushes: NDArray[np.float64], setting: model.SparseCoding
) -> Iterator[Verdict]:
    """The relative push on singletons of atoms that are little used."""
    yield inequality(
        setting.p / math.log(setting.d) ** 2,
        singleton_pushes[0][:, LEVELS <= 0.1],
        what="relative push Ψ/α at 𝔉 ≤ 0.1 log d",
    )


@claims.check("lemma-e-6")
def much_used_atoms(
    worlds: dict[int, model.SparseCoding], scan_d: list[int], N: int, seeds: list[int]
) -> Iterator[Verdict]:
    """The power of d of the relative push on singletons of an atom that is much used."""
    used = [
        [gradients.singleton_pushes(w, s, 10 * math.log(n), N)[0] / w.p for n, w in worlds.items()]
        for s in seeds
    ]
    yield exponent(
        scan_d,
        used,
        expected=(-math.inf, 0),
        rival={"Ψ ~ αp": 0.0},
        what="power of d of Ψ/(αp) at 𝔉 = 10 log d",
    )
