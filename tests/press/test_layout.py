"""Where things are."""

import pytest

from featurebook.press.layout import BookError, Chapter, chapters, find_chapter, find_root


def test_one_stem_runs_through_a_chapters_files(book):
    toy = Chapter(book, "toy")
    assert toy.notebook.is_file()
    assert toy.claims.is_file()
    assert toy.scale("tiny").is_file()
    assert toy.scale("quick") is None
    assert toy.executed == toy.executed_at("quick") == book / "notebooks" / "toy.ipynb"
    assert toy.executed_at("paper").parent == book / "_build" / "notebooks"
    assert len({toy.executed_at(s) for s in ("tiny", "quick", "paper")}) == 3


def test_the_order_is_that_of_the_contents(book):
    (book / "_toc.yml").write_text(
        "root: book/index\nchapters: [{file: notebooks/z}, {url: 'https://example.org'}]\n"
        "parts: [{chapters: [{file: notebooks/b}, {file: book/p}, {file: notebooks/a}]}]\n"
    )
    assert [c.stem for c in chapters(book)] == ["z", "b", "a"]


def test_the_nearest_name_is_offered(book):
    assert find_chapter(book, "toy").stem == "toy"
    with pytest.raises(BookError, match="no chapter 'tyo'; did you mean 'toy'") as error:
        find_chapter(book, "tyo")
    assert "\n" not in str(error.value)


def test_the_root_is_above_or_named(book, tmp_path, monkeypatch):
    assert find_root() == book.resolve()
    monkeypatch.delenv("FEATUREBOOK_ROOT")
    assert find_root(book / "notebooks" / "scales") == book.resolve()


def test_without_a_book_it_says_so(tmp_path, monkeypatch):
    monkeypatch.delenv("FEATUREBOOK_ROOT", raising=False)
    from featurebook.press import layout

    monkeypatch.setattr(layout, "__file__", str(tmp_path / "a" / "b" / "c" / "d.py"))
    with pytest.raises(BookError, match="no book at or above"):
        find_root(tmp_path)
