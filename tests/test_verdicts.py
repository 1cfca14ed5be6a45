"""Every check can come out each way it may, and says what it measured."""

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from featurebook import verdicts
from featurebook.verdicts import MARKS, MIME, OUTCOMES, Verdict

# identity


def test_an_identity_holds_within_rounding_and_is_refuted_beyond():
    right = np.array([1.0, -200.0, 3.0])
    good = verdicts.identity(right * (1 + 1e-13), right, tolerance=1e-12)
    assert (good.outcome, good.samples, good.claim) == ("holds", 3, "")
    bad = verdicts.identity(right + np.array([0, 0, 1e-3]), right, tolerance=1e-6, what="L")
    assert bad.outcome == "refuted"
    # relative to the largest entry of the right side
    assert bad.numbers["largest_difference"] == pytest.approx(1e-3 / 200)
    assert bad.numbers["tolerance"] == 1e-6
    assert (
        bad.measured == "5·10⁻⁶ is the largest relative difference of 3 numbers (rounding: 10⁻⁶): L"
    )


def test_an_identity_with_zero_is_absolute():
    assert verdicts.identity([1e-13, 0], [0, 0], tolerance=1e-12).outcome == "holds"
    assert verdicts.identity([1e-11, 0], [0, 0], tolerance=1e-12).outcome == "refuted"


def test_an_identity_takes_tensors_and_broadcasts():
    w = torch.ones(4, 3, requires_grad=True)
    assert verdicts.identity(w, torch.tensor(1.0), tolerance=0.0).samples == 12


@pytest.mark.parametrize("odd", [math.nan, math.inf])
def test_what_is_not_finite_is_no_identity(odd):
    assert verdicts.identity([1.0, odd], [1.0, 1.0], tolerance=1e-3).outcome == "refuted"


def test_an_identity_of_nothing_shows_nothing():
    found = verdicts.identity([], [], tolerance=1e-3)
    assert (found.outcome, found.samples) == ("open", 0)


# inequality


def test_an_inequality_holds_is_refuted_or_is_empty():
    x = np.linspace(0.1, 1, 10)
    holds = verdicts.inequality(x**2, x)
    assert (holds.outcome, holds.samples, holds.numbers["fails"]) == ("holds", 10, 0)
    assert holds.numbers["smaller_at_worst"] == holds.numbers["larger_at_worst"] == 1
    refuted = verdicts.inequality(x, x**2 + 0.2, what="powers")
    assert refuted.outcome == "refuted"
    assert refuted.numbers["fails"] == sum(v > v**2 + 0.2 for v in x)
    worst = max((v - v**2 - 0.2) / v for v in x)
    assert refuted.margin == pytest.approx(-worst)
    assert "failures in 10 cases: powers" in refuted.measured
    vacuous = verdicts.inequality(x, 1 + x, informative=(1 + x) < 1)
    assert vacuous.outcome == "vacuous"
    assert "empty" in vacuous.measured
    assert vacuous.numbers["informative_places"] == 0


def test_an_empty_bound_that_fails_is_refuted():
    assert verdicts.inequality(2.0, 1.0, informative=False).outcome == "refuted"


def test_slack_is_for_rounding():
    assert verdicts.inequality(1 + 1e-12, 1.0, slack=1e-11).outcome == "holds"
    assert verdicts.inequality(1 + 1e-10, 1.0, slack=1e-11).outcome == "refuted"


def test_an_inequality_with_infinities():
    assert verdicts.inequality([1.0, math.inf], [math.inf, math.inf]).outcome == "holds"
    assert verdicts.inequality([1.0, math.inf], [2.0, 3.0]).outcome == "refuted"


@pytest.mark.parametrize("sides", [([math.nan, 1], [2, 2]), ([1, 1], [2, math.nan])])
def test_an_inequality_with_what_is_no_number_does_not_hold(sides):
    found = verdicts.inequality(*sides)
    assert (found.outcome, found.numbers["fails"]) == ("refuted", 1)


def test_an_inequality_tried_nowhere_is_open():
    assert verdicts.inequality([], []).outcome == "open"


# everywhere


