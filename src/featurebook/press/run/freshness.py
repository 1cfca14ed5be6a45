"""Whether an executed chapter is up to date: checksums of what it was computed from."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from featurebook.press.book.door import MEND, read_text
from featurebook.press.book.files import put_aside, read_notebook, read_source
from featurebook.press.book.places import BookError, Chapter, Part, chapters
from featurebook.press.run import checked, reach
from featurebook.press.run.bare import bare, called, untitled, wordless
from featurebook.press.run.imports import PACKAGE, closure, code_cells, uses_of_checks

METADATA = "featurebook"
CHECKSUM = "checksum"
"""In the metadata of an executed notebook, see `seal`."""
STATEMENT = re.compile(r"^(?:`{3,}|:{3,})\{claim\}.*?^(?:`{3,}|:{3,})[ ]*$", re.M | re.S)
"""The directive of a claim."""
GRADING = re.compile(r"^:(?:smaller|needs|no_experiment|figure|printed_figure|shows):.*\n", re.M)
"""Options that the map of claims does not show: changing them does not outdate a story."""
IMPORTS_MODELS = re.compile(r"^from featurebook import .*\blanguage_models\b", re.M)
"""The import in a cell that reads a language model."""
TEXT = "text"
"""The part of a key that decides a notebook's text and none of its numbers."""
ONLY_WORDS = f"changed: {TEXT}"
"""What `stale_because` returns if only the text of a notebook has changed."""
SETTLING = [
    PACKAGE / "press" / name
    for name in ("run/seeds.py", "run/machines.py", "claims/printed_sizes.py")
]
"""How records of other seeds, machines and sizes change a verdict that a page shows."""
Key = dict[str, str]


def key(chapter: Chapter, values: Mapping[str, Any]) -> Key:
    """What determines a chapter's outputs, by part: if any part changes, it is executed again."""
    return {**sources(chapter), "parameters": of_values(values)}


def of_values(values: Mapping[str, Any]) -> str:
    """The part of the key that depends on the parameters."""
    return digest(json.dumps(dict(values), sort_keys=True).encode())


def sources(chapter: Chapter) -> Key:
    """The parts of the key that do not depend on the parameters."""
    code, read = closure(chapter.notebook), reads(chapter)
    return {
        TEXT: digest(chapter.notebook.read_bytes()),
        "cells": digest("\0".join(_computing_cells(chapter.notebook)).encode()),
        "code": digest(*map(_computing, code), *_definitions(chapter.notebook)),
        "data": digest(json.dumps(data_files(chapter)).encode()),
        **{what: digest(*contents(chapter)) for what, contents in READ.items() if what in read},
        "versions": f"torch {version('torch')}, numpy {version('numpy')}",
    }


def data_files(chapter: Chapter) -> dict[str, str]:
    """Name and md5 of the available images, if the chapter imports their reader; and the model.

    The model counts for chapters whose own cells import its reader: a part's other chapters import
    the same checks. Both readers import torch, which the command need not wait for.
    """
    found = dict[str, str]()
    if PACKAGE / "images.py" in closure(chapter.notebook):
        from featurebook import images

        found |= images.fingerprint()
    if any(IMPORTS_MODELS.search(cell) for cell in code_cells(chapter.notebook)):
        from featurebook import language_models

        found |= language_models.fingerprint()
    return found


def reads(chapter: Chapter) -> set[str]:
    """What a chapter reads besides its code: keys of `READ`, from its calls of show's functions."""
    names = set[str]().union(*map(called, code_cells(chapter.notebook)))
    return {what for what in READ if f"show.{what}" in names}


def _claims(chapter: Chapter) -> list[bytes]:
    """What the chapters of a part state, and the notes on it."""
    sources = [read_text(c.notebook, MEND) for c in chapter.part.chapters if c.notebook.is_file()]
    stated = [d for source in sources for d in STATEMENT.findall(source)]
    return [*(d.encode() for d in stated), *_contents([chapter.part.claims])]


def _entries(chapter: Chapter) -> list[bytes]:
    """All claims, and the executed chapters and records that have their verdicts."""
    others = [c for c in chapters(chapter.root) if c.part.claims.is_file()]
    stories = {c.part: c for c in others}.values()
    files = [c.executed for c in others] + sorted((chapter.root / "records").rglob("*.json"))
    return [text for story in stories for text in _claims(story)] + _contents(files)


def _records(chapter: Chapter) -> list[bytes]:
    folder = chapter.root / "records" / chapter.part.name
    return _contents(sorted(folder.glob(f"{chapter.name}.*.json")))


def _seeds(chapter: Chapter) -> list[bytes]:
    return _contents([chapter.seeds, chapter.machines])


def _contents(files: Iterable[Path]) -> list[bytes]:
    """A checksum of those files that exist."""
    return [f.read_bytes() for f in files if f.is_file()]


READ: dict[str, Callable[[Chapter], list[bytes]]] = {
    "roadmap": lambda chapter: [GRADING.sub("", x.decode()).encode() for x in _claims(chapter)],
    "records": _records,
    "entries": _entries,
    "judge": lambda chapter: [*_seeds(chapter), *_records(chapter), *map(_computing, SETTLING)],
}
"""What each function of `featurebook.press.show` reads on behalf of a chapter."""


def same_numbers(a: Mapping[str, str], b: Mapping[str, str]) -> bool:
    """Whether two keys agree in everything that could change a number in the notebook."""
    return all(a.get(part) == b.get(part) for part in (*a, *b) if part not in (*READ, TEXT))


@lru_cache(maxsize=4096)
def _computes(path: Path) -> bool:
    shows = ("press", "figures.py", "fetching.py", "on_demand.py")
    return path.relative_to(PACKAGE).parts[0] not in shows


