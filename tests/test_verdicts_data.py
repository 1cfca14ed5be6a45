"""A verdict as data: parts, reasons, margins; its sentence, its badge; words with one meaning."""

import json
import math
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
import sympy
import torch
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from featurebook import verdicts
from featurebook.verdicts import MEANING, OUTCOMES, Certificate, Reason, Verdict, shown, words

# numbers in sentences


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (2.737e-05, 2, "2.7·10⁻⁵"),
        (0.4419, 2, "0.44"),
        (0.4419, 3, "0.442"),
        (-1.5, 3, "−1.5"),
        (1e-12, 2, "10⁻¹²"),
        (1.0, 3, "1"),
        (0.0, 3, "0"),
        (-0.0, 3, "0"),
        (1048.6, 3, "1,050"),
        (123456.0, 3, "123,000"),
        (1234567.0, 3, "1.23·10⁶"),
        (9.999, 3, "10"),
        (0.0009996, 3, "0.001"),
        (0.00099, 2, "9.9·10⁻⁴"),
        (12345, 3, "12,345"),
        (-3, 3, "−3"),
        (10**40, 2, "10⁴⁰"),
        (True, 3, "1"),
        (math.inf, 3, "∞"),
        (-math.inf, 3, "−∞"),
        (math.nan, 3, "no number"),
        (np.float32(0.5), 3, "0.5"),
        (np.int64(7), 3, "7"),
        (torch.tensor(2.5), 3, "2.5"),
    ],
)
def test_numbers_are_set_plainly(number, digits, text):
    assert shown(number, digits) == text


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(2, 6))
def test_what_is_shown_is_close_to_what_it_is(x, digits):
    text = shown(x, digits).replace("−", "-").replace(",", "")
    mantissa, _, power = text.rpartition("10") if "·" in text else (text, "", "")
    if text.lstrip("-").startswith("10") and any(c in text for c in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"):
        mantissa, power = "-1" if text[0] == "-" else "1", text.lstrip("-")[2:]
    raised = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    value = float(f"{mantissa.rstrip('·')}e{raised or 0}")
    assert value == pytest.approx(x, rel=0.6 * 10 ** (1 - digits), abs=1e-320)


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (2.737e-05, 0.4419, "2.7·10⁻⁵ ≤ 0.44"),
        (0.2502, 0.2516, "0.2502 ≤ 0.2516"),
        (1.048, 1.0, "1.05 > 1"),
        (1 + 1e-9, 1.0, "1.000000001 > 1"),
        (1.0, 1 + 1e-9, "1 ≤ 1"),
        (3.0, 3.0, "3 = 3"),
        (math.inf, math.inf, "∞ = ∞"),
        (math.nan, 1.0, "no number against 1"),
    ],
)
def test_two_numbers_are_shown_in_the_digits_that_tell_them_apart(a, b, text):
    assert verdicts.compared(a, b) == text


# words


def test_every_word_has_a_meaning_and_every_meaning_a_word():
    known = {*OUTCOMES, *get_args(Reason), *get_args(Certificate)} - {""}
    assert known == set(MEANING)
    assert all(len(m) < 200 for m in MEANING.values())


# sentences


def test_the_deciding_number_comes_first():
    one = verdicts.inequality(2.737e-5, 0.4419, what="error")
    assert one.measured == "2.7·10⁻⁵ ≤ 0.44 in the one case tried: error"
    two = verdicts.inequality([1.0, 3.0], [2.0, 3.5], what="sizes")
    assert two.measured == "3 ≤ 3.5 in the tighter of 2 cases: sizes"
    assert verdicts.inequality([3.0, 1], [2.0, 2]).measured == "3 > 2 in 1 of 2 cases"
    rounding = verdicts.inequality(1 + 1e-14, 1.0, slack=1e-12)
    assert rounding.measured == "both sides are 1, within rounding, in the one case tried"
    true = verdicts.everywhere([1, 1], what="kernels stay")
    assert true.measured == "true in both cases: kernels stay"


