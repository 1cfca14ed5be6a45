"""The checks of seven runs: what mask, bias and weight decay do together and one by one."""

import math
from collections.abc import Iterator
from dataclasses import replace

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
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.theory import above
from featurebook.verdicts import Verdict, undecided
from featurebook.verdicts.comparisons import everywhere, identity, inequality

A, B, C = "A mask + bias", "B plain, no decay", "C plain + bias, no decay"
D, E = "D plain + bias", "E plain"
"""Names of the runs that claims compare (`experiments.seven`)."""
MILD = 0.1
"""The bias whose push is judged, as a share of a neuron's norm."""
BIASES = (0.05, MILD, 0.2, 0.3, 0.4)
"""Those whose push is shown."""

Pushes = dict[tuple[str, str], NDArray[np.float64]]


@claims.experiment
def probe(setting: model.SparseCoding, n_probe: int, seed: int) -> measures.Probe:
    """Data to judge representations with."""
    return measures.probe_data(setting, n_probe, n_probe, seed)


@claims.experiment
def recipes(full_recipe: model.Recipe, setting: model.SparseCoding) -> dict[str, model.Recipe]:
    """The recipes of the seven runs."""
    return experiments.seven(full_recipe, setting.p)


@claims.experiment
def seven_runs(
    recipes: dict[str, model.Recipe], setting: model.SparseCoding, K: int, N: int, m: int,
    seeds: list[int], device: str,
) -> dict[str, core.Run]:  # fmt: skip
    """The runs themselves; those with a mask see the same batches, and so do those without."""
    runs: dict[str, core.Run] = {}
    for way in ("mask", "plain"):
        chosen = {name: r for name, r in recipes.items() if ("mask" in name) == (way == "mask")}
        runs |= experiments.fit_all(
            way, chosen, world=setting, K=K, N=N, m=m, seeds=seeds, label=way,
            observe_at={name: experiments.moments(r) for name, r in chosen.items()},
            device=core.pick_device(device),
        )  # fmt: skip
    return {name: runs[name] for name in recipes}


@claims.experiment
def course(
    seven_runs: dict[str, core.Run], setting: model.SparseCoding, probe: measures.Probe,
    seeds: list[int], K: int, N: int,
) -> pd.DataFrame:  # fmt: skip
    """All measures along the runs: a row for each run, step and seed."""
    records = []
    for name, run in seven_runs.items():
        seen = {key: value.cpu() for key, value in run.observed.items()}
        for k, step in enumerate(run.steps):
            for r, s in enumerate(seeds):
                W, b = seen["W"][k, r], seen["b"][k, r]
                record = measures.judge(W, b, setting, probe) | {"loss": float(seen["loss"][k, r])}
                if step == 0:
                    record["loss"] = measures.plain_loss(W, probe, K, N)
                records.append({"run": name, "step": step, "seed": s} | record)
    return pd.DataFrame(records)


@claims.experiment
def final(course: pd.DataFrame) -> pd.DataFrame:
    """The measures at the end, by run and seed; "untrained" ones are those of B at its start."""
    last = course[course.step == course.groupby("run").step.transform("max")]
    start = course[(course.step == 0) & (course.run == B)].assign(run="untrained")
    return pd.concat([last, start]).set_index(["run", "seed"])


@claims.experiment
def floor(setting: model.SparseCoding, N: int) -> float:
    """Below the loss of every code that sees x only through z."""
    return theory.loss_floor(setting.d, setting.p, N)


@claims.experiment
def turned(final: pd.DataFrame) -> pd.Series:
    """Change of the cosine of f(x) and f(ξ) by the training of run B, by seed."""
    return final.loc[B].cosine - final.loc["untrained"].cosine


