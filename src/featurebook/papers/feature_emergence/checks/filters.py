"""The checks of a ResNet's first steps: how its filters turn, and what Table 7 prints of them."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core, verdicts
from featurebook.images import Images
from featurebook.papers.feature_emergence import practice, printed, resnet, teacher
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, reproduction

WATCHED = ("0.0.1", "1.0.1", "3.1.2")
"""Convolutions in the first, second and last stage."""
RATE = 0.05
"""Step size of plain SGD."""
CHUNKS = (0, 10, 20, 30)
"""Steps between which the mean gradients of Table 7 are taken."""
COLUMNS = ["label", "paper", "ours", "low", "high"]


@claims.experiment
def resnet_moments(resnet_steps: int) -> list[int]:
    """Steps at which the filters are kept."""
    return sorted({*CHUNKS, early(resnet_steps), resnet_steps})


def early(resnet_steps: int) -> int:
    """What epoch 3 is of 20."""
    return max(1, 3 * resnet_steps // 20)


@claims.experiment
def resnet_sample(photographs: Images) -> tuple[Tensor, Tensor]:
    """Airplanes and automobiles (n, 3, h, w), scaled, and their classes 0 and 1, (n,)."""
    x, y = practice.two_classes(photographs, 0, 1)
    shaped = x.reshape(-1, *photographs.pixels.shape[1:]).expand(-1, 3, -1, -1)
    return shaped / x.std(), (y < 0).long()


@claims.experiment
def filters(
    resnet_sample: tuple[Tensor, Tensor], resnet_moments: list[int], resnet_width: int, batch: int,
    seed: int, device: str,
) -> dict[str, Tensor]:  # fmt: skip
    """Filters of the `WATCHED` convolutions of one ResNet at the kept steps, (T, filters, q)."""
    where = core.pick_device(device)
    draw = partial(resnet.resnet, m=resnet_width, classes=2)
    start = {k: v.to(where) for k, v in core.replicate(draw, [seed], "resnet").items()}
    run = core.train(
        partial(teacher.student_loss, resnet.logits),
        start,
        tuple(v.to(where) for v in resnet_sample),
        data_dim=None,
        steps=resnet_moments[-1],
        seeds=[seed],
        batch_size=min(64, batch, len(resnet_sample[1])),
        optimizer=partial(torch.optim.SGD, lr=RATE),
        observe=core.Observe(lambda p: {name: p[name] for name in WATCHED}, at=resnet_moments),
        execution=core.Execution(label="ResNet"),
    )
    return {name: W[:, 0].flatten(2).cpu() for name, W in run.observed.items()}


@claims.experiment
def too_small(
    resnet_sample: tuple[Tensor, Tensor], resnet_width: int, resnet_steps: int, batch: int
) -> str:
    """Why the run does not count as the paper's; empty if it does."""
    n = len(resnet_sample[1])
    epochs = resnet_steps * min(64, batch, n) / n
    if resnet_width >= 128 and epochs >= 20:
        return ""
    return f"ResNet({resnet_width}) for {epochs:.1f} epochs is not the paper's"


def if_enough(found: Verdict, too_small: str) -> Verdict:
    """Open if the run is smaller than the paper's."""
    return verdicts.undecided(found, "not judged", too_small) if too_small else found


@claims.experiment
def changes(
    filters: dict[str, Tensor], resnet_moments: list[int], resnet_steps: int
) -> pd.DataFrame:
    """How far filters turn in the first 3/20 of the steps and in the rest, by layer."""
    spans = {
        "first 3/20": (0, early(resnet_steps)),
        "the rest": (early(resnet_steps), resnet_steps),
    }
    at = resnet_moments.index
    return pd.DataFrame(
        {
            span: {name: resnet.turned(W[at(a)], W[at(b)]) for name, W in filters.items()}
            for span, (a, b) in spans.items()
        }
    )


