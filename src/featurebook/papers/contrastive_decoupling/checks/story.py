"""The checks of the story: the significance of sparse signals, the gradient, and photographs."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook import core, images
from featurebook.papers.contrastive_decoupling import model, photographs, signs
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.theory import above
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality

SIZES = np.array([16, 32, 64, 128, 256, 1024, 4096, 10**5, 10**6])
"""Numbers of atoms d at which exact probabilities are compared with bounds."""
LOGS = np.log(SIZES)
PATCH, COLOUR_PATCH = 12, 8
"""Pixels a side of grey patches, and of coloured ones."""
TWO = ("mask + bias", "plain, no decay")
"""The panels that are trained in colour as well."""


@claims.experiment
def noise_along_atoms(C_sigma: float) -> pd.DataFrame:
    """A "level", and the "probability" that noise along an atom exceeds it, by d."""
    level = math.sqrt(2 * C_sigma) * LOGS**1.25 / np.sqrt(SIZES)
    exceeds = 2 * stats.norm.sf(level / np.sqrt(C_sigma * np.sqrt(LOGS) / SIZES))
    return pd.DataFrame({"level": level, "probability": exceeds}, pd.Index(SIZES, name="d"))


@claims.experiment
def likeness_of_noise() -> pd.DataFrame:
    """A "level", and the "probability" that two of d² noise vectors have a larger cosine, by d."""
    freedom = SIZES.astype(float) ** 2
    pairs = freedom**2 / 2
    level = np.sqrt(2 * (LOGS**2 + np.log(pairs)) / freedom)
    exceeds = pairs * stats.beta.sf(level**2, 0.5, (freedom - 1) / 2)
    return pd.DataFrame({"level": level, "probability": exceeds}, pd.Index(SIZES, name="d"))


@claims.experiment
def shown_example(setting: model.SparseCoding, seed: int) -> dict[str, NDArray[Any]]:
    """Of 60 examples that with the most atoms: "x" (d_1,), which atoms are "active" and what is
    "seen" along them, (d,), and the "sign" of each coordinate under a mask."""
    g = core.generator(seed, "picture")
    x, z, _ = model.sample(g, setting, 60)
    row = int((z != 0).sum(1).argmax())
    sign = model.random_mask(g, 1, setting.d1)[0]
    seen = (x[row] @ setting.M).numpy()
    active = (z[row] != 0).numpy()
    return {"x": x[row].numpy(), "active": active, "seen": seen, "sign": sign.numpy()}


@claims.experiment
def gradient_pair(setting: model.SparseCoding, seed: int) -> dict[str, Tensor]:
    """At random weights (6, d_1): the "gradient" of the loss, and what the corrected form gives."""
    g = core.generator(seed, "gradient")
    W = 0.5 * torch.randn(6, setting.d1, generator=g, dtype=torch.float64)
    W.requires_grad_()
    x, x_n = (model.sample(g, setting, n)[0].double() for n in (40, 10))
    x_plus = x * (1 + model.random_mask(g, 40, setting.d1))
    b = 0.1 * W.detach().norm(dim=1)
    f, f_pp, f_n = (model.features(W, b, a) for a in (x_plus, 2 * x - x_plus, x_n))
    (gradient,) = torch.autograd.grad(model.contrastive_loss(f, f_pp, f_n, tau=1.0), W)
    with torch.no_grad():
        views = (x_plus @ W.T, (2 * x - x_plus) @ W.T, x_plus)
        pushed, _ = model.push(W, b, views, x_n, tau=1.0)
    return {"gradient": gradient, "push": pushed}


@claims.experiment
def panels(patch_steps: int) -> dict[str, tuple[str, model.Recipe]]:
    """How neurons look at patches: with a mask or plain, and the recipe."""
    s = patch_steps
    look = model.Recipe(0.1, 0.1, 0.02, 1.5, s // 6, 2 * s // 3, s)
    return {
        "mask + bias": ("mask", look),
        "mask": ("mask", replace(look, beta_end=0.0)),
        "plain + bias": ("plain", look),
        "plain, no decay": ("plain", replace(look, beta_end=0.0, lam=0.0)),
    }


@claims.experiment
def neurons_on_patches(patch_m: int, seeds: list[int], device: str) -> dict[str, Any]:
    """How many neurons look at patches, with which seeds, and where they are trained."""
    return {"m": patch_m, "seeds": seeds, "device": core.pick_device(device)}


@claims.experiment
def grey_patches(n_patches: int, seed: int) -> Tensor:
    """Patches of the two bundled photographs, grey, whitened, normalised: (n, 144)."""
    pixels = photographs.grey(photographs.bundled_photographs())
    return photographs.prepared(pixels, PATCH, n_patches, seed)


@claims.experiment
def filters(
    grey_patches: Tensor, panels: dict[str, tuple[str, model.Recipe]],
    neurons_on_patches: dict[str, Any], K: int, N: int,
) -> dict[str, Tensor]:  # fmt: skip
    """Weights after training on grey patches, (seeds, m, 144), and those "untrained"."""
    found = {
        name: photographs.see(grey_patches, *panel, K, N, **neurons_on_patches).params["W"].cpu()
        for name, panel in panels.items()
    }
    return found | {"untrained": start(panels, neurons_on_patches, PATCH**2)}


def start(panels: dict[str, tuple[str, model.Recipe]], neurons: dict[str, Any], d1: int) -> Tensor:
    """Weights before training, (seeds, m, d_1)."""
    return model.start(panels["mask + bias"][1], neurons["m"], d1, neurons["seeds"])["W"]


@claims.experiment
def kurtoses(filters: dict[str, Tensor], grey_patches: Tensor) -> pd.DataFrame:
    """Mean excess kurtosis of the filters' responses: rows seeds, columns panels."""
    return photographs.kurtoses(filters, grey_patches)


