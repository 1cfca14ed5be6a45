"""What claims say, for pages, tables, tooltips and files."""

import pytest

from featurebook.press.claims import formulas

TEXT = r"If $x_1<y$, a_b is <c>, see `d_e` and {prf:ref}`toy-1`."


def test_plain_text_has_no_markup():
    assert formulas.plain(r"so $\lambda_{\min}\le\tfrac12$.") == "so λ_min ≤ ½."
    assert formulas.plain(TEXT) == "If x₁ < y, a_b is <c>, see d_e and toy-1."
    assert formulas.plain(r"costs \$5") == r"costs \$5"


def test_html_has_mathjax_s_delimiters():
    assert formulas.as_html(TEXT) == (
        r'If <span class="math notranslate nohighlight">\(x_1&lt;y\)</span>, a_b is &lt;c&gt;, '
        "see <code>d_e</code> and toy-1."
    )


def test_myst_keeps_formulas_and_references_and_escapes_the_rest():
    assert formulas.as_myst(TEXT) == (r"If $x_1<y$, a\_b is \<c>, see `d_e` and {prf:ref}`toy-1`.")


@pytest.mark.parametrize(
    ("sentence", "markup", "myst"),
    [
        ("f_h²/d at λ_min", "f<sub>h</sub>²/d at λ<sub>min</sub>", "f{sub}`h`²/d at λ{sub}`min`"),
        ("m^-1/4 and d^(1/4)", "m<sup>-1/4</sup> and d<sup>1/4</sup>",
         "m{sup}`-1/4` and d{sup}`1/4`"),
        ("x_1^t", "x<sub>1</sub><sup>t</sup>", "x{sub}`1`{sup}`t`"),
        ("σ_ζ, ξ_(k+1)", "σ<sub>ζ</sub>, ξ<sub>k+1</sub>", "σ{sub}`ζ`, ξ{sub}`k+1`"),
        ("keep_last, max_r", "keep_last, max_r", r"keep\_last, max\_r"),
    ],
)  # fmt: skip
def test_scripts_of_a_sentence(sentence, markup, myst):
    assert formulas.as_scripts(sentence) == markup
    assert formulas.scripts_as_myst(sentence) == myst


def test_a_sentence_of_a_verdict_is_no_markup():
    assert formulas.as_scripts("x_<1> < f'_h") == "x_&lt;1&gt; &lt; f'<sub>h</sub>"
