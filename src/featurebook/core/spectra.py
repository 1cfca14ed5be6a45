"""Eigenvalues and singular values of matrices on which LAPACK's usual driver gives up.

Divide and conquer, which `torch.linalg` and `numpy.linalg` use, does not converge for some matrices
with entries or eigenvalues many orders of magnitude apart, or returns NaN. Then the same is done in
double precision, then by the older and slower QR iteration. Where the usual driver succeeds, its
result is returned as it is.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import scipy.linalg
import torch
from torch import Tensor

M = TypeVar("M", Tensor, np.ndarray)
Way = Callable[[Any], Sequence[Any]]


class SpectrumError(ArithmeticError):
    """No driver can decompose a matrix. The message names the function that wanted it."""


def eigh(matrix: M) -> tuple[M, M]:
    """Eigenvalues (..., k), ascending, and eigenvectors (..., k, k) of symmetric matrices.

    Raises:
        SpectrumError: if every driver fails; also for the other functions of this module.
    """
    values, vectors = _first_success(matrix, _library(matrix).eigh, _eigh_by_qr, "eigenvalues")
    return values, vectors


def eigvalsh(matrix: M) -> M:
    """Eigenvalues (..., k), ascending, of symmetric matrices (..., k, k)."""

    def usual(m: Any) -> Sequence[Any]:
        return (_library(m).eigvalsh(m),)

    return _first_success(matrix, usual, _eigvalsh_by_qr, "eigenvalues")[0]


def svd(matrix: M, full_matrices: bool = True) -> tuple[M, M, M]:
    """U, the singular values from the largest, and Vᵀ, as `torch.linalg.svd`."""

    def usual(m: Any) -> Sequence[Any]:
        return _library(m).svd(m, full_matrices=full_matrices)

    def by_qr(m: Any) -> Sequence[Any]:
        return _one_by_one(
            m, lambda a: scipy.linalg.svd(a, full_matrices=full_matrices, lapack_driver="gesvd")
        )

    u, s, vh = _first_success(matrix, usual, by_qr, "singular values")
    return u, s, vh


def svdvals(matrix: M) -> M:
    """Singular values (..., k), the largest first."""

    def usual(m: Any) -> Sequence[Any]:
        if isinstance(m, Tensor):
            return (torch.linalg.svdvals(m),)
        return (np.linalg.svd(m, compute_uv=False),)

    return _first_success(matrix, usual, _svdvals_by_qr, "singular values")[0]


def spectral_norm(matrix: M) -> M:
    """The largest singular value (...) of matrices (..., k, l)."""
    return svdvals(matrix)[..., 0]


def rank(matrix: M, symmetric: bool = False) -> M:
    """The number (...) of singular values above rounding, as `torch.linalg.matrix_rank` has it."""
    values = abs(eigvalsh(matrix)) if symmetric else svdvals(matrix)
    largest = values[..., [0, -1]] if symmetric else values[..., :1]
    largest = largest.max(-1).values if isinstance(largest, Tensor) else largest.max(-1)
    return (values > _rounding(matrix) * largest[..., None]).sum(-1)


def pinv(matrix: M) -> M:
    """The pseudo-inverse (l, k) of a matrix (k, l); singular values near rounding count as 0."""
    u, s, vh = svd(matrix, full_matrices=False)
    kept = s > _rounding(matrix) * s[0]
    return (vh[kept].T / s[kept]) @ u[:, kept].T


def _rounding(matrix: Any) -> float:
    """The relative size below which a singular value may be 0."""
    library = torch if isinstance(matrix, Tensor) else np
    return float(max(matrix.shape[-2:]) * library.finfo(matrix.dtype).eps)


def _library(matrix: Tensor | np.ndarray) -> Any:
    return torch.linalg if isinstance(matrix, Tensor) else np.linalg


def _first_success(matrix: Any, usual: Way, by_qr: Way, what: str) -> Sequence[Any]:
    try:
        found = usual(matrix)
        if all(map(_is_finite, found)) or not _is_finite(matrix):
            return found
    except (np.linalg.LinAlgError, torch.linalg.LinAlgError):
        if not _is_finite(matrix):
            raise SpectrumError(
                f"{_wanted(what, matrix)}: it has entries that are not finite"
            ) from None
    for way in (usual, by_qr):
        try:
            found = way(_doubled(matrix))
        except (np.linalg.LinAlgError, torch.linalg.LinAlgError):
            continue
        if all(map(_is_finite, found)):
            return [_like(part, matrix) for part in found]
    raise SpectrumError(f"{_wanted(what, matrix)}: no driver converges, in double precision either")


def _is_finite(found: Any) -> bool:
    if not isinstance(found, Tensor):
        return bool(np.isfinite(found).all())
    try:
        return bool(found.isfinite().all())
    except RuntimeError:  # inside of torch.func.vmap no value can be asked for
        return True


def _doubled(matrix: Any) -> Any:
    if isinstance(matrix, Tensor):
        return matrix.to(torch.promote_types(matrix.dtype, torch.float64))
    return matrix.astype(np.result_type(matrix.dtype, np.float64))


def _like(part: Any, matrix: Any) -> Any:
    """A result in double precision as precise as the matrix it is of."""
    if isinstance(matrix, Tensor):
        return part.to(matrix.device, part.dtype if part.is_complex() else matrix.dtype)
    return part.astype(matrix.dtype)


def _eigh_by_qr(matrix: Any) -> Sequence[Any]:
    return _one_by_one(matrix, lambda a: scipy.linalg.eigh(a, driver="ev"))


def _eigvalsh_by_qr(matrix: Any) -> Sequence[Any]:
    if isinstance(matrix, Tensor) and matrix.requires_grad:
        vectors = _eigh_by_qr(matrix.detach())[1]
        return ((vectors * (matrix @ vectors)).sum(-2),)  # its derivative is that of eigenvalues
    return _eigh_by_qr(matrix)[:1]


def _svdvals_by_qr(matrix: Any) -> Sequence[Any]:
    if isinstance(matrix, Tensor) and matrix.requires_grad:
        u, _, vh = _one_by_one(matrix.detach(), _thin)
        return ((u * (matrix @ vh.mT)).sum(-2),)
    return _one_by_one(matrix, _thin)[1:2]


def _thin(matrix: np.ndarray) -> Sequence[np.ndarray]:
    return scipy.linalg.svd(matrix, full_matrices=False, lapack_driver="gesvd")


def _one_by_one(matrix: Any, decompose: Callable[[np.ndarray], Sequence[np.ndarray]]) -> list[Any]:
    """What SciPy finds for each matrix of a batch; it has no derivative."""
    if not isinstance(matrix, Tensor):
        flat = matrix.reshape(-1, *matrix.shape[-2:])
        parts = zip(*map(decompose, flat), strict=True)
        return [np.stack(p).reshape(*matrix.shape[:-2], *p[0].shape) for p in parts]
    if matrix.requires_grad and torch.is_grad_enabled():
        raise np.linalg.LinAlgError("vectors by QR iteration have no derivative here")
    return [
        torch.from_numpy(part) for part in _one_by_one(matrix.detach().cpu().numpy(), decompose)
    ]


def _wanted(what: str, matrix: Any) -> str:
    """What was wanted, of a matrix of which size, and by which function."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"] == __name__:
        frame = frame.f_back
    where = f"{frame.f_globals['__name__']}.{frame.f_code.co_name}".removesuffix(".<module>")
    size = " x ".join(map(str, matrix.shape[-2:]))
    return f"{where} wants the {what} of a {size} matrix"
