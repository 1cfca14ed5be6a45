"""The Sphinx extension that makes pages of the chapters: all that the site adds, in its order."""

from typing import Any

from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

from featurebook.press.site import (
    blocks,
    cells,
    chapter_header,
    claim_boxes,
    dark_drawings,
    dates,
    directives,
    exercises,
    figures,
    finder,
    folds,
    glossary,
    glue,
    mathjax,
    numbering,
    pages,
    plain_code,
    publish,
    reviews,
    searching,
    symbols,
    verdict_boxes,
)

ELEMENTS = {
    folds.Picture: "figure",
    folds.Words: "figcaption",
    folds.Fold: "details",
    folds.Line: "summary",
}
POST_TRANSFORMS = (
    dates.Undated,
    cells.Folds,
    blocks.Blocks,
    cells.CodeBelow,
    folds.WithoutLinks,
    glossary.Terms,
    symbols.Symbols,
    figures.Figures,
    chapter_header.Offers,
    searching.CellsApart,
    dark_drawings.Drawings,
    finder.Rows,
)
"""Ordered by their priorities, which decide when each runs."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("claim", directives.ClaimDirective)
    app.add_directive("verdict", glue.VerdictOf)
    app.add_directive("sibling-figure", glue.SiblingFigure)
    app.add_role("measured", glue.Measured())
    app.add_role("answer", exercises.Answer())
    app.add_node(blocks.SearchedTitle, html=(blocks.leave_out, None))
    app.add_node(verdict_boxes.VerdictBox, html=(verdict_boxes.visit, None))
    for node, tag in ELEMENTS.items():
        folds.add(app, node, tag)
    app.add_transform(chapter_header.Tops)
    for transform in POST_TRANSFORMS:
        app.add_post_transform(transform)
    app.add_search_language(searching.English)
    PygmentsBridge.html_formatter = plain_code.Unmarked
    app.add_config_value("featurebook_sources", "", "html")
    app.connect("config-inited", pages.note_sources)
    app.connect("config-inited", publish.set_address)
    app.connect("config-inited", mathjax.set_path)
    app.connect("builder-inited", mathjax.write)
    app.connect("env-get-outdated", pages.other_contents)
    app.connect("env-before-read-docs", numbering.count_on)
    app.connect("doctree-read", finder.note_subjects)
    app.connect("env-get-updated", numbering.number_by_part, priority=900)  # after Sphinx
    app.connect("html-page-context", claim_boxes.keep)
    app.connect("html-page-context", pages.furnish, priority=550)
    app.connect("html-page-context", publish.furnish, priority=600)  # after the theme's buttons
    app.connect("html-page-context", reviews.review, priority=610)
    app.connect("build-finished", finder.keep_subjects)
    return {"env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
