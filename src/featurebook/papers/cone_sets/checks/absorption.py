"""The checks of Theorem 1, the power law that replaces it, and the paper's constraints."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import one_hot

from featurebook import core
from featurebook.papers.cone_sets import cones, exact, experiments, network
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.papers.cone_sets.checks.training import CONE, RELU, SMOOTHED, THEORY, C, T
from featurebook.papers.cone_sets.data import PatchData
from featurebook.verdicts import Verdict, exponents
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality, trend

FAIR = cones.Cone(20, f_h=5.4, sigma0=1e-4, radius=0.39, sharpening=0.0)
"""A cone that meets every printed constraint with the noise of `FAIR_IMAGES`, N = 10, C = 24."""
FALLING = replace(FAIR, radius=0.39 * 2**0.1, sharpening=0.1)
"""The same until t = 1; then its f_r falls, as Remark 3.2 wants it."""
FAIR_IMAGES = PatchData(20, 10, 1 / 800)
ADVISED = cones.Cone(20, f_h=0.2 * 20**0.5)
"""The recommended cone."""
ACTIVATIONS = {"smoothed ReLU, c0 = 0.01": SMOOTHED, "ReLU": RELU}
"""Thresholds c_0."""
SHOWN_RATES = (0.05, 0.1, 0.15, 0.18, 0.2, 0.25)
"""Step sizes a of the slider."""
RATES, LONG = (0.05, 0.1, 0.2, 0.25), 300
"""Step sizes a and steps of the power law."""
FROM = 30
"""The step from which its exponent is fitted."""


@claims.experiment
def met_constraints() -> dict[str, pd.DataFrame]:
    """Which printed constraints hold at t = 1, ..., T, at the recommended values and at ours."""
    check = partial(cones.constraints, C=C, c0=SMOOTHED, t=range(1, T + 1))
    found = {
        "recommended": check(ADVISED, THEORY, N=100),
        "ours": check(FAIR, FAIR_IMAGES, N=10),
        "ours, f_r falling": check(FALLING, FAIR_IMAGES, N=10),
    }
    return {name: x.drop(columns="t") for name, x in found.items()}


@claims.check("theorem-1")
def absorption(seed: int) -> Iterator[Verdict]:
    """One step of kernels planted in every cone, in fractions, without noise."""
    features = THEORY.draw_features(10, core.generator(seed, "exact")).tolist()
    scale = Fraction(54, 10**5)  # σ0 f_h
    planted = [exact.unit(20, k, Fraction(9, 10) * scale) for k in range(20)]
    moved = exact.descend(
        planted + [exact.unit(20, 0, 0)] * 4,
        [[exact.unit(20, k) for k in image] for image in features],
        Fraction(1, 5),
        Fraction(1, 100),
    )
    height = 2 * Fraction(1, 2) * scale  # t σ0 c1 f_h at t = 2
    yield exactly(
        [moved[k][k] for k in range(20)],
        ">=",
        [height] * 20,
        what="each planted kernel against the cone's height, t = 2",
        instance={"features of the images": features},
    )


@claims.experiment
def fair_start(seeds: list[int]) -> dict[str, Tensor]:
    """Ten images (R, 10, P, d), and kernels (R, C, d) of which one is in each cone of `FAIR`."""
    images = core.replicate(lambda g: FAIR_IMAGES.draw(10, g).double(), seeds, "ten images")
    w = core.replicate(partial(cones.plant, FAIR, C, 0.9), seeds, "plant")
    assert all(bool(FAIR.members(x, 1)[:20].diagonal().all()) for x in w)
    return {"images": images, "w": w}


def follow(start: dict[str, Tensor], a: float, c0: float, seeds: list[int], device: str) -> Tensor:
    """The kernels planted for features k = 1, ..., 20 along the training, (T, R, 20, d)."""
    path = experiments.gradient_descent(
        start["w"], start["images"], a=a, c0=c0, T=T, seeds=seeds, device=core.pick_device(device)
    )
    return path[:, :, :20]


@claims.experiment
def leaving(
    fair_start: dict[str, Tensor], a: float, seeds: list[int], device: str
) -> dict[str, dict[str, Tensor]]:
    """For both activations: the planted kernels' own components over σ0, and who is in its cone.

    Returns:
        ``own`` and ``inside`` for each, (T, R, 20).
    """
    found = {}
    for name, c0 in ACTIVATIONS.items():
        path = follow(fair_start, a, c0, seeds, device)
        inside = [FAIR.members(w, t).diagonal(dim1=1, dim2=2) for t, w in enumerate(path, 1)]
        own = path.diagonal(dim1=2, dim2=3) / FAIR.sigma0
        found[name] = {"own": own, "inside": torch.stack(inside)}
    return found


@claims.experiment
def own_by_rate(
    fair_start: dict[str, Tensor], seeds: list[int], device: str
) -> dict[float, Tensor]:
    """Own components of the planted kernels under the plain ReLU, (T, R, 20), by step size."""
    paths = {a: follow(fair_start, a, RELU, seeds, device) for a in SHOWN_RATES}
    return {a: w.diagonal(dim1=2, dim2=3) for a, w in paths.items()}


def first_outside(inside: Tensor) -> dict[str, str]:
    """The first and last iteration at which kernels leave their cones, by kind of feature.

    Args:
        inside: (T, R, 20).
    """
    left = inside.int().argmin(0) + 1
    kinds = {"normal features": left[:, :2], "auxiliary features": left[:, 2:]}
    return {kind: f"{int(t.min())} to {int(t.max())}" for kind, t in kinds.items()}


@claims.experiment
def small_kernels(seeds: list[int], device: str) -> dict[str, NDArray[np.float64]]:
    """Growth of tiny kernels on their features, plain ReLU, for each step size of `RATES`.

    Returns:
        ``grown`` and ``predicted``, without noise, (rates, R, 20, LONG); with noise the fitted
        ``slopes`` (rates, R, 20) and the ``shares`` β of images with each feature, (R, 20).
    """
    R = len(seeds)
    sources = (PatchData(20, 10, 0.0), THEORY)  # without noise, then with
    images = torch.cat([core.replicate(partial(x.draw, 50), seeds, "power law") for x in sources])
    images = images.double()
    shares = one_hot(images.argmax(3), 20).amax(2).double().mean(1).numpy()  # (2R, 20)
    start = 1e-9 * torch.eye(20, dtype=torch.float64).expand(2 * R, -1, -1)
    grown, predicted, slopes = [], [], []
    for a in RATES:
        w = experiments.gradient_descent(
            start, images, a=a, c0=1e-300, T=LONG, seeds=seeds + seeds,
            device=core.pick_device(device),
        )  # fmt: skip
        own = w.diagonal(dim1=2, dim2=3)  # (T, 2R, 20)
        grown.append((own / own[0]).movedim(0, -1)[:R].numpy())
        predicted.append(cones.growth(a, shares, LONG)[:R])
        late = exponents(np.arange(FROM, LONG + 1), own[FROM - 1 :].flatten(1).T)
        slopes.append(late.reshape(2, R, 20)[1])
    return {"grown": np.stack(grown), "predicted": np.stack(predicted),
            "slopes": np.stack(slopes), "shares": shares[R:]}  # fmt: skip


@claims.experiment
def power_law(small_kernels: dict[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """Exponents, (rates, R, 20): ``fitted``, by the ``shares``, and by the ``chances`` β_k."""
    a = 4 * np.array(RATES)[:, None, None]
    return {
        "fitted": small_kernels["slopes"],
        "shares": a * small_kernels["shares"],
        "chances": a * THEORY.beta.double().numpy(),
    }


@claims.check("theorem-1-corrected", proof="proved on the page")
def growth_is_a_product(small_kernels: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The growth of tiny kernels without noise against the product."""
    grown, predicted = small_kernels["grown"], small_kernels["predicted"]
    yield identity(grown, predicted, tolerance=1e-10, what="growth against the product")


