"""Mark the pictures that dark mode may invert.

In dark mode the style sheet inverts a drawing's lightness and keeps its hues. A photograph, or a
picture that contains one, would become a negative, so it keeps its light background. Lines and
marks that matplotlib rasterised do not count as one: where nothing is drawn they are transparent.
A heat map keeps its background as well: inverted, its colours would lose their order.
"""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Any

from docutils import nodes
from PIL import Image
from sphinx.transforms.post_transforms import SphinxPostTransform

DRAWING = "drawing"
MAP = 'id="QuadMesh'
"""How matplotlib names a heat map that it draws as rectangles."""
PIXELS = re.compile(r'href="data:image/png;base64,\s*([^"]+)"')


class Drawings(SphinxPostTransform):
    """Drawings have the class `DRAWING`."""

    default_priority = 230  # after figures have what belongs to them
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Look at every picture of a page."""
        for image in self.document.findall(nodes.image):
            file = Path(self.app.srcdir) / image["uri"]
            if file.suffix == ".svg" and is_drawing(file.read_text(encoding="utf-8")):
                image["classes"].append(DRAWING)


def is_drawing(svg: str) -> bool:
    """Whether an SVG contains no heat map and no opaque picture."""
    pictures = PIXELS.findall(svg)
    if MAP in svg or svg.count("<image") != len(pictures):
        return False
    return all(map(_is_transparent, pictures))


def _is_transparent(encoded: str) -> bool:
    """Whether some pixel of a PNG is fully transparent."""
    with Image.open(BytesIO(b64decode(encoded))) as picture:
        return picture.mode == "RGBA" and picture.getchannel("A").getextrema()[0] == 0
