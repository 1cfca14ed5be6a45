"""Where the checks and experiments of this paper register, and the models that chapters share."""

from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts.claims import Claims

claims = Claims("icl_scale")

ROUNDING = 1e-11
"""Relative, float64 after some thousand operations; fixed before looking."""


@claims.experiment
def eigenvalues(spectrum: str, d: int) -> Array:
    """λ_1 >= ... >= λ_d of the tokens' covariance, (d,)."""
    return reg.spectrum(spectrum, d)


@claims.experiment
def optima(eigenvalues: Array, N: int, ranks: list[int]) -> dict[int, Array]:
    """The diagonal of V*, (d,), by rank."""
    return {r: reg.optimum(eigenvalues, N, r) for r in ranks}
