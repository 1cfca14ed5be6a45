"""The box of each claim and its proof, as the claim's own page has them.

They are made while the chapter's page is written, and kept beside Sphinx's own cache, since a page
that has not changed is not written again.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from featurebook.press.book.files import write_atomically
from featurebook.press.site import folds, glossary, mathml, pages, verdict_boxes

FOLDER = "claims"
"""Of the claims' pages, in the site's root, and of the boxes, in Sphinx's cache."""
OF_A_PROOF = (nodes.paragraph, nodes.bullet_list, nodes.enumerated_list, nodes.math_block)
"""Nodes that continue a proof."""


@dataclass(frozen=True)
class Cut:
    """What a claim's page takes from its chapter's: its box below the title, and its proof."""

    box: str
    proof: str


def keep(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Keep the boxes of a chapter whose page is written."""
    builder = app.builder
    if doctree is None or not isinstance(builder, StandaloneHTMLBuilder):
        return
    if not glossary.chapter_of(pagename):
        return

    def written(found: Iterable[nodes.Node]) -> str:
        parts = [
            node.get("own", "")
            if isinstance(node, nodes.raw)
            else builder.render_partial(moved(node, pagename))["fragment"]
            for node in found
        ]
        return pages.readable("".join(parts), pagename)

    found = {
        box["ids"][0]: asdict(Cut(written(_content(box)), written(proof_after(box))))
        for box in doctree.findall(nodes.container)
        if "proof" in box["classes"] and box["ids"]
    }
    file = Path(app.doctreedir) / FOLDER / f"{pagename}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps(found))


def read(root: Path, address: str) -> dict[str, Cut]:
    """The boxes of a built chapter, by claim."""
    file = root / "_build" / ".doctrees" / FOLDER / "notebooks" / f"{address}.json"
    found = json.loads(file.read_text(encoding="utf-8"))
    return {name: Cut(**cut) for name, cut in found.items()}


def _content(box: nodes.Element) -> list[nodes.Node]:
    """What a box has below its title."""
    inside = next(iter(box.findall(folds.Fold)), box)
    titles = (nodes.title, folds.Line)
    return [
        x
        for x in inside.children
        if not isinstance(x, titles) and "admonition-title" not in x.get("classes", ())
    ]


def proof_after(box: nodes.Element) -> list[nodes.Node]:
    """The proof or proofs that follow a box; each ends with its square."""
    found, inside = [], False
    for node in box.parent.children[box.parent.index(box) + 1 :]:
        if not (isinstance(node, OF_A_PROOF) if inside else _begins_a_proof(node)):
            break
        found.append(node)
        inside = r"\square" not in node.astext()
    return found


def _begins_a_proof(node: nodes.Node) -> bool:
    marked = node[0] if isinstance(node, nodes.paragraph) and node.children else None
    return isinstance(marked, nodes.emphasis | nodes.strong) and marked.astext().startswith("Proof")


def moved(node: nodes.Node, page: str) -> nodes.Node:
    """A copy of a page's content for the claims' folder: its links adapted, formulas as MathML."""
    copy = nodes.container("", node.deepcopy())
    for link in copy.findall(nodes.reference):
        link["refuri"] = _from_claims(link.get("refuri") or f"#{link['refid']}", page)
    for verdict in copy.findall(verdict_boxes.VerdictBox):
        meaning = verdict["meaning"] and _from_claims(verdict["meaning"], page)
        verdict.attributes |= {"home": f"../{page}.html", "meaning": meaning, "copied": True}
    formulas = [x for x in copy.findall() if isinstance(x, nodes.math | nodes.math_block)]
    for math in formulas:
        block = isinstance(math, nodes.math_block)
        math.replace_self(folds.html(mathml.of_tex(math.astext(), block)))
    return copy[0]


def _from_claims(address: str, page: str) -> str:
    """An address on a page, relative to the claims' folder."""
    if ":" in address:
        return address
    path, mark, place = address.partition("#")
    where = normpath(f"{dirname(page)}/{path}") if path else f"{page}.html"
    return f"../{where}{mark}{place}"
