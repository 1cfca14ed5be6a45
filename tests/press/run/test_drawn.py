"""Figures at printed sizes: a chapter's own cells once more, with the recorded experiments."""

import json

import nbformat
import pytest

from featurebook.press.book.places import find_chapter
from featurebook.press.run import drawn, experiments, records
from featurebook.verdicts.claims import Claims
from featurebook.verdicts.comparisons import inequality

CELLS = """

# %%
import matplotlib.pyplot as plt
import pandas as pd
from featurebook.papers.toy import checks

study = checks.claims.at(**globals())

# %%
heavy = sum(range(10**9))

# %%
height = 2 * d
found = study["sample"]

# %% mystnb={"figure": {"name": "toy-fig-1", "caption": "It falls."}}
plt.plot(found, [height, height])
plt.show()

# %%
pd.DataFrame({"d": study["sample"]})

# %%
study["long"]

# %%
show.judge(study, "bound")
"""


@pytest.fixture
def toy(book, monkeypatch):
    chapter = find_chapter(book, "toy")
    source = chapter.notebook.read_text(encoding="utf-8").replace("1 / (d - 13)", "")
    chapter.notebook.write_text(source + CELLS, encoding="utf-8")
    claims = Claims("toy")

    @claims.experiment
    def sample(d):
        return [d, d + 1]

    @claims.experiment
    def long(d):
        return print  # no file holds it

    @claims.check("bound")
    def bound(sample):
        yield inequality(sample[0], 100, what="d")

    monkeypatch.setattr(experiments, "digest", lambda part, name: "same")
    monkeypatch.setattr(experiments, "checks_of", lambda part: claims)
    run = experiments.Run(chapter, claims, {"d": 90})
    list(run.steps(book / "state"))
    run.seconds["long"] = 999.0
    records.keep_experiments(
        run, {"scale": "paper", "resumed": False, "started": "2026-01-02 03:04:05 UTC"}
    )
    return chapter


def test_what_draws_from_experiments_is_run_with_what_it_needs(toy):
    notebook = drawn.sliced(toy, drawn.record_of(toy))
    text = "\n".join(c.source for c in notebook.cells)
    assert "study = _kept('toy/story')" in text
    assert "\nd = 90" in text
    assert "height = 2 * d" in text
    assert "heavy" not in text
    assert "show.judge" not in text
    assert [c.metadata["offered"] for c in notebook.cells][-3:] == [True, True, True]


def test_what_the_record_does_not_keep_and_took_long_is_not_run(toy, monkeypatch):
    monkeypatch.setattr(drawn, "find_chapter", lambda root, address: toy)
    kept = drawn.study("toy/story")
    assert kept["sample"] == [90, 91]
    with pytest.raises(drawn.NotKeptError, match="does not keep long"):
        kept["long"]


def executed(chapter):
    picture = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg>quick</svg>"})
    table = nbformat.v4.new_output("execute_result", {"text/html": "<table>quick</table>"})
    style = {"mystnb": {"figure": {"name": "toy-fig-1", "caption": "It falls."}}}
    cells = [
        nbformat.v4.new_code_cell("draw", outputs=[picture], metadata=style),
        nbformat.v4.new_code_cell("d = 90", metadata={"tags": ["injected-parameters"]}),
        nbformat.v4.new_code_cell("table", outputs=[table]),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"featurebook": {}})
    chapter.executed.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, chapter.executed)


def keep(chapter, **outputs):
    made = {str(k): [nbformat.v4.new_output("display_data", data)] for k, data in outputs.items()}
    about = {"key": drawn.key(chapter), "cells": made}
    drawn.path(chapter).write_text(json.dumps(about), encoding="utf-8")


def test_pictures_and_tables_at_printed_sizes_come_first(toy):
    executed(toy)
    keep(
        toy,
        **{"0": {"image/svg+xml": "<svg>printed</svg>"}, "1": {"text/html": "<table>p</table>"}},
    )
    figure, _, table = drawn.shown(toy, with_quick=True).cells
    assert figure.outputs[0].data["image/svg+xml"] == "<svg>printed</svg>"
    assert figure.outputs[0].metadata[drawn.QUICK] == "<svg>quick</svg>"
    caption = figure.metadata["mystnb"]["figure"]["caption"]
    assert caption.startswith("It falls. Recorded at the scale `paper` on 2026-01-02 (CPU, ")
    assert "one seed: `featurebook record toy/story`." in caption
    first, second = table.outputs
    assert first.data["text/html"].endswith("</p><table>p</table>")
    assert "<table>quick</table>" in second.data["text/html"]
    assert len(drawn.shown(toy).cells[2].outputs) == 1  # on paper the first alone


def test_what_is_the_same_at_both_sizes_is_shown_once(toy):
    executed(toy)
    keep(toy, **{"0": {"image/svg+xml": "<svg>quick</svg>"}})
    figure = drawn.shown(toy).cells[0]
    assert drawn.SAME in figure.outputs[0].metadata
    assert figure.metadata["mystnb"]["figure"]["caption"] == "It falls."


def test_it_is_drawn_again_when_the_record_or_the_cells_change(toy):
    executed(toy)
    assert not drawn.is_current(toy)
    keep(toy)
    assert drawn.is_current(toy)
    (record,) = records.read(toy)
    records.write(toy, record | {"seconds": 2.0})
    assert not drawn.is_current(toy)
    keep(toy)
    text = toy.notebook.read_text(encoding="utf-8")
    toy.notebook.write_text(text.replace("2 * d", "3 * d"), encoding="utf-8")
    assert not drawn.is_current(toy)
    records.path(toy, "paper").unlink()
    assert drawn.is_current(toy)
    assert not drawn.path(toy).exists()
