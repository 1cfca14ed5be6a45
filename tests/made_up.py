"""Entries of a ledger made up for tests."""

from typing import Any

from featurebook.press.claims.judgements import STATED, Entry
from featurebook.press.claims.statements import Claim

INEQUALITY = {"smaller_at_worst": 2.0, "larger_at_worst": 1.0, "fails": 1.0}


def entry(name: str, outcome: str, **more: Any) -> Entry:
    """A claim ``toy-NAME`` that came out so; ``more`` goes to the claim or to the verdict."""
    verdict = {"measured": "measured & counted", "numbers": {"gap": 0.1}, "samples": 3, "cells": [],
               "parts": [], "reason": ""}  # fmt: skip
    verdict |= {k: more.pop(k) for k in (*verdict, "shaken") if k in more}
    expected = None if outcome == STATED else "holds"
    more = {"number": f"Lemma {name}", "kind": "lemma", "text": f"text <{name}>"} | more
    claim = Claim(f"toy-{name}", expected=expected, **more)
    return Entry("toy/story", "key", claim, outcome, scale="quick", device="CPU",
                 **{"shaken": False} | verdict)  # fmt: skip


def few() -> list[Entry]:
    """A refuted claim with its correction, what rests on it, a trend and a definition."""
    return [
        entry("1", "refuted", note="a sign", place="Section 1", numbers=INEQUALITY),
        entry("1-corrected", "holds", kind="corrected", corrects="toy-1"),
        entry("2", "holds", shaken=True, rests_on=("toy-1",)),
        entry("3", "trend", shaken=True, rests_on=("toy-2",)),
        entry("4", STATED),
    ]
