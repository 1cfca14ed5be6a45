"""BibTeX for chapters and verdicts, and short names of works."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pybtex.database import Entry as Work
from pybtex.database import parse_string
from pybtex.exceptions import PybtexError

from featurebook.press.book import forms
from featurebook.press.book.door import MEND, BookError, check, read_text, read_yaml
from featurebook.press.claims.judgements import Entry

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",  # BibTeX counts braces, escaped ones too
} | {c: f"\\{c}" for c in "$&#%_"}


def works(root: Path) -> Mapping[str, Work]:
    """The works of ``book/references.bib`` by key; empty if there is no such file."""
    file = root / "book" / "references.bib"
    return _works(file, file.stat().st_mtime_ns) if file.is_file() else {}


@lru_cache(maxsize=4)
def _works(file: Path, changed: int) -> Mapping[str, Work]:
    try:
        return dict(parse_string(read_text(file, MEND), "bibtex").entries)
    except PybtexError as error:
        said = " ".join(str(error).split())
        raise BookError(f"{file}: not valid BibTeX ({said}); {MEND}") from None


def about_book(root: Path) -> dict[str, Any]:
    """Title, authors, version and date of the book: ``CITATION.cff``."""
    file = root / "CITATION.cff"
    found = read_yaml(file, MEND)
    check(found, forms.Citation, file, MEND)
    return {**found, "short": str(found["title"]).partition(":")[0]}


def surnames(work: Work) -> list[str]:
    """The authors' surnames, in order."""
    return [" ".join(p.last_names) for p in work.persons.get("author", [])]


def full_names(work: Work) -> list[str]:
    """The authors' names, given name first."""
    return [
        " ".join([*p.first_names, *p.middle_names, *p.last_names])
        for p in work.persons.get("author", [])
    ]


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: "Doe, Roe and Poe"."""
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


def shortly(work: Work) -> str:
    """A work's authors in short: "Doe and Roe", "Doe et al."."""
    names = surnames(work)
    return listed(names) if len(names) < 3 else f"{names[0]} et al."


def venue(work: Work) -> str:
    """Where a work appeared, according to the bibliography; empty if it does not say."""
    names = ("booktitle", "journal", "school", "howpublished", "note")
    found = next((work.fields[k] for k in names if k in work.fields), "")
    return unbraced(found).replace("--", "–")


def unbraced(text: str) -> str:
    """A field without the braces that protect its capitals."""
    return re.sub(r"[{}]", "", text)


def tex(text: str) -> str:
    """Plain text as LaTeX; non-ASCII letters stay, since biber and XeLaTeX read them."""
    return "".join(SPECIAL.get(c, c) for c in text)


def of_verdict(entry: Entry, book: Mapping[str, Any], known: Mapping[str, Work], site: str) -> str:
    """One ``@misc`` for a verdict: the statement, its authors, the verdict, and the numbers.

    Args:
        entry: a claim that was judged.
        book: as `about_book` has it.
        known: the list of works.
        site: address of the published book, with a slash at its end, or empty.
    """
    claim = entry.claim
    if claim.ours:
        title = f"{claim.number}, a finding of this book: {entry.outcome}"
    else:
        work = known.get(entry.paper)
        title = f"{claim.number} of {shortly(work) if work else entry.paper}: {entry.outcome}"
    return misc(
        claim.id,
        book,
        title=f"{{{tex(title)}}}",
        howpublished=tex(f"{book['short']}, {entry.own_page}"),
        note=tex(entry.measured),
        url=site and f"{site}{entry.own_page}",
    )


def of_chapter(address: str, title: str, book: Mapping[str, Any], site: str) -> str:
    """One ``@misc`` for a chapter ``PART/CHAPTER`` with this title."""
    return misc(
        address.replace("/", "-"),
        book,
        title=f"{{{tex(title)}}}",
        howpublished=tex(f"Chapter {address} of {book['title']}, version {book['version']}"),
        url=site and f"{site}notebooks/{address}.html",
    )


def misc(key: str, book: Mapping[str, Any], **fields: str) -> str:
    """One ``@misc`` by the book's authors, of this version's year, without empty fields."""
    authors = " and ".join(f"{{{tex(a['name'])}}}" for a in book["authors"])
    every = {"author": authors, **fields, "year": str(book["date-released"])[:4]}
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in every.items() if value)
    return f"@misc{{{book['short']}:{key},\n{body}}}\n"
