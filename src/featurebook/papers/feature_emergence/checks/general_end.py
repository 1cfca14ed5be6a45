"""The checks of what is left after two steps in the general setting: Lemma 48 and Claims 2 to 4."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import appendix, general
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.general import General
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exponent, inequality

HALF_WIDTHS = np.array([20, 80, 320])
"""m of Claims 3 and 4."""


@claims.experiment
def quiet_setting(general_setting: General) -> General:
    """The same with little noise, 0.02, so that counts can be distinguished."""
    return General(general_setting.dist, general_setting.M, 0.02)


@claims.experiment
def quiet_inputs(quiet_setting: General, seed: int) -> dict[str, Any]:
    """Inputs x (10000, d), float64, and labels y."""
    x, y = general.draw_general(generator(seed, "claims"), quiet_setting, 10_000)
    return {"x": x.double(), "y": y.numpy()}


@claims.check("lemma-48", beyond="parity only, one distribution; norms not measured")
def a_good_classifier_is_linear(
    quiet_setting: General, quiet_inputs: dict[str, Any], seeds: list[int], k: int
) -> Iterator[Verdict]:
    """The hinge loss of a linear program's classifier on fresh inputs, seed by seed."""
    x, y = quiet_inputs["x"], quiet_inputs["y"]
    losses = [appendix.classifier_loss(quiet_setting, x, y, s) for s in seeds]
    yield inequality(losses, math.exp(-k), what="hinge loss on fresh inputs")


@claims.check("claim-2", proof="proved on the page")
def relevant_inner_products(quiet_setting: General, k: int) -> Iterator[Verdict]:
    """Their sum at the worst input."""
    mean, M, sigma = quiet_setting.dist.mean, quiet_setting.M, quiet_setting.sigma
    extreme = torch.maximum(mean, 1 - mean) / sigma  # largest |φ_j|
    worst = (M[:, :k].T @ M).abs() @ extreme + 4.5 * quiet_setting.sigma_zeta / sigma
    yield inequality(float(worst.sum()), k / sigma, what="Σ|<M_l, x>| at the worst x")


@claims.experiment
def gaps_after_step_2(
    quiet_setting: General, quiet_inputs: dict[str, Any], seeds: list[int]
) -> dict[str, np.ndarray]:
    """Left sides of Claims 3 (``pre-activations``) and 4 (``biases``), (R, widths)."""
    x = quiet_inputs["x"]
    gaps = [
        [appendix.gaps_of_claims(quiet_setting, x, s, int(half)) for half in HALF_WIDTHS]
        for s in seeds
    ]
    return dict(zip(("pre-activations", "biases"), np.moveaxis(np.array(gaps), 2, 0), strict=True))


def falls_with_width(found: np.ndarray) -> Verdict:
    """The exponent in m."""
    return exponent(
        HALF_WIDTHS, found, expected=(-math.inf, -1), rival={"no decay": 0}, what="exponent in m"
    )


@claims.check("claim-3")
def pre_activations_after_step_2(
    gaps_after_step_2: dict[str, np.ndarray], k: int
) -> Iterator[Verdict]:
    """The distance from the ideal direction, in m, and against 1/m."""
    found, m = gaps_after_step_2["pre-activations"], HALF_WIDTHS
    yield falls_with_width(found)
    yield inequality(found, 1 / m, informative=m > k, what="with constant 1")


@claims.check("claim-4")
def biases_after_step_2(gaps_after_step_2: dict[str, np.ndarray], k: int) -> Iterator[Verdict]:
    """How far biases move, in m, and against 1/(k² m)."""
    found = gaps_after_step_2["biases"]
    yield falls_with_width(found)
    yield inequality(found, 1 / k**2 / HALF_WIDTHS, what="with constant 1")
