"""A Sphinx extension: what the book's pages offer beside their text.

Permanent links to theorems and verdicts, the numbers of figures as CSV, symbols that lead to the
notation page, and words that lead to the glossary.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from docutils.nodes import make_id
from sphinx.application import Sphinx

from featurebook.press.book.files import read_notebook
from featurebook.press.book.places import Chapter, chapters, papers
from featurebook.press.claims import statements
from featurebook.press.claims.graph import ClaimGraph, framed
from featurebook.press.claims.judgements import Entry
from featurebook.press.run import drawn, figure_data, machines, seeds
from featurebook.press.run.imports import PACKAGE
from featurebook.press.run.seeds import Tally
from featurebook.press.site import (
    dark_drawings,
    data_frames,
    glossary,
    lives,
    phones,
    publish,
    sliders,
    symbols,
)
from featurebook.verdicts import of_slug

NOTATION, GLOSSARY, LANDING = "book/notation", "book/glossary", "book/index"
DATA = "_data"
"""Folder of the site that has the figures' numbers."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("featurebook_sources", "", "html")
    app.connect("config-inited", _note_sources)
    app.connect("env-get-outdated", _other_contents)
    app.connect("html-page-context", _furnish, priority=550)  # after the numbers of the papers
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _note_sources(app: Sphinx, config: Any) -> None:
    """Rebuild every page when a shared input changes."""
    root = Path(app.srcdir)
    files = [f for page in (NOTATION, GLOSSARY) for f in sections(root, page)]
    files += [root / name for name in ("book/references.bib", "CITATION.cff")]
    files += [part.claims for part in papers(root)]
    files += sorted((root / "records").glob("*/seeds/*"))
    files += sorted((PACKAGE / "press").rglob("*.py"))
    found = [f.read_bytes() for f in files if f.is_file()]
    claims = [statements.read(part.claims) for part in papers(root)]
    text = b"\0".join(found) + repr((claims, publish.home())).encode()
    config.featurebook_sources = hashlib.sha256(text).hexdigest()


