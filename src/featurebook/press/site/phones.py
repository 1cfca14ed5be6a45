"""Figures on a phone: a page that is narrow shows the second drawing that a wide figure has.

`press.run.narrow` draws it when a chapter is executed; print and previews keep the wide one.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from html import escape
from pathlib import Path

from docutils.nodes import make_id
from nbformat import NotebookNode

from featurebook.press.book.files import read_notebook
from featurebook.press.run import figure_data, narrow

SCREEN = "(max-width: 600px)"
"""Pages that are narrow, as in the style sheet."""
OWN = r'<figure [^>]*id="(?P<id>[^"]+)">\s*'
SIBLING = r'<figure class="glued"[^>]*>\s*(?=<img [^>]*src="[^"]*/(?P<name>\w+-[\w-]+)\.svg")'
FIGURE = re.compile(rf"(?P<before>(?:{SIBLING}|{OWN})(?:<a [^>]*>\s*)?)(?P<picture><img [^>]*>)")


def with_narrow(body: str, names: Collection[str], folder: str) -> str:
    """A page's HTML in which narrow pages show the figures of these names by their own drawing.

    Args:
        folder: address of the folder that has the drawings.
    """
    places = {make_id(name): name for name in names}

    def offer(match: re.Match[str]) -> str:
        name = places.get(match["id"] or make_id(match["name"]))
        if name is None:
            return match[0]
        return match["before"] + picture(match["picture"], f"{folder}/{file(name)}")

    return FIGURE.sub(offer, body)


def picture(image: str, address: str) -> str:
    """An image that on a narrow page is the one at that address."""
    source = f'<source media="{SCREEN}" srcset="{escape(address, quote=True)}">'
    return f"<picture>{source}{image}</picture>"


def file(name: str) -> str:
    """The file of a figure's narrow drawing, or of a frame's."""
    return f"{name}-narrow.svg"


def names(root: Path) -> set[str]:
    """The figures of all executed chapters in a folder that have a narrow drawing."""
    found = sorted((root / "notebooks").glob("*/*.ipynb"))
    return set().union(*(_names(path, path.stat().st_mtime_ns) for path in found))


@lru_cache(maxsize=256)
def _names(path: Path, changed_at: int) -> set[str]:
    return set(figure_data.carried(read_notebook(path), narrow.MIME))


def files(notebook: NotebookNode) -> dict[str, str]:
    """The narrow drawings of an executed chapter by their files, those of sliders' frames too."""
    found = {file(n): svg for n, svg in figure_data.carried(notebook, narrow.MIME).items()}
    for name, shown in figure_data.sliders(notebook).items():
        frames = enumerate(shown.get("narrow", []))
        found |= {file(f"{name}-{k}"): frame for k, frame in frames}
    return found
