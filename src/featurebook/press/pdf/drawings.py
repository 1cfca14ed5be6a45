"""Pictures as vectors on paper: SVG becomes PDF."""

import re
import subprocess
from pathlib import Path

from sphinx.transforms.post_transforms.images import ImageConverter

PROGRAM = "rsvg-convert"


class SvgToPdf(ImageConverter):
    """Figures as vectors."""

    conversion_rules = [("image/svg+xml", "application/pdf")]  # noqa: RUF012

    def is_available(self) -> bool:
        """Whoever builds has looked for the program before."""
        return True

    def convert(self, _from: str, _to: str) -> bool:
        """Convert one file."""
        to_pdf(Path(_from), Path(_to))
        return True


def width(svg: str) -> float:
    """The width of a drawing in its own units, points or pixels; 0 if it says none."""
    found = re.search(r"<svg[^>]*\swidth=['\"]([\d.]+)", svg)
    return float(found[1]) if found else 0.0


def to_pdf(svg: Path, target: Path) -> None:
    """Convert a drawing.

    Raises:
        subprocess.CalledProcessError: if it is none that ``rsvg-convert`` can read.
    """
    subprocess.run([PROGRAM, "-f", "pdf", "-o", target, svg], check=True)
