"""Samples of unit norm."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from featurebook.papers.ntk_autoencoders import bounds, data, kernels


def test_samples_have_unit_norm() -> None:
    for points in (data.sphere(6, 3, 1), data.orthonormal(3, 5), data.pair(0.3), data.simplex(4)):
        assert_close(points.norm(dim=0), torch.ones(points.shape[1], dtype=torch.double))


def test_simplex_and_pair_have_the_cosines_asked_for() -> None:
    simplex = data.simplex(5)
    off = (simplex.T @ simplex)[~torch.eye(5, dtype=torch.bool)]
    assert_close(off, torch.full_like(off, -0.25))
    assert float(data.pair(0.3)[:, 0] @ data.pair(0.3)[:, 1]) == pytest.approx(0.3)


def test_spread_rows_leaves_out_parallel_rows() -> None:
    rows = np.array([[1.0, 0], [0, 2.0], [-3.0, 0], [1.0, 1.0]])
    assert data.spread_rows(rows, 4).shape == (2, 3)


def test_standardised_leaves_constant_features_finite() -> None:
    assert np.isfinite(data.standardised(np.array([[1.0, 2.0], [1.0, 4.0]]))).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: data.sphere(0, 3, 0),
        lambda: data.orthonormal(4, 3),
        lambda: data.pair(1.0),
        lambda: data.simplex(1),
        lambda: data.spread_rows(np.eye(3), 4),
        lambda: data.unit_columns(torch.zeros(2, 1)),
        lambda: kernels.cosines(2 * torch.eye(2)),
        lambda: bounds.width(bounds.TABLE_1[0], kernels.geometry(data.pair(0.1)), delta=0.0),
    ],
)
def test_sizes_that_make_no_sense_are_refused(make) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"\w"):
        make()
