"""`book/rerun.md` shows commands that exist and lines that the program prints."""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from featurebook import cli
from featurebook.press.book.places import find
from featurebook.press.claims import statements
from featurebook.press.run import grid, parameters

ROOT = Path(__file__).resolve().parents[1]
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("book/rerun.md", "README.md")}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
COMMANDS = [
    (page, line.partition("#")[0].strip().removesuffix("&").strip())
    for page, text in PAGES.items()
    for language, block in BLOCK.findall(text)
    if language == "bash"
    for line in block.splitlines()
    if line.startswith("featurebook ")
]
INLINE = [
    (page, code)
    for page, text in PAGES.items()
    for code in re.findall(r"`(featurebook \w+ [^`]+)`", BLOCK.sub("", text))
]


def shown() -> list[tuple[str, str]]:
    """Commands with what they are said to print."""
    blocks = [b for language, b in BLOCK.findall(PAGES["book/rerun.md"]) if language == "text"]
    pairs = (b.removeprefix("$ ").partition("\n") for b in blocks if b.startswith("$ featurebook"))
    return [(command, said) for command, _, said in pairs]


def test_examples_are_found():
    assert len(COMMANDS) > 15
    assert len(shown()) >= 1


@pytest.mark.parametrize(("page", "line"), [*COMMANDS, *INLINE])
def test_a_command_of_the_page_is_one_of_the_program(page, line):
    name, *words = shlex.split(line)[1:]
    command = get_command(cli.app).commands[name]
    if "..." in words or "ADDRESS" in line:
        return
    given = command.make_context(name, words).params
    part = next((given[k] for k in ("name", "names", "what") if given.get(k)), None)
    addresses = part if isinstance(part, list) else [part] if part else []
    for address in (a for a in addresses if not a.endswith(".ipynb")):
        chapters = find(ROOT, address)
        settings = given.get("parameter") or []
        if name == "sweep":
            axes = grid.read_axes(chapters[0].part, settings)
            pair = grid.side_by_side if given["zip_"] else grid.every_combination
            assert grid.of_chapter(chapters[0], given["scale"], [], pair(axes))
            assert set(axes) <= set(parameters.read(chapters[0].notebook))
        elif "parameter" in given:
            parameters.refuse_unused(chapters, settings)
            for c in chapters:
                parameters.final_values(c, given["scale"], [], settings)


@pytest.mark.parametrize(("command", "said"), shown())
def test_what_the_page_shows_is_what_the_program_prints(command, said, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(ROOT))
    result = CliRunner().invoke(cli.app, shlex.split(command)[1:])
    assert result.output == said


def test_the_origin_of_values_is_said_as_the_page_shows_it():
    (chapter,) = find(ROOT, "cone_sets/reconstruction")
    (line,) = re.findall(r"^  from --scale tiny: .*$", PAGES["book/rerun.md"], re.M)
    found = parameters.origins(parameters.layers(chapter, "tiny", [], []))
    assert f"  from --scale tiny: {', '.join(found['--scale tiny'])}" == line


def test_what_the_page_plots_is_a_number_of_the_chapter_that_it_sweeps():
    swept = next(line for _, line in COMMANDS if line.startswith("featurebook sweep"))
    (chapter,) = find(ROOT, shlex.split(swept)[2])
    ((x, y),) = re.findall(r'x="(\w+)", y="([\w.-]+)"', PAGES["book/rerun.md"])
    assert x in parameters.read(chapter.notebook)
    assert y.partition(".")[0] in statements.labels(chapter)
