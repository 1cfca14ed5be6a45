"""What was found, in the words of the claim's author.

A claim's option ``found`` is a sentence whose numbers are the verdict's own::

    :found: True but empty; we measure a loss of {mean .3g} where the bound allows {bound ,.0f}.

It was written for the expected outcome; with any other outcome it is not shown.
"""

import re
from collections.abc import Mapping
from typing import Any

from featurebook.press.claims.statements import Claim

NUMBER = re.compile(r"\{(?P<name>[A-Za-z]\w*) (?P<format>[^{}]+)\}")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class UnknownError(Exception):
    """An unknown name, or a claim that has no verdict yet."""


def in_words(claim: Claim, verdict: Mapping[str, Any]) -> str:
    """The sentence as MyST with its numbers; empty if there is none for this outcome.

    Raises:
        UnknownError: if the verdict has no such number, or a format is none.
    """
    if verdict["outcome"] != claim.expected:
        return ""
    return NUMBER.sub(lambda m: number(m[0][1:-1], verdict), claim.found)


def number(text: str, verdict: Mapping[str, Any]) -> str:
    """A number of a verdict as ``NAME FORMAT`` asks for it; 1e-05 is 1·10⁻⁵.

    Raises:
        UnknownError: if the verdict has no such number, or the format is none.
    """
    name, _, wanted = text.partition(" ")
    if name not in verdict["numbers"]:
        known = ", ".join(verdict["numbers"])
        raise UnknownError(f"{verdict['claim']} has no number {name!r}; there are {known}")
    value = verdict["numbers"][name]
    try:
        said = format(value, wanted.strip() or ".3g") if not isinstance(value, str) else value
    except ValueError:
        raise UnknownError(f"{wanted!r} is no format for {value!r}") from None
    return re.sub(
        r"^(-?[\d.]+)e([+-])0*(\d+)$",
        lambda m: f"{m[1]}·10" + (m[2].strip("+") + m[3]).translate(_RAISED),
        said,
    ).replace("-", "−")
