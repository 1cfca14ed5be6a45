"""Which of our figures shows what a printed figure or table shows, and where its picture is."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils.nodes import make_id

from featurebook.press.book.places import Chapter, Part, papers
from featurebook.press.claims import statements
from featurebook.press.run import drawn, narrow

SVG = "image/svg+xml"
LABEL = re.compile(r":label: *(\S+)")
HEADING = re.compile(r"#+ ")


@dataclass(frozen=True)
class Pictured:
    """A figure of a chapter.

    Attributes:
        name: its own.
        chapter: the name of its chapter.
        printed: whether the picture is of the run at printed sizes.
        narrow: whether there is a drawing for narrow pages, too.
    """

    name: str
    chapter: str
    alt: str
    svg: str
    printed: bool = False
    narrow: bool = False

    @property
    def anchor(self) -> str:
        """Its anchor on its page."""
        return str(make_id(self.name))

    @property
    def file(self) -> str:
        """The file name of its picture on the site."""
        return f"{self.name}-beside.svg"


def of_part(part: Part) -> tuple[dict[str, Pictured], dict[str, Pictured]]:
    """By printed figure or table of a part: our figure of the same, and our drawing of the paper's.

    Ours is the one that the claim names, if it could be drawn, else the one of its name
    (``PART-fig-1`` for ``PART-figure-1``), else the next in the section that states it.
    """
    known = {f.name: f for c in part.chapters for f in figures(c)}
    claims = [c for c in statements.read(part.claims).claims if c.is_experiment]
    of_print = {c.id: c.printed_figure for c in claims}
    following: dict[str, str] = {}
    for chapter in part.chapters:
        following |= _following(chapter, set(of_print.values()))
    ours = {}
    for claim in claims:
        own = claim.id.replace("-figure-", "-fig-").replace("-table-", "-fig-table-")
        wanted = (claim.figure, own, following.get(claim.id, ""))
        ours[claim.id] = next((name for name in wanted if name in known), "")
    return _found(ours, known), _found(of_print, known)


def _found(names: Mapping[str, str], known: Mapping[str, Pictured]) -> dict[str, Pictured]:
    return {claim: known[name] for claim, name in names.items() if name in known}


def figures(chapter: Chapter) -> Iterator[Pictured]:
    """The figures of an executed chapter, at printed sizes where there is a record."""
    for cell in _cells(chapter):
        style = cell.metadata.get("mystnb", {})
        name = style.get("figure", {}).get("name")
        for output in cell.get("outputs", []) if name else []:
            if svg := output.get("data", {}).get(SVG):
                printed = bool({drawn.QUICK, drawn.SAME} & set(output.metadata))
                has_narrow = narrow.MIME in output.metadata
                yield Pictured(name, chapter.name, _alt(style), svg, printed, has_narrow)
                break


def _alt(style: Mapping[str, Any]) -> str:
    return " ".join(str(style.get("image", {}).get("alt", "")).split())


def _following(chapter: Chapter, but: Collection[str]) -> dict[str, str]:
    """For each statement of a chapter, the name of the next figure in its section, except some."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    for cell in _cells(chapter):
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if HEADING.match(line):
                waiting = []
            elif label := LABEL.match(line):
                waiting.append(label[1])
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        if name and name not in but:
            found |= {label: name for label in waiting if label not in found}
    return found


def _cells(chapter: Chapter) -> list[Any]:
    return list(drawn.shown(chapter).cells) if chapter.executed.is_file() else []


def files(root: Path) -> dict[str, str]:
    """The pictures of the pages "paper beside ours", by file."""
    shown = [side for part in papers(root) for side in of_part(part)]
    return {p.file: p.svg for side in shown for p in side.values()}
