"""Without MNIST and CIFAR-10 the chapters end, say so, and have all that other pages show of them.

They are executed at the tiny scale, so what comes out is not compared with what is expected.
"""

import ast
import re
from pathlib import Path

import jupytext
import pytest

from featurebook import images
from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import chapters
from featurebook.press.claims import statements
from featurebook.press.run import figure_data, parameters, workers
from featurebook.press.run.job import Job
from featurebook.press.site import glue
from featurebook.verdicts import MIME

ROOT = Path(__file__).resolve().parents[1]
SAID = re.compile(r"could not be had|is not there|not judged without")
MEASURED = re.compile(r"\{measured\}`([^`]+)`")


def text(chapter):
    return chapter.notebook.read_text(encoding="utf-8")


def names_images(chapter):
    """Whether the chapter's card says which images it used."""
    cells = jupytext.reads(text(chapter), fmt="py:percent").cells
    sources = [c.source for c in cells if c.cell_type == "code" and "show.card(" in c.source]
    calls = [n for s in sources for n in ast.walk(ast.parse(s)) if isinstance(n, ast.Call)]
    cards = [c for c in calls if ast.unparse(c.func) == "show.card"]
    return any(len(c.args) > 1 or "images" in [k.arg for k in c.keywords] for c in cards)


READERS = [c for c in chapters(ROOT) if names_images(c)]
PAGES = [*map(text, chapters(ROOT)), *(p.read_text(encoding="utf-8") for p in
         (ROOT / "book").glob("*.md"))]  # fmt: skip


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """The chapters that load images, executed at the tiny scale where there are none."""
    folder = tmp_path_factory.mktemp("executed")
    jobs = [
        Job(c, parameters.final_values(c, "tiny"), "tiny", folder / f"{c.part.name}-{c.name}.ipynb")
        for c in READERS
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(images.DATA_VARIABLE, str(tmp_path_factory.mktemp("no images")))
        patch.setenv("FEATUREBOOK_ROOT", str(ROOT))
        states = workers.execute_all(jobs, 2, lambda _: None)
    assert [s.error for s in states if s.error] == []
    return {job.chapter.address: read_notebook(job.output) for job in jobs}


def test_some_chapters_load_images():
    assert {"cone_sets/kernels", "contrastive_decoupling/story"} <= {c.address for c in READERS}


@pytest.mark.parametrize("chapter", READERS, ids=lambda c: c.address)
def test_a_chapter_says_what_it_lacks_and_judges_and_draws_all_the_same(executed, chapter):
    notebook = executed[chapter.address]
    shown = [str(o) for c in notebook.cells for o in c.get("outputs", [])]
    assert any(SAID.search(output) for output in shown)
    claims = {c.id: c for c in statements.read(chapter.part.claims).claims}
    asked = sorted(name for name in statements.labels(chapter) if claims[name].expected)
    assert sorted(v["claim"] for v in outputs(notebook, MIME)) == asked
    for cell in notebook.cells:
        if "figure" in (style := cell.metadata.get("mystnb", {})):
            kinds = {k for o in cell.outputs for k in o.get("data", {})}
            assert kinds & {*glue.PICTURES, figure_data.slider.MIME}, style["figure"]["name"]


def test_numbers_that_other_pages_quote_are_there(executed):
    verdicts = {v["claim"]: v for n in executed.values() for v in outputs(n, MIME)}
    quoted = [asked.split(" ", 1) for page in PAGES for asked in MEASURED.findall(page)]
    assert quoted
    for name, what in quoted:
        if name in verdicts:
            assert glue.number(what, verdicts[name])


def test_a_claim_on_a_data_set_that_is_not_there_is_not_judged(executed):
    found = {v["claim"]: v for v in outputs(executed["feature_emergence/images"], MIME)}
    assert found["feature_emergence-figure-18"]["reason"] == "not judged"
