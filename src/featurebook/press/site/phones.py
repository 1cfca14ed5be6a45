"""Figures on a phone: a narrow page shows the second drawing of a wide figure.

`press.run.narrow` draws it when a chapter is executed; print and previews keep the wide one.
"""

from functools import lru_cache
from html import escape
from pathlib import Path

from nbformat import NotebookNode

from featurebook.press.book.files import read_notebook
from featurebook.press.run import drawn, figure_data, narrow

SCREEN = "(max-width: 600px)"
"""Narrow pages, as the style sheet defines them."""
AFTER = "</picture>"
"""HTML after such an image."""


def picture(image: str, address: str) -> str:
    """An image that a narrow page replaces by the one at that address."""
    return f"{before(address)}{image}{AFTER}"


def before(address: str) -> str:
    """HTML before an image that a narrow page replaces by the one at that address."""
    return f'<picture><source media="{SCREEN}" srcset="{escape(address, quote=True)}">'


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


def of_quick_runs(executed: Path, shown: NotebookNode) -> dict[str, str]:
    """The narrow drawings of the quick runs that are folded below figures at printed sizes.

    Args:
        executed: the notebook of the quick run.
        shown: the chapter as its page has it.
    """
    folded = figure_data.carried(shown, drawn.QUICK)
    drawings = figure_data.carried(read_notebook(executed), narrow.MIME) if folded else {}
    return {f"{name}-quick": drawings[name] for name in folded if name in drawings}
