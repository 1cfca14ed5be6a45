"""The landing page's parts that follow from the chapters: cards, and what is new here."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import jupytext
import nbformat
from pybtex.database import parse_file

from featurebook.press.book.places import BookError, Chapter, Part
from featurebook.press.claims import errata, ledger
from featurebook.press.claims.formulas import as_myst
from featurebook.press.claims.judgements import Entry
from featurebook.verdicts import MARKS, OUTCOMES

MOST = 5
"""Refuted claims that the landing page shows: those on which most else rests."""
PACE = 180
"""Words of mathematics that one reads in a minute."""

_CARD = """:::{{grid-item-card}} {title}
:link: ../notebooks/{part}/story
:link-type: doc
:img-top: _generated/card-{part}.svg
:img-alt: {alt}

*{paper}*

{text}

{{bdg-light}}`{minutes} min` {counts}
:::
"""


def card(part: Part, entries: Sequence[Entry]) -> tuple[str, str]:
    """A part's card for the landing page: its picture as SVG, and MyST that shows it.

    Args:
        entries: the part's claims.

    Raises:
        BookError: if no executed cell of the part tagged "card" has a figure.
    """
    picture, alt = _picture(part)
    title, text = opening(part.chapters[0])
    tally = Counter(e.outcome for e in entries)
    counts = " · ".join(f"{MARKS[o]} {tally[o]} {o}" for o in OUTCOMES if tally[o])
    return picture, _CARD.format(
        part=part.name, title=title, alt=" ".join(alt.split()), text=text, counts=counts,
        paper=paper(part, entries[0].paper), minutes=minutes(part.chapters[0]),
    )  # fmt: skip


def opening(chapter: Chapter) -> tuple[str, str]:
    """A chapter's title and its answer in a sentence, a question with what follows it.

    The answer is the paragraph before "What to take away", or the first one.
    """
    cells = jupytext.read(chapter.notebook).cells
    text = next(c.source for c in cells if c.source.startswith("# "))
    head, _, rest = text.partition("\n")
    before = rest.partition("**What to take away")[0] if "**What to take away" in rest else ""
    paragraphs = (before or rest).strip().split("\n\n")
    answer = " ".join(paragraphs[-1 if before.strip() else 0].split())
    works = chapter.root / "book" / "references.bib"
    answer = re.sub(r"\{cite[:\w]*\}`([^`]*)`", lambda m: authors(works, m[1]), answer)
    plain = re.sub(r"\{[\w:]+\}`([^`]*)`", r"\1", answer)
    first, *others = re.split(r"(?<=[.?!]) ", plain)
    return head[2:].strip(), " ".join([first, *others[: first.endswith("?")]])


def paper(part: Part, key: str) -> str:
    """Who wrote a part's paper, and where it appeared, as far as the list of works says."""
    file = part.root / "book" / "references.bib"
    works = parse_file(str(file)).entries
    fields = works[key].fields if key in works else {}
    where = next((fields[k] for k in ("booktitle", "journal", "school") if k in fields), "")
    where = re.sub(r"[{}]", "", where).replace("--", "–")
    return ", ".join(x for x in (authors(file, key), where, fields.get("year", "")) if x)


def authors(file: Path, key: str) -> str:
    """The surnames of a work's authors; its key if the list of works lacks it."""
    works = parse_file(str(file)).entries if file.is_file() else {}
    if key not in works:
        return key
    names = [" ".join(p.last_names) for p in works[key].persons.get("author", [])]
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


def minutes(chapter: Chapter) -> int:
    """How long it takes to read a chapter without its code."""
    cells = [c.source for c in jupytext.read(chapter.notebook).cells if c.cell_type == "markdown"]
    return max(1, round(sum(len(text.split()) for text in cells) / PACE))


def _picture(part: Part) -> tuple[str, str]:
    for chapter in part.chapters:
        for cell in nbformat.read(chapter.executed, as_version=4).cells:
            if "card" in cell.metadata.get("tags", []):
                for output in cell.outputs:
                    if picture := output.get("data", {}).get("image/svg+xml"):
                        return picture, cell.metadata["mystnb"]["image"]["alt"]
    raise BookError(f"{part.name}: no figure in a cell tagged 'card', for the landing page")


def cards(made: Sequence[str]) -> str:
    """All cards in a grid."""
    return "::::{grid} 1 1 2 2\n:gutter: 3\n\n" + "\n".join(made) + "\n::::\n"


def whats_new(entries: Sequence[Entry], names: Mapping[str, str]) -> str:
    """What the book found that the papers do not say, as MyST; every number is counted here.

    Args:
        names: a short name for each chapter.
    """
    tally = Counter(e.outcome for e in entries)
    judged = [e for e in entries if e.outcome in OUTCOMES]
    found = sorted(errata.find(entries), key=lambda x: -_resting(x))
    empty = [e for e in entries if e.outcome == "vacuous"]
    own = [e for e in judged if e.claim.ours]
    looked = sum(bool(e.claim.first_look) for e in entries)
    numbers = ledger.cells(entries)
    lines = [
        f"The book makes {len(entries)} statements and judges {len(judged)} of them by running",
        f"something: {_words(tally)}.",
        f"{_many(looked, 'claim')} or its check changed after a first look; each says how.",
        "",
        f"**{len(found)} of them {'does' if len(found) == 1 else 'do'} not hold as printed.**",
        "Each has an executed counterexample (a misprint, what it contradicts), and beside it a",
        "corrected statement that was checked too. These are the ones on which most else rests;",
        "all are in {doc}`errata/index`, with how certain each is.",
        "",
        *(_refuted(x, names[x.entry.part]) for x in found[:MOST]),
        "",
        f"Also: {_many(len(own), 'finding')} of our own that no paper states, and",
        f"{_many(len(empty), 'bound')} that say nothing at any size that can be run",
        "({ref}`ledger-claims` lists them). Of "
        f"{_many(len(numbers), 'printed number')} computed again,",
        f"{int(numbers.agrees.astype(bool).sum())} lie in our interval ({{ref}}`ledger-numbers`).",
        "",
    ]
    return "\n".join(lines)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _refuted(erratum: errata.Erratum, name: str) -> str:
    e, resting = erratum.entry, _resting(erratum)
    rests = (
        f"; {resting} other{'' if resting == 1 else 's'} rest{'s' if resting == 1 else ''} on it"
    )
    others = rests if resting else ""
    why = f" {as_myst(e.claim.note)}" if e.claim.note else ""
    return f"- {name}, {_reference(e)}: {_sentence(e.claim.text)} *Refuted*{others}.{why}"


def _resting(erratum: errata.Erratum) -> int:
    return len((*erratum.direct, *erratum.further))


def _reference(entry: Entry) -> str:
    return f"{{prf:ref}}`{entry.claim.id}`"


def _words(tally: Counter[str]) -> str:
    return ", ".join(f"{tally[o]} {_OUTCOME[o][tally[o] == 1]}" for o in OUTCOMES if tally[o])


_OUTCOME = {
    "holds": ("hold", "holds"),
    "refuted": ("are refuted", "is refuted"),
    "vacuous": ("are vacuous", "is vacuous"),
    "trend": ("show the trend", "shows the trend"),
    "inconclusive": ("stay inconclusive", "stays inconclusive"),
}


def _sentence(text: str) -> str:
    return as_myst(text if text.endswith((".", "?", "!")) else f"{text}.")
