"""State claims in the toy book of `conftest`, in place of the one that it has."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

NOTES = ("note", "first_look", "was")


def state(book: Path, *claims: Mapping[str, Any], paper: str = "nobody") -> None:
    """Write the directives of claims into the toy's story, and their notes beside it.

    Args:
        claims: options of directives, ``text`` and ``title``, and notes; ``id`` is the label.
    """
    story = book / "notebooks" / "toy" / "story.py"
    before = story.read_text(encoding="utf-8")
    stated = "\n".join(map(directive, claims))
    text = re.sub(r"```\{claim\}.*?^```\n(?=\"\"\")", lambda _: stated, before, flags=re.M | re.S)
    story.write_text(text, encoding="utf-8")
    notes = {c["id"]: {k: c[k] for k in NOTES if k in c} for c in claims if set(NOTES) & set(c)}
    file = book / "book" / "claims" / "toy.yaml"
    file.write_text(yaml.safe_dump({"paper": paper, "notes": notes}))


def directive(claim: Mapping[str, Any]) -> str:
    """The directive of a claim; a list is joined, ``True`` is an option without a value."""
    lines = [f"```{{claim}} {claim.get('title', 'A title')}", f":label: {claim['id']}"]
    for name, value in claim.items():
        if name not in ("id", "title", "text", *NOTES):
            words = ", ".join(value) if isinstance(value, list | tuple) else value or "stated"
            lines.append(f":{name}:" if value is True else f":{name}: {words}")
    return "\n".join([*lines, "", claim.get("text", ""), "```", ""])
