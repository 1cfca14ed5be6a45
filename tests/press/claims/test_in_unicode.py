"""Formulas in one line of text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from featurebook.press.claims.in_unicode import unicode


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\lambda_{\min}", "λ_min"),
        (r"\|x\|_2^2\le 2\varepsilon", "‖x‖₂² ≤ 2ε"),
        (r"\frac{a+b}{c}", "(a + b)/c"),
        (r"\mathbf v_k+\tfrac12\mathbf v_2", "vₖ + ½v₂"),
        (r"\dfrac{1}{n}\sum_{i=1}^n x_i", "1/n ∑ᵢ₌₁ⁿxᵢ"),
        (r"t^{4a\beta_k}", "t^(4aβₖ)"),
        (r"\tilde O(n^{-1/2})", "O\u0303(n^(−1/2))"),
        (r"\binom Dk", "C(D, k)"),
        (r"\sqrt{2\varepsilon}", "√(2ε)"),
        (r"\Omega(\log d)", "Ω(log d)"),
        (r"\ge 1-\exp(-c\,d)", "≥ 1 − exp(−c d)"),
        (r"\mathbb E[ZZ^\top]", "𝔼[ZZᵀ]"),
        (r"\text{if } x\in\{1,\dots,n\}", "if x ∈ {1, …, n}"),
        (r"\left\|A\right\|^{-1}", "‖A‖⁻¹"),
        (r"w_r^{(0)}", "wᵣ⁽⁰⁾"),
        # fractions: how far a line of text reaches
        (r"\frac{\|a-b\|^2}{2T\eta}", "‖a − b‖²/(2Tη)"),
        (r"\frac{d(d-1)}2(\tfrac14+\gamma)", "d(d − 1)/2 ⋅ (¼ + γ)"),
        (r"\lambda_R=\frac r4/[\tfrac13+\sqrt A]", "λ_R = (r/4)/[⅓ + √A]"),
        (r"\cos\frac{(2t+1)\pi}{2T}", "cos((2t + 1)π/(2T))"),
        (r"\log^2\frac D\delta", "log²(D/δ)"),
        (r"\mathbb E\frac1{1+e^x}", "𝔼(1/(1 + e^x))"),
        (r"2\frac1n+\|x\|\frac1n\|y\|", "2 ⋅ 1/n + ‖x‖ ⋅ 1/n ⋅ ‖y‖"),
        (r"\|\frac ab\|,|\frac ab|", "‖a/b‖, |a/b|"),
        (r"\frac1{m(m+1)}", "1/(m(m + 1))"),
        (r"\frac{\log d}{d^2}", "(log d)/d²"),
        (r"\sum_{i=1}^n\frac1i", "∑ᵢ₌₁ⁿ 1/i"),
        (r"\frac d{dt}U", "d/dt U"),
        (r"\frac{\frac12}{x_i}", "½/xᵢ"),
        (r"\frac{-x}{\sqrt{n}}", "(−x)/√n"),
        # words and indices end
        (r"Q^{(r,j)}_n,x_{(S)}", "Q^(r, j)ₙ, x_(S)"),
        (r"\sqrt{(a+b)}\in\{\pm1\},x=+y\pm z", "√(a + b) ∈ {±1}, x = +y ± z"),
        (r"\lambda_{\min}x", "λ_min x"),
        (r"\sigma_\phi^2\sigma_\phi q", "σ_ϕ²σ_ϕ q"),
        (r"\sqrt d\sigma", "√d σ"),
        (r"\|x\|\max\{1,2\}", "‖x‖ max{1, 2}"),
        (r"|\Pr[A]|", "|Pr[A]|"),
        (r"\text{for }(a,b)", "for (a, b)"),
        (r"\tfrac12\operatorname{tr}\Lambda", "½ tr Λ"),
        (r"(a+b)\bmod p,\;a\equiv b\pmod 2", "(a + b) mod p, a ≡ b (mod 2)"),
        # environments
        (r"S=\begin{bmatrix}I&s\\0&1\end{bmatrix}", "S = [I, s; 0, 1]"),
        (r"\begin{vmatrix}a&b\\c&\begin{pmatrix}1&2\end{pmatrix}\end{vmatrix}",
         "|a, b; c, (1, 2)|"),
        (r"\left(\begin{array}{cc}a&\frac{1}{2}\\c&d\end{array}\right)", "(a, ½; c, d)"),
        (r"\begin{cases}1,&x>0\\0&\text{otherwise}\end{cases}", "{1 for x > 0; 0 otherwise}"),
        (r"\begin{cases}1&\text{if }x>0\\0\end{cases}", "{1 if x > 0; 0}"),
        (r"\begin{aligned}a&=b+c\\&\le d,\\e&=f\\g&=h\end{aligned}",
         "a = b + c ≤ d, e = f; g = h"),
    ],
)  # fmt: skip
def test_a_formula_in_one_line(tex, said):
    assert unicode(tex) == said


@pytest.mark.parametrize("letters", ["abc\\{}_^-+ /,()frac", "ab\\{}&|‖E1"])
@given(st.data())
def test_every_formula_says_something_or_nothing_and_ends(letters, data):
    tex = data.draw(st.text(alphabet=letters, max_size=30))
    tex = tex.replace("E", data.draw(st.sampled_from([r"\begin{cases}", r"\end{cases}", ""])))
    assert not re.search(r"[\0-\2\n]|  ", unicode(tex))
