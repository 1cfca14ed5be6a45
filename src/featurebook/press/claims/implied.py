"""What a claim's directive need not say, because it follows from the rest."""

from collections.abc import Mapping

from featurebook.press.claims.formulas import plain

OWN = "the book's own"
"""How the place of a claim begins that no paper states."""
KINDS = (
    "definition",
    "assumption",
    "lemma",
    "proposition",
    "theorem",
    "corollary",
    "remark",
    "claim",
    "observation",
    "misprint",
    "figure",
    "table",
    "corrected",
)


def kind(options: Mapping[str, str]) -> str:
    """A correction, what the printed number begins with ("Lemma 3.1"), or an observation."""
    if "kind" in options:
        return options["kind"]
    if "corrects" in options:
        return "corrected"
    first = options.get("number", "").partition(" ")[0].lower().removesuffix("s")
    return first if first in KINDS else "observation"


def number(options: Mapping[str, str], corrected: Mapping[str, str]) -> str:
    """As written, or that of the corrected claim with ", corrected", or the claim's title."""
    if "number" in options:
        return options["number"]
    return f"{number(corrected, {})}, corrected" if corrected else plain(options["title"])


def place(options: Mapping[str, str], corrected: Mapping[str, str]) -> str:
    """As written, or that of the corrected claim; without a number the claim is the book's own."""
    if "place" in options or "corrects" in options:
        return options.get("place") or corrected.get("place", "")
    return "" if "number" in options else OWN
