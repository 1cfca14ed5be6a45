"""The index of the search: stems as the script's, and words of tables apart."""

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.search import WordCollector

from featurebook.press.site import searching


@pytest.mark.parametrize(
    ("word", "stem"),
    [("grokking", "grok"), ("revving", "rev"), ("mapping", "map"), ("falling", "fall"),
     ("trekk", "trekk")],
)  # fmt: skip
def test_stems_are_those_of_the_script_that_searches(word: str, stem: str) -> None:
    assert searching.English({}).stem(word) == stem


def test_cells_of_a_table_are_words_apart() -> None:
    document = new_document("page")
    document += nodes.raw("", "<tr><td>0.5</td><td>uniform</td></tr>", format="html")
    searching.CellsApart(document).run()
    collector = WordCollector(document, searching.English({}))
    document.walk(collector)
    assert "uniform" in collector.found_words
    assert document[0].astext() == "<tr><td>0.5</td> <td>uniform</td> </tr>"