@pytest.mark.parametrize(
    ("instances", "outcome", "true"),
    [([True, True], "holds", 2), ([1, 0, 1], "refuted", 2), ([], "open", 0)],
)
def test_everywhere(instances, outcome, true):
    found = verdicts.everywhere(np.array(instances), what="kernels stay")
    assert (found.outcome, found.samples, found.numbers["true"]) == (outcome, len(instances), true)
    assert "kernels stay" in found.measured


# probability


@pytest.mark.parametrize(
    ("successes", "trials", "confidence", "low", "high"),
    [  # Clopper and Pearson (1934); R's binom.test gives these digits
        (0, 10, 0.95, 0.0, 0.3084971),
        (10, 10, 0.95, 0.6915029, 1.0),
        (5, 10, 0.95, 0.1870860, 0.8129140),
        (7, 20, 0.95, 0.1539092, 0.5921885),
        (0, 100, 0.99, 0.0, 1 - 0.005 ** (1 / 100)),
    ],
)
def test_clopper_pearson_against_tables(successes, trials, confidence, low, high):
    found = verdicts.clopper_pearson(successes, trials, confidence)
    assert found == pytest.approx((low, high), abs=1e-6)


@given(st.integers(1, 300), st.data())
def test_clopper_pearson_ends_are_where_the_tail_is_half_the_error(trials, data):
    successes = data.draw(st.integers(0, trials))
    low, high = verdicts.clopper_pearson(successes, trials, 0.9)
    assert low <= successes / trials <= high
    if successes > 0:
        assert stats.binom.sf(successes - 1, trials, low) == pytest.approx(0.05, rel=1e-6)
    if successes < trials:
        assert stats.binom.cdf(successes, trials, high) == pytest.approx(0.05, rel=1e-6)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(successes, trials):
    with pytest.raises(ValueError, match="successes in"):
        verdicts.clopper_pearson(successes, trials)


@pytest.mark.parametrize(
    ("successes", "bound", "outcome"),
    [
        (990, {"at_least": 0.9}, "holds"),
        (500, {"at_least": 0.9}, "refuted"),
        (905, {"at_least": 0.9}, "open"),
        (990, {"at_least": 0.0}, "vacuous"),
        (990, {"at_least": -3.0}, "vacuous"),
        (10, {"at_most": 0.1}, "holds"),
        (500, {"at_most": 0.1}, "refuted"),
        (95, {"at_most": 0.1}, "open"),
        (95, {"at_most": 1.0}, "vacuous"),
    ],
)
def test_a_probability_comes_out_each_way(successes, bound, outcome):
    found = verdicts.probability(successes, 1000, **bound, what="occupied")
    assert (found.outcome, found.samples) == (outcome, 1000)
    assert found.numbers["successes"] == successes
    assert found.numbers["claimed"] == next(iter(bound.values()))
    low, high = verdicts.clopper_pearson(successes, 1000, 0.99)
    assert (found.numbers["low"], found.numbers["high"]) == (low, high)
    assert found.measured.startswith(f"{successes} of 1,000, probability in [")
    assert found.measured.endswith(": occupied")


@pytest.mark.parametrize("bounds", [{}, {"at_least": 0.1, "at_most": 0.2}])
def test_a_probability_has_one_bound(bounds):
    with pytest.raises(ValueError, match="exactly one"):
        verdicts.probability(1, 2, **bounds)


# means and trends


@pytest.mark.parametrize("next_value", [False, True])
def test_intervals_cover_as_often_as_they_say(next_value):
    draws = np.random.default_rng(0).normal(3.0, 2.0, (3000, 6))
    hits = 0
    for *sample, another in draws:
        mean, low, high = verdicts.mean_interval(sample, 0.9, next_value=next_value)
        assert low <= mean <= high
        hits += low <= (another if next_value else 3.0) <= high
    low, high = verdicts.clopper_pearson(hits, 3000, 0.999)
    assert low <= 0.9 <= high  # exact for normal values; 3000 draws tell 0.9 from 0.88


