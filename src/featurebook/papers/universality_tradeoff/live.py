"""What the story computes while a reader moves T, s, q, v_1 and m."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.universality_tradeoff import linear

Array = NDArray[np.float64]


def predicted(T: Any, s: int, q: int, v1: float, m: int) -> Any:
    """The risk of the shortest exact probe as r = s + q and m < r grow together, without noise.

    The deterministic equivalent of least squares (Hastie et al., 2022): features have variances 1
    (s of them) and b = 1/T (q of them), κ > 0 solves s/(1 + κ) + qb/(b + κ) = m, and the risk is

        κ² (v_1/(1 + κ)² + v_2/(b + κ)²) / (1 - (s/(1 + κ)² + qb²/(b + κ)²) / m).

    For T = 1 it is 1 - m/r, which is exact.
    """
    b = 1 / T
    half = (m * (1 + b) - s - q * b) / 2
    kappa = (np.sqrt(half**2 + m * b * (s + q - m)) - half) / m
    missed = kappa**2 * (v1 / (1 + kappa) ** 2 + (1 - v1) / (b + kappa) ** 2)
    return missed / (1 - (s / (1 + kappa) ** 2 + q * b**2 / (b + kappa) ** 2) / m)


def who_pays(T: float, s: int, q: int, v1: float, m: int) -> dict[str, Any]:
    """Risk on the target against the number of tasks; the bound's factor scaled to its start."""
    labels = min(m, s + q - 1)
    tasks = np.exp(np.linspace(0, np.log(64), 121))
    bound = np.sqrt(linear.leading_squared(tasks, s, q, v1, 1 - v1)) / np.sqrt(s + q)
    risk = predicted(tasks, s, q, v1, labels)
    chosen = float(predicted(T, s, q, v1, labels))
    return {
        "T": tasks,
        "risk": risk,
        "bound": risk[0] * bound**2,
        "chosen T": T,
        "chosen": chosen,
        "change": 100 * (chosen / risk[0] - 1),
        "best": linear.best_tasks(s, q, v1, 1 - v1),
    }


WHO_PAYS = Live(
    who_pays,
    handles=(
        Handle("v1", "share of the label on shared features, v₁", 0.02, 0.98, 0.5),
        Handle("T", "tasks in pre-training, T", 1, 64, 8, log=True),
        Handle("s", "shared features, s", 1, 50, 10, whole=True),
        Handle("q", "private features of a task, q", 1, 50, 10, whole=True),
        Handle("m", "labels, m (fewer than s + q count)", 1, 99, 15, whole=True),
    ),
    panels=(
        Panel(
            Axis("tasks in pre-training, T", 1, 64, log=True),
            Axis("risk on the target", 0, 1),
            (
                Layer("T", "risk", "risk of the probe"),
                Layer("T", "bound", "the bound's factor, squared and scaled"),
                Layer("chosen T", "chosen", "your T", "points"),
            ),
            drag="T",
        ),
    ),
    facts=(
        Fact("chosen", "risk at your T"),
        Fact("change", "change against one task, in per cent"),
        Fact("best", "T with the smallest bound, √(v₁q/(v₂s))"),
    ),
)
