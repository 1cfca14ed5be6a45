"""Figures on a narrow page: those that have a drawing for it show that one there."""

from nbformat.v4 import new_code_cell, new_notebook, new_output

from featurebook.press.run import narrow, slider
from featurebook.press.site import phones

IMAGE = '<img alt="x" src="../_images/toy-fig-a.svg" />'
OWN = (
    f'<figure class="align-default" id="toy-fig-{{}}">\n{IMAGE}\n<figcaption></figcaption></figure>'
)
SIBLING = f'<figure class="glued">{IMAGE}<figcaption></figcaption></figure>'


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
    found = phones.with_narrow(OWN.format("a") + OWN.format("b"), ["toy-fig-a"], "../_data")
    assert found.count("<picture>") == 1
    assert f'srcset="../_data/toy-fig-a-narrow.svg">{IMAGE}</picture>' in found
    assert OWN.format("b") in found


def test_a_figure_of_a_sibling_is_known_by_its_file():
    found = phones.with_narrow(SIBLING, ["toy-fig-a"], "..")
    assert 'srcset="../toy-fig-a-narrow.svg"' in found
    assert phones.with_narrow(SIBLING, ["toy-fig-b"], "..") == SIBLING


def test_the_frames_of_a_slider_have_files_too():
    assert phones.files(notebook()) == {
        "toy-fig-a-narrow.svg": "<svg>a</svg>",
        "toy-fig-b-narrow.svg": "<svg>b</svg>",
        "toy-fig-b-0-narrow.svg": "<svg>0</svg>",
        "toy-fig-b-1-narrow.svg": "<svg>1</svg>",
    }
