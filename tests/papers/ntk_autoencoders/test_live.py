"""The geometry of samples with equal cosines, against samples."""

import numpy as np
import pytest
import torch

from featurebook.papers.ntk_autoencoders import kernels, live


@pytest.mark.parametrize(("rho", "n"), [(0.0, 4), (0.5, 5), (-0.2, 4), (0.95, 3)])
def test_geometry_is_that_of_samples(rho, n):
    gram = np.full((n, n), rho) + (1 - rho) * np.eye(n)
    X = torch.as_tensor(np.linalg.cholesky(gram).T)
    of_samples, found = kernels.geometry(X), live.alike(rho, n, n)
    for name, value in vars(found).items():
        assert value == pytest.approx(getattr(of_samples, name), abs=1e-12), name


def test_what_the_story_says():
    shown = live.two_kernels(0.0, 10, 20, 0.1)
    assert 2.5e5 < shown["repaired here"] < shown["joint here"] < 3.5e5
    assert 1e14 < shown["weak here"] < 1e15
    near = live.two_kernels(0.98, 10, 20, 0.1)
    assert near["repaired here"] > near["joint here"]
