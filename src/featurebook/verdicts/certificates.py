"""Verdicts without rounding: rationals, computer algebra, ball arithmetic."""

import operator
from collections.abc import Mapping
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal

import numpy as np
import sympy
from flint import arb, fmpq, fmpz
from numpy.typing import NDArray

from featurebook.verdicts.checks import array, nothing, room
from featurebook.verdicts.verdict import Verdict
from featurebook.verdicts.words import (
    Certificate,
    Outcome,
    compared,
    mathematical,
    places,
    said,
    shown,
)

Relation = Literal["==", "!=", "<=", "<", ">=", ">"]
_SIGNS = {"==": "=", "!=": "≠", "<=": "≤", "<": "<", ">=": "≥", ">": ">"}
_COMPARE = {"==": operator.eq, "!=": operator.ne, "<=": operator.le, "<": operator.lt,
            ">=": operator.ge, ">": operator.gt}  # fmt: skip
_CONVERSE: dict[Relation, Relation] = {
    "==": "!=", "!=": "==", "<=": ">", ">": "<=", "<": ">=", ">=": "<",
}  # fmt: skip


def exactly(
    left: Any,
    relation: Relation,
    right: Any,
    *,
    what: str = "",
    instance: Mapping[str, Any] | None = None,
) -> Verdict:
    """A relation that is decided without rounding; one failure refutes it.

    Whole and rational numbers are compared as they are; sympy's expressions by their difference,
    simplified (with symbols in them, == is an identity); balls of python-flint only where they lie
    apart, or are points. Inconclusive ("undecided") if nothing fails, but something is open.

    Args:
        left, right: `int`, `Fraction`, sympy expressions, flint's ``arb``, ``fmpq``, ``fmpz``, or
            lists and arrays of these, which broadcast. No floats: `rationals` makes them exact.
        relation: between the two.
        instance: what it was computed from, to be kept in the verdict; exact numbers as text.
    """
    if relation not in _COMPARE:
        raise ValueError(f"{relation!r} is no relation; there are {', '.join(_COMPARE)}")
    a, b = np.broadcast_arrays(_objects(left), _objects(right))
    if a.size == 0:
        return nothing(what)
    pairs = list(zip(a.ravel(), b.ravel(), strict=True))
    found = [_decided(x, relation, y) for x, y in pairs]
    fails, open_ = found.count(False), found.count(None)
    outcome: Outcome = "refuted" if fails else "open" if open_ else "holds"
    wanted = False if fails else None if open_ else True
    deciding = [p for p, f in zip(pairs, found, strict=True) if f is wanted]
    flip = -1 if relation in (">=", ">") else 1
    margins = [_margin(x, y, flip) for x, y in deciding]
    worst = min(range(len(deciding)), key=lambda i: (margins[i], flip * _apart(*deciding[i])))
    x, y = deciding[worst]
    sign = _SIGNS[_CONVERSE[relation] if fails else relation]
    where = (
        f"in {places(a.size)}" if a.size == 1 or not fails else f"in {fails} of {a.size:,} cases"
    )
    sides = _sides(x, sign if outcome != "open" else "and", y)
    numbers: dict[str, float] = {"fails": fails, "undecided": open_}
    if (size := _float(x)) is not None and (other := _float(y)) is not None:
        ordered = (size, other) if flip > 0 else (other, size)
        numbers |= dict(zip(("smaller_at_worst", "larger_at_worst"), ordered, strict=True))
        if relation in ("==", "!="):
            numbers = {"fails": fails, "undecided": open_, "difference": abs(size - other)}
        if len(sides) > 90:
            sides = compared(*ordered)
    return Verdict(
        "",
        outcome,
        said(
            _finding(sides, where, relation)
            if not open_ or fails
            else f"{sides} are indistinguishable {where}",
            what,
        ),
        numbers,
        a.size,
        title=what,
        reason="undecided" if outcome == "open" else "",
        margin=None if relation in ("==", "!=") or not numbers else margins[worst],
        certificate="" if outcome == "open" else _certificate(pairs),
        instance=dict(instance or {}),
    )


