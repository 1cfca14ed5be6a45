"""The checks of the six methods on the parity: who learns, and Tables 1 and 3."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.core import generator
from featurebook.papers.feature_emergence import (
    data,
    hardness,
    judging,
    network,
    printed,
    scaling,
    tables,
)
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.tables import Results, Setting
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, inequality

AMBIENT = 500
"""Dimension d of Table 1."""
FEW = 5000
"""Samples that a network is to know by heart, at most."""


@claims.experiment
def parity_setting(
    D: int, k: int, p_o: float, m: int, n: int, n_test: int, T: int, batch: int, gain: float,
    eta: float, eta_rf: float, eta_ntk: float,
) -> Setting:  # fmt: skip
    """The parity mixture and its flat counterpart, sizes and step sizes."""
    parity, flat = data.parity_mixture(D, k, p_o), data.uniform(D, k, data.odd(k))
    return Setting(parity, flat, m, n, n_test, T, batch, gain, eta, eta_rf, eta_ntk)


@claims.experiment
def ceiling(parity_setting: Setting) -> float:
    """Accuracy of the best threshold of the count."""
    return float(hardness.threshold_accuracies(parity_setting.structured).max())


@claims.experiment
def structured(parity_setting: Setting, seeds: list[int], device: str) -> Results:
    """All methods with structure, One Step also rescaled."""
    return tables.with_structure(parity_setting, seeds, core.pick_device(device), rescaled=True)


@claims.experiment
def unstructured(parity_setting: Setting, seeds: list[int], device: str) -> Results:
    """The network without structure."""
    return tables.without_structure(parity_setting, seeds, core.pick_device(device))


@claims.experiment
def fixed_flat(parity_setting: Setting, seeds: list[int], device: str) -> pd.DataFrame:
    """Learning curves of NTK and RF without structure."""
    return tables.fixed_without_structure(parity_setting, seeds, core.pick_device(device))


@claims.experiment
def all_curves(
    structured: Results, unstructured: Results, fixed_flat: pd.DataFrame
) -> pd.DataFrame:
    """Learning curves of all methods, with structure and without."""
    return pd.concat([structured.curves, unstructured.curves, fixed_flat])


@claims.experiment
def alignments(structured: Results) -> pd.DataFrame:
    """Cosines with the relevant direction, largest and median of the neurons, by method, seed."""
    return structured.cosines


@claims.experiment
def neurons(structured: Results, parity_setting: Setting) -> dict[str, Any]:
    """By stage, |cos| of all neurons with the relevant direction (R, 2m), ``cosines``, and the
    median of their ``norms``; and where the first seed's are drawn, ``places``."""
    direction, weights = tables.direction(parity_setting), structured.weights
    cosines = {stage: network.cosines(W.cpu(), direction).abs() for stage, W in weights.items()}
    return {
        "cosines": {stage: x.float().numpy() for stage, x in cosines.items()},
        "norms": {stage: float(W.norm(dim=-1).median()) for stage, W in weights.items()},
        "places": scaling.places(weights, direction),
    }


@claims.experiment
def accuracies(structured: Results) -> pd.DataFrame:
    """Test accuracy with structure at the end, a row for each seed and a column for each method."""
    return tables.at_end(structured.curves)


@claims.check("figure-1")
def networks_against_fixed_features(
    accuracies: pd.DataFrame, all_curves: pd.DataFrame
) -> Iterator[Verdict]:
    """The network's accuracy and its lead, run by run, and mean accuracies without structure."""
    end, flat = accuracies, tables.at_end(all_curves).filter(like="w/o").mean()
    lead = end["Network"] - end[["NTK", "RF"]].max(axis=1)
    yield everywhere(
        [*(end["Network"] > 0.99), *(lead > 0.1), *((flat - 0.5).abs() < 0.025)],
        what=f"network above 0.99 (mean {end['Network'].mean():.3f}), 0.1 above NTK and RF; "
        f"without structure near 1/2 ({', '.join(f'{v:.3f}' for v in flat)})",
    )


@claims.check("figure-2")
def neurons_turn(alignments: pd.DataFrame) -> Iterator[Verdict]:
    """The largest cosine after step 2, seed by seed."""
    found = alignments.set_index("method").loc["Two Step", "max"]
    yield inequality(0.99, found, what="0.99 against the largest cosine after step 2")


@claims.experiment
def measured_1(
    structured: Results, unstructured: Results, seeds: list[int], k: int
) -> judging.Values:
    """Our numbers of Table 1 by seed; the cosine of initial weights is that in 500 dimensions."""
    initial = structured.weights["initial"].cpu()
    found = judging.by_seed(structured, unstructured)
    return found | {"RF, cos": tables.lifted(initial, seeds, AMBIENT, k)}


