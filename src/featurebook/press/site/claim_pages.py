"""A page for each claim, ``claims/ID.html``: to be found, linked and cited by itself.

Its statement, verdict and proof are those of the bound chapter; the template adds what a chapter
has elsewhere or leaves out. The pages have a style sheet of their own, what they
need of the site's, and their formulas are MathML, so that they load nothing else.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from pprint import pformat
from textwrap import indent
from typing import Any

from markupsafe import Markup

from featurebook.press.book.places import STORY, Part, chapters, papers
from featurebook.press.claims import changes, citing, grades, graph
from featurebook.press.claims.formulas import as_html, plain
from featurebook.press.claims.judgements import Entry
from featurebook.press.site import (
    beside,
    claim_boxes,
    lighten,
    mathml,
    pages,
    pictured,
    publish,
)
from featurebook.press.site.claim_boxes import Cut
from featurebook.press.site.verdict_boxes import TEMPLATES
from featurebook.verdicts import MARKS, MEANING, OUTCOMES, in_print

STYLE = "claim.css"
SHEETS = ("styles/pydata-sphinx-theme.css", "featurebook.css")
SCRIPTS = ("claim.js", "finder.js", "previews.js")
"""In ``_static``: the style sheets that theirs is made from, and the scripts that they load."""
OWN_RULES = Path(__file__).with_name("claim_page.css")
FRACTION = re.compile(r"-?\d+/\d+")


def write(root: Path, site: Path, entries: Sequence[Entry]) -> None:
    """Write the pages of a built site, a list of them, and their style sheet."""
    folder = site / claim_boxes.FOLDER
    folder.mkdir(exist_ok=True)
    titles = {c.address: plain(c.title) for c in chapters(root)}
    made, written = Pages(root, entries, titles), {}
    for chapter in titles:
        found = claim_boxes.read(root, chapter)
        for e in entries:
            if e.chapter == chapter and e.claim.id in found:
                written[f"{e.claim.id}.html"] = made.page(e, found[e.claim.id])
    written["index.html"] = made.index()
    for name, page in written.items():
        (folder / name).write_text(page, encoding="utf-8")
    (folder / STYLE).write_text(style(site / "_static", written.values()), encoding="utf-8")


def style(static: Path, made: Iterable[str]) -> str:
    """The rules of the site's style sheets that these pages need."""
    scripts = [(static / name).read_text(encoding="utf-8") for name in SCRIPTS]
    used = {word for text in (*made, *scripts) for word in re.findall(r"[\w-]+", text)}
    sheets = (*(static / name for name in SHEETS), OWN_RULES)
    return "".join(lighten.needed_rules(x.read_text(encoding="utf-8"), used) for x in sheets)


def as_code(instance: Mapping[str, Any]) -> str:
    """An instance as Python to copy; exact values are written as fractions."""
    lines = [
        f"{name!r}: {pformat(_exact(x), width=76, compact=True)}," for name, x in instance.items()
    ]
    said = "instance = {{\n{}\n}}".format("\n".join(indent(x, "    ") for x in lines))
    return f"from fractions import Fraction\n\n{said}" if "Fraction(" in said else said


def _exact(x: Any) -> Any:
    if isinstance(x, Mapping):
        return {name: _exact(value) for name, value in x.items()}
    if isinstance(x, list | tuple):
        return [_exact(value) for value in x]
    return Fraction(x) if isinstance(x, str) and FRACTION.fullmatch(x) else x


def pictures(part: Part) -> dict[str, str]:
    """Our version of each printed figure, as HTML, by claim."""
    known, _ = pictured.of_part(part)
    found = grades.of_part(part).items()
    return {name: beside.figure(grade, known[name]) for name, grade in found if name in known}


