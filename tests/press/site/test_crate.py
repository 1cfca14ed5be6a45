"""The crate's description keeps the rules of RO-Crate 1.1, and names files that are there."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.book.places import parts
from featurebook.press.run import provenance
from featurebook.press.site import crate
from featurebook.press.site.publish import Home

CITATION = """title: "Toys: a book"
abstract: About toys.
authors: [{name: the makers}]
version: 0.1
date-released: "2031-01-02"
license: [MIT]
"""


@pytest.fixture
def site(book: Path) -> Path:
    """A built site of the toy book, as far as the crate looks at it."""
    (book / "CITATION.cff").write_text(CITATION)
    with (book / "book" / "claims" / "toy.yaml").open("a") as file:
        file.write("works: [doe]\nfinding: It is.\n")
    (book / "book" / "references.bib").write_text(
        "@article{doe, author = {Doe, Ann}, title = {Toys}, journal = {J}, year = {2030}}"
    )
    (toy,) = parts(book)
    card = new_output("display_data", {provenance.MIME: {"commit": "abc"}})
    made = new_notebook(cells=[new_code_cell("x", outputs=[card])])
    nbformat.write(made, toy.chapters[0].executed)
    site = book / "_build" / "html"
    place = site / "_sources" / "notebooks" / "toy" / "story.ipynb"
    place.parent.mkdir(parents=True)
    nbformat.write(made, place)
    (site / "errata.csv").write_text("id\n")
    return site


def things(book: Path, site: Path, home: Home | None = None) -> dict[str, dict[str, Any]]:
    crate.write(book, site, home)
    found = json.loads((site / crate.NAME).read_text(encoding="utf-8"))
    assert found["@context"] == "https://w3id.org/ro/crate/1.1/context"
    ids = [x["@id"] for x in found["@graph"]]
    assert len(ids) == len(set(ids))
    return {x["@id"]: x for x in found["@graph"]}


def test_it_has_a_descriptor_a_root_and_files_that_are_there(book: Path, site: Path) -> None:
    found = things(book, site)
    about = found["ro-crate-metadata.json"]
    assert about["about"] == {"@id": "./"}
    assert about["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    root = found["./"]
    assert root["@type"] == "Dataset"
    for name in ("name", "description", "datePublished", "license"):
        assert root[name]
    files = {x["@id"] for x in root["hasPart"]}
    assert files == {"_sources/notebooks/toy/story.ipynb", "errata.csv"}
    assert all((site / name).is_file() for name in files)
    assert all("File" in found[name]["@type"] for name in files)


def test_every_id_that_is_named_is_described(book: Path, site: Path) -> None:
    found = things(book, site)

    def named(value: Any) -> list[str]:
        if isinstance(value, dict):
            return [value["@id"]] if set(value) == {"@id"} else []
        return [n for v in value for n in named(v)] if isinstance(value, list) else []

    for thing in found.values():
        for value in thing.values():
            assert {n for n in named(value) if n != crate.VERSION} <= set(found)


def test_a_notebook_says_what_it_is_about_and_what_made_it(book: Path, site: Path) -> None:
    found = things(book, site)
    notebook = found["_sources/notebooks/toy/story.ipynb"]
    assert notebook["version"] == "abc"
    assert found[notebook["about"][0]["@id"]]["creator"] == "Ann Doe"
    (run,) = (x for x in found.values() if x["@type"] == "CreateAction")
    assert run["name"] == "featurebook run toy/story"
    assert run["result"] == {"@id": notebook["@id"]}


def test_the_address_is_said_where_it_is_known(book: Path, site: Path) -> None:
    assert "url" not in things(book, site)["./"]
    found = things(book, site, Home("Doe/toys"))["./"]
    assert found["url"] == "https://doe.github.io/toys/"
