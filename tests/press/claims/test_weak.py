"""The program that lists comparisons which would pass for another statement."""

import sys
from types import ModuleType

import numpy as np
import pytest

from featurebook.press.claims import weak
from featurebook.verdicts import comparisons
from featurebook.verdicts.claims import Claims

K = np.arange(1, 6)


@pytest.fixture
def judged(monkeypatch):
    """A module of checks as a paper has it: what it compares is bound by name."""
    module = ModuleType("toy_checks")
    monkeypatch.setitem(sys.modules, "toy_checks", module)
    for name in ("identity", "inequality", "exactly"):
        setattr(module, name, getattr(comparisons, name))

    def of(name, *args, **kwargs):
        claims = Claims("toy")

        @claims.check("a")
        def check():
            yield getattr(module, name)(*args, what="these", **kwargs)

        check.__module__ = "toy_checks"
        return weak.weak(claims.at(), "a")

    return of


def test_an_equation_moves_with_its_sides(judged):
    assert judged("identity", K**2.0, K * K, tolerance=1e-9) == []
    assert judged("exactly", 5, "==", 5) == []


def test_a_tight_bound_moves_and_a_loose_one_is_listed(judged):
    assert judged("inequality", K, K + 0.5) == []
    assert judged("inequality", K / 1000, K) == ["these"]
    assert judged("exactly", 1000, ">=", 1) == ["these"]
    assert judged("exactly", 3, ">=", 1) == []


def test_a_bound_that_follows_its_argument_moves(judged):
    growing = 2.0 ** np.arange(7)
    assert judged("inequality", K / 100, K / 5) == ["these"]
    assert judged("inequality", growing, 20 * growing) == []


def test_replaced_functions_are_restored(judged):
    judged("identity", K, K, tolerance=0)
    assert sys.modules["toy_checks"].identity is comparisons.identity
