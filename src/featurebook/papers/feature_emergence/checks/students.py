"""The checks of teacher and student on digits: who learns what sooner, and the teacher's size."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core, images
from featurebook.core import generator
from featurebook.images import Images
from featurebook.papers.feature_emergence import printed, teacher
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.practice import Labelled
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, reproduction, trend

WIDTHS = (9, 50)
"""Hidden units of teachers and students."""
SIZES = [3, 9, 20, 50]
"""Hidden units among which the least loss is sought."""
LARGEST = 500
"""Hidden units of the largest teacher."""


SMALL = 6000
"""Digits up to which the test images of MNIST are enough to train and to test on."""


@claims.experiment
def digit_images(digits_n: int) -> Images:
    """MNIST, or scikit-learn's digits where it cannot be had: the test images, or, where more are
    wanted than these have, the training images."""
    return images.digits("test" if digits_n <= SMALL else "train")


@claims.experiment
def digit_sets(
    digit_images: Images, pool: int, digits_n: int, seed: int, device: str
) -> dict[str, Any]:
    """``labelled`` and ``fresh`` digits (n, d) with classes (n,), and as many Gaussians ``u``,
    ``fresh u``; digits are averaged over squares and standardised."""
    where = core.pick_device(device)
    side = pool if digit_images.pixels.shape[-1] > 8 else 1
    pixels, labels = digit_images.pixels, digit_images.labels
    if len(labels) >= digits_n > SMALL:  # the training images: test on the test images
        unseen = images.digits("test")
        pixels, labels = torch.cat([pixels, unseen.pixels]), torch.cat([labels, unseen.labels])
        order = torch.arange(len(labels))
        parts = {"labelled": order[:digits_n], "fresh": order[-len(unseen) :]}
    else:
        order = torch.randperm(len(labels), generator=generator(seed, "split"))
        cut = min(digits_n, len(labels) * 2 // 3)
        parts = {"labelled": order[:cut], "fresh": order[cut : cut + min(2000, cut // 2)]}
    pixels = torch.nn.functional.avg_pool2d(pixels, side).flatten(1)
    pixels = ((pixels - pixels.mean()) / pixels.std()).to(where)
    found: dict[str, Any] = {
        name: (pixels[some], labels[some].to(where)) for name, some in parts.items()
    }
    for name, stream in (("labelled", "u"), ("fresh", "fresh u")):
        g = generator(seed, stream)
        found[stream] = torch.randn(len(parts[name]), pixels.shape[1], generator=g).to(where)
    return found


def architecture(digit_sets: dict[str, Any]) -> teacher.Architecture:
    """FC(m) on the digits."""
    return teacher.fully_connected(digit_sets["u"].shape[1], 10)


@claims.experiment
def digit_teachers(
    digit_sets: dict[str, Any], student_steps: int, seed: int
) -> dict[int, core.Params]:
    """Teachers on digits, regularised on Gaussians, by hidden units; the largest trains shortly."""
    kind, steps = architecture(digit_sets), dict.fromkeys(WIDTHS, student_steps)
    steps[LARGEST] = briefly(student_steps)
    return {
        width: teacher.train_teacher(
            kind, digit_sets["labelled"], digit_sets["u"], width, count, seed
        )
        for width, count in steps.items()
    }


def briefly(student_steps: int) -> int:
    """Steps of the trainings on few samples."""
    return max(1, student_steps // 3)


def labelled_by(params: core.Params, x: Tensor) -> Labelled:
    """The inputs with the classes that a teacher gives them."""
    return x, teacher.logits(params, x).argmax(1)


@claims.experiment
def student_marks(student_steps: int) -> list[int]:
    """Steps at which students are looked at."""
    return core.log_spaced(student_steps, 12)


@claims.experiment
def mixture_students(
    digit_sets: dict[str, Any], digit_teachers: dict[int, core.Params], student_marks: list[int],
    seeds: list[int],
) -> dict[int, pd.DataFrame]:  # fmt: skip
    """Students of digits and Gaussians in equal parts, labelled by FC(9): agreement with it on both
    parts by step and seed, for each of `WIDTHS`."""
    by, sets = digit_teachers[9], digit_sets
    half = len(sets["u"]) // 2
    mixed = labelled_by(by, torch.cat([sets["labelled"][0][:half], sets["u"][:half]]))
    parts = {
        "images": labelled_by(by, sets["fresh"][0]),
        "Gaussians": labelled_by(by, sets["fresh u"]),
    }
    kind = architecture(sets)
    return {m: teacher.train_students(kind, mixed, m, parts, student_marks, seeds) for m in WIDTHS}


@claims.experiment
def digit_students(
    digit_sets: dict[str, Any], student_marks: list[int], seeds: list[int]
) -> dict[int, pd.DataFrame]:
    """Students of digits alone with their own labels: accuracy by step and seed, as above."""
    kind, fresh = architecture(digit_sets), {"images": digit_sets["fresh"]}
    return {
        m: teacher.train_students(kind, digit_sets["labelled"], m, fresh, student_marks, seeds)
        for m in WIDTHS
    }


@claims.experiment
def leads(
    mixture_students: dict[int, pd.DataFrame], student_marks: list[int]
) -> dict[str, dict[int, Any]]:
    """Agreement on digits less that on Gaussians, by width, at the ``middle`` mark and the
    ``end``; (R,)."""
    steps = {"middle": student_marks[len(student_marks) // 2], "end": student_marks[-1]}
    return {
        when: {
            m: (frame["images"] - frame["Gaussians"])[frame.step == step].to_numpy()
            for m, frame in mixture_students.items()
        }
        for when, step in steps.items()
    }


def source_of(digit_images: Images) -> str:
    """What the digits are."""
    return digit_images.source


@claims.check("figure-4", of="MNIST", on=source_of)
def digits_are_learned_faster(
    leads: dict[str, dict[int, Any]], student_marks: list[int]
) -> Iterator[Verdict]:
    """The lead of digits over Gaussians of FC(9), at the middle step and at the end."""
    middle = student_marks[len(student_marks) // 2]
    yield everywhere(
        [*(leads["end"][9] > 0), *(leads["middle"][9] > 0)],
        what=f"FC(9) better on images than on Gaussians, at step {middle} and at the end",
    )


@claims.check("figure-25", of="MNIST", on=source_of)
def a_larger_student_separates_more(
    leads: dict[str, dict[int, Any]], student_marks: list[int]
) -> Iterator[Verdict]:
    """The lead of FC(50) at the end, and against that of FC(9) at the middle step."""
    middle = student_marks[len(student_marks) // 2]
    yield everywhere(
        [*(leads["end"][50] > 0), *(leads["middle"][50] > leads["middle"][9])],
        what=f"FC(50) better on images at the end, and its lead at step {middle} "
        "larger than FC(9)'s",
    )


@claims.experiment
def losses_by_size(
    digit_sets: dict[str, Any], digit_teachers: dict[int, core.Params], student_steps: int,
    seeds: list[int],
) -> dict[str, Tensor]:  # fmt: skip
    """Test loss for each of `SIZES`, (sizes, R), of teachers on digits, all that MNIST has or
    few, and of students of Gaussians with the labels of three teachers."""
    kind, short, sets = architecture(digit_sets), briefly(student_steps), digit_sets
    few = len(sets["u"]) if len(sets["u"]) > SMALL else min(1000, len(sets["u"]))
    x, classes = sets["labelled"]
    pairs = {"(a) teachers": ((x[:few], classes[:few]), sets["fresh"])}
    for letter, (width, by) in zip("bcd", digit_teachers.items(), strict=True):
        pair = labelled_by(by, sets["u"]), labelled_by(by, sets["fresh u"])
        pairs[f"({letter}) labels of FC({width})"] = pair
    return {
        name: teacher.losses_by_size(kind, *pair, SIZES, short, seeds)
        for name, pair in pairs.items()
    }


@claims.experiment
def best_sizes(losses_by_size: dict[str, Tensor]) -> dict[str, np.ndarray]:
    """Where each of these losses is least, (R,)."""
    return {name: np.array(SIZES)[x.argmin(0).numpy()] for name, x in losses_by_size.items()}


@claims.check("figure-26", of="MNIST", on=source_of)
def least_loss_at_nine(best_sizes: dict[str, np.ndarray]) -> Iterator[Verdict]:
    """The best sizes of teachers and of students of FC(9) against the printed 9."""
    rows = [
        (name, 9, *printed.interval_of_size(best_sizes[name], SIZES))
        for name in list(best_sizes)[:2]
    ]
    yield reproduction(pd.DataFrame(rows, columns=["label", "paper", "ours", "low", "high"]))


@claims.check("figure-26d", of="MNIST", on=source_of)
def larger_teachers_want_larger_students(best_sizes: dict[str, np.ndarray]) -> Iterator[Verdict]:
    """The best size for the labels of FC(500) over that for FC(9), seed by seed."""
    wider = np.log(best_sizes["(d) labels of FC(500)"] / best_sizes["(b) labels of FC(9)"])
    yield trend(
        wider, expected=(0, np.inf), rival={"no growth": 0}, what="log ratio of the best sizes"
    )
