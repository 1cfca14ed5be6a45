"""What the pictures of the proof draw is what the proof says."""

import matplotlib.pyplot as plt
import numpy as np

from featurebook.papers.looped_transformers import data, proof_pictures, theory


def test_the_loops_are_gradient_descent() -> None:
    rng = data.generator(1, "test")
    X, theta = rng.standard_normal((7, 3)), data.sphere(rng, 3)
    loops = proof_pictures.looped(X, theta, -0.7, 0.05, 9)
    np.testing.assert_allclose(loops, proof_pictures.descended(X, theta, 0.05, 9), atol=1e-12)


def test_each_direction_shrinks_by_its_own_factor() -> None:
    X = data.with_spectrum(data.generator(2, "test"), 5, [1.0, 6.0])
    lam, vectors = theory.spectrum(X)
    theta = np.array([0.6, 0.8])
    rest = proof_pictures.descended(X, theta, 1 / lam[-1], 4) - theta
    expected = (1 - lam / lam[-1]) ** 4 * (vectors.T @ -theta)
    np.testing.assert_allclose(vectors.T @ rest[-1], expected, atol=1e-12)


def test_the_pictures_are_drawn() -> None:
    assert len(proof_pictures.proof(0).axes) == 2
    plt.close()
