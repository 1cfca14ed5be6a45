"""What the story computes while a reader moves the size of a fixed feature map."""

from math import comb
from typing import Any

import numpy as np

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel


def floor_of(N: Any, B: float, k: int, D: int, p_o: float) -> tuple[Any, Any]:
    """What a linear model on N fixed features of weights ‖w‖ <= B cannot go below, by both bounds.

    p_o (1 - √(2N) B/2^k), as Theorem 2 prints it, and p_o (1 - B √(N/binom(D, k))); 0 if negative.
    """
    printed = 1 - np.sqrt(2 * np.asarray(N, float)) * B / 2.0**k
    sharper = 1 - B * np.sqrt(np.asarray(N, float) / float(comb(D, k)))
    return p_o * np.maximum(printed, 0), p_o * np.maximum(sharper, 0)


def fixed_features(N: float, k: int, B: float, p_o: float, epsilon: float) -> dict[str, Any]:
    """The floor against the number of features, and sizes that halve it against k."""
    k = 2 * (k // 2) + 1
    D = 16 * k
    numbers = np.exp(np.linspace(0, np.log(1e20), 161))
    printed, sharper = floor_of(numbers, B, k, D, p_o)
    here, sharper_here = (float(x) for x in floor_of(N, B, k, D, p_o))
    odd = np.arange(3, 62, 2)
    return {
        "N": numbers,
        "printed": printed,
        "sharper": sharper,
        "k": odd,
        "half": 4.0**odd / (8 * B**2),
        "network": odd**12.0 / epsilon**1.5,
        "here": here,
        "sharper here": sharper_here,
        "needed": 4.0**k / (8 * B**2),
        "width": k**12.0 / epsilon**1.5,
    }


FIXED = Live(
    fixed_features,
    handles=(
        Handle("k", "relevant patterns, k (the next odd number)", 3, 61, 15, whole=True),
        Handle("N", "fixed features, N", 1, 1e20, 1e6, log=True),
        Handle("B", "norm of their weights, B", 0.01, 1e6, 1, log=True),
        Handle("p_o", "probability of a background pattern, pₒ", 0.05, 0.5, 0.5),
        Handle("epsilon", "loss that the network should reach, ε", 0.001, 0.5, 0.1, log=True),
    ),
    panels=(
        Panel(
            Axis("fixed features, N", 1, 1e20, log=True),
            Axis("least hinge loss", 0, 0.5),
            (
                Layer("N", "printed", "Theorem 2"),
                Layer("N", "sharper", "with binom(D, k), D = 16k"),
            ),
            drag="N",
        ),
        Panel(
            Axis("relevant patterns, k", 3, 61),
            Axis("size", 1, 1e36, log=True),
            (
                Layer("k", "half", "N for half of pₒ: exponential"),
                Layer("k", "network", "width of Theorem 1: polynomial"),
            ),
            drag="k",
        ),
    ),
    facts=(
        Fact("here", "floor at your N"),
        Fact("sharper here", "sharper floor"),
        Fact("needed", "N for half of pₒ"),
        Fact("width", "width of Theorem 1"),
    ),
)
