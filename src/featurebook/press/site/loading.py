"""Let a built page fetch its pictures when a reader comes near them, the first at once.

Each has its place before it is there, so that no text moves when it comes.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

Size = tuple[int, int]
"""Width and height in pixels."""

IMAGE = re.compile(
    r'<img (?![^>]*\bwidth=)(?=[^>]*\bsrc="[^"]*_images/(?P<name>[^"/]+)")(?P<rest>[^>]*)'
)
"""A picture in a page that does not say yet how large it is."""
SVG = re.compile(r'<svg [^>]*?width="([\d.]+)pt" height="([\d.]+)pt"')
POINTS = 0.75
"""In a pixel."""


def site(folder: Path) -> None:
    """Do so on all pages of a built site."""
    found = {p.name: size(p.read_text("utf-8")) for p in (folder / "_images").glob("*.svg")}
    sizes = {name: known for name, known in found.items() if known}
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        made = with_lazy_pictures(text, sizes)
        if made != text:
            page.write_text(made, encoding="utf-8")


def size(svg: str) -> Size | None:
    """The size of a picture; None if it is not given in points."""
    found = SVG.search(svg)
    return (round(float(found[1]) / POINTS), round(float(found[2]) / POINTS)) if found else None


def with_lazy_pictures(page: str, sizes: Mapping[str, Size]) -> str:
    """A page whose pictures say how large they are, and all but the first that they can wait."""
    first = page.find("<img ")

    def placed(image: re.Match[str]) -> str:
        if not (known := sizes.get(unquote(image["name"]))):
            return image[0]
        waits = "" if image.start() == first or "loading=" in image["rest"] else 'loading="lazy" '
        return f'<img width="{known[0]}" height="{known[1]}" {waits}{image["rest"]}'

    return IMAGE.sub(placed, page)
