"""Figures that compute: what a page has in place of their picture, and the files that it loads.

The part's formula becomes a script of its own, since the site's policy forbids scripts in pages.
"""

import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from docutils.nodes import make_id

from featurebook.press.book.files import read_notebook
from featurebook.press.book.places import papers
from featurebook.press.run import figure_data

FIGURE = r'(?P<picture><figure [^>]*id="(?P<id>[^"]+)">\s*(?:<a [^>]*>\s*)?<img [^>]*>(?:\s*</a>)?)'


GLUED = re.compile(
    r'<figure class="glued">(?P<rest>\s*<img [^>]*src="[^"]*/(?P<name>(?P<part>\w+)-[\w-]+)\.svg")'
)
"""A figure of another page, as `glue.SiblingFigure` shows it."""


def with_siblings(body: str, root: Path, data: str, static: str) -> str:
    """`with_lives` of a page that shows figures of other pages, which get ids for that."""
    wanted = {match["part"] for match in GLUED.finditer(body)}
    found: dict[str, Any] = {}
    for chapter in (part.chapters[0] for part in papers(root) if part.name in wanted):
        found |= figure_data.lives(read_notebook(chapter.executed))

    def named(match: re.Match[str]) -> str:
        if match["name"] not in found:
            return match[0]
        return f'<figure class="glued" id="{make_id(match["name"])}">{match["rest"]}'

    return with_lives(GLUED.sub(named, body), found, data, static)


def with_lives(body: str, lives: Mapping[str, Mapping[str, Any]], data: str, static: str) -> str:
    """A page's HTML with a place for every figure that computes, hidden until its script fills it.

    Args:
        lives: `featurebook.live.Live.as_dict` by the figures' names.
        data: address of the folder that has the formulas.
        static: address of the folder that has the script and the styles for all of them.
    """
    places = {make_id(name): name for name in lives}
    used = []

    def offer(match: re.Match[str]) -> str:
        name = places.get(match["id"])
        if name is None:
            return match[0]
        used.append(name)
        told = {key: value for key, value in lives[name].items() if key != "script"}
        spec = escape(json.dumps(told, ensure_ascii=False), quote=True)
        place = f'<div class="live" data-name="{escape(name)}" data-spec="{spec}" hidden></div>\n'
        # it is seen in print and without scripts only: others need not load it
        picture = match["picture"].replace("<img ", '<img loading="lazy" ', 1)
        return f"{picture}{place}"

    body = re.sub(FIGURE, offer, body)
    if not used:
        return body
    scripts = [f"{static}/live.js", *(f"{data}/{name}.js" for name in used)]
    loaded = "".join(f'<script defer src="{escape(address)}"></script>\n' for address in scripts)
    return f'<link rel="stylesheet" href="{escape(static)}/live.css">\n{body}{loaded}'


def formula_files(lives: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The scripts of formulas by the names of the files that pages ask for."""
    return {
        f"{name}.js": f"live.formulas[{json.dumps(name)}] =\n{shown['script'].strip()};\n"
        for name, shown in lives.items()
    }
