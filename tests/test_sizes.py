"""No chapter is longer than a reader's patience, and each name of a part means one thing."""

import re
from pathlib import Path

import jupytext
import pytest

from featurebook.press.book.places import Chapter, chapters
from featurebook.press.run import parameters

ROOT = Path(__file__).resolve().parents[1]
LINES, PARAMETERS = 600, 15
STORY_WORDS = 2500
UNSEEN = re.compile(r"\A(# .*\n|#\n)+|^:\w+:.*\n|^[`:]{3,}(\{.*)?\n", re.MULTILINE)
"""What a reader of the page does not see: the notebook's head, options and fences of directives."""


def too_large(chapter: Chapter) -> list[str]:
    """What is larger in a chapter than it may be, a line each."""
    where = f"notebooks/{chapter.address}.py"
    text = UNSEEN.sub("", chapter.notebook.read_text(encoding="utf-8"))
    cells = jupytext.reads(text, fmt="py:percent").cells
    lines = len(text.splitlines())
    found = [
        f"{where}: {count} {what}, at most {most}"
        for what, count, most in (
            ("lines", lines, LINES),
            ("parameters", len(parameters.read(chapter.notebook)), PARAMETERS),
        )
        if count > most
    ]
    if chapter.name == "story":
        prose = " ".join(c.source for c in cells if c.cell_type == "markdown")
        if (words := len(prose.split())) > STORY_WORDS:
            found.append(f"{where}: {words} words, at most {STORY_WORDS} in a story")
    return found


@pytest.mark.parametrize("chapter", chapters(ROOT), ids=lambda c: c.address)
def test_a_chapter_is_short(chapter: Chapter) -> None:
    found = too_large(chapter)
    assert not found, "\n".join(found)


def test_what_is_too_large_is_named(book: Path) -> None:
    (chapter,) = chapters(book)
    assert too_large(chapter) == []
    text = chapter.notebook.read_text(encoding="utf-8")
    many = "".join(f"p{k}: int = 1  # a name [1, 2]\n" for k in range(16))
    text = text.replace('# %% tags=["parameters"]\n', f'# %% tags=["parameters"]\n{many}')
    chapter.notebook.write_text(f"{text}\n# %% [markdown]\n" + "x\n" * 600, encoding="utf-8")
    said = "\n".join(too_large(chapter))
    where = "notebooks/toy/story.py: "
    for what in (
        f"{where}6", " lines, at most 600",
        f"{where}21 parameters, at most 15",
    ):  # fmt: skip
        assert what in said, what


@pytest.mark.parametrize("chapter", chapters(ROOT), ids=lambda c: c.address)
def test_every_parameter_says_what_it_is_and_what_it_may_be(chapter: Chapter) -> None:
    for name, parameter in parameters.read(chapter.notebook).items():
        assert parameter.help, name
        assert parameter.allowed or parameter.type not in ("int", "float"), name
