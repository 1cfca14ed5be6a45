"""The checks of the story: adding by cosines, and one network on its way to the circuit."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from featurebook import core
from featurebook.papers.fourier_circuits import theory, training
from featurebook.papers.fourier_circuits.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality

LAMBDA = 0.02
"""The penalty's strength as a share of γ*: small enough that training does not end at zero."""
WATCHED = 40
"""Neurons whose weights are kept at every look."""
LOOKS = (0, 0.02, 0.04, 0.06, 0.08, 0.12, 0.25, 1)
"""When the weights are looked at, as shares of the training."""


@claims.experiment
def shown_network(p_shown: int, seed: int) -> dict[str, torch.Tensor]:
    """Two networks before training: U (2, m, k, p) and W (2, m, p), k = 2, twice the text's m."""
    m = 2 * theory.printed_width(2, p_shown)
    return training.initial(2, p_shown, m, 0.2, [seed, seed + 1])


@claims.experiment
def shown_training(
    shown_network: dict[str, torch.Tensor], p_shown: int, shown_steps: int, seed: int
) -> core.Run:
    """Their training on all sums, with the weights of some neurons at the steps of `LOOKS`."""
    return training.train(
        shown_network,
        LAMBDA * theory.gamma(2, p_shown),
        3,
        steps=shown_steps,
        lr=1e-2,
        seeds=[seed, seed + 1],
        observe=core.Observe(
            lambda q: {name: q[name][:, :WATCHED] for name in ("U", "W")},
            sorted({round(shown_steps * t) for t in LOOKS}),
        ),
    )


@claims.experiment
def shown_before(shown_network: dict[str, torch.Tensor]) -> dict[str, Any]:
    """Margin, norm, efficiency and phase error of the networks before training."""
    return training.measures(shown_network)


@claims.experiment
def shown_after(shown_training: core.Run) -> dict[str, Any]:
    """The same after it."""
    return training.measures(shown_training.params)


@claims.check("identity", proof="proved on the page")
def identity() -> Iterator[Verdict]:
    """How far ζs, s ≠ 0, is from the multiples of p: the cosine decreases with that."""
    away: list[int] = []
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23):
        turned = np.outer(np.arange(1, p), np.arange(1, p)) % p
        away += np.minimum(turned, p - turned).min(1).tolist()
    yield exactly(1, "<=", away, what="least distance of ζs, s ≠ 0, from p's multiples")


@claims.check("phases")
def phases(shown_before: dict[str, Any], shown_after: dict[str, Any]) -> Iterator[Verdict]:
    """The distance of the phases' sum from the output's phase, weighted in the same way."""
    yield inequality(shown_after["phase"], 0.01, what="mean phase error in radians")
    yield inequality(1.0, shown_before["phase"], what="untrained")