def test_a_sentence_has_at_most_200_characters():
    long = verdicts.everywhere([True], what="word " * 80)
    assert len(long.measured) <= 200
    assert long.measured.endswith("word…")
    assert long.title == "word " * 80
    assert len(Verdict("x", "holds", "a" * 300, {}, 1).measured) == 200
    parts = [verdicts.everywhere([True], what="word " * 80)] * 3
    assert verdicts.combine(parts).measured.endswith("…; all 3 parts hold")
    assert len(verdicts.combine(parts).measured) <= 200


# inequalities


def test_the_margin_is_relative_to_the_larger_side():
    found = verdicts.inequality([0.001, 5.0], [0.1, 6.0])
    assert found.margin == pytest.approx(1 / 6)
    assert (found.numbers["smaller_at_worst"], found.numbers["larger_at_worst"]) == (5, 6)
    assert verdicts.inequality(0.0, 1.0).margin == 1
    assert verdicts.inequality(2.0, 1.0).margin == -0.5
    assert verdicts.inequality(0.0, 0.0).margin == 0
    assert verdicts.inequality(-1.0, 1.0).margin == 2
    assert verdicts.inequality(0.0, math.inf).margin == 1
    assert verdicts.inequality(math.nan, 1.0).margin == -math.inf


def test_beside_zero_the_nearest_number_is_the_tightest():
    found = verdicts.inequality([-342.0, -2, -5], 0)
    assert found.measured == "−2 ≤ 0 in the tightest of 3 cases"
    assert found.numbers["smaller_at_worst"] == -2
    assert verdicts.inequality([3.0, 4, -1], 0).measured.startswith("4 > 0 in the worse")


def test_rounding_near_zero_is_not_the_tightest_place():
    found = verdicts.inequality([1e-15, 1.0], [0.0, 1.5], slack=1e-12)
    assert (found.outcome, found.numbers["larger_at_worst"]) == ("holds", 1.5)


def test_complex_numbers_have_no_order():
    with pytest.raises(TypeError, match="no order"):
        verdicts.inequality(1j, 2)
    with pytest.raises(TypeError, match="no order"):
        verdicts.trend([1j, 2], expected=(0, 1), what="w")


def test_where_it_is_not_known_whether_a_bound_is_informative_it_is_not():
    assert verdicts.inequality(1, 2, informative=math.nan).outcome == "vacuous"


def test_counts_are_whole_numbers():
    found = verdicts.probability(torch.tensor(90), np.int64(100), at_least=0.5)
    assert (found.samples, found.numbers["successes"]) == (100, 90)
    with pytest.raises(TypeError):
        verdicts.probability(90.5, 100, at_least=0.5)


def test_small_whole_numbers_do_not_wrap():
    a, b = np.array([1], dtype=np.uint8), np.array([2], dtype=np.uint8)
    assert verdicts.identity(a, b, tolerance=0.1).numbers["largest_difference"] == 0.5
    assert verdicts.inequality(b, a).outcome == "refuted"
    assert verdicts.identity([True], [False], tolerance=0.1).outcome == "refuted"


def test_complex_identities_and_entries_by_themselves():
    assert verdicts.identity([1j], [1j], tolerance=1e-15).outcome == "holds"
    assert verdicts.identity([1j], [1.0], tolerance=0.1).outcome == "refuted"
    wrong = [1.0, 2e-9], [1.0, 1e-9]
    assert verdicts.identity(*wrong, tolerance=1e-6).outcome == "holds"
    assert verdicts.identity(*wrong, tolerance=1e-6, each=True).outcome == "refuted"


def test_nan_is_not_satisfied():
    assert verdicts.everywhere([1.0, math.nan], what="w").outcome == "refuted"


# chance


