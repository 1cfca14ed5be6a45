"""Columns share the line: what is short stays whole, what is long gets more."""

from hypothesis import given
from hypothesis import strategies as st

from featurebook.press.pdf import from_html, tables


def table(*rows):
    cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    (found,) = from_html.parsed(f"<table><tbody>{body}</tbody></table>", lambda _: None)
    return found


def test_a_narrow_table_is_set_as_it_is():
    assert tables.layout(table(["a", "1.5"], ["b", "nan"])) == ("footnotesize", "{lr}")


def test_a_long_column_gets_what_short_ones_leave():
    size, spec = tables.layout(table(["short", "1e-5", "long text " * 40]))
    assert size == "footnotesize"
    assert spec.startswith(r"{lr\words{0.")
    assert 0.7 < float(spec[-8:-2]) < 1


def test_letters_shrink_until_words_fit():
    wide = table(["w" * 12] * 10)
    assert tables.layout(wide)[0] == "tiny"
    assert tables.layout(table(["w" * 12] * 9))[0] == "scriptsize"


def test_spans_are_counted_where_they_stand():
    markup = (
        "<table><tbody><tr><td rowspan='2'>tall</td><td colspan='2'>wide, and long</td></tr>"
        "<tr><td>b</td><td>1</td></tr><tr><td>c</td><td>d</td><td>22</td></tr></tbody></table>"
    )
    (found,) = from_html.parsed(markup, lambda _: None)
    assert [c[:3] for c in tables.measured(found)] == [(4, 4, False), (1, 1, False), (2, 2, True)]


def test_code_is_not_broken_at_a_hyphen():
    (column,) = tables.measured(table(["<code>abc-def</code>"]))
    assert column.word == column.longest
    (column,) = tables.measured(table(["abc-def"]))
    assert column.word == 3


def test_code_counts_as_wider_and_a_break_is_one():
    code, breaks = table(["<code>" + "x" * 10 + "</code>"]), table(["abc_<wbr>defgh"])
    assert list(tables.measured(code)) == [(12, 12, False, False)]
    assert list(tables.measured(breaks)) == [(9, 5, False, False)]


def test_a_cell_of_several_lines_has_a_width():
    lines = table(["a<br>bcd", "x"])
    assert next(tables.measured(lines)) == (5, 3, False, True)
    assert tables.layout(lines)[1] == r"{\words{0.0446}l}"


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(1, 40)), min_size=1, max_size=20))
def test_widths_fill_the_line_and_no_more(columns):
    lines, words = [max(c) for c in columns], [min(c) for c in columns]
    widths = tables.fitted(lines, words, 100)
    assert sum(widths) <= 100 + 1e-6 or sum(lines) <= 100
    assert all(0 < w <= n for w, n in zip(widths, lines, strict=True))
    if sum(words) <= 100:
        assert all(w >= n - 1e-6 for w, n in zip(widths, words, strict=True))
