"""The pages "Figures and tables, paper beside ours": for the book, and for each part.

They are made from the claims, the executed chapters and the records, and kept in ``_build/beside``.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils.nodes import make_id

from featurebook.press.book.places import Part
from featurebook.press.claims import grades, printed_sizes
from featurebook.press.claims.formulas import as_myst, as_scripts
from featurebook.press.claims.grades import MARKS, MEANING, Grade, Word
from featurebook.press.run import experiments, parameters
from featurebook.press.site import phones, pictured
from featurebook.press.site.dark_drawings import DRAWING, is_drawing
from featurebook.press.site.pictured import Pictured
from featurebook.verdicts import slug
from featurebook.verdicts.words import shown

FOLDER = "beside"
"""Of the pages, from the site's root."""
TITLE = "Figures and tables, paper beside ours"
FEW = 30
"""Tables with more printed numbers than this are folded."""


def write(root: Path, graded: Mapping[Part, Sequence[Grade]], names: Mapping[str, str]) -> None:
    """Write the pages of the book and of each part that the table of contents names.

    Args:
        graded: as `grades.of_book` has it.
        names: a short name for each part.
    """
    folder = root / "_build" / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    contents = (root / "_toc.yml").read_text(encoding="utf-8")
    for part, found in graded.items():
        if f"file: {FOLDER}/{part.name}" in contents:
            text = of_part(part, found, names[part.name])
            (folder / f"{part.name}.md").write_text(text, encoding="utf-8")
    (folder / "index.md").write_text(of_book(graded, names), encoding="utf-8")


def of_book(graded: Mapping[Part, Sequence[Grade]], names: Mapping[str, str]) -> str:
    """The book's page: grades counted by part, and one line per figure or table."""
    every = [g for found in graded.values() for g in found]
    lines = [
        f"(paper-beside-ours)=\n# {TITLE}",
        "",
        f"The papers report experiments in {len(every)} figures and tables (those that share a "
        f"claim count once): {', '.join(grades.in_words(every))}. "
        "A grade follows from a run at the printed sizes and its seeds; theorems have verdicts "
        "instead, in {doc}`../notebooks/book/ledger`. Each part has a page with its figures and "
        "tables in printed order: what the paper shows on the left, ours on the right.",
        "",
        *_meanings(),
        "",
        *_table_of_counts(graded, names),
    ]
    for part, found in graded.items():
        if found:
            lines += ["", f"## {names[part.name]}", "", _raw(_list_of(part, found))]
    return "\n".join(lines) + "\n"


def of_part(part: Part, found: Sequence[Grade], name: str) -> str:
    """A part's page: every figure and table in printed order."""
    counted = ", ".join(grades.in_words(found))
    lines = [
        f"(beside-{part.name})=\n# {name}: paper beside ours",
        "",
        f"What the paper shows is on the left, ours on the right: {counted} "
        "({ref}`what the grades mean <paper-beside-ours>`). The story of this part is "
        f"{{doc}}`../notebooks/{part.name}/story`.",
        "",
    ]
    ours, of_print = pictured.of_part(part)
    for grade in in_order(found):
        lines += [
            f"(beside-{grade.claim.id})=",
            f"## {grade.claim.number}: {grade.claim.title}",
            "",
            *_block(grade, ours.get(grade.claim.id), of_print.get(grade.claim.id)),
        ]
    return "\n".join(lines)


def in_order(found: Sequence[Grade]) -> list[Grade]:
    """In the order of print: by section, appendices last, then by number."""
    return sorted(found, key=lambda g: (_place(g.claim.place), _place(g.claim.number)))


def _place(text: str) -> tuple[tuple[int, int | str], ...]:
    """The first number in a text, such as 4.5 or G.2.1, as a sort key."""
    match = re.search(r"\b(?:Appendix )?([A-Z]|\d+)((?:\.\d+)*)(?=\W|$)", text.partition(" ")[2])
    if not match:
        return ((2, text),)
    first = (1, match[1]) if match[1].isalpha() else (0, int(match[1]))
    return (first, *((0, int(x)) for x in match[2].split(".")[1:]))


# Pieces


def _raw(html: str) -> str:
    return f"```{{raw}} html\n{html}\n```"


