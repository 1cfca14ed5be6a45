"""Errata: what does not hold as printed, how certain that is, what depends on it, BibTeX."""

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

from featurebook.press.claims import citing
from featurebook.press.claims.formulas import as_myst, plain, scripts_as_myst
from featurebook.press.claims.judgements import MISPRINT, Entry
from featurebook.press.run.figure_data import as_text
from featurebook.verdicts import in_print

ROUNDING = 1e-6
"""Relative; a smaller failure could be due to rounding."""

CERTAINTY = {
    "decided": "it fails in an instance that meets the printed assumptions, and rounding is ruled "
    "out: by exact arithmetic, computer algebra or ball arithmetic",
    "computed": "we computed an instance that meets the printed assumptions and in which the "
    "statement fails by more than rounding explains",
    "close": "it fails in the instances that we computed, but so narrowly that rounding may matter",
    "counted": "the statement bounds a probability; we counted events, and the exact 99% interval "
    "lies on the wrong side, which happens to a true statement at most once in a hundred times",
    "misprint": "the printed formula contradicts the paper's own definition or another passage; "
    "we may not know which of the two is meant",
}
"""How certain an erratum is, depending on what was run."""


@dataclass(frozen=True)
class Erratum:
    """A refuted claim, its corrections, and what depends on it.

    Attributes:
        direct, further: claims whose proofs use it, themselves or through others.
    """

    entry: Entry
    corrections: tuple[Entry, ...]
    direct: tuple[Entry, ...]
    further: tuple[Entry, ...]

    @property
    def certainty(self) -> str:
        """A key of `CERTAINTY`, from the numbers of the verdict, or from the kind of claim."""
        if self.entry.state == MISPRINT:
            return MISPRINT
        if self.entry.certificate:
            return "decided"
        refuting = [_kind(part) for part in _refuting_parts(self.entry)]
        return min(refuting, key=list(CERTAINTY).index)  # one certain part suffices


def find(entries: Sequence[Entry]) -> list[Erratum]:
    """Each refuted claim of the book, in order."""
    graph = nx.DiGraph((e.claim.id, name) for e in entries for name in e.claim.rests_on)
    graph.add_nodes_from(e.claim.id for e in entries)
    found = []
    for e in entries:
        if e.outcome == "refuted":
            resting = nx.ancestors(graph, e.claim.id)
            direct = tuple(o for o in entries if e.claim.id in o.claim.rests_on)
            further = tuple(o for o in entries if o.claim.id in resting and o not in direct)
            corrections = tuple(c for c in entries if c.claim.corrects == e.claim.id)
            found.append(Erratum(e, corrections, direct, further))
    return found


def apart(found: Sequence[Erratum]) -> tuple[list[Erratum], list[Erratum]]:
    """Errors and misprints, which are counted and listed separately."""
    errors = [x for x in found if x.entry.state != MISPRINT]
    return errors, [x for x in found if x.entry.state == MISPRINT]


def _refuting_parts(entry: Entry) -> list[Mapping[str, float]]:
    """The numbers of a verdict, or of those of its parts that refuted it."""
    parts = [part["numbers"] for part in entry.parts if part["outcome"] == "refuted"]
    return parts or [entry.numbers]


def _kind(numbers: Mapping[str, float]) -> str:
    if {"successes", "low", "high"} <= set(numbers):
        return "counted"
    if "smaller_at_worst" in numbers:
        a, b = float(numbers["smaller_at_worst"]), float(numbers["larger_at_worst"])
        finite = math.isfinite(a) and math.isfinite(b)
        return "close" if finite and a - b <= ROUNDING * max(abs(a), abs(b)) else "computed"
    if "largest_difference" in numbers:
        return "computed" if float(numbers["largest_difference"]) > ROUNDING else "close"
    return "computed"  # a property that is true or false of an instance


# Pages


def page(entries: Sequence[Entry], title: str) -> str:
    """One part's errata as a MyST page of ``book/errata/``."""
    stem, paper = entries[0].part, entries[0].paper
    found = find(entries)
    kinds = {x.certainty for x in found}
    lines = [
        f"# Errata: {title}",
        "",
        f"What did not hold as printed in {{cite:t}}`{paper}`. We list a statement only if we",
        "computed a counterexample that satisfies every printed assumption, read charitably; for",
        "a misprint we cite the passage it contradicts. Each has a correction that we checked too.",
        "If you think that we misread one, please tell us.",
        "",
    ]
    if found:
        lines += [
            f"To cite: <a href='../../errata/{stem}.bib'>{stem}.bib</a> has an entry for each;",
            "<a href='../../errata.csv'>errata.csv</a> lists those of the whole book. The command",
            f"`featurebook check {stem}` recomputes every counterexample. How certain each is:",
            "",
            *(f"- *{k}*: {said}" for k, said in CERTAINTY.items() if k in kinds),
            "",
        ]
    errors, misprints = apart(found)
    for erratum in errors:
        lines += _section(erratum)
    if misprints:
        lines += ["## Misprints", "", "Formulas and numbers that another passage of the paper"]
        lines += ["prints differently; they are not counted as errors.", ""]
    for erratum in misprints:
        lines += _section(erratum, "###")
    if not found:
        lines += ["None.", ""]
    notes = [e for e in entries if e.claim.note and e.outcome not in ("refuted", "our text")]
    if notes:
        lines += [
            "## Slips and readings",
            "",
            "Misprints that change no result, and how we read what is ambiguous. No computation",
            "refutes these; they are less certain than the errata above.",
            "",
            *(f"- {{prf:ref}}`{e.claim.id}`: {as_myst(e.claim.note)}" for e in notes),
            "",
        ]
    return "\n".join(lines)


