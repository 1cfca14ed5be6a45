"""The pages with every figure and table, paper beside ours."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from featurebook.press.book.places import Chapter, Part, find_root, papers
from featurebook.press.claims import statements
from featurebook.press.claims.grades import Grade, Run
from featurebook.press.claims.statements import Claim
from featurebook.press.site import beside, pictured
from featurebook.press.site.pictured import Pictured

PART = Part(Path("/nowhere"), "toy")
CELLS = [
    {"label": "NTK", "paper": 85.3, "ours": 84.9, "low": 84.0, "high": 85.8, "agrees": True},
    {"label": "RF <1>", "paper": 75.1, "ours": 79.0, "low": 78.0, "high": 80.0, "agrees": False,
     "cause": "another step size"},
]  # fmt: skip
VERDICT = {"measured": "1 of 2", "cells": CELLS, "parts": [], "outcome": "open", "reason": ""}


def grade(number="Table 2", place="Section 4", word="in part", **more):
    claim = Claim(f"toy-{number.lower().replace(' ', '-')}", number, "table", "$x$ falls.", "open",
                  place=place, title="Accuracies", shows="Five lines.")  # fmt: skip
    run = Run("record", VERDICT, [VERDICT] * 2, False, True, "2026-01-02 03:04:05 UTC", 300.0,
              "CPU, x86", {})  # fmt: skip
    return replace(Grade(claim, Chapter(PART, "story"), word, "why & how", 1, run), **more)


@pytest.fixture(autouse=True)
def nothing_run(monkeypatch):
    monkeypatch.setattr(beside.experiments, "checks_of", lambda part: None)


def test_a_block_has_the_paper_on_the_left_and_ours_on_the_right():
    picture = Pictured("toy-fig-1", "story", "a line", "<svg/>", printed=True)
    block = "\n".join(beside._block(grade(), picture, None))
    print_, ours = block.index("Five lines."), block.index('loading="lazy"')
    assert block.index(">Paper<") < print_ < block.index(">Ours<") < ours
    assert "\n$x$ falls.\n" in block
    assert "◐ in part, 1 of 2 seeds" in block
    assert "why &amp; how" in block
    assert "Figure: the recorded run." in block
    assert 'src="../_data/toy-fig-1-beside.svg" alt="a line"' in block
    assert (
        "1 of 2 seeds; 5 min on CPU; 2026-01-02 <code>featurebook record toy/story</code>" in block
    )


def test_printed_numbers_are_beside_ours_and_deviations_are_marked():
    table = beside._cells(grade())
    assert "<th>NTK</th><td>85.3</td><td>84.9</td><td>−0.4</td><td>±0.9</td>" in table
    assert '<tr class="deviates"><th>RF &lt;1&gt;</th>' in table
    assert "<td>another step size</td>" in table
    assert "<td>±0.9</td><td></td></tr>" in table, "each row has a cell for the cause"
    many = grade()
    folded = beside._cells(
        replace(many, run=replace(many.run, verdict=VERDICT | {"cells": CELLS * 20}))
    )
    assert folded.startswith("<details><summary>40 printed numbers compared with ours, 20 outside")


def test_what_is_not_run_says_so():
    block = "\n".join(beside._block(grade(word="open", run=None, held=0), None, None))
    assert "Not run as printed." in block
    assert "grade-open" in block


def test_the_paper_is_on_the_left_and_a_counterpart_replaces_what_is_not_run():
    ours, theirs = (
        Pictured(f"toy-fig-{n}", "story", n, "<svg/>", printed=True) for n in ("ours", "theirs")
    )
    open_ = grade(word="open", run=None, held=0)
    open_ = replace(open_, claim=replace(open_.claim, needs="weights (16 GB)"))
    block = "\n".join(beside._block(open_, ours, theirs))
    left = block.index("toy-fig-theirs-beside.svg")
    assert left < block.index(">Ours<") < block.index("toy-fig-ours-beside.svg")
    assert "drawn by us from its numbers" in block
    assert "our counterpart, a smaller experiment of the same kind" in block


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ([("Figure 10", "Section 4"), ("Figure 9", "Section 4")], [1, 0]),
        ([("Figure G.1", "Appendix G.2"), ("Figure 4", "Section 11"), ("Table 1", "Section 2.2")],
         [2, 1, 0]),
        ([("Figure 4.4, trend", "Section 4.10"), ("Figures 4.1, C.1", "Section 4.5; Appendix C")],
         [1, 0]),
        ([("Tables 1-8", "Appendix G.3"), ("Figure 2", "Caption of Figure 2")], [1, 0]),
    ],
)  # fmt: skip
def test_figures_and_tables_are_in_printed_order(places, order):
    found = [grade(*place) for place in places]
    assert beside.in_order(found) == [found[k] for k in order]


def test_the_page_of_the_book_counts_by_part_and_leads_on():
    page = beside.of_book({PART: [grade(), grade("Figure 1", word="open")]}, {"toy": "Toy"})
    assert "| {doc}`Toy <toy>` |  |  | 1 |  | 1 | 2 |" in page
    assert "| in all | 0 | 0 | 1 | 0 | 1 | 2 |" in page
    assert 'href="toy.html#beside-toy-table-2"' in page


def test_every_part_with_experiments_is_in_the_contents():
    root = find_root()
    contents = (root / "_toc.yml").read_text(encoding="utf-8")
    for part in papers(root):
        graded = any(c.is_experiment for c in statements.read(part.claims).claims)
        assert (f"file: beside/{part.name}" in contents) == graded, part.name


def test_a_figure_is_the_next_one_in_the_section_of_its_claim(monkeypatch):
    def cell(source="", name=""):
        import nbformat

        if source:
            return nbformat.v4.new_markdown_cell(source)
        style = {"mystnb": {"figure": {"name": name}}}
        return nbformat.v4.new_code_cell("", metadata=style)

    cells = [
        cell("# A\n```{claim} One\n:label: toy-figure-1\n```\n"), cell(name="toy-fig-a"),
        cell("```{claim} Two\n:label: toy-figure-2\n```\n## B\ntext"), cell(name="toy-fig-b"),
    ]  # fmt: skip
    monkeypatch.setattr(pictured, "_cells", lambda chapter: cells)
    following = partial(pictured._following, Chapter(PART, "story"))
    assert following(()) == {"toy-figure-1": "toy-fig-a"}
    assert following({"toy-fig-a"}) == {}, "a drawing of print's numbers is not ours"
