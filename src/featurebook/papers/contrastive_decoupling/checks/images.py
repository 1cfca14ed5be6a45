"""The checks of the counterparts of the paper's figures: deep networks on labelled images."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from featurebook import core, images
from featurebook.papers.contrastive_decoupling import architectures, augmentations, deep
from featurebook.papers.contrastive_decoupling.checks.firing import BOTH, CROP, MOST, SIDE
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.theory import above
from featurebook.verdicts import Verdict

NAMED = "CIFAR-10"
"""What the paper's figures are about."""
UNITS = 12
"""Units of the last convolution whose preferred inputs are found."""
SHOWN = 400
"""Test images whose embeddings are drawn."""
NUMBERS = ["linear accuracy", "5-NN accuracy", "R² of luminance", "R² of chroma", "saturation"]
"""What is measured of each network."""


@dataclass(frozen=True)
class Labelled:
    """Labelled images, some of which are held out.

    Attributes:
        source: where they come from.
        seen_on: what they are in words.
        X, y: to train, (n, 3, h, w) and (n,).
        X_test, y_test: held out.
    """

    source: images.Images
    seen_on: str
    X: Tensor
    y: Tensor
    X_test: Tensor
    y_test: Tensor


@claims.experiment
def labelled(image_data: str, n_test: int, seed: int) -> Labelled:
    """The labelled images in a random order: coloured digits, or CIFAR-10 as it is."""
    if image_data == "bundled":
        found = images.bundled_digits()
    else:
        found = images.mnist("test") if image_data == "mnist" else images.cifar10("train")
    order = torch.randperm(len(found), generator=core.generator(seed, "split"))
    pixels, y = found.pixels[order], found.labels[order]
    digits = image_data != "cifar10"
    X = augmentations.coloured(pixels, seed, SIDE) if digits else pixels
    seen_on = "coloured digits" if digits else found.source
    return Labelled(found, seen_on, X[n_test:], y[n_test:], X[:n_test], y[:n_test])


@claims.experiment
def networks(width: int) -> dict[str, architectures.Network]:
    """What may learn from them, by the name of the parameter ``network``."""
    return {
        "small": architectures.small_net(3, width),
        "alexnet": architectures.alexnet(3),
        "wide_resnet": architectures.wide_resnet(34, 5),
    }


@claims.experiment
def training(image_steps: int, image_batch: int, device: str) -> dict[str, Any]:
    """What all trainings on images have in common."""
    return {
        "steps": image_steps,
        "batch_size": image_batch,
        "device": core.pick_device(device),
        "learning_rate": 4e-3,
    }


@claims.experiment
def image_views(image_data: str) -> dict[str, augmentations.Augment]:
    """How contrastive learning sees an image: as it is, cropped, cropped and distorted."""
    digits = image_data != "cifar10"
    distorted = augmentations.crop_and_colour if digits else augmentations.flip_crop_and_jitter
    return {"none": augmentations.same, CROP: augmentations.random_crop, BOTH: distorted}


@claims.experiment
def trained(
    networks: dict[str, architectures.Network], network: str, labelled: Labelled,
    image_views: dict[str, augmentations.Augment], training: dict[str, Any], seeds: list[int],
) -> dict[str, core.Run]:  # fmt: skip
    """Contrastive runs by view, a supervised one, and one on attacked images, of the first seed."""
    net = networks[network]
    runs = deep.train_all(net, labelled.X, labelled.y, image_views, seeds, **training)
    runs["adversarial"] = deep.adversarial_training(
        net, labelled.X, image_views[BOTH], seeds=seeds[:1], **training
    )
    return runs


def weights(
    net: architectures.Network, runs: dict[str, core.Run], seeds: list[int]
) -> Iterator[tuple[str, int, int, core.Params]]:
    """Training, replica, seed and weights of each network; untrained ones first."""
    for r, s in enumerate(seeds):
        yield "untrained", r, s, deep.untrained(net, s)
    for name, run in runs.items():
        for r, s in enumerate(run.seeds):
            yield name, r, s, deep.one(run.params, r)