def test_no_trials_decide_nothing():
    found = verdicts.probability(0, 0, at_least=0.5)
    assert (found.outcome, found.reason) == ("open", "nothing tried")
    with pytest.raises(ValueError, match="no number"):
        verdicts.probability(1, 2, at_least=math.nan)


def test_a_straddling_probability_says_so():
    found = verdicts.probability(905, 1000, at_least=0.9)
    assert found.reason == "straddles"
    assert verdicts.probability(990, 1000, at_least=0.9).margin > 0
    assert verdicts.probability(500, 1000, at_least=0.9).margin < 0


def test_intervals_of_accuracies_stay_inside():
    _, low, high = verdicts.mean_interval([0.9, 1.0, 0.95], 0.999, within=(0, 1))
    assert (low, high) == (pytest.approx(0, abs=0.5), 1)
    assert verdicts.mean_interval([0.5], within=(0, 1)) == (0.5, 0, 1)
    assert all(math.isnan(v) for v in verdicts.mean_interval([0.5, math.nan], within=(0, 1)))
    assert math.isnan(verdicts.mean_interval([])[0])


CLOSE = np.array([-0.01, 0.0, 0.01])


@pytest.mark.parametrize(
    ("centre", "spread", "expected", "rival", "outcome", "reason"),
    [
        # λ_n of slope .999 "agrees" with [0, 1]: not with 1 as the rival, nor without a rival
        (0.999, 0.1, (0, 1), 1.0, "open", "not seen"),
        (0.999, 0.1, (0, 1), None, "open", "straddles"),
        # [-1.93, -0.31] "agrees" with [-inf, -1/2]
        (-1.12, 32.6, (-math.inf, -0.5), None, "open", "straddles"),
        (-1.12, 32.6, (-math.inf, -0.5), -0.5, "open", "not seen"),
        (-1.12, 1.0, (-math.inf, -0.5), -0.5, "trend", ""),
        (0.5, 1.0, (0.4, 0.6), 0.0, "trend", ""),
        (0.5, 1.0, (0.4, 0.6), {"no growth": 0.0, "linear": 1.0}, "trend", ""),
        (0.5, 1.0, (0.4, 0.6), [0.0, 0.51], "open", "not seen"),
        (0.61, 1.0, (0.4, 0.6), 0.0, "open", "straddles"),
        (0.9, 1.0, (0.4, 0.6), 0.0, "open", "not seen"),
        (0.5, 1.0, (0.5, 0.5), None, "trend", ""),
        (0.5, 30.0, (0.5, 0.5), None, "open", "not seen"),
        (0.6, 1.0, (0.5, 0.5), None, "open", "not seen"),
        (0.75, 1.0, (0.75, 0.75), None, "trend", ""),
        (0.75, 12.0, (0.75, 0.75), None, "open", "not seen"),
        (0.75, 12.0, (0.75, 0.75), 0.0, "trend", ""),
        (math.nan, 1.0, (0, 1), 0.5, "open", "not seen"),
        (math.inf, 1.0, (0, math.inf), 0.0, "open", "not seen"),
    ],
)
def test_a_trend_excludes_the_next_simplest_law(centre, spread, expected, rival, outcome, reason):
    with np.errstate(invalid="ignore"):
        estimates = centre + spread * CLOSE
        found = verdicts.trend(estimates, expected=expected, rival=rival, what="slope")
    assert (found.outcome, found.reason) == (outcome, reason)
    json.dumps(found.as_dict(), allow_nan=False)


def test_the_rival_is_named():
    found = verdicts.trend(0.5 + CLOSE, expected=(0.4, 0.6), rival={"no growth": 0.0}, what="norm")
    assert found.measured == (
        "0.5, 95% interval [0.4752, 0.5248] over 3 runs; claimed in [0.4, 0.6], "
        "excludes no growth (0): norm"
    )
    assert found.numbers["rival"] == 0
    assert found.margin == pytest.approx(1 - 0.0248 / 0.5, abs=1e-3)
    near = verdicts.trend(0.5 + CLOSE, expected=(0.4, 0.6), rival=0.51, what="norm")
    assert near.detail == "0.51"
    assert "indistinguishable from 0.51" in near.measured


