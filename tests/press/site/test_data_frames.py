"""Tables of pandas in a reader's terms."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from featurebook.press.site.data_frames import legible


def cells(markup: str) -> list[list[str]]:
    rows = BeautifulSoup(markup, "html.parser").select("tr")
    return [[c.get_text().strip() for c in row.select("th, td")] for row in rows]


def shown(frame: pd.DataFrame) -> list[list[str]]:
    return cells(legible(frame._repr_html_()))


def test_a_column_that_only_counts_the_rows_goes():
    assert shown(pd.DataFrame({"a": ["x", "y"]})) == [["a"], ["x"], ["y"]]
    styled = pd.DataFrame({"a": ["x", "y"]}).style.to_html()
    assert cells(legible(styled)) == [["a"], ["x"], ["y"]]


@pytest.mark.parametrize("index", [[1, 2], ["0", "b"], [0, 0]])
def test_a_first_column_that_says_something_stays(index):
    frame = pd.DataFrame({"a": ["x", "y"]}, index=index)
    assert shown(frame) == cells(frame._repr_html_())


def test_the_name_of_the_first_column_is_beside_the_other_headings():
    named = pd.DataFrame({"a": ["x", "y"]}, index=pd.Index([0, 1], name="seed"))
    assert shown(named) == [["seed", "a"], ["0", "x"], ["1", "y"]]
    both = named.rename_axis(columns="of")
    assert shown(both) == cells(both._repr_html_())
    styled = cells(legible(named.style.to_html()))
    assert styled == [["seed", "a"], ["0", "x"], ["1", "y"]]
    two = pd.DataFrame({"k": [1, 1], "m": [2, 3], "a": ["x", "y"]}).set_index(["k", "m"])
    assert shown(two)[0] == ["k", "m", "a"]


def test_heads_of_two_rows_stay_above_their_columns():
    columns = pd.MultiIndex.from_tuples([("left", "a"), ("left", "b"), ("right", "c")])
    frame = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=columns)
    assert shown(frame) == [["left", "right"], ["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]


def test_a_mean_with_its_lowest_and_highest_value_is_one_column():
    columns = pd.MultiIndex.from_product([["gain", "loss"], ["mean", "lowest", "highest"]])
    index = pd.Index(["a", "b"], name="way")
    frame = pd.DataFrame([[1, 0, 2, 4, 3, 5], [7, 6, 8, 10, 9, 11]], index, columns)
    heads = ["way", "gain, mean (lowest to highest)", "loss, mean (lowest to highest)"]
    rows = [["a", "1 (0 to 2)", "4 (3 to 5)"], ["b", "7 (6 to 8)", "10 (9 to 11)"]]
    found = [[cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row] for row in shown(frame)]
    assert found == [heads, *rows]
    other = frame.rename(columns={"highest": "last"})
    assert len(shown(other)[-1]) == 7


def test_the_numbers_of_chosen_rows_go_where_a_label_stands_beside_them():
    frame = pd.DataFrame({"label": list("abc"), "paper": [1, 2, 3]})
    assert shown(frame[frame.paper > 1]) == [["label", "paper"], ["b", "2"], ["c", "3"]]


def test_cells_are_written_as_a_person_writes():
    frame = pd.DataFrame({"a": [None, "1e+06"], "b": [True, False]}, index=["p", "2.5e-05 to 1e-3"])
    assert "<td>10<sup>6</sup></td>" in legible(frame._repr_html_())
    assert shown(frame) == [
        ["", "a", "b"], ["p", "–", "yes"], ["2.5·10-5 to 10-3", "106", "no"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("stderr", "standard error"),
        ("lambda_0", "λ<sub>0</sub>"),
        ("eta1", "η<sub>1</sub>"),
        ("R'_a", "R'<sub>a</sub>"),
        ("d^-1.25", "d<sup>−1.25</sup>"),
        ("f_r &lt;= c1 f_h", "f<sub>r</sub> ≤ c<sub>1</sub> f<sub>h</sub>"),
        ("n=100: RF, cos", "n\u00a0=\u00a0100: RF, cosine"),
        ("pair, cosine 0.5", "pair, cosine 0.5"),
        ("float32 of 3 by 3", "float32 of 3 by 3"),
        ("own side", "own side"),
    ],
)
def test_heads_and_labels_are_words_or_symbols(code, says):
    assert legible(f"<table><tr><th>{code}</th></tr></table>") == (
        f"<table><tr><th>{says}</th></tr></table>"
    )


def test_a_papers_own_headings_are_used_on_its_pages_only():
    head = "<table><tr><th>max_r</th></tr></table>"
    assert "‖w<sub>r</sub> − w<sub>r</sub>(0)‖" in legible(head, "notebooks/ntk_autoencoders/width")
    for page in ("notebooks/cone_sets/story", "notebooks/book/ledger", "book/rerun"):
        assert "‖" not in legible(head, page)


def test_what_parameters_mean_has_symbols_and_their_names_stay():
    row = "<tr><td><code>p_o</code></td><td>chance p_o of 2^ν_1</td></tr>"
    symbols = "chance p<sub>o</sub> of 2<sup>ν<sub>1</sub></sup>"
    says = f"<tr><td><code>p_o</code></td><td>{symbols}</td></tr>"
    assert legible(f"<table class='knobs'>{row}</table>") == f"<table class='knobs'>{says}</table>"
    assert legible(f"<table>{row}</table>") == f"<table>{row}</table>"


def test_powers_in_the_cells_of_pandas_are_raised():
    frame = pd.DataFrame({"width": ["C n^6 / (λ_0^4 δ^3)", "p_o"]})
    assert "<td>C n<sup>6</sup> / (λ<sub>0</sub><sup>4</sup> δ<sup>3</sup>)</td>" in legible(
        frame._repr_html_()
    )
    assert "<td>p_o</td>" in legible(frame._repr_html_())


def test_numbers_rounded_to_four_places_are_not_padded():
    frame = pd.DataFrame({"a": [3.9561, 0.5]})
    assert shown(frame) == [["a"], ["3.9561"], ["0.5000"]]
    assert shown(pd.DataFrame({"a": [0.123456]})) == [["a"], ["0.123456"]]


def test_words_and_what_stands_outside_of_tables_stay():
    frame = pd.DataFrame({"a": ["case2e5", "e-3", "v1e5x", "Nancy"]}, index=list("pqrs"))
    assert shown(frame) == cells(frame._repr_html_())
    assert legible("<p>NaN 1e-05 True</p>") == "<p>NaN 1e-05 True</p>"
