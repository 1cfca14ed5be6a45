"""Every story has exercises, and their folded answers are what their commands and lines say."""

import doctest
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import jupytext
import pytest

from featurebook.press.book.places import Part, find_chapter, papers
from featurebook.press.run import conditions, parameters

ROOT = Path(__file__).resolve().parents[1]
FEATUREBOOK = Path(sys.executable).with_name("featurebook")
PARTS = papers(ROOT)
of_part = pytest.mark.parametrize("part", PARTS, ids=lambda p: p.name)
BLOCK = re.compile(
    r"^(?P<fence>`{3,})\{(?P<kind>exercise|solution)\}(?P<label>[^\n]*)\n(?P<body>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"`(featurebook run [^`]+)`")
LINES = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Exercise:
    """A question of a story and its answer, as MyST."""

    label: str
    question: str
    answer: str


def exercises(part: Part) -> list[Exercise]:
    """What the story of a part asks."""
    cells = jupytext.read(part.chapters[0].notebook).cells
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    blocks = list(BLOCK.finditer(text))
    answers = {b["label"].strip(): b["body"] for b in blocks if b["kind"] == "solution"}
    asked = [b["body"] for b in blocks if b["kind"] == "exercise"]
    labels = [re.findall(r"^:label: (\S+)$", body, flags=re.MULTILINE)[0] for body in asked]
    assert set(answers) == set(labels), part.name
    return [Exercise(n, q, answers[n]) for n, q in zip(labels, asked, strict=True)]


EXERCISES = [e for part in PARTS for e in exercises(part)]
COMPUTED = [e for e in EXERCISES if LINES.search(e.answer)]
RUN = [e for e in EXERCISES if e not in COMPUTED]
by_label = {"ids": lambda e: e.label}


@of_part
def test_a_story_ends_with_exercises(part: Part) -> None:
    found = exercises(part)
    assert 1 <= len(found) <= 4
    for exercise in found:
        assert ":class: dropdown" in exercise.answer, f"{exercise.label}: its answer is not folded"
    assert 2 * sum(e in COMPUTED for e in found) >= len(found), f"{part.name}: too few computed"


@pytest.mark.parametrize("exercise", EXERCISES, **by_label)
def test_an_answer_is_computed_by_a_command_that_runs(exercise: Exercise) -> None:
    commands = COMMAND.findall(exercise.question + exercise.answer)
    assert commands or exercise in COMPUTED, f"{exercise.label}: nothing computes its answer"
    for command in commands:
        address, *options = shlex.split(command)[2:]
        settings = dict(parameters.parse_setting(x) for x in options if x != "-p")
        chapter = find_chapter(ROOT, address)
        known = parameters.read(chapter.notebook)
        values = {name: p.default for name, p in known.items()}
        values |= parameters.validate(known, settings)
        conditions.check(chapter.notebook, values)


@pytest.mark.parametrize("exercise", RUN, **by_label)
def test_the_command_of_an_answer_runs_at_the_tiny_scale(exercise: Exercise, tmp_path) -> None:
    for command in COMMAND.findall(exercise.question + exercise.answer):
        out = tmp_path / "answer.ipynb"
        tiny = [*shlex.split(command)[1:], "--scale", "tiny", "-o", str(out)]
        done = subprocess.run([FEATUREBOOK, *tiny], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert out.is_file()


@pytest.mark.parametrize("exercise", COMPUTED, **by_label)
def test_the_lines_of_an_answer_give_what_it_says(exercise: Exercise) -> None:
    source = "\n".join(LINES.findall(exercise.answer))
    lines = doctest.DocTestParser().get_doctest(source, {}, exercise.label, None, 0)
    said: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(lines, out=said.append)
    assert tried
    assert not failed, "\n".join(said)
