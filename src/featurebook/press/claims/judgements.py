"""Claims with their verdicts, from which tables, graphs and errata are made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import networkx as nx

from featurebook.press.book.places import STORY, Chapter, Part
from featurebook.press.claims import statements
from featurebook.press.claims.statements import Claim, ClaimsFile
from featurebook.press.run.tallies import Tally
from featurebook.verdicts import COLOURS, OUTCOMES

NOT_RUN, STATED, MISPRINT = "not run", "stated", "misprint"
STATES = ("holds", "refuted", MISPRINT, *OUTCOMES[2:], NOT_RUN, STATED)
"""What is counted: outcomes, with misprints counted separately, and claims without one."""
PALETTE: dict[str, str] = {state: COLOURS.get(state, "") for state in STATES} | {  # type: ignore[call-overload]
    MISPRINT: "#7f1d1d",
    NOT_RUN: "#9ca3af",
    STATED: "#4b5563",
}
"""A colour for each state."""


@dataclass(frozen=True)
class Entry:
    """One claim and its verdict.

    Attributes:
        chapter: the address of its chapter, ``PART/CHAPTER``.
        paper: key in ``references.bib``.
        claim: what is claimed.
        outcome: a verdict's outcome, "not run", or "stated" for what needs none.
        measured, numbers, samples, cells, parts, reason: the verdict's; empty without one.
        scale, device: where it was computed.
        shaken: whether its proof rests, directly or not, on a refuted claim that it needs.
        certificate: what makes it certain, as `featurebook.verdicts.MEANING` explains.
        tally: its verdicts with other seeds, if recorded.
        attack: the search for a counterexample, as in the verdict; empty without one.
        source: its check, if that is a function that can be called by itself.
        instance: the deciding instance, as in the verdict; empty without one.
    """

    chapter: str
    paper: str
    claim: Claim
    outcome: str
    measured: str = ""
    numbers: dict[str, Any] = field(default_factory=dict)
    samples: int = 0
    cells: list[dict[str, Any]] = field(default_factory=list)
    parts: list[dict[str, Any]] = field(default_factory=list)
    reason: str = ""
    scale: str = ""
    device: str = ""
    shaken: bool = False
    certificate: str = ""
    tally: Tally | None = None
    attack: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    instance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """How it is counted, one of `STATES`: misprints are not errors."""
        misprint = self.outcome == "refuted" and self.claim.kind == MISPRINT
        return MISPRINT if misprint else self.outcome

    @property
    def part(self) -> str:
        """The part that makes the claim."""
        return self.chapter.partition("/")[0]

    @property
    def page(self) -> str:
        """The theorem's place, from the site's root."""
        return f"notebooks/{self.chapter}.html#{self.claim.id}"

    @property
    def check_page(self) -> str:
        """The place of its verdict, from the site's root."""
        return f"notebooks/{self.chapter}.html#verdict-{self.claim.id}"

    @property
    def own_page(self) -> str:
        """The claim's page, from the site's root."""
        return f"claims/{self.claim.id}.html"

    @property
    def link(self) -> str:
        """The theorem's place, from the page of any chapter."""
        return f"../{self.chapter}.html#{self.claim.id}"

    @property
    def command(self) -> str:
        """The command that repeats its check and shows the verdict."""
        if self.source:
            return f"featurebook check {self.claim.id}"
        return f"featurebook run {self.chapter} -o again.ipynb"


def judged(
    file: ClaimsFile,
    homes: Mapping[str, Chapter],
    verdicts: Sequence[Mapping[str, Any]],
    part: Part,
) -> list[Entry]:
    """A part's claims in order, with their verdicts if they have any.

    Args:
        file: its claims.
        homes: the chapter of each claim; the story if that is not known.
        verdicts: as `Verdict.as_dict` gives them; with "scale" and "device" of their run and the
            "tally" of their seeds, if known.
        part: whose claims they are.
    """
    told = {f.name for f in fields(Entry)} - {"chapter", "paper", "claim", "shaken"}
    by_claim = {v["claim"]: {k: x for k, x in v.items() if k in told} for v in verdicts}
    shaken = shaken_claims(file.claims)
    entries = []
    for claim in file.claims:
        none = {"outcome": STATED if claim.expected is None else NOT_RUN}
        home = homes.get(claim.id, Chapter(part, STORY)).address
        verdict = by_claim.get(claim.id, none)
        entries.append(Entry(home, file.paper, claim, shaken=claim.id in shaken, **verdict))
    return entries


def expected(part: Part) -> list[Entry]:
    """A part's claims with their expected verdicts, before it is run.

    Raises:
        BookError: if its claims file cannot be read.
    """
    file = statements.read(part.claims)
    outcomes = [{"claim": c.id, "outcome": c.expected} for c in file.claims if c.expected]
    return judged(file, statements.homes(part), outcomes, part)


def shaken_claims(found: Sequence[Claim]) -> set[str]:
    """The claims that rest on one expected to be refuted, without the refuted ones themselves."""
    graph = nx.DiGraph((c.id, name) for c in found for name in c.rests_on)
    graph.add_nodes_from(c.id for c in found)
    refuted = {c.id for c in found if c.expected == "refuted"}
    return {c.id for c in found if refuted & nx.descendants(graph, c.id)} - refuted