def of_checks(part: Part, names: Sequence[str]) -> str:
    """A checksum of what determines checks or experiments: all definitions that they reach.

    What only shows numbers does not count: press, figures, the sentences of verdicts and the
    names that checks have (``what``).

    Args:
        names: claims' ids without the part's name, or names of experiments.
    """
    found = definitions_of_checks(part, names)
    return digest(*(_of_definition(f, source) for f, source in found if _computes(f)))


def definitions_of_checks(part: Part, names: Sequence[str]) -> Iterable[tuple[Path, str]]:
    """File and source of each definition that checks or experiments reach."""
    folder = PACKAGE / "papers" / part.name / "checks"
    known = checked.registered(folder)
    start = [place for name in names for place in known.get(name, [])]

    def asks(place: reach.Place) -> Iterable[reach.Place]:
        if place.file.parent != folder:
            return []
        return [p for name in reach.arguments(place) for p in known.get(name, [])]

    combining = PACKAGE / "verdicts" / "combining.py"
    start += [
        reach.Place(combining, maker)
        for word, maker in MAKERS.items()
        if any(word in checked.decorated(place) for place in start)
    ]
    return reach.reached(start, PACKAGE, asks)


def of_drawing(cells: Sequence[str]) -> str:
    """A checksum of what determines what cells draw from loaded experiments: the cells, and
    all definitions of the package that they reach."""
    source, press = "\n".join(cells), PACKAGE / "press"
    start = [p for p in reach.named_by(source, PACKAGE) if press not in p.file.parents]
    found = reach.reached(start, PACKAGE, lambda place: [])
    return digest(*(bare(text).encode() for text in [source, *(text for _, text in found)]))


MAKERS = {
    "claims.check": "combine",
    "proof=": "proved",
    "undecided=": "undecided",
    "beyond=": "in_runs",
    "on=": "only_on",
}
"""The functions of `verdicts.combining` that words in a check's decorator stand for."""


@lru_cache(maxsize=8192)
def _of_definition(file: Path, source: str) -> bytes:
    """A definition's contribution to a checksum: without words and the sentences of verdicts."""
    if file.parent == PACKAGE / "verdicts":
        return b"" if file.stem == "words" else bare(wordless(source)).encode()
    return bare(untitled(source)).encode()


def stale_because(executed: Path, wanted: Key) -> str:
    """Why an executed notebook is out of date, in a few words; empty if it is not."""
    if not executed.is_file():
        return "never executed"
    try:
        notebook = read_notebook(executed)
        had = dict(notebook.metadata.get(METADATA, {}).get("key", {}))
    except (BookError, AttributeError, TypeError, ValueError):
        return "unreadable"
    changed = [part for part in wanted if had.get(part) != wanted[part]]
    if set(changed) <= {TEXT} and not is_as_executed(notebook):
        return "edited after the execution"
    return f"changed: {', '.join(changed)}" if changed else ""


def seal(notebook: NotebookNode) -> None:
    """Give an executed notebook a checksum that reveals any later change."""
    notebook.metadata[METADATA][CHECKSUM] = _of_whole(notebook)


def is_as_executed(notebook: NotebookNode) -> bool:
    """Whether a notebook is unchanged since `seal`: sources, outputs, text and metadata."""
    about = notebook.metadata.get(METADATA)
    return isinstance(about, dict) and about.get(CHECKSUM) == _of_whole(notebook)


def make_room(path: Path) -> Path | None:
    """Put a notebook aside if it was edited since its execution: it may hold somebody's work.

    Returns:
        Its new place; None if there was none, or it may be overwritten.
    """
    if not path.exists():
        return None
    try:
        if is_as_executed(read_notebook(path)):
            return None
    except BookError:
        if not path.stat().st_size:
            return None
    return put_aside(path, "edited")


def _of_whole(notebook: NotebookNode) -> str:
    """A checksum of a whole notebook, as read from its file, except for the checksum in it."""
    about = {k: v for k, v in notebook.metadata.get(METADATA, {}).items() if k != CHECKSUM}
    whole = {**notebook, "metadata": {**notebook.metadata, METADATA: about}}
    return digest(json.dumps(whole, sort_keys=True).encode())


def seconds_of(executed: Path) -> float | None:
    """How long an execution took, if there is one and it can be read."""
    try:
        about = read_notebook(executed).metadata.get(METADATA, {})
    except BookError:
        return None
    return float(about["seconds"]) if "seconds" in about else None


def _definitions(notebook: Path) -> list[bytes]:
    """The functions of its part's checks that a notebook uses, without words."""
    used = uses_of_checks(notebook)
    return [bare(untitled(d)).encode() for d in used.definitions] if used else []


def _computing_cells(notebook: Path) -> list[str]:
    """The computing parts of the code cells; the parameters cell whole, since tables show it."""
    cells = [c for c in read_source(notebook).cells if c.cell_type == "code"]
    shown = ["parameters" in c.metadata.get("tags", []) for c in cells]
    sources = code_cells(notebook)
    return [c if whole else bare(c) for c, whole in zip(sources, shown, strict=True)]


def _computing(path: Path) -> bytes:
    """A file's contribution to a checksum: code without its words, tables whole."""
    content = path.read_bytes()
    return bare(content.decode()).encode() if path.suffix == ".py" else content


def digest(*parts: bytes) -> str:
    """A checksum of parts whose order does not count, so that files may move."""
    digest = hashlib.sha256()
    for part in sorted(hashlib.sha256(part).digest() for part in parts):
        digest.update(part)
    return digest.hexdigest()[:16]
