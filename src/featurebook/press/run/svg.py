"""A matplotlib figure as SVG, the same bytes each time."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def as_svg(figure: "Figure") -> str:
    """The whole figure at its own size, which no trimming of its margins changes; it is closed.

    The same as `Figure.savefig` writes, which would draw it once more to decide on its size.
    """
    from matplotlib import pyplot as plt
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    from featurebook.figures import legible

    text, dpi = io.StringIO(), plt.rcParams["savefig.dpi"]
    if dpi != "figure":
        figure.set_dpi(dpi)  # of the images in it
    FigureCanvasSVG(legible(figure)).print_svg(text, metadata={"Date": None})
    plt.close(figure)
    return text.getvalue()
