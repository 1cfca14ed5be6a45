"""Recorded runs: results at sizes that are too slow to compute while a page is built."""

import html
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
from IPython import get_ipython

from featurebook.press.book import door, forms
from featurebook.press.book.files import outputs, write_json
from featurebook.press.book.places import SCALES, BookError, Chapter, find_chapter, find_root
from featurebook.press.run import experiments, parameters, provenance
from featurebook.press.run.results import Result
from featurebook.verdicts import MARKS, in_print
from featurebook.verdicts import MIME as VERDICT

MIME = "application/vnd.featurebook.records+json"
EARLIER = " (earlier code)"
"""Added to a recorded verdict whose check or experiment has changed since."""
DECIDED = "here; in the recorded run"
"""In what a verdict measured, after its own outcome: the verdict of the record follows."""


def path(chapter: Chapter, scale: str) -> Path:
    """Where the record of a scale is kept."""
    return chapter.root / "records" / chapter.part.name / f"{chapter.name}.{scale}.json"


def folder(chapter: Chapter, scale: str) -> Path:
    """Where the experiments of a record are kept."""
    return path(chapter, scale).with_suffix("")


def keep_experiments(run: experiments.Run, about: Mapping[str, Any]) -> Path:
    """Make a run the record of its scale; outcomes of further seeds are kept with their checksums.

    Args:
        about: ``scale``, ``started`` and ``resumed``; ``seeds``, if there are some.
    """
    chapter, values = run.chapter, dict(run.values)
    seeds = [values["seed"]] if "seed" in values else []
    record = {
        "chapter": chapter.address,
        "parameters": values,
        "seconds": round(run.total, 1),
        **about,
        "provenance": provenance.card(seeds, device=values.get("device", "cpu")).facts,
        **experiments.keep(run, folder(chapter, about["scale"])),
    }
    return write(chapter, record)


def write(chapter: Chapter, record: Mapping[str, Any]) -> Path:
    """Write a record to its file."""
    target = path(chapter, record["scale"])
    write_json(target, record)
    return target


def read(chapter: Chapter) -> list[Result]:
    """The records of a chapter.

    Raises:
        BookError: naming one that is damaged.
    """
    found = []
    for scale in sorted(SCALES):
        file = path(chapter, scale)
        if not file.exists():
            continue
        remedy = f"featurebook record {chapter.address} --scale {scale} records it again"
        record = door.read_json(file, forms.Record, remedy)
        if (record["chapter"], record["scale"]) != (chapter.address, scale):
            said = f"{record['chapter']} at scale {record['scale']}"
            raise BookError(f"{file}: a record of {said}: {remedy}")
        found.append(record)
    return found


def lines_on(chapter: Chapter, claim: str) -> list[str]:
    """What each recorded run of a chapter found about a claim, one line each.

    Raises:
        BookError: if a record is damaged.
    """
    found = []
    for record in read(chapter):
        scale, card = record["scale"], record["provenance"]
        words = _by_claim(chapter, record)
        if claim in words:
            place = f"{record['started'][:10]}, {card['device']}, {record['seconds']:,.0f} s"
            found.append(f"Recorded at scale {scale}: {words[claim]} ({place})")
    return found


def _by_claim(chapter: Chapter, record: Result) -> dict[str, str]:
    """A record's verdict on each claim, by today's checks where they can be called."""
    now = today(chapter, record)
    return {
        v["claim"]: _words(again) if (again := now[v["claim"]]) else _words(v) + EARLIER
        for v in record["verdicts"]
    }


def today(chapter: Chapter, record: Result) -> dict[str, dict[str, Any] | None]:
    """A record's verdicts by today's checks, as `experiments.judge_again`; cached per record."""
    return _today(chapter, record["scale"], path(chapter, record["scale"]).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _today(chapter: Chapter, scale: str, changed: int) -> dict[str, dict[str, Any] | None]:
    (record,) = [r for r in read(chapter) if r["scale"] == scale]
    return experiments.judge_again(chapter, record, folder(chapter, scale))


class Table:
    """Recorded runs beside what the notebook has just computed."""

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
        if not experiments.is_current(self.chapter.part, record):
            sentence += "; the code has changed since"
        return sentence + "."

    def rows(self, record: Result) -> list[tuple[str, str, str]]:
        """Rows of claim, measured here, recorded; only for this chapter's claims."""
        recorded = _by_claim(self.chapter, record)
        return [(c, _here(self.now[c]), said) for c, said in recorded.items() if c in self.now]

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
        safe = html.escape(name)
        code = f"<code>{safe}</code>"
        return f"<a href='#{safe}'>{code}</a>" if name in self.now else code

    def __repr__(self) -> str:
        lines = []
        for record in self.records:
            lines.append(self.about(record))
            lines += ["  " + " | ".join(row) for row in self.rows(record)]
        return "\n".join(lines) or "No run at another scale has been recorded yet."


def table(address: str) -> Table:
    """The recorded runs of a chapter, to show at the end of a notebook cell.

    "Computed here" are the verdicts that cells of this session ended with; those that were shown
    in other ways are added by `add_verdicts`.
    """
    from featurebook.verdicts import Verdict

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


def _here(verdict: dict[str, Any]) -> str:
    """The words of this session's verdict; where the record decides, only its own outcome."""
    own, decided, _ = verdict["measured"].partition(f" {DECIDED}")
    return f"{MARKS[own]} {in_print(own)}: the recorded run decides" if decided else _words(verdict)


def _words(verdict: dict[str, Any]) -> str:
    mark = MARKS[verdict["outcome"]]
    return f"{mark} {in_print(verdict['outcome'])}: {verdict['measured']}"
