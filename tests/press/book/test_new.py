"""A new part of the book is whole, and takes nothing that is there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from featurebook.cli import app
from featurebook.press.book import new
from featurebook.press.book.places import BookError, find_chapter, papers
from featurebook.verdicts import OUTCOMES

ROOT = Path(__file__).resolve().parents[3]
TOC = """format: jb-book
root: book/index
parts:
  - chapters:
      - file: notebooks/toy/story
  - chapters:
      - file: notebooks/book/ledger
      - file: book/errata
        sections:
          - file: book/errata/toy
      - file: book/trials
"""


@pytest.fixture
def shelf(book):
    (book / "_toc.yml").write_text(TOC, encoding="utf-8")
    (book / "book" / "references.bib").write_text("@misc{doe, title = {On toys}}\n")
    return book


def test_a_new_part_belongs_to_the_book(shelf):
    made = new.create(shelf, "walks")
    assert [part.name for part in papers(shelf)] == ["toy", "walks"]
    assert find_chapter(shelf, "walks/walks").notebook in made
    toc = (shelf / "_toc.yml").read_text(encoding="utf-8")
    assert "          - file: book/errata/toy\n          - file: book/errata/walks\n" in toc
    assert "@misc{walks," in (shelf / "book" / "references.bib").read_text(encoding="utf-8")
    assert not any("PART" in path.read_text(encoding="utf-8") for path in made)


def test_its_python_is_as_the_book_wants_it(shelf, tmp_path):
    made = new.create(shelf, "walks")
    for path in made:
        if path.suffix == ".py":
            compile(path.read_text(encoding="utf-8"), str(path), "exec")
            assert all(len(x) <= 100 for x in path.read_text().splitlines() if "mystnb" not in x)


@pytest.mark.parametrize("name", ["Walks", "2walks", "class", "a-b", "../x", ""])
def test_an_invalid_name_is_refused(shelf, name):
    with pytest.raises(BookError, match="cannot name a part"):
        new.create(shelf, name)


def test_existing_files_are_never_overwritten(shelf):
    before = (shelf / "_toc.yml").read_text(encoding="utf-8")
    with pytest.raises(BookError, match="there is already a part toy"):
        new.create(shelf, "toy")
    mine = shelf / "tests" / "papers" / "walks" / "test_walks.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    result = CliRunner().invoke(app, ["new", "walks"])
    assert result.exit_code == 2
    assert "test_walks.py" in result.stderr
    assert mine.read_text() == "mine"
    assert (shelf / "_toc.yml").read_text(encoding="utf-8") == before


def contents(checkout: Path) -> dict[Path, bytes]:
    """Every file of a checkout, but what is built and compiled."""
    built = {"_build", "__pycache__"}
    files = [p for p in checkout.rglob("*") if p.is_file()]
    return {p.relative_to(checkout): p.read_bytes() for p in files if not built & {*p.parts}}


def test_a_new_part_runs_passes_its_tests_and_changes_two_other_files(tmp_path):
    for name in ("src", "book", "notebooks", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_toc.yml", "_config.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    around = {k: v for k, v in os.environ.items() if not k.startswith("FEATUREBOOK_")}
    around["PYTHONPATH"] = str(tmp_path / "src")

    def python(*line: str) -> str:
        command = [sys.executable, "-m", *line]
        ran = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    before = contents(tmp_path)
    python("featurebook", "new", "walks")
    found = json.loads(python("featurebook", "check", "walks", "--json"))
    assert {verdict["outcome"] for verdict in found} == set(OUTCOMES)
    python("featurebook", "run", "walks", "--scale", "tiny")
    python("pytest", "-p", "no:cacheprovider", "tests/papers/walks")

    after = contents(tmp_path)
    mine = {path for path in after if "walks" in str(path)}
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed - mine == {Path("_toc.yml"), Path("book/references.bib")}
    assert mine & set(before) == set()
