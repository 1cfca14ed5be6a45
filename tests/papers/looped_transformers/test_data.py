"""Prompts: norms, spectra, fractions."""

from fractions import Fraction

import numpy as np
import pytest

from featurebook.papers.looped_transformers import data


def test_spectrum_is_the_one_asked_for() -> None:
    X = data.with_spectrum(np.random.default_rng(0), 7, [0.5, 2.0, 8.0])
    np.testing.assert_allclose(np.linalg.eigvalsh(X.T @ X), [0.5, 2.0, 8.0])
    with pytest.raises(ValueError, match="need n >= d"):
        data.with_spectrum(np.random.default_rng(0), 2, [1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="need n >= d"):
        data.with_spectrum(np.random.default_rng(0), 3, [-1.0])


def test_tasks_have_norm_one() -> None:
    rng = np.random.default_rng(0)
    np.testing.assert_allclose(np.linalg.norm(data.sphere(rng, 5, 3), axis=1), 1.0)
    for d in (1, 2, 5):
        unit = data.rational_unit(rng, d)
        assert unit @ unit == 1


def test_exact_keeps_every_bit() -> None:
    x = np.array([[0.1, -3.5e-12]])
    assert data.exact(x)[0, 0] == Fraction(0.1) != Fraction(1, 10)
    assert float(data.exact(x)[0, 1]) == x[0, 1]


def test_cases_cover_the_degenerate_ones() -> None:
    cases = {c.name: c for c in data.cases(0)}
    assert cases["n < d"].X.shape[0] < cases["n < d"].X.shape[1]
    assert np.linalg.matrix_rank(cases["rank one"].X) == 1
    assert not cases["zero"].X.any()
    assert np.linalg.cond(cases["κ = 1"].X) == pytest.approx(1.0)
    assert np.linalg.cond(cases["κ = 10¹²"].X) ** 2 == pytest.approx(1e12, rel=1e-3)
    np.testing.assert_allclose(cases["opposite rows"].X.sum(0), 0.0, atol=1e-12)
    assert all(np.linalg.norm(c.theta) == pytest.approx(1.0) for c in cases.values())


def test_streams_differ_and_repeat() -> None:
    draw = [data.generator(0, "a").random(), data.generator(0, "a").random()]
    assert draw[0] == draw[1] != data.generator(0, "b").random()
    assert data.generator(1, "a").random() != draw[0] != data.generator(0, "a", 2).random()
