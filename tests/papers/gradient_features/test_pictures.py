"""The coordinates of the part's sliders."""

import numpy as np

from featurebook.papers.gradient_features import pictures


def test_a_gradient_along_a_feature_lies_at_its_corner() -> None:
    D = np.eye(4, 7)
    G = np.vstack([3 * D, -2 * D[1:2], np.eye(7)[6:]])
    at = pictures.shares(G, D)
    corners = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    assert np.allclose(at, [*corners, corners[1], (0, 0)])


def test_a_mixed_gradient_lies_in_proportion_to_squared_cosines() -> None:
    D = np.eye(4, 5)
    at = pictures.shares(np.array([[3.0, 4.0, 0, 0, 0], [0, 0, 0, 0, 0]]), D)
    assert np.allclose(at, [(0.64, 0.36), (0, 0)])
