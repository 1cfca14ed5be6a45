"""Every page is rebuilt when something that all of them show has changed.

Also what all pages share: readable tables, and lines that break only where they may.
"""

import hashlib
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from featurebook.press.book.places import papers
from featurebook.press.claims import statements
from featurebook.press.run.imports import PACKAGE
from featurebook.press.site import data_frames, glossary, publish, reviews, symbols
from featurebook.press.site.source import sections

ALONE = re.compile(
    r'(<(t[dh])\b[^>]*><p><a class="reference )(?=[^>]*>(?:(?!</a>).)*</a></p>\s*</\2>)'
)
"""In a link that is all that a cell of a table has: there a finger needs more room."""
UNIT = re.compile(r"(?<=\d) (?=(?:%|ms|s|min|h|kB|MB|GB|MiB|px)(?!\w))")
"""The space between a number and its unit."""
NAME = re.compile(r'(?<=<span class="pre">)[\w./]+(?=</span>)')
"""A name from code in a sentence."""
LONG = 24
"""Characters from which one may not fit the line of a phone."""
WORDS = re.compile(
    r"<(?P<tag>pre|code|script|style|math)\b.*?</(?P=tag)>"
    r'|<(?P<set>span|div) class="(?:amsmath )?math.*?</(?P=set)>|<[^>]*>|(?P<words>[^<]+)',
    re.DOTALL,
)
"""The pieces of a page's HTML; what readers see as prose are its ``words``."""


def note_sources(app: Sphinx, config: Any) -> None:
    """Rebuild every page when a shared input changes."""
    root = Path(app.srcdir)
    files = [f for page in (symbols.PAGE, glossary.PAGE) for f in sections(root, page)]
    files += [root / name for name in ("book/references.bib", "CITATION.cff")]
    files += [part.claims for part in papers(root)]
    files += sorted((root / "records").glob("*/seeds/*"))
    files += sorted((PACKAGE / "press").rglob("*.py"))
    found = [f.read_bytes() for f in files if f.is_file()]
    claims = [statements.read(part.claims) for part in papers(root)]
    verdicts = [(e.claim.id, e.outcome) for e in reviews.entries(root)]
    text = b"\0".join(found) + repr((claims, verdicts, publish.home())).encode()
    config.featurebook_sources = hashlib.sha256(text).hexdigest()


def other_contents(
    app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Pages whose files differ from those that Sphinx last read, even if they are older.

    Sphinx compares dates only: after a clock was set back, or with a file from a backup, it would
    keep the old page.
    """
    had = getattr(env, "featurebook_contents", {})
    files = {name: Path(env.doc2path(name)) for name in env.found_docs}
    now = {name: hashlib.sha256(f.read_bytes()).hexdigest() for name, f in files.items()}
    env.featurebook_contents = now
    return [name for name in now if name in had and had[name] != now[name]]


def furnish(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Make a page's text readable."""
    if "body" in context and app.builder.name == "html":
        context["body"] = readable(context["body"], pagename)


def readable(body: str, pagename: str) -> str:
    """HTML of a page with readable tables and no bad line breaks."""
    body = ALONE.sub(r"\1alone ", body)
    return as_text(data_frames.legible(kept_together(body), pagename))


def as_text(body: str) -> str:
    """The same with every ↗ as text: some systems would draw an emoji."""
    return re.sub("↗(?!\ufe0e)", "↗\ufe0e", body)


def with_breaks(name: str) -> str:
    """A name from code that may go on to the next line after a dot, a slash or an underscore."""
    return re.sub(r"(?<=\w[._/])(?=\w)", "<wbr>", name) if len(name) > LONG else name


def with_units(words: str) -> str:
    """Prose in which no line ends between a number and its unit."""
    return UNIT.sub("\N{NO-BREAK SPACE}", words)


def kept_together(body: str) -> str:
    """A page's HTML in which neither a unit nor punctuation after a formula begins a line.

    Only long names from code have more places to break.
    """
    body = NAME.sub(lambda x: with_breaks(x[0]), body)
    body = WORDS.sub(lambda x: with_units(x["words"]) if x["words"] else x[0], body)
    formula = r'(?:<span class="math[^>]*>[^<]+</span>|<math\b(?:(?!</math>).)*</math>)'
    linked = rf"(?:<a [^>]*>{formula}</a>|{formula})"
    return re.sub(rf"([(“]?{linked}(?:[.,;:)”]+|-\w+))", r'<span class="together">\1</span>', body)