def test_runs_that_all_came_out_alike_have_no_interval_in_the_sentence():
    found = verdicts.trend([-0.5] * 3, expected=(0, 1), rival=2, what="w")
    assert found.measured.startswith("−0.5 in each of 3 runs; claimed in [0, 1]")


def test_too_few_runs_have_no_trend():
    assert verdicts.trend([0.5], expected=(0, 1), rival=2, what="w").reason == "too few"
    assert verdicts.trend([], expected=(0, 1), rival=2, what="w").reason == "too few"
    with pytest.raises(ValueError, match="no range"):
        verdicts.trend([0.5, 0.6], expected=(1, 0), what="w")


def test_zero_has_no_exponent():
    found = verdicts.exponent([1, 2, 4], [[0, 1, 2], [1, 2, 4]], expected=(1, 1), what="w")
    assert (found.outcome, found.reason) == ("open", "not seen")


# parts


def test_parts_stand_gravest_and_tightest_first():
    parts = [
        verdicts.inequality(1.0, 10.0, what="loose"),
        verdicts.inequality(9.0, 10.0, what="tight"),
        verdicts.everywhere([True], what="plain"),
        verdicts.inequality(2.0, 1.0, what="false"),
    ]
    found = verdicts.combine(parts)
    assert [p.title for p in found.parts] == ["false", "tight", "loose", "plain"]
    assert found.measured == ("2 > 1 in the one case tried: false; of 4 parts 1 is refuted, 3 hold")
    assert (found.outcome, found.margin) == ("refuted", -0.5)
    assert found.numbers["b_smaller_at_worst"] == 9  # in the order given
    shown_parts = found.as_dict()["parts"]
    assert [p["outcome"] for p in shown_parts] == ["refuted", "holds", "holds", "holds"]
    assert shown_parts[0]["numbers"]["larger_at_worst"] == 1
    titled = verdicts.combine(parts, titles=["one", "two", "three", "four"])
    assert titled.parts[0].title == "four"
    with pytest.raises(ValueError, match="shorter"):
        verdicts.combine(parts, titles=["one"])


def test_more_parts_than_letters():
    parts = [verdicts.everywhere([True], what=str(k)) for k in range(60)]
    found = verdicts.combine(parts)
    assert len(found.numbers) == 120
    assert {"a_true", "z_true", "aa_true", "bh_true"} <= set(found.numbers)


def test_one_part_is_itself():
    one = verdicts.inequality(1.0, 2.0, what="only")
    found = verdicts.combine([one])
    assert (found.measured, found.title, found.margin) == (one.measured, "only", 0.5)
    assert "verdict-parts" not in found._repr_mimebundle_()["text/html"]


def test_the_reason_of_the_deciding_part_is_the_reason():
    parts = [
        verdicts.everywhere([True], what="w"),
        verdicts.only_on(verdicts.everywhere([True], what="v"), "digits", "MNIST"),
    ]
    found = verdicts.combine(parts)
    assert (found.outcome, found.reason, found.detail) == ("open", "not judged", "MNIST")


def test_attacks_of_parts_add_up():
    def attacked(ratio, claim="x"):
        facts = {"method": "m", "starts": 3, "evaluations": 30, "ratio": ratio, "worst": str(ratio)}
        return Verdict(claim, "holds", "m", {}, 30, attack=facts)

    both = verdicts.combine([attacked(0.5), attacked(0.9)])
    assert both.attack == {
        "method": "m",
        "starts": 6,
        "evaluations": 60,
        "ratio": 0.9,
        "worst": "0.9",
    }
    some = verdicts.combine([attacked(None), verdicts.everywhere([1], what="w")])
    assert some.attack["parts"] == "1 of 2"
    badge = both._repr_mimebundle_()["text/html"]
    assert "attacked: 6 starts, 60 evaluations, tightest ratio 0.9; the tightest is 0.9" in badge


