"""Claims with what came out: what tables, graphs and errata are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

from featurebook.press import claims
from featurebook.press.claims import Claim, ClaimsFile
from featurebook.press.layout import Chapter
from featurebook.verdicts import COLOURS, OUTCOMES

NOT_RUN, STATED = "not run", "stated"
STATES = (*OUTCOMES, NOT_RUN, STATED)
PALETTE = {**{str(k): v for k, v in COLOURS.items()}, NOT_RUN: "#9ca3af", STATED: "#4b5563"}
"""A colour for each state."""


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


def judged(
    stem: str, file: ClaimsFile, verdicts: Sequence[dict[str, Any]], scale: str, device: str
) -> list[Entry]:
    """A chapter's claims in order with their verdicts, where there are any.

    Args:
        stem: the chapter's.
        file: its claims.
        verdicts: as `Verdict.as_dict` gives them.
        scale, device: of the run that they come from.
    """
    by_claim = {v["claim"]: v for v in verdicts}
    shaken = shaken_claims(file.claims)
    entries = []
    for claim in file.claims:
        verdict = by_claim.get(claim.id, {})
        none = STATED if claim.expected is None else NOT_RUN
        entries.append(
            Entry(
                stem,
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


def expected(chapter: Chapter) -> list[Entry]:
    """A chapter's claims as they are expected to come out, before it is run.

    Raises:
        BookError: if its claims file cannot be read.
    """
    file = claims.read(chapter.claims)
    outcomes = [{"claim": c.id, "outcome": c.expected} for c in file.claims if c.expected]
    return judged(chapter.stem, file, outcomes, "", "")


def shaken_claims(found: Sequence[Claim]) -> set[str]:
    """What rests on a claim expected refuted, other than the refuted claims themselves."""
    graph = nx.DiGraph((c.id, name) for c in found for name in c.rests_on)
    graph.add_nodes_from(c.id for c in found)
    refuted = {c.id for c in found if c.expected == "refuted"}
    return {c.id for c in found if refuted & nx.descendants(graph, c.id)} - refuted
