"""A chapter's own map: its claims in the colours of what they are expected to come out as."""

from IPython.display import SVG

from featurebook.press.entries import expected
from featurebook.press.graph import ClaimGraph
from featurebook.press.layout import find_chapter, find_root


def draw(stem: str) -> SVG:
    """The graph of a chapter's claims, from its claims file; the build fails where a run differs.

    Raises:
        BookError: if there is no such chapter, or its claims cannot be read.
    """
    return SVG(ClaimGraph(expected(find_chapter(find_root(), stem)), f"Claims of {stem}").svg())
