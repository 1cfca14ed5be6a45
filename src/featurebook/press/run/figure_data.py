"""What a figure carries beside its picture: its numbers, a slider's pictures, one for phones.

`execute` loads this module into the kernel as an IPython extension. Every matplotlib figure that a
cell shows then comes with its numbers as CSV, and if it is wide with a narrow drawing; they are
stored in the output's metadata, where they are neither shown nor part of what a second execution
must repeat.
"""

import io
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from IPython.core.formatters import BaseFormatter
from IPython.core.interactiveshell import InteractiveShell
from nbformat import NotebookNode
from numpy.typing import NDArray
from traitlets import Unicode

from featurebook.press.run import living, narrow, slider, svg
from featurebook.press.run.living import Living
from featurebook.press.run.slider import Slider

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MIME = "text/csv"
HOW = (__file__, living.__file__, narrow.__file__, slider.__file__, svg.__file__)
"""The modules that decide what a figure carries."""
COLUMNS = ("panel", "series", "kind", "part", "x", "y", "value")
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""With which a cell begins that a spreadsheet would compute."""
LARGEST = 20_000
"""Rows; a figure of more numbers is a picture, and has no table."""

Row = tuple[str, str, str, int, float, float, float]


class _CsvFormatter(BaseFormatter):
    format_type = Unicode(MIME)

    def __call__(self, shown: Any) -> str | None:
        # Not registered for the type: setting matplotlib's formats forgets what is.
        if isinstance(shown, Slider):
            return slider_as_csv(shown)
        if isinstance(shown, Living):
            return as_csv(shown.figure)
        drawing = sys.modules.get("matplotlib.figure")
        return as_csv(shown) if drawing and isinstance(shown, drawing.Figure) else None


class _SliderFormatter(BaseFormatter):
    format_type = Unicode(slider.MIME)
    _return_type = dict

    def __call__(self, shown: Any) -> dict[str, Any] | None:
        return shown.as_dict() if isinstance(shown, Slider) else None


class _LivingFormatter(BaseFormatter):
    format_type = Unicode(living.MIME)
    _return_type = dict

    def __call__(self, shown: Any) -> dict[str, Any] | None:
        return shown.as_dict() if isinstance(shown, Living) else None


class _NarrowFormatter(BaseFormatter):
    format_type = Unicode(narrow.MIME)

    def __call__(self, shown: Any) -> str | None:
        if isinstance(shown, Slider):
            return shown.narrow[shown.start] if shown.narrow else None
        drawing = sys.modules.get("matplotlib.figure")
        is_figure = drawing is not None and isinstance(shown, drawing.Figure)
        return narrow.as_narrow_svg(shown) if is_figure else None


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Let every figure that this kernel shows carry its numbers."""
    display = shell.display_formatter
    assert display is not None
    display.formatters[MIME] = _CsvFormatter(parent=display)
    display.formatters[narrow.MIME] = _NarrowFormatter(parent=display)
    display.formatters[slider.MIME] = _SliderFormatter(parent=display)
    display.formatters[living.MIME] = _LivingFormatter(parent=display)
    display.formatters["text/plain"].for_type_by_name(
        "pandas.io.formats.style", "Styler", lambda table, p, _: p.text(repr(table.data))
    )  # its own words are an address


def as_csv(figure: "Figure") -> str | None:
    """The drawn numbers as CSV with the columns `COLUMNS`, or None where there are none.

    ``x`` and ``y`` are in the units of the axes, ``value`` is what a colour shows. A bar is given
    by two opposite corners, an area by its outline, an interval by its ends. A line across the
    whole panel leaves the other coordinate empty.
    """
    return _as_csv(_figure_rows(figure))


def slider_as_csv(shown: Slider) -> str | None:
    """The numbers of all pictures of a slider; the panel begins with the slider's value."""
    found: list[Row] = []
    for value, figure in shown.figures.items():
        found += [(f"{shown.label} = {value}: {row[0]}", *row[1:]) for row in _figure_rows(figure)]
    return _as_csv(found)


def _figure_rows(figure: "Figure") -> list[Row]:
    shown = [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]
    return [row for k, ax in enumerate(shown) for row in _rows(ax, _panel(ax, k))]


def _as_csv(found: Sequence[Row]) -> str | None:
    if not 0 < len(found) <= LARGEST:
        return None
    import pandas as pd  # the kernel has it; whoever executes it need not

    text = io.StringIO()
    frame = pd.DataFrame([[as_text(x) for x in row] for row in found], columns=list(COLUMNS))
    frame.to_csv(text, index=False, float_format="%.7g", lineterminator="\n")
    return text.getvalue()


