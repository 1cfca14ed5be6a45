"""The checks of how much H can change: Lemma 5.2, its correction, and Remark 5.2."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd
import torch
from flint import arb
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import adversaries, data, experiments, kernels, network
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, exponent, inequality

M = [[1.0, -1.0], [1.0, 1.0]]
"""A matrix whose spectral norm a ReLU increases."""
MOVE = [[1, 0], [1, 1]]
"""Ten times the move by hand."""
INSTANTS = [0, 0.1, 0.3, 0.8, 3]
"""When the flow of the 2 x 2 network is looked at."""


@claims.experiment
def two_points(place: torch.device) -> Tensor:
    """Two orthonormal samples (2, 2)."""
    return data.orthonormal(2, 2).to(place)


@claims.experiment
def two_shape(two_points: Tensor) -> Geometry:
    """What the bounds know of them."""
    return kernels.geometry(two_points.cpu())


@dataclass(frozen=True)
class TwoByTwo:
    """The flow from W(0) = M/2 and A(0) = M on orthonormal samples.

    Attributes:
        away: the smallest |w·x| on the way.
        changes: change of H, printed and corrected bound, at each of `INSTANTS` but the first.
    """

    away: float
    changes: dict[float, tuple[float, float, float]]


@claims.experiment
def two_by_two() -> dict[str, TwoByTwo]:
    """Joint and weak flow, by regime."""
    W, X, found = torch.tensor(M, dtype=torch.double), data.orthonormal(2, 2), {}
    for regime in ("joint", "weak"):
        seen = network.flow(
            regime, {"W": W[None] / 2, "A": W[None]}, X, INSTANTS, step=0.01,
            observe=lambda p: {"W": p["W"]},
        )["W"][:, 0]  # fmt: skip
        changes = {
            t: experiments.perturbation(X, W / 2, moved)
            for t, moved in zip(INSTANTS[1:], seen[1:], strict=True)
        }
        found[regime] = TwoByTwo(float((X.T @ seen).abs().min()), changes)
    return found


@claims.check("lemma-5-2")
def printed_bound(two_by_two: dict[str, TwoByTwo]) -> Iterator[Verdict]:
    """A move by hand in closed form, and the flow; the slack is the integrator's error."""
    root = arb(3).sqrt() / 10  # R_w of the move
    by_hand = 21 * (3 + arb(5).sqrt()) / 400  # (1.21 - 1)/2 times ‖φ(M)φ(M)ᵀ‖
    yield exactly(
        by_hand, "<=", (2 * arb(2).sqrt() + root) * root / 2, what="a move by hand",
        instance={"X": "I_2", "W(0)": M, "ten times the move": MOVE},
    )  # fmt: skip
    change, most, _ = zip(*two_by_two["joint"].changes.values(), strict=True)
    what = f"joint flow, n = d = m = 2, t in {INSTANTS[1:]}"
    yield inequality(change, most, slack=1e-5, what=what)


@claims.experiment
def decoder_changes(two_by_two: dict[str, TwoByTwo], first: int) -> pd.DataFrame:
    """Change of H, printed and corrected bound: flows, a move by hand, adversarial moves."""
    rows = {
        f"2 x 2, {regime} flow, t = {t}": change
        for regime, run in two_by_two.items()
        for t, change in run.changes.items()
    }
    W, X = torch.tensor(M, dtype=torch.double), data.orthonormal(2, 2)
    move = 0.1 * torch.tensor(MOVE, dtype=torch.double)
    rows["2 x 2, a move by hand"] = experiments.perturbation(X, W, W + move)
    sets = {f"orthonormal {k}": data.orthonormal(k, k) for k in (20, 50, 100)}
    sets |= {
        f"sphere {k}, {dim}": data.sphere(k, dim, first)
        for k, dim in ((20, 10), (100, 100), (200, 100))
    }
    for name, points in sets.items():
        draw = core.generator(first, "adversary")
        W = network.initial(draw, points.shape[0], 2000)["W"]
        moved = adversaries.decoder_adversary(W, points, 1.0)
        rows[name] = experiments.perturbation(points, W, moved)
    return pd.DataFrame(rows, index=["change of H", "printed", "corrected"]).T


@claims.check("lemma-5-2-corrected", proof="proved on the page")
def corrected_bound(decoder_changes: pd.DataFrame) -> Iterator[Verdict]:
    """All changes against the corrected bound."""
    change, most = decoder_changes[["change of H", "corrected"]].T.to_numpy()
    what = "2 x 2, flows and by hand, and adversarial moves with R_w = 1"
    yield inequality(change, most, what=what)


@claims.check("remark-5-2")
def why_H_is_better(
    samples: Tensor, d: int, kernel_widths: list[int], n_seeds: int, first: int
) -> Iterator[Verdict]:
    """The exponent in m of the change that the same adversary makes."""
    X = samples.cpu()

    def pushed(m: int, seed: int) -> float:
        W = network.initial(core.generator(seed, "push"), d, m)["W"]
        return experiments.perturbation(X, W, adversaries.decoder_adversary(W, X, 1.0))[0]

    changes = [[pushed(m, s) for m in kernel_widths] for s in range(first, first + n_seeds)]
    yield exponent(
        kernel_widths, changes, expected=(-0.6, -0.4),
        rival={"no fall, as for G": 0.0, "1/m": -1.0},
        what="exponent in m of the adversarial change of H at R_w = 1",
    )  # fmt: skip
