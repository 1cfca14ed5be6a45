"""Which of our figures shows what a printed figure or table shows, and where its picture is."""

import re
from collections.abc import Iterator, Mapping
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
        """Its place on its page."""
        return str(make_id(self.name))

    @property
    def file(self) -> str:
        """The picture's file beside the site's pages."""
        return f"{self.name}-beside.svg"


def of_part(part: Part) -> dict[str, Pictured]:
    """The figure of each printed figure and table of a part that has one, by claim.

    It is the one that the claim names, else the one of its name (``PART-fig-1`` for
    ``PART-figure-1``), else the next in the section that states it.
    """
    known = {f.name: f for c in part.chapters for f in figures(c)}
    following = {k: v for c in part.chapters for k, v in _following(c).items()}
    found = {}
    for claim in statements.read(part.claims).claims:
        own = claim.id.replace("-figure-", "-fig-").replace("-table-", "-fig-table-")
        name = claim.figure or (own if own in known else following.get(claim.id, ""))
        if claim.is_experiment and name in known:
            found[claim.id] = known[name]
    return found


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


def _following(chapter: Chapter) -> dict[str, str]:
    """For each statement of a chapter the name of the next figure in its section."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    for cell in _cells(chapter):
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if HEADING.match(line):
                waiting = []
            elif label := LABEL.match(line):
                waiting.append(label[1])
        if name := cell.metadata.get("mystnb", {}).get("figure", {}).get("name"):
            found |= {label: name for label in waiting if label not in found}
    return found


def _cells(chapter: Chapter) -> list[Any]:
    return list(drawn.shown(chapter).cells) if chapter.executed.is_file() else []


def files(root: Path) -> dict[str, str]:
    """The pictures of the pages that show them beside print, by file."""
    return {p.file: p.svg for part in papers(root) for p in of_part(part).values()}
