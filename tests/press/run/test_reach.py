"""What a result is made of: the definitions that its function reaches, and no others."""

import os
import textwrap

import pytest

from featurebook.press.run import reach
from featurebook.press.run.reach import Place

FILES = {
    "__init__.py": "",
    "core/__init__.py": "from walks.core.steps import step\nfrom walks.core import steps\n",
    "core/steps.py": """
        SIZE = 2
        RULES = {}
        RULES["fast"] = lambda x: 3 * x
        def step(x: int) -> int:
            return SIZE * x
        def unused():
            return 99
        """,
    "model.py": """
        from __future__ import annotations
        import numpy as np
        from walks import core
        from walks.core import steps as inner
        class Walk:
            length: int = 7
            def go(self): return core.step(self.length)
            def _repr_html_(self):
                return pretty(self.length)
            def back(self): return -self.length
        def pretty(x): return f"<b>{x}</b>"
        def by_attribute(w: Walk): return inner.step(w.length)
        def late():
            from walks import other
            return other.told()
        def whole():
            return inner
        """,
    "other.py": "def told(): return TABLE\nTABLE = 'numbers.csv'\ndef silent(): return 0\n",
    "numbers.csv": "1,2\n",
}


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "walks"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text))
    return folder


def made_of(package, file, name):
    found = reach.reached([Place(package / file, name)], package, lambda place: [])
    return "\n".join(sorted(source for _, source in found))


def test_names_are_followed_through_imports_attributes_and_annotations(package):
    text = made_of(package, "model.py", "by_attribute")
    for part in ("class Walk", "def step", "SIZE = 2", "RULES[", "RULES = {}"):
        assert part in text
    for part in ("unused", "def late", "def whole"):
        assert part not in text


def test_an_import_within_a_function_counts_and_so_does_a_table(package):
    text = made_of(package, "model.py", "late")
    assert "def told" in text
    assert "1,2" in text
    assert "silent" not in text


def test_a_module_that_is_used_as_such_counts_whole(package):
    assert "unused" in made_of(package, "model.py", "whole")


def test_a_change_of_what_is_reached_is_seen_and_of_another_is_not(package):
    before = made_of(package, "model.py", "by_attribute")
    steps = package / "core" / "steps.py"

    def change(a, b):
        steps.write_text(steps.read_text().replace(a, b))
        os.utime(steps, ns=(0, steps.stat().st_mtime_ns + 1))
        return made_of(package, "model.py", "by_attribute")

    assert change("99", "98") == before
    assert change("SIZE = 2", "SIZE = 3") != before


def test_what_is_asked_for_besides_is_followed(package):
    def asks(place):
        return [Place(package / "other.py", "silent")] * (place.name == "late")

    found = reach.reached([Place(package / "model.py", "late")], package, asks)
    assert any("silent" in source for _, source in found)
    assert reach.arguments(Place(package / "model.py", "by_attribute")) == {"w"}


def test_how_an_object_shows_itself_does_not_count(package):
    text = made_of(package, "model.py", "Walk")
    assert "def go" in text
    assert "def back" in text
    assert "_repr_html_" not in text
    assert "pretty" not in text
