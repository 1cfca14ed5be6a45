"""The landing page's parts that follow from the chapters: counts, verdicts, cards, findings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from featurebook.press.book.files import read_notebook, read_source
from featurebook.press.book.places import BookError, Chapter, Part, papers
from featurebook.press.claims import citing, errata, grades, ledger
from featurebook.press.claims.formulas import as_myst
from featurebook.press.claims.grades import Grade
from featurebook.press.claims.judgements import MISPRINT, Entry
from featurebook.press.site import background
from featurebook.press.site.publish import Home
from featurebook.verdicts import MARKS, MEANING, OUTCOMES, in_print

MOST = 5
"""Refuted claims that the landing page shows: those that most other results depend on."""
PACE = 180
"""Reading speed for mathematics, in words per minute."""

_CARD = """:::{{grid-item-card}} {number}. {title}
:link: ../notebooks/{part}/story
:link-type: doc
:img-top: _generated/card-{part}.svg
:img-alt: {alt}

*{paper}*

{finding}

{{bdg-light}}`{minutes} min` {counts}{experiments}
:::
"""


def in_short(entries: Sequence[Entry], graded: Sequence[Grade]) -> str:
    """What the book contains and what it found, counted, as MyST."""
    judged = [e for e in entries if e.outcome in OUTCOMES and e.outcome != "our text"]
    errors, misprints = errata.apart(errata.find(entries))
    corrected = sum(any(c.outcome == "holds" for c in x.corrections) for x in errors)
    return (
        f"Of {len(entries):,} statements, we tested {len(judged):,} by running code. "
        f"**{len(errors)} do not hold as printed**; for {corrected} of them we found a "
        f"corrected statement that holds. {len(misprints)} more are misprints.\n"
        + (_experiments(graded) if graded else "")
    )


def _experiments(graded: Sequence[Grade]) -> str:
    """How many printed figures and tables were reproduced as printed, as MyST."""
    return (
        f"\nThe papers report experiments in {len(graded)} figures and tables. Run at the printed "
        f"sizes: {', '.join(grades.in_words(graded))}. {{doc}}`One page shows each of them beside "
        "ours <../beside/index>`, and what the open ones lack.\n"
    )


def verdicts() -> str:
    """What each outcome means, as a table in MyST, in the words of `featurebook.verdicts`."""
    rows = "".join(
        f"| {MARKS[o]}\N{NO-BREAK SPACE}**{in_print(o)}** | {MEANING[o]} |\n" for o in OUTCOMES
    )
    return f"| verdict | means |\n| --- | --- |\n{rows}"


def card(part: Part, entries: Sequence[Entry], graded: Sequence[Grade]) -> tuple[str, str]:
    """A part's card for the landing page: its picture as SVG, and MyST that shows it.

    Args:
        entries: the part's claims.
        graded: its figures and tables.

    Raises:
        BookError: if no executed cell of the part tagged "card" has a figure.
    """
    picture, alt = _picture(part)
    tally = Counter(e.state for e in entries if not e.claim.is_experiment)
    counted = [f"{MARKS[o]} {tally[o]} {in_print(o)}" for o in OUTCOMES if tally[o]]
    counts = " · ".join(counted + [_many(n, MISPRINT) for n in [tally[MISPRINT]] if n])
    words = " · ".join(grades.in_words(graded))
    return picture, _CARD.format(
        part=part.name,
        number=number(part),
        title=part.chapters[0].title,
        alt=" ".join(alt.split()),
        finding=background.of_part(part).finding,
        counts=counts,
        paper=paper(part),
        minutes=minutes(part.chapters[0]),
        experiments=f"\n\nFigures and tables: {words}" if graded else "",
    )


def number(part: Part) -> int:
    """Its number in the book, from 1, by which its figures are numbered."""
    return [p.name for p in papers(part.root)].index(part.name) + 1


def paper(part: Part) -> str:
    """Authors, venue and year of a part's paper, as far as they are known."""
    about, known = background.of_part(part), citing.works(part.root)
    of_works = []
    for key in about.works:
        if key not in known:
            raise BookError(f"{part.claims}: works names {key}, not in references.bib")
        work = known[key]
        parts = (citing.listed(citing.surnames(work)), citing.venue(work), work.fields.get("year"))
        of_works.append(", ".join(x for x in parts if x))
    return "; ".join([*of_works, *filter(None, [about.place])])


def minutes(chapter: Chapter) -> int:
    """How long it takes to read a chapter without its code."""
    cells = [c.source for c in read_source(chapter.notebook).cells if c.cell_type == "markdown"]
    return max(1, round(sum(len(text.split()) for text in cells) / PACE))


