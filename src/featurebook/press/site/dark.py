"""Drawings for the dark: a page says of each picture whether its colours may be turned.

In the dark the style sheet turns a drawing's light into dark and keeps its hues. A photograph, or a
picture that contains one, would become a negative, so that it keeps its light ground.
"""

import re
from pathlib import Path

DRAWING = "drawing"
IMG = re.compile(r'<img\b(?P<before>[^>]*?)\ssrc="(?P<folder>[^"]*_images/)(?P<name>[^"/]+\.svg)"')


def mark(folder: Path) -> None:
    """Give every drawing on the pages of a built site the class `DRAWING`."""
    pictures = (folder / "_images").glob("*.svg")
    drawings = {p.name for p in pictures if "<image" not in p.read_text(encoding="utf-8")}
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        marked = IMG.sub(lambda m: _marked(m, drawings), text)
        if marked != text:
            page.write_text(marked, encoding="utf-8")


def _marked(img: re.Match[str], drawings: set[str]) -> str:
    if img["name"] not in drawings:
        return img[0]
    before, found = re.subn(r'class="', f'class="{DRAWING} ', img["before"], count=1)
    before = before if found else f'{before} class="{DRAWING}"'
    return f'<img{before} src="{img["folder"]}{img["name"]}"'
