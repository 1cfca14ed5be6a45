"""The checks of what more data cost: networks of growing mixtures of small images."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from featurebook.core import Params
from featurebook.papers.universality_tradeoff import images, simclr
from featurebook.papers.universality_tradeoff.checks.networks import (
    SEEDS_DIFFER,
    Accuracies,
    ImageSets,
    gained,
    which_sets,
)
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

LABELS_OF_EACH = 100
"""Labels of a probe where all sets are compared."""
FEWEST = 6
"""Networks of single sets that are trained at least, if there are so many."""


@claims.experiment
def networks_of_mixtures(
    untrained: Params, trained_on_target: Params, trained_on_all: Params, sets_at_hand: ImageSets,
    replica_seeds: list[int], steps: int,
) -> dict[str, Params]:  # fmt: skip
    """Networks by mixture, and "untrained", all trained for equally many steps."""
    (first, _), *between, (last, _) = sets_at_hand.pools.items()
    return {
        "untrained": untrained,
        first: trained_on_target,
        **{
            mix: simclr.pretrain(untrained, pool, steps=steps, seeds=replica_seeds)
            for mix, pool in between
        },
        last: trained_on_all,
    }


@claims.experiment
def trained_as_often(
    untrained: Params, sets_at_hand: ImageSets, replica_seeds: list[int], steps: int
) -> Params:
    """Networks of the target with as many passes over it as those of all sets have."""
    pools = sets_at_hand.pools
    own, *_, every = pools.values()
    alike = max(1, round(steps * len(own) / len(every)))
    return simclr.pretrain(untrained, own, steps=alike, seeds=replica_seeds)


@claims.experiment
def probes_by_share(
    networks_of_mixtures: dict[str, Params], sets_at_hand: ImageSets, shares: list[float],
    n_labels: int,
) -> Accuracies:  # fmt: skip
    """Accuracies on the target by mixture, (shares + 1, seeds); the last is with n_labels."""
    data, target = sets_at_hand.data, sets_at_hand.target
    counts = [*(simclr.share(x, data, target) for x in shares), n_labels]
    return {
        mix: simclr.probe_all(net, data, target, counts, 6)
        for mix, net in networks_of_mixtures.items()
    }


@claims.experiment
def probes_by_set(
    networks_of_mixtures: dict[str, Params], sets_at_hand: ImageSets
) -> dict[str, Accuracies]:
    """Accuracies with 100 labels, by mixture and set, (seeds,)."""
    data = sets_at_hand.data
    return {
        mix: {name: simclr.probe_all(net, data, name, [LABELS_OF_EACH], 2)[0] for name in data}
        for mix, net in networks_of_mixtures.items()
    }


@claims.experiment
def mean_over_sets(probes_by_set: dict[str, Accuracies]) -> Accuracies:
    """Their means over the sets, by mixture."""
    return {mix: np.mean(list(of.values()), 0) for mix, of in probes_by_set.items()}


@claims.experiment
def lost_by_share(probes_by_share: Accuracies, sets_at_hand: ImageSets) -> NDArray[np.float64]:
    """What the target loses from the first mixture to the last, (shares + 1, seeds)."""
    mixes = list(sets_at_hand.pools)
    return probes_by_share[mixes[0]] - probes_by_share[mixes[-1]]


@claims.experiment
def networks_of_one_set(
    untrained: Params, sets_at_hand: ImageSets, replica_seeds: list[int], steps: int
) -> dict[str, Params]:
    """Networks of each set but the target alone, of the first seeds."""
    some = replica_seeds[: max(FEWEST, len(replica_seeds) // 2)]
    begin = {name: weights[: len(some)] for name, weights in untrained.items()}
    return {
        f"{name} alone": simclr.pretrain(begin, x, steps=steps, seeds=some)
        for name, (x, *_) in list(sets_at_hand.data.items())[1:]
    }


@claims.experiment
def features_on_target(
    networks_of_mixtures: dict[str, Params], networks_of_one_set: dict[str, Params],
    sets_at_hand: ImageSets,
) -> Accuracies:  # fmt: skip
    """Features of the target's test images by network, (seeds, images, features)."""
    x = sets_at_hand.data[sets_at_hand.target][2]
    networks = networks_of_mixtures | networks_of_one_set
    return {name: simclr.features(net, x) for name, net in networks.items()}


