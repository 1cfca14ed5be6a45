"""A chapter and a verdict can be cited: BibTeX that a parser reads."""

from pathlib import Path

import pytest
import yaml
from pybtex.database import parse_string

from featurebook.press.claims import citing
from made_up import entry

ROOT = Path(__file__).resolve().parents[3]
BOOK = {"title": "Toys: a {book}", "short": "Toys", "authors": [{"name": "we & us"}],
        "version": "1", "date-released": "2031-01-02"}  # fmt: skip
WORK = "@article{key, author = {Doe, Ann and Roe, Bob and van Poe, Cy}, title = {T}, year = 2030}"
KNOWN = dict(parse_string(WORK, "bibtex").entries)


def only(text: str) -> tuple[str, dict[str, str]]:
    ((key, found),) = parse_string(text, "bibtex").entries.items()
    return key, dict(found.fields)


def test_a_verdict_is_cited_with_whose_statement_and_what_came_out() -> None:
    claim = entry("1", "refuted", measured="3 > 1, x_1 at 50%")
    key, fields = only(citing.of_verdict(claim, BOOK, KNOWN, "https://x.org/"))
    assert key == "Toys:toy-1"
    assert fields["title"] == "{Lemma 1 of Doe et al.: refuted}"
    assert fields["note"] == r"3 > 1, x\_1 at 50\%"
    assert fields["year"] == "2031"
    assert fields["url"] == "https://x.org/claims/toy-1.html"
    assert fields["howpublished"] == "Toys, claims/toy-1.html"
    _, fields = only(citing.of_verdict(claim, BOOK, KNOWN, ""))
    assert "url" not in fields


def test_a_finding_of_ours_is_attributed_to_no_paper() -> None:
    own = entry("1", "holds", ours=True, number="Ours 1")
    _, fields = only(citing.of_verdict(own, BOOK, KNOWN, ""))
    assert fields["title"] == "{Ours 1, a finding of this book: holds}"


def test_a_chapter_is_cited_by_title_and_version() -> None:
    key, fields = only(citing.of_chapter("toy/story", "A toy & more", BOOK, ""))
    assert key == "Toys:toy-story"
    assert fields["title"] == r"{A toy \& more}"
    assert fields["howpublished"] == (
        r"Chapter toy/story of Toys: a \textbraceleft{}book\textbraceright{}, version 1"
    )


@pytest.mark.parametrize("text", [r"a\b{c}$d&e#f%g_h~i^j", "Gauß, λ"])
def test_plain_text_stays_as_it_is_for_tex(text: str) -> None:
    _, fields = only(f"@misc{{a, note = {{{citing.tex(text)}}}}}")
    said = fields["note"]
    for sign, command in citing.SPECIAL.items():
        assert sign not in text or command in said


def test_the_list_of_works_and_the_citation_file_agree() -> None:
    """What CITATION.cff names is in the bibliography, in the same words."""
    known = citing.works(ROOT)
    book = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    by_title = {citing.unbraced(w.fields["title"]): w for w in known.values()}
    assert {r["title"] for r in book["references"]} <= set(by_title)
    for reference in book["references"]:
        work = by_title[reference["title"]]
        names = [a["family-names"] for a in reference["authors"]]
        assert names == citing.surnames(work)
        assert str(reference.get("year", "")) == work.fields.get("year", "")
        where = reference.get("collection-title", reference.get("institution", {}).get("name"))
        assert where is None or where == citing.venue(work)


def test_what_is_said_of_each_part_is_complete() -> None:
    from featurebook.press.book.places import papers
    from featurebook.press.site import background

    known = citing.works(ROOT)
    for part in papers(ROOT):
        about = background.of_part(part)
        assert about.works
        assert set(about.works) <= set(known)
        assert about.finding.endswith(".")
        assert len(about.finding) <= 250
        assert about.needs
        assert set(about.chapters) <= {c.name for c in part.chapters[1:]}
