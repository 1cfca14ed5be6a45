"""The checks of the classifier stage, the main theorem, and the sizes it asks for."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.core import generator
from featurebook.papers.feature_emergence import data, exact, hardness, network, tables
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.data import Distribution
from featurebook.verdicts import Verdict, starts
from featurebook.verdicts.comparisons import attack, everywhere, inequality

ALPHAS = (0.2, 0.5, 0.8)
"""Shares α of uniform parity in the repaired mixture."""
BACKGROUND = 0.2
"""p_o of that mixture."""
CHERNOFF = (0.5 - math.log(1.5)) / 2
"""Chernoff's constant in "with probability 1 - e^{-ck}", as in Lemma 9."""


@claims.experiment
def parity(D: int, k: int, p_o: float) -> Distribution:
    """The parity mixture."""
    return data.parity_mixture(D, k, p_o)


@claims.experiment
def slow_stage(
    parity: Distribution, m: int, T: int, batch: int, seed: int, device: str
) -> dict[str, Tensor]:
    """The classifier stage under the printed schedule, λ = 0, no gain, at steps ``t`` (T,).

    Returns:
        first layers ``W`` (T + 1, 2m, D) and ``b``, ``a`` (T + 1, 2m), the first before it; the
        ``rate``; the longest training input ``R``; and the test sample ``x``, ``y``.
    """
    where, k = core.pick_device(device), parity.k
    start = network.initial(generator(seed, "init"), parity.D, m, k, network.sigma_a(parity))
    fit, test = (tables.samples(parity, 2000, [seed], name, where) for name in ("data", "test"))
    near = (fit[0].cpu(), fit[1].cpu())
    _, two = network.first_two_steps([start], near, network.eta_one(parity, m), k**-1.5)
    two = {name: v.float().to(where) for name, v in two.items()}
    rate = k**2 / (T * m ** (1 / 3))
    marks = core.log_spaced(T, 12)[1:]
    run = core.train(
        network.hinge_loss, two, fit, steps=T, seeds=[seed], batch_size=batch,
        optimizer=partial(torch.optim.SGD, lr=rate), gradient=network.hinge_gradient,
        observe=core.Observe(dict, at=marks),
    )  # fmt: skip
    path = {
        name: torch.cat([two[name], v[:, 0]]).double().cpu() for name, v in run.observed.items()
    }
    return path | {
        "t": torch.tensor(marks, dtype=torch.float64),
        "rate": torch.tensor(rate, dtype=torch.float64),
        "R": fit[0].norm(dim=-1).max().double().cpu(),
        "x": test[0][0].double().cpu(),
        "y": test[1][0].double().cpu(),
    }


@claims.experiment
def movements(slow_stage: dict[str, Tensor]) -> dict[str, tuple[Tensor, Tensor]]:
    """Sizes of a, and how far w and b have moved, (T, 2m), each with what Lemma 24 allows."""
    W, b, a = (slow_stage[name] for name in "Wba")
    t, first = slow_stage["rate"] * slow_stage["t"][:, None], a[0].abs()
    allowed = t**2 + t * first
    moved = (W[1:] - W[0]).norm(dim=2)
    return {
        "|a|": (a[1:].abs(), t + first),
        "|w - w⁽²⁾|": (moved, slow_stage["R"] * allowed),
        "|b - b⁽²⁾|": ((b[1:] - b[0]).abs(), allowed),
    }


@claims.check("lemma-24", proof="proved on the page")
def weights_move_slowly(movements: dict[str, tuple[Tensor, Tensor]]) -> Iterator[Verdict]:
    """Sizes and movements against what is allowed, with constants."""
    for what, (found, allowed) in movements.items():
        yield inequality(found, allowed, slack=1e-5, what=what)


@claims.check("lemma-25", proof="proved on the page")
def losses_move_slowly(
    slow_stage: dict[str, Tensor], movements: dict[str, tuple[Tensor, Tensor]], m: int, seed: int
) -> Iterator[Verdict]:
    """The change of the loss of a sparse classifier against the bound by the movement."""
    g = generator(seed, "tilde")
    fixed = torch.randn(2 * m, generator=g, dtype=torch.float64) * (torch.arange(2 * m) % 7 == 0)
    x, y = slow_stage["x"], slow_stage["y"]
    losses = [
        hardness.hinge_losses(W, b, fixed, x, y)
        for W, b in zip(slow_stage["W"], slow_stage["b"], strict=True)
    ]
    change = torch.stack([(loss - losses[0]).abs().max() for loss in losses[1:]])
    (moved, _), (shift, _) = movements["|w - w⁽²⁾|"], movements["|b - b⁽²⁾|"]
    largest = (moved * x.norm(dim=1).max() + shift).max(1).values
    bound = fixed.norm() * fixed.count_nonzero().sqrt() * largest
    yield inequality(change, bound, slack=1e-9, what="change of the loss")


