"""What a figure has on its page in addition to its picture and caption.

Its numbers as CSV, a slider, an interactive version, and the quick run of a figure shown at
printed sizes. The formula of a figure that computes is a script of its own, since the site's policy
forbids scripts in pages. The map of claims, a picture in the notebook, is part of its page: to
search, click, scroll, and zoom.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeVar

from docutils import nodes
from docutils.nodes import make_id
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.book.files import read_notebook
from featurebook.press.book.places import papers
from featurebook.press.claims.chains import listed
from featurebook.press.claims.graph import ClaimGraph, framed
from featurebook.press.claims.judgements import Entry
from featurebook.press.run import drawn, figure_data
from featurebook.press.site import dark_drawings, folds, glossary, phones, reviews

DATA = "_data"
"""The site's folder of the figures' numbers."""
PLAY = '<button type="button">Play</button> '

Carried = Mapping[str, Any]
"""By the names of figures."""
T = TypeVar("T")


class Figures(SphinxPostTransform):
    """Add to figures what their outputs carry."""

    default_priority = 218  # after links to words and symbols
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Do so for each figure of a chapter, and on other pages for those from a chapter."""
        root, part = Path(self.app.srcdir), glossary.chapter_of(self.env.docname)
        up = "../" * self.env.docname.count("/")
        notebook = root / f"{self.env.docname}.ipynb"
        if part and notebook.is_file():
            show_map(self.document, part, reviews.entries(root))
            found = read_notebook(notebook)
            executed = root / "_build" / f"{self.env.docname}.ipynb"
            add_quick_runs(self.document, figure_data.carried(found, drawn.QUICK),
                           phones.of_quick_runs(executed, found), up + DATA)  # fmt: skip
            add_numbers(self.document, figure_data.of_notebook(found), up + DATA)
            add_sliders(self.document, figure_data.sliders(found), up + DATA)
            add_lives(self.document, figure_data.lives(found), up)
        elif not part and (pictures := list(self.document.findall(folds.Picture))):
            add_lives(self.document, _of_stories(root, pictures), up)
        add_narrow(self.document, phones.names(root), up + DATA)


def _of_stories(root: Path, pictures: Sequence[folds.Picture]) -> Carried:
    """The live figures of other chapters that a page shows; gives their nodes ids."""
    names = {picture["figure"] for picture in pictures}
    wanted = {name.partition("-")[0] for name in names}
    found: dict[str, Any] = {}
    for chapter in (part.chapters[0] for part in papers(root) if part.name in wanted):
        found |= figure_data.lives(read_notebook(chapter.executed))
    for picture in pictures:
        if picture["figure"] in found:
            picture["ids"].append(make_id(picture["figure"]))
    return {name: shown for name, shown in found.items() if name in names}


def _carrying(
    document: nodes.Element, carried: Mapping[str, T]
) -> Iterator[tuple[nodes.Element, str, T]]:
    """The figures of a page that carry something: each with its name and what it carries."""
    elements = document.findall(nodes.Element)
    figures = [x for x in elements if isinstance(x, nodes.figure | folds.Picture) and len(x) > 1]
    places = {place: figure for figure in figures for place in figure["ids"]}
    for name, what in carried.items():
        if (figure := places.get(make_id(name))) is not None:
            yield figure, name, what


def show_map(document: nodes.Element, part: str, entries: Sequence[Entry]) -> None:
    """Draw the map of a part's claims into the page, with actual instead of expected verdicts."""
    own = [e for e in entries if e.part == part]
    for figure, _, _ in _carrying(document, {f"{part}-fig-roadmap": None} if own else {}):
        title = next(figure.findall(nodes.image))["alt"]
        drawn = ClaimGraph(own, f"Claims of {part}")
        figure[0] = folds.html(framed(drawn.svg(), title) + listed(drawn))


def add_quick_runs(
    document: nodes.Element, pictures: Mapping[str, str], narrow: Collection[str], folder: str
) -> None:
    """Below the run at printed sizes, the quick run's picture in a fold; not on paper.

    Args:
        narrow: the pictures that have a drawing for narrow pages, too.
    """
    for figure, name, svg in _carrying(document, pictures):
        own = f"{name}-quick"
        kind = f'class="{dark_drawings.DRAWING}" ' if dark_drawings.is_drawing(svg) else ""
        image = (
            f'<img {kind}loading="lazy" src="{escape(folder, quote=True)}/{own}.svg" '
            'alt="The same figure, from a smaller run.">'
        )
        if own in narrow:
            image = phones.picture(image, f"{folder}/{phones.file(own)}")
        words = "the quick run of this page"
        fold = f'<details class="quick-run"><summary>{words}</summary>{image}</details>\n'
        figure.insert(1, folds.html(fold))


