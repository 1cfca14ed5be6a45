"""The checks of convolutional teachers and students on photographs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from featurebook import core, images
from featurebook.core import generator
from featurebook.images import Images
from featurebook.papers.feature_emergence import resnet, teacher
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict, in_runs
from featurebook.verdicts.comparisons import everywhere

OTHER_SHARES = (0.25, 0.75)
"""Shares α of Gaussians that have one run each."""
LEARNED = 0.5
"""Agreement with the teacher from which students have learned its labels."""
Curves = pd.DataFrame


@claims.experiment
def photographs() -> Images:
    """CIFAR-10, or digits with the same code path where it cannot be had."""
    try:
        return images.cifar10("train")
    except images.MissingDataError:
        return images.bundled_digits()


@claims.experiment
def photo_sets(
    photographs: Images, photo_pool: int, photo_n: int, seed: int, device: str
) -> dict[str, Tensor]:
    """Photographs ``old`` with ``classes`` and ``new`` ones, (n, 3, h, w), averaged over squares
    and standardised; Gaussians ``white``, ``fresh white`` of the same shapes."""
    where = core.pick_device(device)
    side = photo_pool if photographs.pixels.shape[-1] > 8 else 1
    x = torch.nn.functional.avg_pool2d(photographs.pixels, side).expand(-1, 3, -1, -1)
    x = ((x - x.mean()) / x.std()).to(where)
    order = torch.randperm(len(x), generator=generator(seed, "photo split"))
    cut = min(photo_n, len(x) * 2 // 3)
    old, new = order[:cut], order[cut : cut + min(500, cut // 2)]
    found = {"old": x[old], "classes": photographs.labels[old].to(where), "new": x[new]}
    for stream, like in (("white", old), ("fresh white", new)):
        g = generator(seed, stream)
        found[stream] = torch.randn(len(like), *x.shape[1:], generator=g).to(where)
    return found


@claims.experiment
def photo_teachers(
    photo_sets: dict[str, Tensor], teacher_filters: int, photo_student_steps: int, seeds: list[int]
) -> dict[int, core.Params]:
    """A teacher for each seed, on photographs, regularised on Gaussians."""
    nets, shown = resnet.architecture(10), (photo_sets["old"], photo_sets["classes"])
    return {
        s: teacher.train_teacher(
            nets, shown, photo_sets["white"], teacher_filters, photo_student_steps, s
        )
        for s in seeds
    }


def classifiers(
    sets: dict[str, Tensor], teachers: dict[int, core.Params]
) -> dict[int, Callable[[Tensor], Tensor]]:
    """What gives inputs (n, 3, h, w) their classes (n,), for each teacher."""
    judge = resnet.architecture(10).judge(torch.cat([sets["old"][:250], sets["white"][:250]]))
    return {s: partial(_classes, judge, p) for s, p in teachers.items()}


def _classes(judge: teacher.Scores, params: core.Params, x: Tensor) -> Tensor:
    return judge(params, x).argmax(1)


@claims.experiment
def classes_of_gaussians(
    photo_sets: dict[str, Tensor], photo_teachers: dict[int, core.Params]
) -> dict[int, list[int]]:
    """How many test Gaussians each teacher puts into each of ten classes."""
    of = classifiers(photo_sets, photo_teachers)
    white = photo_sets["fresh white"]
    return {s: torch.bincount(f(white), minlength=10).tolist() for s, f in of.items()}


@claims.experiment
def photo_marks(photo_student_steps: int) -> list[int]:
    """Steps at which the students of photographs are looked at."""
    return core.log_spaced(photo_student_steps, 6)


def students_of(
    share: float, sets: dict[str, Tensor], teachers: dict[int, core.Params], filters: int,
    marks: Sequence[int],
) -> Curves:  # fmt: skip
    """Learning curves of students on a mixture with this share of Gaussians, by teacher."""
    cut = len(sets["old"])
    few = round(share * cut)
    x = torch.cat([sets["old"][: cut - few], sets["white"][:few]])
    parts = {"images": sets["new"]} | ({"Gaussians": sets["fresh white"]} if few else {})
    nets, of = resnet.architecture(10), classifiers(sets, teachers)
    found = teacher.students_by_teacher(nets, of, x, filters, parts, marks)
    if few:
        mixture = (1 - share) * found["images"] + share * found["Gaussians"]
        found = found.assign(mixture=mixture)
    return found


@claims.experiment
def photo_students(
    photo_sets: dict[str, Tensor], photo_teachers: dict[int, core.Params], student_filters: int,
    photo_marks: list[int], gaussian_share: float,
) -> dict[str, Curves]:  # fmt: skip
    """Agreement with the teacher by step and seed, of students of the mixture (``mixed``) and of
    photographs alone (``alone``)."""
    shares = {"mixed": gaussian_share, "alone": 0.0}
    return {
        name: students_of(share, photo_sets, photo_teachers, student_filters, photo_marks)
        for name, share in shares.items()
    }


@claims.experiment
def photo_ends(photo_students: dict[str, Curves], photo_marks: list[int]) -> dict[str, Any]:
    """By seed: ``lead`` of photographs over Gaussians at the last mark and the one before, how far
    the mixture is ``behind`` photographs alone on both, and what the latter reach, ``alone``."""
    mixed, alone = (
        {step: f[f.step == step].set_index("seed") for step in photo_marks[-2:]}
        for f in photo_students.values()
    )
    half, last = (mixed[step] for step in photo_marks[-2:])
    by_itself = alone[photo_marks[-1]]["images"]
    return {
        "lead": [x["images"] - x["Gaussians"] for x in (last, half)],
        "behind": {
            "the photographs": by_itself - last["images"],
            "the mixture": by_itself - last["mixture"],
        },
        "alone": by_itself,
    }


def unless_learned(found: Verdict, ends: dict[str, Any]) -> Verdict:
    """Open where a student of photographs alone has not learned its teacher's labels."""
    reached = float(ends["alone"].min())
    if reached < LEARNED:
        return in_runs(found, f"students agree with the teacher on {reached:.0%}")
    return found


