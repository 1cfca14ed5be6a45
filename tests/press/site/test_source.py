"""The folder that Sphinx reads is a book of links, with executed notebooks at their pages."""

from featurebook.press.book.places import find_chapter
from featurebook.press.site.source import gather


def test_it_reads_like_the_book_and_has_the_executed_notebooks(book):
    toy = find_chapter(book, "toy")
    toy.executed.write_text("executed")
    mine = toy.part.folder / "story.ipynb"
    mine.write_text("a reader's own")
    source = gather(book)
    assert gather(book) == source  # made anew
    page = source / "notebooks" / "toy" / "story.ipynb"
    assert page.read_text() == "executed"
    there = find_chapter(source, "toy")
    assert there.executed.read_text() == "executed"
    assert there.notebook.read_text() == toy.notebook.read_text()
    assert there.part.claims.is_file()
    assert there.part.scale("tiny").is_file()
    assert mine.read_text() == "a reader's own"
    assert toy.executed.read_text() == "executed"
