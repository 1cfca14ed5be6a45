"""The checks of the joint flow: decay, the movement of both layers, its path, the bootstrap."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.core.spectra import spectral_norm
from featurebook.papers.ntk_autoencoders import (
    bounds,
    data,
    experiments,
    groups,
    kernels,
    network,
)
from featurebook.papers.ntk_autoencoders.bounds import flow_bound
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.checks.weak import Flow
from featurebook.papers.ntk_autoencoders.experiments import ensemble, norms
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, inequality

AXES = np.eye(2)
"""The samples of the groups."""
CLOCK = [0, *np.geomspace(1, 150, 40).tolist()]
"""When their flow is looked at."""
STARTS = ((1000, 12500), (2000, 33334), (5000, 166668))
"""``half`` and ``excess`` of `groups.three_groups`, an eighth of all neurons along (1, 1)."""
APART, NETWORKS = -0.6, 12
"""Cosine of two samples that meet the premise of Lemma 5.6, and networks that are trained."""


@claims.experiment
def joint_start(
    d: int, flow_width: int, n_seeds: int, seed: int, place: torch.device
) -> core.Params:
    """The networks whose joint flow is followed."""
    return ensemble(flow_width, d, n_seeds, seed=seed, place=place)


@claims.experiment
def joint_flow(samples: Tensor, joint_start: core.Params, d: int) -> Flow:
    """Their flow, by Runge and Kutta, up to t = 40d."""
    times = [0, *np.geomspace(1, 40 * d, 15).tolist()]
    step = kernels.stable_step("joint", joint_start, samples, 0.5)
    look = kernels.watch("joint", joint_start, samples)
    seen = network.flow("joint", joint_start, samples, times, step=step, observe=look)
    return Flow(times, {name: value.cpu() for name, value in seen.items()})


@claims.experiment
def hypothesis(joint_flow: Flow, shape: Geometry) -> Tensor:
    """Where λ_min(K) >= λ_0/2 held at all recorded times so far, (times, networks)."""
    return experiments.while_met(joint_flow.seen, shape)


def radius(flow: Flow, form: Geometry, m: int, reach: Tensor) -> Tensor:
    """The radius of Lemmas 5.4 and 5.5 for what multiplies the error, at all recorded times."""
    found = bounds.joint_radius(form, m, flow.seen["error"][0], factor=2, reach=reach)
    return torch.as_tensor(found).expand_as(flow.seen["error"])


@claims.check("lemma-5-3", proof="proved on the page")
def decay(joint_flow: Flow, hypothesis: Tensor, shape: Geometry) -> Iterator[Verdict]:
    """The error while the hypothesis held."""
    error = joint_flow.seen["error"]
    most = flow_bound(shape.lambda_0 / shape.d, joint_flow.times, error[0]) + 1e-9
    yield inequality(error[hypothesis], most[hypothesis])


@claims.check("lemma-5-4", proof="proved on the page")
def encoder_moves(
    joint_flow: Flow, hypothesis: Tensor, shape: Geometry, flow_width: int,
    joint_start: core.Params,
) -> Iterator[Verdict]:  # fmt: skip
    """The encoder's movement, with the largest of the decoder's as R_a."""
    reach = norms(joint_start["A"]) + joint_flow.seen["A"].amax(0)
    most = radius(joint_flow, shape, flow_width, reach)
    yield inequality(joint_flow.seen["W"][hypothesis], most[hypothesis])


@dataclass(frozen=True)
class GroupFlow:
    """The flow of a network in groups on X = I_2.

    Attributes:
        net: at the start.
        eps: ε, the length of the encoder's weights.
        seen: `groups.observe` at each time of `CLOCK`.
        radius: R'_a of Lemma 5.5, with the smallest R_w that its hypothesis allows.
    """

    net: groups.Grouped
    eps: float
    seen: list[dict[str, float]]
    radius: float

    @property
    def R_w(self) -> float:
        """The largest movement of the encoder."""
        return max(row["W"] for row in self.seen)

    @property
    def ratio(self) -> NDArray[np.float64]:
        """The decoder's movement over the radius, at each time."""
        return np.array([row["A"] for row in self.seen]) / self.radius

    @property
    def row(self) -> dict[str, float]:
        """This row of the table."""
        least, room = (min(row[name] for row in self.seen) for name in ("least", "room"))
        moved = self.seen[-1]["A"]
        return {
            "m": self.net.m, "ε": self.eps, "least λ_min(K)": least,
            "least w·x over its start": room, "‖A - A(0)‖": moved, "R'_a": self.radius,
            "ratio": moved / self.radius,
        }  # fmt: skip


@claims.experiment
def group_flows(two_shape: Geometry) -> list[GroupFlow]:
    """Three networks of growing width that refute Lemma 5.5."""
    found = []
    for half, excess in STARTS:
        start = groups.three_groups(half, excess, share=8)
        net = start.network()
        seen = [groups.observe(later, net, AXES) for later in groups.flow(net, AXES, CLOCK)]
        reach = float(spectral_norm(net.W)) + max(row["W"] for row in seen)
        most = bounds.joint_radius(two_shape, net.m, 1.0, reach, factor=2)
        found.append(GroupFlow(net, float(start.eps), seen, float(most)))
    return found


@claims.check("lemma-5-5")
def decoder_moves(group_flows: list[GroupFlow]) -> Iterator[Verdict]:
    """The decoder's movement in groups against the printed radius."""
    yield inequality(
        [run.seen[-1]["A"] for run in group_flows], [run.radius for run in group_flows],
        what="groups, λ_min(K) ≥ λ_0/2 throughout: ‖A - A(0)‖ against R'_a",
    )  # fmt: skip


