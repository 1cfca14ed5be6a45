"""Drawings in dark mode: a page says for each picture whether its colours may be inverted.

In the dark the style sheet turns a drawing's light into dark and keeps its hues. A photograph, or a
picture that contains one, would become a negative, so that it keeps its light ground. Lines and
marks that matplotlib rasterised are no photograph: where nothing is drawn they are transparent.
A map of numbers keeps its ground as well: turned, its colours would lose their order.
"""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path

from PIL import Image

DRAWING = "drawing"
IMG = re.compile(r'<img\b(?P<before>[^>]*?)\ssrc="(?P<folder>[^"]*_images/)(?P<name>[^"/]+\.svg)"')
MAP = 'id="QuadMesh'
"""How matplotlib names a map of numbers that it draws as rectangles."""
PIXELS = re.compile(r'href="data:image/png;base64,\s*([^"]+)"')


def mark(folder: Path) -> None:
    """Give every drawing on the pages of a built site the class `DRAWING`."""
    pictures = (folder / "_images").glob("*.svg")
    drawings = {p.name for p in pictures if is_drawing(p.read_text(encoding="utf-8"))}
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        marked = IMG.sub(lambda m: _marked(m, drawings), text)
        if marked != text:
            page.write_text(marked, encoding="utf-8")


def is_drawing(svg: str) -> bool:
    """Whether an SVG contains no map, and no picture that covers what is below it."""
    pictures = PIXELS.findall(svg)
    if MAP in svg or svg.count("<image") != len(pictures):
        return False
    return all(map(_is_transparent, pictures))


def _is_transparent(encoded: str) -> bool:
    """Whether some pixel of a PNG lets all of its ground through."""
    with Image.open(BytesIO(b64decode(encoded))) as picture:
        return picture.mode == "RGBA" and picture.getchannel("A").getextrema()[0] == 0


def _marked(img: re.Match[str], drawings: set[str]) -> str:
    if img["name"] not in drawings:
        return img[0]
    before, found = re.subn(r'class="', f'class="{DRAWING} ', img["before"], count=1)
    before = before if found else f'{before} class="{DRAWING}"'
    return f'<img{before} src="{img["folder"]}{img["name"]}"'
