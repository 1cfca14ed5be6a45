"""The instances of the proofs are those of the Python checks, and refute there too."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from featurebook.papers.icl_scale import certified
from featurebook.press.claims import proofs

ROOT = Path(__file__).parents[2]


def read(name: str) -> dict:
    return json.loads((ROOT / "proofs" / f"{name}.json").read_text())


def test_four_heads():
    data = read("icl_scale/head_count")
    d = 2 ** data["nu"]
    net = certified.four_heads(d)
    diagonals = [[rows[p][p] for p in range(d)] for _, rows in net.heads]
    half = [Fraction(x, 2) for x in data["twice_ladder"]]
    level = [Fraction(data["twice_level"], 2)] * d
    assert diagonals == [half, [-x for x in half], level, [-x for x in level]]
    assert [a for a, _ in net.heads] == [-1, -1, 1, 1]
    assert net.least_margin() >= 1
    assert len(net.heads) < 2 * (data["nu"] + 1)


def test_five_signs():
    data = read("icl_scale/covering")
    d = 2 ** data["nu"]
    net = certified.by_subsets(d)
    negative = [[2 * rows[p][p] for p in range(d)] for a, rows in net.heads if a < 0]
    assert negative == data["signs"]
    assert net.covers_by_signs()
    assert len(negative) <= 2 * data["nu"] - 1


def test_label_of_one_half():
    data = read("gradient_features/labels")
    y, g = Fraction(data["label"]), Fraction(data["output"])
    assert abs(y) <= 1
    assert max(Fraction(0), 1 - y * g) < 1
    assert y != 1


@pytest.mark.parametrize("proof", list(proofs.every(ROOT)), ids=lambda p: p.path.stem)
def test_every_instance_is_compared(proof):
    if proof.data.exists():
        name = str(proof.data.relative_to(ROOT / "proofs").with_suffix(""))
        assert f'"{name}"' in Path(__file__).read_text()