@claims.check("lemma-5-5-corrected", proof="proved on the page")
def decoder_moves_corrected(
    joint_flow: Flow, hypothesis: Tensor, shape: Geometry, flow_width: int, samples: Tensor,
    joint_start: core.Params, group_flows: list[GroupFlow], two_shape: Geometry,
) -> Iterator[Verdict]:  # fmt: skip
    """Random weights, and the widest network in groups, against the corrected radius."""
    Phi = norms(torch.relu(samples.T @ joint_start["W"]))
    reach = Phi / sqrt(shape.lambda_n) + joint_flow.seen["W"].amax(0)
    most = radius(joint_flow, shape, flow_width, reach)
    yield inequality(joint_flow.seen["A"][hypothesis], most[hypothesis], what="random weights")
    last = group_flows[-1]
    large = float(spectral_norm(groups.features(last.net, AXES))) + last.R_w
    bound = bounds.joint_radius(two_shape, last.net.m, 1.0, large, factor=2)
    yield inequality(last.seen[-1]["A"], bound, what=f"groups, m = {last.net.m:,}")


@claims.check("path-length", proof="proved on the page")
def path_of_the_flow(
    joint_flow: Flow, hypothesis: Tensor, shape: Geometry, group_flows: list[GroupFlow]
) -> Iterator[Verdict]:
    """The distance from the start, of random weights and in groups."""
    seen = joint_flow.seen
    straight = (seen["W"].square() + seen["A"].square()).sqrt()
    reach = bounds.path_radius(shape.d, shape.lambda_0, seen["error"][0])
    most = torch.as_tensor(reach).expand_as(straight)
    yield inequality(
        straight[hypothesis], most[hypothesis], what="random weights: distance from the start"
    )
    last = group_flows[-1].seen[-1]
    yield inequality(np.hypot(last["A"], last["W"]), bounds.path_radius(2, 0.5, 1.0), what="groups")


@claims.check("lemma-5-6", proof="proved on the page")
def bootstrap(certificate_width: int, seed: int, place: torch.device) -> Iterator[Verdict]:
    """The conclusions on two samples at an obtuse angle, where the conditions are met."""
    X, m = data.pair(APART).to(place), 2 * certificate_width
    form, start = kernels.geometry(X.cpu()), ensemble(m, 2, NETWORKS, seed=seed, place=place)
    ts = [0, 1, 2, 4, 8, 16]
    look = kernels.watch("joint", start, X)
    seen = network.flow("joint", start, X, ts, step=1.0, observe=look)
    seen = {k: v.cpu() for k, v in seen.items()}
    size_w, size_a = (norms(start[k]).tolist() for k in ("W", "A"))
    alpha = torch.as_tensor(bounds.joint_radius(form, m, seen["error"][0], 1.0, factor=2))
    rows = [bounds.mutual_radii(*row) for row in zip(alpha.tolist(), size_a, size_w, strict=True)]
    R_w, R_a = torch.tensor(rows, dtype=torch.double).T
    room = [
        bounds.lemma_52_printed(form.lambda_n, size, m, float(R))
        for size, R in zip(size_w, R_w, strict=True)
    ]
    H = core.per_network(lambda W: kernels.decoder_kernel(W, X), 0)(start["W"]).cpu()
    met = (torch.tensor(room) < form.lambda_0 / 4) & (kernels.smallest(H) >= 0.75 * form.lambda_0)
    bound = flow_bound(form.lambda_0 / 2, ts, seen["error"][0]) + 1e-9
    kept = (seen["W"] <= R_w) & (seen["A"] <= R_a)
    kept &= (seen["least"] >= form.lambda_0 / 2) & (seen["error"] <= bound)
    what = f"cosine -0.6, m = {m:,}, conditions met by {int(met.sum())} of {NETWORKS}"
    yield everywhere(kept[:, met], what=what)


@claims.experiment
def without_premise(group_flows: list[GroupFlow], two_shape: Geometry) -> pd.Series:
    """The radii of Lemma 5.6 for the widest network in groups, and how far its decoder moves."""
    last = group_flows[-1]
    size_w, size_a = (float(spectral_norm(x)) for x in (last.net.W, last.net.A))
    error = last.seen[0]["error"]
    alpha = float(bounds.joint_radius(two_shape, last.net.m, error, 1.0, factor=2))
    R_w, R_a = (1.01 * found for found in bounds.mutual_radii(alpha, size_a, size_w))
    found = {
        "R'_w": alpha * (size_a + R_a), "R_w": R_w, "R'_a": alpha * (size_w + R_w), "R_a": R_a,
        "‖A - A(0)‖": max(row["A"] for row in last.seen),
        "Lemma 5.2's bound": bounds.lemma_52_printed(two_shape.lambda_n, size_w, last.net.m, R_w),
        "λ_0/4": two_shape.lambda_0 / 4,
    }  # fmt: skip
    return pd.Series(found)


@claims.check("lemma-5-6-corrected")
def what_the_premise_is_for(without_premise: "pd.Series[float]") -> Iterator[Verdict]:
    """The decoder's movement against both radii, where the other conditions are met."""
    f = without_premise
    met = f["R'_w"] < f["R_w"] and f["R'_a"] < f["R_a"] and f["Lemma 5.2's bound"] <= f["λ_0/4"]
    radii = np.array([f["R'_a"], f["R_a"]])[np.repeat([met], 2)]
    yield inequality(
        radii, f["‖A - A(0)‖"],
        what="groups that meet the other conditions: ‖A - A(0)‖ leaves R'_a and R_a",
    )  # fmt: skip