@claims.experiment
def colour_patches(cifar: list[images.Images], n_patches: int, seed: int) -> dict[str, Tensor]:
    """The same in colour, (n, 192), by source: the photographs, and CIFAR-10 if at hand."""
    pixels = {"photographs": photographs.bundled_photographs()}
    if cifar:
        pixels["CIFAR-10"] = cifar[0].pixels
    return {
        name: photographs.prepared(x, COLOUR_PATCH, n_patches, seed) for name, x in pixels.items()
    }


@claims.experiment
def colour_filters(
    colour_patches: dict[str, Tensor], panels: dict[str, tuple[str, model.Recipe]],
    neurons_on_patches: dict[str, Any], K: int, N: int,
) -> dict[str, dict[str, Tensor]]:  # fmt: skip
    """By source: weights after training on its patches, (seeds, m, 192), and "untrained" ones."""
    found = {}
    for source, x in colour_patches.items():
        weights = {
            name: photographs.see(x, *panels[name], K, N, **neurons_on_patches).params["W"].cpu()
            for name in TWO
        }
        weights["untrained"] = start(panels, neurons_on_patches, x.shape[1])
        found[source] = weights
    return found


@claims.experiment
def colour_kurtoses(
    colour_filters: dict[str, dict[str, Tensor]], colour_patches: dict[str, Tensor]
) -> dict[str, pd.DataFrame]:
    """By source, as `kurtoses`."""
    return {
        source: photographs.kurtoses(weights, colour_patches[source])
        for source, weights in colour_filters.items()
    }


@claims.check("section-2-1-significance", proof="proved on the page")
def significant_signals(
    noise_along_atoms: pd.DataFrame, C_z: float, C_sigma: float
) -> Iterator[Verdict]:
    """Exact tails of the noise along an atom, and of both lengths, against the bounds."""
    yield inequality(
        noise_along_atoms["probability"].to_numpy(),
        np.exp(-(LOGS**2)),
        informative=noise_along_atoms["level"].to_numpy() < 1,
        what="probability that noise along an atom exceeds √(2C_σ) log^(5/4) d / √d",
    )
    d1, active = SIZES.astype(float) ** 2, C_z * np.log(LOGS)  # d_1 = d², and p d
    most = np.maximum(LOGS**2, math.e**2 * active)
    yield inequality(
        stats.chi2.cdf(d1 / 2, d1) + stats.binom.sf(np.ceil(most) - 1, SIZES, active / SIZES),
        np.exp(-d1 / 16) + np.exp(-(LOGS**2)),
        informative=most < C_sigma * np.sqrt(LOGS) * SIZES / 2,
        what="probability that ‖ξ‖² < σ²d₁/2 or ‖Mz‖² ≥ k, d₁ = d²",
    )


@claims.check("section-2-1-individuality", proof="proved on the page")
def individual_noise(likeness_of_noise: pd.DataFrame) -> Iterator[Verdict]:
    """The exact tail of the largest cosine, against the bound."""
    yield inequality(
        likeness_of_noise["probability"].to_numpy(),
        np.exp(-(LOGS**2)),
        informative=likeness_of_noise["level"].to_numpy() < 1,
        what="pairs × exact probability that two of d² noise vectors have a larger cosine",
    )


@claims.check("gradient")
def gradient_as_printed() -> Iterator[Verdict]:
    """The printed form of either sign, and the slope of the loss, for one pair in the plane."""
    yield exactly(
        [signs.bracket(1), -signs.bracket(1)],
        "==",
        signs.slope_of_the_loss(),
        what="printed form, of either sign, and slope of the loss",
        instance=signs.PAIR,
    )


@claims.check("gradient-corrected")
def attraction_and_repulsion(gradient_pair: dict[str, Tensor]) -> Iterator[Verdict]:
    """The corrected form against automatic differentiation, and for the pair."""
    push, slope = gradient_pair["push"], gradient_pair["gradient"]
    yield identity(push, -slope, tolerance=1e-9, what="random weights")
    yield exactly(signs.bracket(-1), "==", -signs.slope_of_the_loss(), what="the pair")


@claims.check("figure-2")
def features_under_augmentations(kurtoses: pd.DataFrame) -> Iterator[Verdict]:
    """Kurtosis with mask and bias, less the best of the others."""
    best = kurtoses.drop(columns="mask + bias").max(axis=1)
    what = "kurtosis with mask and bias, minus that of the best other panel"
    yield above(kurtoses["mask + bias"] - best, what=what)


@claims.check("figure-2-colour")
def local_features_in_colour(colour_kurtoses: dict[str, pd.DataFrame]) -> Iterator[Verdict]:
    """The same in colour, for each source."""
    for source, kurtosis in colour_kurtoses.items():
        best = kurtosis.drop(columns=TWO[0]).max(axis=1)
        what = f"{source}: kurtosis with mask and bias, minus that of the best other network"
        yield above(kurtosis[TWO[0]] - best, what=what)
