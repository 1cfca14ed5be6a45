"""The checks of the story: images of patches, and what a perfect dictionary does with them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import one_hot

from featurebook import core
from featurebook.core.spectra import svd
from featurebook.papers.cone_sets import data, network, theory
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.papers.cone_sets.data import PatchData
from featurebook.verdicts import Verdict, clopper_pearson, mean_interval
from featurebook.verdicts.comparisons import everywhere, identity, inequality


@claims.experiment
def setting(P: int, d: int, eps: float, n_normal: int) -> PatchData:
    """The images of patches."""
    return PatchData(d, P, eps, n_normal)


@claims.experiment
def drawn_images(setting: PatchData, c4: float, n_test: int, seed: int) -> dict[str, Tensor]:
    """One image of each kind, (P, d), and ``many`` normal ones, (n_test, P, d)."""
    g, replaced = core.generator(seed, "picture"), data.replaced_patches(setting.P, c4)
    return {
        "normal": setting.draw(1, g)[0],
        "semantic": setting.semantic(1, replaced, g)[0],
        "non-semantic": setting.non_semantic(1, replaced, g)[0],
        "many": setting.draw(n_test, g),
    }


@claims.check("assumption-2-1")
def normal_images(setting: PatchData, n_train: int, seed: int) -> Iterator[Verdict]:
    """The frequency of each feature against β, and the features of each image against P."""
    features = setting.draw_features(n_train, core.generator(seed, "frequencies"))
    present = one_hot(features, setting.d).amax(1)
    intervals = [clopper_pearson(int(k), n_train, 0.9999) for k in present.sum(0)]
    inside = [low <= b <= high for (low, high), b in zip(intervals, setting.beta, strict=True)]
    exactly = present.sum(1) == setting.P
    yield everywhere(
        torch.cat([torch.tensor(inside), exactly]),
        what="frequency of each feature covers β (99.99% exact), and each image has P features",
    )


def with_replacement(setting: PatchData, n_test: int, c0: float, seed: int) -> dict[str, float]:
    """What features that repeat cost the perfect dictionary, and the NE that the paper prints."""
    g = core.generator(seed, "repeats")
    repeated = data.draw_with_replacement(setting, n_test, g)
    distinct = one_hot(repeated.argmax(2), setting.d).amax(1).sum(1).float().mean()
    return {
        "distinct features of an image": float(distinct),
        "NE of the perfect dictionary": float(
            network.error({"w": torch.eye(setting.d)}, repeated, c0)
        ),
        "printed NE of a trained one at (24, 20, 28)": 0.0084,
    }


@claims.check("ideal", proof="proved on the page")
def ideal_dictionary(drawn_images: dict[str, Tensor]) -> Iterator[Verdict]:
    """The sum over all kernels against the image."""
    z = drawn_images["many"]
    perfect = torch.eye(z.shape[2])
    yield identity((z @ perfect.T) @ perfect, z, tolerance=1e-6)


@claims.experiment
def measured_gaps(
    P: int, d: int, n_normal: int, draws: int, seed: int
) -> list[tuple[float, float, float]]:
    """SE and NSE of the perfect dictionary without noise: mean and 99.9% interval of each."""
    clean, g = PatchData(d, P, 0.0, n_normal), core.generator(seed, "gaps")
    found = []
    for draw in (clean.semantic, clean.non_semantic):
        anomalies = draw(max(draws // 10, 100), 1, g)
        off = network.reconstruct(torch.eye(d), anomalies, 1e-9) - anomalies
        found.append(mean_interval(off.square().mean((1, 2)), 0.999))
    return found


@claims.check("perfect-gaps")
def gaps_of_the_perfect_dictionary(
    measured_gaps: list[tuple[float, float, float]], P: int, d: int, n_normal: int
) -> Iterator[Verdict]:
    """Whether the intervals cover the closed form."""
    predicted = theory.perfect_dictionary_gaps(PatchData(d, P, 0.0, n_normal))
    covered = [low <= p <= high for p, (_, low, high) in zip(predicted, measured_gaps, strict=True)]
    semantic, other = predicted
    yield everywhere(
        covered,
        what=f"99.9% interval of the measured gap covers {semantic:.6f} (semantic), "
        f"{other:.6f} (other)",
    )


@claims.experiment
def left_by_pca(setting: PatchData, C: int, n_train: int, n_test: int, seed: int) -> Tensor:
    """Error per entry of C principal components on each test image, (n_test,)."""
    train = setting.draw(min(n_train, 2000), core.generator(seed, "pca")).flatten(1)
    test = setting.draw(n_test, core.generator(seed, "pca test")).flatten(1)
    centre = train.mean(0)
    components = svd(train - centre, full_matrices=False)[2][:C]
    centred = test - centre
    return (centred - (centred @ components.T) @ components).square().mean(1)


@claims.check("pca")
def simple_models_fail(left_by_pca: Tensor, setting: PatchData, C: int) -> Iterator[Verdict]:
    """The optimum of one kernel per feature against PCA, image by image."""
    optimum: Any = theory.single_feature_optimum(setting, min(C, setting.d))
    yield inequality(
        optimum + setting.eps**2 / setting.d,
        np.asarray(left_by_pca),
        what=f"error of the autoencoder's optimum against PCA with {C} components, each image",
    )
