"""Code that checks, draws or prepares is folded below its output."""

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.site.blocks import cell_of, verdicts

SELF_EVIDENT = ("show.judge(", "show.source(", "show.knobs(", "show.card(", "show.roadmap(")
"""Calls whose output is all that a reader of the page needs."""
SHOWN = "tag_show-input"
"""The class of cells whose code is what the reader should learn."""


class Folds(SphinxPostTransform):
    """Fold code that checks, draws or prepares, even where its notebook does not say so."""

    default_priority = 150
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Fold the code of every such cell, and name the folds."""
        checks = {id(cell_of(raw)) for raw, *_ in verdicts(self.document)}
        for cell in list(self.document.findall(nodes.container)):
            if cell.get("nb_element") != "cell_code":
                continue
            if cell.astext().lstrip().startswith(SELF_EVIDENT):
                _without_input(cell)
                continue
            figure = any(True for _ in cell.findall(nodes.figure))
            what = "of this figure" if figure else preparation(cell)
            if id(cell) in checks:
                what = "of this check"
            if what and SHOWN not in cell["classes"]:
                cell.setdefault("hide_mode", "input")
            if cell.get("hide_mode") == "input":
                cell["prompt_show"] = f"Show the code {what or 'of this step'}"
                cell["prompt_hide"] = f"Hide the code {what or 'of this step'}"
                cell["code_below"] = figure


def _without_input(cell: nodes.container) -> None:
    """Remove the code of a cell, and keep its output."""
    cell.attributes.pop("hide_mode", None)
    for part in list(cell.children):
        if isinstance(part, nodes.container) and part.get("nb_element") == "cell_code_source":
            cell.remove(part)


PREPARING = {
    "tag_parameters": "of the parameters",
    "tag_injected-parameters": "of the parameters",
    "tag_conditions": "of their conditions",
}


def preparation(cell: nodes.container) -> str:
    """The fold's words for what a cell prepares or shows about the book; otherwise empty."""
    source = cell.astext().lstrip()
    if source.startswith("show."):
        return "of this table"
    if any(c.get("nb_element") == "cell_code_output" for c in cell.children):
        return ""
    for tag, words in PREPARING.items():
        if tag in cell["classes"]:
            return words
    return "of the set-up" if source.startswith(("import ", "from ")) else ""


class CodeBelow(SphinxPostTransform):
    """The folded code of a figure is below it."""

    default_priority = 210  # after the folds are made
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Let the output of a cell come first."""
        for cell in self.document.findall(nodes.container):
            if cell.get("code_below") and len(cell) == 2:
                cell.children.reverse()