@claims.experiment
def learnt(
    networks: dict[str, architectures.Network], network: str, trained: dict[str, core.Run],
    labelled: Labelled, seeds: list[int],
) -> pd.DataFrame:  # fmt: skip
    """What networks have learnt: a row for each training ("condition") and seed.

    `NUMBERS`; of the first seed also, in half precision, "preferred", inputs that drive units of
    the last convolution most, (6, 3, h, w), and "embeddings" of test images, (400, k).
    """
    net, data, reference = networks[network], labelled, labelled.X[:MOST]
    rows = []
    for name, r, s, params in weights(net, trained, seeds):
        found = deep.layers_of(net, params, data.X_test)
        h, h_ref = found[-1], deep.layers_of(net, params, reference)[-1]
        units = range(min(UNITS, h.shape[1]))
        shape = tuple(data.X.shape[1:])
        preferred = deep.preferred_inputs(net, params, len(found) - 2, units, shape, seed=s)
        about = {"condition": name, "seed": s}
        about["preferred"] = preferred[:6].half() if r == 0 else None
        about["embeddings"] = h[:SHOWN].half() if r == 0 else None
        said = deep.read_out(h_ref, reference, data.y[:MOST], h, data.X_test, data.y_test)
        saturation = float(augmentations.saturation(preferred).mean())
        rows.append(about | said | {"saturation": saturation})
    return pd.DataFrame(rows)


@claims.experiment
def by_seed(learnt: pd.DataFrame) -> pd.DataFrame:
    """`NUMBERS` of each training, a row for each seed."""
    return learnt.pivot_table(index="seed", columns="condition", values=NUMBERS)


@claims.experiment
def firing_of_layers(
    networks: dict[str, architectures.Network], network: str, trained: dict[str, core.Run],
    labelled: Labelled, image_views: dict[str, augmentations.Augment], training: dict[str, Any],
    seeds: list[int],
) -> pd.DataFrame:  # fmt: skip
    """How densely layers 2 to 5 fire on test images: a row for each training, seed and layer.

    Of AlexNet where a Wide-ResNet learns, as in the paper.
    """
    data, runs = labelled, trained
    net = networks["alexnet" if network == "wide_resnet" else network]
    if network == "wide_resnet":
        runs = deep.train_all(net, data.X, data.y, image_views, seeds, **training)
    runs = {name: runs[name] for name in (*image_views, "supervised")}
    rows: list[Any] = []
    for name, _, s, params in weights(net, runs, seeds):
        for k, a in enumerate(deep.layers_of(net, params, data.X_test)[1:-1]):
            rows.append({"condition": name, "seed": s, "layer": k + 2} | deep.firing(a))
    return pd.DataFrame(rows)


def which_images(labelled: Labelled) -> str:
    """What the networks have seen, in words."""
    return labelled.seen_on


@claims.check("messages-2-3")
def crop_keeps_the_colours(by_seed: pd.DataFrame) -> Iterator[Verdict]:
    """What colour distortion gains in accuracies, and loses of the mean chroma."""
    accuracy, chroma = by_seed["linear accuracy"], by_seed["R² of chroma"]
    gain = accuracy[BOTH] - accuracy[CROP]
    yield above(gain, what="gain in linear accuracy by colour distortion")
    yield above(chroma[CROP] - chroma[BOTH], what="loss in R² of the mean chroma")
    nearer = by_seed["5-NN accuracy"][BOTH] - by_seed["5-NN accuracy"][CROP]
    yield above(nearer, what="gain in 5-NN accuracy")


@claims.check("figure-3", of=NAMED, on=which_images)
def clusters(by_seed: pd.DataFrame) -> Iterator[Verdict]:
    """Nearest neighbours' accuracy with the distortion, less that with crops alone."""
    nearer = by_seed["5-NN accuracy"][BOTH] - by_seed["5-NN accuracy"][CROP]
    yield above(nearer, what="gain in 5-NN accuracy by colour distortion")


@claims.check("figure-1", of=NAMED, on=which_images)
def supervised_is_more_colourful(by_seed: pd.DataFrame) -> Iterator[Verdict]:
    """Saturation of preferred inputs, supervised less contrastive."""
    more = by_seed["saturation"]["supervised"] - by_seed["saturation"][BOTH]
    yield above(more, what="saturation: supervised minus contrastive")


@claims.check("figure-4", of=NAMED, on=which_images)
def sparser_firing(firing_of_layers: pd.DataFrame) -> Iterator[Verdict]:
    """Density of firing with crops alone, less that with the distortion."""
    density = firing_of_layers.pivot_table(index="seed", columns="condition", values="density")
    what = "density of firing: without colour distortion minus with"
    yield above(density[CROP] - density[BOTH], what=what)
