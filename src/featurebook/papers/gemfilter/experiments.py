"""What is measured of a trained model: answers, recall by layer, distances, depth maps."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gemfilter import costs, data, inference
from featurebook.papers.gemfilter.inference import Selection
from featurebook.papers.gemfilter.network import Size

Answer = Callable[[Params, Size, Tensor], Tensor]
"""From weights and prompts (B, n) the answers (B, 2)."""


def right(said: Tensor, prompts: data.Prompts) -> float:
    """Share of answers with both values right."""
    return (said == prompts.answer).all(1).float().mean().item()


def recalled(J: Tensor, prompts: data.Prompts) -> float:
    """Share of prompts of whose needle all three tokens are selected."""
    hit = (prompts.needle[:, :, None] == J[:, None, :]).any(-1)
    return hit.all(1).float().mean().item()


def distance(J: Tensor, prompts: data.Prompts) -> NDArray[np.float64]:
    """Least distance of a selected place to the needle, 0 if it is covered; a prompt each (B,)."""
    gap = (prompts.needle[:, :, None] - J[:, None, :]).abs().amin((1, 2))
    return gap.double().numpy()


def methods(how: Selection) -> dict[str, Answer]:
    """What is compared, all with k tokens."""
    return {
        "all KV": inference.generate,
        "GemFilter": lambda p, s, x: inference.gemfilter(p, s, x, how),
        "One-Run": lambda p, s, x: inference.one_run(p, s, x, how),
        "old places": lambda p, s, x: inference.in_place(p, s, x, how),
        "SnapKV": lambda p, s, x: inference.snapkv(p, s, x, how.k),
        "H2O": lambda p, s, x: inference.h2o(p, s, x, how.k),
    }


def printed_variants(how: Selection) -> dict[str, Answer]:
    """What the thesis prints, with the same filter layer and k: no token is kept by force.

    The code sorts indices as the released one does; "code, line 8" returns their order, as printed.
    """
    plain = replace(how, keep_last=0)
    ways = {
        "Algorithm 2": replace(plain, pool="none"),
        "code": replace(plain, pool="zeros", width=5),
        "G.4.2": replace(plain, pool="max", width=5),
    }
    found: dict[str, Answer] = {
        name: partial(inference.gemfilter, how=way) for name, way in ways.items()
    }

    def unsorted(p: Params, s: Size, x: Tensor) -> Tensor:
        places = inference.select(p, s, x, ways["code"], in_order=False)
        return inference.generate(p, s, x.gather(1, costs.argsorted(places)))

    return found | {"code, line 8": unsorted}


def by_hand(prompts: data.Prompts, k: int, g: torch.Generator | None = None) -> Tensor:
    """Tokens (B, k) that no model chose: the needle and the question, and random others.

    With a generator the needle is left to chance too; the question stays.
    """
    B, n = prompts.tokens.shape
    wish = torch.rand(B, n, generator=g or torch.Generator().manual_seed(0))
    if g is None:
        wish = wish.scatter(1, prompts.needle, 2.0)
    return prompts.tokens.gather(1, inference.top(wish, k, data.QUESTION))


def recall_by_layer(p: Params, size: Size, prompts: data.Prompts, how: Selection) -> list[float]:
    """`recalled` for every filter layer."""
    ways = [replace(how, r=r) for r in range(1, size.layers + 1)]
    return [recalled(J, prompts) for J in inference.per_layer(p, size, prompts.tokens, ways)]


def best_layer(p: Params, size: Size, prompts: data.Prompts, how: Selection) -> int:
    """The layer with the largest recall; the first of them if there are several."""
    return int(np.argmax(recall_by_layer(p, size, prompts, how))) + 1


def scores_at(
    p: Params, size: Size, task: data.Task, answers: dict[str, Answer], seed: int, B: int, n: int
) -> dict[str, float]:
    """Share of right answers of each method on the same B prompts of n tokens."""
    asked = data.prompts(core.generator(seed, "evaluation", n), task, B, n)
    return {name: right(answer(p, size, asked.tokens), asked) for name, answer in answers.items()}


def depth_map(
    p: Params, size: Size, task: data.Task, answers: dict[str, Answer], *, lengths: Sequence[int],
    depths: Sequence[float], seed: int, B: int,
) -> dict[str, NDArray[np.float64]]:  # fmt: skip
    """Share of right answers by depth of the needle (rows) and length of the prompt (columns)."""
    found = {name: np.zeros((len(depths), len(lengths))) for name in answers}
    for i, depth in enumerate(depths):
        for j, n in enumerate(lengths):
            asked = data.prompts(core.generator(seed, "depth", i, j), task, B, n, depth)
            for name, answer in answers.items():
                found[name][i, j] = right(answer(p, size, asked.tokens), asked)
    return found


def spread(p: Params, size: Size, prompts: data.Prompts, k: int) -> float:
    """Places in the union of SnapKV's m h sets, over k: mean of the prompts."""
    sets: list[Tensor] = []
    rule = inference.snap_places(k)

    def noted(Q: Tensor, K: Tensor) -> Tensor:
        sets.append(rule(Q, K))
        return sets[-1]

    with torch.no_grad():
        inference.prefill(p, size, prompts.tokens, noted)
    union = torch.cat(sets, 1).flatten(1).tolist()
    return float(np.mean([len(set(row)) for row in union])) / k
