"""The checks of weak training: the kernel at the start, its change, and the flow's movement."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log

import numpy as np
import pandas as pd
import torch
from flint import arb
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import (
    adversaries,
    bounds,
    data,
    experiments,
    kernels,
    network,
)
from featurebook.papers.ntk_autoencoders.bounds import flow_bound
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble, norms
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, exponent, inequality, probability

LARGE = [25, 50, 100, 200]
"""n = d at which the order of width of Remark 4.1 is fitted."""
RADII = [1e-4, 1e-3, 1e-2, 1e-1]
"""How far every neuron may move in Lemma 4.2."""
FOUR = list(range(0, 101, 5))
"""When the four neurons of the counterexample are looked at."""
SQUARED = 1001
"""Odd width m of networks with n = d = 1."""


@dataclass(frozen=True)
class Starts:
    """Networks of Bernstein's width on one data set.

    Attributes:
        gap, least: ‖G(0) - G∞‖ and λ_min(G(0)), (networks,).
        W: encoders (networks, d, m).
    """

    m: int
    form: Geometry
    points: Tensor
    gap: Tensor
    least: Tensor
    W: Tensor


@claims.experiment
def bernstein_starts(
    draws: int, delta: float, first: int, seed: int, place: torch.device
) -> dict[str, Starts]:
    """Two orthonormal samples, and random ones in three dimensions."""
    sets = {"orthonormal 2": data.orthonormal(2, 2), "sphere 3": data.sphere(3, 3, first + 2)}
    found = {}
    for name, points in sets.items():
        form = kernels.geometry(points)
        m = bounds.bernstein_width(form, delta)
        nets = ensemble(m, points.shape[0], draws, seed=seed, place=place)
        gap, least = experiments.concentration(nets, points.to(place))
        found[name] = Starts(m, form, points, gap, least, nets["W"].cpu())
    return found


@claims.check("lemma-4-1", proof="proved on the page")
def concentration(bernstein_starts: dict[str, Starts], delta: float) -> Iterator[Verdict]:
    """How many networks have both conclusions."""
    for name, s in bernstein_starts.items():
        good = (s.gap <= s.form.lambda_0 / 4) & (s.least >= 0.75 * s.form.lambda_0)
        what = f"{name}, m = {s.m:,}"
        yield probability(int(good.sum()), len(good), at_least=1 - delta, what=what)


def order_of_width(k: int, seed: int) -> float:
    """The width of Lemma 4.1 over its logarithm, for k random samples in k dimensions."""
    form = kernels.geometry(data.sphere(k, k, seed))
    return bounds.bernstein_width(form, 0.1) / log(20 * k**2)


@claims.check("remark-4-1")
def well_spread_data(square_sizes: list[int], first: int) -> Iterator[Verdict]:
    """The exponent in n = d of the width without its logarithm, and that of the distance."""
    seeds = range(first, first + 12)
    orders = [[order_of_width(k, s) for k in LARGE] for s in seeds]
    yield exponent(
        LARGE, orders, expected=(0.9, 1.1), rival={"d^3/2": 1.5},
        what="exponent of the width in d = n",
    )  # fmt: skip
    spread = [[experiments.relative_distance(k, 2048, s) for k in square_sizes] for s in seeds]
    root_log = np.sqrt(np.log([k**2 / 0.1 for k in square_sizes]))
    yield exponent(
        square_sizes, np.array(spread) / root_log, expected=(0.0, 0.5),
        rival={"a width of d²": 1.0}, what="exponent of ‖G(0) - G∞‖/λ_n√log",
    )  # fmt: skip


@claims.experiment
def ten_samples(first: int) -> Tensor:
    """Ten samples in five dimensions (5, 10)."""
    return data.sphere(10, 5, seed=first + 10)


@claims.experiment
def ten_networks(draws: int, seed: int, place: torch.device) -> core.Params:
    """Networks of width 2048 in five dimensions, on the processor."""
    return {k: p.cpu() for k, p in ensemble(2048, 5, draws, seed=seed, place=place).items()}


@claims.experiment
def potentials(ten_samples: Tensor, ten_networks: core.Params) -> NDArray[np.float64]:
    """Q, what the kernel can change by at most, (networks, radii)."""
    return np.array([
        [bounds.encoder_perturbation(W, ten_samples, R) for R in RADII] for W in ten_networks["W"]
    ])  # fmt: skip


def ceiling(samples: Tensor) -> NDArray[np.float64]:
    """2n²dR at each of `RADII`."""
    d, n = samples.shape
    return 2 * n**2 * d * np.array(RADII)


@claims.check("lemma-4-2", proof="proved on the page")
def perturbation(
    potentials: NDArray[np.float64], ten_samples: Tensor, delta: float
) -> Iterator[Verdict]:
    """The mean of Q, and how many networks keep the lemma's bound."""
    most = ceiling(ten_samples)
    yield inequality(potentials.mean(0), most, what="estimated mean of Q < 2n²dR")
    for Q, bound, R in zip(potentials.T, most, RADII, strict=True):
        good = int((bound / delta > Q).sum())
        yield probability(good, len(Q), at_least=1 - delta, what=f"R = {R:g}")


