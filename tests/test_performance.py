"""The page on performance says what the records say."""

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def page():
    spec = importlib.util.spec_from_file_location("page", ROOT / "benchmarks" / "page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_drawn_from_the_records(page):
    assert page.PAGE.read_text() == page.page(), "run benchmarks/page.py"


def test_every_record_says_where_and_when():
    records = sorted((ROOT / "benchmarks" / "records").rglob("*.json"))
    assert records
    for path in records:
        record = json.loads(path.read_text())
        for key in ("date", "commit", "device", "torch", "jax", "python", "load before"):
            assert record[key], (path.name, key)


def test_ratios_and_the_steps_from_which_compiling_pays(page):
    row = {"loop ms": 12.0, "eager ms": 4.0, "compiled ms": 3.0, "compiled first round s": 20.0}
    assert page.ratio(row, "loop", "eager") == "3"
    assert page.ratio(row, "jax", "eager") == ""
    assert page.pays_from(row) == "20000"
    assert page.pays_from(row | {"compiled ms": 5.0}) == "never"
    assert page.pays_from({"eager ms": 1.0}) == ""
