"""Python on the book's pages runs, and the names that pages mention exist."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from featurebook import core

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "book").glob("*.md"))]
FENCED = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
DOTTED = re.compile(r"`(featurebook(?:\.\w+)+)")
TRAIN = re.compile(r"`(train\([^`]+\))`")


def test_the_example_of_the_core_runs_and_wider_networks_learn_the_wave(capsys):
    (code,) = FENCED.findall((ROOT / "book" / "core.md").read_text(encoding="utf-8"))
    exec(compile(code, "core.md", "exec"), {})
    narrow, _, wide = map(float, re.findall(r"error ([\d.]+)", capsys.readouterr().out))
    assert wide < narrow / 2


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_names_of_the_package_exist(page):
    for name in DOTTED.findall(page.read_text(encoding="utf-8")):
        found = import_module("featurebook")
        for word in name.split(".")[1:]:
            if not hasattr(found, word):
                found = import_module(f"{found.__name__}.{word}")
            else:
                found = getattr(found, word)


def test_calls_of_train_have_arguments_that_it_takes():
    known = inspect.signature(core.train).parameters
    execution = inspect.signature(core.Execution).parameters
    calls = [c for page in PAGES for c in TRAIN.findall(page.read_text(encoding="utf-8"))]
    assert calls
    for call in calls:
        for node in ast.walk(ast.parse(call)):
            if isinstance(node, ast.Call):
                takes = execution if "Execution" in ast.unparse(node.func) else known
                assert {k.arg for k in node.keywords} <= set(takes), call
