"""What the thesis prints."""

import pytest

from featurebook.papers.fourier_circuits import printed, theory


def test_sizes() -> None:
    assert [(f.k, f.p, f.m) for f in printed.FIGURES] == [
        (4, 47, 2944), (3, 97, 1536), (5, 23, 5632),
    ]  # fmt: skip
    assert all(theory.printed_width(f.k, f.p) == f.m for f in printed.FIGURES)
    # two multiplications and additions forward, twice that backward, of a (1024, (k+1)p, m) product
    assert printed.FIGURES[0].flops == pytest.approx(3 * 2 * 1024 * 5 * 47 * 2944)
    assert printed.FIGURES[1].megabytes == pytest.approx(4 * 1536 * 4 * 97 * 4 / 1e6)


def test_sets_of_figure_4_4() -> None:
    sizes = [p**k for k, p in printed.GROKKING.items()]
    assert sizes == [9409, 29791, 14641, 3125]
    assert max(sizes) / min(sizes) == pytest.approx(9.5, abs=0.05)