def _picture(part: Part) -> tuple[str, str]:
    for chapter in part.chapters:
        for cell in read_notebook(chapter.executed).cells:
            if "card" in cell.metadata.get("tags", []):
                for output in cell.outputs:
                    if picture := output.get("data", {}).get("image/svg+xml"):
                        return picture, cell.metadata["mystnb"]["image"]["alt"]
    raise BookError(f"{part.name}: no figure in a cell tagged 'card', for the landing page")


def cards(made: Sequence[str]) -> str:
    """All cards in a grid."""
    return "::::{grid} 1 1 2 2\n:gutter: 3\n\n" + "\n".join(made) + "\n::::\n"


def findings(entries: Sequence[Entry], names: Mapping[str, str]) -> str:
    """The refuted claims that most other results depend on, and all counts, as MyST.

    Args:
        names: a short name for each part.
    """
    errors, misprints = errata.apart(errata.find(entries))
    found = sorted(errors, key=lambda x: -_resting(x))
    tally = Counter(e.state for e in entries if not e.claim.is_experiment)
    own = [e for e in entries if e.outcome in OUTCOMES and e.claim.ours]
    looked = sum(bool(e.claim.first_look) for e in entries)
    numbers = ledger.cells(entries)
    agree = int(numbers.agrees.astype(bool).sum())
    experiments = sum(e.claim.is_experiment for e in entries)
    graded = f"; {experiments} are experiments, which have grades" if experiments else ""
    lines = [
        *(line for x in found[:MOST] for line in _finding(x, names[x.entry.part])),
        f"[All {len(found)} refuted statements](errata/index.md), with how certain each is, and "
        f"{_many(len(misprints), 'misprint')}.",
        "",
        "```{dropdown} All counts",
        f"The book makes {len(entries):,} statements: {_words(tally)}{graded}.",
        f"We changed {_many(looked, 'claim')} after a first look at the numbers, in wording or "
        "check; each chapter lists its own.",
        f"{_many(len(own), 'claim')} {'is' if len(own) == 1 else 'are'} our own, not a paper's.",
        f"Of {_many(len(numbers), 'recomputed number')}, {agree:,} agree within our interval",
        "({ref}`ledger-numbers`; {ref}`ledger-claims` has every claim).",
        "```",
        "",
    ]
    return "\n".join(lines)


def reply(home: Home | None) -> str:
    """Where to reply to the book, as MyST; the address is known once it is published."""
    if home is None:
        return "Open an issue in the repository of the book.\n"
    return f"Open an issue in [the repository of the book]({home.source}/issues).\n"


def authors(root: Path) -> str:
    """Who wrote the papers, in the order of their surnames, and which parts are theirs, as MyST."""
    known, found = citing.works(root), dict[str, list[str]]()
    for part in papers(root):
        link = f"{{doc}}`{number(part)} <../notebooks/{part.chapters[0].address}>`"
        for key in background.of_part(part).works:
            for person in known[key].persons.get("author", []):
                first = " ".join([*person.first_names, *person.middle_names])
                found.setdefault(f"{' '.join(person.last_names)}, {first}", []).append(link)
    lines = (f"- {name}: {', '.join(links)}" for name, links in sorted(found.items()))
    return "\n".join([":::{container} authors", *lines, ":::", ""])


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _finding(erratum: errata.Erratum, name: str) -> list[str]:
    """One finding: the statement, why it fails, and the correction."""
    e, resting = erratum.entry, _resting(erratum)
    rests = f"; {resting} other{' depends' if resting == 1 else 's depend'} on it"
    lines = [
        f"**{name}, {_reference(e)}**{rests if resting else ''}",
        f": {_sentence(e.claim.text)}",
        "",
    ]
    if e.claim.note:
        lines += [f"  *Why not:* {_sentence(e.claim.note)}", ""]
    for c in erratum.corrections[:1]:
        lines += [f"  *Instead*, {_reference(c)}: {_sentence(c.claim.text)}", ""]
    return lines


def _resting(erratum: errata.Erratum) -> int:
    return len((*erratum.direct, *erratum.further))


def _reference(entry: Entry) -> str:
    return f"{{prf:ref}}`{entry.claim.id}`"


def _words(tally: Counter[str]) -> str:
    return ", ".join(f"{n} {_OUTCOME[o][n == 1]}" for o in _OUTCOME if (n := tally[o]))


_OUTCOME = {
    "holds": ("hold", "holds"),
    "refuted": ("are refuted", "is refuted"),
    MISPRINT: ("are misprints", "is a misprint"),
    "vacuous": ("are vacuous", "is vacuous"),
    "trend": ("show the claimed trend", "shows the claimed trend"),
    "contrary": ("show the contrary", "shows the contrary"),
    "mixed": ("are mixed", "is mixed"),
    "two readings": ("have two readings", "has two readings"),
    "open": ("remain open", "remains open"),
    "our text": ("may be errors in our text", "may be an error in our text"),
}


def _sentence(text: str) -> str:
    return as_myst(text if text.endswith((".", "?", "!")) else f"{text}.")
