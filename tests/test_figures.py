"""The house style: distinct colours, the same bytes for the same figure."""

import io

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from featurebook import figures


@pytest.fixture(autouse=True)
def _own_settings():
    with mpl.rc_context():
        yield


def drawn():
    figure = Figure()
    ax = figure.subplots()
    ax.plot([1, 2], [3, 4], label="a")
    ax.fill_between([1, 2], [0, 1], [3, 4], clip_on=True)
    ax.plot([1], [2], **figures.PAPER)
    raw = io.BytesIO()
    figure.savefig(raw, format="svg", metadata={"Date": None})
    return raw.getvalue()


def test_the_same_figure_gives_the_same_bytes():
    figures.use_house_style()
    assert drawn() == drawn()


def test_each_concept_has_a_colour_of_its_own():
    found = figures.colours("normal", "semantic", "non-semantic")
    assert list(found) == ["normal", "semantic", "non-semantic"]
    assert len(set(found.values())) == 3
    assert found == figures.colours("normal", "semantic", "non-semantic")
    assert figures.colours("normal")["normal"] == found["normal"]


def test_more_concepts_than_one_can_tell_apart_are_refused():
    names = [f"k{k}" for k in range(10)]
    assert len(set(figures.colours(*names).values())) == 10
    with pytest.raises(ValueError, match="11 concepts"):
        figures.colours(*names, "one more")


def test_panels_are_lettered():
    axes = Figure().subplots(1, 3)
    figures.label_panels(axes)
    assert [ax.get_title(loc="left") for ax in axes] == ["(a)", "(b)", "(c)"]