def test_the_t_interval_of_a_textbook():
    # 1 to 5: mean 3, variance 2.5; the 0.975 quantile of t with 4 degrees of freedom is 2.776445
    half = 2.776445 * (2.5 / 5) ** 0.5
    found = verdicts.mean_interval([1, 2, 3, 4, 5])
    assert found == pytest.approx((3, 3 - half, 3 + half), abs=1e-6)
    further = verdicts.mean_interval([1, 2, 3, 4, 5], next_value=True)
    assert further[2] == pytest.approx(3 + half * 6**0.5, abs=1e-6)


def test_one_value_says_nothing_of_its_spread():
    assert verdicts.mean_interval([2.5]) == (2.5, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("estimates", "expected", "outcome"),
    [
        ([1.9, 2.0, 2.1], (2.0, 2.0), "trend"),
        ([1.9, 2.0, 2.1], (1.0, math.inf), "trend"),
        ([1.9, 2.0, 2.1], (2.0, math.inf), "open"),
        ([1.9, 2.0, 2.1], (5.0, 6.0), "open"),
        ([1.9, 2.0, 2.1], (-math.inf, 1.0), "open"),
        ([2.0], (2.0, 2.0), "open"),
        ([2.0, math.nan], (2.0, 2.0), "open"),
    ],
)
def test_a_trend(estimates, expected, outcome):
    found = verdicts.trend(estimates, expected=expected, what="slope")
    assert (found.outcome, found.samples) == (outcome, len(estimates))
    assert (found.numbers["expected_low"], found.numbers["expected_high"]) == expected
    assert "slope" in found.measured


@given(st.floats(-4, 4), st.floats(0.01, 100), st.integers(2, 9))
def test_the_exponent_of_a_power_law_is_found(a, factor, n):
    x = np.geomspace(1, 50, n)
    found = verdicts.exponents(x, np.stack([factor * x**a, 3 * x ** (a + 1)]))
    np.testing.assert_allclose(found, [a, a + 1], atol=1e-11)  # logarithms of doubles up to e^20


def test_exponent_is_the_trend_of_the_fits():
    x, rng = np.array([1.0, 2, 4, 8, 16]), np.random.default_rng(1)
    y = x**1.5 * np.exp(rng.normal(0, 0.05, (8, 5)))
    assert verdicts.exponent(x, y, expected=(1.5, 1.5), what="growth").outcome == "trend"
    off = verdicts.exponent(x, torch.tensor(y), expected=(2, 3), what="growth")
    assert (off.outcome, off.samples) == ("open", 8)
    assert abs(off.numbers["mean"] - 1.5) < 0.1


# tables


def cells(**changes):
    rows = {"label": ["d=3", "d=5"], "paper": [1.0, 2.0], "ours": [1.1, 1.9],
            "low": [0.9, 1.7], "high": [1.3, 2.1]}  # fmt: skip
    return pd.DataFrame(rows | changes)


def test_a_table_holds_if_every_number_lies_in_our_interval():
    found = verdicts.reproduction(cells(extra=[1, 2]))
    assert (found.outcome, found.samples) == ("holds", 2)
    assert found.numbers["agreeing"] == 2
    assert found.numbers["largest_difference"] == pytest.approx(0.1)
    assert found.cells[0] == {"label": "d=3", "paper": 1.0, "ours": 1.1, "low": 0.9, "high": 1.3,
                              "agrees": True}  # fmt: skip


@pytest.mark.parametrize("low", [[0.9, 2.01], [1.01, 1.7], [math.nan, 1.7]])
def test_a_number_outside_is_open(low):
    found = verdicts.reproduction(cells(low=low))
    assert (found.outcome, found.numbers["agreeing"]) == ("open", 1)
    assert "1 of 2" in found.measured


def test_no_cells_do_not_hold():
    assert verdicts.reproduction(cells().iloc[:0]).outcome == "open"


def test_an_interval_without_ends_agrees_with_nothing():
    found = verdicts.reproduction(cells(low=[-math.inf, 1.7], high=[math.inf, 2.1]))
    assert (found.outcome, found.reason, found.numbers["agreeing"]) == (
        "open", "too few", 1,
    )  # fmt: skip
    off = verdicts.reproduction(cells(low=[-math.inf, 2.05], high=[math.inf, 2.1]))
    assert off.reason == "unlike print"


