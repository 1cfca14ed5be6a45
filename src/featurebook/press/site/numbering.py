"""Theorems have the numbers of their papers, figures those of their parts.

sphinx-proof counts directives through the book; a reader who has the paper open wants "Theorem 2"
to be the paper's Theorem 2. So headings of claims, and references to them, show the ``number`` of
the claims file. Sphinx counts figures through the book too; here the fifth figure of the second
part is 2.5, so that a new figure renumbers one part only. Both hold on the site and on paper.
"""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx_proof.nodes import NODE_TYPES

from featurebook.press.book.places import papers
from featurebook.press.claims import statements
from featurebook.press.claims.formulas import plain

COUNTED = rf"(?:{'|'.join(kind.title() for kind in NODE_TYPES)}) [\d.]+"
"""What sphinx-proof writes for a reference, with its own number."""
RUNNING, SHOWN = "featurebook_running_numbers", "featurebook_figure_numbers"
"""Attributes of the environment: Sphinx's numbers of everything, and ours of figures."""

Numbers = Mapping[str, Mapping[str, tuple[int, ...]]]
"""Indexed by page and id."""


def count_on(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Give Sphinx its own numbers back, which it compares to find the pages that changed."""
    env.toc_fignumbers = getattr(env, RUNNING, env.toc_fignumbers)


def number_by_part(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Number the figures by part; returns the pages whose figure numbers changed."""
    running = env.toc_fignumbers
    order = {part.name: k for k, part in enumerate(papers(Path(app.srcdir)), start=1)}
    figures = by_part({page: of.get("figure", {}) for page, of in running.items()}, order)
    before = getattr(env, SHOWN, {})
    setattr(env, RUNNING, running)
    setattr(env, SHOWN, figures)
    env.toc_fignumbers = {
        page: {**of, "figure": figures[page]} if page in figures else of
        for page, of in running.items()
    }
    return [page for page in figures if figures[page] != before.get(page)]


def by_part(running: Numbers, order: Mapping[str, int]) -> dict[str, dict[str, tuple[int, ...]]]:
    """Numbers of figures by part: 2.5 is the fifth of the second part.

    Figures of pages that belong to no part are counted by themselves: 1, 2, ...

    Args:
        running: one number for each figure, through the book.
        order: the position of each part, from 1.
    """
    counted: Counter[tuple[int, ...]] = Counter()
    found: dict[str, dict[str, tuple[int, ...]]] = {}
    all_of = [(n, page, name) for page, of in running.items() for name, n in of.items()]
    for _, page, name in sorted(all_of):
        folder, _, address = page.partition("/")
        part = order.get(address.partition("/")[0]) if folder == "notebooks" else None
        before = () if part is None else (part,)
        counted[before] += 1
        found.setdefault(page, {})[name] = (*before, counted[before])
    return found


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
    """The heading of a statement: its number (the paper's, for a claim) and its title.

    Args:
        page: the name of the document that contains it.
    """
    name = node["ids"][0]
    number = known.get(name)
    if number is None:
        counts = env.toc_fignumbers.get(page, {}).get(node["countertype"], {}).get(name, ())
        number = f"{node['realtype'].title()} {'.'.join(map(str, counts))}".strip()
    title = [child.deepcopy() for child in node[0].children]
    if number == plain(node["title"].strip().removeprefix("(").removesuffix(")")):
        return [nodes.inline("", number, classes=["caption-number"])]
    return [nodes.inline("", number, classes=["caption-number"]), *title]


def rename_references(tree: nodes.Element, known: dict[str, str]) -> None:
    """Let references to claims name them as their papers do."""
    for link in tree.findall(nodes.reference):
        name = link.get("refuri", "").rpartition("#")[2] or link.get("refid", "")
        if name in known and re.fullmatch(COUNTED, link.astext()):
            link.children = []
            link += nodes.inline("", known[name])