@claims.check("theorem-27", proof="proved on the page")
def online_gradient_descent(seed: int) -> Iterator[Verdict]:
    """An attack on all losses |<u, θ> - v|, starts, rivals and step sizes."""
    shapes = {"u": (12, 3), "v": (12,), "theta": (3,), "best": (3,), "log_eta": ()}
    yield attack(
        hardness.regret,
        starts(shapes, seed=seed),
        steps=60,
        what="average loss of 12 steps against the bound",
    )


@claims.experiment
def floor(
    parity: Distribution, m: int, n: int, n_test: int, T: int, batch: int, gain: float, eta: float,
    eta_rf: float, seeds: list[int], device: str,
) -> pd.DataFrame:  # fmt: skip
    """Network and random features on the repaired mixture, by α and seed (`tables.floor`)."""
    k = parity.k
    one = tables.Setting(
        parity, parity, m, min(n, 5000), n_test, min(T, 300), batch // 2, gain, eta, eta_rf, 0.0
    )
    mixtures = {a: data.independent_mixture(max(50, 2 * k), k, BACKGROUND, a) for a in ALPHAS}
    return tables.floor(mixtures, one, seeds, core.pick_device(device))


@claims.check("theorem-26")
def the_network_learns(floor: pd.DataFrame, k: int, m: int, T: int) -> Iterator[Verdict]:
    """The network's hinge loss against the bound with constants 1."""
    bound = sum(exact.theorem_26_terms(k, m, T))
    yield inequality(
        floor["Network"],
        bound,
        informative=bound < 1,
        what="hinge loss at T against the bound, constants 1",
    )


@claims.check("theorem-1")
def in_short(floor: pd.DataFrame, k: int, m: int) -> Iterator[Verdict]:
    """The network's hinge loss against the ε that this width allows."""
    epsilon = (k**12 / m) ** (2 / 3)
    yield inequality(
        floor["Network"],
        epsilon,
        informative=epsilon < 1,
        what="hinge loss against the ε that m allows",
    )


def sizes_by_k() -> pd.DataFrame:
    """The least D of Theorem 2, 1 - e^{-ck} for three c, and the k that Theorem 1 asks for."""
    rows = []
    for k in (5, 10, 20, 40):
        chances = [1 - math.exp(-c * k) for c in (1, 0.1, CHERNOFF)]
        rows.append((16 * k, *chances, math.log(max(100, 16 * k) * 300 / 0.1) ** 2))
    names = ["least D", "c = 1", "c = 0.1", f"c = {CHERNOFF:.3f}", "log²(Dm/δ)"]
    return pd.DataFrame(rows, index=[5, 10, 20, 40], columns=names).rename_axis("k")


@claims.experiment
def dimensions_with_room() -> dict[str, np.ndarray]:
    """``D`` from 16 to 10^6, and whether some k meets both conditions at m = D, δ = 0.1."""
    dims = np.arange(16, 10**6)
    return {"D": dims, "possible": np.log(dims.astype(float) ** 2 / 0.1) ** 2 <= dims / 16}


@claims.check("sizes", proof="proved on the page")
def conditions_on_sizes(dimensions_with_room: dict[str, np.ndarray]) -> Iterator[Verdict]:
    """Which D have room for a k: up to 5000 and from 10^4 on; and the experiments' sizes."""
    dims, possible = dimensions_with_room.values()
    experiments_allow = [math.log(100 * 300 / 0.1) ** 2 <= 5, 5 <= 100 / 16]
    log = math.log(10 * 10**8)  # log(10 D²) at D = 10⁴
    yield everywhere(
        [
            not possible[dims <= 5000].any(),
            10**4 / 16 - log**2 >= 1,
            1 / 16 - 4 * log / 10**4 > 0,
            possible[dims >= 10**4].all(),
            experiments_allow == [False, True],
        ],
        what="no common k up to 5000, one from 10⁴ on, the experiments satisfy the second only",
    )
