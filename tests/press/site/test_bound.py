"""A small book, bound by Sphinx: blocks, folds, numbers, tops, and what siblings show."""

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from docutils import nodes
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.application import Sphinx

from featurebook import verdicts
from featurebook.press.claims import formulas
from featurebook.press.site import blocks

PROOFS = r"""# The proofs

```{claim} Sums
:label: toy-theorem-1
:number: Theorem C.1
:expected: refuted
:found: An NE of $s$ is too large.

Every $x\le1$ is a_b. By {prf:ref}`toy-definition`.
```

*Proof.* First, for $x$.

- A step.

Then. $\square$

Something else.

```{claim} Some sums
:label: toy-theorem-1-corrected
:expected: holds
:corrects: toy-theorem-1

Some x is.
```

```{claim} Things
:label: toy-definition
:number: Definition 2
:expected: stated

A thing.
```

```{prf:remark}
:label: other

No claim.
```
"""
STORY = """# The toy's story

By {cite:t}`doe` and others {cite:p}`doe`. An orphan is `NE`, a NE, no NE; for $s$ and ($s$).

See {prf:ref}`toy-theorem-1`: {measured}`toy-theorem-1 smaller_at_worst .2g`
and {measured}`toy-theorem-1-corrected largest_difference .1e`.

```{verdict} toy-theorem-1
```

```{verdict} toy-theorem-1-corrected
Some *sums* are.
```

```{verdict} toy-definition
```

```{sibling-figure} toy-fig-a
Our *own* words.
```

```{sibling-figure} toy-fig-a
```
"""
CITATION = """title: "Toys: a book"
authors: [{name: the makers}]
version: 1
date-released: "2031-01-02"
"""
GLOSSARY = """# Glossary

(glossary-toy)=
## Toy

```{glossary}
NE
  An error.

orphan
orphans
  Nobody's kernel.
```
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
FIGURE = {
    "figure": {"name": "toy-fig-a", "caption": "What one sees."},
    "image": {"alt": "A white square."},
}


def shown(*results: verdicts.Verdict) -> list[Any]:
    return [new_output("display_data", r._repr_mimebundle_()) for r in results]


def cells() -> list[Any]:
    checks = shown(
        verdicts.relabelled(verdicts.inequality([3.0], [1.0]), "toy-theorem-1"),
        verdicts.relabelled(
            verdicts.identity([1.0], [1.0 + 1e-9], tolerance=1e-6), "toy-theorem-1-corrected"
        ),
    )
    lesson = shown(verdicts.relabelled(verdicts.everywhere([True], what="x"), "toy-other"))
    return [
        new_markdown_cell(PROOFS),
        new_code_cell("d: int = 3", metadata={"tags": ["parameters"]}),
        new_code_cell("import os"),
        new_code_cell("the_check()", outputs=checks),
        new_code_cell("the_lesson()", outputs=lesson, metadata={"tags": ["show-input"]}),
        new_code_cell("plain()", outputs=[new_output("stream", text="said")]),
        new_code_cell(
            "draw()",
            metadata={"mystnb": FIGURE},
            outputs=[new_output("display_data", {"image/svg+xml": SVG})],
        ),
    ]


def written(root: Path, made: list[Any]) -> None:
    """Write the proofs as a notebook and as its executed twin."""
    folder = root / "notebooks" / "toy"
    about = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    executed = root / "_build" / "notebooks" / "toy"
    executed.mkdir(parents=True, exist_ok=True)
    for place in (folder, executed):
        nbformat.write(new_notebook(cells=made, metadata=about), place / "proofs.ipynb")
    text = "\n".join(f"# %% [markdown]\n'''\n{c.source}\n'''" for c in made[:1])
    (folder / "proofs.py").write_text(text, encoding="utf-8")


def bound(root: Path) -> list[str]:
    """Bind the book with Sphinx; its warnings."""
    warnings = root / "said.log"
    with warnings.open("w", encoding="utf-8") as said:
        app = Sphinx(
            root, None, root / "_build" / "html", root / "_build" / "doctrees", "html",
            status=None, warning=said,
            confoverrides={
                "extensions": [
                    "myst_nb", "sphinx_proof", "sphinx.ext.mathjax", "sphinxcontrib.bibtex",
                    "featurebook.press.site.extension",
                ],
                "bibtex_bibfiles": ["book/references.bib"],
                "bibtex_reference_style": "author_year",
                "nb_execution_mode": "off", "root_doc": "index", "numfig": True,
                "myst_enable_extensions": ["dollarmath"], "nitpicky": True,
                "suppress_warnings": ["mystnb.unknown_mime_type"],
                "exclude_patterns": ["_build", "book/_generated", "**/*.py"],
            },
        )  # fmt: skip
        app.build()
    return warnings.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("book")
    for folder in ("notebooks/toy", "book/claims", "book/errata"):
        (root / folder).mkdir(parents=True)
    (root / "_toc.yml").write_text(
        "root: index\nparts:\n  - chapters: [{file: notebooks/toy/story, "
        "sections: [{file: notebooks/toy/proofs}]}]\n"
    )
    (root / "index.md").write_text(
        "# Index\n\n```{bibliography}\n```\n\n```{toctree}\n"
        "book/notation\nbook/glossary\nbook/errata/toy\nnotebooks/toy/story\n"
        "notebooks/toy/proofs\nnotebooks/toy/table\n```\n"
    )
    (root / "book" / "notation.md").write_text(
        "# Notation\n\n(notation-toy)=\n## Toy\n\n| a | b |\n| --- | --- |\n| $s$ | a sum |\n"
    )
    (root / "book" / "glossary.md").write_text(GLOSSARY)
    (root / "book" / "errata" / "toy.md").write_text(
        "# Errata\n\n(erratum-toy-theorem-1)=\n## One\n"
    )
    (root / "book" / "claims" / "toy.yaml").write_text(
        "{paper: nobody, works: [doe], finding: It is., needs: [sums, signs], "
        "chapters: {proofs: [care]}}"
    )
    (root / "notebooks" / "toy" / "proofs.py").write_text(PROOFS)
    (root / "notebooks" / "toy" / "story.md").write_text(STORY)
    (root / "notebooks" / "toy" / "story.py").write_text("# a story\n")
    (root / "CITATION.cff").write_text(CITATION)
    (root / "book" / "references.bib").write_text(
        "@misc{doe, author = {Doe, Ann and Roe, Bob}, title = {On toys}}\n"
    )
    formula = new_output("display_data", {"text/html": formulas.as_html("$x$")})
    table = new_notebook(cells=[new_markdown_cell("# Table"), new_code_cell("", outputs=[formula])])
    nbformat.write(table, root / "notebooks" / "toy" / "table.ipynb")
    written(root, cells())
    assert bound(root) == []
    return root


def page(root: Path, name: str) -> BeautifulSoup:
    text = (root / "_build" / "html" / "notebooks" / "toy" / f"{name}.html").read_text(
        encoding="utf-8"
    )
    return BeautifulSoup(text, "html.parser")


def one(soup: Tag, selector: str) -> Tag:
    (found,) = soup.select(selector)
    return found


def test_a_statement_its_verdict_and_its_links_are_one_block(root: Path) -> None:
    box = one(page(root, "proofs"), "#toy-theorem-1")
    assert box["class"][:3] == ["proof", "theorem", "verdict-refuted"]
    parts = [c for c in box.children if isinstance(c, Tag)]
    assert [p.get("class")[0] for p in parts] == [
        "admonition-title", "statement-text", "verdict", "onward", "offer", "offer",
    ]  # fmt: skip
    assert parts[0].get_text().startswith("Theorem C.1 (Sums)")
    assert parts[2]["id"] == "verdict-toy-theorem-1"
    links = {a.get_text(): a["href"] for a in parts[3].select("a")}
    assert links == {
        "erratum": "../../book/errata/toy.html#erratum-toy-theorem-1",
        "instead: Theorem C.1, corrected": "#toy-theorem-1-corrected",
        "its page": "../../claims/toy-theorem-1.html",
    }
    assert one(parts[0], "a.headerlink")["href"] == "#toy-theorem-1"


def test_a_verdict_can_be_cited_in_its_block(root: Path) -> None:
    soup = page(root, "proofs")
    fold = one(soup, "#toy-theorem-1 > details.offer:not(.nearby)")
    assert one(fold, "summary").get_text() == "cite"
    text = one(fold, "div.highlight-bibtex pre").get_text()
    assert text.startswith("@misc{Toys:toy-theorem-1,\n  author = {{the makers}},\n")
    assert "Theorem C.1 of nobody: refuted" in text
    assert not soup.select("#toy-definition details.offer")


def test_below_the_title_are_place_time_needs_citation_and_command(root: Path) -> None:
    top = one(page(root, "proofs"), "h1 + .about-chapter")
    first, second = top.find_all("p", recursive=False)
    assert first.get_text() == "Part 1, chapter 2 of 2 · 1 minute to read"
    assert second.get_text() == "You should know: the story of this part and care."
    assert one(second, "a")["href"] == "story.html"
    cite, run = top.select("details.offer")
    assert "Toys:toy-proofs" in one(cite, ".highlight-bibtex pre").get_text()
    assert "The proofs" in cite.get_text()
    assert one(run, ".highlight-bash pre").get_text().startswith("featurebook run toy/proofs")
    link = one(run, "a[download]")
    assert (link["href"], link["download"]) == (
        "../../_sources/notebooks/toy/proofs.ipynb", "toy-proofs.ipynb",
    )  # fmt: skip
    story = one(page(root, "story"), "h1 + .about-chapter").find_all("p", recursive=False)
    assert [p.get_text() for p in story] == [
        "Part 1, its story, and 1 more chapter · 1 minute to read",
        "You should know: sums and signs.",
    ]
    assert not page(root, "table").select(".about-chapter")


def test_a_page_carries_its_verdicts_for_programs(root: Path) -> None:
    found = page(root, "proofs").select('script[type="application/ld+json"]')
    assert len(found) <= 1  # a page of the bare theme has no place for it
    index = (root / "_build" / "html" / "searchindex.js").read_text(encoding="utf-8")
    titles = json.loads(index.partition("(")[2].rpartition(")")[0])["alltitles"]
    ((_, place),) = titles["Theorem C.1"]
    assert place == "toy-theorem-1"
    assert "Theorem C.1, corrected" in titles


def test_a_work_without_a_date_is_cited_by_its_authors(root: Path) -> None:
    first = page(root, "story").select("p:has(a[href*='#'])")[0]
    assert first.get_text().startswith("By Doe and Roe and others [Doe and Roe]. ")
    assert [a.get_text() for a in first.select("a")][:2] == ["Doe and Roe", "Doe and Roe"]


def test_the_first_use_of_a_word_and_of_a_symbol_lead_to_their_meaning(root: Path) -> None:
    first = page(root, "story").select("p:has(a[href*='#'])")[0]
    assert [(a.get_text(), a["href"]) for a in first.select("a.term")] == [
        ("orphan", "../../book/glossary.html#term-orphan"),
        ("NE", "../../book/glossary.html#term-NE"),
    ]
    (symbol,) = first.select("a.symbol")
    assert symbol["href"] == "../../book/notation.html#symbol-toy-1"
    assert symbol["title"] == "a sum (notation)"
    notation = (root / "_build/html/book/notation.html").read_text(encoding="utf-8")
    assert '<span id="symbol-toy-1"><span class="math' in notation


def test_words_and_symbols_of_a_verdict_lead_to_their_meaning_too(root: Path) -> None:
    said = one(page(root, "proofs"), "#toy-theorem-1 .verdict-measured")
    assert {a.get_text(): a["href"] for a in said.select("a")} == {
        "NE": "../../book/glossary.html#term-NE",
        r"\(s\)": "../../book/notation.html#symbol-toy-1",
    }


def test_a_claims_own_page_gets_its_box_and_proof_with_links_from_there(root: Path) -> None:
    file = root / "_build" / "doctrees" / "claims" / "notebooks" / "toy" / "proofs.json"
    cut = json.loads(file.read_text(encoding="utf-8"))["toy-theorem-1"]
    box = BeautifulSoup(cut["box"], "html.parser")
    assert [a["href"] for a in box.select("a")] == [
        "../notebooks/toy/proofs.html#toy-definition",
        "../book/glossary.html#term-NE",
        "../book/notation.html#symbol-toy-1",
        "../notebooks/toy/proofs.html#verdict-toy-theorem-1",
        "../book/errata/toy.html#erratum-toy-theorem-1",
        "../notebooks/toy/proofs.html#toy-theorem-1-corrected",
    ]
    for gone in ("Sums", "rests on", "cite", "its page", "#</a>", "fold"):
        assert gone not in cut["box"]
    assert "<math" in cut["box"]
    proof = BeautifulSoup(cut["proof"], "html.parser")
    assert [x.name for x in proof.find_all(True, recursive=False)] == ["p", "ul", "p"]
    assert "Something else" not in cut["proof"]


def test_a_correction_leads_back_and_what_is_stated_stays_neutral(root: Path) -> None:
    soup = page(root, "proofs")
    link = one(one(soup, "#toy-theorem-1-corrected"), ".onward a[href^='#']")
    assert (link.get_text(), link["href"]) == ("corrects Theorem C.1", "#toy-theorem-1")
    assert not soup.select("#toy-definition .verdict")
    assert "verdict-holds" not in one(soup, "#toy-definition")["class"]
    assert one(soup, "#other .caption-number").get_text().startswith("Remark 1")


def test_references_have_the_papers_numbers(root: Path) -> None:
    assert one(page(root, "proofs"), "#toy-theorem-1 a[href='#toy-definition']").get_text() == (
        "Definition 2"
    )
    assert page(root, "story").select("p > a[href='proofs.html#toy-theorem-1']")[0].get_text() == (
        "Theorem C.1"
    )


def test_code_that_checks_draws_or_prepares_is_folded_and_no_other(root: Path) -> None:
    soup = page(root, "proofs")
    folded = {d.select_one("pre").get_text().strip(): d for d in soup.select("details.hide")}
    assert set(folded) == {"the_check()", "draw()", "d: int = 3", "import os"}
    assert "of the parameters" in folded["d: int = 3"].get_text()
    assert "of the set-up" in folded["import os"].get_text()
    figure = one(soup, "figure#toy-fig-a")
    assert "drawing" in one(figure, "img")["class"]
    assert figure.sourceline < folded["draw()"].sourceline
    assert "Show the code of this check" in folded["the_check()"].get_text()
    assert {p.get_text().strip() for p in soup.select("div.cell_input pre")} == {
        "the_check()", "the_lesson()", "plain()", "draw()", "d: int = 3", "import os",
    }  # fmt: skip
    # a verdict on no statement of this page stays with its cell
    assert soup.select(".cell_output #verdict-toy-other")


def test_a_story_shows_what_its_sibling_found(root: Path) -> None:
    soup = page(root, "story")
    refuted, corrected, stated = soup.select("div.glued")
    assert "verdict-refuted" in refuted["class"]
    line = one(refuted, "details.fold > summary")
    assert one(line, ".claim-number").get_text() == "Theorem C.1"
    assert not line.select("a"), "a line is one thing to press"
    assert one(line, ".verdict-outcome").get_text() == "✗ refuted"
    assert "a_b" in one(refuted, ".statement-text").get_text()
    assert one(refuted, ".statement-text .math")
    assert not refuted.select("[id]")
    assert one(refuted, "a.verdict-claim")["href"] == ("proofs.html#verdict-toy-theorem-1")
    assert {a.get_text(): a["href"] for a in refuted.select(".onward a")} == {
        "The proofs": "proofs.html#toy-theorem-1",
        "its page": "../../claims/toy-theorem-1.html",
    }
    assert not stated.select(".verdict")
    found = one(corrected, "summary .found")
    assert found.get_text() == " ✓ holds Some sums are."
    assert found.select("em")


def test_a_statement_with_a_verdict_folds_to_a_line() -> None:
    badge = verdicts.relabelled(verdicts.everywhere([True], what="x"), "toy-1")._repr_mimebundle_()
    box = nodes.container("", nodes.paragraph("", "Lemma 1"), nodes.paragraph("", "A thing."))
    box += nodes.raw("", badge["text/html"], format="html")
    link = nodes.raw("", "<a>#</a>", format="html")
    blocks.fold(box, nodes.inline("", " It does."), link)
    (folded,) = box.children
    line, beside, statement, verdict = folded.children
    assert beside is link, "a link inside the line would be hard to press"
    assert line.astext() == "Lemma 1 It does."
    assert statement.astext() == "A thing."
    assert blocks.VERDICT.match(verdict.astext())


def test_a_story_shows_its_siblings_figure_and_numbers(root: Path) -> None:
    soup = page(root, "story")
    own, theirs = soup.select("figure")
    assert own.get_text().strip().startswith("Our own words. (Fig. 1.1)")
    assert theirs.get_text().strip().startswith("What one sees. (Fig. 1.1)")
    assert one(own, "img")["alt"] == "A white square."
    assert [n.get_text() for n in soup.select(".measured")] == ["3", "1.0·10⁻⁹"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```{verdict} toy-nothing\n```", "no claim 'toy-nothing' in book/claims"),
        ("```{sibling-figure} toy-fig-z\n```", "no executed chapter has a figure 'toy-fig-z'"),
        ("{measured}`toy-theorem-1 gone`", "toy-theorem-1 has no number 'gone'; there are fails"),
        ("{measured}`toy-theorem-1 fails x!`", "'x!' is no format for 1"),
        ("{measured}`toy-definition mean`", "toy/proofs shows no verdict of toy-definition"),
    ],
)
def test_what_is_unknown_is_a_warning(root: Path, text: str, said: str) -> None:
    story = root / "notebooks" / "toy" / "story.md"
    story.write_text(f"# The story\n\n{text}\n")
    warnings = bound(root)
    story.write_text(STORY)
    assert any(said in line and "WARNING" in line for line in warnings), warnings


def test_a_page_is_rebuilt_when_its_file_differs_even_if_it_is_older(root: Path) -> None:
    source = root / "notebooks" / "toy" / "table.ipynb"
    before = source.read_text(encoding="utf-8")
    assert "Before the clock" not in page(root, "table").text
    source.write_text(before.replace("# Table", "# Before the clock"), encoding="utf-8")
    os.utime(source, (10**9, 10**9))  # 2001
    bound(root)
    assert "Before the clock" in page(root, "table").text
    source.write_text(before, encoding="utf-8")


def test_a_story_is_rebuilt_when_its_sibling_changes(root: Path) -> None:
    bound(root)
    made = cells()
    made[3].outputs = shown(verdicts.relabelled(verdicts.inequality([5.0], [1.0]), "toy-theorem-1"))
    written(root, made)
    assert any("toy-theorem-1-corrected" in line for line in bound(root))
    assert page(root, "story").select(".measured")[0].get_text() == "5"
