"""Closed forms against numbers computed another way: by hand, by enumeration, by brute force."""

import itertools
import math
from functools import lru_cache
from unittest.mock import MagicMock, patch

import numpy as np
import pytest
import torch
from scipy import optimize

from featurebook.core import generator
from featurebook.papers.feature_emergence import (
    appendix,
    data,
    exact,
    general,
    hardness,
    network,
    printed,
    steps,
)


def golden_mixture() -> None:
    """p_o is the whole background probability, and the label is balanced (by enumeration)."""
    for p_o in (0.1, 0.2, 0.5):
        dist = data.parity_mixture(8, 3, p_o)
        x, y, prob = data.enumerate_all(dist)
        assert float(prob @ (x[:, -1] > 0).double()) == pytest.approx(p_o)
        assert float(prob @ y) == pytest.approx(0)
        assert dist.gamma == pytest.approx((1 - p_o) / 2)
    aligned = data.parity_mixture(8, 3, 0.2).components[1]
    assert aligned.background == pytest.approx(0.125)
    assert aligned.counts == (0.5, 0, 0, 0.5)


def golden_moments() -> None:
    dist = data.parity_mixture(100, 5)
    assert dist.sigma == pytest.approx(5)
    assert dist.sigma_phi_squared == pytest.approx(0.01)
    assert network.sigma_a(dist) == pytest.approx(4)
    assert network.eta_one(dist, 2) == pytest.approx(0.0625 * 5 / 40)
    tilted = data.with_negative_share(dist, 0.8)
    assert tilted.class_weights == pytest.approx((0.625, 2.5))


def golden_epsilon_e() -> None:
    """By hand: log(100 * 300 / 0.1) = 12.6115, divided by sqrt(95 / 4)."""
    dist = data.parity_mixture(100, 5)
    assert exact.epsilon_e(dist, 300, 0.1) == pytest.approx(12.8334, abs=1e-3)
    other = data.independent_mixture(41, 5, 0.1, 0.3)
    log = math.log(41 * 20 / 0.05)
    assert exact.epsilon_e(other, 20, 0.05) == pytest.approx(
        log**0.5 * (5 + log) / math.sqrt(36 * 0.09)
    )


def golden_theorem_26() -> None:
    assert exact.theorem_26_terms(2, 8, 10) == pytest.approx((64, 1.25, 1.6))
    assert exact.theorem_26_terms(3, 27, 5) == pytest.approx((729, 135 / 729, 81 / 5))


def golden_lower_bounds() -> None:
    assert hardness.printed_bound(8, 0.5, 2) == pytest.approx(0.5)
    assert hardness.printed_bound(2, 3.0, 5) == pytest.approx(1 - 6 / 32)
    assert hardness.parseval_bound(35, 0.5, 7, 3) == pytest.approx(0.5)
    assert hardness.parseval_bound(35, 0.25, 7, 3, 0.25) == pytest.approx(
        1 - 0.25 / math.sqrt(27 / 64)
    )


def golden_biased_parities() -> None:
    """The exponent k: the p-biased parities of degree 2 have squared norm (4p(1-p))^-2."""
    p, k, D = 0.2, 2, 4
    bits = np.array(list(itertools.product([0, 1], repeat=D)))
    mass = p ** bits.sum(1) * (1 - p) ** (D - bits.sum(1))
    u = np.where(bits == 1, 1 / (2 * p), -1 / (2 * (1 - p)))
    square = mass @ (u[:, 0] * u[:, 1]) ** 2
    bound = hardness.parseval_bound(1, 1.0, D, k, p)
    assert (1 - bound) ** 2 == pytest.approx(square / math.comb(D, k))


def golden_tents() -> None:
    """The networks of the proofs, by their values: height at the counts, largest coefficient."""
    for size in (3, 5):
        assert appendix.largest_weight(size, exact.LEMMA_35) == 128 * size
        assert appendix.largest_weight(size, exact.FLATTER) == 64 * size
    flat, steep = (
        exact.good_network(3, data.odd(3), mu, 5.0, tents=exact.LEMMA_35, scale=8.0)
        for mu in (0.25, 0.5)
    )
    assert np.allclose(flat((np.arange(4) - 0.25) / 5), [-2, 2, -2, 2])
    assert np.allclose(steep((np.arange(4) - 0.5) / 5), [-2, 2, -2, 2])
    assert np.abs(flat.a).max() == 64 * 3
    assert flat.weight == pytest.approx(5 / 24)
    near, far = exact.good_network(3, data.odd(3), 0.25, 5.0), exact.good_network(
        3, data.odd(3), 0.5, 5.0
    )  # fmt: skip
    assert np.allclose(near((np.arange(4) - 0.25) / 5), [-1, 1, -1, 1])
    assert np.allclose(far((np.arange(4) - 0.5) / 5), [-1, 1, -1, 1])
    assert (np.abs(near.a).max(), np.abs(far.a).max()) == (48, 96)
    sizes, margin = appendix.flatter_tents(4)
    assert sizes.max() == pytest.approx(1)
    assert margin.min() == pytest.approx(1)


