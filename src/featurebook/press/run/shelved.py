"""Results of slow experiments, shared by chapters and reused after changes of text or figures.

They are separate from those of recorded runs, which may come from a GPU or another machine.
"""

import os
import re

from featurebook.press.book.places import Part
from featurebook.press.run import experiments, freshness
from featurebook.press.run.imports import PACKAGE
from featurebook.press.run.job import Job
from featurebook.verdicts.shelf import Shelf

CLOCK = re.compile(r"\b(perf_counter|process_time|thread_time|monotonic|time_ns|timeit|time\.time)")
"""Marks code that measures the speed of this machine: its results are not kept."""


def shelf(job: Job) -> Shelf | None:
    """Where the results of a chapter's experiments are kept, except timed ones.

    None if a GPU may train, since results are reloaded on the CPU, and for a part whose checks
    cannot be imported: its chapters report why.
    """
    try:
        claims = experiments.checks_of(job.chapter.part)
        if claims is None or not _on_processor(job):
            return None
    except Exception:
        return None
    part = job.chapter.part
    _, names = experiments.named(job.chapter, claims)
    values = experiments.values_of(job.chapter, job.values)
    threads = os.environ.get("OMP_NUM_THREADS", "1")
    folder = job.chapter.root / "_build" / "shelf" / part.name
    files = {}
    for name in names:
        if not _is_timed(part, name):
            key = experiments.key_of(job.chapter, claims, values, name)
            files[name] = folder / f"{name}.{key}-{threads}.npz"
    return Shelf(values, files)


def _on_processor(job: Job) -> bool:
    from featurebook.core import pick_device  # imports torch

    return pick_device(str(job.values.get("device", "cpu"))).type == "cpu"


def _is_timed(part: Part, name: str) -> bool:
    papers = PACKAGE / "papers"
    sources = freshness.definitions_of_checks(part, [name])
    return any(file.is_relative_to(papers) and CLOCK.search(source) for file, source in sources)
