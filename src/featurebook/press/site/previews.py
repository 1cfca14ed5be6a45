"""Previews of what links lead to: statements, equations, works, figures, symbols, words.

A page read from disk cannot fetch another one, but it can load a script. So what is shown of each
page is a separate script, ``_previews/PAGE.js``, which ``_static/previews.js`` loads when a
reader first rests on a link to it. Links that have a preview are marked ``data-preview``; where
they lead elsewhere than to what is shown, as on the claims' pages, its value is that place.
Formulas are MathML, since not every page has MathJax.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag
from pybtex.database import parse_file

from featurebook.press.claims.judgements import MISPRINT, Entry
from featurebook.press.site import mathml
from featurebook.verdicts import OUTCOMES, in_print

FOLDER = "_previews"
ROOT = "{root}"
"""Placeholder in previews for the path to the site's root, which the reader's page knows."""

PLACE = re.compile(
    r'<(?P<tag>div|figure|dt) [^>]*?\bid="(?P<id>[^"]+)"[^>]*>'
    r'|<span id="(?P<symbol>symbol-[\w-]+)">'
)
LINK = re.compile(r"""<a (?P<before>[^>]*?)href=(?P<quote>["'])(?P<to>[^"'#]*)#(?P<id>[^"']+)""")
MARK = "data-preview "
OF_FIGURES = (
    ".figure-data", ".slider", ".live", ".claim-graph-zoom", ".claim-chains", "source",
)  # fmt: skip
OF_CLAIMS = (".onward", ".verdict-claim", ".verdict-more", "details.nearby", "details.offer")
UNSHOWN = ("a.headerlink", "span.backrefs", "span.fn-bracket", ".found", *OF_CLAIMS, *OF_FIGURES)
"""What a preview leaves out."""


def write(root: Path, site: Path, entries: Sequence[Entry]) -> None:
    """Mark the links of a built site that have a preview, and write the previews."""
    paths = sorted([*site.glob("book/**/*.html"), *site.glob("notebooks/*/*.html")])
    texts = {p.relative_to(site).as_posix(): p.read_text(encoding="utf-8") for p in paths}
    places = {name: _places(text) for name, text in texts.items()}
    wanted: dict[str, set[str]] = defaultdict(set)
    for e in entries:  # to which the claims' pages lead
        page = f"notebooks/{e.chapter}.html"
        if e.claim.id in places.get(page, {}):
            wanted[page].add(e.claim.id)
    claims = {f"claims/{p.name}": p.read_text(encoding="utf-8") for p in site.glob("claims/*.html")}
    for name, text in (texts | claims).items():
        marked, found = with_marks(text, name, places)
        for page, place in found:
            wanted[page].add(place)
        if marked != text:
            (site / name).write_text(marked, encoding="utf-8")
    works = verdicts_of_works(root, entries)
    for old in (site / FOLDER).rglob("*.js"):
        old.unlink()
    for name, ids in wanted.items():
        shown = {
            i: mathml.in_page(preview(texts[name], places[name][i], name, works))
            for i in sorted(ids)
        }
        page = name.removesuffix(".html")
        file = site / FOLDER / f"{page}.js"
        file.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps(shown, ensure_ascii=False, indent=0)
        file.write_text(f"previewsOf({json.dumps(page)}, {data});\n", encoding="utf-8")


def _places(text: str) -> dict[str, int]:
    """Where in a page's text each preview begins, by the ids that links name."""
    start = max(text.find("<article"), 0)
    found: dict[str, int] = {}
    for match in PLACE.finditer(text, start):
        if match["symbol"]:
            found[match["symbol"]] = match.start()
        elif _is_shown(match[0], match["id"]):
            found[match["id"]] = match.start()
            if 'class="proof' in match[0]:
                found[f"verdict-{match['id']}"] = match.start()
    return found


def _is_shown(tag: str, name: str) -> bool:
    return (
        tag.startswith("<figure")
        or name.startswith(("equation-", "term-"))
        or re.search(r'class="(?:[^"]* )?(?:proof|citation|exercise)[ "]', tag) is not None
    )


