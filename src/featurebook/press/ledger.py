"""The ledger: every claim of the book with what came out, as a table and for other programs."""

import html
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from featurebook.press import claims, provenance, records
from featurebook.press.entries import STATES, Entry, judged
from featurebook.press.files import outputs, read_notebook
from featurebook.press.freshness import METADATA
from featurebook.press.layout import chapters, find_root
from featurebook.verdicts import MARKS, MIME, OUTCOMES


def collect(root: Path | None = None) -> list[Entry]:
    """Every claim of the book in order, with the verdict of the executed notebook if there is one.

    Raises:
        BookError: if a claims file cannot be read.
    """
    entries: list[Entry] = []
    for chapter in chapters(root or find_root()):
        if not chapter.claims.is_file():
            continue
        file = claims.read(chapter.claims)
        verdicts, scale, device = [], "", ""
        if chapter.executed.is_file():
            notebook = read_notebook(chapter.executed)
            verdicts = outputs(notebook, MIME)
            scale = notebook.metadata.get(METADATA, {}).get("scale", "")
            facts = outputs(notebook, provenance.MIME)
            device = facts[-1].get("device", "") if facts else ""
        entries += judged(chapter.stem, file, verdicts, scale, device)
    return entries


def recorded(root: Path | None = None) -> list[Entry]:
    """The same of the recorded runs, whose scale says so; only claims that were judged in them.

    Raises:
        BookError: if a claims file or a record cannot be read.
    """
    entries: list[Entry] = []
    for chapter in chapters(root or find_root()):
        for record in records.read(chapter):
            when = f"recorded {record['started'].partition(' ')[0]}"
            if records.outdated(record, chapter):
                when += " (the code has changed)"
            entries += judged(
                chapter.stem,
                claims.read(chapter.claims),
                record["verdicts"],
                f"{record['scale']}, {when}",
                record["provenance"]["device"],
            )
    return [e for e in entries if e.scale]


def counts(entries: Sequence[Entry]) -> pd.DataFrame:
    """Number of claims by chapter (rows, and in total) and outcome (columns)."""
    tally = Counter((e.chapter, e.outcome) for e in entries)
    stems = list(dict.fromkeys(e.chapter for e in entries))
    table = pd.DataFrame([[tally[s, o] for o in STATES] for s in stems], stems, list(STATES))
    table.loc["in total"] = table.sum()
    table["claims"] = table.sum(axis=1)
    return table


def cells(entries: Sequence[Entry]) -> pd.DataFrame:
    """Every printed number that was reproduced: which it is, the paper's, ours, low, high.

    ``number`` is the table, where the label names one, or that of the claim; ``run`` is the scale.
    """
    rows = [
        {
            "chapter": e.chapter,
            "claim": e.claim.id,
            "number": "".join(re.findall(r"^Table \d+", cell["label"])) or e.claim.number,
            "run": e.scale,
            **cell,
        }
        for e in entries
        for cell in e.cells
    ]
    frame = pd.DataFrame(
        rows,
        columns=["chapter", "claim", "number", "run", "label", "paper", "ours", "low", "high",
                 "agrees"],
    )  # fmt: skip
    for name in ("paper", "ours", "low", "high"):
        frame[name] = frame[name].astype(float)
    return frame


def scores(reproduced: pd.DataFrame) -> pd.DataFrame:
    """A table's score: printed numbers, share our interval covers, median relative difference."""
    printed = reproduced.paper.where(reproduced.paper != 0)
    with_off = reproduced.assign(off=((reproduced.ours - printed) / printed).abs())
    grouped = with_off.groupby(["chapter", "number", "run"], sort=False)
    return pd.DataFrame(
        {
            "numbers": grouped.size(),
            "share covered": grouped["agrees"].mean(),
            "median relative difference": grouped["off"].median(),
        }
    ).reset_index()


