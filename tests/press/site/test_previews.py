"""What links lead to, as it is shown beside them."""

import json
from pathlib import Path

import pytest

from featurebook.press.site import previews
from made_up import few

THEOREM = """<div class="proof theorem verdict-refuted docutils container" id="toy-1">
<p class="admonition-title">Theorem 1<a class="headerlink" href="#toy-1">#</a></p>
<div class="statement-text docutils container"><p>Every <a href="x.html">x</a>.</p><div></div></div>
<div id="verdict-toy-1" class="verdict verdict-refuted"><strong>refuted</strong> 3 &gt; 1
<a class="verdict-claim" href="#verdict-toy-1"><code>toy-1</code></a>
<details class="verdict-more"><ul class="verdict-parts"><li>one</li></ul></details></div>
<p class="onward"><a href="../../claims/toy-1.html">its page</a></p></div>"""
PROOFS = f"""<html><article><h1 id="proofs">Proofs</h1>{THEOREM}
<div class="math notranslate nohighlight" id="equation-toy-eq">\\[x\\]</div>
<figure class="align-default" id="toy-fig"><img src="../../_images/a.svg" alt="A">
<figcaption><p>What. <a class="headerlink" href="#toy-fig">#</a></p>
<p class="figure-data"><a href="a.csv">numbers</a></p></figcaption></figure></article></html>"""
STORY = """<html><nav><a href="#top">x</a></nav><article>
<a href="proofs.html#toy-1">Theorem 1</a>
<a class="reference" href="proofs.html#verdict-toy-1">v</a>
<a href="proofs.html#toy-fig">Fig. 1</a> <a href="proofs.html#equation-toy-eq">(1)</a>
<a class="symbol" href="../../book/notation.html#symbol-toy-1">k</a>
<a class="term" href="../../book/glossary.html#term-NE">NE</a>
<a href="../../book/references.html#id1">Some (2020)</a>
<a href="proofs.html#proofs">a heading</a> <a href="https://example.org/#toy-1">out</a>
<a href='proofs.html#toy-1'><title>in a map</title></a>
</article></html>"""
NOTATION = """<article><table><tr><td><p>a</p></td></tr><tr class="row-odd">
<td><p><span id="symbol-toy-1"><span class="math">\\(k\\)</span></span></p></td>
<td><p><code>k</code></p></td><td><p>the <a href="x.html">number</a></p></td></tr></table>
</article>"""
GLOSSARY = """<article><dl class="glossary">
<dt id="term-NE">NE<a class="headerlink" href="#term-NE">#</a>
</dt><dt id="term-SE">SE</dt><dd><p>An error.</p></dd></dl></article>"""
WORKS = """<article><div class="citation" id="id1" role="doc-biblioentry">
<span class="label"><span class="fn-bracket">[</span>S20<span class="fn-bracket">]</span></span>
<p>Nobody. A Work, on {T}hings. 2020.</p></div></article>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in {
        "notebooks/toy/proofs.html": PROOFS, "notebooks/toy/story.html": STORY,
        "book/notation.html": NOTATION, "book/glossary.html": GLOSSARY,
        "book/references.html": WORKS,
    }.items():  # fmt: skip
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "references.bib").write_text(
        "@article{key, title={A Work, on {T}hings}, author={Nobody}, year={2020}}"
    )
    previews.write(tmp_path, tmp_path / "site", few())
    return tmp_path / "site"


def shown(site: Path, page: str) -> dict[str, str]:
    text = (site / "_previews" / f"{page}.js").read_text(encoding="utf-8")
    start = f'previewsOf("{page}", '
    assert text.startswith(start)
    found = json.loads(text.removeprefix(start).removesuffix(");\n"))
    assert all(' id="' not in html and "<a" not in html for html in found.values())
    return dict(found)


def test_links_that_have_a_preview_are_marked_and_no_others(site: Path) -> None:
    text = (site / "notebooks/toy/story.html").read_text(encoding="utf-8")
    assert text.count("data-preview") == 8
    for other in ("#top", "proofs.html#proofs", "https://example.org/#toy-1"):
        assert f'<a href="{other}"' in text
    assert "<a data-preview href='proofs.html#toy-1'>" in text
    proofs = (site / "notebooks/toy/proofs.html").read_text(encoding="utf-8")
    assert proofs == PROOFS  # a link of a thing to itself shows nothing new


def test_a_theorem_comes_with_its_verdict_and_without_what_leads_away(site: Path) -> None:
    found = shown(site, "notebooks/toy/proofs")
    assert set(found) == {"toy-1", "verdict-toy-1", "toy-fig", "equation-toy-eq"}
    theorem = found["toy-1"]
    assert theorem == found["verdict-toy-1"]
    assert "Theorem 1" in theorem
    assert "refuted</strong> 3 &gt; 1" in theorem
    for gone in ("its page", "toy-1", "one", "#"):
        assert gone not in theorem.replace("verdict-refuted", "")


def test_equations_figures_symbols_words_and_works_have_one(site: Path) -> None:
    proofs = shown(site, "notebooks/toy/proofs")
    assert "<mi>x</mi>" in proofs["equation-toy-eq"]
    assert 'src="{root}_images/a.svg"' in proofs["toy-fig"]
    assert "numbers" not in proofs["toy-fig"]
    symbol = shown(site, "book/notation")["symbol-toy-1"]
    assert "<mi>k</mi>" in symbol
    assert "the number" in symbol
    assert "In the book: <code>k</code>" in symbol
    assert "<dd><p>An error.</p></dd>" in shown(site, "book/glossary")["term-NE"]
    work = shown(site, "book/references")["id1"]
    assert "In this book: 5 statements (holds 2, refuted 1, trend 1)." in work


def test_writing_them_again_changes_nothing(site: Path, tmp_path: Path) -> None:
    before = {f: f.read_text(encoding="utf-8") for f in site.rglob("*.*")}
    (site / "_previews" / "old.js").write_text("")
    previews.write(tmp_path, site, few())
    assert {f: f.read_text(encoding="utf-8") for f in site.rglob("*.*")} == before
