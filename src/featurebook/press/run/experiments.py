"""A chapter's experiments without its notebook: run once, kept as data, judged repeatedly."""

import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featurebook.press.book import door
from featurebook.press.book.places import BookError, Chapter, Part
from featurebook.press.run import checked, freshness, imports, parameters
from featurebook.press.run.results import Result
from featurebook.verdicts import shelf

if TYPE_CHECKING:  # what follows imports torch, and is needed only where something is computed
    from featurebook.verdicts.claims import Claims, Study

COMPUTING = ("torch", "numpy", "scipy", "scikit-learn")
"""Packages whose versions may decide a number."""
LARGEST = 500_000
"""Maximum bytes of one record's experiments; the smallest are kept first."""
QUICK = 1.0
"""Checks that took longer than this many seconds are not repeated while a page is built."""


@contextmanager
def checkpoints(folder: Path) -> Iterator[None]:
    """Let every training run in this block keep its state in a folder.

    Raises:
        BookError: naming a damaged state of an earlier run.
    """
    from featurebook.core import checkpoint  # imports torch

    for file in folder.glob("*.safetensors"):
        try:
            door.check(checkpoint.load(file)[1], dict, file, "delete it")
        except ValueError as error:
            raise BookError(str(error)) from None
    checkpoint._trainings = count()  # counted from the start of what the folder is for
    os.environ[checkpoint.FOLDER] = str(folder)
    try:
        yield
    finally:
        del os.environ[checkpoint.FOLDER]


def checks_of(part: Part) -> "Claims | None":
    """The checks of a part as functions; None if they are cells of its chapters."""
    name = f"featurebook.papers.{part.name}.checks"
    if find_spec(f"featurebook.papers.{part.name}") is None or find_spec(name) is None:
        return None
    return getattr(import_module(name), "claims", None)


def values_of(chapter: Chapter, values: Mapping[str, Any]) -> dict[str, Any]:
    """The part's parameters with these values of the chapter's own."""
    usual = {name: p.default for name, p in parameters.of_part(chapter.part).items()}
    return usual | dict(values)


def named(chapter: Chapter, claims: "Claims") -> tuple[list[str], list[str]]:
    """The ids of claims that a chapter's cells judge, and all experiments that they need or draw.

    Each experiment comes after those that it needs.
    """
    cells = imports.code_cells(chapter.notebook)
    names = [n for n in dict.fromkeys(checked.named(cells)) if n]
    judged = [claims.id(n) for n in names if claims.id(n) in claims.judgements]
    drawn = [n for n in names if n in claims.experiments]
    every = set(drawn).union(*(claims.uses(n) for n in (*drawn, *judged)))
    return judged, sorted(every, key=lambda name: (len(claims.uses(name)), name))


def stored(chapter: Chapter, claims: "Claims", values: Mapping[str, Any], name: str) -> Path:
    """Where an experiment's result is kept on this machine, for records."""
    key = key_of(chapter, claims, values, name)
    return chapter.root / "_build" / "experiments" / chapter.part.name / f"{name}.{key}.npz"


def key_of(chapter: Chapter, claims: "Claims", values: Mapping[str, Any], name: str) -> str:
    """A checksum of what determines a result: code, parameters, data, versions of packages."""
    every = values_of(chapter, values)
    needed = {n: every[n] for n in sorted(claims.needs(name)) if n in every}
    data, versions = sorted(freshness.data_files(chapter).items()), [*map(_version, COMPUTING)]
    about = (digest(chapter.part, name), freshness.of_values(needed), data, versions)
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


_version = cache(version)


