"""The book as a whole: claims, directives and verdicts agree, and the wings keep apart."""

import re
from pathlib import Path

import jupytext
import pytest

from featurebook.press import claims, parameters, site
from featurebook.press.layout import SCALES, Chapter, chapters

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = [c for c in chapters(ROOT) if c.claims.is_file()]


def test_there_are_chapters_and_only_the_ledger_claims_nothing() -> None:
    assert {c.stem for c in chapters(ROOT)} - {c.stem for c in CHAPTERS} == {"ledger"}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.stem)
def test_claims_and_directives_agree(chapter: Chapter) -> None:
    known = claims.read(chapter.claims).claims
    assert claims.structure_problems(known) + claims.label_problems(chapter, known) == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.stem)
def test_every_scale_has_valid_parameters(chapter: Chapter) -> None:
    for scale in SCALES:
        parameters.at_scale(chapter, scale)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.stem)
def test_figures_have_captions_and_alternative_text(chapter: Chapter) -> None:
    for cell in jupytext.read(chapter.notebook).cells:
        if "figure" in (style := cell.metadata.get("mystnb", {})):
            assert style["figure"]["name"].startswith(f"{chapter.stem}-fig-")
            assert len(style["figure"]["caption"]) > 20
            assert len(style["image"]["alt"]) > 20, style["figure"]["name"]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.stem)
def test_chapter_imports_no_other_chapter(chapter: Chapter) -> None:
    folder = ROOT / "src" / "featurebook" / "chapters"
    files = [*folder.glob(f"{chapter.stem}.py"), *(folder / chapter.stem).glob("*.py")]
    assert files
    for file in files:
        named = re.findall(r"featurebook\.chapters\.(\w+)", file.read_text(encoding="utf-8"))
        assert set(named) <= {chapter.stem}
        assert "featurebook.press" not in file.read_text(encoding="utf-8")


def test_core_names_no_paper_and_imports_no_other_wing() -> None:
    for file in (ROOT / "src" / "featurebook" / "core").glob("*.py"):
        wings = re.findall(r"from featurebook(?:\.(\w+))?", file.read_text(encoding="utf-8"))
        assert set(wings) <= {"core"}, file.name


@pytest.mark.skipif(
    not all(c.executed.is_file() for c in chapters(ROOT)),
    reason="chapters not executed: make quick",
)
def test_verdicts_are_the_expected_ones() -> None:
    assert site.problems(ROOT) == []