class ClaimTable:
    """All claims as an HTML table that the site's script makes filterable."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries

    def __repr__(self) -> str:
        return f"{len(self.entries)} claims"

    def _repr_html_(self) -> str:
        bodies = "".join(
            f"<tbody><tr class='chapter'><th colspan='2' scope='rowgroup'>{stem}"
            f"<code>{rows[0].command}</code></th></tr>{''.join(map(self._row, rows))}</tbody>"
            for stem in dict.fromkeys(e.chapter for e in self.entries)
            if (rows := [e for e in self.entries if e.chapter == stem])
        )
        return (
            "<table class='ledger'><caption>Every claim of the book; the command beside a "
            "chapter's name checks its claims again</caption><thead><tr><th scope='col'>claim</th>"
            f"<th scope='col'>what it says, and what was measured</th></tr></thead>{bodies}</table>"
        )

    @staticmethod
    def _row(e: Entry) -> str:
        mark = f"{MARKS[e.outcome]} " if e.outcome in MARKS else ""
        verdict = f"<span class='verdict-{_word(e.outcome)} chip'>{mark}{e.outcome}</span>"
        shaken = "<br><small>rests on a refuted claim</small>" if e.shaken else ""
        said = html.escape(e.claim.text)
        if e.claim.note:
            said += f"<br><em>{html.escape(e.claim.note)}</em>"
        if e.measured:
            verdict = f"<a href='{e.check_link}'>{verdict}</a>"
            where = html.escape(f"({e.scale}, {e.device})")
            said += f"<br><small>{html.escape(e.measured)} {where}</small>"
        return (
            f"<tr data-chapter='{e.chapter}' data-kind='{e.claim.kind}' data-verdict='{e.outcome}'>"
            f"<td><a href='{e.link}'>{html.escape(e.claim.number)}</a> "
            f"<small>{e.claim.kind}</small><br>{verdict}{shaken}</td><td>{said}</td></tr>"
        )


def _word(outcome: str) -> str:
    return outcome.replace(" ", "-")


# Export


def as_json(entries: Sequence[Entry]) -> str:
    """The ledger for other programs; `SCHEMA` describes it."""
    return json.dumps(
        {
            "version": 1,
            "claims": [
                {
                    **asdict(e.claim),
                    **{k: v for k, v in asdict(e).items() if k != "claim"},
                    "link": f"notebooks/{e.link}",
                    "check": f"notebooks/{e.check_link}" if e.measured else "",
                    "command": e.command if e.measured else "",
                }
                for e in entries
            ],
        },
        indent=1,
        ensure_ascii=False,
    )


_TEXT = {"type": "string"}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "featurebook ledger",
    "type": "object",
    "required": ["version", "claims"],
    "properties": {
        "version": {"const": 1},
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "chapter", "paper", "number", "kind", "text", "outcome", "link"],
                "properties": {
                    "id": {**_TEXT, "description": "also the anchor of the theorem"},
                    "chapter": _TEXT,
                    "paper": {**_TEXT, "description": "BibTeX key"},
                    "number": {**_TEXT, "description": "as the paper prints it"},
                    "kind": {"enum": list(claims.KINDS)},
                    "text": _TEXT,
                    "expected": {"enum": [*OUTCOMES, None]},
                    "rests_on": {"type": "array", "items": _TEXT},
                    "place": _TEXT,
                    "note": _TEXT,
                    "corrects": _TEXT,
                    "outcome": {"enum": list(STATES)},
                    "measured": _TEXT,
                    "numbers": {"type": "object"},
                    "samples": {"type": "integer"},
                    "cells": {"type": "array", "items": {"type": "object"}},
                    "scale": _TEXT,
                    "device": _TEXT,
                    "shaken": {"type": "boolean", "description": "rests on a refuted claim"},
                    "link": {**_TEXT, "description": "page and anchor, from the site's root"},
                    "check": {**_TEXT, "description": "the same of the cell that checked it"},
                    "command": {**_TEXT, "description": "what runs that cell again"},
                },
                "additionalProperties": False,
            },
        },
    },
}
