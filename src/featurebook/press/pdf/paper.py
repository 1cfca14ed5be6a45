"""The transforms of the book's pages for paper.

Sphinx hands its LaTeX writer all pages as one tree. The transforms here give it what on the site
is HTML, and the site's numbers: those of the papers on theorems, running ones on figures and
equations.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.builders.latex.nodes import thebibliography
from sphinx.transforms.post_transforms import SphinxPostTransform

from featurebook.press.book.door import read_yaml
from featurebook.press.book.places import MEND_TOC
from featurebook.press.pdf import drawings, from_html, tables
from featurebook.press.site import glue, numbering, pages, verdict_boxes
from featurebook.press.site.blocks import VERDICT
from featurebook.press.site.data_frames import legible
from featurebook.verdicts import MARKS, in_print, of_slug, slug

WIDE = 1000
"""Width from which a picture also gets a page of its own size; a line has about 480 points."""
BREAKS = 16
"""Rows from which a table may be broken over pages."""


class _Transform(SphinxPostTransform):
    formats = ("latex",)

    @property
    def root(self) -> Path:
        return Path(self.app.srcdir)

    def page(self, node: nodes.Node) -> str:
        """The page that a node in the tree of the whole book belongs to."""
        above: nodes.Element | None = node.parent
        while above is not None:
            if isinstance(above, addnodes.start_of_file):
                return str(above["docname"])
            above = above.parent
        return str(self.document["docname"])

    def all(self, kind: type, *classes: str) -> Iterator[Any]:
        """The nodes of a type, only those with one of the classes if any are given."""
        for node in list(self.document.findall(kind)):
            if not classes or set(classes) & set(node.get("classes", [])):
                yield node


class FromHtml(_Transform):
    """Handle outputs, and raw HTML in pages."""

    default_priority = 150

    def run(self, **_: Any) -> None:
        """Replace HTML by document nodes; omit the gallery and the code of folded cells."""
        for file in self.all(addnodes.start_of_file):
            for child in file:
                child.parent = file  # Sphinx leaves them with the page's own tree
        for cell in self.all(nodes.container, "tag_hide-input"):
            for code in list(cell.findall(nodes.container)):
                if "cell_input" in code["classes"]:
                    code.parent.remove(code)
        for figure in self.all(nodes.figure):
            self._enlarge(figure)
        for gallery in self.all(nodes.container, "sd-container-fluid"):
            gallery.parent.remove(gallery)
        for raw in self.all(nodes.raw):
            if raw["format"] == "html" and raw.astext() != "</a>":
                self._replace(raw, self._in_words(raw.astext()))
        for box in self.all(verdict_boxes.VerdictBox):
            claim = glue.find_claim(self.root, box["verdict"]["claim"])[0]
            self._replace(box, verdict_boxes.of_paper(claim, box["verdict"], box["home"]))

    def _replace(self, raw: nodes.Element, html: str) -> None:
        page, parent = self.page(raw), raw.parent
        markup = legible(html, page)
        if isinstance(parent, nodes.TextElement) and re.match(r"<a\s", markup):
            self._anchor(raw, page)
            return
        found = from_html.parsed(markup, lambda address: self._address(page, address))
        if isinstance(parent, nodes.TextElement):
            found = [part for paragraph in found for part in paragraph.children]
        maps = {node: self._map(node, raw) for n in found for node in n.findall(from_html.Drawing)}
        found = [maps.get(node, node) for node in found]
        parent.replace(raw, found)

    def _in_words(self, markup: str) -> str:
        """A verdict's HTML with what was found, as on the site; other HTML unchanged."""
        match = VERDICT.match(markup)
        if match is None:
            return markup
        claim, home = glue.find_claim(self.root, match["claim"])
        verdict = glue.find_verdict(home, claim.id)
        return verdict_boxes.of_paper(claim, verdict) if verdict else markup

    def _anchor(self, raw: nodes.Element, page: str) -> None:
        """A link whose text lies between two pieces of HTML."""
        parent = raw.parent
        start = parent.index(raw)
        ends = (k for k in range(start, len(parent)) if parent[k].astext() == "</a>")
        end = next(ends, start)
        inside = parent[start + 1 : end]
        href = re.search(r"href=['\"]([^'\"]*)", raw.astext())
        address = self._address(page, href[1] if href else "")
        link = nodes.reference("", "", *inside, refuri=address, internal=True)
        parent[start : end + 1] = [link] if address else inside

    def _address(self, page: str, address: str) -> str | None:
        """The reference to a place in the book or on the web; None for a file of the site."""
        if re.match(r"https?:|mailto:", address):
            return address
        file, _, place = address.partition("#")
        target = normpath(f"{page}/../{file.removesuffix('.html')}") if file else page
        if place:
            return f"%{target}#{place}"
        return f"%{target}" if target in self.env.all_docs else None

    def _map(self, drawing: from_html.Drawing, place: nodes.Node) -> nodes.raw:
        source = Path(self.app.outdir) / f"{nodes.make_id(drawing['label'])}.svg"
        source.write_text(drawing["svg"].replace("currentColor", "black"), encoding="utf-8")
        return nodes.raw("", rf"\overview{{{self._full_page(source, place)}}}", format="latex")

    def _enlarge(self, figure: nodes.figure) -> None:
        """Give a picture that is small on paper a full page as well."""
        for image in figure.findall(nodes.image):
            source = self.root / image["uri"]
            if source.suffix == ".svg" and drawings.width(source.read_text("utf-8")) > WIDE:
                where = rf" \enlarged{{{self._full_page(source, figure)}}}"
                next(figure.findall(nodes.caption)).append(nodes.raw("", where, format="latex"))

    def _full_page(self, source: Path, place: nodes.Node) -> str:
        """Put a picture on a page of its own size at the chapter's end; returns its name."""
        name = f"page-{source.stem}.pdf"
        drawings.to_pdf(source, Path(self.app.outdir) / name)
        end = nodes.raw("", rf"\fullpage{{{name}}}", format="latex")
        home = next(f for f in self.all(addnodes.start_of_file) if f["docname"] == self.page(place))
        home.append(end)
        return name


