"""Next to each statement a folded map: what it depends on, and what depends on it."""

import re
from collections.abc import Sequence

from featurebook.press.claims.graph import ClaimGraph, around, framed, resting
from featurebook.press.claims.judgements import Entry

START, END = '<details class="offer nearby">', "</details><!-- nearby -->"
ONWARD = re.compile(
    r'<p class="onward">(?:(?!</p>).)*?claims/(?P<id>[^"/]+)\.html".*?</p>', re.DOTALL
)
"""The links at the end of a statement's block, of which one leads to the claim's own page."""


def with_maps(page: str, entries: Sequence[Entry], part: str) -> str:
    """A page's HTML with the nearest claims of every statement as a map, folded.

    A page that has maps already gets those of today.
    """
    page = re.sub(f"{re.escape(START)}.*?{re.escape(END)}", "", page, flags=re.DOTALL)
    own = {e.claim.id: e for e in entries if e.part == part}
    graph = resting(list(own.values()))

    def offer(match: re.Match[str]) -> str:
        name = match["id"]
        near = around(graph, name)
        if name not in own or not near:
            return match[0]
        title = f"What {own[name].claim.number} depends on, and what depends on it ({name})"
        picture = framed(ClaimGraph([own[n] for n in near], title, centre=name).svg(), title)
        return f"{match[0]}{START}<summary>rests on</summary>{picture}{END}"

    return ONWARD.sub(offer, page)