def _other_contents(
    app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Pages whose files are others than Sphinx read before, even if they have an older date.

    Sphinx goes by dates alone: a clock that was set back, or a file from a backup, would leave what
    the page said before.
    """
    had = getattr(env, "featurebook_contents", {})
    files = {name: Path(env.doc2path(name)) for name in env.found_docs}
    now = {name: hashlib.sha256(f.read_bytes()).hexdigest() for name, f in files.items()}
    env.featurebook_contents = now
    return [name for name in now if name in had and had[name] != now[name]]


def _furnish(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    if "body" not in context or app.builder.name != "html":
        return
    folder, _, address = pagename.partition("/")
    root, pathto = Path(app.srcdir), context["pathto"]
    here = [c for c in chapters(root) if pagename == f"notebooks/{c.address}"]
    body = with_permalinks(context["body"], address, _tallies(here), _on_machines(here))
    if pagename == NOTATION:
        body = symbols.anchored(body, _symbols(root))
    elif pagename == LANDING:
        body = lives.with_siblings(body, root, f"../{DATA}", "../_static")
        body = phones.with_narrow(body, phones.names(root), f"../{DATA}")
    elif folder == "notebooks":
        part = address.partition("/")[0]
        body = symbols.linked(body, symbols.of_part(_symbols(root), part), pathto(NOTATION))
        body = glossary.linked(body, _terms(root).get(part, []), pathto(GLOSSARY))
        body = glossary.with_reasons(body, pathto(GLOSSARY))
        folder = pathto(DATA, resource=True)
        carried, frames, computing = carried_by_figures(root, address)
        body = with_quick_runs(body, quick_runs(root, address), folder)
        body = sliders.with_sliders(with_data(body, list(carried), folder), frames, folder)
        body = lives.with_lives(body, computing, folder, pathto("_static", resource=True))
        body = phones.with_narrow(body, phones.names(root), folder)
    context["body"] = as_text(data_frames.legible(kept_together(body), pagename))


def as_text(body: str) -> str:
    """The same with every ↗ as a letter of the text: some systems draw a coloured picture else."""
    return re.sub("↗(?!\ufe0e)", "↗\ufe0e", body)


def kept_together(body: str) -> str:
    """A page's HTML in which no line begins with what closes a sentence or word after a formula."""
    formula = r'<span class="math[^>]*>[^<]+</span>'
    linked = rf"(?:<a [^>]*>{formula}</a>|{formula})"
    return re.sub(rf"([(“]?{linked}(?:[.,;:)”]+|-\w+))", r'<span class="together">\1</span>', body)


def _tallies(here: Sequence[Chapter]) -> dict[str, Tally]:
    return {name: tally for c in here for name, tally in seeds.read(c).items()}


def _on_machines(here: Sequence[Chapter]) -> dict[str, Tally]:
    return {name: tally for c in here for name, tally in machines.read(c).items()}


def sections(root: Path, page: str) -> list[Path]:
    """The files of a page to which each part adds its section: its own, then those of the parts."""
    own = (root / page / f"{part.name}.md" for part in papers(root))
    return [root / f"{page}.md", *(file for file in own if file.is_file())]


def whole(root: Path, page: str) -> str:
    """The text of a page to which each part adds its section."""
    return "\n".join(f.read_text(encoding="utf-8") for f in sections(root, page))


@cache
def _symbols(root: Path) -> dict[str, list[symbols.Symbol]]:
    return symbols.read(whole(root, NOTATION))


@cache
def _terms(root: Path) -> dict[str, list[glossary.Term]]:
    return glossary.read(whole(root, GLOSSARY))


def with_shown_maps(page: str, entries: Sequence[Entry]) -> str:
    """A page whose map of claims is part of it: to search, click, scroll, and zoom.

    In the notebook the map is a picture, since only pictures are figures there, and shows what is
    expected; here it shows the verdict.
    """
    parts = {make_id(e.part): e.part for e in entries}

    def show(match: re.Match[str]) -> str:
        part = parts.get(match["part"])
        if part is None:
            return match[0]
        title = unescape("".join(re.findall(r'alt="([^"]*)"', match["picture"])))
        graph = ClaimGraph([e for e in entries if e.part == part], f"Claims of {part}")
        return match["figure"] + as_text(framed(graph.svg(), title))

    pattern = (
        r'(?P<figure><figure [^>]*id="(?P<part>[\w-]+)-fig-roadmap">\s*)(?P<picture><img [^>]*>)'
    )
    return re.sub(pattern, show, page)


def with_permalinks(
    body: str, address: str, tallies: Mapping[str, Tally], others: Mapping[str, Tally] = {}
) -> str:
    """A page's HTML with a link to itself on every theorem and every verdict.

    A verdict also says how to repeat it, and what other seeds and machines gave.
    """

    def heading(match: re.Match[str]) -> str:
        link = f'<a class="headerlink" href="#{match["id"]}" title="Link to this statement">#</a>'
        # Not inside a line that opens: a link there is hard to press.
        return match["start"] + (match["end"] + link if match["line"] else link + match["end"])

    body = re.sub(
        r'(?P<start><div class="[^"]*\bproof\b[^"]*" id="(?P<id>[^"]+)">\s*'
        r'(?P<line><details class="fold">\s*<summary>\s*)?<p class="admonition-title">.*?)'
        r"(?P<end></p>(?(line)\s*</summary>))",
        heading,
        body,
        flags=re.DOTALL,
    )
    outcomes = dict(re.findall(r'id="verdict-([^"]+)" class="verdict verdict-([\w-]+)"', body))

    def claim(match: re.Match[str]) -> str:
        name = match["id"]
        words = [
            "Link to this verdict",
            f"featurebook run {address} -o again.ipynb recomputes it",
        ]
        if name in others:
            words.insert(1, machines.words(others[name]))
        if name in outcomes and name in tallies:
            words.insert(1, tallies[name].words(of_slug(outcomes[name])))
        link = f'<a class="verdict-claim" href="#verdict-{name}" title="{"; ".join(words)}">'
        return f"{link}<code>{name}</code></a>"

    return re.sub(r'<code class="verdict-claim">(?P<id>[^<]+)</code>(?!</a>)', claim, body)


def carried_by_figures(
    root: Path, address: str
) -> tuple[dict[str, str], dict[str, Any], dict[str, Any]]:
    """What a chapter's figures carry by their names: CSV, sliders, and what computes them."""
    path = root / "notebooks" / f"{address}.ipynb"
    if not path.is_file():
        return {}, {}, {}
    notebook = read_notebook(path)
    return (
        figure_data.of_notebook(notebook),
        figure_data.sliders(notebook),
        figure_data.lives(notebook),
    )


def quick_runs(root: Path, address: str) -> dict[str, str]:
    """What the quick run drew where a chapter shows the run at printed sizes, by figure."""
    path = root / "notebooks" / f"{address}.ipynb"
    return figure_data.carried(read_notebook(path), drawn.QUICK) if path.is_file() else {}


def with_quick_runs(body: str, pictures: Mapping[str, str], folder: str) -> str:
    """A page's HTML with the quick run's picture to unfold below that of the run at printed sizes.

    On paper, and until it is unfolded, the latter alone is shown.
    """
    for name, svg in pictures.items():
        kind = f'class="{dark_drawings.DRAWING}" ' if dark_drawings.is_drawing(svg) else ""
        figure = rf'(<figure [^>]*id="{make_id(name)}">\s*(?:<a [^>]*>\s*)?<img [^>]*>(?:\s*</a>)?)'
        fold = (
            '<details class="quick-run"><summary>the quick run of this page</summary>'
            f'<img {kind}loading="lazy" src="{escape(folder, quote=True)}/{name}-quick.svg" '
            'alt="The same figure, from a smaller run."></details>\n'
        )
        body = re.sub(figure, lambda m, fold=fold: m[1] + fold, body, count=1)  # type: ignore[misc]
    return body


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


def write_data(site: Path, files: Mapping[str, str]) -> None:
    """Put the numbers and pictures of figures where the pages' links lead."""
    folder = site / DATA
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
