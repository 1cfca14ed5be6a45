"""The checks of the chapter on transformers: attention matrices as waves."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from torch import Tensor

from featurebook import core
from featurebook.papers.fourier_circuits import transformers
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import inequality

INPUTS = (3, 4, 5)
"""Numbers k that the networks add, one modulus of `p_attention` for each."""
SIZE = 8
"""Dimensions of an attention head."""
TEXT = "the text's networks"


def shape(heads: int) -> dict[str, Any]:
    """One layer of attention and nothing else."""
    return {"d": 32, "heads": heads, "size": SIZE, "layers": 1, "mlp": 0}


def counterpart(p_attention: list[int], heads: int) -> str:
    """What was judged instead of the text's networks."""
    return f"k = 3, 4, 5, p = {p_attention}, {heads} heads"


@claims.experiment
def attention_runs(
    p_attention: list[int], attention_steps: list[int], heads: int, n_seeds: int, seed: int
) -> dict[int, core.Run]:
    """Training of attention-only networks on half of the inputs, by k."""
    return {
        k: transformers.train(
            **shape(heads),
            k=k,
            p=p,
            last=False,
            share=0.5,
            decay=0.5,
            lr=1e-2,
            batch=256,
            steps=steps,
            seeds=list(range(seed, seed + n_seeds)),
            every=steps,
            label=f"attention, k = {k}",
        )
        for k, p, steps in zip(INPUTS, p_attention, attention_steps, strict=True)
    }


@claims.experiment
def attention_starts(
    p_attention: list[int], heads: int, n_seeds: int, seed: int
) -> dict[int, core.Params]:
    """The same networks before training, by k."""
    seeds = list(range(seed, seed + n_seeds))
    found = {}
    for k, p in zip(INPUTS, p_attention, strict=True):
        draw = partial(transformers.draw, k=k, p=p, **shape(heads))
        found[k] = core.replicate(draw, seeds, "init")
    return found


def cells(params: core.Params) -> tuple[Tensor, Tensor, Tensor]:
    """Largest share of each head's spectrum, and its frequencies of key and query, (R, heads)."""
    matrices = transformers.attention_matrices(params, SIZE)
    return transformers.dominant(transformers.folded_spectrum(matrices))


@claims.experiment
def attention_waves(
    attention_runs: dict[int, core.Run], attention_starts: dict[int, core.Params]
) -> dict[int, dict[str, Any]]:
    """Of the networks for each k, one number per network unless stated otherwise.

    "test" accuracy; "share" of the largest cell, the median over heads, and "untrained" the same;
    "apart": how many of all heads have two different frequencies, as a share.
    """
    found = {}
    for k, run in attention_runs.items():
        share, key, query = cells(run.params)
        found[k] = {
            "test": run.observed["test"][-1],
            "share": share.median(-1).values,
            "untrained": cells(attention_starts[k])[0].median(-1).values,
            "apart": float((key != query).float().mean()),
        }
    return found


@claims.check("figure-4-3", of=TEXT, on=counterpart)
def two_dimensional_cosines(attention_waves: dict[int, dict[str, Any]]) -> Iterator[Verdict]:
    """The median share of the largest cell, after training and without it."""
    for k, found in attention_waves.items():
        yield inequality(0.8, found["share"], what=f"median share of one cell, k = {k}")
        yield inequality(found["untrained"], 0.5, what=f"untrained, k = {k}")


@claims.check("attention-distinct", of=TEXT, on=counterpart)
def distinct_frequencies(attention_waves: dict[int, dict[str, Any]]) -> Iterator[Verdict]:
    """The share of heads whose frequencies of key and query differ, for each k."""
    apart = np.array([found["apart"] for found in attention_waves.values()])
    yield inequality(0.5, apart, what="heads with two frequencies")


@claims.check(
    "one-layer-five",
    of="p = 17",
    on=lambda p_attention, attention_steps: (
        f"p = {p_attention[2]}, attention alone, {attention_steps[2]} steps"
    ),
)
def five_numbers(attention_waves: dict[int, dict[str, Any]]) -> Iterator[Verdict]:
    """Accuracy on unseen inputs."""
    yield inequality(0.95, attention_waves[5]["test"], what="test accuracy, k = 5")
