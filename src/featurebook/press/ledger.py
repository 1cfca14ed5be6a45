"""The ledger: every claim of the book with what came out, as a table and for other programs."""

import html
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd

from featurebook.press import claims, provenance
from featurebook.press.claims import Claim
from featurebook.press.files import outputs, read_notebook
from featurebook.press.freshness import METADATA
from featurebook.press.layout import chapters, find_root
from featurebook.verdicts import COLOURS, MARKS, MIME, OUTCOMES

NOT_RUN, STATED = "not run", "stated"
STATES = (*OUTCOMES, NOT_RUN, STATED)


@dataclass(frozen=True)
class Entry:
    """One claim and what came out.

    Attributes:
        chapter: its stem.
        paper: key in ``references.bib``.
        claim: what is claimed.
        outcome: one of `STATES`: a verdict's outcome, "not run", or "stated" for what needs none.
        measured, numbers, samples, cells: the verdict's, empty where there is none.
        scale, device: where it was computed.
        shaken: whether its proof rests, directly or not, on a refuted claim that it needs.
    """

    chapter: str
    paper: str
    claim: Claim
    outcome: str
    measured: str
    numbers: dict[str, Any]
    samples: int
    cells: list[dict[str, Any]]
    scale: str
    device: str
    shaken: bool

    @property
    def link(self) -> str:
        """The theorem's place, from a page beside the chapters."""
        return f"{self.chapter}.html#{self.claim.id}"

    @property
    def check_link(self) -> str:
        """The place of the cell's verdict."""
        return f"{self.chapter}.html#verdict-{self.claim.id}"

    @property
    def command(self) -> str:
        """What one types to check it again, as this site does, and see what comes out."""
        return f"featurebook run {self.chapter} -o again.ipynb"


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
        verdicts, scale, device = {}, "", ""
        if chapter.executed.is_file():
            notebook = read_notebook(chapter.executed)
            verdicts = {v["claim"]: v for v in outputs(notebook, MIME)}
            scale = notebook.metadata.get(METADATA, {}).get("scale", "")
            facts = outputs(notebook, provenance.MIME)
            device = facts[-1].get("device", "") if facts else ""
        shaken = _shaken(file.claims)
        for claim in file.claims:
            verdict = verdicts.get(claim.id, {})
            none = STATED if claim.expected is None else NOT_RUN
            entries.append(
                Entry(
                    chapter.stem,
                    file.paper,
                    claim,
                    verdict.get("outcome", none),
                    verdict.get("measured", ""),
                    verdict.get("numbers", {}),
                    verdict.get("samples", 0),
                    verdict.get("cells", []),
                    scale if verdict else "",
                    device if verdict else "",
                    claim.id in shaken,
                )
            )
    return entries


def _shaken(found: Sequence[Claim]) -> set[str]:
    """What rests on a claim expected refuted, other than the refuted claims themselves."""
    graph = nx.DiGraph((c.id, name) for c in found for name in c.rests_on)
    graph.add_nodes_from(c.id for c in found)
    refuted = {c.id for c in found if c.expected == "refuted"}
    return {c.id for c in found if refuted & nx.descendants(graph, c.id)} - refuted


def counts(entries: Sequence[Entry]) -> pd.DataFrame:
    """Number of claims by chapter (rows, and in total) and outcome (columns)."""
    tally = Counter((e.chapter, e.outcome) for e in entries)
    stems = list(dict.fromkeys(e.chapter for e in entries))
    table = pd.DataFrame([[tally[s, o] for o in STATES] for s in stems], stems, list(STATES))
    table.loc["in total"] = table.sum()
    table["claims"] = table.sum(axis=1)
    return table


def cells(entries: Sequence[Entry]) -> pd.DataFrame:
    """Every printed number that was reproduced: chapter, claim, label, paper, ours, low, high."""
    rows = [
        {"chapter": e.chapter, "claim": e.claim.id, "number": e.claim.number, **cell}
        for e in entries
        for cell in e.cells
    ]
    frame = pd.DataFrame(
        rows,
        columns=["chapter", "claim", "number", "label", "paper", "ours", "low", "high", "agrees"],
    )
    for name in ("paper", "ours", "low", "high"):
        frame[name] = frame[name].astype(float)
    return frame


def scores(reproduced: pd.DataFrame) -> pd.DataFrame:
    """A table's score: printed numbers, share our interval covers, median relative difference."""
    printed = reproduced.paper.where(reproduced.paper != 0)
    with_off = reproduced.assign(off=((reproduced.ours - printed) / printed).abs())
    grouped = with_off.groupby(["chapter", "number"], sort=False)
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
        head = ("chapter", "claim", "verdict", "what it says, and what was measured")
        rows = "".join(self._row(e) for e in self.entries)
        names = "".join(f"<th scope='col'>{name}</th>" for name in head)
        return (
            "<table class='ledger'><caption>Every claim of the book</caption>"
            f"<thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table>"
        )

    @staticmethod
    def _row(e: Entry) -> str:
        mark = f"{MARKS[e.outcome]} " if e.outcome in MARKS else ""
        verdict = f"<span class='verdict-{_word(e.outcome)} chip'>{mark}{e.outcome}</span>"
        shaken = " <small>rests on a refuted claim</small>" if e.shaken else ""
        said = html.escape(e.claim.text)
        if e.claim.note:
            said += f"<br><em>{html.escape(e.claim.note)}</em>"
        if e.measured:
            verdict = f"<a href='{e.check_link}'>{verdict}</a>"
            where = f"{e.scale}, {html.escape(e.device)}: <code>{e.command}</code>"
            said += f"<br><small>{html.escape(e.measured)}</small><br><small>{where}</small>"
        return (
            f"<tr data-chapter='{e.chapter}' data-kind='{e.claim.kind}' data-verdict='{e.outcome}'>"
            f"<td>{e.chapter.replace('_', '_<wbr>')}</td>"
            f"<td><a href='{e.link}'>{html.escape(e.claim.number)}</a> "
            f"<small>{e.claim.kind}</small></td><td>{verdict}{shaken}</td><td>{said}</td></tr>"
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


def palette() -> dict[str, str]:
    """A colour for each state."""
    return {**{str(k): v for k, v in COLOURS.items()}, NOT_RUN: "#9ca3af", STATED: "#4b5563"}
