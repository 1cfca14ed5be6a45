"""Seconds and bytes up to the first new token, and the check of the bytes at the peak."""

from collections.abc import Iterator

import torch
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gemfilter import inference, measured, network
from featurebook.papers.gemfilter.checks.algorithm import VOCABULARY
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.inference import Selection
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly

FILTER_LAYER = 3
"""GemFilter's, among twice the layers of the other decoder."""
FLOAT = 4
"""Bytes of a number."""


@claims.experiment
def deep_decoder(layers: int, width: int) -> Size:
    """A decoder of twice the layers, for the clock and the peaks."""
    return Size(VOCABULARY, 2 * layers, width, heads=2, kv_heads=2, mlp=1)


@claims.experiment
def deep_weights(deep_decoder: Size, seed: int) -> Params:
    """Its untrained weights."""
    return network.initial(core.generator(seed, "deep"), deep_decoder)


@claims.experiment
def long_prompts(measured_n: list[int], seed: int) -> list[Tensor]:
    """One random prompt (1, n) of each length."""
    return [
        torch.randint(VOCABULARY, (1, n), generator=core.generator(seed, "long", n))
        for n in measured_n
    ]


@claims.experiment
def peak_bytes(
    deep_weights: Params, deep_decoder: Size, long_prompts: list[Tensor], k: int
) -> dict[str, list[int]]:
    """Most bytes of keys and values held at a time, by method and length."""
    model, how = (deep_weights, deep_decoder), Selection(FILTER_LAYER, k)
    rules = {"all KV": None, "SnapKV": inference.snap_places(k), "H2O": inference.h2o_places(k)}
    found = {
        name: [measured.peak_bytes(*model, x, rule) for x in long_prompts]
        for name, rule in rules.items()
    }
    own = [measured.gemfilter_peak_bytes(*model, x, how) for x in long_prompts]
    return found | {"GemFilter": own}


@claims.experiment
def peak_formula(deep_decoder: Size, measured_n: list[int], k: int) -> dict[str, list[int]]:
    """The same by the formulas of the claim."""
    m, per_token = deep_decoder.layers, 2 * deep_decoder.heads * deep_decoder.head_dim * FLOAT
    selected = [per_token * n + (m - 1) * per_token * k for n in measured_n]
    return {
        "all KV": [m * per_token * n for n in measured_n],
        "SnapKV": selected,
        "H2O": selected,
        "GemFilter": [max(per_token * n, m * per_token * k) for n in measured_n],
    }


@claims.experiment
def seconds_spent(
    deep_weights: Params, deep_decoder: Size, long_prompts: list[Tensor], k: int
) -> dict[str, list[float]]:
    """Seconds of processor time up to the first new token, by method and length."""
    found: dict[str, list[float]] = {}
    for tokens in long_prompts:
        how = Selection(FILTER_LAYER, k)
        calls = measured.first_token(deep_weights, deep_decoder, tokens, how)
        for name, call in calls.items():
            found.setdefault(name, []).append(measured.seconds(call))
    return found


@claims.check("peak-measured")
def peaks(
    peak_bytes: dict[str, list[int]], peak_formula: dict[str, list[int]]
) -> Iterator[Verdict]:
    """Bytes held against the formula, for each method."""
    for name, held in peak_bytes.items():
        yield exactly(held, "==", peak_formula[name], what=f"bytes at the peak, {name}")