@claims.experiment
def measured_3(
    measured_1: judging.Values, structured: Results, seeds: list[int], k: int
) -> judging.Values:
    """Our numbers of Table 3 by seed; only the cosine of initial weights depends on the
    dimension."""
    initial = structured.weights["initial"].cpu()
    found: judging.Values = {}
    for d in (100, 2000):
        cosine = {"RF, cos": tables.lifted(initial, seeds, d, k)}
        found |= judging.of_setting(f"d={d}", measured_1 | cosine)
    return found


PAPER = {
    1: printed.words(1, "parity"),
    3: printed.words(3, "d=100", "d=100") | printed.words(3, "d=2000", "d=2000"),
}
"""Tables 1 and 3 as printed."""


@claims.experiment
def parity_cells(measured_1: judging.Values, measured_3: judging.Values) -> dict[int, pd.DataFrame]:
    """Tables 1 and 3 beside ours."""
    return {t: judging.cells(PAPER[t], x) for t, x in ((1, measured_1), (3, measured_3))}


@claims.check("table-1")
def table_1(measured_1: judging.Values) -> Iterator[Verdict]:
    """The order and gaps of the methods, and the printed numbers."""
    yield judging.judged(PAPER[1], measured_1, 1)


@claims.check("table-3")
def table_3(measured_3: judging.Values) -> Iterator[Verdict]:
    """The order and gaps of the methods, and the printed numbers."""
    yield judging.judged(PAPER[3], measured_3, 3)


@claims.experiment
def memorised(parity_setting: Setting, seeds: list[int], device: str) -> dict[str, Tensor]:
    """Training and test accuracy, (R,), of a network that Adam trains without structure."""
    one, where = parity_setting, core.pick_device(device)
    dist, k = one.flat, one.structured.k
    fit, test = (
        tables.samples(dist, number, seeds, stream, where)
        for number, stream in ((min(one.n, FEW), "flat data"), (one.n_test, "flat test"))
    )
    starts = [network.initial(generator(s, "memory"), dist.D, one.m, k, 1.0) for s in seeds]
    p = network.stack(starts)
    p = {name: v.float().to(where) for name, v in (p | {"W": p["W"] * k}).items()}
    run = core.train(
        network.hinge_loss, p, fit, steps=2 * one.steps, seeds=seeds, batch_size=one.batch,
        optimizer=partial(torch.optim.Adam, lr=0.01), gradient=network.hinge_gradient,
    )  # fmt: skip
    known, unknown = (
        network.scores(torch.vmap(network.output)(run.params, x), y)[0].cpu()
        for x, y in (fit, test)
    )
    return {"training": known, "test": unknown}


@claims.check("memory")
def memory_without_features(memorised: dict[str, Tensor]) -> Iterator[Verdict]:
    """All training labels fitted, and the mean test accuracy near 1/2."""
    known, unknown = memorised["training"], float(memorised["test"].mean())
    yield everywhere(
        [*(known >= 0.9995), abs(unknown - 0.5) < 0.025],
        what=f"training labels fitted, mean test accuracy {unknown:.3f} near 1/2",
    )


@claims.experiment
def float32_cosines(
    structured: Results, parity_setting: Setting, seeds: list[int]
) -> dict[str, Any]:
    """Step 1 with the old weights subtracted in float32: for each step size in ``steps`` the
    largest cosine with Σ M_j, (dimensions, R), in each of the ``dimensions``."""
    dist, m = parity_setting.structured, parity_setting.m
    rate = network.eta_one(dist, m)
    slope = structured.weights["one"].cpu() / rate  # minus the gradient of step 1
    dimensions = [max(dist.D, 100), AMBIENT, 2000]
    found = {}
    for step in (rate, 1e-6, 1e-5, 1e-3):
        found[step] = np.zeros((len(dimensions), len(seeds)))
        for (i, d), (r, s) in product(enumerate(dimensions), enumerate(seeds)):
            g = generator(s, "float32", d)
            found[step][i, r] = rounded_cosine(slope[r], step, dist.k, g, d)
    return {"dimensions": dimensions, "steps": found}


def rounded_cosine(slope: Tensor, step: float, k: int, g: torch.Generator, d: int) -> float:
    """The largest |cosine| with Σ M_j after w - step (gradient + w / step) in float32.

    Args:
        slope: minus the gradient in the dictionary's coordinates, (2m, D).
        d: ambient dimension, in which a random orthonormal dictionary and w are drawn.
    """
    M = torch.linalg.qr(torch.randn(d, slope.shape[1], generator=g, dtype=torch.float64)).Q
    w = torch.randn(len(slope), d, generator=g) / k
    left_over = w - step * ((-slope @ M.T).float() + w / step)
    return float(network.cosines(left_over.double(), M[:, :k].sum(1)).nan_to_num().abs().max())
