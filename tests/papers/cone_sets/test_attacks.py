"""Attacks find what is false: each is turned on a statement that fails by a little."""

import pytest

from featurebook.papers.cone_sets import theory
from featurebook.papers.cone_sets.checks import attacks


@pytest.mark.parametrize(
    "attack",
    [attacks.norm_tail, attacks.chi_squared, attacks.gaussian_tail, attacks.upper_tail,
     attacks.lower_tail, attacks.counts, attacks.occupancy, attacks.sphere, attacks.filtering],
)  # fmt: skip
def test_the_true_statements_hold_and_are_nearly_reached(attack):
    verdict = attack(1)
    assert verdict.outcome == "holds", verdict
    assert 0.7 < verdict.attack["ratio"] <= 1


def test_the_lemmas_of_the_training_phase_hold():
    verdict = attacks.one_step(1)
    assert verdict.outcome == "holds"
    assert verdict.attack["ratio"] > 0.99
    assert [v.outcome for v in attacks.wins(1)] == ["holds"] * 2
    sharp = attacks.wins(1, sharp=True)
    assert [v.outcome for v in sharp] == ["holds"] * 2
    assert all(v.attack["ratio"] > 0.9 for v in sharp)


def test_more_noise_than_the_lemma_allows_breaks_it():
    assert attacks.one_step(1, eps=0.125).outcome == "refuted"  # 1.125² > 5/4


@pytest.mark.parametrize(
    ("attack", "name", "broken"),
    [
        (attacks.gaussian_tail, "gaussian_tail_bounds", lambda f: lambda x, r: f(x, 1.01 * r)),
        (attacks.counts, "lower_tail", lambda f: lambda C, p, lam: f(C, p, 1.35 * lam)),
        (attacks.occupancy, "cone_bounds_corrected", lambda f: lambda d, h, r: f(d, 1.1 * h, r)),
        (attacks.filtering, "filtering_failure", lambda f: lambda theta: f(theta) / 1e3),
        (attacks.norm_tail, "p0_corrected", lambda f: lambda d, f_h: f(d, f_h) ** 1.3),
    ],
)  # fmt: skip
def test_a_broken_bound_is_found(monkeypatch, attack, name, broken):
    monkeypatch.setattr(theory, name, broken(getattr(theory, name)))
    assert attack(0).outcome == "refuted"