def rationals(x: Any, largest_denominator: int | None = None) -> NDArray[Any]:
    """Floats, tensors or decimal strings as an array of `Fraction`, each what it is exactly.

    Args:
        largest_denominator: round to the nearest fraction with at most this denominator: a
            neighbour with small numbers is as good a counterexample, and can be read.
    """
    values = array(x)
    flat = [Fraction(v.item() if isinstance(v, np.generic) else v) for v in values.ravel()]
    if largest_denominator:
        flat = [f.limit_denominator(largest_denominator) for f in flat]
    return _filled(flat, values.shape)


def balls(x: Any) -> NDArray[Any]:
    """Exact numbers (or floats, taken as exact) as an array of flint's ``arb``.

    Precision is flint's: ``flint.ctx.prec = 200`` for 200 bits.
    """
    values = _objects(rationals(x) if array(x).dtype.kind == "f" else x)
    return _filled([_ball(v) for v in values.ravel()], values.shape)


def _decided(x: Any, relation: Relation, y: Any) -> bool | None:
    """Whether the relation is certain to be true (True) or false (False)."""
    if isinstance(x, arb) or isinstance(y, arb):
        u, v = _ball(x), _ball(y)
        if not (u.is_finite() and v.is_finite()):
            return None
        if _COMPARE[relation](u, v):  # of balls true only where it is certain
            return True
        return False if _COMPARE[_CONVERSE[relation]](u, v) else None
    if isinstance(x, sympy.Basic) or isinstance(y, sympy.Basic):
        return _by_algebra(sympy.simplify(_sympy(x) - _sympy(y)), relation)
    return bool(_COMPARE[relation](_fraction(x), _fraction(y)))


def _by_algebra(difference: sympy.Expr, relation: Relation) -> bool | None:
    """From simplify(left - right): its sign where sympy knows it."""
    zero = difference.is_zero if difference.is_zero is not None else difference.equals(0)
    if difference.free_symbols and relation in ("==", "!="):
        return None if zero is None else bool(zero) == (relation == "==")
    if zero:
        return relation in ("==", "<=", ">=")
    if relation in ("==", "!="):
        known = zero is False or difference.is_positive or difference.is_negative
        return (relation == "!=") if known else None
    if difference.is_positive:
        return relation in (">=", ">")
    if difference.is_negative:
        return relation in ("<=", "<")
    return None


def _objects(x: Any) -> NDArray[Any]:
    if isinstance(x, arb | fmpq | fmpz | sympy.Basic | Fraction | int):
        x = _filled([x], ())
    if isinstance(x, sympy.MatrixBase):
        return _objects(x.tolist())
    found = x if isinstance(x, np.ndarray) else np.array(x, dtype=object)
    flat = [v.item() if isinstance(v, np.generic) else v for v in found.ravel()]
    for v in flat:
        if isinstance(v, sympy.Float):
            raise TypeError(f"{v!r} was rounded: give sympy.Rational")
        if not isinstance(v, Rational | arb | fmpq | fmpz | sympy.Basic):
            raise TypeError(f"{v!r} is not exact; rationals(...) gives the fraction that it is")
    return _filled(flat, found.shape)


