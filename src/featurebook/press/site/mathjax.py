"""MathJax on the site: one script with what formulas need, and the files that it may load.

The package that brings MathJax has every variant of it, 24 MB. Its usual script is a third larger
than ours, since it has a menu for each formula, which also makes each a stop of the keyboard; and
it would load what sets formulas only when they come into view by itself.
"""

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PACKAGE = "sphinx-mathjax-offline"
SCRIPT = "mathjax/formulas.js"
"""In ``_static``; MathJax looks for its files beside it."""
STARTUP = "startup"
COMPONENTS = (
    "core", "input/tex", "output/chtml", "output/chtml/fonts/tex", "a11y/assistive-mml", "ui/lazy",
)  # fmt: skip
ON_DEMAND = ("input/tex/extensions", "output/chtml/fonts/woff-v2")
"""Folders of what a formula may need besides: rare commands, and fonts."""


def set_path(app: Sphinx, config: Any) -> None:
    """Tell Sphinx which script its pages load."""
    config.mathjax_path = SCRIPT


def write(app: Sphinx) -> None:
    """Write the script and its files into a site that is built."""
    if app.builder.format == "html":
        into(Path(app.outdir) / "_static")


def into(static: Path) -> None:
    """Write the script and its files into a folder, in place of any older ones."""
    own, folder = _files(), (static / SCRIPT).parent
    shutil.rmtree(folder, ignore_errors=True)
    for name in ON_DEMAND:
        shutil.copytree(own / name, folder / name)
    (static / SCRIPT).write_text(combined(own), encoding="utf-8")


def combined(files: Path) -> str:
    """The components as one script, none of which is then loaded by itself."""
    first, *others = ((files / f"{x}.js").read_text("utf-8") for x in (STARTUP, *COMPONENTS))
    there = f"MathJax.loader.preLoad({', '.join(map(json.dumps, COMPONENTS))});"
    return "\n".join([first, there, *others])


def _files() -> Path:
    found = find_spec(PACKAGE)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "static" / "mathjax"
