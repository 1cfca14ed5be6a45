"""Is an executed notebook reproducible? Compare what a reader sees with another execution.

Compared are the text, outcomes, numbers and sentences of verdicts, what cells print, tables cell by
cell, the numbers that figures draw, and the pictures, including those of sliders. Cells
tagged as volatile, which show time, place and memory, are not. Cells are aligned by their sources,
and lines by their words, so that an inserted one is one difference.
"""

import math
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import unescape
from itertools import zip_longest
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from rich.table import Table
from rich.text import Text

from featurebook.press.book.console import out, say
from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import SCALES, BookError, find_chapter
from featurebook.press.run import freshness, likeness, parameters, refresh, slider
from featurebook.press.run.job import Job
from featurebook.press.run.results import Result, of_notebook
from featurebook.verdicts import MIME

NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
POWER = re.compile(r"(?<=\d)·10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
"""A power of ten in a sentence, such as 2.1·10⁻¹⁵."""
RAISED = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
TAG = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.S)
SAID = re.compile(r"(sentence|, as shown)$")
ROUNDING = 1e-9
VOLATILE = "nbval-ignore-output"
RESIDUAL = re.compile(r"largest_difference$")  # itself a relative difference of two sides


@dataclass(frozen=True)
class Comparison:
    """One number or word of a notebook, before and now.

    Attributes:
        difference: relative to the larger of the two (of rounding errors: absolute); 0 where equal,
            infinite if one is missing or they are not numbers.
        rounding: whether all differences are smaller than `ROUNDING`.
    """

    what: str
    before: str
    now: str
    difference: float
    rounding: bool = False


Cells = Mapping[str, NotebookNode]
"""Cells by name; corresponding cells of two notebooks have the same name."""


def again(notebook: Path, root: Path) -> tuple[Job, Result]:
    """The job that repeats an executed notebook, and the notebook's metadata.

    Raises:
        BookError: if it was not made by ``featurebook run``, or the book no longer has its chapter
            or parameters.
    """
    before = of_notebook(notebook)
    chapter = find_chapter(root, before["chapter"])
    if before["scale"] not in SCALES:
        raise BookError(f"{notebook}: no scale {before['scale']!r}; there are {', '.join(SCALES)}")
    known = parameters.read(chapter.notebook)
    values = parameters.validate(known, before["parameters"])
    if lacking := [name for name in known if name not in values]:
        raise BookError(f"{notebook}: ran before the chapter had {', '.join(lacking)}")
    target = _scratch(root) / f"{notebook.stem}.ipynb"
    return Job(chapter, values, before["scale"], target), before


def _scratch(root: Path) -> Path:
    """A folder for the other execution, outside the book if that is read-only."""
    folder = root / "_build" / "verify"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="featurebook-verify-"))


def reproduced(notebook: Path, root: Path, tolerance: float) -> str:
    """Execute a notebook again and print the comparison; returns a line if anything differs.

    Raises:
        BookError: as `again`, and if the notebook has nothing to compare.
        ExecutionError: if it no longer executes.
    """
    job, before = again(notebook, root)
    for part in changed_since(before, job):
        say(f"changed since: {part}")
    refresh.execute([job], 1)
    rows = compare(notebook, job.output)
    if not rows:
        raise BookError(f"{notebook} holds no numbers to compare")
    out.print(table(rows, tolerance))
    wrong = sum(row.difference > tolerance for row in rows)
    equal = sum(row.difference == 0 for row in rows)
    said = f"{len(rows) - wrong} of {len(rows)} agree to {tolerance:g}; {equal} are equal"
    if wrong:
        return f"{said}. The new notebook: {os.path.relpath(job.output)}"
    say(said)
    return ""


def changed_since(before: Result, job: Job) -> list[str]:
    """The inputs of the notebook that have changed since, in words."""
    now = freshness.key(job.chapter, job.values)
    return [part for part in now if before["key"].get(part) != now[part]]


def compare(before: Path, now: Path) -> list[Comparison]:
    """Everything that a reader sees, by name."""
    notebooks = read_notebook(before), read_notebook(now)
    cells = aligned(notebooks[0].cells, notebooks[1].cells)
    a, b = map(_found, notebooks, cells)
    rows = [
        Comparison(name, a.get(name, "missing"), b.get(name, "missing"), *_difference(name, a, b))
        for name in {**a, **b}
    ]
    return [*rows, *_texts(*cells), *_pictures(*cells)]


def table(rows: Sequence[Comparison], tolerance: float) -> Table:
    """Numbers before and now, in red if they differ by more than the tolerance."""
    found = Table("what", "before", "now", "relative difference", box=None, pad_edge=False)
    for row in rows:
        words = "equal" if row.difference == 0 else f"{row.difference:.2g}"
        words += ", rounding" if row.rounding else ""
        cells = (row.what, _brief(row.before), _brief(row.now), words)
        found.add_row(*map(Text, cells), style="red" if row.difference > tolerance else "")
    return found


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 32 else f"{line[:30]} …"


