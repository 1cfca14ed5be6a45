"""The parameters cell is the single source of names, types and ranges."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import parameters
from featurebook.press.run.parameter_table import ParameterTable


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


def with_cell(chapter, cell):
    chapter.notebook.write_text(f'# %% tags=["parameters"]\n{cell}\n', encoding="utf-8")
    return parameters.read(chapter.notebook)


# reading


def test_the_cell_is_read(toy):
    found = parameters.read(toy.notebook)
    assert list(found) == ["d", "eps", "rule", "fast", "sizes"]
    d, eps, rule, fast, sizes = found.values()
    assert (d.type, d.default, d.help, d.low, d.high) == ("int", 24, "dimension", 1, 100)
    assert (eps.type, eps.help, eps.low, eps.high) == ("float", "noise level ε", 0, 0.1)
    assert (rule.choices, rule.help) == (("inverse", "constant"), "step sizes")
    assert (fast.type, fast.default, fast.low, fast.high) == ("bool", False, -math.inf, math.inf)
    assert (sizes.type, sizes.default, sizes.high) == ("list[int]", [20, 40], 50)
    assert [p.allowed for p in found.values()] == [
        "1 to 100", "0 to 0.1", "inverse, constant", "", "1 to 50",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "cell", ["d: int = 3  # words [1, 9]", "d: int = (\n    3  # words [1, 9]\n)",
             "d: int = (\n    3\n)  # words [1, 9]"],
)  # fmt: skip
def test_a_formatter_may_wrap_a_line(toy, cell):
    (found,) = with_cell(toy, cell).values()
    assert (found.help, found.low, found.high) == ("words", 1, 9)


def test_brackets_that_are_no_range_are_words(toy):
    found = with_cell(toy, "d: int = 3  # see [5]\n'a note'\nx: float = -2  # at [-3, inf]")
    assert (found["d"].help, found["d"].allowed) == ("see [5]", "")
    assert (found["x"].low, found["x"].high, found["x"].allowed) == (-3, math.inf, "≥ -3")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("d = 3", "line 1: only typed assignments"),
        ("d: int", "parameter d has no default"),
        ("d: int = (3", "line 1"),
        ("d: int = 3\nprint(d)", "line 2: only typed assignments"),
        ("d: int = 300  # size [1, 100]", "d = 300: out of range; allowed: 1 to 100"),
        ("d: int = 0.5", "d = 0.5: must be int"),
        ("d: dict = {}", "type 'dict' is not one of"),
        ("r: str = 'c'  # {a, b}", "r = 'c': not allowed; allowed: a, b"),
        ("l: list[int] = [1, 'x']", "must be list"),
        ("d: int = 2 * 3", "parameter d: the default must be written out"),
    ],
)  # fmt: skip
def test_a_cell_that_cannot_be_read_is_refused(toy, cell, message):
    with pytest.raises(BookError) as error:
        with_cell(toy, cell)
    assert message in str(error.value)


def test_a_notebook_needs_the_cell(toy):
    toy.notebook.write_text("# %%\nd = 1\n")
    with pytest.raises(BookError, match=r"story\.py has no cell tagged 'parameters'"):
        parameters.read(toy.notebook)


# values


def validate(toy, **values):
    return parameters.validate(parameters.read(toy.notebook), values)


def test_values_come_out_typed(toy):
    found = validate(toy, d=31, eps=0, rule="constant", fast=True, sizes=(5, 6))
    assert found == {"d": 31, "eps": 0.0, "rule": "constant", "fast": True, "sizes": [5, 6]}
    assert isinstance(found["eps"], float)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"dd": 3}, "unknown parameter 'dd'; did you mean 'd'"),
        ({"quite_else": 3}, "unknown parameter 'quite_else' Known: d, eps, rule, fast, sizes"),
        ({"d": 3.5}, "d = 3.5: must be int; allowed: 1 to 100"),
        ({"d": "3"}, "d = '3': must be int"),
        ({"d": None}, "d = None: must be int"),
        ({"d": True}, "d = True: must be int"),
        ({"eps": True}, "eps = True: must be float"),
        ({"eps": "small"}, "eps = 'small': must be float"),
        ({"eps": [0.1]}, "eps = [0.1]: must be float"),
        ({"eps": math.nan}, "eps = nan: out of range"),
        ({"eps": -1e-9}, "eps = -1e-09: out of range; allowed: 0 to 0.1"),
        ({"d": 101}, "d = 101: out of range"),
        ({"fast": 1}, "fast = 1: must be bool"),
        ({"fast": "yes"}, "fast = 'yes': must be bool"),
        ({"rule": "both"}, "rule = 'both': not allowed; allowed: inverse, constant"),
        ({"sizes": 5}, "sizes = 5: must be list[int]"),
        ({"sizes": [5, 0.5]}, "must be list[int]"),
        ({"sizes": [5, 51]}, "out of range; allowed: 1 to 50"),
    ],
)
def test_a_wrong_value_is_one_line(toy, values, message):
    with pytest.raises(BookError) as error:
        validate(toy, **values)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_every_wrong_value_has_its_line(toy):
    with pytest.raises(BookError) as error:
        validate(toy, d=0, typo=1, eps=0.05, rule=3)
    lines = str(error.value).splitlines()
    assert [line.split("=")[0].split(" ")[0] for line in lines] == ["d", "unknown", "rule"]


@given(st.integers(1, 100), st.floats(0, 0.1), st.booleans(), st.lists(st.integers(1, 50)))
def test_what_a_setting_says_is_what_the_notebook_gets(d, eps, fast, sizes):
    known = {
        "d": parameters.Parameter("d", "int", 1, "", 1, 100),
        "eps": parameters.Parameter("eps", "float", 0.0, "", 0, 0.1),
        "fast": parameters.Parameter("fast", "bool", False, ""),
        "sizes": parameters.Parameter("sizes", "list[int]", [], "", 1, 50),
    }
    values = {"d": d, "eps": eps, "fast": fast, "sizes": sizes}
    settings = dict(parameters.parse_setting(f"{k}={v!r}") for k, v in values.items())
    assert parameters.validate(known, settings) == values  # repr 1e-05 is text to YAML


def test_settings_are_yaml():
    assert parameters.parse_setting(" d = 31 ") == ("d", 31)
    assert parameters.parse_setting("rule=a=b") == ("rule", "a=b")
    assert parameters.parse_setting("sizes=[1, 2]") == ("sizes", [1, 2])


@pytest.mark.parametrize(
    ("text", "value"),
    [("1:30", "1:30"), ("yes", "yes"), ("1e6", 1e6), ("010", "010"), ("-3", -3), ("true", True),
     ("2024-01-01", "2024-01-01"), ("~", None), ("+.5", 0.5)],
)  # fmt: skip
def test_values_are_read_as_yaml_1_2(text, value):
    found = parameters.parse_setting(f"x={text}")[1]
    assert (found, type(found)) == (value, type(value))


def test_a_whole_number_may_be_written_as_a_power_of_ten():
    known = {"steps": parameters.Parameter("steps", "int", 10, "steps", 1, 1e7)}
    assert parameters.validate(known, {"steps": 1e6}) == {"steps": 1_000_000}
    assert isinstance(parameters.validate(known, {"steps": 1e6})["steps"], int)
    with pytest.raises(BookError, match="must be int"):
        parameters.validate(known, {"steps": 1.5})


@pytest.mark.parametrize(
    "text", ["d", "=3", "d=[1", "d=!!python/object/apply:os.getcwd []", f"d={'[' * 5000}"]
)
def test_a_malformed_setting_is_refused(text):
    with pytest.raises(BookError, match="-p "):
        parameters.parse_setting(text)


# files and scales


@pytest.mark.parametrize("content", ["- d\n- e", "3", "1: 2"])
def test_a_file_that_is_no_mapping_is_refused(tmp_path, content):
    file = tmp_path / "p.yaml"
    file.write_text(content)
    with pytest.raises(BookError, match=r"p\.yaml") as error:
        parameters.read_file(file)
    assert "\n" not in str(error.value)


def test_an_empty_file_sets_nothing(tmp_path):
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    assert parameters.read_file(tmp_path / "empty.yaml") == {}


def test_scales_that_are_wrong_are_named(toy):
    with pytest.raises(BookError, match="no scale 'huge'; there are tiny, quick, paper"):
        parameters.at_scale(toy, "huge")
    toy.part.scale("tiny").write_text("d: 0\n")
    with pytest.raises(BookError, match=r"toy/tiny\.yaml: d = 0: out of range"):
        parameters.final_values(toy, "tiny")
    toy.part.scale("tiny").unlink()
    with pytest.raises(BookError, match=r"tiny\.yaml"):
        parameters.final_values(toy, "tiny")


def test_the_knobs_show_every_parameter_at_every_scale(toy):
    found = ParameterTable(toy)
    rows = {row[0]: row[1:] for row in found.rows()}
    assert rows["d"] == ("dimension", "int", "1 to 100", "2", "24", "90")
    assert rows["sizes"][-3:] == ("[3]", "[20, 40]", "[20, 40]")
    assert found._repr_html_().count("<tr>") == 6
    assert "noise level ε" in repr(found)


# a part


@pytest.fixture
def sibling(toy):
    """A second chapter of the same part."""
    (toy.root / "_toc.yml").write_text(
        "root: book/index\nchapters: [{file: notebooks/toy/story}, {file: notebooks/toy/more}]\n"
    )
    more = find_chapter(toy.root, "toy/more")
    more.notebook.write_text(
        '# %% tags=["parameters"]\nd: int = 24  # dimension [1, 100]\n'
        "rows: int = 5  # rows [1, 9]\n"
    )
    return more


def test_a_chapter_takes_of_its_parts_values_those_that_it_has(toy, sibling):
    (toy.part.scale("tiny")).write_text("d: 2\nrows: 3\nsizes: [3]\n")
    assert parameters.final_values(sibling, "tiny") == {"d": 2, "rows": 3}
    assert parameters.final_values(toy, "tiny")["sizes"] == [3]
    assert parameters.final_values(sibling, settings=["eps=0.02"]) == {"d": 24, "rows": 5}
    with pytest.raises(BookError, match="unknown parameter 'rowz'; did you mean 'rows'"):
        parameters.final_values(toy, settings=["rowz=2"])
    with pytest.raises(BookError, match="rows = 10: out of range"):
        parameters.final_values(toy, settings=["rows=10"])


def test_a_name_means_one_thing_in_a_part(toy, sibling):
    assert list(parameters.of_part(toy.part)) == ["d", "eps", "rule", "fast", "sizes", "rows"]
    text = sibling.notebook.read_text()
    for other in (text.replace("= 24", "= 25"), text.replace("dimension", "depth"),
                  text.replace("100", "99")):  # fmt: skip
        sibling.notebook.write_text(other)
        with pytest.raises(BookError, match="d means one thing in toy/story and another"):
            parameters.of_part(toy.part)
