"""What is measured of the first two steps, against definitions and brute force."""

import numpy as np
import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, network, steps


@pytest.mark.parametrize("alpha", [(1.0, 1.0), (0.6, 3.0)])
def test_closed_form_against_autograd(alpha: tuple[float, float]) -> None:
    ours, auto = steps.gradients(alpha, 4.0, 3)
    assert ours.shape == (10 * 10 + 10 + 10,)
    assert torch.allclose(ours, auto, atol=1e-12)


def test_second_step_is_better_and_shrinks_with_the_first() -> None:
    found = steps.second_step(data.parity_mixture(20, 3), 0, 3, [1e-3, 1e-2])
    assert found["ratio"][0] < 0.05 * found["ratio"][1] < found["step 1"][0]
    assert found["bias"][1] == pytest.approx(10 * found["bias"][0], rel=0.3)
    assert found["relevant"][1] == pytest.approx(100 * found["relevant"][0], rel=0.3)
    assert len(found["step 1"]) == 2


def test_a_classifier_is_certified() -> None:
    dist = data.parity_mixture(30, 3)
    found = steps.classifier(dist, 0, 200)
    assert found is not None
    central, change = steps.margin_everywhere(dist, found)
    assert central == pytest.approx(1.01, abs=1e-6)
    assert change < 1e-6
    x, y = data.draw(generator(0, "fresh"), dist, 2000)
    drawn = y.double() * network.output(found, x.double())
    assert central - change <= float(drawn.min()) + 1e-6


def test_few_samples_certify_nothing() -> None:
    """Four samples do not show every count with its label."""
    dist = data.parity_mixture(30, 3)
    found = steps.classifier(dist, 0, 4)
    assert found is None or steps.margin_everywhere(dist, found)[0] < 1


def check_margin_everywhere() -> None:
    """Against all 2^9 inputs: a bound for weights at random, with a background of any size and
    probability, and the truth for one neuron that is nowhere truncated."""
    for dist in (data.parity_mixture(9, 3), data.independent(9, 3, {1, 2}, 0.4, 0.2)):
        x, y, _ = data.enumerate_all(dist)
        for s in range(4):
            p = network.initial(generator(s, "margin"), 9, 3, 3, 1.0)
            p["a"] = torch.randn(6, generator=generator(s, "a"), dtype=torch.float64)
            central, change = steps.margin_everywhere(dist, p)
            assert central - change <= float((y * network.output(p, x)).min()) + 1e-12
        W = torch.full((1, 9), 0.1, dtype=torch.float64)
        W[0, 5:] = -0.02
        one = {"W": W, "b": torch.tensor([0.5]).double(), "a": torch.tensor([-3.0]).double()}
        central, change = steps.margin_everywhere(dist, one)
        assert central - change == pytest.approx(float((y * network.output(one, x)).min()))
        assert change == pytest.approx(3 * (2 * 0.1 + 4 * 0.02) / 2 / dist.sigma)


def test_margin_everywhere() -> None:
    check_margin_everywhere()


def test_norms_after_two_steps() -> None:
    small, large = (
        steps.norms_after_two_steps(data.parity_mixture(30, 3), 0, half) for half in (60, 600)
    )
    assert large["|ã|∞"] < small["|ã|∞"]
    assert large["gap"] < 0.01 * small["gap"]
    assert large["|a⁽²⁾|"] < 0.05 * small["|a⁽²⁾|"]


def test_misprints_fail_and_corrections_do_not() -> None:
    gaps = steps.misprints(data.parity_mixture(20, 5), 0)
    assert all(printed > 0.01 and corrected < 1e-12 for printed, corrected in gaps.values())


def test_sizes_of_the_good_network() -> None:
    for x in ((1, 0.0, 0.0, 1), (7, 0.3, 1.0, 77), (20, 1.0, 2.0, 12345)):
        sizes, bound = steps.good_network_sizes(np.array(x, dtype=float))
        assert (sizes <= bound + 1e-9).all()


def test_left_out_scales_with_the_weights() -> None:
    x = np.array([0.3, -0.2, 0.5, 0.1, 0.2, -1.0])
    doubled = np.concatenate([2 * x[:-2], x[-2:]])
    x[-2] = doubled[-2] = 0.4
    assert steps.left_out(x) == pytest.approx(steps.left_out(doubled))
    gap, bound, _ = steps.left_out(x)
    assert gap <= bound


def test_flat_keeps_the_order() -> None:
    p = network.initial(torch.Generator().manual_seed(0), 4, 2, 3, 1.0)
    assert torch.equal(steps.flat(p)[:16].reshape(4, 4), p["W"])
    assert torch.equal(steps.flat(p)[-4:], p["a"])
