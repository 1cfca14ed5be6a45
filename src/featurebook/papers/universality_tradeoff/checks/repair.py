"""The checks of the repair on small images: steps on the target, and fine-tuning."""

from collections.abc import Iterator

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

EIGHTHS = (1, 2, 4, 6)
"""When fine-tuning is looked at besides its begin and end, in eighths of its steps."""


@claims.experiment
def repaired_networks(
    trained_on_target: Params, trained_on_all: Params, sets_at_hand: ImageSets,
    replica_seeds: list[int], more_steps: int,
) -> dict[str, Params]:  # fmt: skip
    """Networks by what they were trained on: before and after further steps on the target, and
    after as many steps on all sets."""
    pools, target = sets_at_hand.pools, sets_at_hand.target
    last = list(pools)[-1]

    def further(net: Params, mix: str) -> Params:
        return simclr.pretrain(net, pools[mix], steps=more_steps, seeds=replica_seeds)

    return {
        target: trained_on_target,
        last: trained_on_all,
        f"{target}, then {target}": further(trained_on_target, target),
        f"{last}, then {target}": further(trained_on_all, target),
        f"{last}, then all": further(trained_on_all, last),
    }


@claims.experiment
def repaired_probes(
    repaired_networks: dict[str, Params], sets_at_hand: ImageSets, n_labels: int
) -> Accuracies:
    """Accuracies of probes on the target, (seeds,), by what the network was trained on."""
    data, target = sets_at_hand.data, sets_at_hand.target
    return {
        name: simclr.probe_all(net, data, target, [n_labels], 6)[0]
        for name, net in repaired_networks.items()
    }


@claims.experiment
def repair_gains(repaired_probes: Accuracies, sets_at_hand: ImageSets) -> Accuracies:
    """Accuracies gained by steps on the target: by the network of the target ("specific"), by that
    of all sets ("diverse"), and by the latter over as many steps on all sets ("over control")."""
    target, last = sets_at_hand.target, list(sets_at_hand.pools)[-1]
    after = repaired_probes[f"{last}, then {target}"]
    return {
        "specific": repaired_probes[f"{target}, then {target}"] - repaired_probes[target],
        "diverse": after - repaired_probes[last],
        "over control": after - repaired_probes[f"{last}, then all"],
    }


@claims.experiment
def tuning_looks(tune_steps: int) -> list[int]:
    """Steps of fine-tuning at which accuracies are measured."""
    return sorted({0, *(max(1, tune_steps * k // 8) for k in EIGHTHS), tune_steps})


@claims.experiment
def tuned(
    trained_on_all: Params, untrained: Params, sets_at_hand: ImageSets, replica_seeds: list[int],
    tuning_looks: list[int], n_labels: int, lambda_cr: float,
) -> dict[str, Accuracies]:  # fmt: skip
    """Fine-tuning on the target: "train" and "test" accuracy, (looks, seeds), of each way."""
    ways = {
        "FT": (trained_on_all, 0.0),
        "FT+CR": (trained_on_all, lambda_cr),
        "FT, untrained": (untrained, 0.0),
    }
    return {
        name: simclr.fine_tune(
            net, sets_at_hand.data, sets_at_hand.target, n_labels, weight,
            at=tuning_looks, seeds=replica_seeds,
        )
        for name, (net, weight) in ways.items()
    }  # fmt: skip


@claims.check("counterpart-repair", of=images.JUDGED, on=which_sets)
def steps_on_the_target(repair_gains: Accuracies) -> Iterator[Verdict]:
    """What steps on the target gain, also over as many steps on all sets."""
    yield gained(repair_gains["diverse"])
    yield gained(repair_gains["over control"], "over the control")


@claims.check("counterpart-diverse", of=images.JUDGED, on=which_sets)
def diverse_gains_more(repair_gains: Accuracies) -> Iterator[Verdict]:
    """The gain of the network of all sets, less that of the network of the target."""
    yield gained(repair_gains["diverse"] - repair_gains["specific"], "more gained")


@claims.check("counterpart-tuning", undecided=SEEDS_DIFFER, of=images.JUDGED, on=which_sets)
def with_the_contrastive_term(tuned: dict[str, Accuracies]) -> Iterator[Verdict]:
    """Accuracy at the end of fine-tuning, with the contrastive term less without."""
    yield gained(tuned["FT+CR"]["test"][-1] - tuned["FT"]["test"][-1])


@claims.check("counterpart-from-scratch", of=images.JUDGED, on=which_sets)
def from_pretrained_weights(tuned: dict[str, Accuracies]) -> Iterator[Verdict]:
    """Accuracy at the end of fine-tuning, from the network of all sets less from untrained ones."""
    yield gained(tuned["FT"]["test"][-1] - tuned["FT, untrained"]["test"][-1])
