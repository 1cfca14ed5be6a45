"""Figures with a slider, on a page: the slider below their picture, and the files of its frames."""

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any

from docutils.nodes import make_id

PLAY = '<button type="button">Play</button> '


def with_sliders(body: str, shown_by: Mapping[str, Mapping[str, Any]], folder: str) -> str:
    """A page's HTML with a slider below the picture of every figure that has one.

    It is hidden until the page's script has made it work.
    """
    places = {make_id(name): name for name in shown_by}

    def offer(match: re.Match[str]) -> str:
        name = places.get(match["id"])
        if name is None:
            return match[0]
        shown = shown_by[name]
        values = escape(json.dumps(shown["values"], ensure_ascii=False), quote=True)
        frames = escape(f"{folder}/{name}", quote=True)
        plays, label = shown.get("play", False), escape(shown["label"])
        start = 0 if plays else shown["start"]
        return (
            f'{match["picture"]}<p class="slider" data-frames="{frames}" data-values="{values}" '
            f"hidden>{PLAY if plays else ''}"
            f'<label><span>{label}</span> <input type="range" min="0" '
            f'max="{len(shown["values"]) - 1}" step="1" value="{start}"></label> '
            f"<output>{escape(shown['values'][start])}</output></p>\n"
        )

    figure = r'(?P<picture><figure [^>]*id="(?P<id>[^"]+)">\s*'
    figure += r"(?:<a [^>]*>\s*)?<img [^>]*>(?:\s*</a>)?)"
    return re.sub(figure, offer, body)


def frame_files(sliders: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The pictures of sliders by the names of the files that the pages' script asks for."""
    return {
        f"{name}-{k}.svg": frame
        for name, shown in sliders.items()
        for k, frame in enumerate(shown["frames"])
    }
