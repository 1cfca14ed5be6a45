"""Figures that compute in the reader's browser, from a closed form, and their picture in print.

A part gives a function of a few inputs in Python and, beside it, in JavaScript; `Live` says which
of the returned numbers are drawn. One script of the site, ``live.js``, draws them as SVG.

Why our own script: it takes 13 kB; bokeh.js takes 1,388 (its widgets 382 more) and Observable Plot
with d3 490, as much as a whole story may. uPlot takes 51 but draws on a canvas, without text for a
screen reader or style sheet. None has inputs as accessible as the browser's own, which we use.
"""

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from featurebook import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0b62a3", "#b4460f", "#0a7a55", "#8a3f9b", "#5c5c5c")
"""Of layers, in their order; the style sheet has them for light and dark pages."""

Values = Mapping[str, Any]
"""Numbers and sequences of numbers by name."""


@dataclass(frozen=True)
class Handle:
    """An input.

    Attributes:
        name: of the function's argument.
        label: what it is, with its symbol, in plain letters.
        whole: whether it takes whole numbers only.
        log: whether equal ways along the slider are equal factors.
    """

    name: str
    label: str
    low: float
    high: float
    start: float
    whole: bool = False
    log: bool = False


@dataclass(frozen=True)
class Axis:
    """What an axis shows, and its range."""

    label: str
    low: float
    high: float
    log: bool = False


@dataclass(frozen=True)
class Layer:
    """A line, points or bars: names of two sequences that the function returns.

    A number that is not finite leaves a gap. Each layer of a panel has its own colour, dashes and
    marks.
    """

    x: str
    y: str
    label: str
    kind: Literal["line", "points", "bars"] = "line"


@dataclass(frozen=True)
class Panel:
    """Layers in one pair of axes.

    Attributes:
        drag: name of the handle that a reader may drag along the horizontal axis; a line marks it.
    """

    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    drag: str = ""


@dataclass(frozen=True)
class Fact:
    """A number said in words below the figure: the name of one that the function returns."""

    name: str
    label: str


@dataclass(frozen=True)
class Live:
    """A figure that computes.

    Attributes:
        formula: the function; its JavaScript is beside it, ``MODULE_NAME.js``, and holds one
            expression, a function of the inputs and of ``maths``.
    """

    formula: Callable[..., dict[str, Any]]
    handles: tuple[Handle, ...]
    panels: tuple[Panel, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def script(self) -> Path:
        """The file with the same function in JavaScript."""
        module = Path(inspect.getfile(self.formula))
        return module.with_name(f"{module.stem}_{self.formula.__name__}.js")

    def inputs(self, **given: float) -> dict[str, float]:
        """The inputs: those given, the others as they start.

        Raises:
            ValueError: for a name that no handle has, or a number outside of its range.
        """
        handles = {handle.name: handle for handle in self.handles}
        if strange := ", ".join(given.keys() - handles.keys()):
            raise ValueError(f"no handle {strange}; there are {', '.join(handles)}")
        found = {name: given.get(name, handle.start) for name, handle in handles.items()}
        for name, value in found.items():
            if not handles[name].low <= value <= handles[name].high:
                low, high = handles[name].low, handles[name].high
                raise ValueError(f"{name} = {value}, but it goes from {low} to {high}")
        return {n: int(v) if handles[n].whole else float(v) for n, v in found.items()}

    def as_dict(self, **given: float) -> dict[str, Any]:
        """What the site needs, as JSON, with the inputs at which it starts."""
        start = self.inputs(**given)
        return {
            "handles": [asdict(h) | {"start": start[h.name]} for h in self.handles],
            "panels": [asdict(panel) for panel in self.panels],
            "facts": [asdict(fact) for fact in self.facts],
            "script": self.script.read_text(encoding="utf-8"),
        }

    def draw(self, **given: float) -> "Figure":
        """The picture that paper shows, panels below each other."""
        from matplotlib import pyplot as plt

        inputs = self.inputs(**given)
        values = self.formula(**inputs)
        many = len(self.panels)
        figure, axes = plt.subplots(many, 1, figsize=(figures.NARROW, 3.3 * many), squeeze=False)
        for ax, panel in zip(axes[:, 0], self.panels, strict=True):
            _draw(ax, panel, values, inputs)
        names = {h.name: h.label for h in self.handles}
        shown = [f"{names[name]} = {written(value)}" for name, value in inputs.items()]
        said = [f"{fact.label}: {written(values[fact.name])}" for fact in self.facts]
        figure.suptitle("\n".join([*_lines(shown), *_lines(said)]), fontsize=9)
        return figure


def written(value: float) -> str:
    """A number as the page writes it, four digits.

    >>> [written(x) for x in (0.12345, 1234567.0, -0.00001234, math.inf)]
    ['0.1235', '1.235·10⁶', '−1.234·10⁻⁵', '∞']
    """
    if not math.isfinite(value):
        return "none" if math.isnan(value) else "∞" if value > 0 else "−∞"
    digits, _, power = f"{value:.3e}".partition("e")
    text = f"{float(f'{value:.3e}'):.10g}"
    if value and not -4 < int(power) < 5:
        raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        text = f"{digits.rstrip('0').rstrip('.')}·10{raised}"
        text = re.sub(r"^(-?)1·", r"\1", text)
    return text.replace("-", "−")


def _lines(parts: list[str], width: int = 62) -> list[str]:
    """Parts in as few lines as have room for them."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) < width:
            lines[-1] += f" · {part}"
        else:
            lines.append(part)
    return lines


def _draw(ax: "Axes", panel: Panel, values: Values, inputs: Mapping[str, float]) -> None:
    for k, layer in enumerate(panel.layers):
        x, y = (np.atleast_1d(np.asarray(values[name], float)) for name in (layer.x, layer.y))
        look: dict[str, Any] = {"color": COLOURS[k], "label": layer.label}
        if layer.kind == "bars":
            ax.bar(x, y, 0.8 * float(np.diff(x).min()), **look)
        elif layer.kind == "points":
            ax.plot(x, y, figures.MARKERS[k], ls="none", **look)
        else:
            ax.plot(x, y, ls=figures.DASHES[k], **look)
    if panel.drag:
        ax.axvline(inputs[panel.drag], color="0.5", lw=1)
    for axis, scale, limit, name in (
        (panel.x, ax.set_xscale, ax.set_xlim, ax.set_xlabel),
        (panel.y, ax.set_yscale, ax.set_ylim, ax.set_ylabel),
    ):
        if axis.log:
            scale("log")
        limit(axis.low, axis.high)
        name(axis.label)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
