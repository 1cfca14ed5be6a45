"""The book's tree of pages, as it is changed for TeX."""

from docutils import nodes
from docutils.utils import new_document

from featurebook.press.pdf import paper


def test_a_number_stays_with_its_unit_outside_code_and_formulas():
    document = new_document("")
    kept = [nodes.literal("", "5 %"), nodes.math("", "5 s"), nodes.literal_block("", "5 %")]
    document += [nodes.paragraph("", "5 % in ", nodes.strong("", "2 h")), *kept]
    paper.Units(document).run()
    space = "\N{NO-BREAK SPACE}"
    assert [n.astext() for n in document] == [f"5{space}% in 2{space}h", "5 %", "5 s", "5 %"]
