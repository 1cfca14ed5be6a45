"""The claims as data for scripts: the finder and the ledger.

A page read from disk cannot fetch data, but it can load a script.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.book import door, forms
from featurebook.press.book.files import write_atomically
from featurebook.press.book.places import Part, papers
from featurebook.press.claims import citing, grades, ledger
from featurebook.press.claims.formulas import PIECE, plain
from featurebook.press.claims.judgements import STATES, Entry
from featurebook.press.site import background, folds, pages, reviews, symbols
from featurebook.verdicts import MARKS, in_print

FILE, ROWS = "claims/claims.js", "claims/ledger.js"
"""What ``_static/finder.js`` searches, and the rows that ``_static/ledger.js`` makes when seen."""
FORMULA, SHORT = '<span class="math notranslate nohighlight">', "<m>"
"""How a row's formula begins; in the file ``<m>`` stands for it, as ``ledger.js`` knows."""
LEDGER = "notebooks/book/ledger"
WITHOUT = (
    f'<script defer src="../../{ROWS}"></script>'
    "<noscript><p>Without scripts, <a href='../../claims/index.html'>a plain list</a> has all "
    "claims.</p></noscript>"
)
RANGE = re.compile(
    r"(?P<before>(?:[A-Z]\.)?(?:\d+\.)*)(?P<first>\d+)(?:[-–]| to )(?P=before)?(?P<last>\d+)"
)
APART = (nodes.emphasis, nodes.strong)
PAGES = "_build/.doctrees/pages.json"
"""The headings and terms of the pages, as Sphinx read them."""
ARXIV = re.compile(r"\b\d{4}\.\d{4,5}\b")


def write(root: Path, site: Path, entries: Sequence[Entry], names: Mapping[str, str]) -> None:
    """Write what the finder searches.

    Args:
        names: a short name for each part.
    """
    text = json.dumps(of_book(root, entries, names), ensure_ascii=False, separators=(",", ":"))
    (site / FILE).write_text(f"claimsOf({text});\n", encoding="utf-8")


def of_book(root: Path, entries: Sequence[Entry], names: Mapping[str, str]) -> dict[str, list[Any]]:
    """Parts with their papers, verdicts in words, claims and pages, in the script's format."""
    parts = papers(root)
    order = {part.name: k for k, part in enumerate(parts)}
    return {
        "parts": [[names.get(p.name, p.name), words_of_papers(p)] for p in parts],
        "states": [f"{MARKS[s]} {in_print(s)}" if s in MARKS else s for s in STATES],
        "claims": [_claim(e, order[e.part]) for e in entries],
        "pages": list(_pages(root, order)),
    }


def _claim(e: Entry, part: int) -> list[Any]:
    """Id, number, title, part, kind, verdict, words of the statement, numbers within ranges."""
    claim = e.claim
    said = sorted(set(re.findall(r"[^\W\d_]{3,}", PIECE.sub(" ", claim.text).lower())))
    words = [" ".join([*said, claim.place]), " ".join(within(claim.number))]
    state = STATES.index(e.state)
    return [claim.id, claim.number, plain(claim.title), part, claim.kind, state, *words]


def within(number: str) -> Iterator[str]:
    """The numbers inside a range: for "Tables 1-4", 2 and 3."""
    for found in RANGE.finditer(number):
        for k in range(
            int(found["first"]) + 1, min(int(found["last"]), int(found["first"]) + 50) + 1
        ):
            yield f"{found['before']}{k}"


def words_of_papers(part: Part) -> str:
    """Authors, titles, years and arXiv numbers of the papers that a part is about."""
    known, about = citing.works(part.root), background.of_part(part)
    found = []
    for work in (known[key] for key in about.works if key in known):
        fields = [citing.unbraced(work.fields.get(k, "")) for k in ("title", "year")]
        arxiv = ARXIV.findall(" ".join(work.fields.values()))
        found += [*citing.surnames(work), *fields, *arxiv]
    return " ".join([part.name.replace("_", " "), *found])


def _pages(root: Path, order: Mapping[str, int]) -> Iterator[list[Any]]:
    """Address, title, part (-1 for none), headings and terms of each page."""
    remedy = "delete _build/.doctrees, and featurebook build reads all pages again"
    for name, title, subjects in door.read_json(root / PAGES, forms.Pages, remedy):
        if name.startswith(("notebooks/", "book/")):
            yield [f"{name}.html", title, order.get(name.split("/")[-2], -1), subjects]


def note_subjects(app: Sphinx, doctree: nodes.document) -> None:
    """Note a page's topics: the words of its headings and its emphasised words."""
    told = (
        x for x in doctree.findall(nodes.Element) if isinstance(x, APART) or folds.is_heading(x)
    )
    said = {t.lower() for x in told for t in x.findall(nodes.Text) if t.parent.tagname != "math"}
    found = {word for text in said for word in re.findall(r"[^\W\d_]{4,}", text)}
    app.env.metadata[app.env.docname]["subjects"] = " ".join(sorted(found))


def keep_subjects(app: Sphinx, _: object) -> None:
    """Keep it for all pages, beside Sphinx's own memory."""
    env = app.env
    pages = [(n, env.titles[n].astext(), env.metadata[n]["subjects"]) for n in sorted(env.titles)]
    write_atomically(Path(app.doctreedir) / Path(PAGES).name, json.dumps(pages))


class Rows(SphinxPostTransform):
    """The ledger's table without rows, which a script makes when they scroll into view."""

    default_priority = 230
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Remove all but the table's head."""
        for raw in list(self.document.findall(nodes.raw)) if self.env.docname == LEDGER else ():
            if raw.astext().lstrip().startswith("<table class='ledger'>"):
                root = Path(self.app.srcdir)
                shown = WITHOUT + table_of(root, reviews.entries(root)).table()
                raw.replace_self(folds.html(shown))


def table_of(root: Path, entries: Sequence[Entry]) -> ledger.ClaimTable:
    """The ledger's table."""
    graded = {i: g for part in papers(root) for i, g in grades.of_part(part).items()}
    return ledger.ClaimTable(entries, symbols.names_of_parts(root), graded)


def write_rows(site: Path, table: ledger.ClaimTable) -> None:
    """Write the script that has the rows of the ledger."""

    def row(e: Entry) -> list[str]:
        cells = pages.as_text(pages.kept_together(table.cells(e)))
        return [e.claim.id, table.state(e), e.claim.kind, cells]

    parts = [{"part": name, "head": head, "rows": rows} for name, head, rows in table.parts(row)]
    data = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    data = data.replace(json.dumps(FORMULA)[1:-1], SHORT)
    (site / ROWS).write_text(f"ledgerOf({data});\n", encoding="utf-8")
