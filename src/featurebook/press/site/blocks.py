"""A statement, its verdict, and where to read on are one block.

In the notebook a verdict is the output of the cell that checks a claim. On the site it is below
the statement, whose left edge has its colour, and the checking code is folded.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.book.places import Chapter, Part, find_chapter, papers
from featurebook.press.claims import citing, grades, printed_sizes, proofs, statements
from featurebook.press.claims.grades import Grade
from featurebook.press.claims.graph import ClaimGraph, around, framed, resting
from featurebook.press.claims.judgements import Entry
from featurebook.press.claims.statements import Claim
from featurebook.press.run import machines, seeds
from featurebook.press.run.tallies import Tally
from featurebook.press.site import (
    beside,
    claim_boxes,
    folds,
    glossary,
    glue,
    numbering,
    publish,
    reviews,
    verdict_boxes,
)
from featurebook.verdicts import OUTCOMES

VERDICT = re.compile(
    r'\s*<div id="verdict-(?P<claim>[^"]+)" class="verdict verdict-(?P<word>[\w-]+)"'
)
PROOFS = "book/proofs"
OPEN = ("definition", "assumption")
"""Kinds of claims that a story shows in full: its setting."""


class SearchedTitle(nodes.title):
    """A title for the search index only; the page does not show it."""


def leave_out(self: Any, node: nodes.Node) -> None:
    """Write nothing."""
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
                boxes[name] += self._judged(claims[name], found[name])
        for name, box in boxes.items():
            link = folds.html(
                f'<a class="headerlink" href="#{name}" title="Link to this statement">#</a>'
            )
            if name in claims:
                places = (self.env.docname, f"{claim_boxes.FOLDER}/{name}")
                box += folds.html(*(self._graded(claims[name], here) for here in places))
                box += folds.html(*(self._onward(claims[name], claims, homes, x) for x in places))
                box += folds.html(self._nearby(name))
                box += folds.html(self._citation(name) if name in found else "")
            in_a_story = self.env.docname.endswith("/story")
            if in_a_story and name in found and claims[name].kind not in OPEN:
                fold(box, verdict_boxes.in_a_line(claims[name], found[name]), link)
            else:
                box[0] += link
            if name in claims:
                box.insert(0, SearchedTitle("", claims[name].number))

    def _box(self, node: nodes.Element, known: dict[str, str]) -> nodes.container:
        parts = numbering.heading(node, known, self.env, self.env.docname)
        title = nodes.paragraph("", "", *parts, classes=["admonition-title"])
        content = nodes.container("", *node[1].children, classes=["statement-text"])
        kind = node["realtype"]
        return nodes.container("", title, content, ids=node["ids"], classes=["proof", kind])

    @property
    def _chapter(self) -> Chapter:
        return find_chapter(Path(self.app.srcdir), self.env.docname.removeprefix("notebooks/"))

    def _verdict(self, name: str) -> dict[str, Any]:
        """A verdict that the page shows, as data."""
        found = glue.find_verdict(self._chapter, name)
        assert found is not None, name
        return found

    def _judged(self, claim: Claim, verdict: dict[str, Any]) -> nodes.Element:
        """A verdict in its box."""
        tallies = [of.record(self._chapter).of_claim(claim.id) for of in (seeds, machines)]
        again = repeated(verdict["outcome"], *tallies)
        if again and printed_sizes.is_settled(verdict):
            again = f"at the sizes of this page: {again}"
        meaning = glossary.meaning(verdict["reason"], self.env.docname)
        return verdict_boxes.box(claim, verdict, repeated=again, meaning=meaning)

    def _graded(self, claim: Claim, here: str) -> str:
        """The grade of an experiment, and where print is beside ours."""
        part = Part(Path(self.app.srcdir), claim.id.partition("-")[0])
        grade = _grades(part).get(claim.id) if claim.is_experiment else None
        if grade is None or not self._is_page(page := f"{beside.FOLDER}/{part.name}"):
            return ""
        place = self.app.builder.get_relative_uri(here, page)
        link = f'<a href="{place}#{beside.anchor(grade)}">paper beside ours</a>'
        return f'<p class="graded">{beside.badge(grade)} {link}</p>'

    def _onward(
        self, claim: Claim, claims: Mapping[str, Claim], homes: Mapping[str, str], here: str
    ) -> str:
        """Links to its erratum, to its correction or what it corrects, and to its own page."""
        part = homes[claim.id].split("/")[1]
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
        if here == self.env.docname:
            shown.append(glue.own_page(here, claim.id))
        return f'<p class="onward">{" · ".join(shown)}</p>' if shown else ""

    def _nearby(self, name: str) -> str:
        """A folded map of the claims that this one depends on, and that depend on it."""
        return nearby(name, _of_part(Path(self.app.srcdir), name.partition("-")[0]))

    def _citation(self, name: str) -> str:
        """How to cite the verdict, folded."""
        root, home = Path(self.app.srcdir), publish.home()
        entry = _of_part(root, name.partition("-")[0]).get(name)
        if entry is None or entry.outcome not in OUTCOMES:
            return ""
        site = home.site if home else ""
        text = citing.of_verdict(entry, citing.about_book(root), citing.works(root), site)
        return folds.offer("cite", folds.code("bibtex", text))

    def _is_page(self, name: str) -> bool:
        return name in self.env.all_docs


@cache
def _of_part(root: Path, part: str) -> dict[str, Entry]:
    return {e.claim.id: e for e in reviews.entries(root) if e.part == part}


def repeated(outcome: str, others: Tally | None, elsewhere: Tally | None) -> str:
    """How often a verdict was the same with other seeds, and on other machines."""
    words = [others.words(outcome)] if others else []
    return "; ".join([*words, machines.words(elsewhere)] if elsewhere else words)


def nearby(name: str, own: Mapping[str, Entry]) -> str:
    """A folded map of the claims nearest to one of a part's; empty if it stands alone."""
    near = around(resting(list(own.values())), name)
    if not near:
        return ""
    title = f"What {own[name].claim.number} depends on, and what depends on it ({name})"
    picture = framed(ClaimGraph([own[n] for n in near], title, centre=name).svg(), title)
    return folds.offer("rests on", picture, "nearby")


def fold(box: nodes.container, line: nodes.inline, link: nodes.raw) -> None:
    """Collapse a judged box to one line that opens.

    The link to it is beside the line: inside, it would be hard to click.
    """
    heading, *inside = box.children
    box.children = []
    heading += line
    box += folds.Fold("", folds.Line("", heading), link, *inside, classes=["fold"])


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