def add_numbers(document: nodes.Element, tables: Mapping[str, str], folder: str) -> None:
    """In the caption of every figure that has numbers, a link to them."""
    for figure, name, _ in _carrying(document, tables):
        href = escape(f"{folder}/{name}.csv", quote=True)
        link = f'<a href="{href}" download="{name}.csv">numbers of this figure (CSV)</a>'
        figure += folds.html(f'<p class="figure-data">{link}</p>\n')


def add_sliders(document: nodes.Element, sliders: Carried, folder: str) -> None:
    """Below the picture of every figure that has one, a slider, hidden until its script works."""
    for figure, name, shown in _carrying(document, sliders):
        figure.insert(1, folds.html(slider(name, shown, folder)))


def add_narrow(document: nodes.Element, names: Collection[str], folder: str) -> None:
    """Let narrow pages show the narrow drawings of these figures."""
    places = {make_id(name): name for name in names}
    for image in list(document.findall(nodes.image)):
        figure = image.parent
        ids = [make_id(figure["figure"])] if isinstance(figure, folds.Picture) else figure["ids"]
        for name in (places[i] for i in ids if i in places):
            source = phones.before(f"{folder}/{phones.file(name)}")
            image.replace_self([folds.html(source), image, folds.html(phones.AFTER)])


def slider(name: str, shown: Carried, folder: str) -> str:
    """A slider's HTML."""
    values = escape(json.dumps(shown["values"], ensure_ascii=False), quote=True)
    frames = escape(f"{folder}/{name}", quote=True)
    plays, label = shown.get("play", False), escape(shown["label"])
    start = 0 if plays else shown["start"]
    return (
        f'<p class="slider" data-frames="{frames}" data-values="{values}" '
        f"hidden>{PLAY if plays else ''}"
        f'<label><span>{label}</span> <input type="range" min="0" '
        f'max="{len(shown["values"]) - 1}" step="1" value="{start}"></label> '
        f"<output>{escape(shown['values'][start])}</output></p>\n"
    )


def add_lives(document: nodes.Element, lives: Carried, up: str) -> None:
    """Replace every interactive figure by a box that its script fills, and add the scripts.

    Args:
        lives: `featurebook.live.Live.as_dict` by the figures' names.
        up: the way from the page to the site's root.
    """
    used = []
    for figure, name, shown in _carrying(document, lives):
        used.append(name)
        figure.insert(1, folds.html(live(name, shown)))
        for image in figure.findall(nodes.image):  # seen in print and without scripts only
            image["loading"] = "lazy"
    if used:
        style = f'<link rel="stylesheet" href="{up}_static/live.css">\n'
        scripts = [f"{up}_static/live.js", *(f"{up}{DATA}/{name}.js" for name in used)]
        loaded = "".join(f'<script defer src="{escape(x)}"></script>\n' for x in scripts)
        document.insert(0, folds.html(style))
        document += folds.html(loaded)


def live(name: str, shown: Carried) -> str:
    """The box of an interactive figure, as HTML."""
    told = {key: value for key, value in shown.items() if key != "script"}
    spec = escape(json.dumps(told, ensure_ascii=False), quote=True)
    return f'<div class="live" data-name="{escape(name)}" data-spec="{spec}" hidden></div>\n'


def formula_files(lives: Mapping[str, Carried]) -> dict[str, str]:
    """The scripts of formulas, by the file names that pages load."""
    return {
        f"{name}.js": f"live.formulas[{json.dumps(name)}] =\n{shown['script'].strip()};\n"
        for name, shown in lives.items()
    }


def frame_files(sliders: Mapping[str, Carried]) -> dict[str, str]:
    """The pictures of sliders, by the file names that the pages' script loads."""
    return {
        f"{name}-{k}.svg": frame
        for name, shown in sliders.items()
        for k, frame in enumerate(shown["frames"])
    }


def write_data(site: Path, files: Mapping[str, str]) -> None:
    """Put the numbers and pictures of figures where the pages' links lead."""
    folder = site / DATA
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
