"""Where things are: one stem runs through a chapter's files."""

import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import yaml

SCALES = ("tiny", "quick", "paper")


class BookError(Exception):
    """Something the user can mend; the message is one clear line or a list of them."""


@dataclass(frozen=True)
class Chapter:
    """The files of one chapter of the book at ``root``."""

    root: Path
    stem: str

    @property
    def notebook(self) -> Path:
        return self.root / "notebooks" / f"{self.stem}.py"

    @property
    def executed(self) -> Path:
        """The executed twin that the site shows."""
        return self.root / "notebooks" / f"{self.stem}.ipynb"

    @property
    def claims(self) -> Path:
        return self.root / "book" / "claims" / f"{self.stem}.yaml"

    def executed_at(self, scale: str) -> Path:
        if scale == "quick":
            return self.executed
        return self.root / "_build" / "notebooks" / f"{self.stem}.{scale}.ipynb"

    def scale(self, scale: str) -> Path | None:
        """The papermill parameters of a scale; quick is the defaults of the notebook."""
        if scale == "quick":
            return None
        return self.root / "notebooks" / "scales" / f"{self.stem}.{scale}.yaml"


def find_root(start: Path | None = None) -> Path:
    """The book's folder: ``FEATUREBOOK_ROOT``, else the nearest folder above with a ``_toc.yml``.

    Falls back to the checkout that the package is installed from.

    Raises:
        BookError: if there is none.
    """
    if named := os.environ.get("FEATUREBOOK_ROOT"):
        return Path(named).resolve()
    here = (start or Path.cwd()).resolve()
    checkout = Path(__file__).resolve().parents[3]
    for folder in (here, *here.parents, checkout):
        if (folder / "_toc.yml").is_file() and (folder / "notebooks").is_dir():
            return folder
    raise BookError(
        f"no book at or above {here}: go to a checkout of the book, or name it in FEATUREBOOK_ROOT"
    )


def chapters(root: Path) -> list[Chapter]:
    """The chapters in the order of ``_toc.yml``: its entries under ``notebooks/``."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    entries = list(toc.get("chapters", []))
    for part in toc.get("parts", []):
        entries += part.get("chapters", [])
    files = [Path(entry["file"]) for entry in entries if "file" in entry]
    return [Chapter(root, f.stem) for f in files if f.parts[0] == "notebooks"]


def find_chapter(root: Path, stem: str) -> Chapter:
    """The chapter of that name.

    Raises:
        BookError: if there is none, with the nearest known name.
    """
    known = {c.stem: c for c in chapters(root)}
    if stem not in known:
        near = get_close_matches(stem, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise BookError(f"no chapter {stem!r}{hint} There are: {', '.join(known)}")
    return known[stem]
