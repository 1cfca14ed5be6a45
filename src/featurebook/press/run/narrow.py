"""A figure drawn once more for a phone: its panels below each other, its letters as large as text.

A picture as wide as a desktop's column has letters of six pixels on a phone. `execute` therefore
keeps a second drawing of each wide figure beside the first, and the site shows that one there.
"""

import copy
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from featurebook.press.run.svg import as_svg

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec
    from matplotlib.legend import Legend

MIME = "application/vnd.featurebook.narrow+svg"
WIDTH = 4.7
"""Inches: the smallest letters, of nine points, are nine pixels high on a phone."""
WIDEST = 5.5
"""Inches up to which a phone shows a figure as it is."""
LEANING = 35
"""Degrees by which tick labels are rotated that would otherwise overlap."""


def as_narrow_svg(figure: "Figure") -> str | None:
    """The figure for a narrow page as SVG; None if it is not wide or was laid out by hand."""
    if figure.get_figwidth() <= WIDEST or (len(figure.axes) > 1 and not _cells(figure)):
        return None
    drawn = copy.deepcopy(figure)
    stack(drawn)
    return as_svg(drawn)


def stack(figure: "Figure") -> None:
    """Give a figure the width `WIDTH`, and as many panels in a row as it then has room for."""
    width, height = figure.get_size_inches()
    cells = _cells(figure)
    columns = max((spec.colspan.stop for spec in cells), default=1)
    across = _across(cells, columns, width)
    if across < columns:
        height *= _place(figure, cells, columns, across)
    elif columns > 1 and not any(ax.get_ylabel() for ax in figure.axes):
        height *= WIDTH / width  # names of rows would not fit into lower ones
    figure.set_size_inches(WIDTH, height)
    figure.draw_without_rendering()
    for ax in figure.axes:
        _lean(ax)
    for legend in [*figure.legends, *filter(None, (ax.get_legend() for ax in figure.axes))]:
        _fit(legend)


Cells = dict["SubplotSpec", list["Axes"]]
"""The axes at each place of a figure's grid, by rows."""


def _cells(figure: "Figure") -> Cells:
    """The places of a figure's grid; none if it has several, or axes that were put by hand."""
    found: Cells = {}
    for ax in figure.axes:
        spec = ax.get_subplotspec()
        if spec is not None:
            found.setdefault(spec, []).append(ax)
        elif not hasattr(ax, "_colorbar"):
            return {}
    one = len({spec.get_gridspec() for spec in found}) == 1
    order = sorted(found, key=lambda s: (s.rowspan.start, s.colspan.start))
    return {spec: found[spec] for spec in order} if one else {}


def _across(cells: Cells, columns: int, width: float) -> int:
    """How many panels go in a row: pictures without ticks as many as now, plots as wide as now."""
    plots = any(_ticked(axes[0]) for axes in cells.values())
    if columns == 1 or not (plots or _longest_heads(cells) > WIDTH):
        return columns
    most = max(1, int(WIDTH * columns / width + 0.1))
    regular = all(len(s.rowspan) == len(s.colspan) == 1 for s in cells)
    even = [n for n in range(1, most + 1) if columns % n == 0]
    return (even[-1] if even[-1] > 1 or columns < 5 else most) if regular else 1


def _ticked(ax: "Axes") -> bool:
    return ax.axison and bool(len(ax.get_xticks()) or len(ax.get_yticks()))


def _longest_heads(cells: Cells) -> float:
    """Inches of the titles in the row whose titles are the longest together."""
    rows: dict[int, float] = {}
    for spec, (ax, *_) in cells.items():
        dpi = cast("Figure", ax.get_figure(root=True)).dpi
        width = ax.title.get_window_extent().width / dpi
        rows[spec.rowspan.start] = rows.get(spec.rowspan.start, 0) + width
    return max(rows.values())


