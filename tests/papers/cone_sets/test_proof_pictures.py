"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from featurebook.papers.cone_sets import proof_pictures


def test_the_largest_component_follows_the_power_law() -> None:
    found = proof_pictures.race([1.0, 0.5], [0.7, 0.9], 0.2, 50)
    expected = np.cumprod([1.0, *(1 + 4 * 0.2 * 0.7 / s for s in range(1, 50))])
    np.testing.assert_allclose(found[:, 0], expected)


def test_the_kernel_keeps_its_feature_and_becomes_more_aligned() -> None:
    found = proof_pictures.race([1.0, 0.9, 0.6], [0.8, 0.8, 0.8], 0.2, 200)
    assert (found.argmax(1) == 0).all()
    cosine = found[:, 0] / np.linalg.norm(found, axis=1)
    assert (np.diff(cosine) > 0).all()


@pytest.mark.parametrize("d", [24, 100])
def test_the_density_is_that_of_random_directions(d: int) -> None:
    x = np.linspace(-0.9999, 0.9999, 20_001)
    p = proof_pictures.density(x, d)
    assert np.trapezoid(p, x) == pytest.approx(1, abs=1e-6)
    assert np.trapezoid(p * x**2, x) == pytest.approx(1 / d, rel=1e-5)


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof().axes) == 2
    plt.close()