@dataclass
class Run:
    """A chapter's experiments and checks at some parameters.

    Attributes:
        values: of the chapter's parameters.
        only: the ids of the claims to judge; by default all that the chapter judges, and then all
            experiments that it draws are run too.
        record: an earlier record's experiments, not to be run again: file and seconds by name.
        verdicts: those found so far, with the seconds of each.
        seconds: what each experiment took when it was run, possibly earlier.
    """

    chapter: Chapter
    claims: "Claims"
    values: Mapping[str, Any]
    only: Sequence[str] | None = None
    record: Mapping[str, tuple[Path, float]] = field(default_factory=dict)
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def steps(self, state: Path) -> Iterator[tuple[str, float]]:
        """Run what is missing; results kept on this machine are reused.

        Args:
            state: a folder for training runs that an interruption leaves unfinished.

        Yields:
            The name of each experiment, then of each claim, with its seconds in this run.
        """
        study = self.claims.at(**values_of(self.chapter, self.values))
        judged, needed = self._named()
        for name in needed:
            begun = time.perf_counter()
            study.results[name] = self._result(study, name, state / name)
            yield name, time.perf_counter() - begun
        for claim in judged:
            begun = time.perf_counter()
            verdict = study.check(claim)
            took = time.perf_counter() - begun
            self.verdicts.append({**verdict.as_dict(), "seconds": took})
            yield claim, took

    @property
    def total(self) -> float:
        """The seconds of the whole run, including what was computed earlier."""
        return sum(self.seconds.values()) + sum(v["seconds"] for v in self.verdicts)

    def file(self, name: str) -> Path:
        """Where an experiment's result is kept on this machine, if it could be kept."""
        return stored(self.chapter, self.claims, self.values, name)

    def _named(self) -> tuple[list[str], list[str]]:
        judged, needed = named(self.chapter, self.claims)
        if self.only is None:
            return judged, needed
        judged = [c for c in judged if c in self.only]
        behind = set[str]().union(*(self.claims.uses(c) for c in judged))
        return judged, [name for name in needed if name in behind]

    def _result(self, study: "Study", name: str, state: Path) -> Any:
        from featurebook.verdicts import saving

        file = self.file(name)
        with suppress(OSError, ValueError):
            found = saving.load(file)
            self.seconds[name] = shelf.seconds_of(file)
            return found
        if name in self.record:
            recorded, seconds = self.record[name]
            with suppress(OSError, ValueError):
                found = saving.load(recorded)
                self.seconds[name] = seconds
                saving.save(file, found)
                shelf.note_seconds(file, seconds)
                return found
        begun = time.perf_counter()
        with checkpoints(state):
            result = study[name]
        self.seconds[name] = round(time.perf_counter() - begun, 3)
        if self.only is None or self.seconds[name] > shelf.SLOW:
            with suppress(saving.UnsavableError):
                saving.save(file, result)
                shelf.note_seconds(file, self.seconds[name])
        shutil.rmtree(state, ignore_errors=True)
        return result


def keep(run: Run, target: Path) -> dict[str, Any]:
    """Copy a run's results to the record's folder, the smallest first, up to `LARGEST` bytes.

    Returns:
        The record's entries: ``verdicts``, and under ``experiments`` and ``checks`` by name
        a checksum of what determines it, with the bytes (None if it is not kept) and the seconds.
    """
    part, needed = run.chapter.part, list(run.seconds)
    sizes = {n: f.stat().st_size for n in needed if (f := run.file(n)).is_file()}
    aside = target.with_name(f"{target.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    kept: dict[str, int] = {}
    for name in sorted(sizes, key=lambda n: sizes[n]):
        if sum(kept.values()) + sizes[name] <= LARGEST:
            aside.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(run.file(name), aside / f"{name}.npz")
            kept[name] = sizes[name]
    shutil.rmtree(target, ignore_errors=True)
    if kept:
        aside.replace(target)
    return {
        "verdicts": [
            {k: x for k, x in v.items() if k not in ("source", "seconds")} for v in run.verdicts
        ],
        "experiments": {
            n: {"code": digest(part, n), "bytes": kept.get(n), "seconds": run.seconds[n]}
            for n in needed
        },
        "checks": {
            v["claim"]: {"code": digest(part, v["claim"]), "seconds": round(v["seconds"], 3)}
            for v in run.verdicts
        },
    }


def digest(part: Part, name: str) -> str:
    """A checksum of what determines an experiment or a claim's check."""
    return freshness.of_checks(part, [name.removeprefix(f"{part.name}-")])


def is_current(part: Part, record: Result) -> bool:
    """Whether every experiment of a record would be the same today."""
    return all(of["code"] == digest(part, n) for n, of in record["experiments"].items())


def study_of(chapter: Chapter, claims: "Claims", record: Result, folder: Path) -> "Study":
    """A record's data for figures and checks: its parameters and its current experiments."""
    from featurebook.verdicts import saving

    study = claims.at(**values_of(chapter, record["parameters"]))
    for name, about in record["experiments"].items():
        if about["bytes"] is not None and about["code"] == digest(chapter.part, name):
            with suppress(OSError, ValueError):
                study.results[name] = saving.load(folder / f"{name}.npz")
    return study


def judge_again(chapter: Chapter, record: Result, folder: Path) -> dict[str, dict[str, Any] | None]:
    """A record's verdicts by today's checks; None where that would need another run.

    Neither unchanged checks nor slow ones are called again.
    """
    claims = checks_of(chapter.part)
    assert claims is not None
    study = study_of(chapter, claims, record, folder)
    said: dict[str, dict[str, Any] | None] = {}
    for verdict in record["verdicts"]:
        claim = verdict["claim"]
        about = record["checks"][claim]
        if claim not in claims.judgements:
            said[claim] = None
        elif about["code"] == digest(chapter.part, claim):
            said[claim] = verdict
        elif about["seconds"] <= QUICK and claims.asks(claim) <= set(study.results):
            said[claim] = study.check(claim).as_dict()
        else:
            said[claim] = None
    return said