def aligned(before: Sequence[NotebookNode], now: Sequence[NotebookNode]) -> tuple[Cells, Cells]:
    """The cells of two notebooks; the second's are named after their partners in the first."""
    names = [f"cell {k}" for k in range(1, len(before) + 1)]
    others = [f"new cell {k}" for k in range(1, len(now) + 1)]
    old, new = ([(c.cell_type, c.source) for c in cells] for cells in (before, now))
    for _, a, a_end, b, b_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for i, j in zip(range(a, a_end), range(b, b_end), strict=False):
            if before[i].cell_type == now[j].cell_type:
                others[j] = names[i]
    return dict(zip(names, before, strict=True)), dict(zip(others, now, strict=True))


def _found(notebook: NotebookNode, cells: Cells) -> dict[str, str]:
    """The content of a notebook's outputs, by name, written out in full, except pictures."""
    texts: dict[str, str] = {}
    for verdict in outputs(notebook, MIME):
        claim = verdict["claim"]
        texts[f"{claim} outcome"] = verdict["outcome"]
        texts[f"{claim} sentence"] = verdict["measured"]
        texts[f"{claim} samples"] = repr(verdict["samples"])
        texts |= {f"{claim} {name}": repr(v) for name, v in verdict["numbers"].items()}
        for cell in verdict["cells"]:
            texts[f"{claim} {cell['label']}"] = repr(cell["ours"])
    for name, output in _shown(cells):
        data, kept = output.get("data", {}), output.get("metadata", {})
        if MIME not in data:
            texts[name] = _plain(output.get("text", data.get("text/plain", "")))
        texts[f"{name}, as shown"] = _plain(unescape(TAG.sub(" ", data.get("text/html", ""))))
        texts[f"{name}, numbers drawn"] = kept.get("text/csv", "")
    return {name: text for name, text in texts.items() if text}


def _shown(cells: Cells) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The outputs of all cells that are not volatile, by name."""
    for name, cell in cells.items():
        if cell.cell_type == "code" and VOLATILE not in cell.metadata.get("tags", []):
            for k, output in enumerate(cell.outputs):
                yield f"{name}, output {k + 1}", output


def _plain(text: str) -> str:
    """A text without what varies from run to run: addresses, the ids of styled cells."""
    return re.sub(r"0x[0-9a-f]+|T_[0-9a-f]{5}", "NAME", text)


def _texts(before: Cells, now: Cells) -> Iterator[Comparison]:
    """The lines of text that differ, or are in one notebook only."""
    for name in {**before, **now}:
        a, b = (_lines(cells.get(name)) for cells in (before, now))
        for what, i, i_end, j, j_end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
            if what != "equal":
                for line, other in zip_longest(a[i:i_end], b[j:j_end], fillvalue="missing"):
                    yield Comparison(f"{name}, text", line, other, math.inf)


def _lines(cell: NotebookNode | None) -> list[str]:
    return cell.source.splitlines() if cell and cell.cell_type == "markdown" else []


def _pictures(before: Cells, now: Cells) -> list[Comparison]:
    a, b = (dict(_drawn(cells)) for cells in (before, now))
    rows = []
    for name, mime in {**a, **b}:
        had, has = (x.get((name, mime)) for x in (a, b))
        apart = likeness.OF[mime](had, has) if had and has else math.inf
        old, new = ("a picture" if x else "missing" for x in (had, has))
        rows.append(Comparison(name, old, new, apart))
    return rows


def _drawn(cells: Cells) -> Iterator[tuple[tuple[str, str], str]]:
    """The pictures of a notebook, including those of sliders, by name and mime type."""
    for name, output in _shown(cells):
        for mime in likeness.OF:
            if mime in output.get("data", {}):
                yield (f"{name}, picture", mime), output["data"][mime]
        frames = output.get("metadata", {}).get(slider.MIME, {}).get("frames", [])
        for k, frame in enumerate(frames, start=1):
            yield (f"{name}, slider's picture {k}", "image/svg+xml"), frame


def _difference(name: str, a: Mapping[str, str], b: Mapping[str, str]) -> tuple[float, bool]:
    """How much two texts differ, and whether only by rounding errors."""
    if name not in a or name not in b:
        return math.inf, False
    if a[name] == b[name]:
        return 0.0, False
    old, new = (POWER.sub(_as_exponent, texts[name]) for texts in (a, b))
    before, now = NUMBER.findall(old), NUMBER.findall(new)
    if len(before) != len(now) or NUMBER.sub("", old).split() != NUMBER.sub("", new).split():
        return math.inf, False
    pairs = [
        (float(x.replace(",", "")), float(y.replace(",", "")))
        for x, y in zip(before, now, strict=True)
    ]
    distance = _relative
    if RESIDUAL.search(name):
        distance = _absolute
    elif SAID.search(name):
        distance = _of_size
    apart = [distance(x, y) for x, y in pairs]
    small = [max(abs(x), abs(y)) < ROUNDING for x, y in pairs if x != y]
    return max(apart, default=0.0), distance is not _relative and bool(small) and all(small)


def _as_exponent(power: re.Match[str]) -> str:
    return f"e{power[1].translate(RAISED)}"


def _absolute(x: float, y: float) -> float:
    return abs(x - y)


def _of_size(x: float, y: float) -> float:
    """As `_relative`, but for rounding errors, which a sentence does not mark."""
    return abs(x - y) if max(abs(x), abs(y)) < ROUNDING else _relative(x, y)


def _relative(x: float, y: float) -> float:
    return 0.0 if x == y else abs(x - y) / max(abs(x), abs(y))
