"""What the story computes while a reader moves flipped labels, noise, prompts and ranks."""

from typing import Any

import numpy as np

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.icl_scale import noise, regression

D = 16
"""Directions of the data; their eigenvalues are 1/i."""


def flips(p: float, sigma: float, M: int, N: int, small: int, large: int) -> dict[str, Any]:
    """Mean risks of two ranks against the share of flipped labels, and of all ranks at yours."""
    lam = regression.spectrum("1/i", D)
    low, high = sorted((small, large))

    def risk(rank: int, share: float) -> float:
        return noise.mean_flip_risk(lam, regression.optimum(lam, N, rank), M, sigma, share)

    shares, ranks = np.linspace(0, 1, 101), np.arange(D + 1)
    at_yours = np.array([risk(int(rank), p) for rank in ranks])
    return {
        "share": shares,
        "small": np.array([risk(low, float(x)) for x in shares]),
        "large": np.array([risk(high, float(x)) for x in shares]),
        "rank": ranks,
        "risk": at_yours,
        "best": int(at_yours.argmin()),
        "least": float(at_yours.min()),
        "crossing": crossing(lam, N, M, sigma, low, high),
        "difference": float(at_yours[high] - at_yours[low]),
    }


def crossing(lam: regression.Array, N: int, M: int, sigma: float, low: int, high: int) -> float:
    """As `noise.crossing` for an exact count of flips, by the quadratic formula in 1 - 2p.

    NaN for equal ranks, too.
    """
    v = regression.optimum(lam, N, high)[low:high]
    own = lam[low:high]
    a = (v**2 * own**2 * (own + lam.sum() + sigma**2)).sum() / M
    b, c = (own**3 * v**2).sum(), (own**2 * v).sum()
    if low == high:
        return float("nan")
    if a + b - 2 * c >= 0:
        return 0.0
    share = (1 - (c - np.sqrt(c**2 - a * b)) / b) / 2
    return float(share) if share < 1 else float("nan")


FLIPS = Live(
    flips,
    handles=(
        Handle("p", "share of labels that are flipped, p", 0, 1, 0.25),
        Handle("sigma", "standard deviation of the label noise, σ", 0, 5, 0.5),
        Handle("M", "examples in the prompt, M", 1, 1000, 32, whole=True, log=True),
        Handle("N", "examples in a pretraining prompt, N", 1, 1000, 20, whole=True, log=True),
        Handle("small", "rank of the small model", 0, D, 2, whole=True),
        Handle("large", "rank of the large model", 0, D, 8, whole=True),
    ),
    panels=(
        Panel(
            Axis("share of flipped labels, p", 0, 1),
            Axis("mean risk", 0, 10),
            (Layer("share", "small", "small model"), Layer("share", "large", "large model")),
            drag="p",
        ),
        Panel(
            Axis("rank r", -0.5, D + 0.5),
            Axis("mean risk at your p", 0, 10),
            (
                Layer("rank", "risk", "every rank", "bars"),
                Layer("best", "least", "best rank", "points"),
            ),
        ),
    ),
    facts=(
        Fact("difference", "risk of the large model less that of the small one"),
        Fact("crossing", "flips from which the large model is worse"),
        Fact("best", "best rank at your p"),
    ),
)