@claims.experiment
def moved(seven_runs: dict[str, core.Run]) -> dict[str, torch.Tensor]:
    """How far run B goes: the "distance" over its weights' length, (seeds,), and the mean "cosine"
    of a neuron with its start."""
    W = seven_runs[B].observed["W"].cpu()
    distance = (W[-1] - W[0]).norm(dim=(1, 2)) / W[0].norm(dim=(1, 2))
    cosine = torch.nn.functional.cosine_similarity(W[0], W[-1], dim=-1).mean()
    return {"distance": distance, "cosine": cosine}


@claims.experiment
def taught(
    seven_runs: dict[str, core.Run], setting: model.SparseCoding, full_recipe: model.Recipe,
    probe: measures.Probe, K: int, m: int, seeds: list[int], device: str,
) -> pd.DataFrame:  # fmt: skip
    """Supervised networks and untrained ones, by labels and seed: share on the atoms, singletons,
    and likeness to run A."""
    label = probe.signal[:, None] / probe.signal.norm()
    tasks, rows = {"one label": label, "a label an atom": torch.eye(setting.d)}, []
    for task, labels in tasks.items():
        run = experiments.supervised(
            setting, full_recipe, labels, K=K // 2, m=m // 2, seeds=seeds, label=task,
            device=core.pick_device(device),
        )  # fmt: skip
        for r, (s, W, _) in enumerate(measures.networks(run)):
            ours = seven_runs[A].params["W"][r].cpu()
            for name, V in ((task, W), ("untrained", run.observed["W"][0, r].cpu())):
                rows.append({
                    "labels": name,
                    "seed": s,
                    "share": float(measures.total_share(V, setting.M)),
                    "singletons": float((measures.coherences(V, setting.M) > 0.5).float().mean()),
                    "likeness": measures.likeness(ours, V),
                })  # fmt: skip
    return pd.DataFrame(rows).groupby(["labels", "seed"]).mean()


@claims.experiment
def pushes_on_bias(
    seven_runs: dict[str, core.Run], full_recipe: model.Recipe, setting: model.SparseCoding,
    N: int, seeds: list[int],
) -> dict[float, Pushes]:  # fmt: skip
    """Push on a bias by its size, run and place along it; of all seeds at `MILD`, else of one."""
    places: dict[tuple[str, str], int] = {}
    for name in (A, B, E):
        steps = list(seven_runs[name].steps)
        at_t1 = steps.index(min(full_recipe.t1, steps[-1]))
        places |= {(name, "start"): 0, (name, "t₁"): at_t1, (name, "end"): -1}

    def pushed(name: str, when: int, r: int, beta: float) -> float:
        W = seven_runs[name].observed["W"][when, r].cpu()
        return gradients.bias_push(W, setting, "mask" in name, beta, N, seeds[r])

    return {
        beta: {
            (name, place): np.array([
                pushed(name, when, r, beta) for r in range(len(seeds) if beta == MILD else 1)
            ])
            for (name, place), when in places.items()
        }
        for beta in BIASES
    }  # fmt: skip


@claims.check(
    "seven-runs",
    undecided=("two readings", "that they are so: seen; that training makes them so: not"),
)
def features_of_noise(turned: pd.Series) -> Iterator[Verdict]:
    """Whether training without augmentation turns f(x) towards f(ξ)."""
    yield above(turned.to_numpy(), what="cosine of f(x), f(ξ), change in B")


@claims.check("seven-runs-mask", beyond="one size")
def features_of_signal(final: pd.DataFrame, floor: float) -> Iterator[Verdict]:
    """With mask and bias: loss, probes, and the share on the atoms."""
    better = [final.loc[A].R2 > final.loc[name].R2 for name in (B, "untrained")]
    yield everywhere(
        np.stack([final.loc[A].loss > floor, *better, final.loc[A].share > 0.5]),
        what="loss above the floor, R² above B's and untrained, share above one half",
    )


@claims.check("message-1")
def noise_is_learnt(moved: dict[str, torch.Tensor], turned: pd.Series) -> Iterator[Verdict]:
    """How far weights move without augmentation, and what that does to the features."""
    yield inequality(0.1, moved["distance"], what="weights move by a tenth of their length")
    yield undecided(
        above(turned.to_numpy(), what="change of the cosine of f(x), f(ξ) by training"),
        "two readings",
        "that they are of the noise: seen; that training makes them so: not",
    )


