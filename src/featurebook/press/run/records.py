"""Recorded runs: what chapters gave at sizes that a page cannot compute while it is built."""

import html
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from IPython import get_ipython

from featurebook.press.book.files import outputs, write_atomically
from featurebook.press.book.places import BookError, Chapter, find_chapter, find_root
from featurebook.press.run import experiments, freshness, parameters, provenance, results
from featurebook.press.run.results import Result
from featurebook.verdicts import MARKS, Verdict, in_print
from featurebook.verdicts import MIME as VERDICT
from featurebook.verdicts.claims import Claims

MIME = "application/vnd.featurebook.records+json"
EARLIER = " (earlier code)"
"""What is said of a recorded verdict whose check or experiment has changed since."""


@contextmanager
def checkpoints(folder: Path) -> Iterator[None]:
    """Let every training of the runs that are begun here keep its state in a folder."""
    from featurebook.core.checkpoint import FOLDER  # imports torch

    os.environ[FOLDER] = str(folder)
    try:
        yield
    finally:
        del os.environ[FOLDER]


def path(chapter: Chapter, scale: str) -> Path:
    """Where the record of a scale is kept."""
    return chapter.root / "records" / chapter.part.name / f"{chapter.name}.{scale}.json"


def keep(chapter: Chapter, notebook: Path, resumed: bool) -> Path:
    """Make an executed notebook the record of its scale: numbers, verdicts, provenance.

    Args:
        resumed: whether it went on from an interrupted run; its seconds are then not the whole.
    """
    result = results.of_notebook(notebook)
    result |= {"resumed": resumed, "computation": freshness.computation(chapter)}
    target = path(chapter, result["scale"])
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return target


def folder(chapter: Chapter, scale: str) -> Path:
    """Where the experiments of a record are kept."""
    return path(chapter, scale).with_suffix("")


def keep_experiments(
    chapter: Chapter, claims: Claims, made: Path, about: Mapping[str, Any]
) -> Path:
    """Make a folder of experiments (`experiments.run`) the record of its scale.

    Args:
        about: ``scale``, ``parameters``, ``started``, ``seconds`` and ``resumed``.
    """
    scale, values = about["scale"], about["parameters"]
    seeds = [values["seed"]] if "seed" in values else []
    card = provenance.card(seeds, device=values.get("device", "cpu")).facts
    record = {
        "chapter": chapter.address, **about, "key": freshness.key(chapter, values),
        "provenance": card,
        **experiments.keep(chapter, claims, made, folder(chapter, scale)),
    }  # fmt: skip
    target = path(chapter, scale)
    write_atomically(target, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    return target


def read(chapter: Chapter) -> list[Result]:
    """The records of a chapter.

    Raises:
        BookError: naming one that is damaged.
    """
    found = []
    for file in sorted(
        (chapter.root / "records" / chapter.part.name).glob(f"{chapter.name}.*.json")
    ):
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            record["verdicts"], record["provenance"]
            record["experiments" if "checks" in record else "computation"]
        except (ValueError, KeyError, TypeError):
            raise BookError(f"{file} is no record that can be read: make it anew") from None
        found.append(record)
    return found


def outdated(record: Result, chapter: Chapter) -> bool:
    """Whether the code that computes has changed since the record was made."""
    if "experiments" in record:
        return not experiments.is_current(chapter.part, record)
    return bool(record["computation"] != freshness.computation(chapter))


class Table:
    """Recorded runs beside what the notebook computed just now."""

    def __init__(self, chapter: Chapter, now: dict[str, dict[str, Any]]) -> None:
        self.chapter = chapter
        self.records = read(chapter)
        self.now = now

    def about(self, record: Result) -> str:
        """Where and when a record was made, in one sentence."""
        card = record["provenance"]
        usual = parameters.final_values(self.chapter, record["scale"])
        own = [f"{k} = {v}" for k, v in record["parameters"].items() if usual.get(k) != v]
        sentence = (
            f"Scale {record['scale']}{' with ' if own else ''}{', '.join(own)}, recorded "
            f"{record['started']} on {card['device']}, commit "
            f"{card['commit']}, in {record['seconds']:,.0f} s"
        )
        if record["resumed"]:
            sentence += " after an interruption"
        if outdated(record, self.chapter):
            sentence += "; the code has changed since"
        return sentence + "."

    def rows(self, record: Result) -> list[tuple[str, str, str]]:
        """Claim, what was measured here, and what was recorded; of this chapter's claims alone."""
        both = [(v, self.now[v["claim"]]) for v in record["verdicts"] if v["claim"] in self.now]
        if "experiments" not in record:
            return [(v["claim"], _words(here), _words(v)) for v, here in both]
        today = experiments.judge_again(self.chapter, record, folder(self.chapter, record["scale"]))
        return [
            (v["claim"], _words(here), _words(again) if again else f"{_words(v)}{EARLIER}")
            for v, here in both
            for again in [today[v["claim"]]]
        ]

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        of = [r["scale"] for r in self.records]
        return {"text/html": self._html(), "text/plain": repr(self), MIME: {"scales": of}}

    def _html(self) -> str:
        if not self.records:
            return f"<p>{self!r}</p>"
        parts = []
        for record in self.records:
            lines = "".join(
                f"<tr><td>{self._linked(name)}</td>"
                f"<td>{html.escape(here)}</td><td>{html.escape(there)}</td></tr>"
                for name, here, there in self.rows(record)
            )
            parts.append(
                f"<p>{html.escape(self.about(record))}</p><table class='records'><thead><tr>"
                f"<th>claim</th><th>computed here</th><th>recorded</th></tr></thead>"
                f"<tbody>{lines}</tbody></table>"
            )
        return "".join(parts)

    def _linked(self, name: str) -> str:
        """A claim's id; a link where this notebook judges it."""
        code = f"<code>{name}</code>"
        return f"<a href='#{name}'>{code}</a>" if name in self.now else code

    def __repr__(self) -> str:
        lines = []
        for record in self.records:
            lines.append(self.about(record))
            lines += ["  " + " | ".join(row) for row in self.rows(record)]
        return "\n".join(lines) or "No run at another scale has been recorded yet."


def table(address: str) -> Table:
    """The recorded runs of a chapter, to show at the end of a notebook cell.

    "Computed here" are the verdicts that cells of this session ended with; those that were shown
    otherwise are added by `add_verdicts`.
    """
    shell = get_ipython()
    shown: dict[Any, Any] = shell.user_ns.get("Out", {}) if shell else {}
    now = {v.claim: v.as_dict() for v in shown.values() if isinstance(v, Verdict)}
    return Table(find_chapter(find_root(), address), now)


def add_verdicts(notebook: nbformat.NotebookNode, chapter: Chapter) -> None:
    """Put every verdict of an executed notebook into its tables of recorded runs."""
    now = {v["claim"]: v for v in outputs(notebook, VERDICT)}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if MIME in output.get("data", {}):
                output.data = nbformat.from_dict(Table(chapter, now)._repr_mimebundle_())


def _words(verdict: dict[str, Any]) -> str:
    mark = MARKS[verdict["outcome"]]
    return f"{mark} {in_print(verdict['outcome'])}: {verdict['measured']}"
