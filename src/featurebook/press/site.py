"""Bind the executed chapters into a static site, and check the book as a whole."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import yaml

from featurebook.press import claims
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
    for chapter in chapters(root):
        _write_card(chapter)
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
    return index(root)


def _write_card(chapter: Chapter) -> None:
    """The figure of the cell tagged "card", for the landing page."""
    for cell in nbformat.read(chapter.executed, as_version=4).cells:
        if "card" in cell.metadata.get("tags", []):
            for output in cell.outputs:
                if picture := output.get("data", {}).get("image/svg+xml"):
                    folder = chapter.root / "book" / "_generated"
                    folder.mkdir(exist_ok=True)
                    (folder / f"card-{chapter.stem}.svg").write_text(picture, encoding="utf-8")
                    return
    raise BuildError(f"{chapter.stem}: no figure in a cell tagged 'card', for the landing page")


def title(root: Path) -> str:
    """The book's title, from ``_config.yml``."""
    return str(yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["title"])
