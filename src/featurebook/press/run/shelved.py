"""Results of experiments that chapters share, or had before their words or figures changed."""

import re

from featurebook.press.book.places import Part
from featurebook.press.run import experiments, freshness
from featurebook.press.run.job import Job
from featurebook.verdicts.shelf import Shelf

CLOCK = re.compile(r"\b(perf_counter|process_time|monotonic)\b")
"""In code of a paper that measures how fast this machine is: its results are not kept."""


def shelf(job: Job) -> Shelf | None:
    """Where the results of a chapter's experiments lie, those that depend on no clock.

    None where a GPU may train: what is kept would come back to the processor.
    """
    claims = experiments.checks_of(job.chapter.part)
    if claims is None or not _on_processor(job):
        return None
    _, names = experiments.named(job.chapter, claims)
    values = experiments.values_of(job.chapter, job.values)
    return Shelf(values, {
        name: experiments.stored(job.chapter, claims, values, name)
        for name in names
        if not _has_clock(job.chapter.part, name)
    })  # fmt: skip


def _on_processor(job: Job) -> bool:
    from featurebook.core import pick_device  # imports torch

    return pick_device(str(job.values.get("device", "cpu"))).type == "cpu"


def _has_clock(part: Part, name: str) -> bool:
    sources = freshness.definitions_of_checks(part, [name])
    return any("papers" in file.parts and CLOCK.search(source) for file, source in sources)
