"""The figures and tables of a chapter at printed sizes, drawn by its own cells from its record.

Once more the cells run that draw, and those that they need, with the record's parameters and with
a study whose experiments are loaded. What the record does not keep, and would take long, is not
offered; nothing is trained here. What comes out lies beside the executed chapter, until the record
or what draws has changed.
"""

import ast
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from featurebook.press.book import door
from featurebook.press.book.files import read_notebook, read_source, write_atomically
from featurebook.press.book.places import BookError, Chapter, chapters, find_chapter, find_root
from featurebook.press.run import experiments, figure_data, freshness, imports, records
from featurebook.press.run.kernel import ThisPython, environment
from featurebook.press.run.results import Result
from featurebook.verdicts.claims import Study

SCALE = "paper"
LONGEST = 60
"""Seconds that one cell may take."""
CHEAP = 20.0
"""Recorded seconds up to which an experiment that the record does not keep is run again."""
NO_DRAWING = ("show.judge", "show.knobs", "show.card", "show.records", "show.source",
              "show.roadmap", "show.entries", "show.live")  # fmt: skip
ORDINAL = "ordinal"
SHOWN = ("image/svg+xml", "image/png", "text/html")
QUICK = "featurebook_quick"
"""In the metadata of an output: what the quick run drew in its place."""
SAME = "featurebook_same"
"""The same where both runs drew the same."""


class NotKeptError(LookupError):
    """A record does not hold the result of an experiment that took long."""


@dataclass(frozen=True)
class Kept(Study):
    """A study that runs nothing which took long when it was recorded."""

    costs: Mapping[str, float] | None = None

    def __getitem__(self, experiment: str) -> Any:
        if experiment not in self.results:
            lacking = {experiment, *self.claims.uses(experiment)} - set(self.results)
            cost = sum((self.costs or {}).get(name, CHEAP) for name in lacking)
            if cost > CHEAP:
                raise NotKeptError(f"the record does not keep {experiment}")
        return super().__getitem__(experiment)


def study(address: str) -> Kept:
    """The recorded experiments of a chapter, for its cells."""
    chapter = find_chapter(find_root(), address)
    claims, record = experiments.checks_of(chapter.part), record_of(chapter)
    assert claims is not None
    assert record is not None
    found = experiments.study_of(chapter, claims, record, records.folder(chapter, SCALE))
    costs = {n: of.get("seconds", CHEAP) for n, of in record["experiments"].items()}
    return Kept(claims, found.values, found.results, costs)


def record_of(chapter: Chapter) -> Result | None:
    """The record at printed sizes that holds experiments, if there is one."""
    found = (r for r in records.read(chapter) if r["scale"] == SCALE)
    return next((r for r in found if "experiments" in r), None)


# Drawing


def refresh(root: Path, workers: int = 2) -> list[str]:
    """Draw what is lacking or out of date; returns a line for each chapter that was drawn."""
    stale = [c for c in chapters(root) if c.executed.is_file() and not is_current(c)]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(draw, stale))


def is_current(chapter: Chapter) -> bool:
    """Whether there is nothing to draw, or it is drawn from today's record by today's code."""
    if record_of(chapter) is None:
        path(chapter).unlink(missing_ok=True)
        return True
    return _read(chapter).get("key") == key(chapter)


def path(chapter: Chapter) -> Path:
    """Where the outputs lie."""
    return chapter.executed.with_name(f"{chapter.name}.{SCALE}.drawn.json")


def key(chapter: Chapter) -> str:
    """A checksum of what decides the outputs."""
    files = [records.path(chapter, SCALE), *sorted(records.folder(chapter, SCALE).glob("*.npz"))]
    files += map(Path, (__file__, *figure_data.HOW))
    read = [f.read_bytes() for f in files if f.is_file()]
    drawing = freshness.of_drawing(imports.code_cells(chapter.notebook))
    return freshness.digest(drawing.encode(), *read)


