"""The words of the judgement, each with one meaning, and how numbers are set in sentences."""

import math
import re
from typing import Any, Literal, get_args

Outcome = Literal[
    "holds",
    "refuted",
    "vacuous",
    "trend",
    "contrary",
    "mixed",
    "two readings",
    "open",
    "our text",
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
DECIDED: frozenset[Outcome] = frozenset({"holds", "refuted", "vacuous", "trend"})
"""The outcomes that settle a claim."""
COLOURS: dict[Outcome, str] = {
    "holds": "#117a52",
    "refuted": "#c0392b",
    "vacuous": "#636a76",
    "trend": "#1f6fb2",
    "contrary": "#b0186e",
    "mixed": "#9a5b00",
    "two readings": "#6a4bc4",
    "open": "#0b7285",
    "our text": "#77594a",
}
MARKS: dict[Outcome, str] = {
    "holds": "✓",
    "refuted": "✗",
    "vacuous": "∅",
    "trend": "↗",
    "contrary": "↓",
    "mixed": "±",
    "two readings": "‖",
    "open": "?",
    "our text": "¶",
}
MIME = "application/vnd.featurebook.verdict+json"

Reason = Literal[
    "",
    "straddles",
    "not seen",
    "true where run",
    "too few",
    "nothing tried",
    "undecided",
    "not judged",
    "unlike print",
    "seeds differ",
    "machines differ",
]
"""Why a verdict is open or mixed; empty for every other outcome."""

MIXED: tuple[Reason, ...] = ("seeds differ", "machines differ")
"""The reasons of a verdict that is mixed; all others leave it open."""

Certificate = Literal[
    "",
    "proved by exact arithmetic",
    "proved by computer algebra",
    "proved by ball arithmetic",
    "proved on the page",
]
"""What stands behind a verdict beyond numbers in floating point; empty for nothing."""

MEANING: dict[str, str] = {
    "holds": "an identity up to rounding, an inequality wherever it was tried or attacked, a "
    "probability whose whole interval lies on the right side of the bound",
    "refuted": "a counterexample that satisfies every printed assumption, or a probability whose "
    "whole interval lies on the wrong side of the bound",
    "vacuous": "true, but empty: wherever it was tried, the bound tells us nothing that is not "
    "known without it",
    "trend": "a statement about a limit: at the sizes that we ran, the estimate lies in the "
    "claimed range, and its interval excludes the next simplest law",
    "contrary": "we measured the opposite, in every run and far from what is claimed, at sizes "
    "that do not refute the statement",
    "mixed": "the outcome changes with the seed or the machine; the verdict says how often",
    "two readings": "the statement can be read charitably in two ways, with different outcomes",
    "open": "not decided here; the verdict says what is missing",
    "our text": "undecided: the fault may lie in the scan of the paper that we read; such a claim "
    "is not counted and is on no list of errors",
    "straddles": "the interval contains the bound: more draws would decide",
    "not seen": "we did not see the claimed limit at the sizes that we ran: the estimate lies "
    "outside the claimed range, or the next simplest law fits as well",
    "true where run": "true in every run, but the claim covers more than runs can show",
    "too few": "fewer than two independent runs give no interval",
    "nothing tried": "no instance occurred",
    "undecided": "computed exactly, but to too few digits to decide it",
    "not judged": "the statement is about data that we do not have; the numbers are for other data",
    "unlike print": "some printed numbers lie outside our interval; details that the paper omits "
    "may explain it",
    "seeds differ": "another seed gives a different verdict",
    "machines differ": "another machine gives a different verdict",
    "proved by exact arithmetic": "decided in integers and rational numbers; nothing was rounded",
    "proved by computer algebra": "decided by symbolic computation; nothing was rounded",
    "proved by ball arithmetic": "decided in intervals that are certain to contain the true values",
    "proved on the page": "the page proves it; what was computed illustrates the proof",
}
"""What each outcome, reason and certificate means: the only place that says so."""

LONGEST = 200
"""The most characters that a verdict's sentence may have."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SIGNS = (
    (r"(\d)(?:\.0+)?e([+-]?)0*(\d+)\b", lambda m: f"{m[1]}·10^{m[2].strip('+')}{m[3]}"),
    (r"(?<=\.)(\d*[1-9])0+(?=·10\^)", r"\1"),
    (r"(?<![\w.,])1·(?=10\^)", ""),
    (r"(\^|\*\*)(-?\d+)(?![\d./^])", lambda m: m[2].translate(_RAISED)),
    (r"\*\*", "^"),
    (r"(?<=[\w)⁰¹²³⁴⁵⁶⁷⁸⁹])\*(?=[^\W⁰¹²³⁴⁵⁶⁷⁸⁹]|\()", " "),
    (r"\bsqrt\((\w+)\)", r"√\1"),
    (r"\bbinom\(([^,()]+), ([^,()]+)\)", r"(\1 choose \2)"),
    (r"(?<=\w) in \[((?:[^][,]+, ){2,}[^][,]+)\]", r" in {\1}"),  # two would be an interval
    (r"(?<=\w = )\[((?:[^][,]+, ){2,}[^][,]+)\]", r"(\1)"),
    (r"\bsqrt\(", "√("),
    (r"(?<![\w)\].^⁰¹²³⁴⁵⁶⁷⁸⁹])-(?=[\d∞√(])", "−"),
    (r"(?<=\S) - (?=\S)", " − "),
    (r"(?<=\b[A-Za-zΑ-ω])_(\d{1,2})\b", lambda m: m[1].translate(_LOWERED)),
    (r"(?<![\w.)\]])\.(?=\d)", "0."),
    ("<=", "≤"),
    (">=", "≥"),
    ("!=", "≠"),
)


def slug(outcome: str) -> str:
    """An outcome as part of a CSS class or a data attribute: without spaces."""
    return outcome.replace(" ", "-")


def of_slug(text: str) -> str:
    """The outcome that a `slug` stands for."""
    return text.replace("-", " ")


def in_print(outcome: str) -> str:
    """An outcome as a reader sees it."""
    return "undecided: our text" if outcome == "our text" else outcome


def shown(x: Any, digits: int = 3) -> str:
    """A number as a sentence shows it, rounded: 0.44, 1,250, 2.7·10⁻⁵, −∞."""
    if isinstance(x, bool | int):
        if abs(int(x)) < 10**7:
            return f"{int(x):,}".replace("-", "−")
        x = math.copysign(math.inf, x) if abs(x) > 10**300 else float(x)
    x = float(x)
    if math.isnan(x):
        return "no number"
    sign = "−" if x < 0 else ""
    if math.isinf(x):
        return f"{sign}∞"
    mantissa, _, power = f"{abs(x):.{digits - 1}e}".partition("e")
    exponent = int(power)
    if x == 0 or -4 < exponent < 6:
        text = f"{float(f'{mantissa}e{power}'):,.{max(0, digits - 1 - exponent)}f}"
        return sign + (text.rstrip("0").rstrip(".") if "." in text else text)
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    times = "" if mantissa == "1" else f"{mantissa}·"
    return f"{sign}{times}10{str(exponent).translate(_RAISED)}"


def compared(a: float, b: float) -> str:
    """Two numbers with the sign that is true of them, in as many digits as show how far apart.

    Digits before the point are shown, and so many more that rounding moves neither number by more
    than a quarter of their difference.
    """
    if math.isnan(a) or math.isnan(b):
        return f"{shown(a)} against {shown(b)}"
    sign = "=" if a == b else "≤" if a < b else ">"
    if all(float(x).is_integer() and abs(x) < 10**6 for x in (a, b)):
        return f"{shown(int(a))} {sign} {shown(int(b))}"
    size, most = max(abs(a), abs(b)), 16 if a > b else 6
    digits = len(str(int(size))) if 100 <= size < 10**6 else 2
    while digits < most and _blurred(a, b, digits):
        digits += 1
    return f"{shown(a, digits)} {sign} {shown(b, digits)}"


def _blurred(a: float, b: float, digits: int) -> bool:
    """Whether rounding to so many digits hides how far two numbers are apart."""
    if not math.isfinite(a - b) or a == b:
        return False
    return max(abs(x - float(f"{x:.{digits - 1}e}")) for x in (a, b)) > abs(a - b) / 4


def mathematical(text: str) -> str:
    """Mathematics as a program writes it, in the signs of print: 1e-05, x**2, sqrt(3), -1, <=."""
    for pattern, sign in _SIGNS:
        text = re.sub(pattern, sign, text)
    return text


def interval(low: float, high: float, digits: int = 3) -> str:
    """Both ends in brackets, in as many digits (at most nine) as tell them apart."""
    while digits < 9 and low != high and shown(low, digits) == shown(high, digits):
        digits += 1
    return f"[{shown(low, digits)}, {shown(high, digits)}]"


def estimate(mean: float, low: float, high: float) -> str:
    """A mean, in so many digits that it is not shown outside of its interval's ends."""
    digits = 4
    while digits < 9 and low != high and shown(low, digits) == shown(high, digits):
        digits += 1
    return shown(mean, digits)


def allowed(lower: float, upper: float) -> str:
    """A claimed range: 0.5, at most 1, at least 0, in [0, 1]."""
    if lower == upper:
        return shown(lower)
    if math.isinf(lower):
        return f"at most {shown(upper)}" if math.isfinite(upper) else "any number"
    return f"at least {shown(lower)}" if math.isinf(upper) else f"in {interval(lower, upper)}"


def percent(confidence: float) -> str:
    """A confidence as a sentence shows it: 95%, 99.99%."""
    return f"{shown(100 * confidence, 6)}%"


def places(count: int, noun: str = "case") -> str:
    """In how many: "the one case tried", "both cases", "each of 12 cases"."""
    if count == 2:
        return f"both {noun}s"
    return f"the one {noun} tried" if count == 1 else f"each of {count:,} {noun}s"


def true_in(true: int, tried: int) -> str:
    """Of how many cases something is true."""
    if true == tried:
        return f"true in {places(tried)}"
    return f"true in {true:,} of {tried:,} cases" if true else f"false in {places(tried)}"


def difference(gap: float, count: int, rounding: float) -> str:
    """The largest relative difference of so many numbers."""
    numbers = f"{count:,} numbers" if count > 1 else "the one number compared"
    if gap == 0:
        return f"no difference in {numbers}"
    largest = "largest relative difference of" if count > 1 else "relative difference of"
    return f"{shown(gap, 2)} is the {largest} {numbers} (rounding: {shown(rounding, 2)})"


_SAME = re.compile(r"(.+) = \1, exactly, in (the one|both|each) ")


def said(finding: str, what: str = "") -> str:
    """A verdict's sentence: the finding first, then what it is about, `LONGEST` at most.

    An exact equality names its number once; over several cases, whose numbers differ, it has none.
    """
    if same := _SAME.match(finding):
        sides = f"both sides are {same[1] if same[2] == 'the one' else 'equal'}"
        finding = sides + finding[finding.index(", exactly") :]
    return shortened(f"{finding}: {what}" if what else finding)


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text cut at a word, with dots, if it is longer than that.

    What stands in front of a verdict's sentence, of other seeds and why it is not judged, does not
    count.
    """
    seeds = re.match(r"(?:\w+ here; (?:differs with|varies over)|not judged) [^;]*; ", text)
    longest += seeds.end() if seeds else 0
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    if " " in cut[longest // 2 :]:
        cut = cut.rpartition(" ")[0]
    return cut.rstrip(" ,;:(") + "…"
