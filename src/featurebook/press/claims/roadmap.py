"""The map of a part: its claims, coloured by expected verdict."""

from IPython.display import SVG

from featurebook.press.book.places import BookError, find_root, papers
from featurebook.press.claims.graph import ClaimGraph
from featurebook.press.claims.judgements import expected


def draw(name: str) -> SVG:
    """The graph of a part's claims, from its claims file; the build fails if a run differs.

    Raises:
        BookError: if there is no such part, or its claims cannot be read.
    """
    known = {part.name: part for part in papers(find_root())}
    if name not in known:
        raise BookError(f"no part {name!r} makes claims; those that do: {', '.join(known)}")
    return SVG(ClaimGraph(expected(known[name]), f"Claims of {name}").svg())
