"""What the pages offer beside their text: permanent links and the numbers of figures."""

from types import SimpleNamespace

from featurebook.press import pages

PROOF = (
    '<div class="proof lemma admonition" id="toy-lemma-1">\n<p class="admonition-title">'
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


def test_a_theorem_links_to_itself_and_its_text_has_no_shared_id():
    found = pages.with_permalinks(PROOF, "toy")
    link = '<a class="headerlink" href="#toy-lemma-1" title="Link to this statement">#</a></p>'
    assert f"</em>){link}" in found
    assert "proof-content" not in found
    assert '<section class="lemma-content">' in found


def test_a_theorem_says_what_came_out_and_leads_there():
    found = pages.with_permalinks(PROOF + VERDICT, "toy")
    chip = '<a class="chip verdict-refuted" href="#verdict-toy-lemma-1">✗ refuted</a>'
    assert f"</em>) {chip}<a class" in found
    assert "chip" not in pages.with_permalinks(PROOF + VERDICT.replace("lemma", "other"), "toy")


def test_a_verdict_links_to_itself_and_says_how_to_repeat_it():
    found = pages.with_permalinks(VERDICT, "toy")
    assert 'class="verdict-claim" href="#verdict-toy-lemma-1"' in found
    assert "featurebook run toy -o again.ipynb computes it anew" in found
    assert "<code>toy-lemma-1</code>" in found


def test_only_figures_with_numbers_offer_them():
    body = FIGURE.format("a-b") + FIGURE.format("c")
    found = pages.with_data(body, ["toy-fig-a_b"], "../_data")
    assert found.count("figure-data") == 1
    offer = '<a href="../_data/toy-fig-a_b.csv" download="toy-fig-a_b.csv">'
    assert found.index("Words.") < found.index(offer) < found.index('id="toy-fig-c"')


def test_numbers_of_figures_that_are_gone_are_removed(tmp_path):
    pages.write_data(tmp_path, {"toy-fig-a": "x\n1\n"})
    pages.write_data(tmp_path, {"toy-fig-b": "x\n2\n"})
    assert [p.name for p in (tmp_path / "_data").iterdir()] == ["toy-fig-b.csv"]
    assert (tmp_path / "_data" / "toy-fig-b.csv").read_text() == "x\n2\n"


def test_what_all_pages_are_furnished_from_makes_them_new(book, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    notation = book / "book" / "notation.md"
    notation.write_text("one")

    def noted():
        config = SimpleNamespace()
        pages._note_sources(SimpleNamespace(srcdir=book), config)
        return config.featurebook_sources

    before = noted()
    assert noted() == before
    notation.write_text("two")
    other = noted()
    (book / "book" / "claims" / "toy.yaml").write_text("changed")
    another = noted()
    monkeypatch.setenv("GITHUB_REPOSITORY", "Some-One/featurebook")
    assert len({before, other, another, noted()}) == 4


def test_a_map_of_claims_becomes_part_of_its_page(tmp_path):
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images" / "a.svg").write_text("<svg><text>Thm. 1</text></svg>")
    image = '<img alt="What &lt;rests&gt;" src="../_images/a.svg" />'
    page = (
        f'<figure class="a" id="toy-fig-roadmap">\n{image}<figcaption></figcaption></figure>'
        f'<figure id="toy-fig-1">{image}</figure>'
    )
    framed = (
        "<div class='claim-graph' role='group' aria-label='What &lt;rests&gt;' tabindex='0'>"
        "<svg><text>Thm. 1</text></svg></div>"
    )
    (tmp_path / "notebooks").mkdir()
    assert pages.with_shown_maps(page, tmp_path / "notebooks") == page.replace(image, framed, 1)
