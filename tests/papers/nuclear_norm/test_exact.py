"""Printed numbers as fractions."""

from fractions import Fraction

import pytest

from featurebook.papers.nuclear_norm import exact, printed


def test_tenths_and_variances() -> None:
    assert list(exact.tenths([64.2, 0.1])) == [Fraction(321, 5), Fraction(1, 10)]
    errors = [(0.05) ** 0.5, (0.29 / 36) ** 0.5, (0.13 / 16) ** 0.5]
    assert list(exact.variances(errors)) == [
        Fraction(1, 20),
        Fraction(29, 3600),
        Fraction(13, 1600),
    ]
    assert len(exact.off_the_mean("6.1")) == len(printed.table("6.1"))


def test_means_of_the_rows() -> None:
    off = exact.off_the_mean("6.1")
    assert off["6.1: SelfReg"] == Fraction(6, 25)
    for name in printed.TABLES:
        frame = printed.means(name)
        gaps = (frame.ours - frame.paper).abs()
        found = [float(exact.off_the_mean(name)[label]) for label in frame.label]
        assert found == pytest.approx(gaps.to_list(), abs=1e-9)