@claims.check("resnet-early")
def filters_change_early(changes: pd.DataFrame, too_small: str) -> Iterator[Verdict]:
    """The change in the first part of the training against that in the rest, layer by layer."""
    found = everywhere(
        changes["first 3/20"] > changes["the rest"],
        what="layers in which the first 3/20 of the steps turn the filters more than the rest",
    )
    yield if_enough(found, too_small)


@claims.experiment
def early_cosines(filters: dict[str, Tensor], resnet_moments: list[int]) -> pd.DataFrame:
    """The six cosines of Table 7 in our network, a row for each layer."""
    chunks = [resnet_moments.index(t) for t in CHUNKS]
    rows = {
        f"layer {name}": resnet.early_row(W[chunks], W[-1], RATE) for name, W in filters.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=printed.EARLY_COLUMNS)


@claims.check("table-7")
def early_gradients(early_cosines: pd.DataFrame, too_small: str) -> Iterator[Verdict]:
    """The printed cosines against the interval over our layers."""
    cells = [
        (f"{net}, {c}", value, *verdicts.mean_interval(early_cosines[c], within=(-1, 1)))
        for net, row in printed.EARLY_COSINES.items()
        for c, value in zip(printed.EARLY_COLUMNS, row, strict=True)
    ]
    yield if_enough(reproduction(pd.DataFrame(cells, columns=COLUMNS)), too_small)


def implied_norms() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Norms that each row of Table 7 implies, and what is left of its first three numbers."""
    return {name: printed.norms_of_table_7(row) for name, row in printed.EARLY_COSINES.items()}


@claims.check("table-7-consistency")
def printed_cosines_fit() -> Iterator[Verdict]:
    """Whether norms are positive and give the printed numbers back, for both networks."""
    yield everywhere(
        [v.min() > 0 and np.abs(left).max() < 2e-4 for v, left in implied_norms().values()],
        what="printed cosines fit together within rounding, positive norms",
    )


@claims.experiment
def picked_filters(filters: dict[str, Tensor]) -> pd.DataFrame:
    """Cosines of filters picked as extremes to their own centre, and between the centres, by layer,
    untrained and trained."""
    found = {
        (name, when): resnet.cluster_cosines(W[i])
        for name, W in filters.items()
        for i, when in ((0, "untrained"), (-1, "trained"))
    }
    return pd.DataFrame(found, index=["to own centre", "between centres"]).T


@claims.check("resnet-clusters")
def filters_cluster(picked_filters: pd.DataFrame, too_small: str) -> Iterator[Verdict]:
    """Whether training brings picked filters closer to their centre, layer by layer."""
    gain: Any = picked_filters.xs("trained", level=1) - picked_filters.xs("untrained", level=1)
    found = everywhere(
        gain["to own centre"] > 0,
        what="layers in which picked filters are closer to their centre than untrained ones",
    )
    yield if_enough(found, too_small)


def captions() -> pd.DataFrame:
    """What the captions of Figures 20 and 21 print."""
    columns = ["net", "block", "green", "red", "two centres"]
    return pd.DataFrame(printed.CLUSTER_CAPTIONS, columns=columns)


def text_against_caption(low: str, high: str) -> Verdict:
    """The colours that the text gives 0.62 and 0.7 to, against the caption's numbers."""
    first = captions().iloc[0]
    known = verdicts.rationals(first[[low, high]].astype(str))
    return exactly(
        abs(known - verdicts.rationals(["0.62", "0.7"])),
        "<",
        Fraction(1, 100),
        what=f"distances of {low} from 0.62 and of {high} from 0.7",
        instance={
            "caption": first[["green", "red"]].astype(str).to_dict(),
            "text": {"red": "0.62", "green": "0.7"},
        },
    )


@claims.check("captions")
def red_and_green() -> Iterator[Verdict]:
    """The text's colours."""
    yield text_against_caption("red", "green")


@claims.check("captions-corrected")
def green_and_red() -> Iterator[Verdict]:
    """The caption's colours."""
    yield text_against_caption("green", "red")
