"""What the pages offer beside their text: permanent links and the numbers of figures."""

import re
from types import SimpleNamespace

from featurebook.press.run.seeds import Tally
from featurebook.press.site import pages, sliders
from made_up import few

PROOF = (
    '<div class="proof lemma docutils container" id="toy-lemma-1">\n<p class="admonition-title">'
    '<span class="caption-number">Lemma 1 </span> (A <em>name</em>)</p>\n'
    '<section class="lemma-content" id="proof-content">\n<p>Text.</p>\n</section></div>'
)
FIGURE = (
    '<figure class="align-default" id="toy-fig-{0}">\n<img src="x.svg" />\n'
    "<figcaption>\n<p>Words.</p>\n</figcaption>\n</figure>"
)


VERDICT = (
    '<div id="verdict-toy-lemma-1" class="verdict verdict-refuted">'
    '<code class="verdict-claim">toy-lemma-1</code></div>'
)


def test_a_theorem_links_to_itself():
    found = pages.with_permalinks(PROOF, "toy", {})
    link = '<a class="headerlink" href="#toy-lemma-1" title="Link to this statement">#</a></p>'
    assert f"</em>){link}" in found


def test_a_statement_that_folds_has_its_link_beside_the_line():
    line = '<details class="fold"> <summary> <p class="admonition-title">Lemma 2</p> </summary>'
    box = f'<div class="proof lemma" id="toy-lemma-2"> {line} text</details></div>'
    found = pages.with_permalinks(box + box.replace("-2", "-3"), "toy", {})
    for name in ("toy-lemma-2", "toy-lemma-3"):
        assert found.count(f'</summary><a class="headerlink" href="#{name}"') == 1
    assert "headerlink" not in "".join(re.findall("<summary>.*?</summary>", found))


def test_a_verdict_links_to_itself_and_says_how_to_repeat_it():
    tally = {"toy-lemma-1": Tally(("refuted", "holds"), outdated=False)}
    found = pages.with_permalinks(VERDICT, "toy", tally)
    assert "varies over 2 other seeds (refuted 1, holds 1)" in found
    assert 'class="verdict-claim" href="#verdict-toy-lemma-1"' in found
    assert "featurebook run toy -o again.ipynb recomputes it" in found
    assert "<code>toy-lemma-1</code>" in found


def test_a_verdict_says_what_other_machines_gave():
    others = {"toy-lemma-1": Tally(("refuted",) * 6, outdated=False)}
    found = pages.with_permalinks(VERDICT, "toy", {}, others)
    assert "same under 6 of 6 settings of the processor" in found


def test_only_figures_with_numbers_offer_them():
    body = FIGURE.format("a-b") + FIGURE.format("c")
    found = pages.with_data(body, ["toy-fig-a_b"], "../_data")
    assert found.count("figure-data") == 1
    offer = '<a href="../_data/toy-fig-a_b.csv" download="toy-fig-a_b.csv">'
    assert found.index("Words.") < found.index(offer) < found.index('id="toy-fig-c"')


def test_a_slider_stands_below_its_picture():
    shown = {"label": "gain <κ>", "values": ["1", "2"], "start": 1, "frames": ["<svg>", "<svg/>"]}
    found = sliders.with_sliders(
        FIGURE.format("a") + FIGURE.format("b"), {"toy-fig-a": shown}, ".."
    )
    assert found.count('class="slider"') == 1
    assert found.index("x.svg") < found.index("slider") < found.index("Words.")
    assert 'data-frames="../toy-fig-a" data-values="[&quot;1&quot;, &quot;2&quot;]"' in found
    assert 'max="1" step="1" value="1"' in found
    assert "gain &lt;κ&gt;" in found
    assert "<button" not in found
    played = sliders.with_sliders(FIGURE.format("a"), {"toy-fig-a": shown | {"play": True}}, "..")
    assert '<button type="button">Play</button>' in played
    assert 'value="0"></label> <output>1</output>' in played
    assert sliders.frame_files({"toy-fig-a": shown}) == {
        "toy-fig-a-0.svg": "<svg>",
        "toy-fig-a-1.svg": "<svg/>",
    }


def test_numbers_of_figures_that_are_gone_are_removed(tmp_path):
    pages.write_data(tmp_path, {"toy-fig-a.csv": "x\n1\n"})
    pages.write_data(tmp_path, {"toy-fig-b.csv": "x\n2\n"})
    assert [p.name for p in (tmp_path / "_data").iterdir()] == ["toy-fig-b.csv"]
    assert (tmp_path / "_data" / "toy-fig-b.csv").read_text() == "x\n2\n"


def test_what_all_pages_are_furnished_from_makes_them_new(book, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    notation = book / "book" / "notation.md"
    notation.write_text("one")
    glossary = book / "book" / "glossary.md"
    glossary.write_text("one")

    def noted():
        config = SimpleNamespace()
        pages._note_sources(SimpleNamespace(srcdir=book), config)
        return config.featurebook_sources

    before = noted()
    assert noted() == before
    notation.write_text("two")
    other = noted()
    glossary.write_text("two")
    assert noted() not in (before, other)
    other = noted()
    (book / "book" / "claims" / "toy.yaml").write_text("paper: changed\n")
    another = noted()
    seeds = book / "records" / "toy" / "seeds" / "story.json"
    seeds.parent.mkdir(parents=True)
    seeds.write_text("{}")
    counted = noted()
    monkeypatch.setenv("GITHUB_REPOSITORY", "Some-One/featurebook")
    assert len({before, other, another, counted, noted()}) == 5


def test_a_full_stop_stays_with_the_formula_before_it():
    math = '<span class="math notranslate nohighlight">\\(k\\)</span>'
    link = f'<a href="#k">{math}</a>'
    page = f"<p>For {math} and ({link}), {math}.</p>"
    kept = f'<span class="together">({link}),</span> <span class="together">{math}.</span></p>'
    assert pages.kept_together(page) == f"<p>For {math} and {kept}"
    long = math.replace("k", "x" * 50)
    assert pages.kept_together(f"{long}.") == f'<span class="together">{long}.</span>'
    quoted = f"“{math}”"
    assert pages.kept_together(quoted) == f'<span class="together">{quoted}</span>'
    kernel = f'<span class="together">{math}-kernel</span>'
    assert pages.kept_together(f"the {math}-kernel is") == f"the {kernel} is"


def test_a_map_of_claims_becomes_part_of_its_page_and_shows_what_came_out():
    image = '<img alt="What &lt;rests&gt;" src="../_images/a.svg" />'
    page = (
        f'<figure class="a" id="toy-fig-roadmap">\n{image}<figcaption></figcaption></figure>'
        f'<figure id="toy-fig-1">{image}</figure>'
        f'<figure class="a" id="other-fig-roadmap">{image}</figure>'
    )
    shown = pages.with_shown_maps(page, few())
    assert shown.count(image) == 2
    assert "aria-label='What &lt;rests&gt;' tabindex='0'><svg " in shown
    assert "<a href='../toy/story.html#toy-2'>" in shown
    assert "✗ Lemma 1<" in shown
    assert shown.partition("</figure>")[2] == page.partition("</figure>")[2]
