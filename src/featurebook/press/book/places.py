"""Locations: one name runs through a part's files."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from featurebook.press.book.door import MEGABYTE, MEND, as_yaml, read_text
from featurebook.press.book.door import BookError as BookError

SCALES = ("tiny", "quick", "paper")
STORY = "story"
"""The name of a part's first chapter."""
MEND_TOC = "correct it, or restore the book's own: git checkout _toc.yml"


class FailedError(Exception):
    """A task failed after it had started; the message says what, and where partial results are."""


@dataclass(frozen=True)
class Part:
    """A paper of the book at ``root``: its chapters, and what they share."""

    root: Path
    name: str

    @property
    def folder(self) -> Path:
        """The folder of its notebooks."""
        return self.root / "notebooks" / self.name

    @property
    def claims(self) -> Path:
        return self.root / "book" / "claims" / f"{self.name}.yaml"

    @property
    def chapters(self) -> "list[Chapter]":
        """Its chapters in the order of ``_toc.yml``, the story first."""
        return [c for c in chapters(self.root) if c.part == self]

    def scale(self, scale: str) -> Path | None:
        """The papermill parameters of a scale; quick is the defaults of the notebooks."""
        return None if scale == "quick" else self.folder / f"{scale}.yaml"


@dataclass(frozen=True)
class Chapter:
    """One notebook of a part."""

    part: Part
    name: str

    @property
    def root(self) -> Path:
        """The book's folder."""
        return self.part.root

    @property
    def address(self) -> str:
        """``PART/CHAPTER``, as commands and links have it."""
        return f"{self.part.name}/{self.name}"

    @property
    def notebook(self) -> Path:
        return self.part.folder / f"{self.name}.py"

    @property
    def title(self) -> str:
        """Its first heading, read without jupytext, which takes a second to import.

        Raises:
            BookError: if its notebook is not there.
        """
        if not self.notebook.is_file():
            raise BookError(f"{self.notebook} is missing, though _toc.yml names it")
        text = read_text(self.notebook, MEND).partition("# %% [markdown]\n")[2]
        heads = (x for x in text.splitlines() if x.startswith("# ") and not x.startswith("# %%"))
        return next((x.removeprefix("# ").removeprefix("# ").strip() for x in heads), "")

    @property
    def sections(self) -> list[str]:
        """Its headings of the second level."""
        return re.findall(r"^(?:# )?## (.+?) *$", read_text(self.notebook, MEND), re.M)

    @property
    def executed(self) -> Path:
        """The executed notebook that the site shows; a reader's own may be beside the source."""
        return self.root / "_build" / "notebooks" / self.part.name / f"{self.name}.ipynb"

    @property
    def page(self) -> str:
        """Its page, from the site's root."""
        return f"notebooks/{self.address}.html"

    @property
    def seeds(self) -> Path:
        """The record of its verdicts with other seeds."""
        return self.root / "records" / self.part.name / "seeds" / f"{self.name}.json"

    @property
    def machines(self) -> Path:
        """The record of its verdicts under other settings of the processor."""
        return self.root / "records" / self.part.name / "machines" / f"{self.name}.json"

    def built(self, kind: str) -> Path:
        """An executed notebook other than the site's: at another scale, or with other values."""
        return self.executed.with_name(f"{self.name}.{kind}.ipynb")

    def executed_at(self, scale: str) -> Path:
        return self.executed if scale == "quick" else self.built(scale)


def find_root() -> Path:
    """The book's folder: ``FEATUREBOOK_ROOT``, else the nearest folder above with a ``_toc.yml``.

    Falls back to the checkout that the package is installed from.

    Raises:
        BookError: if there is none.
    """
    if named := os.environ.get("FEATUREBOOK_ROOT"):
        root = Path(os.path.expanduser(named)).resolve()
        if not (root / "_toc.yml").is_file():
            raise BookError(f"FEATUREBOOK_ROOT is {named}, but there is no _toc.yml in it")
        return root
    here = Path.cwd().resolve()
    checkout = Path(__file__).resolve().parents[4]
    for folder in (here, *here.parents, checkout):
        if (folder / "_toc.yml").is_file() and (folder / "notebooks").is_dir():
            return folder
    raise BookError(
        f"no book at or above {here}: go to a checkout of the book, or set FEATUREBOOK_ROOT to one"
    )


def chapters(root: Path) -> list[Chapter]:
    """All chapters in the order of ``_toc.yml``: its entries ``notebooks/PART/CHAPTER``.

    Raises:
        BookError: if it is not a table of contents.
    """
    toc = root / "_toc.yml"
    text = read_text(toc, MEND_TOC, MEGABYTE)
    named = [Path(file).parts for file in _listed(toc, text)]
    return [
        Chapter(Part(root, names[1]), names[2])
        for names in named
        if len(names) == 3 and names[0] == "notebooks"
    ]


@lru_cache(maxsize=16)
def _listed(toc: Path, text: str) -> tuple[str, ...]:
    contents = as_yaml(text, toc, MEND_TOC)
    try:
        files = _files(contents)
        return tuple(os.fspath(file) for file in files)
    except (TypeError, AttributeError):
        raise BookError(f"{toc}: no lists of 'file: PAGE'; {MEND_TOC}") from None


def _files(entry: dict[str, Any]) -> list[str]:
    """The files that an entry of the table of contents names, in order."""
    found = [entry["file"]] if "file" in entry else []
    for below in (*entry.get("chapters", ()), *entry.get("parts", ()), *entry.get("sections", ())):
        found += _files(below)
    return found


def parts(root: Path) -> list[Part]:
    """The parts in the order of ``_toc.yml``."""
    return list(dict.fromkeys(c.part for c in chapters(root)))


def papers(root: Path) -> list[Part]:
    """The parts that make claims: all except those about the book itself."""
    return [part for part in parts(root) if part.claims.is_file()]


def find_chapter(root: Path, address: str) -> Chapter:
    """The chapter of that address, ``PART/CHAPTER``.

    Raises:
        BookError: if there is none, with the nearest known one.
    """
    found = find(root, address)
    if len(found) > 1:
        raise BookError(
            f"{address!r} is a part of {len(found)} chapters; name one: "
            + ", ".join(c.address for c in found)
        )
    return found[0]


def find(root: Path, name: str) -> list[Chapter]:
    """The chapters that a name refers to: ``PART/CHAPTER``, or all chapters of ``PART``.

    Raises:
        BookError: if there is no such chapter or part, with the nearest known name.
    """
    known = chapters(root)
    found = [c for c in known if name.rstrip("/") in (c.address, c.part.name)]
    if not found:
        raise BookError(_unknown(name, [c.address for c in known]))
    return found


def find_all(root: Path, names: Sequence[str] | None) -> list[Chapter]:
    """The chapters that names refer to, each once; without names, the whole book.

    Raises:
        BookError: as `find`.
    """
    return list(dict.fromkeys(c for n in names for c in find(root, n))) if names else chapters(root)


def _unknown(name: str, addresses: Sequence[str]) -> str:
    of_parts = list(dict.fromkeys(a.partition("/")[0] for a in addresses))
    part, slash, _ = name.partition("/")
    inside = [a for a in addresses if a.startswith(f"{part}/")] if slash else []
    if inside:
        return f"no chapter {name!r}; {part} has {', '.join(inside)}"
    near = get_close_matches(name, [*of_parts, *addresses], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    return f"no part or chapter {name!r}{hint} There are: {', '.join(of_parts)}"