@pytest.mark.parametrize(
    ("worst", "measured", "shown"),
    [
        ("x = (1, 1e-05), from equal", "m", True),
        ("x = (1, 10⁻⁵), from equal", "2 > 1: w, at x = (1, 10⁻⁵), from equal", False),
        ("x = 5 × 5 numbers of norm 3", "m", False),
        ("x" * 81, "m", False),
        ("", "m", False),
    ],
)
def test_a_small_instance_is_shown_with_its_attack(worst, measured, shown):
    attack = {"starts": 3, "evaluations": 30, "ratio": 0.9, "worst": worst}
    badge = Verdict("x", "holds", measured, {}, 30, attack=attack)._repr_mimebundle_()["text/html"]
    end = "; the tightest is x = (1, 10⁻⁵), from equal" if shown else ""
    assert f"attacked: 3 starts, 30 evaluations, tightest ratio 0.9{end}</div>" in badge


def test_what_is_true_where_it_was_run_is_not_decided():
    true = verdicts.in_runs(verdicts.everywhere([True], what="w"), "of all networks")
    assert (true.outcome, true.reason, true.detail) == (
        "open", "true where run", "of all networks"
    )  # fmt: skip
    empty = verdicts.inequality([1.0], [2.0], informative=[False], what="w")
    assert verdicts.in_runs(empty, "d").reason == "true where run"
    false = verdicts.in_runs(verdicts.everywhere([False], what="w"), "of all networks")
    assert (false.outcome, false.reason) == ("open", "not seen")


def test_certificates_of_parts():
    exact = verdicts.exactly(Fraction(1, 3), "<", 1)
    algebra = verdicts.exactly(sympy.pi, "<", 4)
    plain = verdicts.everywhere([True], what="w")
    false = verdicts.exactly(2, "<", 1)
    assert verdicts.combine([exact, algebra]).certificate == "proved by computer algebra"
    assert verdicts.combine([exact, plain]).certificate == ""
    assert verdicts.combine([plain, false]).certificate == "proved by exact arithmetic"
    wrong = verdicts.everywhere([False], what="w")
    assert verdicts.combine([exact, wrong]).certificate == ""
    badge = exact._repr_mimebundle_()["text/html"]
    assert '<div class="verdict-certificate">proved by exact arithmetic</div>' in badge


def test_what_is_proved_cannot_be_refuted_by_numbers():
    good = verdicts.proved(verdicts.inequality(1, 2))
    assert good.certificate == "proved on the page"
    with pytest.raises(ValueError, match="proved on the page, but refuted"):
        verdicts.proved(verdicts.inequality(2, 1))


def test_undecided_has_a_reason():
    base = verdicts.everywhere([False], what="w")
    found = verdicts.undecided(base, "two readings", "as outputs it holds")
    assert (found.outcome, found.reason, found.detail) == (
        "two readings", "", "as outputs it holds",
    )  # fmt: skip
    assert found.measured.startswith("as outputs it holds; false in the one case tried")
    for reason in ("", "because"):
        with pytest.raises(ValueError, match="no reason"):
            verdicts.undecided(base, reason)


@pytest.mark.parametrize(
    ("reason", "outcome", "kept"),
    [("two readings", "two readings", ""), ("our text", "our text", ""),
     ("seeds differ", "mixed", "seeds differ"), ("machines differ", "mixed", "machines differ"),
     ("not seen", "open", "not seen"), ("not judged", "open", "not judged")],
)  # fmt: skip
def test_the_reason_decides_how_a_claim_is_undecided(reason, outcome, kept):
    found = verdicts.undecided(verdicts.everywhere([False], what="w"), reason, "d")
    assert (found.outcome, found.reason, found.detail) == (outcome, kept, "d")


