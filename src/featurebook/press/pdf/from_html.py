"""HTML outputs of notebooks as document nodes, so that TeX can typeset them too.

Verdicts, data frames, recorded runs and the ledger are displayed as HTML. What the chapters have
computed stays as it is; here their markup is read and becomes paragraphs, tables and links.
"""

import re
from collections.abc import Callable, Iterable
from copy import deepcopy

from bs4 import BeautifulSoup, NavigableString, PageElement, Tag
from docutils import nodes

Link = Callable[[str], str | None]
"""Maps an address in the markup to a Sphinx reference, or None for a dead link."""

INLINE = {
    "strong": nodes.strong,
    "b": nodes.strong,
    "em": nodes.emphasis,
    "i": nodes.emphasis,
    "code": nodes.literal,
    "sub": nodes.subscript,
    "sup": nodes.superscript,
}
BLOCKS = ("div", "p", "table", "svg", "ul", "ol", "li", "figure", "details")
IGNORED = ("style", "script", "title", "head")
ON_SCREEN = ("quick-run", "verdict-source")
"""What paper omits: the smaller of two runs, and the code of checks."""
MATH = re.compile(r"\\\((.*)\\\)", re.DOTALL)


class Drawing(nodes.General, nodes.Element):
    """A picture that is inline in the markup; its attribute ``svg`` has the source."""


def parsed(markup: str, link: Link) -> list[nodes.Node]:
    """The nodes for some markup, its blocks in order.

    Args:
        link: returns references for addresses; dead links become plain text.
    """
    return _blocks(BeautifulSoup(markup, "html.parser").children, link)


def _blocks(elements: Iterable[PageElement], link: Link) -> list[nodes.Node]:
    found: list[nodes.Node] = []
    paragraph = nodes.paragraph()
    for element in elements:
        if isinstance(element, Tag) and element.name in BLOCKS:
            found += [_tidy(paragraph)] if _says(paragraph) else []
            paragraph = nodes.paragraph()
            found += _block(element, link)
        else:
            paragraph += _inline(element, link)
    return [*found, *([_tidy(paragraph)] if _says(paragraph) else [])]


def _block(tag: Tag, link: Link) -> list[nodes.Node]:
    if tag.name == "svg":
        return [Drawing("", svg=str(tag), label=str(tag.get("aria-label", "")))]
    if tag.name == "table":
        captions = [nodes.emphasis("", c.get_text()) for c in tag.select("caption")]
        return [*(nodes.paragraph("", "", c) for c in captions), table(tag, link)]
    if set(ON_SCREEN) & set(tag.get_attribute_list("class")):
        return []
    shown = [c for c in tag.children if not (tag.name == "details" and _is_summary(c))]
    inside = _blocks(shown, link)
    if "verdict" in tag.get_attribute_list("class"):
        outcome = next(c for c in tag.get_attribute_list("class") if str(c).startswith("verdict-"))
        word = next(inside[0].findall(nodes.strong))
        word.replace_self(nodes.inline("", "", word.deepcopy(), classes=[str(outcome)]))
        if "id" in tag.attrs:  # shown again elsewhere it has none
            inside[0].insert(0, nodes.target(ids=[str(tag["id"])]))
        return [nodes.container("", *inside, classes=[str(outcome)])]
    return inside


def _is_summary(element: PageElement) -> bool:
    """Whether it is only the summary of a verdict's numbers, which paper shows openly."""
    above = element.parent
    folds = above is not None and "verdict-more" in above.get_attribute_list("class")
    return folds and isinstance(element, Tag) and element.name == "summary"


def _inline(element: PageElement, link: Link) -> list[nodes.Node]:
    if isinstance(element, NavigableString):
        words = " ".join(str(element).split())
        edges = [" " if str(element)[k : k + 1].isspace() else "" for k in (0, len(element) - 1)]
        text = f"{edges[0]}{words}{edges[1]}" if words else edges[0]
        return [nodes.Text(text)] if type(element) is NavigableString and text else []
    if not isinstance(element, Tag) or element.name in IGNORED:
        return []
    classes = [str(c) for c in element.get_attribute_list("class") if c]
    if set(ON_SCREEN) & set(classes):
        return []
    if "math" in classes and (formula := MATH.fullmatch(element.get_text())):
        return [nodes.math("", formula[1])]
    if element.name == "br":
        return [nodes.raw("", r"\newline ", format="latex")]
    if element.name == "wbr":
        return [nodes.raw("", r"\allowbreak{}", format="latex")]
    inside = [node for child in element.children for node in _inline(child, link)]
    if element.name == "a" and (address := link(str(element.get("href", "")))):
        return [nodes.reference("", "", *inside, refuri=address, internal=True)]
    if element.name in INLINE and inside:
        kind = INLINE[element.name]
        text = "".join(node.astext() for node in inside)
        return [kind(text, text) if kind is nodes.literal else kind("", "", *inside)]
    if "chip" in classes:
        return [nodes.inline("", "", *inside, classes=[classes[0]])]
    return inside


def _says(node: nodes.Element) -> bool:
    return bool(node.astext().strip()) or bool(list(node.findall(nodes.target)))


def _tidy(paragraph: nodes.paragraph) -> nodes.paragraph:
    """The same without spaces and breaks at either end."""
    for end in (0, -1):
        while paragraph.children and not paragraph[end].astext().strip():
            if isinstance(paragraph[end], nodes.target):
                break
            del paragraph[end]
    for end, strip in ((0, str.lstrip), (-1, str.rstrip)):
        if paragraph.children and isinstance(paragraph[end], nodes.Text):
            paragraph[end] = nodes.Text(strip(paragraph[end].astext()))
    return paragraph


# Tables


def table(tag: Tag, link: Link) -> nodes.table:
    """A table with its spans, without its caption, which TeX would number."""
    head, body = _rows(tag.select("thead tr"), link), _rows(tag.select("tbody tr"), link)
    width = max((sum(1 + e.get("morecols", 0) for e in row) for row in head + body), default=1)
    group = nodes.tgroup(cols=width)
    group += [nodes.colspec(colwidth=1) for _ in range(width)]
    for kind, rows in ((nodes.thead, head), (nodes.tbody, body)):
        if rows:
            group += kind("", *rows)
    return nodes.table("", group)


def _rows(tags: Iterable[Tag], link: Link) -> list[nodes.row]:
    return [
        nodes.row("", *(_entry(cell, link) for cell in tag.find_all(["th", "td"]))) for tag in tags
    ]


def _entry(cell: Tag, link: Link) -> nodes.entry:
    copy = deepcopy(cell)
    for code in copy.select("th code"):
        code.insert_before(" ")  # styles set it apart on the site
    entry = nodes.entry("", *_blocks(copy.children, link))
    for span, more in (("colspan", "morecols"), ("rowspan", "morerows")):
        if (count := int(str(cell.get(span, "1")))) > 1:
            entry[more] = count - 1
    return entry