def _section(erratum: Erratum, heading: str = "##") -> list[str]:
    e = erratum.entry
    place = f" ({as_myst(e.claim.place)})" if e.claim.place else ""
    lines = [
        f"(erratum-{e.claim.id})=",
        f"{heading} {as_myst(e.claim.number)}",
        "",
        f"**Printed**{place}, {{prf:ref}}`{e.claim.id}`: {as_myst(e.claim.text)}",
        "",
        f"**Why it does not hold**: {as_myst(e.claim.note)}",
        f"<a href='../../{e.check_page}'>The executed counterexample</a>:",
        f"{scripts_as_myst(e.measured)}.",
        "",
    ]
    for c in erratum.corrections:
        lines += [
            f"**Corrected**, {{prf:ref}}`{c.claim.id}` ({in_print(c.outcome)}): "
            f"{as_myst(c.claim.text)}",
            f"Checked: {scripts_as_myst(c.measured) or 'not run'}.",
            "",
        ]
    seeds = f"; {e.tally.words(e.outcome)}" if e.tally else ""
    rests = _listed(erratum.direct)
    if erratum.further:
        rests += f"; through these {_listed(erratum.further)}"
    return [
        *lines,
        f"**How certain**: {erratum.certainty}{seeds}. "
        + (f"**Depends on it**: {rests}." if rests else "Nothing else in the paper depends on it."),
        "",
    ]


def _listed(entries: Sequence[Entry]) -> str:
    return ", ".join(f"{{prf:ref}}`{e.claim.id}` ({in_print(e.outcome)})" for e in entries)


# Export


def as_csv(entries: Sequence[Entry]) -> str:
    """All errata as CSV, one per row: place, what is printed, why it fails, the correction."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for erratum in find(entries):
        writer.writerow([as_text(value(erratum)) for value in COLUMNS.values()])
    return out.getvalue()


COLUMNS: dict[str, Callable[[Erratum], str]] = {
    "id": lambda x: x.entry.claim.id,
    "chapter": lambda x: x.entry.chapter,
    "paper": lambda x: x.entry.paper,
    "number": lambda x: x.entry.claim.number,
    "place": lambda x: plain(x.entry.claim.place),
    "printed": lambda x: plain(x.entry.claim.text),
    "why": lambda x: plain(x.entry.claim.note),
    "measured": lambda x: x.entry.measured,
    "certainty": lambda x: x.certainty,
    "corrected": lambda x: " ".join(plain(c.claim.text) for c in x.corrections),
    "checked": lambda x: " ".join(f"{in_print(c.outcome)}: {c.measured}" for c in x.corrections),
    "rests on it": lambda x: "; ".join(o.claim.number for o in (*x.direct, *x.further)),
    "counterexample": lambda x: x.entry.own_page,
    "command": lambda x: x.entry.command,
}


def as_bibtex(entries: Sequence[Entry], root: Path) -> str:
    """One ``@misc`` per erratum; its note has the printed text, why it fails, and the correction.

    Paper and authors are those of ``book/references.bib``, ours those of ``CITATION.cff``.
    """
    papers, book = citing.works(root), citing.about_book(root)
    return "\n".join(_bibtex(x, papers[x.entry.paper], book) for x in find(entries))


def _bibtex(erratum: Erratum, paper: citing.Work, book: Mapping[str, object]) -> str:
    e, title, tex = erratum.entry, book["short"], citing.tex
    corrected = " ".join(plain(c.claim.text) for c in erratum.corrections)
    note = (
        f"{plain(e.claim.place)}. Printed: {plain(e.claim.text)} "
        f"Why it does not hold: {plain(e.claim.note)} "
        f"Executed counterexample: {e.measured} ({title}, {e.own_page}). "
        f"Corrected: {corrected} Certainty: {erratum.certainty}."
    )
    whose = f"{tex(citing.shortly(paper))}, ``{paper.fields['title']}''"
    return citing.misc(
        e.claim.id,
        book,
        title=f"{{Erratum to {tex(e.claim.number)} of {whose}}}",
        howpublished=tex(f"{title}, {e.claim.id}"),
        note=tex(note),
    )