def golden_lifted_cosines() -> None:
    """In d dimensions the cosine is that of weights with d - D further coordinates."""
    W = torch.randn(6, 8, generator=generator(0, "W"), dtype=torch.float64)
    outside = torch.randn(6, 12, generator=generator(1, "lift"), dtype=torch.float64)
    full = torch.cat([W, 0.3 * outside], dim=1)
    wanted = torch.nn.functional.cosine_similarity(full, network.relevant_direction(20, 3)[None])
    found = network.lifted_cosines(W, 3, 20, generator(1, "lift"), 0.3)
    assert torch.allclose(found, wanted)


def golden_rescaled() -> None:
    like = {"W": torch.tensor([[3.0, 4.0], [0.0, 2.0]]), "b": torch.ones(2)}
    p = {"W": torch.tensor([[1e-9, 0.0], [-2.0, 0.0]]), "b": torch.zeros(2)}
    found = network.rescaled(p, like)
    assert torch.allclose(found["W"], torch.tensor([[5.0, 0.0], [-2.0, 0.0]]))
    assert torch.equal(found["b"], p["b"])


def golden_general() -> None:
    dist = data.with_negative_share(data.parity_mixture(50, 5), 0.8)
    setting = general.General(dist, general.nearly_orthogonal(generator(0, "M"), 100, 50), 0.1)
    p = 0.5 - 0.6 * 0.25  # a relevant pattern: half, and less with 80 % negative labels
    total = 45 / 4 + 5 * p * (1 - p) + 1.0
    assert setting.sigma**2 == pytest.approx(total)
    assert setting.variance == pytest.approx(0.25 / total)
    assert setting.eta_one(10) == pytest.approx(0.25**2 * 0.2 * math.sqrt(total) / 5000)
    assert setting.sigma_a == pytest.approx(total / (0.25 * 25))
    log, root = math.sqrt(2 * math.log(500)), math.sqrt(total)
    wanted = (50 / root + 10 * 0.1) * 0.02 * log / (root * 0.3)
    assert setting.epsilon_e(0.02, 0.3, 0.1) == pytest.approx(wanted)


def golden_match() -> None:
    """By drawing the Gaussian: the window around 0.5 / (4 * 5 * 0.5) = 0.05 is 0.004 wide."""
    density = math.exp(-(0.05**2) / 2) / math.sqrt(2 * math.pi)
    assert steps.match(5, 0.5, 0.5, 1.0) == pytest.approx(density * 0.004 * 25, rel=1e-4)
    tail = [math.erfc(4 * factor / math.sqrt(2)) / 2 for factor in (0.96, 1.04)]
    assert steps.match(5, 1 / 160, 0.5, 1.0) == pytest.approx(25 * (tail[0] - tail[1]))


def golden_early_cosines() -> None:
    """Six cosines of the vectors (1, 0, 0), 2 (.6, .8, 0) and 3 (0, .6, .8)."""
    v = np.array([[1, 0, 0], [1.2, 1.6, 0], [0, 1.8, 2.4]])
    mean = v.sum(0) / np.linalg.norm(v.sum(0))
    cosines = [*(v @ mean / np.array([1, 2, 3])), 0.6, 0.0, 0.48]
    norms, residual = printed.norms_of_table_7(cosines)
    assert norms == pytest.approx([1, 2, 3])
    assert np.abs(residual).max() < 1e-12


def golden_steps() -> None:
    """The deviations of the first step, by enumerating all inputs."""
    dist, k = data.parity_mixture(12, 3), 3
    found = steps.first_step(dist, 1, 3, 20)
    p = network.initial(generator(1, "exact", 12), 12, 3, k, 1.0)
    q, b = p["W"][:3], p["b"][:3]
    x, y, prob = data.enumerate_all(dist)
    slope = network.active(x @ q.T + b, k**-1.5)  # (2^12, 3)
    T = (slope * (prob * y)[:, None]).T @ x
    without = network.active(x[:, k:] @ q[:, k:].T + b, k**-1.5)
    beta = prob @ without
    signal = (beta * 0.25 / math.sqrt(3))[:, None]
    off = (T[:, :k] - signal).abs().max(1).values.mean() * math.sqrt(3)
    background = T[:, k:].abs().max(1).values.mean() * 4 * math.sqrt(3)
    assert found["relevant"] == pytest.approx(float(off), abs=2e-5)
    assert found["background"] == pytest.approx(float(background), abs=2e-4)
    assert found["bias"] == pytest.approx(float(((prob * y) @ slope).abs().mean()), abs=1e-5)
    assert found["beta"] == pytest.approx(float(beta.min()), abs=1e-5)


