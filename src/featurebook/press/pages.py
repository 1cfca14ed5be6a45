"""A Sphinx extension: what the book's pages offer beside their text.

Permanent links to theorems and verdicts, the numbers of figures as CSV, and symbols that lead to
the notation page.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from docutils.nodes import make_id
from sphinx.application import Sphinx

from featurebook.press import figure_data, publish, symbols
from featurebook.press.files import read_notebook
from featurebook.press.graph import framed
from featurebook.verdicts import MARKS

NOTATION = "book/notation"
DATA = "_data"
"""Folder of the site that has the figures' numbers."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("featurebook_sources", "", "html")
    app.connect("config-inited", _note_sources)
    app.connect("html-page-context", _furnish, priority=550)  # after the numbers of the papers
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _note_sources(app: Sphinx, config: Any) -> None:
    """Every page is written anew when what all of them are furnished from has changed."""
    root = Path(app.srcdir)
    files = [root / f"{NOTATION}.md", *sorted((root / "book" / "claims").glob("*.yaml"))]
    text = b"\0".join(f.read_bytes() for f in files) + repr(publish.home()).encode()
    config.featurebook_sources = hashlib.sha256(text).hexdigest()


def _furnish(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    if "body" not in context or app.builder.name != "html":
        return
    folder, _, stem = pagename.rpartition("/")
    body = with_permalinks(context["body"], stem)
    root, pathto = Path(app.srcdir), context["pathto"]
    if pagename == NOTATION:
        body = symbols.anchored(body, _symbols(root))
    elif folder == "notebooks":
        own = symbols.of_chapter(_symbols(root), stem)
        body = symbols.linked(body, own, pathto(NOTATION))
        body = with_data(body, names_with_data(root, stem), pathto(DATA, resource=True))
    context["body"] = body


@cache
def _symbols(root: Path) -> dict[str, list[symbols.Symbol]]:
    return symbols.read((root / f"{NOTATION}.md").read_text(encoding="utf-8"))


def with_shown_maps(page: str, folder: Path) -> str:
    """A page in ``folder`` whose map of claims is part of it: to search, click, scroll, and zoom.

    In the notebook the map is a picture, since only pictures are figures there.
    """

    def show(match: re.Match[str]) -> str:
        picture = match["picture"]
        file = folder / re.findall(r'src="([^"]+)"', picture)[0]
        title = "".join(re.findall(r'alt="([^"]*)"', picture))
        return match["figure"] + framed(file.read_text(encoding="utf-8"), unescape(title))

    pattern = r'(?P<figure><figure [^>]*id="[\w-]+-fig-roadmap">\s*)(?P<picture><img [^>]*>)'
    return re.sub(pattern, show, page)


def with_permalinks(body: str, stem: str) -> str:
    """A page's HTML with a link to itself on every theorem and every verdict.

    A theorem's heading also says what came out, and leads there; a verdict says how to repeat it.
    """
    # sphinx-proof gives the same id to the text of every theorem
    body = re.sub(r'(<section class="[^"]*") id="proof-content"', r"\1", body)
    outcomes = dict(re.findall(r'<div id="verdict-([^"]+)" class="verdict verdict-(\w+)"', body))

    def heading(match: re.Match[str]) -> str:
        name = match["id"]
        outcome = outcomes.get(name)
        chip = (
            f' <a class="chip verdict-{outcome}" href="#verdict-{name}">'
            f"{MARKS[outcome]} {outcome}</a>"
            if outcome
            else ""
        )
        link = f'<a class="headerlink" href="#{name}" title="Link to this statement">#</a>'
        return f"{match['start']}{chip}{link}</p>"

    body = re.sub(
        r'(?P<start><div class="proof [^"]*" id="(?P<id>[^"]+)">\s*<p class="admonition-title">.*?)'
        r"</p>",
        heading,
        body,
        flags=re.DOTALL,
    )
    title = f"Link to this verdict; featurebook run {stem} -o again.ipynb computes it anew"
    return re.sub(
        r'<code class="verdict-claim">(?P<id>[^<]+)</code>',
        rf'<a class="verdict-claim" href="#verdict-\g<id>" title="{title}"><code>\g<id></code></a>',
        body,
    )


def names_with_data(root: Path, stem: str) -> list[str]:
    """The names of a chapter's figures whose numbers its executed notebook keeps."""
    path = root / "notebooks" / f"{stem}.ipynb"
    return list(figure_data.of_notebook(read_notebook(path))) if path.is_file() else []


def with_data(body: str, names: list[str], folder: str) -> str:
    """A page's HTML with a link to its numbers in the caption of every figure that has some."""
    places = {make_id(name): name for name in names}

    def offer(match: re.Match[str]) -> str:
        name = places.get(match["id"])
        if name is None:
            return match[0]
        href = escape(f"{folder}/{name}.csv", quote=True)
        link = f'<a href="{href}" download="{name}.csv">numbers of this figure (CSV)</a>'
        return f'{match["figure"]}<p class="figure-data">{link}</p>\n{match["end"]}'

    figure = r'(?P<figure><figure [^>]*id="(?P<id>[^"]+)">.*?)(?P<end></figcaption>)'
    return re.sub(figure, offer, body, flags=re.DOTALL)


def write_data(site: Path, tables: Mapping[str, str]) -> None:
    """Put the numbers of figures where the pages' links lead."""
    folder = site / DATA
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.csv"):
        old.unlink()
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
