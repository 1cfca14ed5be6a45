"""Every chapter has exercises, and their answers are what their lines give."""

import doctest
import re
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import jupytext
import pytest

from featurebook.press.book.places import STORY, Chapter, Part, find_chapter, papers
from featurebook.press.run import conditions, parameters
from featurebook.press.site.exercises import field

ROOT = Path(__file__).resolve().parents[1]
FEATUREBOOK = Path(sys.executable).with_name("featurebook")
PARTS = papers(ROOT)
OTHERS = [c for part in PARTS for c in part.chapters if c.name != STORY]
"""The chapters that are no stories."""
BLOCK = re.compile(
    r"^(?P<fence>`{3,})\{(?P<kind>exercise|solution|admonition)\}(?P<title>[^\n]*)\n"
    r"(?P<body>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
LABEL = re.compile(r"^:label: (\S+)$", re.MULTILINE)
COMMAND = re.compile(r"`(featurebook run [^`]+)`")
LINES = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"\{answer\}`([^`]+)`")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
HINTS = ["First hint", "Second hint"]
of_part = pytest.mark.parametrize("part", PARTS, ids=lambda p: p.name)
of_chapter = pytest.mark.parametrize("chapter", OTHERS, ids=lambda c: c.address)


@dataclass(frozen=True)
class Exercise:
    """A question of a chapter, its hints and its answer, as MyST."""

    label: str
    question: str
    hints: tuple[tuple[str, str], ...]
    """Title and text of each."""
    answer: str

    @property
    def computed(self) -> bool:
        """Whether lines of Python compute its answer."""
        return LINES.search(self.answer) is not None


def exercises(chapter: Chapter) -> list[Exercise]:
    """What a chapter asks; hints and solution follow the question that they belong to."""
    cells = jupytext.read(chapter.notebook).cells
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    found: list[Exercise] = []
    question, hints = "", []
    for block in BLOCK.finditer(text):
        title = block["title"].strip()
        if block["kind"] == "exercise":
            assert not question, f"{question} has no solution"
            question = block["body"]
        elif block["kind"] == "solution":
            assert LABEL.findall(question) == [title], f"{title} follows another question"
            found.append(Exercise(title, question, tuple(hints), block["body"]))
            question, hints = "", []
        elif question:
            hints.append((title, block["body"]))
    assert not question, f"{question} has no solution"
    return found


OF_CHAPTER = {c.address: exercises(c) for part in PARTS for c in part.chapters}
EXERCISES = [e for found in OF_CHAPTER.values() for e in found]
by_label = {"ids": lambda e: e.label}
of_exercise = pytest.mark.parametrize("exercise", EXERCISES, **by_label)


def of(part: Part) -> list[Exercise]:
    """All exercises of a part."""
    return [e for chapter in part.chapters for e in OF_CHAPTER[chapter.address]]


def test_labels_are_unique() -> None:
    assert [n for n, times in Counter(e.label for e in EXERCISES).items() if times > 1] == []


@of_part
def test_a_story_ends_with_exercises(part: Part) -> None:
    found = OF_CHAPTER[f"{part.name}/{STORY}"]
    assert 1 <= len(found) <= 4
    assert 2 * sum(e.computed for e in found) >= len(found), f"{part.name}: too few computed"


@of_chapter
def test_a_chapter_has_an_exercise_with_hints_in_stages(chapter: Chapter) -> None:
    found = OF_CHAPTER[chapter.address]
    assert 1 <= len(found) <= 2
    assert "\n## Exercises\n" in chapter.notebook.read_text(encoding="utf-8")
    for exercise in found:
        label = f"{chapter.part.name}-exercise-"
        assert exercise.label.startswith(label), f"{exercise.label}: not {label}..."
        assert [title for title, _ in exercise.hints] == HINTS, f"{exercise.label}: its hints"


@of_part
def test_at_most_one_in_three_only_runs_a_command(part: Part) -> None:
    found = of(part)
    run = [e.label for e in found if not e.computed]
    assert 3 * len(run) <= len(found), f"only commands: {run}"


@of_exercise
def test_answer_and_hints_are_folded(exercise: Exercise) -> None:
    assert exercise.answer.startswith(":class: dropdown\n"), f"{exercise.label}: its answer"
    for title, text in exercise.hints:
        assert text.startswith(":class: hint dropdown\n"), f"{exercise.label}: {title}"


@of_exercise
def test_a_typed_answer_is_what_the_lines_print(exercise: Exercise) -> None:
    for typed in TYPED.findall(exercise.question):
        found = re.search(r'data-value="(.*?)" data-within="(.*?)"', field(typed))
        assert found is not None
        value, within = map(float, found.groups())
        examples = (doctest.DocTestParser().get_examples(x) for x in LINES.findall(exercise.answer))
        printed = [float(n) for some in examples for e in some for n in NUMBER.findall(e.want)]
        assert any(abs(n - value) <= within for n in printed), f"{exercise.label}: {typed}"


@of_exercise
def test_an_answer_is_computed_by_a_command_that_runs(exercise: Exercise) -> None:
    commands = COMMAND.findall(exercise.question + exercise.answer)
    assert commands or exercise.computed, f"{exercise.label}: nothing computes its answer"
    for command in commands:
        address, *options = shlex.split(command)[2:]
        settings = dict(parameters.parse_setting(x) for x in options if x != "-p")
        chapter = find_chapter(ROOT, address)
        known = parameters.read(chapter.notebook)
        values = {name: p.default for name, p in known.items()}
        values |= parameters.validate(known, settings)
        conditions.check(chapter.notebook, values)


@pytest.mark.parametrize("exercise", [e for e in EXERCISES if not e.computed], **by_label)
def test_the_command_of_an_answer_runs_at_the_tiny_scale(exercise: Exercise, tmp_path) -> None:
    for command in COMMAND.findall(exercise.question + exercise.answer):
        out = tmp_path / "answer.ipynb"
        tiny = [*shlex.split(command)[1:], "--scale", "tiny", "-o", str(out)]
        done = subprocess.run([FEATUREBOOK, *tiny], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert out.is_file()


@pytest.mark.parametrize("exercise", [e for e in EXERCISES if e.computed], **by_label)
def test_the_lines_of_an_answer_give_what_it_says(exercise: Exercise) -> None:
    source = "\n".join(LINES.findall(exercise.answer))
    lines = doctest.DocTestParser().get_doctest(source, {}, exercise.label, None, 0)
    said: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(lines, out=said.append)
    assert tried
    assert not failed, "\n".join(said)