def draw(chapter: Chapter) -> str:
    """Run the drawing cells of a chapter, and keep their outputs by the cells' ordinals."""
    record = record_of(chapter)
    assert record is not None
    notebook = sliced(chapter, record)
    outputs: dict[str, list[NotebookNode]] = {}
    if notebook.cells:
        with tempfile.TemporaryDirectory(prefix="featurebook") as settings:
            client = NotebookClient(
                notebook, timeout=LONGEST, interrupt_on_timeout=True, allow_errors=True,
                kernel_manager_class=ThisPython, startup_timeout=120,
                resources={"metadata": {"path": str(chapter.root)}},
                extra_arguments=["--log-level=CRITICAL", f"--ext={figure_data.__name__}"],
            )  # fmt: skip
            client.execute(env=environment(settings))
        figure_data.keep_aside(notebook)
        outputs = _good(notebook)
    about = {"key": key(chapter), "cells": outputs}
    write_atomically(path(chapter), json.dumps(about, ensure_ascii=False))
    return f"{chapter.address}: {len(outputs)} figures and tables drawn from the record"


def _good(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    found = {}
    for cell in notebook.cells:
        if cell.metadata.get("offered") and not any(o.output_type == "error" for o in cell.outputs):
            shown = [o for o in cell.outputs if set(SHOWN) & set(o.get("data", {}))]
            if shown:
                found[str(cell.metadata[ORDINAL])] = shown
    return found


def sliced(chapter: Chapter, record: Result) -> NotebookNode:
    """The cells that draw from a chapter's experiments, and those before that they need."""
    sources = imports.code_cells(chapter.notebook)
    cells = [c for c in read_source(chapter.notebook).cells if c.cell_type == "code"]
    about = [_Cell.of(source) for source in sources]
    wanted, offered = set[int](), set[int]()
    for k, cell in enumerate(cells):
        named = bool(cell.metadata.get("mystnb", {}).get("figure"))
        if not about[k].draws and not named:
            continue
        needed = {k, *_needed(k, about)}
        if about[k].only_shows or not any(about[n].experiments for n in needed):
            continue
        wanted |= needed
        offered.add(k)
    made = []
    for k in sorted(wanted):
        source = sources[k]
        if "parameters" in cells[k].metadata.get("tags", []):
            source += "".join(f"\n{n} = {v!r}" for n, v in record["parameters"].items())
        if "study" in about[k].defines:
            source += f"\nfrom {__name__} import study as _kept\nstudy = _kept({chapter.address!r})"
        more = {ORDINAL: k, "offered": k in offered}
        made.append(nbformat.v4.new_code_cell(source, metadata=more))
    return nbformat.v4.new_notebook(cells=made)


@dataclass(frozen=True)
class _Cell:
    """What a cell binds and names, and whether it draws from experiments."""

    defines: frozenset[str]
    names: frozenset[str]
    imports: bool
    draws: bool
    experiments: bool
    only_shows: bool

    @classmethod
    def of(cls, source: str) -> "_Cell":
        tree = ast.parse(source)
        nodes = list(ast.walk(tree))
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        loaded = {n.id for n in nodes if isinstance(n, ast.Name)}
        for n in tree.body:
            if isinstance(n, ast.Import | ast.ImportFrom):
                stored |= {(a.asname or a.name).partition(".")[0] for a in n.names}
            elif isinstance(n, ast.FunctionDef | ast.ClassDef):
                stored.add(n.name)
        last = tree.body[-1] if tree.body else None
        calls = [ast.unparse(n.value.func) for n in tree.body
                 if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]  # fmt: skip
        shows = [c for c in calls if c in NO_DRAWING]
        imports = bool(tree.body) and isinstance(tree.body[0], ast.Import | ast.ImportFrom)
        uses = any(isinstance(n, ast.Subscript) and ast.unparse(n.value) == "study" for n in nodes)
        draws = isinstance(last, ast.Expr) and not (calls and calls[-1] in NO_DRAWING)
        return cls(frozenset(stored), frozenset(loaded), imports, draws, uses,
                   bool(shows) and len(shows) == len(tree.body))  # fmt: skip


def _needed(k: int, about: Sequence[_Cell]) -> set[int]:
    """The cells before one that it needs, directly or not; imports always."""
    found = {j for j in range(k) if about[j].imports}
    waiting = [k, *found]
    while waiting:
        here = waiting.pop()
        for name in about[here].names:
            before = [j for j in range(here) if name in about[j].defines]
            for j in before[-1:]:
                if j not in found:
                    found.add(j)
                    waiting.append(j)
    return found


# Showing


def shown(chapter: Chapter, with_quick: bool = False) -> NotebookNode:
    """An executed chapter whose figures and tables are those at printed sizes, where there are.

    Args:
        with_quick: whether what the quick run showed stands below a table, to unfold.

    Raises:
        BookError: if the chapter was not executed, or its record cannot be read.
    """
    notebook = read_notebook(chapter.executed)
    record, drawn = record_of(chapter), _read(chapter).get("cells", {})
    if record is None or not drawn:
        return notebook
    said = words(chapter, record)
    ordinals = _ordinals(notebook)
    for cell, ordinal in ordinals:
        if outputs := drawn.get(str(ordinal)):
            _put(cell, nbformat.from_dict(outputs), said, with_quick)
    return notebook


def _ordinals(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, int]]:
    code = [c for c in notebook.cells if c.cell_type == "code"]
    own = [c for c in code if "injected-parameters" not in c.metadata.get("tags", [])]
    return zip(own, range(len(own)), strict=True)


