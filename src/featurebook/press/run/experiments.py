"""A chapter's experiments without its notebook: run once, kept as data, judged again at will."""

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from featurebook.press.book.files import write_atomically
from featurebook.press.book.places import Chapter, Part
from featurebook.press.run import checked, freshness, parameters
from featurebook.press.run.results import Result
from featurebook.verdicts import saving
from featurebook.verdicts.claims import Claims, Study

LARGEST = 500_000
"""Bytes that the experiments of one record take at most; the smallest are kept first."""
QUICK = 1.0
"""Seconds that a check may have taken to be called again while a page is made."""


def checks_of(part: Part) -> Claims | None:
    """The checks of a part as functions; None where they are cells of its chapters."""
    name = f"featurebook.papers.{part.name}.checks"
    if find_spec(f"featurebook.papers.{part.name}") is None or find_spec(name) is None:
        return None
    return getattr(import_module(name), "claims", None)


def values_of(chapter: Chapter, values: Mapping[str, Any]) -> dict[str, Any]:
    """The part's parameters with these values of the chapter's own."""
    usual = {name: p.default for name, p in parameters.of_part(chapter.part).items()}
    return usual | dict(values)


def named(chapter: Chapter, claims: Claims) -> tuple[list[str], list[str]]:
    """What a chapter's cells judge and draw: ids of claims, and all experiments behind them.

    Each experiment stands after those that it needs.
    """
    cells = freshness.code_cells(chapter.notebook)
    names = [n for n in dict.fromkeys(checked.named(cells)) if n]
    judged = [claims.id(n) for n in names if claims.id(n) in claims.judgements]
    drawn = [n for n in names if n in claims.experiments]
    every = set(drawn).union(*(claims.uses(n) for n in (*drawn, *judged)))
    return judged, sorted(every, key=lambda name: (len(claims.uses(name)), name))


def run(
    chapter: Chapter, claims: Claims, values: Mapping[str, Any], folder: Path
) -> Iterator[tuple[str, float]]:
    """Run a chapter's experiments and checks; an experiment that is in the folder is not run again.

    Args:
        values: of the chapter's parameters.
        folder: for this code and these values alone; gets a file for each experiment that a file
            can hold, and ``checks.json``.

    Yields:
        The name of each experiment, then of each claim, and its seconds.
    """
    study = claims.at(**values_of(chapter, values))
    judged, needed = named(chapter, claims)
    for name in needed:
        begun = time.perf_counter()
        study.results[name] = _loaded_or_run(study, name, folder / f"{name}.npz")
        yield name, time.perf_counter() - begun
    found = []
    for claim in judged:
        begun = time.perf_counter()
        verdict = study.check(claim)
        found.append({**verdict.as_dict(), "seconds": time.perf_counter() - begun})
        yield claim, found[-1]["seconds"]
    write_atomically(folder / "checks.json", json.dumps(found))


def _loaded_or_run(study: Study, name: str, file: Path) -> Any:
    try:
        return saving.load(file)
    except (OSError, ValueError):
        result = study[name]
    with suppress(saving.UnsavableError):
        saving.save(file, result)
    return result


def keep(chapter: Chapter, claims: Claims, folder: Path, target: Path) -> dict[str, Any]:
    """Copy what `run` left to the record's folder, the smallest first, up to `LARGEST` bytes.

    Returns:
        What a record says of them: ``verdicts``, and under ``experiments`` and ``checks`` by name
        a checksum of what decides it, with the bytes (None if it is not kept) or the seconds.
    """
    _, needed = named(chapter, claims)
    sizes = {n: f.stat().st_size for n in needed if (f := folder / f"{n}.npz").is_file()}
    shutil.rmtree(target, ignore_errors=True)
    kept: dict[str, int] = {}
    for name in sorted(sizes, key=lambda n: sizes[n]):
        if sum(kept.values()) + sizes[name] <= LARGEST:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / f"{name}.npz", target / f"{name}.npz")
            kept[name] = sizes[name]
    verdicts = json.loads((folder / "checks.json").read_text(encoding="utf-8"))
    checks = {v["claim"]: round(v.pop("seconds"), 3) for v in verdicts}
    return {
        "verdicts": [{k: x for k, x in v.items() if k != "source"} for v in verdicts],
        "experiments": {n: {"code": digest(chapter.part, n), "bytes": kept.get(n)} for n in needed},
        "checks": {c: {"code": digest(chapter.part, c), "seconds": s} for c, s in checks.items()},
    }


def digest(part: Part, name: str) -> str:
    """A checksum of what decides an experiment or the check of a claim."""
    return freshness.of_checks(part, [name.removeprefix(f"{part.name}-")])


def is_current(part: Part, record: Result) -> bool:
    """Whether every experiment of a record would be the same today."""
    return all(of["code"] == digest(part, n) for n, of in record["experiments"].items())


def study_of(chapter: Chapter, claims: Claims, record: Result, folder: Path) -> Study:
    """What a record keeps, for figures and checks: its parameters and its current experiments."""
    study = claims.at(**values_of(chapter, record["parameters"]))
    for name, about in record["experiments"].items():
        if about["bytes"] is not None and about["code"] == digest(chapter.part, name):
            with suppress(OSError, ValueError):
                study.results[name] = saving.load(folder / f"{name}.npz")
    return study


def judge_again(chapter: Chapter, record: Result, folder: Path) -> dict[str, dict[str, Any] | None]:
    """The verdicts of a record by today's checks; None where that would need another run.

    A check that has not changed is not called again, nor one that takes long.
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
