"""What the story computes while a reader turns phases and leaves out frequencies."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.fourier_circuits import theory

Array = NDArray[np.float64]


def logit(offset: ArrayLike, p: int, used: int, turn: float) -> Array:
    """The logit, over γ*, of the answer c = a_1 + ... + a_k + offset, for a network of norm 1.

    It is a circuit of the frequencies 1, ..., ``used`` with equal shares of the norm, whose output
    phases are all turned by ``turn``: (p - 1)/p times the mean of cos(2πζ offset/p + turn).
    """
    zeta = np.arange(1, used + 1)
    angles = 2 * np.pi * np.multiply.outer(np.asarray(offset, float), zeta) / p + turn
    return np.asarray((p - 1) / p * np.cos(angles).mean(-1))


def wrong_offsets(p: int) -> NDArray[np.int64]:
    """-(p - 1)/2, ..., (p - 1)/2 without 0."""
    half = (p - 1) // 2
    return np.array([x for x in range(-half, half + 1) if x])


def margin(p: int, used: int, turn: ArrayLike) -> Array:
    """The margin over γ*: the right logit minus the largest wrong one, for each turn."""
    turns = np.atleast_1d(np.asarray(turn, float))
    return np.array([
        float(logit(0, p, used, t)) - logit(wrong_offsets(p), p, used, t).max() for t in turns
    ])  # fmt: skip


def waves(turn: float, used: int, p: int, k: int) -> dict[str, Any]:
    """Logits against the offset of the answer, and the margin against the turn in degrees."""
    p, half = 2 * (p // 2) + 1, p // 2
    used, angle = min(used, half), np.radians(turn)
    offsets, smooth = wrong_offsets(p), np.linspace(-0.5, 0.5, 401)
    turns = np.linspace(-90, 90, 121)
    reached = float(margin(p, used, angle)[0])
    return {
        "smooth": smooth,
        "wave": logit(p * smooth, p, used, angle),
        "offset": offsets / p,
        "wrong": logit(offsets, p, used, angle),
        "zero": 0,
        "right": float(logit(0, p, used, angle)),
        "turn": turns,
        "margin": margin(p, used, np.radians(turns)),
        "efficiency": np.cos(np.radians(turns)),
        "reached": reached,
        "absolute": reached * theory.gamma(k, p),
        "neurons": (k + 1) * 2 ** (k - 1) * used,
    }


WAVES = Live(
    waves,
    handles=(
        Handle("turn", "turn of all output phases, in degrees", -90, 90, 0),
        Handle("used", "frequencies in use: 1, 2, ..., at most (p − 1)/2", 1, 30, 30, whole=True),
        Handle("p", "modulus p (the next odd number)", 5, 61, 23, whole=True),
        Handle("k", "summands k", 2, 5, 2, whole=True),
    ),
    panels=(
        Panel(
            Axis("distance of the answer from the sum, as a share of p", -0.5, 0.5),
            Axis("logit over γ*", -1, 1),
            (
                Layer("smooth", "wave", "sum of the waves"),
                Layer("offset", "wrong", "wrong answers", "points"),
                Layer("zero", "right", "right answer", "points"),
            ),
        ),
        Panel(
            Axis("turn of all output phases, in degrees", -90, 90),
            Axis("margin over γ*", -1, 1),
            (
                Layer("turn", "margin", "margin"),
                Layer("turn", "efficiency", "efficiency of each neuron, cos φ"),
            ),
            drag="turn",
        ),
    ),
    facts=(
        Fact("reached", "margin over the maximum γ*"),
        Fact("absolute", "margin at norm 1"),
        Fact("neurons", "neurons that suffice"),
    ),
)
