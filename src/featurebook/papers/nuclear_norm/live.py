"""What the story computes while a reader moves λ, γ and the numbers of features."""

from typing import Any

import numpy as np

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.nuclear_norm import model, selection
from featurebook.papers.nuclear_norm.model import Array, Task


def penalty_of(task: Task, alpha: float) -> float:
    """The λ whose best solution without environmental features has the weight α."""
    counts = np.array([float(task.r)])
    pull = float(model.pulls([alpha], selection.INVARIANT, counts)[0])
    return 4 * pull * selection.largest_lambda(task.r)


def survival(lam: float, gamma: float, r: int, q: int) -> dict[str, Any]:
    """Pull over price of an environmental feature against λ, from λ's that belong to weights α."""
    task = Task(r, q, gamma)
    weights: Array = np.exp(np.linspace(np.log(1e-3), np.log(100), 121))
    lams = np.array([penalty_of(task, float(a)) for a in weights])
    spread = np.sqrt(1 / 3 - gamma**2)
    price = (q - 1) * spread + np.sqrt(spread**2 + q * gamma**2 / (1 + 3 * r))
    counts = np.array([float(r)])
    wrong = np.array([model.wrong([a], selection.INVARIANT, counts) for a in weights])
    top = selection.largest_lambda(r)
    return {
        "lambda": lams,
        "ratio": np.where(lams > 1e-6, q * gamma * wrong / (lams * price), np.nan),
        "one": np.ones(2),
        "ends": np.array([1e-4, 1.0]),
        "chosen": lam,
        "here": selection.ratio(task, lam),
        "invariant": selection.invariant_weight(r, lam),
        "top": top,
        "quarter": r / (4 * gamma**2),
    }


SURVIVAL = Live(
    survival,
    handles=(
        Handle("gamma", "strength of an environmental feature, γ", 0.02, 0.49, 0.3),
        Handle("lam", "weight of the nuclear norm, λ", 1e-4, 1, 0.1, log=True),
        Handle("r", "invariant features, r", 1, 400, 10, whole=True, log=True),
        Handle("q", "environmental features, |U|", 1, 1000, 28, whole=True, log=True),
    ),
    panels=(
        Panel(
            Axis("weight of the nuclear norm, λ", 1e-4, 1, log=True),
            Axis("pull over price", 0, 2),
            (
                Layer("lambda", "ratio", "of an environmental feature"),
                Layer("ends", "one", "above this line it survives"),
                Layer("chosen", "here", "your λ", "points"),
            ),
            drag="lam",
        ),
    ),
    facts=(
        Fact("here", "pull over price at your λ"),
        Fact("invariant", "weight of an invariant feature"),
        Fact("top", "λ from which all weights are zero"),
        Fact("quarter", "|U| that weight decay cannot bear, r/4γ²"),
    ),
)
