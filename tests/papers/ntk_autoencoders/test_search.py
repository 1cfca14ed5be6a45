"""The search returns a width of its grid."""

import torch

from featurebook.papers.ntk_autoencoders import data, search


def test_search_returns_a_width_of_its_grid() -> None:
    points = torch.stack([data.sphere(2, 3, s) for s in range(2)])
    found = search.smallest_width("joint", points, seeds=3, c=1.0, error=0.3)
    assert found.shape == (2,)
    assert set(found) <= {float(m) for m in search.WIDTHS}
