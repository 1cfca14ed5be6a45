"""A Sphinx extension: a statement, its verdict, and where to read on are one block.

In the notebook a verdict is the output of the cell that checks a claim. On the site it stands under
the statement, whose left edge has its colour, and the code that checks is folded.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.book.places import Part, find_chapter, papers
from featurebook.press.claims import grades, proofs, statements
from featurebook.press.claims.found import in_a_line, shown
from featurebook.press.claims.grades import Grade
from featurebook.press.claims.statements import Claim
from featurebook.press.site import beside, glue, numbering
from featurebook.press.site.folds import folded

VERDICT = re.compile(
    r'\s*<div id="verdict-(?P<claim>[^"]+)" class="verdict verdict-(?P<word>[\w-]+)"'
)
PROOFS = "book/proofs"
SELF_EVIDENT = ("show.judge(", "show.source(", "show.knobs(", "show.card(", "show.roadmap(")
"""Calls whose output says all that a reader of the page wants to know."""
OPEN = ("definition", "assumption")
"""Kinds of claims that a story shows in full: its setting."""
SHOWN = "tag_show-input"
"""The class of cells whose code is the lesson."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_node(SearchedTitle, html=(_leave_out, None))
    app.add_post_transform(Blocks)
    app.add_post_transform(Folds)
    app.add_post_transform(CodeBelow)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class SearchedTitle(nodes.title):
    """A title for the search alone, which leads to where it is; the page shows nothing."""


def _leave_out(self: Any, node: nodes.Node) -> None:
    raise nodes.SkipNode


@cache
def _book(root: Path) -> tuple[dict[str, str], dict[str, Claim], dict[str, str]]:
    """Numbers, claims, and their documents, by the claims' ids."""
    found = [(part, statements.read(part.claims).claims) for part in papers(root)]
    homes = {
        name: f"notebooks/{chapter.address}"
        for part, _ in found
        for name, chapter in statements.homes(part).items()
    }
    return numbering.numbers(root), {c.id: c for _, claims in found for c in claims}, homes


@cache
def _grades(part: Part) -> dict[str, Grade]:
    return grades.of_part(part)


class Blocks(SphinxPostTransform):
    """Statements with their verdicts inside."""

    default_priority = 160
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Make a box of each statement, and move its verdict into it."""
        known, claims, homes = _book(Path(self.app.srcdir))
        boxes = {}
        for node in numbering.stated(self.document):
            box = self._box(node, known)
            node.replace_self(box)
            boxes[box["ids"][0]] = box
        numbering.rename_references(self.document, known)
        found = {}
        for raw, name, outcome in verdicts(self.document):
            if name in boxes:
                cell_of(raw)["classes"].append("check")
                raw.parent.remove(raw)
                boxes[name]["classes"].append(f"verdict-{outcome}")
                found[name] = self._verdict(name)
                boxes[name] += nodes.raw("", shown(claims[name], found[name]), format="html")
        for name, box in boxes.items():
            if name in claims:
                box += nodes.raw("", self._graded(claims[name]), format="html")
                box += nodes.raw("", self._onward(claims[name], claims, homes), format="html")
                in_a_story = self.env.docname.endswith("/story")
                if in_a_story and name in found and claims[name].kind not in OPEN:
                    fold(box, *in_a_line(claims[name], found[name]))
                box.insert(0, SearchedTitle("", claims[name].number))

    def _box(self, node: nodes.Element, known: dict[str, str]) -> nodes.container:
        parts = numbering.heading(node, known, self.env, self.env.docname)
        title = nodes.paragraph("", "", *parts, classes=["admonition-title"])
        content = nodes.container("", *node[1].children, classes=["statement-text"])
        kind = node["realtype"]
        return nodes.container("", title, content, ids=node["ids"], classes=["proof", kind])

    def _verdict(self, name: str) -> dict[str, Any]:
        """A verdict that the page shows, as data."""
        chapter = find_chapter(Path(self.app.srcdir), self.env.docname.removeprefix("notebooks/"))
        found = glue.find_verdict(chapter, name)
        assert found is not None, name
        return found

    def _graded(self, claim: Claim) -> str:
        """The grade of an experiment, and where print is beside ours."""
        part = Part(Path(self.app.srcdir), claim.id.partition("-")[0])
        grade = _grades(part).get(claim.id) if claim.is_experiment else None
        if grade is None or not self._is_page(page := f"{beside.FOLDER}/{part.name}"):
            return ""
        place = self.app.builder.get_relative_uri(self.env.docname, page)
        link = f'<a href="{place}#{beside.anchor(grade)}">paper beside ours</a>'
        return f'<p class="graded">{beside.badge(grade)} {link}</p>'

    def _onward(self, claim: Claim, claims: Mapping[str, Claim], homes: Mapping[str, str]) -> str:
        """Links to the erratum, to what corrects it or is corrected, and to its own page."""
        part, here = homes[claim.id].split("/")[1], self.env.docname
        links = []
        if claim.expected == "refuted":
            anchor = nodes.make_id(f"erratum-{claim.id}")
            links.append((f"book/errata/{part}", anchor, "erratum"))
        for other in claims.values():
            if claim.id == other.corrects and other.id in homes:
                links.append((homes[other.id], other.id, f"instead: {other.number}"))
        if claim.corrects in homes:
            printed = claims[claim.corrects].number
            links.append((homes[claim.corrects], claim.corrects, f"corrects {printed}"))
        if claim.id in proofs.by_claim(Path(self.app.srcdir)):
            links.append((PROOFS, nodes.make_id(f"proof-{claim.id}"), "checked by Rocq"))
        uri = self.app.builder.get_relative_uri
        shown = [
            f'<a href="{uri(here, page) if page != here else ""}#{place}">{escape(words)}</a>'
            for page, place, words in links
            if self._is_page(page)
        ]
        shown.append(glue.own_page(self.app, here, claim.id))
        return f'<p class="onward">{" · ".join(shown)}</p>'

    def _is_page(self, name: str) -> bool:
        return name in self.env.all_docs


class Folds(SphinxPostTransform):
    """Code that checks, draws or prepares is folded, even where its notebook does not say so."""

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
            what = (
                "of this check" if id(cell) in checks
                else "of this figure" if figure
                else preparation(cell)
            )  # fmt: skip
            if what and SHOWN not in cell["classes"]:
                cell.setdefault("hide_mode", "input")
            if cell.get("hide_mode") == "input":
                cell["prompt_show"] = f"Show the code {what or 'of this step'}"
                cell["prompt_hide"] = f"Hide the code {what or 'of this step'}"
                cell["code_below"] = figure


def _without_input(cell: nodes.container) -> None:
    """Leave of a cell what it shows."""
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
    """What a cell prepares, or shows of the book itself, as a fold says it; else empty."""
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


def fold(box: nodes.container, mark: str, found: str) -> None:
    """Leave of a box that has a verdict one line, which opens."""
    heading, *inside = box.children
    box.children = []
    box += folded(heading, mark, found, inside)


def verdicts(tree: nodes.Element) -> Sequence[tuple[nodes.raw, str, str]]:
    """The verdicts in outputs of cells: node, claim, outcome."""
    found = []
    for raw in tree.findall(nodes.raw):
        match = VERDICT.match(raw.astext()) if raw["format"] == "html" else None
        if match and cell_of(raw) is not None:
            found.append((raw, match["claim"], match["word"]))
    return found


def cell_of(node: nodes.Node) -> Any:
    """The cell that a node is in, or None."""
    above = node.parent
    while above is not None and above.get("nb_element") != "cell_code":
        above = above.parent
    return above
