"""The page that counts the constants which the tests break says what the tables have."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from featurebook.press.book.places import papers
from featurebook.press.claims import trials
from mutation import Mutation, numbers

ROOT = Path(__file__).resolve().parents[1]
TABLES = ("MUTATIONS", "TABLE", "FORMULAS", "NUMBERS", "WHOLE")


def counted(module: ModuleType) -> dict[str, int]:
    """Mutations one by one, functions of which each number is broken, and these numbers."""
    rows = [row for name in TABLES for row in getattr(module, name, [])]
    single = sum(isinstance(row, Mutation) for row in rows)
    whole = [row for row in rows if not isinstance(row, Mutation)]
    skipped = getattr(module, "SKIPPED", {})

    def skips(row: tuple[Any, ...]) -> tuple[float, ...]:
        return row[2] if len(row) > 2 else skipped.get(getattr(row[0], "__name__", ""), ())

    inside = sum(x not in skips(row) for row in whole for x in numbers(row[0]))
    return dict(zip(trials.COLUMNS, (single, len(whole), inside), strict=True))


@pytest.mark.parametrize("part", [p.name for p in papers(ROOT)])
def test_the_page_counts_what_the_tables_break(part: str) -> None:
    found = counted(importlib.import_module(f"chapters.{part}.test_mutations"))
    said = yaml.safe_load((ROOT / trials.BROKEN).read_text(encoding="utf-8"))
    assert said[part] == found, f"{trials.BROKEN}: of {part} the tests break {found}"
