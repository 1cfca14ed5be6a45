"""Graphs of claims: Graphviz places them, and always alike."""

import os
import subprocess
import sys

from hypothesis import example, given
from hypothesis import strategies as st

from featurebook.press.claims.graph import HEIGHT, ClaimGraph, laid_out
from made_up import entry, few


@example(pairs={(0, 1), (0, 3), (0, 4), (1, 3), (1, 4), (2, 3)})
@given(st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=30))
def test_arrows_lead_to_the_right_and_no_two_boxes_meet(pairs):
    arrows = [(f"n{min(a, b)}", f"n{max(a, b)}") for a, b in sorted(pairs) if a != b]
    widths = {n: 40 + 3 * len(n) for pair in arrows for n in pair}
    layout = laid_out(widths, arrows)
    assert set(layout.middles) == set(widths)
    for one, other in arrows:
        (start, _), (tip, _) = layout.routes[one, other][0], layout.routes[one, other][-1]
        assert start < tip
        # Graphviz may end a line below the box, which is drawn over it.
        assert 0 < start - layout.middles[one][0] < widths[one] / 2 + 9
        assert len(layout.routes[one, other]) % 3 == 2  # a start, curves of three points, a tip
    boxes = sorted(
        (x - widths[n] / 2, x + widths[n] / 2, y) for n, (x, y) in layout.middles.items()
    )
    for k, (_, right, y) in enumerate(boxes):
        for left, _, other in boxes[k + 1 :]:
            assert left >= right or abs(other - y) >= HEIGHT
        assert HEIGHT / 2 - 1 <= y <= layout.height - HEIGHT / 2 + 1
    assert laid_out(widths, arrows) == layout


def test_a_graph_does_not_depend_on_the_process():
    code = (
        "from made_up import few; from featurebook.press.claims.graph import ClaimGraph;"
        "print(ClaimGraph(few(), 'A graph').svg())"
    )

    def said(seed: str) -> str:
        tests = os.path.join(os.path.dirname(__file__), "..", "..")
        path = os.pathsep.join([tests, *sys.path])
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True).stdout

    assert said("1").startswith("<svg")
    assert said("1") == said("2")


def test_tooltips_have_plain_formulas_and_corrections_dashed_arrows():
    svg = ClaimGraph([*few(), entry("5", "holds", text=r"$a\le b_{\min}$", rests_on=("toy-1",))],
                     "Toy").svg()  # fmt: skip
    assert "<title class='nohighlight'>Lemma 5: a ≤ b_min (holds)</title>" in svg
    assert svg.count(" stroke-dasharray='3 3'") == 1


def test_nothing_makes_an_empty_picture():
    assert "<a " not in ClaimGraph([], "Nothing").svg()