def _table(kind: str, head: Sequence[str], rows: str) -> str:
    names = "".join(f"<th>{name}</th>" for name in head)
    return f'<table class="{kind}"><thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table>'


def badge(grade: Grade) -> str:
    """A grade in its colour, with its mark and seed rate."""
    words = f"{MARKS[grade.word]} {escape(grade.said)}"
    return f'<span class="grade grade-{slug(grade.word)}">{words}</span>'


def _meanings() -> Iterator[str]:
    yield "| grade | means |\n| --- | --- |"
    for word, meaning in MEANING.items():
        yield f"| {MARKS[word]}\N{NO-BREAK SPACE}**{word}** | {meaning} |"


def _table_of_counts(
    graded: Mapping[Part, Sequence[Grade]], names: Mapping[str, str]
) -> Iterator[str]:
    yield f"| | {' | '.join(grades.WORDS)} | in all |\n|{' --- |' * (len(grades.WORDS) + 2)}"
    totals: dict[Word, int] = dict.fromkeys(grades.WORDS, 0)
    for part, found in graded.items():
        if not found:
            continue
        own = grades.counts(found)
        totals = {word: totals[word] + own[word] for word in totals}
        cells = " | ".join(str(n or "") for n in own.values())
        yield f"| {{doc}}`{names[part.name]} <{part.name}>` | {cells} | {len(found)} |"
    yield f"| in all | {' | '.join(map(str, totals.values()))} | {sum(totals.values())} |"


def _list_of(part: Part, found: Sequence[Grade]) -> str:
    rows = "".join(
        f'<tr><td><a href="{part.name}.html#{anchor(g)}">{escape(g.claim.number)}</a></td>'
        f"<td>{escape(g.claim.title)}</td><td>{badge(g)}</td>"
        f"<td>{as_scripts(shorten(g.why, 160, placeholder=' …'))}</td></tr>"
        for g in in_order(found)
    )
    return _table("beside-list", ["print", "what", "grade", "why"], rows)


def anchor(grade: Grade) -> str:
    """Its anchor on the part's page."""
    return str(make_id(f"beside-{grade.claim.id}"))


def _block(grade: Grade, picture: Pictured | None, of_print: Pictured | None) -> Iterator[str]:
    """One figure or table: its grade, the paper's on the left, ours on the right, and the cost."""
    claim = grade.claim
    here = f"../notebooks/{grade.chapter.address}.html#{claim.id}"
    yield _raw(
        f'<div class="beside grade-{slug(grade.word)}"><p class="beside-grade">{badge(grade)} '
        f"{as_scripts(grade.why)}</p>"
        '<div class="beside-columns"><div><p class="beside-head">Paper</p>'
    )
    # Not within the HTML: formulas are set only where Sphinx sees them.
    yield from ("", as_myst(claim.text), "", *([as_myst(claim.shows), ""] * bool(claim.shows)))
    if of_print:
        yield _raw(_figure(grade.chapter.part.name, of_print, "drawn by us from its numbers"))
    yield _raw(
        f'<p class="beside-place">{escape(claim.place)}; <a href="{here}">in its chapter</a></p>'
        f'</div><div><p class="beside-head">Ours</p>{_ours(grade, picture)}</div></div>'
        f"{_cells(grade)}{_cost(grade)}</div>"
    )
    yield ""


def _ours(grade: Grade, picture: Pictured | None) -> str:
    run, said = grade.run, ""
    if run is not None and run.verdict["measured"] not in grade.why:
        said = f"<p>{as_scripts(run.verdict['measured'])}</p>"
    if picture is None:
        return said or ("" if run else "<p>Not run as printed.</p>")
    return figure(grade, picture) + said


def figure(grade: Grade, picture: Pictured) -> str:
    """Our version of a printed figure, for a page in a folder of the site's root."""
    if grade.claim.needs:
        words = "our counterpart, a smaller experiment of the same kind"
    elif picture.printed:
        words = "the recorded run" + (", smaller than the paper's" * bool(grade.claim.smaller))
    elif grade.run is not None and grade.run.of == "page":
        words = "the run on the chapter's page, at the printed sizes"
    else:
        words = "the quick run on the chapter's page, smaller than the paper's"
    return _figure(grade.chapter.part.name, picture, words)