@claims.check("corollary-4-1", proof="proved on the page")
def kernel_stays_positive(bernstein_starts: dict[str, Starts], delta: float) -> Iterator[Verdict]:
    """The worst case in the ball, at the widths of Lemma 4.1."""
    for name, s in bernstein_starts.items():
        R = s.form.lambda_0 * delta / (8 * s.form.n**2 * s.form.d)
        worst = torch.tensor([bounds.encoder_perturbation_sharp(V, s.points, R) for V in s.W])
        good = int((s.least - worst > s.form.lambda_0 / 2).sum())
        yield probability(good, len(s.W), at_least=1 - 3 * delta, what=name)


@claims.experiment
def adversarial_changes(ten_samples: Tensor, ten_networks: core.Params, first: int) -> pd.DataFrame:
    """Change of G under three moves within R, mean over five networks: R by moves."""
    rows = []
    for R in RADII:
        changes = []
        for s in range(5):
            net = {name: p[s] for name, p in ten_networks.items()}
            noise = core.generator(first + s, "noise")
            moves = adversaries.adversarial_moves(net["W"], ten_samples, R, noise)
            changes.append({
                k: adversaries.change_of_encoder_kernel(net, ten_samples, W)
                for k, W in moves.items()
            })  # fmt: skip
        rows.append(pd.DataFrame(changes).mean())
    return pd.DataFrame(rows).set_axis(pd.Index(RADII, name="R"))


@dataclass(frozen=True)
class FourNeurons:
    """The flow of the counterexample to Lemma 4.3, n = d = 1.

    Attributes:
        path: what `network.movement` observed at the times `FOUR`, (times, 1) each.
        line: e^(-λ_0 t/d) times the first error.
        radius: the printed R'.
    """

    path: dict[str, Tensor]
    line: Tensor
    radius: float


@claims.experiment
def four_neurons() -> FourNeurons:
    """x = 1, w = (1, -1, -1, -1), all a_r = 1."""
    x = torch.ones(1, 1, dtype=torch.double)
    W = torch.tensor([[[1.0, -1, -1, -1]]], dtype=torch.double)
    path = network.flow("weak", {"W": W, "A": W.abs()}, x, FOUR, step=0.5)
    point = kernels.geometry(x)
    line = flow_bound(point.lambda_0, FOUR, path["error"][0])
    radius = bounds.weak_radius(point, 4, float(path["error"][0]), factor=1)
    return FourNeurons(path, line, float(radius))


@claims.check("lemma-4-3")
def decay_and_movement(four_neurons: FourNeurons) -> Iterator[Verdict]:
    """The movement at t = 4 in closed form, and the flow; the slack is the integrator's error."""
    path, printed = four_neurons.path, four_neurons.radius
    yield exactly(1 - (-arb(1)).exp(), "<=", Fraction(1, 2), what="movement at t = 4 against R'")
    yield inequality(path["error"], four_neurons.line, slack=1e-5, what="error (here an equality)")
    yield inequality(path["max_r"], printed, slack=1e-5, what="movement against R', integrated")


