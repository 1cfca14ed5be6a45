"""Tables of vectors against sums by hand and exact numbers; certificates on the circle."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
import torch
from flint import arb, arb_poly
from scipy.optimize import brentq

from featurebook.papers.universality_tradeoff import circle, tables

F = Fraction
HALF = F(1, 2)


def _random() -> tuple[torch.Tensor, torch.Tensor]:
    g = torch.Generator().manual_seed(3)
    joint = torch.softmax(torch.randn(6, generator=g, dtype=torch.float64), 0).reshape(3, 2)
    return torch.randn(3, 2, 2, generator=g, dtype=torch.float64), joint


def test_contrastive_against_plain_sums() -> None:
    h, joint = _random()
    for given in (True, False):
        plus = tables.fresh(joint, given)
        for name, loss in tables.LOSSES.items():
            plain = tables.exact_contrastive(
                h.tolist(), joint.tolist(), plus.tolist(),
                lambda t, loss=loss: float(loss(torch.tensor(t, dtype=torch.float64))),
            )  # fmt: skip
            found = float(tables.contrastive(h, joint, loss, given))
            assert np.isclose(found, plain, rtol=1e-12), name


def test_losses_by_hand() -> None:
    t = torch.tensor([0.0, 2.0])
    assert np.allclose(tables.logistic(t), [log(2), log(1 + np.exp(-2))])
    assert np.allclose(tables.exponential(t), [1, np.exp(-2)])
    assert tables.hinge(t).tolist() == [1, 0]
    assert tables.hinge(F(1, 4)) == F(3, 4)
    assert tables.hinge(F(5, 4)) == 0


def test_fresh_by_hand() -> None:
    joint = torch.tensor([[0.5, 0.0], [0.25, 0.25]])
    assert tables.fresh(joint, True).tolist() == [[1, 0], [0.5, 0.5]]
    assert tables.fresh(joint, False).tolist() == [[0.75, 0.25]] * 2
    never = torch.tensor([[0.0, 0.0], [0.5, 0.5]])
    assert tables.fresh(never, True).tolist() == [[0, 0], [0.5, 0.5]]


def test_pca_against_exact_numbers() -> None:
    h = [[[F(2)], [F(6)]], [[F(0)], [F(-2)]]]
    joint = [[F(1, 4), F(1, 4)], [HALF, F(0)]]
    assert tables.exact_pca(h, joint) == -4
    found = tables.pca(
        torch.tensor([[[2.0], [6]], [[0], [-2]]]), torch.tensor([[0.25, 0.25], [0.5, 0]])
    )
    assert float(found) == -4


def test_selections_against_their_own_losses() -> None:
    h, joint = _random()
    losses = tables.selections(h, joint)
    kept = torch.stack([h[0, 0], h[1, 1], h[2, 0]])[:, None].expand(3, 2, 2)
    assert len(losses) == 8
    assert np.isclose(losses[2], tables.contrastive(kept, joint))


def test_search_finds_opposite_vectors() -> None:
    joint = torch.tensor([[0.5], [0.5]], dtype=torch.float64)
    value, h = tables.least(joint, 2.0, 2, restarts=6, steps=150)
    assert np.isclose(value, (log(2) + log(1 + np.exp(-8))) / 2, atol=1e-6)
    assert np.allclose(h.norm(dim=-1), 2)
    assert torch.equal(h, h[:, :1].expand_as(h))


def test_partitions_by_hand() -> None:
    assert tables.balanced_partitions([F(1, 2), F(1, 4), F(1, 4)]) == [(1, 2)]
    assert tables.balanced_partitions([F(4, 10), F(1, 10), F(2, 10), F(3, 10)]) == [(2, 3)]


def test_hinge_instance_is_optimal_and_long_enough() -> None:
    table = tables.hinge_instance(F(1, 10))
    assert all(x * x + y * y == 9 for row in table for x, y in row)
    fair = [[F(1, 4)] * 2] * 2
    assert tables.exact_contrastive(table, fair, [[HALF] * 2] * 2, tables.hinge) == HALF
    assert table[0][0][1] == F(60, 101)


def test_xor_and_its_probes() -> None:
    points = tables.xor_points()
    uniform = torch.full((4, 1), 0.25, dtype=torch.float64)
    loss = float(tables.contrastive(torch.tensor(points)[:, None], uniform))
    by_hand = (log(2) + 2 * log(1 + np.exp(-1)) + log(1 + np.exp(-2))) / 4
    assert np.isclose(loss, by_hand, rtol=1e-14)
    assert np.isclose(by_hand, 0.3616496416598)
    labels = [-1, -1, 1, 1]
    assert (tables.probe_errors(points, labels, False) == 0.5).all()
    assert tables.probe_errors(points, labels, True).min() == 0.25


def test_polygons_against_the_kernel() -> None:
    assert np.isclose(circle.polygon(4, 1.0), 0.3616496416598)
    assert np.isclose(float(circle.polygon(5, arb(1.7))), circle.polygon(5, 1.7), rtol=1e-14)
    step = 1e-6
    numeric = (circle.polygon(5, 1.3 + step) - circle.polygon(5, 1.3 - step)) / (2 * step)
    assert np.isclose(float(circle.polygon_slope(5, arb(1.3))), numeric, rtol=1e-7)


def test_slope_of_the_kernel() -> None:
    step = 1e-6
    numeric = (circle.kernel(step, 1.3) - circle.kernel(-step, 1.3)) / (2 * step)
    assert np.isclose(circle.slope(1.3), numeric, rtol=1e-8)


def test_certificate_lies_below_and_meets_the_kernel() -> None:
    for b in (0.3, 1.0, 1.21):
        h = circle.certificate(b)
        assert h is not None
        x = np.linspace(-1, 1, 1001)
        below = np.polynomial.chebyshev.chebval(x, h)
        assert (below <= circle.kernel(x, b) + 1e-9).all()
        assert np.isclose(h[0] + h[4] + h[8], circle.polygon(4, b), atol=1e-9)
        assert (np.delete(h, [0, 4, 8]) >= 0).all()
        assert max(h[4], h[8]) <= 1e-12


def test_square_loses_where_the_pentagon_wins() -> None:
    assert circle.pentagon_wins_from(1.15**2)
    assert not circle.pentagon_wins_from(1.1**2)
    assert circle.square_is_optimal(1.1**2)
    assert not circle.square_is_optimal(1.15**2)
    for to, wins in ((3.6, True), (3.4, False)):  # where the pentagon passes log(2) / 4
        assert (circle.polygon(5, to) < log(2) / 4) == wins
        assert circle.pentagon_wins_from(2.0, to=to) == wins


def test_sufficient_radius_is_where_both_sides_meet() -> None:
    p = np.array([0.4, 0.3, 0.2, 0.1])
    b = circle.sufficient_radius(p, 0.2) ** 2
    same = (p**2).sum()
    assert np.isclose(np.log1p(np.exp(-b)) * (1 - same), np.log(2) * 0.2, rtol=1e-12)


def test_cuts_by_hand() -> None:
    assert tables.even_cuts([1, 1, 1, 1], 2) == [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0)]
    assert tables.even_cuts([F(1, 2), F(1, 3), F(1, 6)], 2) == [(0, 1, 1)]
    assert tables.even_cuts([2, 1], 2) == []


def test_balls_meet_the_kernel_and_see_what_is_wrong() -> None:
    b = 1.21
    guess = circle.certificate(b)
    assert guess is not None
    c = circle.in_balls(guess, arb(b))
    assert np.allclose([float(x) for x in c], guess, atol=1e-9)
    h = circle.polynomial(c)
    for x in (-1, 0, 1):
        assert abs(float(h(arb(x))) - float(circle.kernel(x, b))) < 1e-12
    assert abs(float(h.derivative()(arb(0))) - circle.slope(b)) < 1e-12
    at = np.polynomial.chebyshev.chebval(0.3, guess)
    assert np.isclose(float(h(arb(0.3))), at, atol=1e-9)
    assert circle.lies_below(h, arb(b))
    # the parabola of four equal points lies below as well, a chord does not
    low, middle = (float(circle.kernel(x, b)) for x in (-1, 0))
    chord = circle.arb_poly([middle, middle - low])
    assert not circle.lies_below(chord, arb(b))
    assert not circle.lies_below(h + circle.arb_poly([0, 0, 1e-3, 0, -1e-3]) * 10, arb(b))


def test_derivatives_of_the_kernel() -> None:
    b, x, step = 1.3, 0.2, 1e-5
    at = [[float(v) for v in circle.kernel_derivatives(arb(b), arb(y))]
          for y in (x - step, x, x + step)]  # fmt: skip
    assert np.isclose(at[1][0], circle.kernel(x, b))
    for k in range(4):
        assert np.isclose((at[2][k] - at[0][k]) / (2 * step), at[1][k + 1], rtol=1e-6)


def test_cost_of_a_split_against_differences() -> None:
    masses = np.r_[1 / 8, 1 / 8, np.full(3, 1 / 4)]

    def energy(angle: float, b: float) -> float:
        at = np.r_[angle, -angle, np.pi / 2 * np.arange(1, 4)]
        return float(masses @ circle.kernel(np.cos(at[:, None] - at), b) @ masses)

    step = 1e-3
    for b in (0.5, 1.3, 1.5):
        bend = (energy(step, b) - energy(0, b)) / step**2
        assert np.isclose(circle.split_cost(b) * b / 16, bend, rtol=1e-3)
    assert circle.split_cost(1.19**2) > 0 > circle.split_cost(1.2**2)


def test_eight_values_and_the_law_that_only_z_3_tells_apart() -> None:
    chances = [F(k, 20) for k in (10, 9, 8, 7)]
    cuts = tables.even_cuts([x / 4 for p in chances for x in (1 - p, p)], 4)
    assert cuts == [(0, 0, 1, 1, 2, 2, 3, 3)]
    even = torch.full((8, 1), 1 / 8, dtype=torch.float64)
    low, high = (tables.least(even, B, 2, restarts=16, steps=150)[0] for B in (1.15, 1.3))
    assert low > circle.polygon(4, 1.15**2) - 1e-9
    assert high < circle.polygon(4, 1.3**2) - 1e-4


def test_searched_energies_of_a_pair_and_of_four() -> None:
    assert np.allclose(circle.searched_energies(2, 1.3, 3, 0), circle.polygon(2, 1.3), atol=1e-12)
    found = circle.searched_energies(4, 1.0, 6, 1)
    assert found.min() >= circle.polygon(4, 1.0) - 1e-12
    assert np.isclose(found.min(), circle.polygon(4, 1.0), atol=1e-10)


SMALL = arb(1e-3)
"""A b so small that K is a parabola up to 1e-14."""


def _under(*gap: float) -> arb_poly:
    """K, at b = `SMALL`, less a polynomial with these coefficients in powers of x."""
    b = SMALL
    K = [arb(2).log() - b / 2 + b**2 / 8, b / 2 - b**2 / 4, b**2 / 8]
    return arb_poly(K) - arb_poly([arb(v) for v in gap])


def _times(*factors: list[float]) -> list[float]:
    product = np.array([1.0])
    for factor in factors:
        product = np.convolve(product, factor)
    return product.tolist()


TOUCH = [0, 0, 1, 0, -1]
"""x²(1 - x²), which is 0 where a certificate meets K."""


def test_a_certificate_is_refused_wherever_it_passes_above() -> None:
    assert circle.lies_below(_under(*TOUCH), SMALL)
    assert not circle.lies_below(_under(*(-v for v in TOUCH)), SMALL)
    for edge, sign in ((1 / 128, 1), (0.5, 1), (1 - 1 / 128, -1)):  # about 0, between, at the ends
        gap = _times(TOUCH, [-sign * edge**2, 0, sign])
        assert not circle.lies_below(_under(*gap), SMALL)
    for inside in ([0.25, 1], [0.25, -1], [-0.25, 1], [-0.25, -1]):  # a root at -1/4 or at 1/4
        assert not circle.lies_below(_under(*_times(TOUCH, inside)), SMALL)
    above = _under(*_times(TOUCH, [0.4**2 - 1e-6, 0.8, 1]))  # below 0 by 2e-8, about -0.4 only
    assert not circle.lies_below(above, SMALL)


def test_a_piece_counts_the_whole_remainder_of_taylors_formula() -> None:
    for height, proved in ((0.99, False), (1.01, True)):  # height - x² over two pieces of [-1, 1]
        under = _under(height, 0, -1)
        assert circle.lies_below(under, SMALL, near=10**9, pieces=2) == proved


def test_balls_solve_the_four_equalities_for_any_other_coefficients() -> None:
    b, c = arb(1.2), np.array([0, 0, 0, 0, 0.3, -0.2, 0.15, 0.4, -0.1])
    h = circle.polynomial(circle.in_balls(c, b))
    for x in (-1, 0, 1):
        assert abs(float(h(arb(x))) - float(circle.kernel(x, 1.2))) < 1e-13
    assert abs(float(h.derivative()(arb(0))) - circle.slope(1.2)) < 1e-13


@pytest.mark.parametrize(("n", "wrong"), [(4, 0.05), (5, -0.05), (6, -0.05), (7, -0.05), (8, 0.05)])
def test_a_coefficient_of_the_wrong_sign_proves_nothing(
    n: int, wrong: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess = circle.certificate(1.1**2)
    assert guess is not None
    guess[n] = wrong
    monkeypatch.setattr(circle, "certificate", lambda b: guess)
    monkeypatch.setattr(circle, "lies_below", lambda h, b: True)
    assert not circle.square_is_optimal(1.1**2)


def test_the_pentagon_wins_only_where_balls_that_cover_everything_say_so() -> None:
    equal = brentq(lambda b: circle.polygon(4, b) - circle.polygon(5, b), 1.21, 1.33, xtol=1e-12)
    assert not circle.pentagon_wins_from(equal - 1e-4, step=0.002)
    # balls that left gaps would already agree a little earlier
    assert not circle.pentagon_wins_from(equal + 0.0255)
    assert circle.pentagon_wins_from(equal + 0.0265)


def test_probes_of_a_simplex_have_three_of_four_values_right() -> None:
    errors = tables.simplex_errors()
    assert len(errors) == 16
    assert max(errors) == Fraction(1, 4)
    assert sum(e == 0 for e in errors) == 8  # the last score is minus the sum of the others
