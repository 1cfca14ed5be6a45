"""Parameters as an interface: which value wins, where it came from, and the JSON Schema."""

import json

import jsonschema
import pytest
from typer.testing import CliRunner

from featurebook import cli
from featurebook.press.book import console
from featurebook.press.book import files as files_of_the_book
from featurebook.press.book.places import SCALES, BookError, find_chapter
from featurebook.press.run import parameters, refresh


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / "a.yaml", tmp_path / "b.yaml"]
    paths[0].write_text("d: 30\neps: 0.02\nrule: constant\n")
    paths[1].write_text("eps: 0.03\n")
    return paths


def test_settings_win_over_files_over_the_scale_over_the_notebook(toy, files):
    values = parameters.final_values(toy, "tiny", files, ["d=31"])
    assert values == {"d": 31, "eps": 0.03, "rule": "constant", "fast": False, "sizes": [3]}
    layers = parameters.layers(toy, "tiny", files, ["d=31"])
    assert parameters.origins(layers) == {
        "--scale tiny": ["sizes"], str(files[0]): ["rule"], str(files[1]): ["eps"], "-p": ["d"],
    }  # fmt: skip


def test_with_nothing_given_everything_is_the_notebooks(toy):
    assert parameters.origins(parameters.layers(toy, "quick", [], [])) == {}


def test_a_bad_value_is_refused_even_where_another_would_win(toy, files):
    files[0].write_text("d: 1000\n")
    with pytest.raises(BookError, match="d = 1000: out of range"):
        parameters.final_values(toy, "quick", files, ["d=3"])


def test_a_run_says_where_its_values_come_from(book, files, monkeypatch):
    monkeypatch.setattr(refresh, "execute", lambda *_: None)
    monkeypatch.setattr(files_of_the_book, "outputs", lambda *_: [])
    monkeypatch.setattr(files_of_the_book, "read_notebook", lambda *_: None)
    monkeypatch.setattr(console.out, "_width", 200)
    words = ["run", "toy", "--scale", "tiny", "-f", str(files[1]), "-p", "d=31"]
    said = CliRunner().invoke(cli.app, words).stdout.splitlines()
    assert said[0].startswith("toy/story: d = 31, eps = 0.03, rule = 'inverse'")
    assert said[1:] == ["  from --scale tiny: sizes", f"  from {files[1]}: eps", "  from -p: d"]


def test_the_schema_accepts_what_the_book_accepts_and_nothing_else(toy):
    result = CliRunner().invoke(cli.app, ["show", "toy", "--json"])
    assert result.exit_code == 0
    schema = json.loads(result.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["d"] == {
        "type": "integer", "minimum": 1, "maximum": 100, "description": "dimension", "default": 24,
    }  # fmt: skip
    for scale in SCALES:
        assert schema["scales"][scale] == parameters.final_values(toy, scale)
        jsonschema.validate(schema["scales"][scale], schema)
    known = parameters.read(toy.notebook)
    for bad in (
        {"d": 0}, {"d": 1.5}, {"d": "3"}, {"eps": 0.2}, {"rule": "none"}, {"fast": 1},
        {"sizes": 3}, {"sizes": [51]}, {"unknown": 1},
    ):  # fmt: skip
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)
        with pytest.raises(BookError):
            parameters.validate(known, bad)