def grows(*runs):
    return verdicts.trend(runs, expected=(0, math.inf), rival=0.0, what="w")


@pytest.mark.parametrize(
    ("runs", "outcome"),
    [
        ((-1.0, -1.1, -0.9), "contrary"),
        ((-1.0, -1.1), "open"),  # too few
        ((-1.0, -1.1, 0.01, -1.2, -0.9, -1, -1, -1), "open"),  # one run the other way
        ((-0.1, -2.0, -0.3, -1.5), "open"),  # all below zero, but not far
        ((math.nan, -1.0, -1.1, -0.9), "open"),
        ((-1.0, 1.0, -0.1), "open"),
    ],
)
def test_contrary_is_computed_from_the_runs(runs, outcome):
    assert verdicts.contrary(grows(*runs), "it shrinks").outcome == outcome
    refuted = verdicts.everywhere([False], what="w")
    found = verdicts.contrary(refuted, "it shrinks", runs=runs, claimed=(0, math.inf))
    assert found.outcome == outcome
    assert found.reason == ("" if outcome == "contrary" else "not seen")
    assert found.measured == "it shrinks; false in the one case tried: w"
    up = verdicts.contrary(refuted, runs=[-x for x in runs], claimed=(-math.inf, 0))
    assert up.outcome == outcome


def test_contrary_needs_half_a_width_between_interval_and_range():
    mean, _, high = verdicts.mean_interval([-1.0, -1.2, -0.8, -1.0])
    half = high - mean
    for border, outcome in ((high + 1.01 * half, "contrary"), (high + 0.99 * half, "open")):
        found = verdicts.contrary(
            verdicts.trend([-1.0, -1.2, -0.8, -1.0], expected=(border, 9.0), what="w")
        )
        assert found.outcome == outcome


def test_contrary_never_overrules_what_supports_a_claim_or_leaves_it_mixed():
    runs = {"runs": [-1.0, -1.1, -0.9], "claimed": (0.0, math.inf)}
    with pytest.raises(ValueError, match="holds, but the runs show the opposite"):
        verdicts.contrary(verdicts.everywhere([True], what="w"), **runs)
    mixed = verdicts.undecided(grows(-1.0, -1.1, -0.9), "seeds differ")
    assert verdicts.contrary(mixed) == mixed
    assert verdicts.contrary(grows(1.0, 1.1, 0.9)) == grows(1.0, 1.1, 0.9)
    with pytest.raises(ValueError, match="no trend, it lacks low"):
        verdicts.contrary(verdicts.everywhere([False], what="w"))
    with pytest.raises(ValueError, match="both of runs and claimed"):
        verdicts.contrary(grows(1.0), runs=[1.0])


# badge


def test_a_badge_lists_parts_and_says_why():
    parts = [verdicts.inequality(1, 2, what="a < b"), verdicts.inequality(3, 2, what="c")]
    badge = verdicts.relabelled(verdicts.combine(parts), "x-1")._repr_mimebundle_()["text/html"]
    assert badge.startswith('<div id="verdict-x-1" class="verdict verdict-refuted" ')
    assert badge.count("<li>") == 2
    assert "<li>✗ refuted: 3 &gt; 2 in the one case tried: c</li>" in badge
    assert "a &lt; b" in badge
    few = verdicts.trend([1.0], expected=(0, 1), what="w")._repr_mimebundle_()["text/html"]
    assert "? open (too few)</strong>" in few