class Pages:
    """What the pages of a book's claims have in common."""

    def __init__(self, root: Path, entries: Sequence[Entry], titles: Mapping[str, str]) -> None:
        """Entries are all of the book's, titles those of its chapters."""
        self.root, self.entries = root, {e.claim.id: e for e in entries}
        self.home, self.book, self.works = (
            publish.home(),
            citing.about_book(root),
            citing.works(root),
        )
        self.resting = graph.resting(entries)
        self.titles = titles
        self.pictures = {p.name: pictures(p) for p in papers(root)}
        self.history: dict[str, list[changes.Change]] = {}
        for change in changes.read(root):
            self.history.setdefault(change.claim, []).append(change)
        known = {"book": self.book["short"], "said": said, "text": text, "plain": plain}
        self.template = TEMPLATES.get_template("claim_page.html", globals=known)
        self.list = TEMPLATES.get_template("claim_list.html", globals=known)

    def page(self, e: Entry, cut: Cut) -> str:
        """A claim's page."""
        claim, address = e.claim, self.home.site if self.home else ""
        heading = claim.number + (f" ({claim.subtitle})" if claim.subtitle else "")
        tags = publish.preview_tags(
            plain(heading),
            f"{in_print(e.outcome)}: {plain(claim.text)}",
            f"{address or '../'}{publish.PREVIEW}",
            address and f"{address}{e.own_page}",
        )
        after = self.resting.successors(claim.id) if claim.id in self.resting else ()
        return self.template.render(
            e=e,
            heading=heading,
            tags=Markup(tags),
            of=self._of(e),
            part=self.titles.get(f"{e.part}/{STORY}", e.part),
            chapter=self.titles[e.chapter],
            box=Markup(cut.box),
            proof=Markup(cut.proof),
            meaning=MEANING[e.outcome] if e.outcome in OUTCOMES else "",
            corrections=[c for c in self.entries.values() if c.claim.corrects == claim.id],
            corrected=self.entries.get(claim.corrects),
            instance=as_code(decided) if (decided := instance(e)) else "",
            figure=Markup(self.pictures[e.part].get(claim.id, "")),
            checked_in=self._file(e.chapter),
            rests_on=[self.entries[i] for i in claim.rests_on if i in self.entries],
            on_it=[x for i in after if (x := self.entries[i]).claim.corrects != claim.id],
            history=list(self._history(e)),
            bibtex=citing.of_verdict(e, self.book, self.works, address),
        )

    def index(self) -> str:
        """A list of all claims, for readers without scripts."""
        by_part: dict[str, list[Entry]] = {}
        for e in self.entries.values():
            by_part.setdefault(self.titles.get(f"{e.part}/{STORY}", e.part), []).append(e)
        return self.list.render(parts=by_part)

    def _of(self, e: Entry) -> str:
        """Whose claim it is, and where it is printed."""
        work = self.works.get(e.paper)
        whose = ""
        if work is not None:
            known = (citing.venue(work), work.fields.get("year"))
            whose = ", ".join(
                [
                    citing.listed(citing.full_names(work)),
                    citing.unbraced(work.fields["title"]),
                    *filter(None, known),
                ]
            )
        if e.claim.ours:
            return f"A finding of this book, not in the paper ({whose})"
        kind = "Our correction of a statement in" if e.claim.kind == "corrected" else ""
        return ". ".join(filter(None, [" ".join(filter(None, [kind, whose])), e.claim.place]))

    def _file(self, chapter: str) -> Markup:
        """The file of a chapter's checks; a link if the book is published."""
        name = "src/featurebook/papers/{}/checks/{}.py".format(*chapter.split("/"))
        if not (self.root / name).is_file():
            return Markup("")
        code = Markup("<code>{}</code>").format(name)
        if self.home is None:
            return code
        return Markup('<a href="{}/blob/HEAD/{}">{}</a>').format(self.home.source, name, code)

    def _history(self, e: Entry) -> Iterator[Markup]:
        """Its earlier verdicts, why they changed, and when its erratum did."""
        if e.claim.was:
            yield Markup("Verdicts, oldest first: {}.").format(
                ", then ".join(map(in_print, [*e.claim.was, e.outcome]))
            )
        if e.claim.first_look:
            yield Markup("Changed after a first look: ") + text(e.claim.first_look)
        for change in self.history.get(e.claim.id, []):
            yield Markup("{}: {}.").format(change.date, changes.DONE[change.what])


def instance(e: Entry) -> Mapping[str, Any]:
    """The instance that decides a claim, or the first part with the same outcome."""
    parts = (p["instance"] for p in e.parts if p["outcome"] == e.outcome and p.get("instance"))
    return e.instance or next(parts, {})


def said(e: Entry) -> str:
    """A verdict in brief, for lists."""
    return f"{MARKS[e.outcome]} {in_print(e.outcome)}" if e.outcome in OUTCOMES else e.outcome


def text(words: str) -> Markup:
    """The text of a claim or note, with its formulas as MathML."""
    return Markup(pages.kept_together(as_html(words, math=mathml.of_tex)))