@claims.experiment
def similar_sets(
    features_on_target: Accuracies, networks_of_one_set: dict[str, Params],
    sets_at_hand: ImageSets,
) -> NDArray[np.float64]:  # fmt: skip
    """CKA of networks of single sets, of all, and untrained, from different seeds.

    (pairs of seeds, sets + 2, sets + 2)
    """
    first, *_, last = sets_at_hand.pools
    names = [first, *networks_of_one_set, last, "untrained"]
    count = len(features_on_target[names[1]])
    pairs = [(i, i + 1) for i in range(0, count - 1, 2)]
    return simclr.similarities(features_on_target, names, pairs)


@claims.experiment
def similar_mixtures(
    features_on_target: Accuracies, sets_at_hand: ImageSets, n_seeds: int
) -> NDArray[np.float64]:
    """CKA of networks of growing mixtures, from one seed: (seeds, mixtures, mixtures)."""
    pairs = [(r, r) for r in range(n_seeds)]
    return simclr.similarities(features_on_target, list(sets_at_hand.pools), pairs)


@claims.check("counterpart-target", of=images.JUDGED, on=which_sets)
def target_falls(lost_by_share: NDArray[np.float64]) -> Iterator[Verdict]:
    """What the target loses with n_labels, with equally many steps."""
    yield gained(lost_by_share[-1], "accuracy lost", (-2, 2))


@claims.check("counterpart-passes", of=images.JUDGED, on=which_sets)
def at_equal_passes(
    probes_by_share: Accuracies, trained_as_often: Params, sets_at_hand: ImageSets, n_labels: int
) -> Iterator[Verdict]:
    """Accuracy of the network of all sets, less that of one with as many passes over the target."""
    *_, last = sets_at_hand.pools
    seldom = simclr.probe_all(
        trained_as_often, sets_at_hand.data, sets_at_hand.target, [n_labels], 6
    )[0]
    gain = probes_by_share[last][-1] - seldom
    yield gained(gain, "accuracy gained at equal passes", (-2, 2))


@claims.check("counterpart-labels", undecided=SEEDS_DIFFER, of=images.JUDGED, on=which_sets)
def most_at_few_labels(lost_by_share: NDArray[np.float64]) -> Iterator[Verdict]:
    """The loss with the fewest labels, less that with all of them."""
    more = lost_by_share[0] - lost_by_share[-2]
    yield gained(more, "loss at fewest less loss at most labels", (-2, 2))


@claims.check("counterpart-average", of=images.JUDGED, on=which_sets)
def average_rises(mean_over_sets: Accuracies, sets_at_hand: ImageSets) -> Iterator[Verdict]:
    """The mean over the sets after the last mixture, less that after the first."""
    first, *_, last = sets_at_hand.pools
    yield gained(mean_over_sets[last] - mean_over_sets[first], within=(-2, 2))


@claims.check("counterpart-single", of=images.JUDGED, on=which_sets)
def sets_are_less_alike(
    similar_sets: NDArray[np.float64], sets_at_hand: ImageSets
) -> Iterator[Verdict]:
    """Two networks of one set against networks of two."""
    sets = len(sets_at_hand.data)
    closer = simclr.closer_to_own(similar_sets[:, :sets, :sets])
    yield trend(closer, expected=(0, 2), rival=0, what="CKA within sets, less between")


@claims.check("counterpart-cka", undecided=SEEDS_DIFFER, of=images.JUDGED, on=which_sets)
def similarity_falls(similar_mixtures: NDArray[np.float64]) -> Iterator[Verdict]:
    """CKA with the target's network, of the second mixture less that of the last."""
    fall = similar_mixtures[:, 0, 1] - similar_mixtures[:, 0, -1]
    what = "CKA lost from the second mixture to the last"
    yield trend(fall, expected=(0, 2), rival=0, what=what)
