"""What the check of a claim yields (`featurebook.verdicts.claims`): comparisons, without an id.

They are the functions of the same names in `featurebook.verdicts`, whose first argument, the
claim, they do not have: who yields a comparison is known from the check that yields it.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from featurebook.verdicts import attacks, certificates, chance, checks, combining, tables
from featurebook.verdicts.verdict import Verdict

identity = partial(checks.identity, "")
inequality = partial(checks.inequality, "")
everywhere = partial(checks.everywhere, "")
attack = partial(attacks.attack, "")
search = partial(attacks.search, "")
exactly = partial(certificates.exactly, "")
probability = partial(chance.probability, "")
trend = partial(chance.trend, "")
exponent = partial(chance.exponent, "")
reproduction = partial(tables.reproduction, "")


def together(title: str, parts: Sequence[Verdict]) -> Verdict:
    """Several comparisons as one, under a title."""
    return replace(combining.combine("", parts), title=title)


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