def _place(figure: "Figure", cells: Cells, columns: int, across: int) -> float:
    """Put the panels into a grid of fewer columns; returns how many times higher it is."""
    specs = list(cells)
    old = specs[0].get_gridspec()
    by_column = _headed(cells)
    if by_column:
        specs.sort(key=lambda s: s.colspan.start // across)
    _label_each(cells, rows=not by_column)
    ratios = np.asarray(old.get_height_ratios(), dtype=float)
    heights = [ratios[s.rowspan.start : s.rowspan.stop].sum() / ratios.sum() for s in specs]
    lines = [specs[k : k + across] for k in range(0, len(specs), across)]
    high = [max(heights[k : k + across]) for k in range(0, len(specs), across)]
    new = figure.add_gridspec(len(lines), across, height_ratios=high)
    for row, line in enumerate(lines):
        for column, spec in enumerate(line):
            for ax in cells[spec]:
                ax.set_subplotspec(new[row, column])
    return sum(high)


def _headed(cells: Cells) -> bool:
    """Whether only the first of several rows has titles, which then are those of columns."""
    titled = [
        spec.rowspan.start == 0
        for spec, (ax, *_) in cells.items()
        if any(ax.get_title(loc=side) for side in ("left", "center", "right"))
    ]
    return bool(titled) and all(titled) and any(spec.rowspan.start for spec in cells)


def _label_each(cells: Cells, rows: bool) -> None:
    """Give panels the names of ticks and axes that they shared with the first of their row.

    Args:
        rows: whether they shared others with the last of their column.
    """
    specs = list(cells)
    for spec, (ax, *_) in cells.items():
        first = next(cells[s][0] for s in specs if s.rowspan.start == spec.rowspan.start)
        if ax.get_shared_y_axes().joined(ax, first):
            _as_labelled(ax.yaxis, first.yaxis, "labelleft")
        last = [cells[s][0] for s in specs if s.colspan.start == spec.colspan.start][-1]
        if rows and ax.get_shared_x_axes().joined(ax, last):
            _as_labelled(ax.xaxis, last.xaxis, "labelbottom")


def _as_labelled(axis: "Axis", other: "Axis", side: str) -> None:
    if axis is other or not len(axis.get_majorticklocs()):
        return
    if other.get_tick_params().get(side, True):
        axis.set_tick_params("major", **cast("dict[str, Any]", {side: True}))
    if not axis.get_label_text():
        axis.set_label_text(other.get_label_text(), fontsize=other.label.get_fontsize())
    axis.label.set_visible(True)


def _lean(ax: "Axes") -> None:
    """Let the names of ticks lean where one reaches into the next, as they were drawn."""
    shown = [label for label in ax.get_xticklabels() if label.get_text() and label.get_visible()]
    if any(label.get_rotation() for label in shown):
        return
    boxes = sorted((label.get_window_extent() for label in shown), key=lambda box: box.x0)
    if any(a.x1 > b.x0 for a, b in pairwise(boxes)):
        ax.tick_params(axis="x", labelrotation=LEANING)
        for label in ax.get_xticklabels():
            label.set_horizontalalignment("right")
            label.set_rotation_mode("anchor")


def _fit(legend: "Legend") -> None:
    """Give a legend that is wider than its panel or figure as many columns as fit."""
    figure = cast("Figure", legend.get_figure(root=True))
    handles = cast("list[Artist]", legend.legend_handles)
    labels = [text.get_text() for text in legend.get_texts()]
    where = "upper" if legend.get_window_extent().y0 > figure.bbox.height / 2 else "lower"
    columns = getattr(legend, "_ncols", 1)
    room = figure.bbox if legend.axes is None else legend.axes.bbox
    while columns > 1 and legend.get_window_extent().width > room.width:
        columns -= 1
        if legend.axes is not None:
            legend = legend.axes.legend(handles, labels, ncols=columns)
        else:
            figure.legends.remove(legend)  # its own method looks into the figure it was copied from
            loc = cast("Any", f"outside {where} center")
            legend = figure.legend(handles, labels, loc=loc, ncols=columns)
        figure.draw_without_rendering()
