"""A verdict in its box, and in the line of a fold."""

from docutils import nodes

from featurebook import verdicts
from featurebook.press.claims.statements import Claim
from featurebook.press.site import verdict_boxes

TOO_LARGE = verdicts.relabelled(verdicts.inequality([3.0], [1.0]), "toy-1").as_dict()
NOT_SEEN = TOO_LARGE | {"outcome": "open", "reason": "not seen"}


def claim(sentence: str) -> Claim:
    return Claim("toy-1", "Lemma 1", "lemma", "A thing.", "refuted", found=sentence)


def written(verdict: dict[str, object], **shown: object) -> str:
    return verdict_boxes.TEMPLATE.render(verdict=verdict, sentence="It is.", **shown)


def test_what_was_found_is_the_sentence_and_the_numbers_are_folded() -> None:
    shown = verdict_boxes.of_paper(claim("False, and by a lot: $x_1<y_1$."), TOO_LARGE)
    line, more = shown.split("<details")
    assert "False, and by a lot" in line
    assert r"\(x_1&lt;y_1\)" in line, "a formula stays as it is"
    assert "3 &gt; 1" not in line
    assert "3 &gt; 1" in more


def test_without_a_sentence_the_verdict_says_it() -> None:
    assert "3 &gt; 1" in verdict_boxes.of_paper(claim(""), TOO_LARGE).split("<details")[0]


def test_a_sentence_is_made_of_nodes_so_that_its_words_and_symbols_can_be_links() -> None:
    said = verdict_boxes.sentence(claim("False for $x$ in `NE`."), TOO_LARGE)
    assert [type(node) for node in said] == [
        nodes.Text, nodes.math, nodes.Text, nodes.literal, nodes.Text,
    ]  # fmt: skip
    own = verdict_boxes.sentence(claim(""), TOO_LARGE | {"measured": "f_h at d^2"})
    assert [type(node) for node in own] == [
        nodes.Text, nodes.subscript, nodes.Text, nodes.superscript,
    ]  # fmt: skip
    assert "".join(node.astext() for node in own) == "fh at d2"


def test_a_verdict_links_to_itself_and_to_what_its_reason_means() -> None:
    own = written(NOT_SEEN, repeated="same with 8 of 8", meaning="g.html#term-not-seen")
    link = 'href="#verdict-toy-1" title="Link to this verdict"><code>toy-1</code></a>'
    assert link in own
    assert ">same with 8 of 8</div>" in own
    assert 'id="verdict-toy-1"' in own
    assert '(<a class="term" href="g.html#term-not-seen">not seen</a>)</strong>' in own
    sibling = written(NOT_SEEN, home="proofs.html")
    assert 'href="proofs.html#verdict-toy-1"' in sibling
    assert "id=" not in sibling
    assert "(not seen)</strong>" in sibling


def test_a_check_to_be_copied_is_open_where_it_is_short() -> None:
    short = written(NOT_SEEN | {"source": "x = 1"}, copied=True)
    assert '<details class="verdict-more" open>' in short
    assert '<pre class="copied" data-language="python" tabindex="0">x = 1</pre>' in short
    long = written(NOT_SEEN | {"source": "x = 1\n" * 50}, copied=True)
    assert '<details class="verdict-more">' in long
