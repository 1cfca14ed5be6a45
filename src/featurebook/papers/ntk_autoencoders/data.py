"""Samples of unit norm (Assumption 1), one per column: X is (d, n), float64."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn import datasets
from torch import Tensor

from featurebook import images
from featurebook.core import generator

PARALLEL = 1 - 1e-10
"""Two samples with a larger |cosine| count as parallel (Assumption 2 excludes them)."""


def unit_columns(X: Tensor) -> Tensor:
    """The columns of X (d, n) divided by their norms.

    Raises:
        ValueError: if a column is zero.
    """
    norms = X.norm(dim=0)
    if bool((norms == 0).any()):
        raise ValueError("a sample is zero: it has no direction")
    return X / norms


def sphere(n: int, d: int, seed: int) -> Tensor:
    """n independent points, uniform on the unit sphere of R^d: (d, n).

    Raises:
        ValueError: unless n >= 1 and d >= 1.
    """
    if n < 1 or d < 1:
        raise ValueError(f"n = {n}, d = {d}: both must be at least 1")
    return unit_columns(torch.randn(d, n, generator=generator(seed, "samples"), dtype=torch.double))


def orthonormal(n: int, d: int) -> Tensor:
    """The first n unit vectors of R^d: (d, n); λ_n = 1, λ_0 = 1/2 for n >= 2.

    Raises:
        ValueError: unless 1 <= n <= d.
    """
    if not 1 <= n <= d:
        raise ValueError(f"n = {n}, d = {d}: need 1 <= n <= d")
    return torch.eye(d, n, dtype=torch.double)


def pair(rho: float) -> Tensor:
    """Two points of the plane with cosine ρ in (-1, 1): (2, 2)."""
    if not -1 < rho < 1:
        raise ValueError(f"rho = {rho}: must be in (-1, 1), or the points are parallel")
    return torch.tensor([[1.0, rho], [0.0, (1 - rho**2) ** 0.5]], dtype=torch.double)


def simplex(n: int) -> Tensor:
    """n >= 2 points with all cosines -1/(n-1), in R^n: (n, n)."""
    if n < 2:
        raise ValueError(f"n = {n}: a simplex needs at least 2 points")
    return unit_columns(torch.eye(n, dtype=torch.double) - 1 / n)


def near_hexagon(seed: int, size: float) -> Tensor:
    """Six points of the circle, about ``size`` from the corners of a regular hexagon: (2, 6)."""
    angles = torch.arange(6, dtype=torch.double) * torch.pi / 3
    draw = generator(seed, "hexagon")
    angles = angles + size * torch.randn(6, generator=draw, dtype=torch.double)
    return torch.stack([angles.cos(), angles.sin()])


def standardised(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Every feature (column) centred and divided by its deviation over the set (1 if constant)."""
    deviation = features.std(axis=0)
    return (features - features.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def spread_rows(features: NDArray[np.float64], n: int) -> Tensor:
    """n rows evenly spread over a data set (N, d), as unit columns: (d, at most n).

    Rows parallel to an earlier one are left out, since Assumption 2 fails with them.

    Raises:
        ValueError: if n is larger than N.
    """
    if not 1 <= n <= len(features):
        raise ValueError(f"n = {n}: the set has {len(features)} rows")
    rows = np.linspace(0, len(features) - 1, n).round().astype(int)
    X = unit_columns(torch.from_numpy(features[rows].astype(np.float64).T.copy()))
    parallel = ((X.T @ X).abs() >= PARALLEL).triu(diagonal=1).any(dim=0)
    return X[:, ~parallel]


BUNDLED: dict[str, Callable[[], NDArray[np.float64]]] = {
    "iris": lambda: datasets.load_iris().data,
    "wine": lambda: datasets.load_wine().data,
    "breast cancer": lambda: datasets.load_breast_cancer().data,
    "diabetes": lambda: datasets.load_diabetes().data,
    "digits": lambda: datasets.load_digits().data,
}
"""scikit-learn's sets that need no download, (N, d) each."""


def pixel_rows(pictures: images.Images) -> NDArray[np.float64]:
    """Images as rows (N, channels · height · width)."""
    return pictures.pixels.flatten(1).double().numpy()


def named_sets(limit: int, pictures: Sequence[images.Images]) -> dict[str, Tensor]:
    """Real and synthetic data sets by name, as unit columns.

    scikit-learn's sets raw and standardised, images centred, at most ``limit`` samples each; points
    on spheres and orthonormal samples.
    """
    found: dict[str, Tensor] = {}
    for name, load in BUNDLED.items():
        raw = load()
        found[f"{name}, raw"] = spread_rows(raw, min(limit, len(raw)))
        found[f"{name}, standardised"] = spread_rows(standardised(raw), min(limit, len(raw)))
    for picture in pictures:
        rows = pixel_rows(picture)
        rows = rows[np.linspace(0, len(rows) - 1, min(limit, len(rows))).round().astype(int)]
        name = picture.source.partition(",")[0]
        found[f"{name}, centred"] = spread_rows(rows - rows.mean(axis=0), len(rows))
    for n, d in ((20, 10), (100, 10), (100, 50)):
        found[f"sphere, n = {n}, d = {d}"] = sphere(n, d, 0)
    for n in (2, 10):
        found[f"orthonormal, n = d = {n}"] = orthonormal(n, n)
    return found
