"""The notation page's symbols: the first use of each in a chapter leads to its row there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape, unescape

from featurebook.press.claims.formulas import plain

COMMON = "common"
MATH = r'<span class="math notranslate nohighlight">\\\((?P<tex>.*?)\\\)</span>'
SKIPPED = ("a", "h1", "h2", "h3", "h4", "figcaption", "nav", "summary")
"""Inside of these a symbol is not made a link."""


@dataclass(frozen=True)
class Symbol:
    """A symbol as the notation page has it: its TeX, what it means, and its anchor there."""

    tex: str
    meaning: str
    anchor: str


def read(notation: str) -> dict[str, list[Symbol]]:
    """The symbols of every labelled section of the notation page, by part.

    A section is labelled ``(notation-STEM)=``; each row of its first table has symbols in the first
    column and what they mean in the last.
    """
    parts = re.split(r"^\(notation-(\w+)\)=$", notation, flags=re.MULTILINE)[1:]
    return {stem: _symbols(stem, text) for stem, text in zip(parts[::2], parts[1::2], strict=True)}


def short_names(notation: str) -> dict[str, str]:
    """What the notation page calls each part: the heading of its section, by part."""
    return dict(re.findall(r"^\(notation-(\w+)\)=\n## (.+)$", notation, flags=re.MULTILINE))


def _symbols(stem: str, section: str) -> list[Symbol]:
    table = section.partition("\n| ")[2].partition("\n\n")[0]
    found: list[Symbol] = []
    for row in table.splitlines():
        columns = [c.strip() for c in row.strip("| ").split(" | ")]
        for tex in re.findall(r"\$([^$]+)\$", columns[0]):
            found.append(
                Symbol(tex, plain(columns[-1]), f"symbol-{stem}-{len(found) + 1}".replace("_", "-"))
            )
    return found


def of_part(known: dict[str, list[Symbol]], name: str) -> list[Symbol]:
    """A part's own symbols, and the common ones that it does not use otherwise."""
    own = known.get(name, [])
    taken = {_bare(s.tex) for s in own}
    return [*own, *(s for s in known.get(COMMON, []) if _bare(s.tex) not in taken)] if own else []


def linked(body: str, symbols: Sequence[Symbol], page: str) -> str:
    """A chapter's HTML with the first use of each symbol as a link to ``page``."""
    waiting = {_bare(s.tex): s for s in symbols}
    names = "|".join(SKIPPED)
    depth = 0

    def link(match: re.Match[str]) -> str:
        nonlocal depth
        if match["tex"] is None:
            depth += -1 if match["end"] else 1
            return match[0]
        symbol = None if depth else waiting.pop(_bare(unescape(match["tex"])), None)
        if symbol is None:
            return match[0]
        title = escape(f"{symbol.meaning} (notation)", quote=True)
        return f'<a class="symbol" href="{page}#{symbol.anchor}" title="{title}">{match[0]}</a>'

    return re.sub(rf"{MATH}|<(?P<end>/?)(?:{names})(?=[ >])", link, body)


def anchored(body: str, known: dict[str, list[Symbol]]) -> str:
    """The notation page's HTML with an anchor at each symbol of each section."""
    for stem, symbols in known.items():
        start = body.find(f'id="notation-{stem.replace("_", "-")}"')
        for symbol in symbols if start >= 0 else []:
            for match in re.compile(MATH).finditer(body, start):
                if _bare(unescape(match["tex"])) == _bare(symbol.tex):
                    new = f'<span id="{symbol.anchor}">{match[0]}</span>'
                    body = body[: match.start()] + new + body[match.end() :]
                    start = match.start() + len(new)
                    break
    return body


def _bare(tex: str) -> str:
    """TeX without what does not show: spaces, and braces around one letter."""
    return re.sub(r"\{(\w)\}", r"\1", re.sub(r"\s+", "", tex))
