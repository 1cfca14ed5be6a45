"""The misprinted signs and the sketched push: by automatic differentiation and by quadrature."""

import math
from fractions import Fraction

import pytest
import torch
from scipy import integrate, stats

from featurebook.papers.contrastive_decoupling import exact, model, signs

DOUBLE = torch.float64


def slope(w, b, views, negatives):
    """∂L/∂w of the book's own loss, in doubles."""
    w = torch.tensor([[float(v) for v in w]], dtype=DOUBLE, requires_grad=True)
    f = [
        model.features(w, torch.tensor([b], dtype=DOUBLE), torch.tensor(x, dtype=DOUBLE))
        for x in (*views, negatives)
    ]
    (found,) = torch.autograd.grad(model.contrastive_loss(*f, tau=1.0), w)
    return found[0]


def test_pair_of_the_gradient():
    point = {name: [[float(v) for v in x]] for name, x in signs.PAIR.items()}
    views = (point["x+"], point["x++"])
    found = slope((1e-9, 1), 0.0, views, point["x_n"])  # at 0 autograd takes ReLU' = 0 twice
    assert float(found[0]) == pytest.approx(float(signs.slope_of_the_loss()))
    assert signs.bracket(-1) == -signs.slope_of_the_loss()
    assert signs.bracket(1) == 3
    assert signs.soft(Fraction(-2), Fraction(1, 2)) == Fraction(-3, 2)
    assert signs.soft(Fraction(1, 4), Fraction(1, 2)) == 0


def test_parts_of_the_gradient():
    views = ([[2.0, 0], [-2, 0]], [[0.0, 2], [0, -2]])
    found = -slope((1, 1), 0.5, views, [[0.0, 0.0]])[0]
    positive = 1 / (1 + math.exp(1.5 * 1.5))  # 1 - ℓ_p
    parts, whole = signs.pull_in_parts(printed=False)
    assert float(found) == pytest.approx(positive * float(whole))
    assert parts == whole
    # for z = -1 the printed ψ + φ is |h| = 3/2, so that the term of z = -1 is -3/2 + 3/2
    assert signs.pull_in_parts(printed=True) == (Fraction(3, 2), whole)


def golden_sketched_push():
    """Quadrature over the projections of both views."""
    alpha, b, d, C = 0.9, 0.4, 16, 2.0
    sigma = math.sqrt(C * math.sqrt(math.log(d)) / d)
    view, plain = stats.norm(alpha, math.sqrt(2) * sigma), stats.norm(alpha, sigma)
    mean = sum(
        integrate.quad(lambda u, s=s: s * (s * u - b) * view.pdf(u), *ends)[0]
        for s, ends in ((1, (b, 20)), (-1, (-20, -b)))
    )
    push, sketch = exact.sketched_push(Fraction(9, 10), Fraction(2, 5), d, C)
    assert float(push) == pytest.approx(mean * (view.sf(b) + view.cdf(-b)), rel=1e-7)
    assert float(sketch) == pytest.approx(alpha * (plain.sf(b) + plain.cdf(-b)), rel=1e-9)


def test_sketched_push():
    golden_sketched_push()
