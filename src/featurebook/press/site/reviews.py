"""Verdicts for other programs, as schema.org's ClaimReview in JSON-LD.

A chapter's page has one script with a review of each statement that it judges: the claim, its
authors, its rating on the scale below, and the sentence with the deciding number.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from featurebook.press.claims import citing, ledger
from featurebook.press.claims.citing import Work
from featurebook.press.claims.formulas import plain
from featurebook.press.claims.judgements import Entry
from featurebook.press.site import publish
from featurebook.verdicts import MEANING

SCALE: dict[str, int] = {
    "refuted": 1,
    "contrary": 2,
    "mixed": 2,
    "two readings": 2,
    "open": 2,
    "vacuous": 3,
    "trend": 4,
    "holds": 5,
}
"""The rating of each outcome, from 1 to 5; the page for authors says the same.

Statements that our text may have damaged are not rated.
"""


UP = "../../"
"""From a chapter's page to the site's root, for when the site's address is not known."""


def review(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Give a chapter's page its reviews."""
    folder, _, address = pagename.partition("/")
    if folder != "notebooks" or app.builder.name != "html":
        return
    root, found = Path(app.srcdir), publish.home()
    own = [e for e in entries(root) if e.chapter == address and e.outcome in SCALE]
    if own:
        text = script(own, citing.works(root), citing.about_book(root), found.site if found else "")
        context["metatags"] = context.get("metatags", "") + text


@lru_cache(maxsize=1)
def entries(root: Path) -> list[Entry]:
    """Every claim with its verdict, read once per build."""
    return ledger.collect(root)


def script(
    own: Sequence[Entry], works: Mapping[str, Work], book: Mapping[str, Any], site: str
) -> str:
    """The script element of a page that judges these claims."""
    text = json.dumps(document(own, works, book, site), ensure_ascii=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c").replace("&", "\\u0026")
    return f'\n<script type="application/ld+json">{safe}</script>\n'


def document(
    own: Sequence[Entry], works: Mapping[str, Work], book: Mapping[str, Any], site: str
) -> dict[str, Any]:
    """The JSON-LD of a page: the book, the documents whose statements are judged, the reviews.

    Args:
        own: the claims that the page judges.
        works: the list of works by key.
        book: title and authors of the book, as `citing.about_book` has them.
        site: address of the published book, with a slash at its end; empty if it is not known,
            and then addresses are relative to the page.
    """
    author = {
        "@type": "Organization",
        "@id": "#book",
        "name": citing.listed([a["name"] for a in book["authors"]]),
    }
    printed = {e.paper for e in own if not e.claim.ours}
    documents = [_document(key, works[key]) for key in sorted(printed) if key in works]
    reviews = [_of(e, site, str(book["date-released"])) for e in own]
    return {"@context": "https://schema.org", "@graph": [author, *documents, *reviews]}


def _document(key: str, work: Work) -> dict[str, Any]:
    fields = work.fields
    thesis = work.type == "phdthesis"
    return {
        "@type": "Thesis" if thesis else "ScholarlyArticle",
        "@id": f"#work-{key}",
        "name": citing.unbraced(fields["title"]),
        "author": [{"@type": "Person", "name": name} for name in citing.full_names(work)],
        **({"datePublished": fields["year"]} if "year" in fields else {}),
    }


def _of(e: Entry, site: str, date: str) -> dict[str, Any]:
    where = f"{site or UP}{e.own_page}"
    said = {"@type": "Claim", "name": e.claim.number}
    if not e.claim.ours:
        said["appearance"] = {"@id": f"#work-{e.paper}"}  # type: ignore[assignment]
    return {
        "@type": "ClaimReview",
        "@id": where,
        "url": where,
        "datePublished": date,
        "author": {"@id": "#book"},
        "claimReviewed": plain(e.claim.text),
        "itemReviewed": said,
        "reviewBody": e.measured,
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": SCALE[e.outcome],
            "worstRating": 1,
            "bestRating": 5,
            "alternateName": e.outcome,
            "ratingExplanation": MEANING[e.outcome],
        },
    }
