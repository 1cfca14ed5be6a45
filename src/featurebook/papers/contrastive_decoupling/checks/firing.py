"""The check of how densely neurons fire: data, normalisation and distortion, one at a time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from featurebook import core, images
from featurebook.papers.contrastive_decoupling import architectures, augmentations, deep
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.theory import above
from featurebook.verdicts import Verdict

SIDE = 12
"""Of an image, in pixels."""
MOST = 4000
"""Images that a network learns from."""
LOOKED_AT = 400
"""Images on which its firing is measured."""
CROP, BOTH = "crop", "crop + colour"
"""The two trainings that are compared."""


@dataclass(frozen=True)
class Setting:
    """What a network of the grid sees and is.

    Attributes:
        data: a name; settings of one name and one normalisation share a training with crops.
        pixels: images (n, 3, side, side).
        normalise: what follows each convolution.
        distorted: the crop with a colour distortion.
    """

    data: str
    pixels: Tensor
    normalise: Callable[[Tensor], Tensor]
    distorted: augmentations.Augment


@claims.experiment
def firing_settings(cifar: list[images.Images], seed: int) -> dict[str, Setting]:
    """Our setting, then another distortion, then no normalisation; and pictures, if at hand."""
    digits = augmentations.coloured(images.bundled_digits().pixels, seed, SIDE)[:MOST]
    ours, jitter = augmentations.crop_and_colour, augmentations.crop_and_jitter
    normalised, unchanged = architectures.batch_normalised, architectures.unchanged
    on, off = "digits, normalised", "digits, not normalised"
    found = {
        f"{on}; our distortion": Setting(on, digits, normalised, ours),
        f"{on}; jitter": Setting(on, digits, normalised, jitter),
        f"{off}; jitter": Setting(off, digits, unchanged, jitter),
    }
    for pictures in cifar:
        shrunk = torch.nn.functional.interpolate(
            pictures.pixels[:MOST], size=(SIDE, SIDE), mode="bilinear", antialias=True
        )
        name = "pictures, normalised"
        found[f"{name}; jitter"] = Setting(name, shrunk, normalised, jitter)
    return found


@claims.experiment
def firing_runs(
    firing_settings: dict[str, Setting], grid_steps: int, grid_seeds: int, seed: int, device: str
) -> dict[str, dict[str, core.Run]]:
    """By data: the training with crops, and one with a distortion for each setting of the data."""
    runs = {}
    for s in firing_settings.values():
        if s.data in runs:
            continue
        views: dict[str, augmentations.Augment] = {CROP: augmentations.random_crop}
        views |= {
            name: other.distorted for name, other in firing_settings.items() if other.data == s.data
        }
        runs[s.data] = deep.contrastive_trainings(
            architectures.small_net(3, 8, s.normalise), s.pixels, views,
            seeds=list(range(seed, seed + grid_seeds)), steps=grid_steps, batch_size=16,
            learning_rate=4e-3, device=core.pick_device(device), label=s.data,
        )  # fmt: skip
    return runs


@claims.experiment
def firing_grid(
    firing_settings: dict[str, Setting], firing_runs: dict[str, dict[str, core.Run]],
    grid_seeds: int, seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Measures of firing, means over layers 2 to 5: a row for each setting, view and seed."""
    rows: list[Any] = []
    for name, s in firing_settings.items():
        net, runs = architectures.small_net(3, 8, s.normalise), firing_runs[s.data]
        trained = {"untrained": None, CROP: runs[CROP].params, BOTH: runs[name].params}
        for view, params in trained.items():
            for r in range(grid_seeds):
                one = deep.untrained(net, seed + r) if params is None else deep.one(params, r)
                seen = deep.layers_of(net, one, s.pixels[:LOOKED_AT])[1:-1]
                found = pd.DataFrame([deep.firing(a) for a in seen]).mean().to_dict()
                rows.append({"setting": name, "view": view, "seed": seed + r} | found)
    return pd.DataFrame(rows)


@claims.check("figure-4-conditions")
def denser_in_small_networks(firing_grid: pd.DataFrame) -> Iterator[Verdict]:
    """In each setting: density with the distortion, less that with crops alone."""
    by_view = firing_grid.pivot_table(
        index=["setting", "seed"], columns="view", values="density", sort=False
    )
    gaps = by_view[BOTH] - by_view[CROP]
    for name, gap in gaps.groupby("setting", sort=False):
        yield above(gap, what=f"density: with colour distortion minus with crops, {name}")