def golden_flatter_tents() -> None:
    """Lemma 35's network at k = 4, kink by kink: slopes 4 and biases over 8 k, shifts 0, 1/8."""
    sizes, margin = appendix.flatter_tents(4)
    assert len(sizes) == len(margin) == 17
    for j, mu in enumerate(np.arange(17) / 4):
        at = np.arange(5)[:, None] - mu + np.array([-0.5, 0, 0.5])
        shift = next(s for s in (0, 0.125, -0.125) if np.abs(at + s).min() >= 0.125)
        b, a = np.abs(at + shift) / 32, 2 * 4 * 32
        assert sizes[j] == pytest.approx([a / 256, 1 / 256 / b.min(), b.max() / 0.25])
        signs = (np.arange(5) % 2 * 2 - 1)[:, None]
        low = []
        for off in np.linspace(-0.125, 0.125, 9):
            total = np.arange(5)[:, None] - mu + off
            tents = 4 * np.clip(0.5 - np.abs(total - (np.arange(5) - mu + shift)), 0, None)
            low.append((signs[:, 0] * (tents @ signs[:, 0])).min())
        assert margin[j] == pytest.approx(min(low))


def golden_margin_of_flatter_tents() -> None:
    """With the straight line g* = the count less mu, both signs and both ends 1/8 show."""
    line = MagicMock(side_effect=lambda x: 5 * x, a=np.ones(1), b=np.ones(1))
    with patch.object(exact, "good_network", return_value=line):
        _, margin = appendix.flatter_tents(4)
    assert margin[0] == pytest.approx(-(4 + 1 / 8))  # mu = 0: an even count, the upper end
    assert margin[-1] == pytest.approx(1 - 4 - 1 / 8)  # mu = 4: an odd count, the lower end


def golden_typical() -> None:
    """On both sides of each of Lemma 36's inequalities, two coordinates, the second background."""

    def typical(relevant: float, background: float, delta: float = 0.1) -> bool:
        w = torch.tensor([[relevant, background]], dtype=torch.float64).sqrt()
        return bool(appendix.typical(w, torch.eye(2, dtype=torch.float64), 1, delta))

    assert (typical(1.98, 1), typical(2.02, 1)) == (True, False)  # |w|^2 < 3 d / 2
    assert (typical(0.42, 0.6), typical(0.38, 0.6)) == (True, False)  # > d / 2
    assert (typical(0.5, 1.49), typical(0.5, 1.51)) == (True, False)  # background
    assert (typical(1, 0.51), typical(1, 0.49)) == (True, False)
    assert (typical(1.37, 1, 1.0), typical(1.40, 1, 1.0)) == (True, False)  # 2 log 2 = 1.386


def golden_left_out() -> None:
    """Lemma 13 by hand: for n ones, p = 1/2 and the shift c |q| it is 2 c + 2 / sqrt(n), times
    twice Shevtsova's 0.5583 (2013); it says something below 1."""
    for n, c, informative in (
        (4, 0.1, False),
        (16, 0.1, True),
        (16, 0.22, False),
        (16, 0.18, True),
    ):
        _, bound, says = steps.left_out(np.array([1] * n + [0.5, math.log10(c)]))
        assert bound == pytest.approx(1.1166 * (2 * c + 2 / math.sqrt(n)))
        assert says == informative


def separable(right: np.ndarray, corners: np.ndarray) -> bool:
    """Whether a halfspace gives the corners these signs: weights that have a margin exist."""
    rows = -right[:, None] * np.column_stack([corners, np.ones(len(corners))])
    free = [(None, None)] * rows.shape[1]
    return optimize.linprog(np.zeros(rows.shape[1]), rows, -np.ones(len(rows)), bounds=free).success


@lru_cache(None)
def halfspaces_of_three_bits() -> tuple[np.ndarray, np.ndarray]:
    """The corners of the cube (8, 3), and the signs of every halfspace there, (104, 8)."""
    corners = np.array(list(itertools.product((0, 1), repeat=3)))
    signs = np.array(list(itertools.product((-1, 1), repeat=8)))
    return corners, signs[[separable(s, corners) for s in signs]]


def golden_best_halfspace() -> None:
    """All 104 halfspaces of three bits, each by linear programming, on four distributions."""
    corners, halfspaces = halfspaces_of_three_bits()
    assert len(halfspaces) == 104
    s = corners.sum(1)
    for dist in (
        data.parity_mixture(8, 3, 0.5),
        data.with_negative_share(data.parity_mixture(8, 3, 0.2), 0.7),
        data.independent(8, 3, [1, 2], 0.6, 0.5),
        data.independent(8, 3, [], 0.6, 0.5),  # always -1
    ):
        mass = (dist.counts.numpy() / [1, 3, 3, 1])[s]
        best = (mass * (halfspaces == dist.labels.numpy()[s])).sum(1).max()
        assert hardness.best_halfspace(dist) == pytest.approx(best)


GOLDEN = [value for name, value in sorted(globals().items()) if name.startswith("golden_")]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda f: f.__name__)
def test_golden_values(golden) -> None:
    golden()