def source_of(photographs: Images) -> str:
    """What the photographs are."""
    return photographs.source


@claims.check("figure-22b", of="CIFAR-10", on=source_of)
def photographs_are_learned_faster(
    photo_ends: dict[str, Any], photo_marks: list[int]
) -> Iterator[Verdict]:
    """Leads over Gaussians at two steps, and distances from students of photographs alone."""
    late, early = photo_ends["lead"]
    on_images, on_mixture = photo_ends["behind"].values()
    found = everywhere(
        [*(late > 0), *(early > 0), *(on_images < 0.1), *(on_mixture > 0)],
        what=f"better on images at steps {photo_marks[-2]} and {photo_marks[-1]}, "
        "at most 0.1 behind on images, behind on the mixture",
    )
    yield unless_learned(found, photo_ends)


@claims.experiment
def ends_by_share(
    photo_sets: dict[str, Tensor], photo_teachers: dict[int, core.Params], student_filters: int,
    photo_marks: list[int], photo_students: dict[str, Curves], gaussian_share: float,
    seeds: list[int],
) -> pd.DataFrame:  # fmt: skip
    """Mean agreement at the end on photographs and on Gaussians, by share of Gaussians."""
    first = {seeds[0]: photo_teachers[seeds[0]]}
    runs = {
        share: students_of(share, photo_sets, first, student_filters, photo_marks)
        for share in OTHER_SHARES
    }
    runs[gaussian_share] = photo_students["mixed"]
    ends = {
        share: frame[frame.step == photo_marks[-1]][["images", "Gaussians"]].mean()
        for share, frame in runs.items()
    }
    return pd.DataFrame(ends).T.sort_index()


@claims.check("figure-24", of="CIFAR-10", on=source_of)
def the_same_for_other_shares(
    ends_by_share: pd.DataFrame, photo_ends: dict[str, Any]
) -> Iterator[Verdict]:
    """Agreement on photographs against that on Gaussians, at the end, for each share."""
    found = everywhere(
        ends_by_share["images"] > ends_by_share["Gaussians"],
        what="shares with a student that is better on photographs than on Gaussians",
    )
    yield unless_learned(found, photo_ends)
