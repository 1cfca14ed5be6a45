"""Where things are."""

import pytest

from featurebook.press.book.places import (
    BookError,
    Chapter,
    Part,
    chapters,
    find,
    find_chapter,
    find_root,
    papers,
    parts,
)


def test_one_name_runs_through_a_parts_files(book):
    part = Part(book, "toy")
    toy = Chapter(part, "story")
    assert part.claims.is_file()
    assert part.scale("tiny").is_file()
    assert part.scale("quick") is None
    assert part.chapters == [toy]
    assert toy.notebook.is_file()
    assert toy.address == "toy/story"
    assert (
        toy.executed
        == toy.executed_at("quick")
        == book / "_build" / "notebooks" / "toy" / "story.ipynb"
    )
    assert toy.executed_at("paper").parent == book / "_build" / "notebooks" / "toy"
    assert len({toy.executed_at(s) for s in ("tiny", "quick", "paper")}) == 3


@pytest.fixture
def larger(book):
    (book / "_toc.yml").write_text(
        "root: book/index\n"
        "chapters: [{file: notebooks/z/story}, {url: 'https://example.org'}]\n"
        "parts:\n"
        "  - chapters:\n"
        "      - file: notebooks/b/story\n"
        "        sections: [{file: notebooks/b/tables}, {file: notebooks/b/proofs}]\n"
        "      - file: book/p\n"
        "      - file: notebooks/toy/story\n"
    )
    return book


def test_the_order_is_that_of_the_contents(larger):
    found = [c.address for c in chapters(larger)]
    assert found == ["z/story", "b/story", "b/tables", "b/proofs", "toy/story"]
    assert [p.name for p in parts(larger)] == ["z", "b", "toy"]
    assert [p.name for p in papers(larger)] == ["toy"]  # the others claim nothing


def test_a_name_stands_for_a_chapter_or_all_of_a_part(larger):
    assert [c.address for c in find(larger, "b/tables")] == ["b/tables"]
    assert [c.name for c in find(larger, "b")] == ["story", "tables", "proofs"]
    assert find_chapter(larger, "toy").address == "toy/story"
    with pytest.raises(BookError, match="a part of 3 chapters; name one: b/story, b/tables"):
        find_chapter(larger, "b")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tyo", "no part or chapter 'tyo'; did you mean 'toy'"),
        ("b/table", "no chapter 'b/table'; b has b/story, b/tables, b/proofs"),
        ("", "no part or chapter ''"),
    ],
)
def test_the_nearest_name_is_offered(larger, name, message):
    with pytest.raises(BookError, match=message) as error:
        find(larger, name)
    assert "\n" not in str(error.value)


def test_the_root_is_above_or_named(book, monkeypatch):
    assert find_root() == book.resolve()
    monkeypatch.delenv("FEATUREBOOK_ROOT")
    monkeypatch.chdir(book / "notebooks" / "toy")
    assert find_root() == book.resolve()


def test_a_named_root_must_be_a_book(tmp_path, monkeypatch):
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(tmp_path / "nowhere"))
    with pytest.raises(BookError, match="FEATUREBOOK_ROOT is"):
        find_root()


def test_without_a_book_it_says_so(tmp_path, monkeypatch):
    monkeypatch.delenv("FEATUREBOOK_ROOT", raising=False)
    from featurebook.press.book import places

    monkeypatch.setattr(places, "__file__", str(tmp_path / "a" / "b" / "c" / "d" / "e.py"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BookError, match="no book at or above"):
        find_root()