def _figure(part: str, picture: Pictured, words: str) -> str:
    kind = f'class="{DRAWING}" ' if is_drawing(picture.svg) else ""
    image = (
        f'<img {kind}loading="lazy" src="../_data/{escape(picture.file, quote=True)}" '
        f'alt="{escape(picture.alt, quote=True)}">'
    )
    if picture.narrow:
        image = phones.picture(image, f"../_data/{phones.file(picture.name)}")
    return (
        f'<figure class="beside-figure"><a href="../notebooks/{part}/'
        f'{picture.chapter}.html#{picture.anchor}">{image}</a>'
        f"<figcaption>Figure: {words}.</figcaption></figure>"
    )


def _cells(grade: Grade) -> str:
    """A table of the printed numbers and ours."""
    cells: Sequence[Mapping[str, Any]] = grade.run.verdict["cells"] if grade.run else []
    if not cells:
        return ""
    names = ["", "paper", "ours", "difference", "tolerance"]
    if any(c.get("cause") for c in cells):
        names.append("cause")
    rows = "".join(_row(cell, len(names)) for cell in cells)
    table = _table("beside-cells", names, rows)
    if len(cells) <= FEW:
        return table
    odd = sum(not c.get("agrees") for c in cells)
    words = f"{len(cells)} printed numbers compared with ours, {odd} outside their tolerance"
    return f"<details><summary>{words}</summary>{table}</details>"


def _row(cell: Mapping[str, Any], width: int) -> str:
    """The table row of one printed number; ``width`` is the number of columns."""
    paper, ours = float(cell["paper"]), float(cell["ours"])
    half = (float(cell["high"]) - float(cell["low"])) / 2
    mark = "" if cell.get("agrees") else ' class="deviates"'
    off = _rounded(ours - paper, half)
    said = [shown(paper), shown(ours), shown(off), f"±{shown(half, 2)}", cell.get("cause", "")]
    cells = "".join(f"<td>{escape(str(x))}</td>" for x in said[: width - 1])
    return f"<tr{mark}><th>{escape(str(cell['label']))}</th>{cells}</tr>"


def _rounded(x: float, half: float) -> float:
    """A difference, rounded to a tenth of the tolerance's order of magnitude."""
    if not (math.isfinite(half) and half > 0):
        return x
    return round(x, 1 - math.floor(math.log10(half)))


def _cost(grade: Grade) -> str:
    """Sizes, seeds, device, minutes, date and command."""
    said = [grade.rate]
    if run := grade.run:
        device, date = run.device.partition(",")[0], run.started.partition(" ")[0]
        said += [f"{minutes(run.seconds)} on {device}", date]
    words, made = escape("; ".join(said).strip("; ")), escape(grade.command)
    return f'<p class="beside-cost">{words} <code>{made}</code></p>{_sizes(grade)}'


def minutes(seconds: float) -> str:
    """A duration in convenient units."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _sizes(grade: Grade) -> str:
    """The parameters that it depends on: as printed, and in our run."""
    claims = experiments.checks_of(grade.chapter.part)
    if claims is None or grade.claim.id not in claims.judgements:
        return ""
    known = parameters.of_part(grade.chapter.part)
    printed = experiments.values_of(
        grade.chapter, parameters.final_values(grade.chapter, printed_sizes.SCALE)
    )
    scale = dict(grade.run.parameters) if grade.run else {}
    ours = printed | (scale or parameters.final_values(grade.chapter))
    rows = "".join(
        f"<tr><th><code>{n}</code> {escape(known[n].help)}</th><td>{_value(printed[n])}</td>"
        f"<td>{_value(ours[n])}</td></tr>"
        for n in sorted(claims.needs(grade.claim.id) & set(known))
    )
    if not rows:
        return ""
    table = _table("beside-sizes", ["parameter", "as printed", "this run"], rows)
    return f"<details><summary>parameters, as printed and in this run</summary>{table}</details>"


def _value(value: Any) -> str:
    return escape(", ".join(map(str, value)) if isinstance(value, list) else str(value))