@claims.check("power-law")
def growth_with_noise(power_law: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The largest difference of fitted exponents from 4aβ, run by run."""
    fitted = power_law["fitted"]
    rival = float(np.abs(fitted - power_law["chances"]).max((0, 2)).min())
    yield trend(
        np.abs(fitted - power_law["shares"]).max((0, 2)),
        expected=(0.0, 0.02),
        rival={"4aβ of the true probability": rival},
        within=(0, np.inf),
        what="largest difference of a fitted exponent from 4aβ",
    )


@claims.experiment
def kept(a: float, seeds: list[int], theory_images: Tensor, device: str) -> dict[str, Tensor]:
    """The share of random kernels that keep their largest component over the training, (R,)."""
    start = core.replicate(
        lambda g: network.draw_kernels(C, 20, CONE.sigma0, g)["w"].double(), seeds, "init"
    )
    found, where = {}, core.pick_device(device)
    for name, c0 in ACTIVATIONS.items():
        path = experiments.gradient_descent(
            start, theory_images, a=a, c0=c0, T=T, seeds=seeds, device=where
        )
        same = network.label(path[-1])[0] == network.label(path[0])[0]
        found[name] = same.double().mean(1)
    return found


@claims.check("direction")
def directions_are_kept(kept: dict[str, Tensor]) -> Iterator[Verdict]:
    """The share with the smoothed ReLU, against that with the plain one."""
    smoothed, relu = kept.values()
    yield trend(
        smoothed,
        expected=(0.95, 1.0),
        rival={"the plain ReLU's": float(relu.mean())},
        within=(0, 1),
        what="share of kernels with the same largest component at t = 1 and t = 100",
    )


@claims.check("recommended")
def recommended_values(met_constraints: dict[str, pd.DataFrame]) -> Iterator[Verdict]:
    """f_r <= c1 f_h at t = 1 in fractions, and all constraints as computed."""
    yield exactly(
        Fraction(1, 1 + 1),  # f_r²/f_h² = 1/(t + 1) at t = 1
        "<=",
        Fraction(1, 2) ** 2,
        what="f_r² / f_h² against c_1² at t = 1",
        instance={"t": 1, "c_1": "1/2", "f_r / f_h": "1/√2"},
    )
    yield everywhere(met_constraints["recommended"], what="constraints as computed, all t")


@claims.check("recommended-corrected")
def values_that_meet_them(met_constraints: dict[str, pd.DataFrame]) -> Iterator[Verdict]:
    """All constraints as computed, at our values."""
    what = "N = 10, σ0 = 1e-4, f_h = 5.4, f_r = 0.39 f_h, ε = 1/800"
    yield everywhere(met_constraints["ours"], what=what)


@claims.check("corollary-3-1", proof="proved on the page")
def frequent_features_leave_larger_gaps() -> Iterator[Verdict]:
    """Both bounds as printed, from each share β to the next larger, at all steps."""
    times, shares = np.arange(1, T + 1)[:, None], np.linspace(0.1, 1, 10)
    height, radius = cones.growth_bounds(FAIR, FAIR_IMAGES, 10, C, times, shares)
    least, largest_other = height - radius[:, -1:], radius[:, :-1] - radius[:, 1:]
    what = "gap of the bounds, a β against the next larger"
    yield inequality(least[:, :-1], least[:, 1:], what=what)
    yield inequality(largest_other, 0.0, what="(E.60) of a β less that of the next")


@claims.experiment
def normal_gaps_larger(planted_path: Tensor) -> Any:
    """Whether every normal kernel's gap exceeds all auxiliary ones', (T - 1, R), from t = 2."""
    w = planted_path[:, :, :20]
    own = w.diagonal(dim1=2, dim2=3)  # (T, R, 20)
    gap = own - w.masked_fill(torch.eye(20, dtype=torch.bool), -torch.inf).amax(3)
    return (gap / CONE.sigma0)[1:, :, :2].amin(2) > (gap / CONE.sigma0)[1:, :, 2:].amax(2)
