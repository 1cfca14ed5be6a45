"""Figures on a narrow page: those that have a drawing for it show that one there."""

import nbformat
from docutils import nodes
from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.book.places import find_chapter
from featurebook.press.run import drawn, narrow, slider
from featurebook.press.site import figures, folds, phones


def notebook():
    cells = []
    for name in "abc":
        carried = {narrow.MIME: f"<svg>{name}</svg>"} if name != "c" else {}
        if name == "b":
            carried[slider.MIME] = {"narrow": ["<svg>0</svg>", "<svg>1</svg>"]}
        output = new_output("display_data", {"image/svg+xml": "<svg/>"}, metadata=carried)
        style = {"mystnb": {"figure": {"name": f"toy-fig-{name}"}}}
        cells.append(new_code_cell(metadata=style, outputs=[output]))
    return new_notebook(cells=cells)


def test_only_figures_that_have_a_narrow_drawing_offer_it():
    image = nodes.image(uri="a.svg")
    page = nodes.section(
        "",
        nodes.figure("", image.deepcopy(), nodes.caption("", "A"), ids=["toy-fig-a"]),
        nodes.figure("", image.deepcopy(), nodes.caption("", "B"), ids=["toy-fig-b"]),
        folds.Picture("", image.deepcopy(), folds.Words(), figure="toy-fig-a"),
    )
    figures.add_narrow(page, ["toy-fig-a"], "../_data")
    own, other, sibling = page.children
    for offered in (own, sibling):
        before, _, after = offered.children[:3]
        assert before.astext() + after.astext() == phones.picture(
            "", "../_data/toy-fig-a-narrow.svg"
        )
    assert not list(other.findall(nodes.raw))


def test_the_frames_of_a_slider_have_files_too():
    assert phones.files(notebook()) == {
        "toy-fig-a-narrow.svg": "<svg>a</svg>",
        "toy-fig-b-narrow.svg": "<svg>b</svg>",
        "toy-fig-b-0-narrow.svg": "<svg>0</svg>",
        "toy-fig-b-1-narrow.svg": "<svg>1</svg>",
    }


def test_a_quick_run_below_a_figure_at_printed_sizes_has_its_narrow_drawing(book):
    toy = find_chapter(book, "toy")
    toy.executed.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook(), toy.executed)
    shown = notebook()
    assert phones.of_quick_runs(toy.executed, shown) == {}
    for cell in (shown.cells[0], shown.cells[2]):
        cell.outputs[0].metadata = {drawn.QUICK: "<svg/>"}
    assert phones.of_quick_runs(toy.executed, shown) == {"toy-fig-a-quick": "<svg>a</svg>"}
