"""A new part of the book: a story, one chapter, a claim of each outcome, their checks and tests."""

import keyword
import re
from importlib.resources import files
from pathlib import Path

from featurebook.press.book.files import write_atomically
from featurebook.press.book.places import BookError, parts

HEAD = """# ---
# jupyter:
#   jupytext:
#     cell_markers: 'r\"\"\"'
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

"""
STORY = "notebooks/{}/story"
ERRATA = "book/errata/{}"
BIBLIOGRAPHY = "book/references.bib"


def create(root: Path, name: str) -> list[Path]:
    """Write the files of a new part, and add it to ``_toc.yml`` and the bibliography.

    Args:
        name: of the part: a lower-case Python name, since its package has it.

    Returns:
        The files that are new.

    Raises:
        BookError: if the name is invalid or taken; then nothing has been written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise BookError(f"{name!r} cannot name a part: use lower-case letters, digits and _")
    texts = {place.replace("PART", name): text for place, text in _template(name).items()}
    entry = texts.pop(BIBLIOGRAPHY)
    taken = [place for place in texts if (root / place).exists()]
    if name in {part.name for part in parts(root)} or taken:
        raise BookError(f"there is already a part {name}: {', '.join(taken) or 'see _toc.yml'}")
    toc = _with_part((root / "_toc.yml").read_text(encoding="utf-8"), name)
    for place, text in texts.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        is_notebook = place.startswith("notebooks/") and place.endswith(".py")
        write_atomically(root / place, (HEAD if is_notebook else "") + text)
    books = root / BIBLIOGRAPHY
    write_atomically(books, books.read_text(encoding="utf-8").rstrip() + f"\n\n{entry}")
    write_atomically(root / "_toc.yml", toc)
    return [root / place for place in texts]


def _template(name: str) -> dict[str, str]:
    """The text of each file by its path, in the order of the template."""
    whole = (files(__package__) / "new_part.txt").read_text(encoding="utf-8")
    pieces = re.split(r"^=== (.+)\n", whole.replace("PART", name), flags=re.MULTILINE)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def _with_part(toc: str, name: str) -> str:
    """The table of contents with the story, chapter and errata after those of the other parts."""
    lines = toc.splitlines()
    stories = [i for i, line in enumerate(lines) if re.search(r"file: notebooks/\w+/", line)]
    papers = [i for i in stories if "notebooks/book/" not in lines[i]]
    pages = [i for i, line in enumerate(lines) if "file: book/errata/" in line]
    if not papers or not pages:
        raise BookError("_toc.yml has no part, or no page of errata, to put the new one after")
    indent = " " * (len(lines[papers[0]]) - len(lines[papers[0]].lstrip()))
    further = " " * (len(lines[pages[-1]]) - len(lines[pages[-1]].lstrip()))
    lines.insert(pages[-1] + 1, f"{further}- file: {ERRATA.format(name)}")
    new = [
        f"{indent}- file: {STORY.format(name)}",
        f"{indent}  sections:",
        f"{indent}    - file: notebooks/{name}/walks",
    ]
    lines[papers[-1] + 1 : papers[-1] + 1] = new
    return "\n".join(lines) + "\n"
