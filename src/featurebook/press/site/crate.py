"""What the site is made of, for archives and other programs: ``ro-crate-metadata.json``.

RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) is one JSON-LD file beside the data: it names the
executed notebooks, what each was made by, the tables that one may reuse, and the papers.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat

from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import Chapter, chapters, papers
from featurebook.press.claims import citing
from featurebook.press.run import provenance
from featurebook.press.site import background
from featurebook.press.site.publish import Home

NAME = "ro-crate-metadata.json"
VERSION = "https://w3id.org/ro/crate/1.1"
TABLES = {
    "ledger.json": ("Every claim with its verdict", "application/json"),
    "ledger.schema.json": ("What the fields of ledger.json mean", "application/schema+json"),
    "errata.csv": ("What does not hold as printed", "text/csv"),
    "errata.atom": ("New, changed and withdrawn errata", "application/atom+xml"),
}
"""Reusable files of the site, with their content and media type."""
LICENCES = "https://spdx.org/licenses/"


def document(root: Path, site: Path, home: Home | None) -> dict[str, Any]:
    """The crate of a built site as JSON-LD: a flat list of things that name each other by ids.

    Args:
        site: the site's folder; missing files are left out.
        home: where it is published, if that is known.
    """
    book = citing.about_book(root)
    own = [c for c in chapters(root) if (site / _place(c)).is_file()]
    notebooks = [_notebook(c, read_notebook(c.executed)) for c in own]
    tables = [
        {"@id": name, "@type": "File", "name": text, "encodingFormat": kind}
        for name, (text, kind) in TABLES.items()
        if (site / name).is_file()
    ]
    known = citing.works(root)
    used = {key for part in papers(root) for key in background.of_part(part).works}
    whole = {
        "@id": "./",
        "@type": "Dataset",
        "name": str(book["title"]),
        "description": str(book["abstract"]),
        "version": str(book["version"]),
        "datePublished": str(book["date-released"]),
        "license": [{"@id": LICENCES + name} for name in book["license"]],
        "author": [{"@id": f"#{_slug(a['name'])}"} for a in book["authors"]],
        "hasPart": [{"@id": x["@id"]} for x in (*notebooks, *tables)],
        "citation": [{"@id": f"#{key}"} for key in sorted(used)],
        "mentions": [{"@id": f"#run-{_slug(c.address)}"} for c in own],
        **({"url": home.site, "isBasedOn": home.source} if home else {}),
    }
    about = {
        "@id": NAME,
        "@type": "CreativeWork",
        "conformsTo": {"@id": VERSION},
        "about": {"@id": "./"},
    }
    people = [
        {"@id": f"#{_slug(a['name'])}", "@type": "Organization", "name": a["name"]}
        for a in book["authors"]
    ]
    licences = [
        {"@id": LICENCES + name, "@type": "CreativeWork", "name": name} for name in book["license"]
    ]
    program = {"@id": "#featurebook", "@type": "SoftwareApplication", "name": str(book["short"]),
               "version": str(book["version"])}  # fmt: skip
    graph = [
        about, whole, *notebooks, *(_run(c) for c in own), *tables, program, *people, *licences,
        *(_work(key, known[key]) for key in sorted(used)),
    ]  # fmt: skip
    return {"@context": f"{VERSION}/context", "@graph": graph}


def write(root: Path, site: Path, home: Home | None) -> None:
    """Write the crate's description beside the pages."""
    text = json.dumps(document(root, site, home), indent=1, ensure_ascii=False)
    (site / NAME).write_text(text, encoding="utf-8")


def _place(chapter: Chapter) -> str:
    """The executed notebook, from the site's root."""
    return f"_sources/notebooks/{chapter.address}.ipynb"


def _notebook(chapter: Chapter, executed: nbformat.NotebookNode) -> dict[str, Any]:
    facts: Mapping[str, Any] = (outputs(executed, provenance.MIME) or [{}])[-1]
    found: dict[str, Any] = {
        "@id": _place(chapter),
        "@type": ["File", "SoftwareSourceCode"],
        "name": chapter.title,
        "encodingFormat": "application/x-ipynb+json",
        "programmingLanguage": "Python",
    }
    if "commit" in facts:
        found["version"] = str(facts["commit"])
    if chapter.part.claims.is_file():
        found["about"] = _ids(background.of_part(chapter.part).works)
    return found


def _run(chapter: Chapter) -> dict[str, Any]:
    """How the notebook was executed, with the command."""
    return {
        "@id": f"#run-{_slug(chapter.address)}",
        "@type": "CreateAction",
        "name": f"featurebook run {chapter.address}",
        "instrument": {"@id": "#featurebook"},
        "result": {"@id": _place(chapter)},
    }


def _work(key: str, work: citing.Work) -> dict[str, Any]:
    venue, year = citing.venue(work), work.fields.get("year", "")
    return {
        "@id": f"#{key}",
        "@type": "ScholarlyArticle",
        "name": citing.unbraced(work.fields["title"]),
        "creator": ", ".join(citing.full_names(work)),
        **({"publisher": venue} if venue else {}),
        **({"datePublished": year} if year else {}),
    }


def _ids(keys: Sequence[str]) -> list[dict[str, str]]:
    return [{"@id": f"#{key}"} for key in keys]


def _slug(name: str) -> str:
    return name.replace(" ", "-").replace("/", "-")