def _filled(values: list[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(shape)


def _fraction(x: Any) -> Fraction:
    if isinstance(x, fmpq):
        return Fraction(int(x.p), int(x.q))
    return Fraction(int(x)) if isinstance(x, fmpz) else Fraction(x)


def _sympy(x: Any) -> sympy.Expr:
    if isinstance(x, sympy.Basic):
        return x
    f = _fraction(x)
    return sympy.Rational(f.numerator, f.denominator)


def _ball(x: Any) -> arb:
    if isinstance(x, arb):
        return x
    if isinstance(x, sympy.Basic):
        if not x.is_Rational:
            raise TypeError(f"{x} as a ball: compute it with flint's own functions")
        return arb(fmpq(int(x.p), int(x.q)))
    f = _fraction(x)
    return arb(fmpq(f.numerator, f.denominator))


def _float(x: Any) -> float | None:
    if isinstance(x, arb):
        return float(x.mid())
    if isinstance(x, sympy.Basic):
        return None if x.free_symbols else float(x)
    return float(_fraction(x))


def _margin(x: Any, y: Any, flip: int) -> float:
    a, b = _float(x), _float(y)
    if a is None or b is None:
        return 0.0
    return room(a, b) if flip > 0 else room(b, a)


def _apart(x: Any, y: Any) -> float:
    """y - x, where both are numbers; of cases with equal margins the nearest is shown."""
    a, b = _float(x), _float(y)
    return 0.0 if a is None or b is None else b - a


def _finding(sides: str, where: str, relation: Relation) -> str:
    """The sides that decide, and of how many cases they are the tightest or the worst."""
    fails, _, tried = where.removeprefix("in ").removesuffix(" cases").partition(" of ")
    ordered, everywhere = relation not in ("==", "!="), fails == tried.replace(",", "")
    several = fails.isdecimal() and int(fails) > 1
    if everywhere and relation == "!=":
        where = f"in {places(int(fails))}"
    elif several and not ordered:
        places_of_failure = places(int(fails)) if everywhere else where.removeprefix("in ")
        return f"{sides}, exactly; false in {places_of_failure}"
    elif several:
        two = fails == "2"
        all_of_them = f"{tried} cases, {'both' if two else 'all'} of which fail"
        some = f"{fails} failures in {tried} cases"
        where = f"in the {'worse' if two else 'worst'} of {all_of_them if everywhere else some}"
    elif ordered and not fails.isdecimal():
        where = where.replace("both", "the tighter of 2").replace("each", "the tightest")
    return f"{sides}, exactly, {where}"


def _sides(x: Any, sign: str, y: Any) -> str:
    """Both sides, in as many digits as tell them apart."""
    if sign == "=" and isinstance(x, bool | np.bool_):
        return "true" if x else "as stated"
    if sign in ("≤", "≥") and not isinstance(x, arb) and x == y:
        return f"both sides are {_text(x, 3)}"
    digits, differ = 3, isinstance(x, arb) or (sign != "=" and x != y)
    while digits < 12 and differ and _decimal(x, digits) == _decimal(y, digits):
        digits += 1
    exact = [str(v) for v in (x, y) if isinstance(v, int | Fraction | sympy.Rational | fmpq)]
    long = [v for v in exact if len(v) > 8 and ("/" in v or digits <= 6)]
    if differ and long:  # such as 279/50000000
        left, right = (_decimal(v, max(6, digits)) for v in (x, y))
    else:
        left, right = _text(x, digits), _text(y, digits)
    if differ and _decimal(x, digits) == _decimal(y, digits) and not isinstance(x, arb):
        left, right = mathematical(str(x)), mathematical(str(y))
    return f"{left} {sign} {right}"


def _decimal(x: Any, digits: int) -> str:
    """A number as a decimal, so that 0.2 and 1/5 are seen to be alike; else its text."""
    value = None if isinstance(x, bool | np.bool_) else _float(x)
    return _text(x, digits) if value is None else shown(value, digits)


def _text(x: Any, digits: int) -> str:
    if isinstance(x, bool | np.bool_):
        return "yes" if x else "no"
    if str(x).removeprefix("-").isdecimal() and abs(int(x)) < 10**12:
        return f"{int(x):,}".replace("-", "−")
    if isinstance(x, arb):
        text = x.str(digits, radius=False)
        return (
            mathematical(text) if "e" in text or "." not in text else text.rstrip("0").rstrip(".")
        )
    text = str(x)
    value = _float(x)
    if len(text) <= 12 or value is None:  # such as 279/50000000
        return mathematical(text)
    return shown(value, max(6, digits))


def _certificate(pairs: list[tuple[Any, Any]]) -> Certificate:
    flat = [v for pair in pairs for v in pair]
    if any(isinstance(v, arb) for v in flat):
        return "proved by ball arithmetic"
    if any(isinstance(v, sympy.Basic) and not v.is_Rational for v in flat):
        return "proved by computer algebra"
    return "proved by exact arithmetic"
