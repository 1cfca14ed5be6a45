"""Addresses that once were pages: ``notebooks/PART.html#place`` leads to the chapter that has it.

A part was one page before it was a folder of chapters. Its old address has a small page with a
table of all places and the chapters that they are in now; ``_static/moved.js`` reads it. Without
script one gets to the story. A chapter that is asked for a place which it does not have, since that
moved to another chapter, sends there too (``_static/chapters.js``).
"""

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from featurebook.press.book.places import Part, papers

MOVED = {"ledger": "book/ledger"}
"""Pages below ``notebooks/`` that have another name now, with the places in them."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Moved</title>
<link rel="canonical" href="{start}.html">
<noscript><meta http-equiv="refresh" content="0; url={start}.html"></noscript>
<script src="../_static/moved.js" data-start="{start}.html" data-places="{places}"></script>
</head>
<body><main><p>This page has moved: <a href="{start}.html">go there</a>.</p></main></body>
</html>
"""


def write(root: Path, site: Path) -> None:
    """Put a page at every old address of a built site."""
    for old, (start, places) in table(root, site).items():
        text = PAGE.format(start=start, places=escape(json.dumps(places, separators=(",", ":"))))
        (site / "notebooks" / f"{old}.html").write_text(text, encoding="utf-8")


def remove(root: Path, site: Path) -> None:
    """Take them away, so that a site that is bound again consists of its own pages alone."""
    for old in (*MOVED, *(part.name for part in papers(root))):
        (site / "notebooks" / f"{old}.html").unlink(missing_ok=True)


def table(root: Path, site: Path) -> dict[str, tuple[str, Mapping[str, Sequence[str]]]]:
    """For every old address the page to begin with, and the places in each page."""
    found: dict[str, tuple[str, Mapping[str, Sequence[str]]]] = {
        old: (new, {})
        for old, new in MOVED.items()
        if (site / "notebooks" / f"{new}.html").is_file()
    }
    for part in papers(root):
        found[part.name] = (part.chapters[0].address, _places(part, site))
    return found


def _places(part: Part, site: Path) -> dict[str, list[str]]:
    """The places in each chapter of a part; one that several have belongs to the first of them."""
    taken: set[str] = set()
    found: dict[str, list[str]] = {}
    for chapter in part.chapters:
        here = [name for name in places_of(site / chapter.page) if name not in taken]
        taken |= set(here)
        found[f"{chapter.address}.html"] = here
    return found


def places_of(page: Path) -> list[str]:
    """The ids in the text of a page: statements, verdicts, figures, equations, headings."""
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    article = text.partition("<article")[2].partition("</article>")[0]
    return list(dict.fromkeys(re.findall(r'\sid="([^"]+)"', article)))
