"""The landing page's parts that follow from the chapters: cards, and what is new here."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import jupytext
import nbformat

from featurebook.press import errata, ledger
from featurebook.press.entries import Entry
from featurebook.press.layout import BookError, Chapter
from featurebook.verdicts import OUTCOMES

OURS = re.compile(r"\bours\b|the book's own", re.IGNORECASE)
"""What the number or the place of a claim says if no paper states it."""

MOST = 5
"""Refuted claims that the landing page names: those on which most else rests."""

_CARD = """:::{{grid-item-card}} {title}
:link: ../notebooks/{stem}
:link-type: doc
:img-top: _generated/card-{stem}.svg
:img-alt: {alt}

{text}
:::
"""


def card(chapter: Chapter) -> tuple[str, str]:
    """A chapter's card for the landing page: its picture as SVG, and MyST that shows it.

    Raises:
        BookError: if no executed cell tagged "card" has a figure.
    """
    picture, alt = _picture(chapter)
    title, text = opening(chapter)
    return picture, _CARD.format(stem=chapter.stem, title=title, alt=alt, text=text)


def opening(chapter: Chapter) -> tuple[str, str]:
    """A chapter's title and the first sentence of its answer, without roles."""
    cells = jupytext.read(chapter.notebook).cells
    text = next(c.source for c in cells if c.source.startswith("# "))
    head, _, rest = text.partition("\n")
    paragraph = " ".join(rest.strip().split("\n\n")[0].split())
    plain = re.sub(r"\{[\w:]+\}`([^`]*)`", r"\1", paragraph)
    return head[2:].strip(), re.split(r"(?<=[.?!]) ", plain)[0]


def _picture(chapter: Chapter) -> tuple[str, str]:
    for cell in nbformat.read(chapter.executed, as_version=4).cells:
        if "card" in cell.metadata.get("tags", []):
            for output in cell.outputs:
                if picture := output.get("data", {}).get("image/svg+xml"):
                    return picture, cell.metadata["mystnb"]["image"]["alt"]
    raise BookError(f"{chapter.stem}: no figure in a cell tagged 'card', for the landing page")


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
    own = [e for e in judged if ours(e)]
    numbers = ledger.cells(entries)
    lines = [
        f"The book makes {len(entries)} statements and judges {len(judged)} of them by running",
        f"something: {_words(tally)}.",
        "",
        f"**{len(found)} statements do not hold as printed.** Each has an executed counterexample",
        "(a misprint, what it contradicts), and beside it a corrected statement that was checked",
        "too. All of them, with how certain each is: {doc}`errata/index`. Those on which most else",
        "rests:",
        "",
        *(_refuted(x, names[x.entry.chapter]) for x in found[:MOST]),
        "",
        f"**{len(empty)} are true and say nothing** at any size that can be run:",
        "",
        *(
            f"- {names[stem]}: {', '.join(_reference(e) for e in empty if e.chapter == stem)}"
            for stem in dict.fromkeys(e.chapter for e in empty)
        ),
        "",
        f"**{len(own)} findings of our own** that none of the papers states:",
        "",
        *(f"- {names[e.chapter]}, {_reference(e)}: {_sentence(e.claim.text)}" for e in own),
        "",
        f"**{len(numbers)} printed numbers were computed again**;"
        f" {int(numbers.agrees.astype(bool).sum())} lie in our interval."
        " {ref}`ledger-numbers` shows each, and the worst.",
        "",
    ]
    return "\n".join(lines)


def _refuted(erratum: errata.Erratum, name: str) -> str:
    e, resting = erratum.entry, _resting(erratum)
    others = f"{resting} other{'' if resting == 1 else 's'} rest{'s' if resting == 1 else ''} on it"
    why = f" {errata.plain(e.claim.note)}" if e.claim.note else ""
    return f"- {name}, {_reference(e)}: {_sentence(e.claim.text)} *Refuted*; {others}.{why}"


def _resting(erratum: errata.Erratum) -> int:
    return len((*erratum.direct, *erratum.further))


def _reference(entry: Entry) -> str:
    return f"{{prf:ref}}`{entry.claim.id}`"


def ours(entry: Entry) -> bool:
    """Whether the book says it first; corrections of what a paper prints do not count."""
    claim = entry.claim
    said = f"{claim.number} {claim.place}"
    return claim.kind != "corrected" and OURS.search(said) is not None


def _words(tally: Counter[str]) -> str:
    return ", ".join(f"{tally[o]} {_OUTCOME[o]}" for o in OUTCOMES if tally[o])


_OUTCOME = {
    "holds": "hold",
    "refuted": "are refuted",
    "vacuous": "are vacuous",
    "trend": "show the trend",
    "inconclusive": "stay inconclusive",
}


def _sentence(text: str) -> str:
    return errata.plain(text if text.endswith((".", "?", "!")) else f"{text}.")
