"""What was found, in the words of whoever states the claim.

A claim's option ``found`` is a sentence whose numbers are the verdict's own::

    :found: True but empty; we measure a loss of {mean .3g} where the bound allows {bound ,.0f}.

It was written for the outcome that is expected; where another came out, it is not shown.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from featurebook.press.claims.formulas import as_html, as_scripts, for_mathjax
from featurebook.press.claims.statements import Claim
from featurebook.verdicts.verdict import badge, mark

NUMBER = re.compile(r"\{(?P<name>[A-Za-z]\w*) (?P<format>[^{}]+)\}")
SHORT = 40
"""Lines of a check that is shown without a click."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class UnknownError(Exception):
    """A name that no chapter has, or a claim without a verdict yet."""


def in_words(claim: Claim, verdict: Mapping[str, Any]) -> str:
    """The sentence as MyST with its numbers; empty where there is none for this outcome.

    Raises:
        UnknownError: if the verdict has no such number, or a format is none.
    """
    if verdict["outcome"] != claim.expected:
        return ""
    return NUMBER.sub(lambda m: number(m[0][1:-1], verdict), claim.found)


def shown(
    claim: Claim,
    verdict: Mapping[str, Any],
    page: str = "",
    title: str = "",
    meaning: str = "",
    math: Callable[[str], str] = for_mathjax,
    copied: bool = False,
) -> str:
    """The verdict as the site has it, in HTML: what was found, and in a fold what it rests on.

    Args:
        page: the address of the page that has the verdict, where it is shown on another.
        title: the tooltip of the link to the verdict.
        meaning: the address at which its reason is explained, if it is.
        math: how a formula is written.
        copied: whether the check is there to be copied, and open where it is short.

    Raises:
        UnknownError: as `in_words`.
    """
    made = as_scripts(badge(verdict, as_html(in_words(claim, verdict), math=math)))
    name, reason = escape(verdict["claim"]), escape(verdict["reason"])
    about = f' title="{escape(title)}"' if title else ""
    link = f'<a class="verdict-claim" href="{page}#verdict-{name}"{about}><code>{name}</code></a>'
    made = made.replace(f'<code class="verdict-claim">{name}</code>', link)
    if page:
        made = made.replace(f'id="verdict-{name}" ', "", 1)
    if meaning:
        why = f'(<a class="term" href="{meaning}">{reason}</a>)</strong>'
        made = made.replace(f"({reason})</strong>", why, 1)
    if copied:
        made = made.replace("<pre>", '<pre class="copied" data-language="python" tabindex="0">')
        if verdict["source"].count("\n") <= SHORT:
            made = made.replace(
                '<details class="verdict-more">', '<details class="verdict-more" open>'
            )
    return made


def in_a_line(claim: Claim, verdict: Mapping[str, Any]) -> tuple[str, str]:
    """The mark of a verdict, and what was found, both as HTML.

    Raises:
        UnknownError: as `in_words`.
    """
    said = as_html(in_words(claim, verdict)) or as_scripts(escape(verdict["measured"]))
    return mark(verdict), said


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
