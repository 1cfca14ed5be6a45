"""No chapter is longer than a reader's patience, and each name of a part means one thing."""

import ast
from pathlib import Path

import jupytext
import pytest

from featurebook.press.book.places import Chapter, chapters
from featurebook.press.run import parameters

ROOT = Path(__file__).resolve().parents[1]
LINES, CELLS, CELL_LINES, PARAMETERS, FUNCTION_LINES = 1000, 45, 30, 15, 8
STORY_WORDS = 2500


def too_large(chapter: Chapter) -> list[str]:
    """What is larger in a chapter than it may be, a line each."""
    where = f"notebooks/{chapter.address}.py"
    cells = jupytext.read(chapter.notebook).cells
    code = [c.source for c in cells if c.cell_type == "code"]
    lines = len(chapter.notebook.read_text(encoding="utf-8").splitlines())
    found = [
        f"{where}: {count} {what}, at most {most}"
        for what, count, most in (
            ("lines", lines, LINES),
            ("code cells", len(code), CELLS),
            ("parameters", len(parameters.read(chapter.notebook)), PARAMETERS),
        )
        if count > most
    ]
    for source in code:
        if (long := len(source.splitlines())) > CELL_LINES:
            start = source.partition("\n")[0]
            found.append(f"{where}: a cell of {long} lines, at most {CELL_LINES}: {start}")
        for node in ast.walk(ast.parse(_plain(source))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                long = (node.end_lineno or 0) - node.lineno + 1
                if long > FUNCTION_LINES:
                    said = f"def {node.name} has {long} lines, at most {FUNCTION_LINES}"
                    found.append(f"{where}: {said}")
    if chapter.name == "story":
        prose = " ".join(c.source for c in cells if c.cell_type == "markdown")
        if (words := len(prose.split())) > STORY_WORDS:
            found.append(f"{where}: {words} words, at most {STORY_WORDS} in a story")
    return found


def _plain(source: str) -> str:
    """A cell without IPython's own commands."""
    return "\n".join("pass" if x.lstrip().startswith(("%", "!")) else x for x in source.split("\n"))


@pytest.mark.parametrize("chapter", chapters(ROOT), ids=lambda c: c.address)
def test_a_chapter_is_short(chapter: Chapter) -> None:
    found = too_large(chapter)
    assert not found, "\n".join(found)


def test_what_is_too_large_is_named(book: Path) -> None:
    (chapter,) = chapters(book)
    assert too_large(chapter) == []
    long = "def f():\n" + "    x = 1\n" * 8
    cells = "# %%\nx = 1\n" * 50 + f"# %%\n{long}\n# %%\n" + "x = 1\n" * 31
    text = chapter.notebook.read_text(encoding="utf-8")
    many = "".join(f"p{k}: int = 1  # a name [1, 2]\n" for k in range(16))
    text = text.replace('# %% tags=["parameters"]\n', f'# %% tags=["parameters"]\n{many}')
    chapter.notebook.write_text(
        f"{text}\n# %% [markdown]\n" + "# x\n" * 1000 + cells, encoding="utf-8"
    )
    said = "\n".join(too_large(chapter))
    where = "notebooks/toy/story.py: "
    for what in (
        f"{where}1", " lines, at most 1000", f"{where}55 code cells, at most 45",
        f"{where}21 parameters, at most 15", "a cell of 31 lines, at most 30: x = 1",
        f"{where}def f has 9 lines, at most 8",
    ):  # fmt: skip
        assert what in said, what


@pytest.mark.parametrize("chapter", chapters(ROOT), ids=lambda c: c.address)
def test_every_parameter_says_what_it_is_and_what_it_may_be(chapter: Chapter) -> None:
    for name, parameter in parameters.read(chapter.notebook).items():
        assert parameter.help, name
        assert parameter.allowed or parameter.type not in ("int", "float"), name