def as_text(cell: Any) -> Any:
    """A cell that no spreadsheet runs as a formula: a reader's class may be called ``=1+1``."""
    if not isinstance(cell, str) or not cell.startswith(FORMULAS):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def keep_aside(notebook: NotebookNode) -> None:
    """Move what every figure of an executed notebook carries into its output's metadata."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/svg+xml" in (data := output.get("data", {})):
                for mime in {MIME, narrow.MIME, slider.MIME, living.MIME} & set(data):
                    output.metadata[mime] = data.pop(mime)


def of_notebook(notebook: NotebookNode) -> dict[str, str]:
    """The CSV of every figure that has a name and numbers, by that name."""
    return carried(notebook, MIME)


def sliders(notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """`Slider.as_dict` of every figure that has a name and a slider, by that name."""
    return carried(notebook, slider.MIME)


def lives(notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """`Living.as_dict` of every figure that has a name and computes, by that name."""
    return carried(notebook, living.MIME)


def carried(notebook: NotebookNode, mime: str) -> dict[str, Any]:
    """What the outputs of figures have in their metadata, by the figures' names."""
    found = {}
    for cell in notebook.cells:
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        for output in cell.get("outputs", []):
            if name and mime in output.get("metadata", {}):
                found[name] = output.metadata[mime]
    return found


def _panel(ax: Any, k: int) -> str:
    titles = (ax.get_title(loc) for loc in ("left", "center", "right"))
    return " ".join([str(k + 1), *filter(None, titles)])


def _rows(ax: Any, panel: str) -> Iterator[Row]:
    from matplotlib.collections import PathCollection, QuadMesh
    from matplotlib.patches import Polygon, Rectangle, StepPatch

    for line in ax.lines:
        yield from _points(ax, line, panel, "line", [line.get_xydata()])
    for collection in ax.collections:
        if isinstance(collection, PathCollection):
            yield from _markers(ax, collection, panel)
        elif isinstance(collection, QuadMesh):
            yield from _mesh(ax, collection, panel)
        else:
            yield from _outlines(ax, collection, panel)
    for patch in ax.patches:
        if isinstance(patch, Rectangle):
            yield from _points(ax, patch, panel, "bar", [patch.get_corners()[[0, 2]]])
        elif isinstance(patch, StepPatch):
            yield from _steps(ax, patch, panel)
        elif isinstance(patch, Polygon):
            yield from _points(ax, patch, panel, "area", [patch.get_xy()])
    for image in ax.images:
        yield from _image(ax, image, panel)


def _markers(ax: Any, collection: Any, panel: str) -> Iterator[Row]:
    places = np.ma.filled(collection.get_offsets(), np.nan)
    yield from _points(ax, collection, panel, "points", [places], collection.get_array())


def _mesh(ax: Any, mesh: Any, panel: str) -> Iterator[Row]:
    corners = mesh.get_coordinates()
    centres = (corners[1:, 1:] + corners[:-1, :-1]) / 2
    yield from _points(ax, mesh, panel, "map", [centres.reshape(-1, 2)], mesh.get_array())


def _outlines(ax: Any, collection: Any, panel: str) -> Iterator[Row]:
    kind = "area" if len(collection.get_facecolor()) else "interval"
    outlines = [path.vertices for path in collection.get_paths()]
    yield from _points(ax, collection, panel, kind, outlines)


def _steps(ax: Any, patch: Any, panel: str) -> Iterator[Row]:
    values, edges, _ = patch.get_data()
    yield from _points(ax, patch, panel, "steps", [np.column_stack([edges, [*values, np.nan]])])


def _image(ax: Any, image: Any, panel: str) -> Iterator[Row]:
    shown = image.get_array()
    if shown.ndim != 2:  # a photograph in colour has no numbers to read
        return
    left, right, bottom, top = image.get_extent()
    x, y = _middles(left, right, shown.shape[1]), _middles(top, bottom, shown.shape[0])
    places = np.stack(np.meshgrid(x, y if image.origin == "upper" else y[::-1]), axis=-1)
    yield from _points(ax, image, panel, "map", [places.reshape(-1, 2)], shown)


def _middles(start: float, end: float, count: int) -> NDArray[np.float64]:
    edges = np.linspace(start, end, count + 1)
    return (edges[1:] + edges[:-1]) / 2


def _label(ax: Any, artist: Any) -> str:
    """What the legend calls it; of bars and error bars that is their container's to say."""
    holders = [c for c in ax.containers if artist in c.get_children()]
    label = str((holders or [artist])[0].get_label())
    return "" if label.startswith("_") or label == "None" else label


def _points(
    ax: Any,
    artist: Any,
    panel: str,
    kind: str,
    parts: Sequence[Any],
    values: Any = None,
) -> Iterator[Row]:
    """A row per point of each part (n, 2), with a coordinate only where it counts in data units."""
    in_x, in_y = artist.get_transform().contains_branch_seperately(ax.transData)
    if kind == "points":  # markers are placed by their offsets, in data units
        in_x = in_y = True
    if not (in_x or in_y):
        return
    series = _label(ax, artist)
    shown: Any = [] if values is None else np.ma.filled(np.ma.asarray(values, float), np.nan)
    shown = np.ravel(shown)
    for part, xy in enumerate(parts):
        for k, (x, y) in enumerate(np.asarray(xy, float)):
            value = float(shown[k]) if k < len(shown) else np.nan
            yield (
                panel, series, kind, part + 1,
                float(x) if in_x else np.nan, float(y) if in_y else np.nan, value,
            )  # fmt: skip
