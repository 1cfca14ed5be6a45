"""What is measured of the general setting, against the exact steps and definitions."""

import math
from functools import partial

import numpy as np
import pytest
import torch
from scipy import stats

from featurebook.core import generator
from featurebook.papers.feature_emergence import appendix, data, exact, general


@pytest.fixture(scope="module")
def setting() -> general.General:
    dist = data.with_negative_share(data.parity_mixture(20, 3), 0.8)
    return general.General(dist, general.nearly_orthogonal(generator(0, "M"), 40, 20), 0.05)


def test_typical_weights() -> None:
    M = general.nearly_orthogonal(generator(0, "M"), 400, 200)
    w = torch.randn(50, 400, generator=generator(0, "w"))
    assert appendix.typical(w, M, 5, 0.1).sum() > 40
    assert not appendix.typical(2 * w, M, 5, 0.1).any()
    assert not appendix.typical(0.5 * w, M, 5, 0.1).any()


def test_deviations_shrink_with_the_weights(setting: general.General) -> None:
    large, small = (appendix.first_gradient(setting, s, 0, 3) for s in (1e-2, 1e-3))
    for name in ("relevant", "background", "outside", "bias"):
        assert small[name] < 0.2 * large[name]
    assert small["epsilon_e"] == pytest.approx(0.1 * large["epsilon_e"])


def test_second_gradient_shrinks_with_the_first_step(setting: general.General) -> None:
    large, small = (appendix.second_gradient(setting, eta, 0, 4) for eta in (1e-2, 1e-3))
    assert all(small[name] < 0.2 * large[name] for name in large if name not in ("eta", "seed"))


def test_one_exact_step_is_the_first_of_two(setting: general.General) -> None:
    p = appendix.small_start(setting, 0, "test", 6)
    one = appendix.one_exact_step(setting, p, 1e-3)
    push = partial(general.push, setting, 3**-1.5)
    wanted, _ = exact.two_exact_steps(push, p, 1e-3)
    assert all(torch.allclose(one[name], wanted[name], atol=1e-14) for name in wanted)


def test_classifier_and_claims(setting: general.General) -> None:
    quiet = general.General(setting.dist, setting.M, 0.01)
    x, y = general.draw_general(generator(0, "x"), quiet, 1500)
    assert appendix.classifier_loss(quiet, x.double(), y.numpy(), 0) < 0.05
    narrow, wide = (appendix.gaps_of_claims(quiet, x.double(), 0, half) for half in (20, 200))
    assert all(b == pytest.approx(1e-3 * a, rel=0.3) for a, b in zip(narrow, wide, strict=True))


def test_gram_norm_at_equal_coherences() -> None:
    norm, bound = appendix.gram_norm(torch.full((8, 8), 30.0, dtype=torch.float64))
    assert float(norm) == pytest.approx(1 + 7 / 128)
    assert float(bound) == pytest.approx(1.0625)
    lower = appendix.gram_norm(torch.zeros(8, 8, dtype=torch.float64))[0]
    assert np.isclose(float(lower), 1)


def test_pre_activations_against_loops() -> None:
    dist = data.with_negative_share(data.parity_mixture(7, 3), 0.8)
    case = general.General(dist, general.nearly_orthogonal(generator(0, "M"), 9, 7), 0.1)
    half = {"W": 1e-3 * torch.randn(2, 9, generator=generator(1, "W"), dtype=torch.float64),
            "b": torch.tensor([0.02, -0.01], dtype=torch.float64)}  # fmt: skip
    p = {name: v.repeat(2, *[1] * (v.ndim - 1)) for name, v in half.items()}
    p["a"] = torch.tensor([0.5, -2.0, -0.5, 2.0], dtype=torch.float64)
    worst, provable, claimed, alone = appendix.pre_activations(case, p, 0.1)
    W = appendix.one_exact_step(case, p, 0.1)["W"]
    noise = 0.1 / case.sigma  # of a coordinate of x
    largest = [max(float(m), 1 - float(m)) / case.sigma for m in dist.mean]
    M = case.M
    for i in range(4):
        reach = sum(abs(float(W[i] @ M[:, j])) * largest[j] for j in range(7))
        assert float(worst[i]) == pytest.approx(reach + 4.5 * noise * float(W[i].norm()))
        relevant = sum(
            sum(abs(float(M[:, j] @ M[:, n])) * largest[n] for n in range(7)) + 4.5 * noise
            for j in range(3)
        )
        norm = float(np.linalg.norm(M.numpy(), 2))
        x = norm * sum(v * v for v in largest) ** 0.5 + noise * (9**0.5 + 4.5)
        size = 0.1 * abs(float(p["a"][i]))
        assert float(alone[i]) == pytest.approx(size * x)
        bound = size / case.sigma * (relevant + (norm / 2 + 0.1) * x)
        assert float(provable[i]) == pytest.approx(bound)
    by_hand = 0.1 / case.gamma * (1 + case.sigma + case.sigma / 3**0.5)
    assert claimed == pytest.approx(by_hand)
    assert (worst <= provable).all()


def test_tied_background_hides_the_relevant_patterns():
    """The dictionary that refutes Lemma 35, small: unit columns, 1/(N - 1) apart, equal sums."""
    k, N = 3, 12
    eye = torch.eye(k + N, dtype=torch.float64)
    vertices = eye[k:] - eye[k:].mean(0)
    vertices = vertices / vertices.norm(dim=1, keepdim=True)
    relevant = eye[:k]
    coin = (1 - k / N**2) ** 0.5 * vertices + relevant.sum(0) / N
    columns = torch.cat([relevant, coin])
    gram = columns @ columns.T
    assert torch.allclose(gram.diagonal(), torch.ones(k + N, dtype=torch.float64))
    assert (gram - torch.eye(k + N, dtype=torch.float64)).abs().max() <= 1 / (N - 1) + 1e-12
    assert torch.allclose(coin.sum(0), relevant.sum(0))


def test_what_lemma_35_has_with_independent_background():
    """Against the exact tails of an aligned background and of the noise, and written anew."""
    D, k, h, sigma_zeta = 100, 5, 6.25e-4, 0.005
    found = appendix.lemma_35_corrected(D, k, h, sigma_zeta)
    aside = (1 / 24) / (k * h)
    half = stats.binom(D - k, 0.5)
    background = half.cdf(half.mean() - aside) + half.sf(half.mean() + aside - 1e-9)
    noise = 2 * stats.norm.sf((1 / 24) / (sigma_zeta * (k + k * k * h) ** 0.5))
    assert background + noise <= found
    hoeffding = 2 * math.exp(-2 * (1 / 24) ** 2 / (D * (k * h) ** 2))
    gaussian = 2 * math.exp(-((1 / 24) ** 2) / (2 * sigma_zeta**2 * (k + k * k * h)))
    assert found == pytest.approx(hoeffding + gaussian, rel=1e-12)


def test_the_tents_of_lemma_35_forgive_an_eighth_and_no_more():
    for k in (1, 2, 3, 5, 8, 15):
        assert appendix.least_answer(k) >= 1 - 1e-9
    assert min(appendix.least_answer(k, 0.126) for k in range(1, 16)) < 1