@claims.check(
    "section-1-1-supervised",
    undecided=("two readings", "a label for each atom: seen; one label: not"),
)
def supervision_finds_atoms(taught: pd.DataFrame) -> Iterator[Verdict]:
    """The share on the atoms, and singletons, with one label and with a label for each atom."""
    for name in ("one label", "a label an atom"):
        share, untrained = taught.loc[name].share, taught.loc["untrained"].share
        yield above(share - untrained, what=f"share minus untrained, {name}")
        singletons = taught.loc[name].singletons
        yield above(singletons - 0.5, what=f"singletons minus one half, {name}")


@claims.check("footnote-3-runs")
def bias_without_a_mask(
    final: pd.DataFrame, seven_runs: dict[str, core.Run], probe: measures.Probe, d: int
) -> Iterator[Verdict]:
    """Atoms found and probes without a mask: with bias and decay, or one of them."""
    alive = [measures.dead(seven_runs[name], probe.x[:2000]) == 0 for name in (C, D, E)]
    found = [
        final.loc[C].covered == 0,
        final.loc[C].R2 < 0.3,
        final.loc[D].covered > d / 2,
        final.loc[D].R2 > 0.5,
        final.loc[E].covered == 0,
    ]
    yield everywhere(
        np.concatenate([*(x.to_numpy() for x in found), alive]),
        what="no atom found and R² < 0.3 without decay (C), most atoms and R² > 0.5 with it (D); "
        "none without the bias (E); no dead neuron",
    )


@claims.check("footnote-4")
def push_on_a_bias(pushes_on_bias: dict[float, Pushes]) -> Iterator[Verdict]:
    """Whether a bias is pushed up with the mask, and down without."""
    for (name, place), push in pushes_on_bias[MILD].items():
        if place == "start":
            continue
        side, word = (1, "up") if name == A else (-1, "down")
        yield above(side * push, what=f"push {word} on a bias in {name}, {place}")


@claims.check("footnote-4-push")
def push_on_a_bias_in_other_seeds(pushes_on_bias: dict[float, Pushes]) -> Iterator[Verdict]:
    """The signs of the push that the first seed showed, in the others."""
    mild = pushes_on_bias[MILD]
    yield everywhere(
        np.concatenate([
            *(found[1:] < 0 for (name, _), found in mild.items() if name != A),
            mild[A, "t₁"][1:] < 0,
            mild[A, "end"][1:] > 0,
        ]),
        what="at β = 0.1, all seeds but the first: down without mask; with it down at t₁, "
        "up at the end",
    )  # fmt: skip


@claims.check("temperature", proof="proved on the page")
def temperature_is_a_scale(
    full_recipe: model.Recipe, setting: model.SparseCoding, K: int, N: int, m: int,
    seeds: list[int], device: str,
) -> Iterator[Verdict]:  # fmt: skip
    """Short runs at other temperatures, scaled back."""
    brief = replace(full_recipe, t1=10, t2=30, steps=40)

    def fit(recipe: model.Recipe) -> dict[str, torch.Tensor]:
        return dict(
            experiments.fit(
                "mask", recipe, world=setting, K=K, N=N, m=m // 2, seeds=seeds,
                observe_at=[10, 25, 40], device=core.pick_device(device),
            ).observed
        )  # fmt: skip

    unit = fit(brief)
    for tau in (0.25, 4.0, 16.0):
        root = math.sqrt(tau)
        scaled = fit(replace(brief, tau=tau, norm=root * brief.norm))
        yield identity(scaled["W"], root * unit["W"], tolerance=1e-4, what=f"W, τ = {tau}")
        yield identity(scaled["loss"], tau * unit["loss"], tolerance=1e-4, what=f"loss, τ = {tau}")
