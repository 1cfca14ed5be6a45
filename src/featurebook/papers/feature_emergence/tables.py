"""The six methods of the simulations, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook.core import Params, Run, generator, replicate
from featurebook.papers.feature_emergence import hardness, network
from featurebook.papers.feature_emergence.data import Distribution, draw


@dataclass(frozen=True)
class Setting:
    """Everything that fixes one simulation.

    Attributes:
        structured: the distribution with input structure.
        flat: the one without.
        m: half the number of neurons.
        n, n_test: samples.
        steps, batch: T and B of every method; the first two steps use all n.
        gain: kappa, applied to W and b before the classifier stage.
        eta, eta_rf, eta_ntk: step sizes of the classifier stage and of the two rivals.
        weighted: class-weighted loss in the first two steps.
    """

    structured: Distribution
    flat: Distribution
    m: int
    n: int
    n_test: int
    steps: int
    batch: int
    gain: float
    eta: float
    eta_rf: float
    eta_ntk: float
    weighted: bool = False

    @property
    def sigma_xi(self) -> float:
        """Noise of the neurons in steps 1 and 2, k^{-3/2}."""
        return self.structured.k**-1.5


@dataclass(frozen=True)
class Results:
    """What the methods gave.

    Attributes:
        curves: columns method, seed, step, and the four observables.
        cosines: columns method, seed, max, median: |cos(w_i, sum_A M_j)| over neurons.
        weights: first layers (R, 2m, D) by stage: initial, one, two.
    """

    curves: pd.DataFrame
    cosines: pd.DataFrame
    weights: dict[str, Tensor]


def direction(setting: Setting) -> Tensor:
    """The sum of the relevant patterns, (D,)."""
    return network.relevant_direction(setting.structured.D, setting.structured.k)


def samples(
    dist: Distribution, n: int, seeds: Sequence[int], stream: str, device: torch.device
) -> network.Data:
    """x (R, n, D) and y (R, n), one independent sample for every seed."""
    x, y = replicate(lambda g: draw(g, dist, n), seeds, stream)
    return x.to(device), y.to(device)


def starts(setting: Setting, seeds: Sequence[int], device: torch.device) -> list[Params]:
    """The initial networks; without structure gamma = 0, so the structured sigma_a serves both."""
    dist = setting.structured
    spread = network.sigma_a(dist)
    drawn = [
        network.initial(generator(s, "init"), dist.D, setting.m, dist.k, spread) for s in seeds
    ]
    return [{name: p.to(device) for name, p in one.items()} for one in drawn]


def _schedule(setting: Setting, seeds: Sequence[int]) -> dict:
    T = setting.steps
    marks = sorted({0, 1, 2, *range(0, T + 1, max(1, T // 16)), T})
    return {"steps": T, "batch": setting.batch, "seeds": seeds, "observe_at": marks}


def with_structure(
    setting: Setting, seeds: Sequence[int], device: torch.device, *, rescaled: bool = False
) -> Results:
    """Network, NTK, RF, One Step and Two Step on the structured inputs.

    Args:
        rescaled: also One Step with the norms of Two Step.
    """
    fit = samples(setting.structured, setting.n, seeds, "data", device)
    test = samples(setting.structured, setting.n_test, seeds, "test", device)
    networks = starts(setting, seeds, device)
    zero = network.stack(networks)
    one, two = network.first_two_steps(
        networks, fit, network.eta_one(setting.structured, setting.m), setting.sigma_xi,
        weighted=setting.weighted,
    )  # fmt: skip
    plan = _schedule(setting, seeds)
    kappa, eta = setting.gain, setting.eta
    after_two = network.amplified(two, kappa)
    runs = {
        "Network": network.train_network(after_two, fit, test, eta=eta, **plan),
        "NTK": network.train_tangent(zero, fit, test, eta=setting.eta_ntk, **plan),
        "RF": _on_features(zero, fit, test, setting.eta_rf, plan),
        "One Step": _on_features(network.amplified(one, kappa), fit, test, eta, plan),
        "Two Step": _on_features(after_two, fit, test, eta, plan),
    }
    if rescaled:
        like_two = network.amplified(network.rescaled(one, two), kappa)
        runs["One Step rescaled"] = _on_features(like_two, fit, test, eta, plan)
    weights = {"initial": zero["W"], "one": one["W"], "two": two["W"]}
    names = {"Network": runs["Network"].params["W"].double(), "RF": zero["W"],
             "One Step": one["W"], "Two Step": two["W"]}  # fmt: skip
    return Results(_curves(runs), _cosines(names, setting, seeds), weights)


def without_structure(setting: Setting, seeds: Sequence[int], device: torch.device) -> Results:
    """The network on inputs without structure."""
    fit, test, networks = _flat_start(setting, seeds, device)
    one, two = network.first_two_steps(
        networks,
        fit,
        network.eta_one(setting.structured, setting.m),
        setting.sigma_xi,
        weighted=setting.weighted,
    )
    start = network.amplified(two, setting.gain)
    run = network.train_network(start, fit, test, eta=setting.eta, **_schedule(setting, seeds))
    name = "Network w/o structure"
    weights = {"initial": network.stack(networks)["W"], "one": one["W"], "two": two["W"]}
    cosines = _cosines({name: run.params["W"].double()}, setting, seeds)
    return Results(_curves({name: run}), cosines, weights)


def fixed_without_structure(
    setting: Setting, seeds: Sequence[int], device: torch.device
) -> pd.DataFrame:
    """Learning curves of NTK and RF on inputs without structure."""
    fit, test, networks = _flat_start(setting, seeds, device)
    zero, plan = network.stack(networks), _schedule(setting, seeds)
    runs = {
        "NTK w/o structure": network.train_tangent(zero, fit, test, eta=setting.eta_ntk, **plan),
        "RF w/o structure": _on_features(zero, fit, test, setting.eta_rf, plan),
    }
    return _curves(runs)


def _flat_start(
    setting: Setting, seeds: Sequence[int], device: torch.device
) -> tuple[network.Data, network.Data, list[Params]]:
    fit = samples(setting.flat, setting.n, seeds, "flat data", device)
    test = samples(setting.flat, setting.n_test, seeds, "flat test", device)
    return fit, test, starts(setting, seeds, device)


def _on_features(
    params: Params, fit: network.Data, test: network.Data, eta: float, plan: dict
) -> Run:
    inside = (network.hidden(params, fit[0]), fit[1])
    outside = (network.hidden(params, test[0]), test[1])
    return network.train_linear(inside, outside, eta=eta, **plan)


def _curves(runs: dict[str, Run]) -> pd.DataFrame:
    return pd.concat([run.frame().assign(method=name) for name, run in runs.items()])


def _cosines(weights: dict[str, Tensor], setting: Setting, seeds: Sequence[int]) -> pd.DataFrame:
    direction = network.relevant_direction(setting.structured.D, setting.structured.k)
    rows = []
    for name, W in weights.items():
        signed = network.cosines(W.cpu(), direction)
        for seed, c in zip(seeds, signed, strict=True):
            rows.append({"method": name, "seed": seed, "max": float(c.nan_to_num().max()),
                         "median": float(c.abs().nanmedian())})  # fmt: skip
    return pd.DataFrame(rows)


def at_end(curves: pd.DataFrame, column: str = "test accuracy") -> pd.DataFrame:
    """``column`` at the last step: one row for each seed, one column for each method."""
    last = curves[curves.step == curves.step.max()]
    return last.pivot_table(index="seed", columns="method", values=column)


def lifted(initial: Tensor, seeds: Sequence[int], d: int, k: int) -> NDArray[np.float64]:
    """The largest cosine of initial weights with Σ M_j in d dimensions, not in our D coordinates.

    Args:
        initial: first layers at the start, (R, 2m, D).
    """
    found = [
        float(network.lifted_cosines(W, k, d, generator(s, "lift", d), 1 / k).max())
        for s, W in zip(seeds, initial, strict=True)
    ]
    return np.array(found)


def floor(
    mixtures: Mapping[float, Distribution], setting: Setting, seeds: Sequence[int],
    device: torch.device,
) -> pd.DataFrame:  # fmt: skip
    """Random features and the network on mixtures with shares alpha of uniform parity: hinge losses
    on fresh samples, and the lower bounds of Theorem 2 at the trained norm B.

    Args:
        mixtures: by alpha; their p_o is that of the sharper bound.
        setting: everything else.
    """
    rows = []
    for alpha, dist in mixtures.items():
        one = replace(setting, structured=dist)
        fit, test = (
            samples(dist, size, seeds, stream, device)
            for size, stream in ((one.n, "data"), (one.n_test, "test"))
        )
        plan = {"steps": one.steps, "batch": one.batch, "seeds": seeds, "observe_at": [one.steps]}
        networks = starts(one, seeds, device)
        rf = _on_features(network.stack(networks), fit, test, one.eta_rf, plan)
        _, two = network.first_two_steps(networks, fit, network.eta_one(dist, one.m), one.sigma_xi)
        after_two = network.amplified(two, one.gain)
        net = network.train_network(after_two, fit, test, eta=one.eta, **plan)
        for r, s in enumerate(seeds):
            B, N = float(rf.params["a"][r].norm()), 2 * one.m
            sharper = hardness.parseval_bound(N, B, dist.D, dist.k, dist.p_background)
            rows.append({"α": alpha, "seed": s, "B": B,
                "RF": float(rf.observed["test hinge"][-1, r]),
                "error": float(rf.observed["test error"][-1, r]),
                "Network": float(net.observed["test hinge"][-1, r]),
                "sharper bound": alpha * sharper,
                "printed bound": alpha * hardness.printed_bound(N, B, dist.k),
            })  # fmt: skip
    return pd.DataFrame(rows)


def network_alone(setting: Setting, seeds: Sequence[int], device: torch.device) -> pd.DataFrame:
    """Learning curves of the network by itself, on the structured inputs."""
    dist = setting.structured
    fit, test = (
        samples(dist, size, seeds, stream, device)
        for size, stream in ((setting.n, "data"), (setting.n_test, "test"))
    )
    step = network.eta_one(dist, setting.m)
    _, two = network.first_two_steps(
        starts(setting, seeds, device), fit, step, setting.sigma_xi, weighted=setting.weighted
    )
    start = network.amplified(two, setting.gain)
    run = network.train_network(start, fit, test, eta=setting.eta, **_schedule(setting, seeds))
    return _curves({"Network": run})


def after_each_step(setting: Setting, seed: int) -> dict[str, float]:
    """Test accuracy of the least-squares classifier on the features after step 1, after step 1 with
    the norms of step 2, and after step 2; and "crossed", the share of neurons that change between
    off, linear and saturated over the sample after step 1. Float64, no training."""
    dist, cpu = setting.structured, torch.device("cpu")
    (x, y), (u, v) = (
        (part[0][0].double(), part[1][0].double())
        for part in (
            samples(dist, setting.n, [seed], "data", cpu),
            samples(dist, setting.n_test, [seed], "test", cpu),
        )
    )
    step = network.eta_one(dist, setting.m)
    one, two = network.first_two_steps(
        starts(setting, [seed], cpu), (x[None], y[None]), step, setting.sigma_xi
    )
    stages = {"One Step": one, "One Step rescaled": network.rescaled(one, two), "Two Step": two}
    found = {"seed": float(seed)}
    for name, p in stages.items():
        before, fresh = (setting.gain * (z @ p["W"][0].T + p["b"][0]) for z in (x, u))
        if name == "One Step":
            sides = [((before > level).any(0) & (before <= level).any(0)) for level in (0, 1)]
            found["crossed"] = float((sides[0] | sides[1]).double().mean())
        h = network.activation(before)
        a = torch.linalg.lstsq(h, y[:, None], driver="gelsd").solution[:, 0]
        found[name] = float(network.scores(network.activation(fresh) @ a, v)[0])
    return found
