"""What a published site has in addition: addresses, launch buttons, a preview, a site map.

The address is known only where the book is published: GitHub Actions name the
repository in ``GITHUB_REPOSITORY``. Without it there are no launch buttons and no site map,
and links stay relative.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

import jupytext
import nbformat
from docutils import nodes
from matplotlib.figure import Figure
from sphinx.application import Sphinx

from featurebook.press.book.places import Chapter, chapters
from featurebook.press.claims.judgements import PALETTE, Entry
from featurebook.press.claims.ledger import counts

BRANCH = "launch"
"""Where the published notebooks for Colab are: the repository itself holds their sources."""
PREVIEW = "_static/preview.png"
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class Home:
    """Where the book is published: ``owner/name`` on GitHub."""

    repository: str

    @property
    def site(self) -> str:
        """Address of the site, with a slash at its end."""
        owner, _, name = self.repository.partition("/")
        return f"https://{owner.lower()}.github.io/{name}/"

    @property
    def source(self) -> str:
        return f"https://github.com/{self.repository}"

    def binder(self, address: str) -> str:
        where = f"https://mybinder.org/v2/gh/{self.repository}/HEAD"
        return f"{where}?urlpath=lab/tree/notebooks/{address}.ipynb"

    def colab(self, address: str) -> str:
        where = f"{self.repository}/blob/{BRANCH}/{address}.ipynb"
        return f"https://colab.research.google.com/github/{where}"


def home() -> Home | None:
    """Where this build is published, if the environment says so."""
    named = os.environ.get("GITHUB_REPOSITORY", "")
    return Home(named) if REPOSITORY.fullmatch(named) else None


def set_address(app: Sphinx, config: Any) -> None:
    """Tell Sphinx where the site is published."""
    if found := home():
        config.html_baseurl = found.site


def furnish(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give a page its preview tags, and a chapter its launch buttons."""
    found = home()
    if doctree is not None:
        up = context["pathto"](PREVIEW, resource=True)
        picture = f"{found.site}{PREVIEW}" if found else up
        address = f"{found.site}{pagename}.html" if found else ""
        tags = preview_tags(context["title"], first_words(doctree), picture, address)
        context["metatags"] = context.get("metatags", "") + tags
    folder, _, address = pagename.partition("/")
    if found and folder == "notebooks" and "header_buttons" in context:
        context["header_buttons"].insert(0, _launch(found, address))


def first_words(doctree: nodes.document) -> str:
    """The page's first paragraph as plain text, cut at a word."""
    paragraph = next(iter(doctree.findall(nodes.paragraph)), None)
    return shorten(paragraph.astext() if paragraph is not None else "", 200, placeholder=" …")


def preview_tags(title: str, description: str, picture: str, address: str) -> str:
    """The Open Graph tags from which messengers and search engines make a preview."""
    plain = re.sub(r"<[^>]+>", "", title)
    properties = {
        "og:type": "article",
        "og:title": plain,
        "og:description": description,
        "og:image": picture,
        "og:image:alt": "Claims of the book by verdict, one bar for each part",
        **({"og:url": address} if address else {}),
    }
    tags = [
        f'<meta property="{name}" content="{escape(text, quote=True)}" />'
        for name, text in properties.items()
    ]
    tags.append(f'<meta name="description" content="{escape(description, quote=True)}" />')
    tags.append('<meta name="twitter:card" content="summary_large_image" />')
    return "\n    " + "\n    ".join(tags) + "\n"


def _launch(found: Home, address: str) -> dict[str, Any]:
    names = (("Binder", found.binder(address), "svg"), ("Colab", found.colab(address), "png"))
    buttons = [
        {
            "type": "link",
            "text": name,
            "tooltip": f"Run this chapter on {name}",
            "icon": f"_static/images/logo_{name.lower()}.{kind}",
            "url": url,
        }
        for name, url, kind in names
    ]
    return {
        "type": "group",
        "tooltip": "Run this chapter",
        "icon": "fas fa-rocket",
        "buttons": buttons,
        "label": "launch-buttons",
    }


def draw_preview(entries: Sequence[Entry], title: str, path: Path) -> None:
    """The preview picture of the book, 1200 by 630: verdicts by chapter."""
    table = counts(entries)
    stems = list(dict.fromkeys(e.part for e in entries))
    figure = Figure(figsize=(12, 6.3))
    figure.text(0.05, 0.86, title, fontsize=44, weight="bold")
    figure.text(
        0.05, 0.77, "Theory papers on feature learning, run: what holds, what does not", fontsize=22
    )
    ax = figure.add_axes((0.27, 0.16, 0.68, 0.52))
    left = [0] * len(stems)
    for state, colour in PALETTE.items():
        number = [int(n) for n in table.loc[stems, state]]
        if not any(number):
            continue
        bars = ax.barh(
            [s.replace("_", " ") for s in stems], number, left=left, color=colour, label=state
        )
        words = [str(n) if n > 2 else "" for n in number]
        ax.bar_label(bars, words, label_type="center", color="white", fontsize=16)
        left = [a + b for a, b in zip(left, number, strict=True)]
    ax.invert_yaxis()
    ax.tick_params(labelsize=18, left=False, bottom=False, labelbottom=False)
    ax.spines[:].set_visible(False)
    figure.legend(
        loc="lower center", ncols=7, fontsize=15, frameon=False, handlelength=1, columnspacing=1.2
    )
    figure.savefig(path, dpi=100, metadata={"Software": None})


def write(root: Path, site: Path, entries: Sequence[Entry], title: str) -> None:
    """Add the preview to a built site and, if its address is known, what depends on it."""
    draw_preview(entries, title, site / PREVIEW)
    found = home()
    if found is None:
        return
    (site / "sitemap.xml").write_text(site_map(site, found), encoding="utf-8")
    (site / "robots.txt").write_text(f"Sitemap: {found.site}sitemap.xml\n", encoding="utf-8")
    folder = site / BRANCH
    folder.mkdir(exist_ok=True)
    for chapter in chapters(root):
        (folder / chapter.part.name).mkdir(exist_ok=True)
        nbformat.write(for_colab(chapter, found), folder / f"{chapter.address}.ipynb")


def site_map(site: Path, found: Home) -> str:
    """All pages that a reader might look for, in the format of sitemaps.org."""
    pages = ["index.html", *(f"{d}/**/*.html" for d in ("book", "notebooks", "claims"))]
    names = sorted(p.relative_to(site).as_posix() for pattern in pages for p in site.glob(pattern))
    rows = "".join(f" <url><loc>{escape(found.site + name)}</loc></url>\n" for name in names)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n'
    return f"{head}{rows}</urlset>\n"


def for_colab(chapter: Chapter, found: Home) -> nbformat.NotebookNode:
    """A chapter without outputs, after a cell that fetches the book and its requirements."""
    notebook = jupytext.read(chapter.notebook)
    source = (
        f"!git clone --quiet --depth 1 {found.source} book\n"
        "!pip install --quiet './book[press]'\n%cd book"
    )
    notebook.cells.insert(0, nbformat.v4.new_code_cell(source, id="fetch-the-book"))
    return notebook
