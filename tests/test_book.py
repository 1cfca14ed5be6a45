"""The book as a whole: claims, directives, parameters and verdicts agree."""

import re
from importlib.util import find_spec
from pathlib import Path

import jupytext
import pytest

from featurebook.press.book.places import SCALES, Chapter, Part, chapters, papers, parts
from featurebook.press.claims import checks, evidence, statements
from featurebook.press.run import experiments, parameters

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = chapters(ROOT)
PARTS = papers(ROOT)


def test_only_the_part_about_the_book_claims_nothing() -> None:
    assert {part.name for part in parts(ROOT)} - {part.name for part in PARTS} == {"book"}


@pytest.mark.parametrize("part", PARTS, ids=lambda p: p.name)
def test_claims_and_directives_agree(part: Part) -> None:
    known = statements.read(part.claims).claims
    assert checks.structure_problems(known) + checks.label_problems(part) == []


@pytest.mark.parametrize("part", PARTS, ids=lambda p: p.name)
def test_a_part_begins_with_its_story_and_every_scale_is_valid(part: Part) -> None:
    assert part.chapters[0].name == "story"
    parameters.of_part(part)
    for chapter in part.chapters:
        for scale in SCALES:
            parameters.at_scale(chapter, scale)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.address)
def test_figures_have_captions_and_alternative_text(chapter: Chapter) -> None:
    names = []
    for cell in jupytext.read(chapter.notebook).cells:
        if "figure" in (style := cell.metadata.get("mystnb", {})):
            names.append(style["figure"]["name"])
            start = "ledger-fig-" if chapter.part.name == "book" else f"{chapter.part.name}-fig-"
            assert names[-1].startswith(start)
            assert len(style["figure"]["caption"]) > 20
            assert len(style["image"]["alt"]) > 20, names[-1]
    assert len(set(names)) == len(names)
    headed = re.findall(r"^# %%.*mystnb=", chapter.notebook.read_text(encoding="utf-8"), re.M)
    assert len(names) == len(headed), "a header that is no JSON, such as quotes in a caption"


def test_no_chapter_is_named_like_a_package() -> None:
    """Whoever works in its folder would import the chapter instead."""
    known = {c.name: find_spec(c.name) for c in CHAPTERS}  # a mere folder has no origin
    assert not {name for name, spec in known.items() if spec and spec.origin}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.address)
def test_notebooks_import_one_thing_of_the_press(chapter: Chapter) -> None:
    text = chapter.notebook.read_text(encoding="utf-8")
    used = set(re.findall(r"featurebook\.press(?:\.\w+)*(?: import (?:\w+))?", text))
    allowed = {"featurebook.press import show", "featurebook.press.show import require"}
    assert chapter.part.name == "book" or used <= allowed


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_what_a_claim_rests_on_is_used(part: Part) -> None:
    found = list(evidence.problems(part))
    assert not found, "\n".join(found)


@pytest.mark.skipif(
    not all(c.executed.is_file() for c in CHAPTERS), reason="chapters not executed: make quick"
)
def test_verdicts_are_the_expected_ones() -> None:
    assert checks.problems(ROOT) == []


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_no_experiment_is_called_like_a_parameter(part: Part) -> None:
    claims = experiments.checks_of(part)
    assert claims is not None
    assert set(claims.experiments) & set(parameters.of_part(part)) == set()
