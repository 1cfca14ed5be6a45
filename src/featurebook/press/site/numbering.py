"""Theorems bear the numbers that their papers print, on the site and on paper.

sphinx-proof counts directives through the book; a reader who has the paper open wants "Theorem 2"
to be the paper's Theorem 2. So headings of claims, and references to them, show the ``number`` of
the claims file.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.environment import BuildEnvironment
from sphinx_proof.nodes import NODE_TYPES

from featurebook.press.book.places import papers
from featurebook.press.claims import statements

COUNTED = (
    r"(?:Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Observation"
    r"|Conjecture|Example) [\d.]+"
)
"""What sphinx-proof writes for a reference, with its own number."""


def numbers(root: Path) -> dict[str, str]:
    """The printed number of every claim of the book, by id."""
    files = [statements.read(part.claims) for part in papers(root)]
    return {claim.id: claim.number for file in files for claim in file.claims}


def stated(tree: nodes.Element) -> list[nodes.Element]:
    """The statements below a node: theorems, lemmas and so on."""
    kinds = tuple(set(NODE_TYPES.values()))
    return [node for node in tree.findall(nodes.Element) if isinstance(node, kinds)]


def heading(
    node: nodes.Element, known: dict[str, str], env: BuildEnvironment, page: str
) -> list[nodes.Node]:
    """What stands above a statement: its number, the paper's where it is a claim, and its title.

    Args:
        page: the name of the document that it stands in.
    """
    name = node["ids"][0]
    number = known.get(name)
    if number is None:
        counts = env.toc_fignumbers.get(page, {}).get(node["countertype"], {}).get(name, ())
        number = f"{node['realtype'].title()} {'.'.join(map(str, counts))}".strip()
    title = [child.deepcopy() for child in node[0].children]
    return [nodes.inline("", number, classes=["caption-number"]), *title]


def rename_references(tree: nodes.Element, known: dict[str, str]) -> None:
    """Let references to claims name them as their papers do."""
    for link in tree.findall(nodes.reference):
        name = link.get("refuri", "").rpartition("#")[2] or link.get("refid", "")
        if name in known and re.fullmatch(COUNTED, link.astext()):
            link.children = []
            link += nodes.inline("", known[name])
