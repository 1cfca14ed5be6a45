"""Checks that would pass for another statement: ``python -m featurebook.press.claims.weak PART``.

Each side of each comparison is replaced: a side that varies by a constant (its mean; in an
inequality its least or largest value) and by itself at other arguments (rolled by one place), a
constant side by a multiple. A comparison that passes is listed if it passes each time. Of an
inequality that means that a bound ten times as tight, and one that does not depend on the
arguments, would have passed as well.

Attacks, searches, trends and probabilities are not listed: they report how hard they tried.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from featurebook.press.book.places import find_root
from featurebook.press.claims import asking
from featurebook.press.run.experiments import checks_of, values_of
from featurebook.press.run.parameters import final_values
from featurebook.verdicts import Verdict, comparisons
from featurebook.verdicts.claims import Claims, Study

Call = tuple[str, tuple[Any, ...], dict[str, Any]]
ORDERED = ("<", "<=", ">", ">=")


def weak(study: Study, claim: str) -> list[str]:
    """The comparisons in a claim's check whose outcome never changes."""
    return [
        str(call[2].get("what", call[0]))
        for call in _compared(study, claim)
        if _outcome(call) == "holds"
        and (others := list(_others(call)))
        and not any(map(_moves(call), others))
    ]


def _compared(study: Study, claim: str) -> list[Call]:
    """The comparisons of two sides that a check makes."""
    calls: list[Call] = []
    with _noted(study.claims, calls):
        study.check(claim)
    return calls


@contextmanager
def _noted(claims: Claims, calls: list[Call]) -> Iterator[None]:
    """Note each comparison that a module of checks makes."""

    def noting(name: str) -> Callable[..., Verdict]:
        compare = getattr(comparisons, name)

        def compared(*args: Any, **kwargs: Any) -> Verdict:
            calls.append((name, args, kwargs))
            found: Verdict = compare(*args, **kwargs)
            return found

        return compared

    before = []
    modules = {sys.modules[j.compare.__module__] for j in claims.judgements.values()}
    for module in modules:
        for name in ("identity", "inequality", "exactly"):
            if getattr(module, name, None) is getattr(comparisons, name):
                before.append((module, name, getattr(module, name)))
                setattr(module, name, noting(name))
    try:
        yield
    finally:
        for module, name, compare in before:
            setattr(module, name, compare)


def _outcome(call: Call) -> str:
    name, args, kwargs = call
    return str(getattr(comparisons, name)(*args, **kwargs).outcome)


def _moves(call: Call) -> Callable[[tuple[Any, ...]], bool]:
    name, _, kwargs = call
    compare = getattr(comparisons, name)

    def moves(others: tuple[Any, ...]) -> bool:
        try:
            return bool(compare(*others, **kwargs).outcome != "holds")
        except (ValueError, TypeError, ArithmeticError):
            return True

    return moves


def _others(call: Call) -> Iterator[tuple[Any, ...]]:
    """The arguments with one side replaced; none where a side is not made of numbers."""
    name, args, _ = call
    left, right, sign = (args[0], args[2], args[1]) if name == "exactly" else (*args[:2], "==")
    try:
        sides = [np.asarray(_plain(side), dtype=float) for side in (left, right)]
    except (TypeError, ValueError):
        return
    ordered = name == "inequality" or sign in ORDERED
    downwards = sign in (">", ">=")
    for k in (0, 1):
        for side in _replaced(sides[k], ordered, larger=(k == 1) != downwards):
            pair = [left, right]
            pair[k] = _exact(side) if name == "exactly" else side
            yield (pair[0], args[1], pair[1]) if name == "exactly" else (*pair, *args[2:])


def _exact(side: np.ndarray) -> Any:
    values = [Fraction(float(x)) for x in side.ravel()]
    return values if side.ndim else values[0]


def _plain(side: Any) -> Any:
    return side.detach().cpu().numpy() if hasattr(side, "detach") else side


def _replaced(side: np.ndarray, ordered: bool, larger: bool) -> Iterator[np.ndarray]:
    if ordered:
        yield side / 10 if larger else side * 10
    elif side.size:
        yield side * 1.1 if np.any(side) else side + 1
    if side.size > 1 and np.ptp(side) > 0:
        yield np.roll(side, 1)
        constant = (np.min(side) if larger else np.max(side)) if ordered else np.mean(side)
        yield np.full_like(side, constant)


def main(names: list[str]) -> None:
    """Print the comparisons of these parts, chapters or claims that never change."""
    found = asking.find(find_root(), names)
    studies: dict[str, Study] = {}
    listed = 0
    for q in found:
        claims = checks_of(q.chapter.part)
        assert claims is not None
        if q.chapter.address not in studies:
            values = values_of(q.chapter, final_values(q.chapter, "tiny"))
            studies[q.chapter.address] = claims.at(**values)
        for what in weak(studies[q.chapter.address], q.claim.id):
            listed += 1
            print(f"{q.claim.id} ({q.claim.expected}): {what}")
    print(f"{listed} comparisons of {len(found)} claims")


if __name__ == "__main__":
    main(sys.argv[1:])
