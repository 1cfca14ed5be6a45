"""Bind the executed chapters into a static site, and check the book as a whole."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from featurebook.press import (
    claims,
    errata,
    figure_data,
    landing,
    ledger,
    lighten,
    pages,
    publish,
    symbols,
)
from featurebook.press.files import outputs, read_notebook
from featurebook.press.layout import BookError, chapters
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
            shown = outputs(read_notebook(chapter.executed), MIME)
            found += claims.verdict_problems(chapter, known, shown)
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
    write_pages(root)
    bind(root, root)
    for page in (root / "_build" / "html" / "notebooks").glob("*.html"):
        shown = pages.with_shown_maps(page.read_text(encoding="utf-8"), page.parent)
        page.write_text(shown, encoding="utf-8")
    lighten.site(root / "_build" / "html")
    _complete(root)
    return index(root)


def bind(root: Path, output: Path, builder: str = "html") -> None:
    """Bind the pages and executed chapters into ``output/_build/``.

    Args:
        builder: "html" for the site, "latex" for TeX.

    Raises:
        BuildError: with the warnings of the build.
    """
    start = "from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", start, "build", str(root)]
    command += ["--path-output", str(output), "--builder", builder]
    command += ["-W", "-n", "--keep-going", "-q"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=root)
    if result.returncode != 0:
        said = re.sub(r"\x1b\[[\d;]*m", "", result.stdout + result.stderr)  # without colours
        lines = said.splitlines()
        telling = [x for x in lines if "WARNING" in x or "ERROR" in x or "Error" in x]
        raise BuildError("the book did not build:\n  " + "\n  ".join(telling or lines[-30:]))


def write_pages(root: Path) -> None:
    """The parts of the book that follow from the chapters: the landing page's, and errata."""
    generated, folder = root / "book" / "_generated", root / "book" / "errata"
    generated.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)
    entries = ledger.collect(root)
    called = symbols.short_names((root / f"{pages.NOTATION}.md").read_text(encoding="utf-8"))
    names = {c.stem: called.get(c.stem, c.stem) for c in chapters(root)}
    cards = []
    for chapter in chapters(root):
        picture, card = landing.card(chapter)
        cards.append(card)
        (generated / f"card-{chapter.stem}.svg").write_text(picture, encoding="utf-8")
        if own := [e for e in entries if e.chapter == chapter.stem]:
            page = errata.page(own, names[chapter.stem])
            (folder / f"{chapter.stem}.md").write_text(page, encoding="utf-8")
    (generated / "cards.md").write_text(landing.cards(cards), encoding="utf-8")
    (generated / "new.md").write_text(landing.whats_new(entries, names), encoding="utf-8")


def _complete(root: Path) -> None:
    """What lies beside the pages: sources, numbers of figures, the ledger and errata to reuse."""
    site = root / "_build" / "html"
    entries = ledger.collect(root)
    tables: dict[str, str] = {}
    citations = site / "errata"
    citations.mkdir(exist_ok=True)
    for chapter in chapters(root):
        shutil.copy(chapter.notebook, site / "_sources" / "notebooks")
        tables |= figure_data.of_notebook(read_notebook(chapter.executed))
        if own := [e for e in entries if e.chapter == chapter.stem]:
            text = errata.as_bibtex(own, root)
            (citations / f"{chapter.stem}.bib").write_text(text, encoding="utf-8")
    pages.write_data(site, tables)
    for name, text in {
        "ledger.json": ledger.as_json(entries),
        "ledger.schema.json": json.dumps(ledger.SCHEMA, indent=1),
        "errata.csv": errata.as_csv(entries),
    }.items():
        (site / name).write_text(text, encoding="utf-8")
    publish.write(root, site, entries, title(root))


def title(root: Path) -> str:
    """The book's title, from ``_config.yml``."""
    return str(yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["title"])
