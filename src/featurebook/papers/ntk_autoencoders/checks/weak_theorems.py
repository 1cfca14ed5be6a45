"""The checks of the weak flow at a theorem's own width."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch

from featurebook.papers.ntk_autoencoders import (
    bounds,
    data,
    kernels,
    network,
    orthonormal,
)
from featurebook.papers.ntk_autoencoders.bounds import flow_bound
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, probability

FLOW_CONSTANT = 512
"""C of Theorem 4.1."""
NARROW = (4, 16, 64)
"""Widths at which the conclusion of Theorem 4.1 can fail."""


def allowed_move(dim: int, delta: float) -> float:
    """R = λ_0 δ/8n²d for orthonormal samples."""
    return 0.5 * delta / (8 * dim**3)


def flow_network(dim: int, delta: float, power: int, seed: int) -> orthonormal.Wide:
    """A network of the width of Theorem 4.1 with this power of δ, on orthonormal samples."""
    m = int(FLOW_CONSTANT * 16 * dim**9 / delta**power)
    return orthonormal.wide(dim, m, 2 * allowed_move(dim, delta), seed)


def flow_times(dim: int) -> list[float]:
    """When a flow is looked at."""
    return [0, *np.geomspace(0.5, 16 * dim, 9).tolist()]


@claims.experiment
def printed_flows(literal_delta: float, literal_seeds: int, first: int) -> dict[int, list[bool]]:
    """Whether the flows of networks of the printed width keep the rate, by width."""
    found: dict[int, list[bool]] = {}
    for dim in (1, 2, 3):
        clock = flow_times(dim)
        for s in range(first, first + literal_seeds // (1 if dim < 3 else 4)):
            net = flow_network(dim, literal_delta, 2, s)
            seen = orthonormal.flow(net, clock, 0.25)
            line = seen["error"][0] * np.exp(-0.5 * np.array(clock) / dim) + 1e-12
            found.setdefault(net.m, []).append(bool((seen["error"] <= line).all()))
    return found


@claims.check("theorem-4-1", undecided=("our text", "δ³ in all other places"))
def gradient_flow(printed_flows: dict[int, list[bool]], literal_delta: float) -> Iterator[Verdict]:
    """How many flows keep the rate, at the printed width."""
    kept = [ok for found in printed_flows.values() for ok in found]
    widths = ", ".join(f"{m:,}" for m in printed_flows)
    what = f"orthonormal n = d = 1, 2, 3, m = {widths}"
    yield probability(sum(kept), len(kept), at_least=1 - literal_delta, what=what)


@claims.experiment
def narrow_shares(draws: int, seed: int, place: torch.device) -> pd.DataFrame:
    """Share of narrow networks whose flow keeps the rate: n = d by widths."""
    shares = {}
    for dim in (1, 2, 3):
        points = data.orthonormal(dim, dim).to(place)
        clock = [0, 2.0 * dim, 8.0 * dim, 16.0 * dim]
        for m in NARROW:
            begin = ensemble(m, dim, draws, seed=seed, place=place)
            error = network.flow("weak", begin, points, clock, step=1.0)["error"].cpu()
            kept = (error <= flow_bound(0.5 / dim, clock, error[0]) + 1e-9).all(0)
            shares[dim, m] = float(kept.double().mean())
    columns = {f"m = {m}": [shares[dim, m] for dim in (1, 2, 3)] for m in NARROW}
    return pd.DataFrame(columns, index=["n = d = 1", "2", "3"])


@claims.experiment
def own_flows(literal_delta: float, literal_seeds: int, first: int) -> dict[str, list[bool]]:
    """Flows at the proof's width: which keep the rate, and where R' < R which keep all."""
    kept, inside = [], []
    for dim in (1, 2):
        form, clock = kernels.geometry(data.orthonormal(dim, dim)), flow_times(dim)
        for s in range(first, first + literal_seeds):
            net = flow_network(dim, literal_delta, 3, s)
            seen = orthonormal.flow(net, clock, 0.25)
            error, line = seen["error"], np.exp(-0.5 * np.array(clock) / dim)
            radius = bounds.weak_radius(form, net.m, error[0], factor=2)
            kept.append(bool((error <= line * error[0] + 1e-12).all()))
            if radius < allowed_move(dim, literal_delta):
                stays = (seen["least"] >= 0.25) & (seen["max_r"] <= radius) & kept[-1]
                inside.append(bool(stays.all()))
    return {"kept": kept, "inside": inside}


@claims.check("theorem-4-1-corrected", proof="proved on the page")
def gradient_flow_corrected(
    own_flows: dict[str, list[bool]], literal_delta: float
) -> Iterator[Verdict]:
    """How many flows keep the rate, at the proof's width."""
    kept = own_flows["kept"]
    what = "orthonormal n = d = 1, 2"
    yield probability(sum(kept), len(kept), at_least=1 - literal_delta, what=what)


@claims.check("lemma-4-4", proof="proved on the page")
def bootstrap(own_flows: dict[str, list[bool]]) -> Iterator[Verdict]:
    """Kernel, error and movement wherever R' < R."""
    inside, made = own_flows["inside"], len(own_flows["kept"])
    what = f"R' < R in {len(inside)} of {made}: kernel, error, movement"
    yield everywhere(inside, what=what)