def test_data_that_json_lacks_become_text():
    data = {"f": Fraction(1, 3), "e": sympy.sqrt(2), "t": torch.tensor([1.0, math.inf]),
            "a": np.array([[1, 2]]), "n": None}  # fmt: skip
    found = Verdict("x", "holds", "m", {}, 1, instance=data).as_dict()["instance"]
    assert found == {"f": "1/3", "e": "sqrt(2)", "t": [1.0, "inf"], "a": [[1, 2]], "n": None}


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("24*d**3*h + 2*e", "24 d³ h + 2 e"),
        ("2.6713060e-50 <= 1e+06", "2.671306·10⁻⁵⁰ ≤ 10⁶"),
        ("1/10 - sqrt(5)/10", "1/10 − √5/10"),
        ("(3, -1), [-0.5, 2]", "(3, −1), [−0.5, 2]"),
        ("2**(3/4), d^(1/4), 10^-8", "2^(3/4), d^(1/4), 10⁻⁸"),
        ("n = d in [1, 2, 5], c in [1, 2]", "n = d in {1, 2, 5}, c in [1, 2]"),
        ("p = [7, 5, 3], x = [1, 2]", "p = (7, 5, 3), x = [1, 2]"),
        ("at v_1 = .9, [.5, 2]", "at v₁ = 0.9, [0.5, 2]"),
        ("binom(16k, k) against 4^k", "(16k choose k) against 4^k"),
        ("ResNet-18, 2020-24, (B.1)-(B.3)", "ResNet-18, 2020-24, (B.1)-(B.3)"),
    ],
)
def test_mathematics_is_printed_in_its_own_signs(written, printed):
    assert words.mathematical(written) == printed
    assert words.mathematical(printed) == printed


@pytest.mark.parametrize(
    ("range_", "said"),
    [((0.5, 0.5), "0.5"), ((-math.inf, -1), "at most −1"), ((0, math.inf), "at least 0"),
     ((0.95, 1), "in [0.95, 1]"), ((-math.inf, math.inf), "any number")],
)  # fmt: skip
def test_what_a_range_allows_is_said_in_words(range_, said):
    assert words.allowed(*range_) == said


def test_whole_numbers_are_compared_whole():
    assert words.compared(128.0, 128) == "128 = 128"
    assert words.compared(-1250, 3.0) == "−1,250 ≤ 3"
    assert words.compared(128.4, 256) == "128 ≤ 256"
    assert words.compared(21.4, 21.5) == "21.4 ≤ 21.5"


def test_an_interval_that_is_not_a_point_does_not_look_like_one():
    assert words.interval(0.99987, 1) == "[0.9999, 1]"
    assert words.interval(1, 1) == "[1, 1]"


@pytest.mark.parametrize(
    ("true", "tried", "said"),
    [(1, 1, "true in the one case tried"), (2, 2, "true in both cases"),
     (5, 5, "true in each of 5 cases"), (3, 5, "true in 3 of 5 cases"),
     (0, 5, "false in each of 5 cases"), (0, 1, "false in the one case tried")],
)  # fmt: skip
def test_how_often_something_is_true(true, tried, said):
    assert words.true_in(true, tried) == said


def test_balls_are_shown_in_as_many_digits_as_tell_them_apart():
    a, b = arb("1.00001"), arb("1.00002")
    assert (
        verdicts.exactly(a, "<", b).measured == "1.00001 < 1.00002, exactly, in the one case tried"
    )
    assert verdicts.exactly(arb(3), ">", arb("2e-50")).measured.startswith("3 > 2·10⁻⁵⁰, exactly")
    assert verdicts.exactly(True, "==", True).measured.startswith("true, exactly")
    assert verdicts.exactly(False, "==", False).measured.startswith("as stated, exactly")
    many = verdicts.exactly(sympy.Integer(7049707520), "==", 7049707520)
    assert many.measured.startswith("both sides are 7,049,707,520, exactly")
    assert verdicts.exactly([1, 2], "==", [1, 2]).measured.startswith("both sides are equal,")
    assert verdicts.exactly(Fraction(1, 5) + Fraction(1, 10**9), ">", Fraction(1, 5)).measured == (
        "0.200000001 > 0.2, exactly, in the one case tried"
    )
    assert verdicts.exactly(40000000000, "<", Fraction(10**12, 3)).measured.startswith(
        "4·10¹⁰ < 3.33333·10¹¹, exactly"
    )