def with_marks(
    text: str, name: str, places: Mapping[str, Mapping[str, int]]
) -> tuple[str, list[tuple[str, str]]]:
    """A page whose links with a preview are marked, and their targets (page, id).

    Args:
        name: the page's place in the site.
        places: what can be previewed, by page and id.
    """
    found: list[tuple[str, str]] = []
    folder = PurePosixPath(name).parent.as_posix()

    def mark(link: re.Match[str]) -> str:
        page = normpath(f"{folder}/{unquote(link['to'])}") if link["to"] else name
        place = unquote(link["id"])
        own = re.search(r"headerlink|verdict-claim", link["before"])
        if own or place not in places.get(page, {}):
            return link[0]
        found.append((page, place))
        return f"<a {MARK}{link[0][3:]}"

    return LINK.sub(mark, text.replace(f"<a {MARK}", "<a ")), found


def preview(text: str, start: int, name: str, works: Mapping[str, str]) -> str:
    """The preview of the place in a page that begins at ``start``, as HTML without ids or links.

    Args:
        name: the page's place in the site.
        works: the verdicts for each work, by its title in small letters and digits.
    """
    if text.startswith("<span id=", start):
        return _symbol(element(text, text.rfind("<tr", 0, start)))
    html = element(text, start)
    if text.startswith("<dt", start):
        html = f"<dl>{html}{element(text, text.index('<dd', start))}</dl>"
    soup = BeautifulSoup(html, "html.parser")
    for what in soup.select(", ".join(UNSHOWN)):
        what.decompose()
    _plain(soup, name)
    if soup.select_one("div.citation"):
        said = next((w for t, w in works.items() if t in _bare(soup.get_text())), "")
        return f"{soup}<p class='preview-more'>{said}</p>" if said else str(soup)
    return str(soup)


def _plain(soup: BeautifulSoup, name: str) -> None:
    """Remove ids and links, and make the addresses of pictures work from any page."""
    folder = PurePosixPath(name).parent.as_posix()
    for tag in soup.find_all(True):
        for attribute in ("id", "title", "tabindex"):
            tag.attrs.pop(attribute, None)
    for around in soup.select("a, details.fold, .fold > summary"):
        around.unwrap()
    for image in soup.find_all("img"):
        image["src"] = ROOT + normpath(f"{folder}/{image['src']}")
        image.attrs.pop("loading", None)


def _symbol(row: str) -> str:
    """A row of the notation page as a sentence: the symbols, what they mean, their name in code."""
    soup = BeautifulSoup(row, "html.parser")
    cells = [cell for cell in soup.find_all("td") if isinstance(cell, Tag)]
    for tag in soup.find_all(True):
        tag.attrs.pop("id", None)
    for inner in soup.find_all(["a", "p"]):
        inner.unwrap()
    said = f"<p>{cells[0].decode_contents()}: {cells[-1].decode_contents()}</p>"
    if len(cells) == 3:
        said += f"<p class='preview-more'>In the book: {cells[1].decode_contents()}</p>"
    return said


def element(text: str, start: int) -> str:
    """The element of a page that begins at ``start``, to its closing tag."""
    tag = re.match(r"<(\w+)", text[start : start + 20])
    assert tag is not None
    depth = 0
    for match in re.compile(rf"<(/?){tag[1]}\b[^>]*>").finditer(text, start):
        depth += -1 if match[1] else 1
        if depth == 0:
            return text[start : match.end()]
    return ""


def verdicts_of_works(root: Path, entries: Sequence[Entry]) -> dict[str, str]:
    """The verdicts for each work of the bibliography that a part is about, by its bare title."""
    library = parse_file(str(root / "book" / "references.bib")).entries
    return {_bare(library[paper].fields["title"]): said for paper, said in _sentences(entries)}


def _sentences(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    for paper in dict.fromkeys(e.paper for e in entries):
        own = [e for e in entries if e.paper == paper]
        tally = Counter(e.state for e in own)
        counts = ", ".join(f"{in_print(o)} {tally[o]}" for o in (*OUTCOMES, MISPRINT) if tally[o])
        yield paper, f"In this book: {len(own)} statements ({counts})."


def _bare(title: str) -> str:
    return re.sub(r"[^a-z0-9]", "", title.lower())