def test_a_table_says_how_wide_the_intervals_are():
    found = verdicts.reproduction(cells(), what="errors")
    assert found.measured == (
        "2 of 2 printed numbers lie in our interval (median width ±14%); "
        "median difference 7.5%, largest 10%: errors"
    )


def test_columns_that_are_missing_are_named():
    with pytest.raises(ValueError, match=r"lacks the columns \['low'\]"):
        verdicts.reproduction(cells().drop(columns="low"))


# combining


def part(outcome, samples=3):
    return Verdict("part", outcome, f"measured {outcome}", {"n": 1.5}, samples)


ORDER = (
    "refuted", "our text", "contrary", "two readings", "mixed", "open", "trend", "holds", "vacuous",
)  # fmt: skip


@given(st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=6))
def test_the_gravest_part_decides(outcomes):
    found = verdicts.combine([part(o) for o in outcomes])
    assert found.outcome == min(outcomes, key=ORDER.index)
    assert found.samples == 3 * len(outcomes)
    assert found.numbers["a_n"] == 1.5
    assert len(found.numbers) == len(outcomes)
    assert found.measured.startswith(f"measured {found.outcome}")


def test_nothing_cannot_be_combined():
    with pytest.raises(ValueError, match="no parts"):
        verdicts.combine([])


# showing


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_verdict_shows_as_badge_text_and_data(outcome):
    bundle = part(outcome)._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain", MIME}
    said = "undecided: our text" if outcome == "our text" else outcome
    assert bundle["text/plain"].startswith(f"{MARKS[outcome]} {said}  [part]")
    assert f"{MARKS[outcome]} {said}</strong>" in bundle["text/html"]
    assert f'class="verdict verdict-{outcome.replace(" ", "-")}"' in bundle["text/html"]
    assert bundle[MIME]["outcome"] == outcome
    assert bundle[MIME]["samples"] == 3


def test_html_is_escaped():
    evil = Verdict("<i>id</i>", "holds", "a < b & <script>alert(1)</script>", {}, 1)
    shown = evil._repr_mimebundle_()["text/html"]
    assert "<script>" not in shown
    assert "<i>" not in shown
    assert "a &lt; b &amp;" in shown


def test_the_data_are_strict_json_even_where_numbers_are_not():
    odd = {"inf": math.inf, "minus": -np.inf, "nan": np.float64("nan"), "count": np.int64(3),
           "flag": np.bool_(True), "single": np.float32(0.5)}  # fmt: skip
    row = {"label": "z", "low": -np.inf, "pair": (np.float64(1.0), np.nan)}
    shown = Verdict("x", "trend", "m", odd, 2, [row])._repr_mimebundle_()[MIME]
    again = json.loads(json.dumps(shown, allow_nan=False))
    assert again["numbers"] == {"inf": "inf", "minus": "-inf", "nan": "nan", "count": 3,
                                "flag": True, "single": 0.5}  # fmt: skip
    assert again["cells"] == [{"label": "z", "low": "-inf", "pair": [1.0, "nan"]}]


def test_every_checks_data_are_strict_json():
    tried = [
        verdicts.identity(torch.ones(2), [1, 1], tolerance=0.1),
        verdicts.inequality([1], [math.inf]),
        verdicts.everywhere([True], what="w"),
        verdicts.probability(1, 2, at_most=0.5),
        verdicts.trend([1.0], expected=(-math.inf, math.inf), what="w"),
        verdicts.exactly(Fraction(1, 3), "<=", 1, instance={"x": Fraction(1, 3)}),
        verdicts.reproduction(cells(paper=[0.0, 1.0])),
    ]
    for verdict in (*tried, verdicts.combine(tried)):
        assert json.loads(json.dumps(verdict.as_dict(), allow_nan=False))["claim"] == verdict.claim


def test_a_claim_about_a_named_data_set_is_not_judged_on_another() -> None:
    seen = verdicts.everywhere([True], what="x")
    assert verdicts.only_on(seen, "MNIST, test images", "MNIST") == seen
    other = verdicts.only_on(seen, "scikit-learn's digits", "MNIST")
    assert other.outcome == "open"
    assert (other.reason, other.detail) == ("not judged", "MNIST")
    assert "not judged without MNIST" in other.measured
