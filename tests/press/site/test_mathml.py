"""Formulas as MathML: what docutils does not read is respelled, what it sets wrongly is mended."""

import pytest

from featurebook.press.site import mathml


def test_a_formula_of_a_page_becomes_mathml_of_its_kind() -> None:
    inline = '<span class="math notranslate nohighlight">\\(a&lt;b\\)</span>'
    shown = '<div class="math notranslate"><span class="eqno">(1)</span>\\[\\sum_i x_i\\]</div>'
    page = mathml.in_page(f"<p>If {inline},</p>{shown}")
    assert page.startswith("<p>If <math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>,</p>")
    assert '<math display="block">' in page
    assert "(1)" not in page
    assert "class=" not in page.partition("</p>")[2]


@pytest.mark.parametrize(
    ("tex", "same"),
    [
        (r"\frac12", r"\frac{1}{2}"),
        (r"\tfrac1{2k}", r"\tfrac{1}{2k}"),
        (r"1,\dots,n", r"1,\ldots ,n"),
        (r"\Theta\big(x\big)", r"\Theta (x )"),
        (r"\begin{split}\begin{aligned}a&=b\end{aligned}\end{split}",
         r"\begin{aligned}a&=b\end{aligned}"),
    ],
)  # fmt: skip
def test_what_the_book_writes_is_read_as_tex_reads_it(tex: str, same: str) -> None:
    assert mathml.of_tex(tex) == mathml.of_tex(same)
    assert "<math" in mathml.of_tex(tex)


def test_an_index_is_beside_an_accent_not_below_it() -> None:
    for tex in (r"\hat\beta_k", r"\hat{\beta}_k", r"\widetilde{\mathcal S}_k"):
        assert "munder" not in mathml.of_tex(tex), tex
        assert "<msub>" in mathml.of_tex(tex), tex


def test_a_norm_does_not_grow_unless_it_is_asked_to() -> None:
    assert mathml.of_tex(r"\|G\|").count('stretchy="false"') == 2
    assert "stretchy" not in mathml.of_tex(r"\left\|G\right\|")


def test_an_unknown_command_leaves_characters() -> None:
    assert mathml.of_tex(r"\unheardof{x}<1") == "<span>unheardofx &lt; 1</span>"
