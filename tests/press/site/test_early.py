"""A new book shows its first story while the rest is computed."""

import sys
import time
from pathlib import Path
from shutil import copyfile

import pytest

from featurebook.press.book.places import chapters
from featurebook.press.book.processes import end_with_children
from featurebook.press.run import refresh
from featurebook.press.site import bind, early


@pytest.fixture
def said(book, monkeypatch):
    """The lines said; a stand-in executes, and another binds, once a line is written to it."""
    lines = []
    monkeypatch.setattr(early, "say", lines.append)
    monkeypatch.setattr(early, "WORTH_IT", 1)
    monkeypatch.setattr(refresh, "refresh", lambda jobs, workers: None)
    write = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.parent.mkdir(parents=True); "
    write += "p.write_text(pathlib.Path(sys.argv[2]).read_text())"

    def command(source, output):
        page = output / "_build" / "html" / chapters(book)[0].page
        return [sys.executable, "-c", write, str(page), str(output / "toc.yml")]

    monkeypatch.setattr(bind, "jupyter_book", command)
    config = "title: toy\nsphinx: {config: {html_theme_options: {}}}\n"
    (book / "_config.yml").write_text(config)
    return lines


def wait_for(lines):
    until = time.monotonic() + 20
    while not lines and time.monotonic() < until:
        time.sleep(0.05)


def test_its_address_is_said_while_the_rest_is_computed(book, said):
    with early.story(chapters(book)):
        wait_for(said)
        (line,) = said
        page = book / "_build" / "early" / "_build" / "html" / chapters(book)[0].page
        assert line == f"Meanwhile, you can read {page.as_uri()}"
        assert "root: notebooks/toy/story" in page.read_text()
        banner = (book / "_build" / "early" / "source" / "_config.yml").read_text()
        assert early.BANNER in " ".join(banner.split())
    assert not page.exists()


def test_there_is_none_where_there_is_a_site(book, said):
    site = bind.index(book)
    site.parent.mkdir(parents=True)
    site.write_text("the site")
    with early.story(chapters(book)):
        assert not (book / "_build" / "early").exists()


def test_an_error_of_the_rest_comes_through(book, said):
    with pytest.raises(ValueError, match="of the rest"), early.story(chapters(book)):
        raise ValueError("of the rest")
    assert not (book / "_build" / "early").exists()


ROOT = Path(__file__).resolve().parents[3]
FIRST = chapters(ROOT)[0]


@pytest.mark.browser  # when the chapters have been executed
@pytest.mark.skipif(not FIRST.executed.is_file(), reason="no story is executed: make quick")
def test_the_binder_makes_the_page_of_this_book(tmp_path, monkeypatch):
    for path in ROOT.iterdir():
        if path.name not in ("_build", ".git"):
            (tmp_path / path.name).symlink_to(path)
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(tmp_path))
    first = chapters(tmp_path)[0]
    first.executed.parent.mkdir(parents=True)
    copyfile(FIRST.executed, first.executed)
    (folder := tmp_path / "_build" / "early").parent.mkdir(exist_ok=True)
    monkeypatch.setattr(early, "say", (lines := []).append)
    binding = early._begin(first, folder)
    try:
        assert binding.wait(timeout=300) == 0
    finally:
        end_with_children(binding.pid)
    page = (folder / "_build" / "html" / first.page).read_text(encoding="utf-8")
    assert early.BANNER in page
    assert "verdict" in page
    wait_for(lines)
    assert lines[0].startswith("Meanwhile, you can read file://")
