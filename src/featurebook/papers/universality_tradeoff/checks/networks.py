"""The small networks of the counterpart on images, which two chapters share."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from featurebook.core import Params
from featurebook.papers.universality_tradeoff import images, simclr
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Reason, Verdict
from featurebook.verdicts.comparisons import trend

Accuracies = dict[str, NDArray[np.float64]]

SEEDS_DIFFER: tuple[Reason, str] = (
    "seeds differ",
    "on the digits it is seen with some blocks of eight seeds, not with others",
)
"""Why a claim that one block of seeds supports is undecided."""


@dataclass(frozen=True)
class ImageSets:
    """Image sets by name, the target first, and what they are in words."""

    data: images.Data
    source: str

    @property
    def target(self) -> str:
        """The name of the target set."""
        return next(iter(self.data))

    @property
    def pools(self) -> dict[str, Tensor]:
        """Training images of the growing mixtures."""
        return images.mixtures(self.data)

    @property
    def classes(self) -> int:
        """How many classes the target has."""
        return int(self.data[self.target][1].max()) + 1


@claims.experiment
def sets_at_hand(image_sets: list[str], folder: str, side: int, most: int, seed: int) -> ImageSets:
    """The image sets on which networks are trained and judged."""
    return ImageSets(*images.at_hand(image_sets, folder, side, most, seed))


@claims.experiment
def replica_seeds(n_seeds: int, seed: int) -> list[int]:
    """A seed for each independent network of a mixture."""
    return list(range(seed, seed + n_seeds))


@claims.experiment
def untrained(
    sets_at_hand: ImageSets, replica_seeds: list[int], width: int, feature_dim: int
) -> Params:
    """The weights from which all mixtures start, one network for each seed."""
    images_of_target = sets_at_hand.data[sets_at_hand.target][0]
    return simclr.start(replica_seeds, width, feature_dim, images_of_target, sets_at_hand.classes)


@claims.experiment
def trained_on_target(
    untrained: Params, sets_at_hand: ImageSets, replica_seeds: list[int], steps: int
) -> Params:
    """Networks trained on the target alone."""
    pool = sets_at_hand.pools[sets_at_hand.target]
    return simclr.pretrain(untrained, pool, steps=steps, seeds=replica_seeds)


@claims.experiment
def trained_on_all(
    untrained: Params, sets_at_hand: ImageSets, replica_seeds: list[int], steps: int
) -> Params:
    """Networks trained on the mixture of all sets."""
    *_, pool = sets_at_hand.pools.values()
    return simclr.pretrain(untrained, pool, steps=steps, seeds=replica_seeds)


def which_sets(sets_at_hand: ImageSets) -> str:
    """What the networks have seen, in words."""
    return sets_at_hand.source


def gained(
    x: NDArray[np.float64], what: str = "accuracy gained", within: tuple[float, float] = (-1, 1)
) -> Verdict:
    """That the mean of accuracies gained, one for each seed, is above 0."""
    return trend(x, expected=(0, 1), rival=0, within=within, what=what)
