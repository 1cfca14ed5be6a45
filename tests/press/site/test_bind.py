"""A book that is not consistent is not bound, and a line says what is wrong with it."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.book.places import find_chapter
from featurebook.press.site import bind
from featurebook.press.site.bind import BuildError
from featurebook.verdicts import MIME
from runs import runs, wait_for
from stating import state

CLAIM = {"id": "toy-theorem-1", "number": "Theorem 1", "kind": "theorem", "text": "A sum."}


@pytest.fixture
def bound(book, monkeypatch):
    """Bind the toy book with these claims and verdicts, as far as Sphinx."""

    def bind_with(claims, verdicts):
        state(book, *claims)
        rest = {"measured": "", "numbers": {}, "samples": 1, "cells": []}
        data = [{MIME: {"claim": c, "outcome": o, **rest}} for c, o in verdicts]
        outputs = [new_output("display_data", d) for d in data]
        notebook = new_notebook(cells=[new_code_cell("x", outputs=outputs)])
        nbformat.write(notebook, find_chapter(book, "toy").executed)
        bind.build(book)

    def stopped(*_):
        raise AssertionError("a book with problems was bound")

    monkeypatch.setattr(bind, "write_pages", stopped)
    return bind_with


def test_what_is_broken_is_named(bound):
    with pytest.raises(BuildError, match="toy/story: toy-theorem-1 came out refuted, expected h"):
        bound([CLAIM | {"expected": "holds"}], [("toy-theorem-1", "refuted")])


def test_a_claim_that_cannot_be_read_is_named(bound):
    with pytest.raises(BuildError, match="toy-theorem-1: expected 'maybe': not one of"):
        bound([CLAIM | {"expected": "maybe"}], [])


def test_a_sound_book_goes_on(bound):
    with pytest.raises(AssertionError, match="was bound"):
        bound([CLAIM | {"expected": "holds"}], [("toy-theorem-1", "holds")])


def test_a_chapter_that_was_not_executed_is_named(book):
    with pytest.raises(BuildError, match="toy/story: not executed"):
        bind.build(book)


def test_pages_of_an_earlier_state_of_the_book_go(book, tmp_path):
    (book / "book" / "rerun.md").write_text("# Rerun")
    kept = ["notebooks/toy/story.html", "book/rerun.html", "index.html", "_static/a.html"]
    for name in (*kept, "notebooks/toy/old.html", "notebooks/gone/story.html", "book/gone.html"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text("a page")
    bind.remove_old_pages(book, tmp_path / "site")
    found = [p.relative_to(tmp_path / "site") for p in (tmp_path / "site").rglob("*.html")]
    assert sorted(map(str, found)) == sorted(kept)


def test_a_build_that_is_killed_leaves_no_sphinx_behind_that_would_write_into_the_next(
    book, monkeypatch
):
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)  # Sphinx finds `waits` where it runs
    (book / "_config.yml").write_text(
        "title: a\nexecute: {execute_notebooks: 'off'}\nsphinx: {local_extensions: {waits: '.'}}\n"
    )
    (book / "waits.py").write_text(
        "import os, pathlib, time\n\ndef setup(app):\n"
        "    pathlib.Path('pid').write_text(str(os.getpid()))\n    time.sleep(600)\n"
    )
    (book / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    (book / "book" / "index.md").write_text("# A book")
    code = "import pathlib; from featurebook.press.site import bind; root = pathlib.Path.cwd(); "
    runner = subprocess.Popen([sys.executable, "-c", f"{code}bind.bind(root, root)"], cwd=book)
    note = book / "pid"
    wait_for(lambda: note.exists() and note.read_text(), 120)
    sphinx = int(note.read_text())
    assert sphinx != runner.pid
    runner.kill()
    runner.wait()
    wait_for(lambda: not runs(sphinx), 20)