@claims.experiment
def active_shares(draws: int, first: int) -> Tensor:
    """κ, the share of active neurons of random networks with n = d = 1."""
    draw = core.generator(first, "share")
    return (torch.randn(20 * draws, SQUARED, generator=draw) >= 0).double().mean(1)


@dataclass(frozen=True)
class Flow:
    """The flow of an ensemble: what `kernels.watch` observed, (times, networks) each."""

    times: list[float]
    seen: dict[str, Tensor]


@claims.experiment
def weak_start(
    d: int, flow_width: int, n_seeds: int, seed: int, place: torch.device
) -> core.Params:
    """The networks whose weak training is followed."""
    return ensemble(flow_width, d, n_seeds, seed=seed, place=place)


@claims.experiment
def weak_flow(samples: Tensor, weak_start: core.Params, d: int) -> Flow:
    """Their flow, by Runge and Kutta, up to t = 40d."""
    times = [0, *np.geomspace(1, 40 * d, 15).tolist()]
    step = kernels.stable_step("weak", weak_start, samples, 0.5)
    look = kernels.watch("weak", weak_start, samples)
    seen = network.flow("weak", weak_start, samples, times, step=step, observe=look)
    return Flow(times, {name: value.cpu() for name, value in seen.items()})


@claims.check("lemma-4-3-corrected", proof="proved on the page")
def decay_and_movement_corrected(
    weak_flow: Flow, shape: Geometry, flow_width: int, four_neurons: FourNeurons
) -> Iterator[Verdict]:
    """Error and movement while the hypothesis held, and the four neurons."""
    seen, met = weak_flow.seen, experiments.while_met(weak_flow.seen, shape)
    decay = flow_bound(shape.lambda_0 / shape.d, weak_flow.times, seen["error"][0])
    radius = bounds.weak_radius(shape, flow_width, seen["error"][0], factor=2)
    most = torch.as_tensor(radius).expand_as(decay)
    yield inequality(seen["error"][met], decay[met], slack=1e-9, what="error")
    yield inequality(seen["max_r"][met], most[met], what="movement against R'")
    yield inequality(
        four_neurons.path["max_r"], 2 * four_neurons.radius, slack=1e-5,
        what="four neurons, movement",
    )  # fmt: skip


@claims.check("claim-4-1", proof="proved on the page")
def error_at_the_start(
    samples: Tensor, n: int, d: int, draws: int, delta: float, seed: int, place: torch.device
) -> Iterator[Verdict]:
    """The mean in five standard errors, and how many networks keep the bound."""
    nets = ensemble(64, d, 20 * draws, seed=seed, place=place)
    error = network.squared_error(nets, samples).cpu()
    off = abs(float(error.mean()) - 1.5 * n)
    yield inequality(off, experiments.five_errors(error), what="|estimated mean - 3n/2|")
    good = int((error <= 2 * n / delta).sum())
    yield probability(good, len(error), at_least=1 - delta, what="error <= 2n/δ")


@claims.experiment
def jumps(small_samples: Tensor, first: int) -> dict[str, float]:
    """How far G and H change when one neuron crosses a sample's hyperplane by 1e-12."""
    X, edge = small_samples, network.initial(core.generator(first, "edge"), 4, 7)
    edge["W"][:, 0] -= (edge["W"][:, 0] @ X[:, 0]) * X[:, 0]  # on the hyperplane of x_1
    nudge = 1e-12 * torch.outer(X[:, 0], torch.eye(7)[0])
    sides = [edge["W"] + sign * nudge for sign in (-1, 1)]
    G = [kernels.encoder_kernel({"W": W, "A": edge["A"]}, X) for W in sides]
    H = [kernels.decoder_kernel(W, X) for W in sides]
    return {"G": float(norms(G[1] - G[0])), "H": float(norms(H[1] - H[0]))}