def _put(cell: NotebookNode, outputs: list[NotebookNode], said: str, with_quick: bool) -> None:
    before = [o for o in cell.outputs if set(SHOWN) & set(o.get("data", {}))]
    if not before:
        return
    if _same(before, outputs):
        before[0].metadata[SAME] = True
        return
    picture = outputs[0].data.get("image/svg+xml")
    if picture:
        quick = before[0].data.get("image/svg+xml", "")
        outputs[0].metadata[QUICK] = quick
        style = cell.metadata.get("mystnb", {}).get("figure")
        if style:
            style["caption"] = f"{style.get('caption', '')} {said}"
    else:
        note = re.sub(r"`([^`]+)`", r"<code>\1</code>", f"<p class='as-printed'>{said}</p>")
        outputs[0].data["text/html"] = note + outputs[0].data["text/html"]
        if with_quick:
            table = before[0].data.get("text/html", "")
            fold = (
                "<details class='quick-run'><summary>the quick run of this page</summary>"
                f"{table}</details>"
            )
            outputs.append(nbformat.v4.new_output("display_data", {"text/html": fold}))
    cell.outputs = [*(o for o in cell.outputs if o not in before), *outputs]


def _same(before: Sequence[NotebookNode], now: Sequence[NotebookNode]) -> bool:
    return [dict(o.data) for o in before] == [dict(o.data) for o in now]


def words(chapter: Chapter, record: Result) -> str:
    """What is said of a picture from the record: how it was made, and the command."""
    many = 1 + len(record.get("seeds", {}))
    seconds = record["seconds"]
    long = f"{seconds:,.0f} s" if seconds < 90 else f"{seconds / 60:,.0f} min"
    device = record["provenance"]["device"].partition(",")[0]
    checked = f"; figures and tables were judged with {many} seeds" if many > 1 else ""
    old = "" if experiments.is_current(chapter.part, record) else "; some of it by earlier code"
    return (
        f"Recorded at the scale `{SCALE}` on {record['started'][:10]} ({device}, {long}), "
        f"one seed{checked}{old}: `featurebook record {chapter.address}`."
    )


def _read(chapter: Chapter) -> dict[str, Any]:
    """What was drawn; nothing where there is no such file, or it is damaged."""
    try:
        return dict(door.read_json(path(chapter), dict, "redrawn", 256 * door.MEGABYTE))
    except BookError:
        return {}
