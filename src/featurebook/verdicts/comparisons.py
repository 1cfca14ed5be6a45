"""What the check of a claim yields (`featurebook.verdicts.claims`): comparisons.

A comparison has no claim: who yields it is known from the check.
"""

from collections.abc import Sequence
from dataclasses import replace

from featurebook.verdicts.attacks import attack, search
from featurebook.verdicts.certificates import exactly
from featurebook.verdicts.chance import exponent, probability, trend
from featurebook.verdicts.checks import everywhere, identity, inequality
from featurebook.verdicts.combining import combine
from featurebook.verdicts.tables import reproduction
from featurebook.verdicts.verdict import Verdict


def together(title: str, parts: Sequence[Verdict]) -> Verdict:
    """Several comparisons as one, under a title."""
    return replace(combine(parts), title=title)


__all__ = [
    "attack",
    "everywhere",
    "exactly",
    "exponent",
    "identity",
    "inequality",
    "probability",
    "reproduction",
    "search",
    "together",
    "trend",
]
