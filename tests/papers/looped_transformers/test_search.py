"""The sides that attacks climb, against the numbers of the theory."""

import numpy as np
import pytest
import torch

from featurebook import verdicts
from featurebook.papers.looped_transformers import data, search, theory


def instance(theta: np.ndarray | None = None) -> tuple[dict[str, torch.Tensor], np.ndarray, float]:
    """A prompt with the spectrum (1, 3, 4) and its smallest eigenvector."""
    X = data.with_spectrum(np.random.default_rng(0), 5, [1.0, 3.0, 4.0])
    v = theory.spectrum(X)[1][:, 0]
    task = v if theta is None else theta
    alpha = torch.tensor(-2.0, dtype=torch.float64)
    return {"X": torch.tensor(X), "theta": torch.tensor(task), "alpha": alpha}, v, 4.0


def test_main_theorem_sides() -> None:
    x, _, kappa = instance()
    error, bound, says = search.main_theorem(x, 6)
    assert float(error) == pytest.approx(0.75**6)
    assert float(bound) == pytest.approx(float(theory.printed_bound(6, kappa)))
    assert bool(says)
    assert not bool(search.main_theorem(x, 0)[2])
    assert float(search.main_theorem(x, 2, reach=2.4)[0]) == pytest.approx(0.4**2)


def test_parameter_theorem_sides() -> None:
    x, _, kappa = instance()
    error, bound, _ = search.parameter_theorem(x, 3)
    assert float(error) == pytest.approx(0.75**6)
    assert float(bound) == pytest.approx(float(theory.printed_bound(3, kappa)) ** 2)


def test_sharp_bound_is_attained() -> None:
    errors, bound = search.sharp_bound(instance()[0], 4)
    np.testing.assert_allclose(errors.numpy(), float(bound))
    assert float(bound) == pytest.approx(0.75**4)


@pytest.mark.parametrize(("longest", "eta"), [(False, 0.125), (True, 0.2)])
def test_any_step_sides(longest: bool, eta: float) -> None:
    x = instance()[0] | {"step": torch.tensor(0.0, dtype=torch.float64)}
    error, bound = search.any_step(x, 3, 1, longest)
    assert float(error) == pytest.approx((1 - eta) ** 6)
    assert float(bound) == pytest.approx((1 - eta) ** 3)


@pytest.mark.parametrize(("longest", "eta"), [(False, 0.05), (True, 1 / 11)])
def test_any_convex_sides_against_autograd(longest: bool, eta: float) -> None:
    g = torch.Generator().manual_seed(0)
    x = {
        "w": torch.randn(4, 2, generator=g, dtype=torch.float64),
        "b": torch.randn(4, generator=g, dtype=torch.float64),
        "theta": torch.randn(2, generator=g, dtype=torch.float64),
        "step": torch.tensor(0.0, dtype=torch.float64),
    }
    w = x["w"] / x["w"].norm(dim=1, keepdim=True)

    def f(theta: torch.Tensor) -> torch.Tensor:
        parts = torch.log(torch.cosh(w @ theta - x["b"])) + torch.tanh(x["b"]) * (w @ theta)
        return theta.square().sum() / 2 + 9 / 4 * parts.sum()

    def slope(theta: torch.Tensor) -> torch.Tensor:
        at = theta.detach().requires_grad_()
        return torch.autograd.grad(f(at), at)[0]

    theta = x["theta"]
    for _ in range(2):
        theta = theta - eta * slope(theta)
        spread = torch.linalg.eigvalsh(torch.autograd.functional.hessian(f, theta))
        assert 1 - 1e-9 <= spread[0] <= spread[-1] <= 10 + 1e-9
    assert float(slope(torch.zeros(2, dtype=torch.float64)).norm()) < 1e-12  # minimal at 0
    error, bound = search.any_convex(x, 2, 1, 1.0, 10.0, longest)
    start = float(x["theta"].square().sum())
    assert float(error) == pytest.approx(float(theta.square().sum()) / start)
    assert float(bound) == pytest.approx((1 - eta) ** 2)


def test_an_attack_breaks_a_false_bound() -> None:
    """With steps 2.5/L the main theorem is false, and a few steps of ascent find that."""
    starts = search.prompts(0, 4, 4, 2)
    false = verdicts.attack(
        lambda x: search.main_theorem(x, 5, 2.5), starts, into=search.into_prompt, steps=3
    )
    true = verdicts.attack(
        lambda x: search.main_theorem(x, 5), starts, into=search.into_prompt, steps=3
    )
    assert (false.outcome, true.outcome) == ("refuted", "holds")


def test_a_rate_that_is_too_good_is_refuted() -> None:
    starts = search.with_step(0, 4, 4, 2)
    false = verdicts.attack(
        lambda x: search.any_step(x, 3, 3), starts, into=search.into_prompt, steps=40
    )
    assert false.outcome == "refuted"
    curved = verdicts.attack(
        lambda x: search.any_convex(x, 3, 3, 1.0, 10.0), search.convex(0, 4, 2, 3), steps=40
    )
    assert curved.outcome == "refuted"


def test_starts_are_instances() -> None:
    starts = search.prompts(0, 4, 5, 3)
    assert len(starts.names) == len(starts.points["X"])  # type: ignore[index]
    one = {k: v[-1] for k, v in starts.points.items()}  # type: ignore[union-attr]
    assert float(search.into_prompt(one)["theta"].norm()) == pytest.approx(1.0)
