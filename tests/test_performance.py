"""The pages on performance say what the records say."""

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


def test_the_pages_are_drawn_from_the_records(page):
    assert page.PAGE.read_text() == page.page(), "run benchmarks/page.py"
    assert page.RECORDS.read_text() == page.records(), "run benchmarks/page.py"


def test_the_page_for_readers_is_short_and_the_records_are_elsewhere(page):
    said = page.page()
    assert len(said.split()) < 700
    assert "performance_records" in said
    assert "commit `" not in said


def test_the_figure_has_all_contestants(page, monkeypatch, tmp_path):
    record = page.read(page.HERE / "records")[0]
    rows = page.by_replicas(record)
    counts = [r["replicas"] for r in rows]
    assert counts == sorted(set(counts))
    assert len(counts) >= 5
    assert all(f"{name} ms" in r for name in page.LINES for r in rows)
    monkeypatch.setattr(page, "FIGURE", tmp_path / "figure.svg")
    page.draw(record)
    assert page.FIGURE.stat().st_size > 5000
    for label, *_ in page.LINES.values():
        assert f"{label} " in page.alternative(record)


def test_every_record_says_where_and_when():
    records = sorted((ROOT / "benchmarks" / "records").rglob("*.json"))
    assert records
    for path in records:
        record = json.loads(path.read_text())
        for key in ("date", "commit", "device", "torch", "jax", "python", "load before"):
            assert record[key] not in (None, ""), (path.name, key)  # an idle machine has load 0


def test_ratios_and_the_steps_from_which_compiling_pays(page):
    row = {"loop ms": 12.0, "eager ms": 4.0, "compiled ms": 3.0, "compiled first round s": 20.0}
    assert page.ratio(row, "loop", "eager") == "3"
    assert page.ratio(row, "jax", "eager") == ""
    assert page.pays_from(row) == "20000"
    assert page.pays_from(row | {"compiled ms": 5.0}) == "never"
    assert page.pays_from({"eager ms": 1.0}) == ""
    assert page.times_as_long(row, "loop") == "4.0\N{NO-BREAK SPACE}×"
    assert [page.steps(x) for x in ("13676", "73.7", "never", "")] == ["14,000", "74", "never", ""]
