"""The checks of which layer of the small model finds the needle, and of changed selections."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.gemfilter import data, experiments, inference
from featurebook.papers.gemfilter.checks.model import Shares
from featurebook.papers.gemfilter.checks.networks import TASK, Network, more, stacked
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.inference import Selection
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

BATCHES = 6
"""Fresh batches on which the layer with the largest recall is found again."""
IN_A_BATCH = 32
"""Prompts of such a batch."""
MIDDLE = 0.5
"""Depth of the needle whose distance is measured."""
CHANGES: dict[str, dict[str, Any]] = {
    "as above": {},
    "keep_last 0": {"keep_last": 0},
    "no pooling": {"pool": "none"},
    "mean of 3": {"pool": "avg"},
    "maximum of 5": {"width": 5},
    "probabilities": {"score": "probability"},
    "middle row": {"row": "middle"},
    "largest row": {"row": "largest"},
}
"""What each row of the table changes in our variant of GemFilter."""


@claims.experiment
def recall_profile(
    networks: list[Network], small_size: Size, our_variant: Selection, test_n: list[int],
    train_n: int,
) -> dict[str, NDArray[np.float64]]:  # fmt: skip
    """Recall by filter layer.

    "recall" is the mean over fresh batches of two lengths, (networks, layers); "agree" the share of
    these batches in which the chosen layer is the best, and "untrained" the largest recall of the
    network before training on one of them, both (networks,).
    """
    rows = []
    lengths = (2 * train_n, max(test_n))
    for net in networks:
        batches = [
            data.prompts(core.generator(net.seed, "layers", j), TASK, IN_A_BATCH, lengths[j % 2])
            for j in range(BATCHES)
        ]
        found = [
            experiments.recall_by_layer(net.weights, small_size, x, our_variant) for x in batches
        ]
        fresh = experiments.recall_by_layer(net.start, small_size, batches[-1], our_variant)
        best = np.argmax(found, 1) + 1
        rows.append({
            "recall": np.mean(found, 0).tolist(),
            "agree": np.mean(best == net.how.r),
            "untrained": max(fresh),
        })  # fmt: skip
    return stacked(rows)


@claims.experiment
def needle_distance(
    networks: list[Network], small_size: Size, our_variant: Selection, test_n: list[int],
    asked: int,
) -> NDArray[np.float64]:  # fmt: skip
    """Median distance of the nearest selected token to the needle, (networks, layers)."""
    ways = [replace(our_variant, r=r) for r in range(1, small_size.layers + 1)]
    found = []
    for net in networks:
        key = core.generator(net.seed, "distance")
        prompts = data.prompts(key, TASK, asked, max(test_n), MIDDLE)
        places = inference.per_layer(net.weights, small_size, prompts.tokens, ways)
        found.append([np.median(experiments.distance(J, prompts)) for J in places])
    return np.array(found)


@claims.experiment
def chance_distance(test_n: list[int], asked: int, k: int, keep_last: int, seed: int) -> float:
    """The same for random tokens."""
    n = max(test_n)
    prompts = data.prompts(core.generator(seed, "distance"), TASK, asked, n, MIDDLE)
    wish = torch.rand(asked, n, generator=core.generator(seed, "chance"))
    J = inference.top(wish, k, keep_last)
    return float(np.median(experiments.distance(J, prompts)))


@claims.experiment
def changed(
    networks: list[Network], small_size: Size, train_n: int, asked: int
) -> dict[str, NDArray[np.float64]]:
    """ "recall" and share "right" of each of `CHANGES`, (networks, changes)."""
    recall, right = (np.zeros((len(networks), len(CHANGES))) for _ in range(2))
    for i, net in enumerate(networks):
        prompts = data.prompts(core.generator(net.seed, "changes"), TASK, asked, 2 * train_n)
        for j, change in enumerate(CHANGES.values()):
            how = replace(net.how, **change)
            J = inference.select(net.weights, small_size, prompts.tokens, how)
            said = inference.gemfilter(net.weights, small_size, prompts.tokens, how)
            recall[i, j] = experiments.recalled(J, prompts)
            right[i, j] = experiments.right(said, prompts)
    return {"recall": recall, "right": right}


@claims.experiment
def budgets(test_n: list[int], k: int, keep_last: int) -> list[int]:
    """Numbers of tokens kept for which answers are compared."""
    n = min(test_n)
    return sorted({x for x in (6, 8, k, 20, n) if max(4, keep_last) <= x <= n})


@claims.experiment
def answers_by_budget(
    networks: list[Network], small_size: Size, budgets: list[int], train_n: int, asked: int
) -> Shares:
    """Shares of right answers by method, (networks, budgets)."""
    names = ("GemFilter", "One-Run", "SnapKV", "H2O")
    rows: list[dict[str, list[float]]] = []
    for net in networks:
        found: dict[str, list[float]] = {name: [] for name in names}
        for k in budgets:
            answers = experiments.methods(replace(net.how, k=k))
            shares = experiments.scores_at(
                net.weights, small_size, TASK, {name: answers[name] for name in names},
                net.seed, asked // 2, 2 * train_n,
            )  # fmt: skip
            for name, share in shares.items():
                found[name].append(share)
        rows.append(found)
    return stacked(rows)


@claims.experiment
def places_of_snapkv(
    networks: list[Network], small_size: Size, train_n: int, asked: int, k: int
) -> dict[str, NDArray[np.float64]]:
    """Places in the union of SnapKV's sets over k, "trained" and "untrained", (networks,)."""
    rows = []
    for net in networks:
        prompts = data.prompts(core.generator(net.seed, "sets"), TASK, asked // 2, 2 * train_n)
        rows.append({
            "trained": experiments.spread(net.weights, small_size, prompts, k),
            "untrained": experiments.spread(net.start, small_size, prompts, k),
        })  # fmt: skip
    return stacked(rows)


@claims.check("stages-small")
def three_stages(
    networks: list[Network], recall_profile: dict[str, NDArray[np.float64]]
) -> Iterator[Verdict]:
    """Recall of the filter layer against the first, the last, and untrained layers."""
    recall = recall_profile["recall"]
    peak = np.array([row[net.how.r - 1] for row, net in zip(recall, networks, strict=True)])
    yield more(peak - recall[:, 0], "recall above that of layer 1")
    yield more(peak - recall[:, -1], "recall above that of layer m")
    yield more(peak - recall_profile["untrained"], "recall above that of untrained layers")


@claims.check("same-layer-small")
def same_layer(recall_profile: dict[str, NDArray[np.float64]], layers: int) -> Iterator[Verdict]:
    """How often a fresh batch has its largest recall in the chosen layer."""
    yield trend(
        recall_profile["agree"],
        expected=(0.9, 1),
        rival=1 / layers,
        within=(0, 1),
        what="share of batches with the chosen layer",
    )


def lost_by(change: str, changed: dict[str, NDArray[np.float64]], what: str) -> Verdict:
    """Right answers as above minus those after a change."""
    right = changed["right"]
    return more(right[:, 0] - right[:, list(CHANGES).index(change)], what)


@claims.check("rows")
def other_rows_of_the_small_model(changed: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The last row against the middle one and the one of largest norm."""
    for row in ("middle row", "largest row"):
        yield lost_by(row, changed, row)


@claims.check("keep-last")
def the_question_must_stay(changed: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """Without the last tokens: answers lost, recall not."""
    yield lost_by("keep_last 0", changed, "right answers lost")
    recall = changed["recall"]
    yield trend(
        recall[:, list(CHANGES).index("keep_last 0")] - recall[:, 0],
        expected=(-0.1, 1),
        rival={"a tenth less": -0.1},
        within=(-1, 1),
        what="recall without minus with",
    )


@claims.check("pooling")
def pooling(changed: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """A maximum over three neighbours against no pooling."""
    yield lost_by("no pooling", changed, "right answers lost")


@claims.check("focused-small")
def focused(places_of_snapkv: dict[str, NDArray[np.float64]], layers: int) -> Iterator[Verdict]:
    """SnapKV's sets together against GemFilter's one, trained and untrained."""
    ratio, fresh = places_of_snapkv["trained"], places_of_snapkv["untrained"]
    yield trend(
        ratio,
        expected=(2, 2 * layers),
        rival=1.0,
        what="places in SnapKV's sets over GemFilter's",
    )
    yield trend(
        fresh - ratio,
        expected=(0, 2 * layers),
        rival=0.0,
        what="untrained network's ratio, minus that",
    )
