"""The checks of what step sizes decide: the gain, the noise, the printed schedule, One Step."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.feature_emergence import data, network, tables
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.tables import Setting
from featurebook.verdicts import Verdict, combine, undecided
from featurebook.verdicts.comparisons import everywhere, inequality

GAINS = (1, 2, 5, 8, 12, 18, 25, 50)
"""Gains κ that are tried."""
RATES = (0.1, 1.0)
"""Step sizes η with each of them."""


@claims.experiment
def brief_setting(parity_setting: Setting, k: int, p_o: float) -> Setting:
    """The same, smaller: fewer patterns, samples, neurons and steps."""
    one, small = parity_setting, data.parity_mixture(max(50, 2 * k), k, p_o)
    return replace(
        one, structured=small, n=min(one.n, 5000), m=min(one.m, 50), steps=min(one.steps, 300),
        batch=one.batch // 2,
    )  # fmt: skip


@claims.experiment
def brief_samples(brief_setting: Setting, seeds: list[int], device: str) -> dict[str, Any]:
    """Its training and test samples, x (R, n, D) and y (R, n), as ``data`` and ``test``."""
    one, where = brief_setting, core.pick_device(device)
    return {
        name: tables.samples(one.structured, one.n, seeds, name, where) for name in ("data", "test")
    }


def after_two_steps(
    setting: Setting, samples: dict[str, Any], sigma_xi: float, seeds: list[int], device: str
) -> core.Params:
    """The networks after steps 1 and 2, with this neuron noise."""
    begin = tables.starts(setting, seeds, core.pick_device(device))
    rate = network.eta_one(setting.structured, setting.m)
    return network.first_two_steps(begin, samples["data"], rate, sigma_xi)[1]


def classify(
    setting: Setting, two: core.Params, gain: float, eta: float, samples: dict[str, Any],
    seeds: list[int],
) -> core.Run:  # fmt: skip
    """The classifier stage from weights and biases times a gain."""
    return network.train_network(
        network.amplified(two, gain), samples["data"], samples["test"], eta=eta,
        steps=setting.steps, batch=setting.batch, seeds=seeds, observe_at=[setting.steps],
    )  # fmt: skip


@claims.experiment
def gain_runs(
    brief_setting: Setting, brief_samples: dict[str, Any], seeds: list[int], device: str
) -> dict[tuple[float, int], core.Run]:
    """The classifier stage for each of `RATES` and `GAINS`."""
    k = brief_setting.structured.k
    two = after_two_steps(brief_setting, brief_samples, k**-1.5, seeds, device)
    return {
        (rate, c): classify(brief_setting, two, c, rate, brief_samples, seeds)
        for rate in RATES
        for c in GAINS
    }


@claims.experiment
def gain_scores(gain_runs: dict[tuple[float, int], core.Run]) -> dict[str, dict[float, Tensor]]:
    """Test hinge loss and accuracy at the end, (gains, R), by step size."""
    return {
        name: {
            rate: torch.stack([gain_runs[rate, c].observed[name][-1].cpu() for c in GAINS])
            for rate in RATES
        }
        for name in ("test hinge", "test accuracy")
    }


@claims.experiment
def combs(
    gain_runs: dict[tuple[float, int], core.Run], brief_samples: dict[str, Any], k: int
) -> dict[str, Any]:
    """Outputs of the networks on all test inputs at step size 1, by gain, with the ``counts`` of
    relevant patterns and the ``labels``; (N,)."""
    x, y = brief_samples["test"]
    outputs = {
        c: torch.vmap(network.output)(gain_runs[RATES[-1], c].params, x).flatten().cpu()
        for c in GAINS
    }
    counts = (x[..., :k] > 0).sum(-1).flatten().cpu()
    return {"outputs": outputs, "counts": counts, "labels": y.flatten().cpu()}


@claims.experiment
def by_noise(
    brief_setting: Setting, brief_samples: dict[str, Any], gain: float, eta: float,
    seeds: list[int], device: str,
) -> pd.DataFrame:  # fmt: skip
    """Lowest test accuracy and share of dead neurons for four noise levels σ_ξ, from 0 to 1/k."""
    k, rows = brief_setting.structured.k, {}
    for sigma_xi in (0.0, k**-2.0, k**-1.5, 1 / k):
        two = after_two_steps(brief_setting, brief_samples, sigma_xi, seeds, device)
        run = classify(brief_setting, two, gain, eta, brief_samples, seeds)
        dead = (two["W"].norm(dim=-1) == 0).double().mean()
        rows[f"{sigma_xi:.3f}"] = [float(run.observed["test accuracy"].min()), float(dead)]
    return pd.DataFrame(rows, index=["lowest test accuracy", "share of dead neurons"]).T


@claims.check("footnote-1")
def noise_is_not_needed(by_noise: pd.DataFrame) -> Iterator[Verdict]:
    """The lowest test accuracy at each noise level."""
    yield inequality(0.99, by_noise["lowest test accuracy"], what="0.99 against the test accuracy")


@claims.experiment
def as_printed(parity_setting: Setting, seeds: list[int], device: str) -> pd.Series:
    """Test accuracy by seed with the printed step size, λ = 0 and no gain."""
    one = parity_setting
    eta = one.structured.k**2 / (one.steps * one.m ** (1 / 3))
    curves = tables.network_alone(replace(one, gain=1.0, eta=eta), seeds, core.pick_device(device))
    return tables.at_end(curves)["Network"]


def sampling(ceiling: float, n_test: int) -> float:
    """2.6 standard errors of an accuracy at the ceiling."""
    return 2.6 * math.sqrt(ceiling * (1 - ceiling) / n_test)


@claims.check("printed-schedule")
def printed_step_sizes(as_printed: pd.Series, ceiling: float, n_test: int) -> Iterator[Verdict]:
    """The accuracy under the printed schedule against that of the best threshold."""
    what = "test accuracy, and the best threshold's plus 2.6 standard errors"
    yield inequality(as_printed, ceiling + sampling(ceiling, n_test), what=what)


@claims.experiment
def by_step(parity_setting: Setting, seed: int, n_seeds: int) -> pd.DataFrame:
    """Least-squares classifiers on the features after each step, a row for each of eight seeds
    (`tables.after_each_step`)."""
    many = range(seed, seed + max(8, n_seeds))
    return pd.DataFrame([tables.after_each_step(parity_setting, s) for s in many])


@claims.check("one-step")
def features_after_one_step(
    by_step: pd.DataFrame, accuracies: pd.DataFrame, ceiling: float, n_test: int
) -> Iterator[Verdict]:
    """Least-squares classifiers after step 1 against the ceiling, after step 2 against 0.99."""
    parts = [
        inequality(by_step["One Step"], ceiling + sampling(ceiling, n_test), what="One Step"),
        inequality(0.99, by_step["Two Step"], what="0.99 against Two Step"),
    ]
    trained, best = accuracies["One Step"].mean(), by_step["One Step"].mean()
    detail = f"trained: {trained:.2f}; least squares: {best:.2f}"
    yield undecided(combine(parts), "two readings", detail)


@claims.check("one-step-corrected")
def scale_not_direction(by_step: pd.DataFrame, ceiling: float, n_test: int) -> Iterator[Verdict]:
    """The same directions rescaled, and what the raw ones are: affine, and below the ceiling."""
    yield inequality(0.99, by_step["One Step rescaled"], what="0.99 against rescaled")
    yield inequality(0.99, by_step["Two Step"], what="0.99 against Two Step")
    yield everywhere(by_step["crossed"] == 0, what="no neuron crosses a kink")
    yield inequality(by_step["One Step"], ceiling + sampling(ceiling, n_test), what="raw One Step")
