"""The tied network against autograd and Monte Carlo."""

import pytest
import torch
from torch.testing import assert_close

from featurebook import core
from featurebook.papers.ntk_autoencoders import tied


def test_tied_gradient_is_that_of_autograd(X: torch.Tensor) -> None:
    params = tied.initial(core.generator(0, "tied"), 4, 9, 2.0)
    assert_close(tied.gradient(params, X)[0]["W"], torch.func.grad(tied.loss)(params, X)["W"])


@pytest.mark.parametrize("case", [(5, 20, 2.0, 1.0), (3, 30, 1.5, 2.0)])
def test_lemma_6_1_agrees_with_monte_carlo(case: tuple[int, int, float, float]) -> None:
    mean, stderr = tied.sampled_error(*case, 20_000, core.generator(0, "lemma 6.1"))
    assert abs(mean - tied.expected_error(*case)) < 5 * stderr


def test_other_scalings_agree_with_monte_carlo() -> None:
    case, divisor = (4, 40, 1.0, 1.0), 160**0.5
    mean, stderr = tied.sampled_error(*case, 20_000, core.generator(0, "scaling"), divisor)
    assert abs(mean - tied.expected_error(*case, divisor)) < 5 * stderr


@pytest.mark.parametrize("case", [(5, 20, 2.0, 1.0), (3, 30, 1.5, 2.0), (1, 1, 0.5, 1.0)])
def test_expected_error_is_the_formula_of_lemma_6_1(case: tuple[int, int, float, float]) -> None:
    d, m, sigma2, norm = case
    lemma = (sigma2 / 2 - 1) ** 2 * norm**2 + (2 * d + 3) * (sigma2 * norm) ** 2 / (4 * m)
    assert tied.expected_error(d, m, sigma2, norm) == pytest.approx(lemma)