class Theorems(_Transform):
    """Give statements the numbers of their papers, and use these in references."""

    default_priority = 160

    def run(self, **_: Any) -> None:
        """Turn statements into boxes and rename references to them."""
        known = numbering.numbers(self.root)
        outcomes = {
            place.removeprefix("verdict-"): of_slug(str(target.parent.parent["classes"][0])[8:])
            for target in self.all(nodes.target)
            for place in target["ids"]
            if place.startswith("verdict-")
        }
        for node in numbering.stated(self.document):
            parts = numbering.heading(node, known, self.env, self.page(node))
            node.replace_self(self._box(node, parts, outcomes.get(node["ids"][0])))
        numbering.rename_references(self.document, known)

    def _box(
        self, node: nodes.Element, parts: list[nodes.Node], outcome: str | None
    ) -> nodes.container:
        """A statement with its heading, which links to the verdict."""
        name = node["ids"][0]
        heading = nodes.paragraph("", "", nodes.target(ids=[name]))
        heading += nodes.strong("", "", *parts)
        if outcome:
            said = f"{MARKS[outcome]} {in_print(outcome)}"  # type: ignore[index]
            chip = nodes.inline("", said, classes=[f"verdict-{slug(outcome)}"])
            address = f"%{self.page(node)}#verdict-{name}"
            heading += [nodes.Text(" "), nodes.reference("", "", chip, refuri=address)]
        return nodes.container("", heading, *node[1].children, classes=["theorem"])


class Numbers(_Transform):
    """Use the site's numbers of figures and equations instead of TeX's own."""

    default_priority = 170

    def run(self, **_: Any) -> None:
        """Set TeX's counters as text before each."""
        for figure in self.all(nodes.figure):
            counts = self.env.toc_fignumbers.get(self.page(figure), {}).get("figure", {})
            if number := next((counts[i] for i in figure["ids"] if i in counts), None):
                _before(figure, rf"\renewcommand{{\thefigure}}{{{'.'.join(map(str, number))}}}")
        for math in self.all(nodes.math_block):
            if math.get("number"):
                page = self.page(math)
                counts = self.env.toc_fignumbers.get(page, {}).get("displaymath", {})
                number = counts.get(f"equation-{math['label']}") or (math["number"],)
                _before(math, rf"\renewcommand{{\theequation}}{{{'.'.join(map(str, number))}}}")


def _before(node: nodes.Element, tex: str) -> None:
    node.parent.insert(node.parent.index(node), nodes.raw("", tex, format="latex"))


class Units(_Transform):
    """Keep numbers and their units on one line, as on the site."""

    default_priority = 175

    def run(self, **_: Any) -> None:
        """Replace the spaces between them by such as no line ends at."""
        for text in self.all(nodes.Text):
            if not isinstance(text.parent, nodes.math | nodes.math_block | nodes.FixedTextElement
                              | nodes.literal | nodes.raw):  # fmt: skip
                text.parent.replace(text, nodes.Text(pages.with_units(text)))


class Tables(_Transform):
    """Make columns wide enough for their content, and letters small enough for the line."""

    default_priority = 180

    def run(self, **_: Any) -> None:
        """Set the columns and letter size of every table."""
        for table in self.all(nodes.table):
            size, spec = tables.layout(table)
            rows = sum(1 for _ in table.findall(nodes.row))
            table["classes"].append("longtable")  # the others of Sphinx misjudge spans
            whole = rf"\needspace{{{rows + 2}\baselineskip}}" if rows < BREAKS else ""
            at = table.parent.index(table)
            begin = nodes.raw("", rf"\par{whole}\begingroup\{size}", format="latex")
            end = nodes.raw("", r"\par\endgroup", format="latex")
            columns = addnodes.tabular_col_spec(spec=spec)
            table.parent[at : at + 1] = [begin, columns, table, end]


class Arrangement(_Transform):
    """Make parts as in ``_toc.yml``; the landing page's text is the first chapter of the first."""

    default_priority = 190

    def run(self, **_: Any) -> None:
        """Put the pages into sections named after the parts."""
        toc = read_yaml(self.root / "_toc.yml", MEND_TOC)
        captions = [part.get("caption", "") for part in toc.get("parts", [])]
        top = next(self.document.findall(nodes.section))
        trees = [n for n in top.findall(nodes.compound) if "toctree-wrapper" in n["classes"]]
        trees = [n for n in trees if self.page(n) == self.document["docname"]]
        for tree in trees:
            tree.parent.remove(tree)
        about = nodes.section(
            "", nodes.title("", "About this book"), *top.children[1:], ids=["about"]
        )
        parts = [
            nodes.section("", nodes.title("", caption), *tree.children, ids=[f"part-{k}"])
            for k, (tree, caption) in enumerate(zip(trees, captions, strict=True))
        ]
        parts[0].insert(1, about)
        top.children = top.children[:1]
        top += parts


class Bibliography(_Transform):
    """Keep the list of works in its chapter, not after the last page."""

    default_priority = 760

    def run(self, **_: Any) -> None:
        """Move it to the page that lists it."""
        for works in self.all(thebibliography):
            works.parent.remove(works)
            for page in self.all(addnodes.start_of_file):
                if page["docname"] == works[0]["docname"]:
                    next(page.findall(nodes.section)).append(works)


TRANSFORMS = (FromHtml, Theorems, Numbers, Units, Tables, Arrangement, Bibliography)
