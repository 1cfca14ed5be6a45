"""The results of a training run: final parameters and observables along the way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from torch import Tensor

from featurebook.core.ensemble import Params


def log_spaced(steps: int, points: int = 30) -> list[int]:
    """Whole step numbers from 0 to ``steps``, evenly spaced on a logarithmic axis.

    At most ``points`` + 1 of them: 0, then 1 to ``steps`` without repetition.
    """
    if steps < 1:
        return [0]
    spaced = np.unique(np.geomspace(1, steps, points).round().astype(int))
    return [0, *spaced.tolist()]


@dataclass(frozen=True)
class Observe:
    """What a training keeps of its parameters on the way, and when.

    Attributes:
        what: of the parameters of all replicas; returns named tensors (R, ...).
        at: step numbers at which to look; step t is after t updates.
    """

    what: Callable[[Params], dict[str, Tensor]]
    at: Sequence[int]


@dataclass(frozen=True)
class Run:
    """The result of a training of R replicas.

    Attributes:
        params: after the last update, each (R, ...).
        seeds: one per replica.
        steps: the T step numbers at which observables were recorded; step t is after t updates.
        observed: by name, each (T, R, ...), on the device of training.
        seconds: wall-clock time of this call (a resumed run counts its own part only).
    """

    params: Params
    seeds: tuple[int, ...]
    steps: tuple[int, ...]
    observed: dict[str, Tensor]
    seconds: float

    def frame(self, names: Sequence[str] | None = None) -> pd.DataFrame:
        """The scalar observables as a tidy frame with columns step, seed, and one per name."""
        scalar = [n for n, x in self.observed.items() if x.ndim == 2]
        chosen = scalar if names is None else list(names)
        if missing := [n for n in chosen if n not in scalar]:
            raise KeyError(f"{missing} not among the scalar observables {scalar}")
        index = pd.MultiIndex.from_product([self.steps, self.seeds], names=["step", "seed"])
        columns = {n: self.observed[n].detach().cpu().numpy().ravel() for n in chosen}
        return pd.DataFrame(columns, index=index).reset_index()
