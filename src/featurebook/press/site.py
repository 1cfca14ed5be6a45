"""Bind the executed chapters into a static site, and check the book as a whole."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import yaml

from featurebook.press import claims, ledger
from featurebook.press.execute import outputs
from featurebook.press.layout import BookError, Chapter, chapters
from featurebook.verdicts import MIME


class BuildError(Exception):
    """The book is not consistent, or its site does not build; a line for each reason."""


def index(root: Path) -> Path:
    """The first page of the built site."""
    return root / "_build" / "html" / "index.html"


def problems(root: Path) -> list[str]:
    """What is wrong with the book's claims, directives and verdicts; a line each, naming it."""
    found: list[str] = []
    for chapter in chapters(root):
        if not chapter.claims.is_file() and not claims.labels(chapter):
            continue  # it states nothing of its own
        try:
            known = claims.read(chapter.claims).claims
        except BookError as error:
            found.append(str(error))
            continue
        found += claims.structure_problems(known)
        found += claims.label_problems(chapter, known)
        if chapter.executed.is_file():
            found += claims.verdict_problems(chapter, known, outputs(chapter.executed, MIME))
        else:
            found.append(f"{chapter.stem}: not executed")
    return found


def build(root: Path) -> Path:
    """Build the site from the executed chapters, a warning being an error.

    Returns:
        Its first page.

    Raises:
        BuildError: with the problems of the book, or the warnings of the build.
    """
    if wrong := problems(root):
        raise BuildError("the book is not consistent:\n  " + "\n  ".join(wrong))
    _write_pages(root)
    start = "from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", start, "build", str(root)]
    command += ["--path-output", str(root), "-W", "-n", "--keep-going", "-q"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=root)
    if result.returncode != 0:
        lines = (result.stdout + result.stderr).splitlines()
        telling = [x for x in lines if "WARNING" in x or "ERROR" in x or "Error" in x]
        raise BuildError("the site did not build:\n  " + "\n  ".join(telling or lines[-30:]))
    for chapter in chapters(root):  # offered for download beside the executed form
        shutil.copy(chapter.notebook, root / "_build" / "html" / "_sources" / "notebooks")
    for picture in (root / "_build" / "html" / "_images").glob("*.svg"):
        picture.write_text(lighter(picture.read_text(encoding="utf-8")), encoding="utf-8")
    _export(root)
    return index(root)


def lighter(svg: str) -> str:
    """The same picture in fewer bytes: no comments, no indentation, paths to 1/100 point."""
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r">\s+<", "><", svg)

    def shorten(path: re.Match[str]) -> str:
        return re.sub(r"\s+", " ", re.sub(r"(\.\d\d)\d+", r"\1", path[0]))

    return re.sub(r' d="[^"]*"', shorten, svg)


def _write_pages(root: Path) -> None:
    """The parts of the site that follow from the chapters: cards of the landing page, errata."""
    generated, errata = root / "book" / "_generated", root / "book" / "errata"
    generated.mkdir(exist_ok=True)
    errata.mkdir(exist_ok=True)
    entries = ledger.collect(root)
    cards = []
    for chapter in chapters(root):
        picture, alt = _card(chapter)
        (generated / f"card-{chapter.stem}.svg").write_text(picture, encoding="utf-8")
        head, first = _opening(chapter)
        own = [e for e in entries if e.chapter == chapter.stem]
        cards.append(_CARD.format(stem=chapter.stem, title=head, alt=alt, text=first))
        if own:
            page = ledger.errata_page(own, head.partition(":")[0])
            (errata / f"{chapter.stem}.md").write_text(page, encoding="utf-8")
    grid = "::::{grid} 1 1 2 2\n:gutter: 3\n\n" + "\n".join(cards) + "\n::::\n"
    (generated / "cards.md").write_text(grid, encoding="utf-8")


_CARD = """:::{{grid-item-card}} {title}
:link: ../notebooks/{stem}
:link-type: doc
:img-top: _generated/card-{stem}.svg
:img-alt: {alt}

{text}
:::
"""


def _opening(chapter: Chapter) -> tuple[str, str]:
    """A chapter's title and the first sentence of its answer, without roles."""
    cells = jupytext.read(chapter.notebook).cells
    text = next(c.source for c in cells if c.source.startswith("# "))
    head, _, rest = text.partition("\n")
    paragraph = " ".join(rest.strip().split("\n\n")[0].split())
    plain = re.sub(r"\{[\w:]+\}`([^`]*)`", r"\1", paragraph)
    return head[2:].strip(), re.split(r"(?<=[.?!]) ", plain)[0]


def _card(chapter: Chapter) -> tuple[str, str]:
    """The picture and alternative text of the figure in the cell tagged "card"."""
    for cell in nbformat.read(chapter.executed, as_version=4).cells:
        if "card" in cell.metadata.get("tags", []):
            for output in cell.outputs:
                if picture := output.get("data", {}).get("image/svg+xml"):
                    return picture, cell.metadata["mystnb"]["image"]["alt"]
    raise BuildError(f"{chapter.stem}: no figure in a cell tagged 'card', for the landing page")


def _export(root: Path) -> None:
    """The ledger for other programs, beside the pages."""
    entries = ledger.collect(root)
    site = root / "_build" / "html"
    for name, text in {
        "ledger.json": ledger.as_json(entries),
        "ledger.schema.json": json.dumps(ledger.SCHEMA, indent=1),
        "errata.csv": ledger.errata_csv(entries),
    }.items():
        (site / name).write_text(text, encoding="utf-8")


def title(root: Path) -> str:
    """The book's title, from ``_config.yml``."""
    return str(yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["title"])
