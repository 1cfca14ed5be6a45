"""What most chapters share: the device, the seeds, and the samples that are trained."""

import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import data, experiments, kernels
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.kernels import Geometry


@claims.experiment
def place(device: str) -> torch.device:
    """Where to train."""
    return core.pick_device(device)


@claims.experiment
def first(seed: int) -> int:
    """The seeds of data and networks count from here."""
    return experiments.SEEDS * seed


@claims.experiment
def samples(n: int, d: int, first: int, place: torch.device) -> Tensor:
    """Random unit vectors X (d, n), on the device."""
    return data.sphere(n, d, seed=first).to(place)


@claims.experiment
def shape(samples: Tensor) -> Geometry:
    """What the bounds know of them."""
    return kernels.geometry(samples.cpu())


@claims.experiment
def flow_width(widths: list[int]) -> int:
    """The second largest width, or the only one: that of networks whose flow is followed."""
    return widths[-2] if len(widths) > 1 else widths[0]
