"""The checks of small parts of the gradient, of the loss and of probes, with augmentation."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.contrastive_decoupling import (
    exact,
    gradients,
    measures,
    model,
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.checks.scan import IN_RUNS, SLACK
from featurebook.verdicts import Verdict, exponents
from featurebook.verdicts.comparisons import everywhere, exactly, inequality, trend

POWERS = (2, 3, 6, 12, 50, 100, 300)
"""log_10 d at which bounds on losses and accuracies are compared."""
LOG_SIZES = math.log(10) * np.array(POWERS, dtype=float)
KAPPAS = (1, 3, 10, 30)
"""Scales of the comparator, in units of Ξ₂."""


@claims.experiment
def small_parts(
    scan: dict[int, core.Run], worlds: dict[int, model.SparseCoding], draws: int, N: int
) -> pd.DataFrame:
    """Sizes of the small parts of the gradient, a row for each d and seed."""
    rows = []
    for size, run in scan.items():
        for s, W, b in measures.networks(run):
            g = core.generator(s, "parts")
            found = gradients.small_parts(W, b, worlds[size], g, K=draws // 8, N=N)
            rows.append({"d": size, "seed": s} | found)
    return pd.DataFrame(rows)


@claims.experiment
def part_bounds(small_parts: pd.DataFrame, d1: int) -> pd.DataFrame:
    """What the lemmas allow, row by row."""
    d = small_parts.d.to_numpy()
    return pd.DataFrame({
        "E1": d ** (2 * SLACK - 1.5) / math.sqrt(d1),
        "E2 / max": d ** (2 * SLACK - 2),
        "Φ": np.log(d) ** 2 * d**-1.98,
    })  # fmt: skip


@claims.experiment
def comparator_losses(
    scan: dict[int, core.Run], worlds: dict[int, model.SparseCoding], middle: int, draws: int,
    N: int,
) -> pd.DataFrame:  # fmt: skip
    """Losses of the comparator of Definition E.10, by κ, a column for each seed."""
    found = {}
    for s, W, b in measures.networks(scan[middle]):
        g = core.generator(s, "E11")
        batches = [gradients.draw(g, worlds[middle], max(draws // 20, 100), N) for _ in range(8)]
        found[s] = {
            f"κ = {k:g} Ξ₂": np.mean(
                [gradients.comparator_loss(W, b, batch, k * middle**SLACK) for batch in batches]
            )
            for k in KAPPAS
        }
    return pd.DataFrame(found)


@claims.experiment
def middle_floor(worlds: dict[int, model.SparseCoding], middle: int, N: int) -> float:
    """The floor of the loss at that size."""
    return theory.loss_floor(middle, worlds[middle].p, N)


@claims.experiment
def cost_of_no_atom() -> dict[str, dict[float, NDArray[np.float64]]]:
    """What z = 0 costs at `LOG_SIZES`, by C_z, given the theorem's features, and any weights."""
    C_zs = (1.0, 2.0, 3.0)
    return {
        "z = 0, the theorem's features": {C: theory.empty_code_loss(LOG_SIZES, C) for C in C_zs},
        "any weights": {C: theory.any_weights_bound(LOG_SIZES, C) for C in C_zs},
    }


@claims.experiment
def r2_by_labels(
    scan: dict[int, core.Run], worlds: dict[int, model.SparseCoding], middle: int, n_probe: int,
    seed: int,
) -> pd.DataFrame:  # fmt: skip
    """R² of linear probes of one network by the number of labels."""
    _, W, b = measures.networks(scan[middle])[0]
    probe = measures.probe_data(worlds[middle], n_probe, n_probe, seed)
    f, y, rows = model.features(W, b, probe.x), probe.y, {}
    for n in (k * middle for k in (4, 8, 16, 32, 64)):
        if n <= n_probe:
            some, labels = (torch.cat([x[:n], x[n_probe:]]) for x in (f, y))
            rows[n] = measures.ridge_r2(some, labels, n, ridge=1e-2)
    return pd.DataFrame({"R²": rows}).rename_axis("labels")


@claims.check("lemma-e-7", beyond=IN_RUNS)
def first_error_is_small(small_parts: pd.DataFrame, part_bounds: pd.DataFrame) -> Iterator[Verdict]:
    """The first error on atoms and dense directions."""
    bound = part_bounds[["E1"]]
    yield inequality(
        small_parts[["E1 on atoms", "E1 dense"]],
        bound,
        informative=bound < small_parts[["E1 at most"]].to_numpy(),
        what="root mean square of E₁ / ‖w‖",
    )


@claims.check("lemma-e-8", beyond=IN_RUNS)
def second_error_is_small(
    small_parts: pd.DataFrame, part_bounds: pd.DataFrame
) -> Iterator[Verdict]:
    """The second error."""
    bound = part_bounds["E2 / max"]
    says = bound < small_parts["E2 at most"]
    what = "root mean square of E₂ / (‖w‖ max)"
    yield inequality(small_parts["E2 / max"], bound, informative=says, what=what)


@claims.check("lemma-e-9", beyond=IN_RUNS)
def other_atoms_push_little(
    small_parts: pd.DataFrame, part_bounds: pd.DataFrame
) -> Iterator[Verdict]:
    """The part Φ."""
    bound = part_bounds["Φ"]
    says = bound < small_parts["Φ at most"]
    what = "root mean square of Φ / ‖w‖, second window"
    yield inequality(small_parts["Φ"], bound, informative=says, what=what)


@claims.check(
    "theorem-3-4-loss",
    undecided=("two readings", "for every C_z: false at 1; for a large one: open"),
)
def loss_as_printed() -> Iterator[Verdict]:
    """A lower bound on the loss of any weights, along d."""
    weightless = exact.any_weights_loss(POWERS, 1.0)
    yield exactly(
        weightless[1:],
        "<",
        weightless[:-1],
        what="lower bound on loss / τ for any weights, which should fall, d = 10² to 10³⁰⁰",
        instance={"log₁₀ d": POWERS, "C_z": 1, "N": "d²"},
    )


@claims.check("theorem-3-4-loss-corrected", proof="proved on the page")
def loss_and_its_floor(
    by_d: pd.DataFrame, comparator_losses: pd.DataFrame, middle_floor: float,
    cost_of_no_atom: dict[str, dict[float, NDArray[np.float64]]],
) -> Iterator[Verdict]:  # fmt: skip
    """The trained loss and the comparator's above the floor, and a floor that falls."""
    yield inequality(0.0, by_d.loss - by_d.floor, what="trained loss less the floor")
    yield inequality(middle_floor, comparator_losses, what="floor against the comparator's loss")
    empty = cost_of_no_atom["z = 0, the theorem's features"]
    falls = [np.diff(empty[C])[-1] < 0 for C in (2.0, 3.0)]
    yield everywhere(falls, what="the cost of z = 0 falls for C_z = 2 and 3")


@claims.check("corollary-3-5")
def downstream_with_a_mask(by_seed_and_d: pd.DataFrame, scan_d: list[int]) -> Iterator[Verdict]:
    """Powers of d of what probes on the features miss."""
    for q, what in (("R2", "power of d of 1 - R²"), ("accuracy", "power of d of the error rate")):
        missed = exponents(np.array(scan_d), 1 - by_seed_and_d[q])
        yield trend(missed, expected=(-np.inf, 0), rival={"the same at every d": 0.0}, what=what)
