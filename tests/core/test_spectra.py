"""A matrix on which the usual driver gives up is decomposed another way, or the step is named."""

import ast
from pathlib import Path

import numpy as np
import pytest
import torch

import featurebook
from featurebook.core import spectra

PACKAGE = Path(featurebook.__file__).parent
NAMES = ("eigh", "eigvalsh", "svd", "svdvals")
HERE = {*NAMES, "eig", "eigvals", "matrix_rank", "pinv", "cond", "svd_lowrank", "pca_lowrank"}
"""Functions of linear algebra that decompose a matrix; so does a norm of order 2 or "nuc"."""


def symmetric(dtype=torch.float32, batch=()):
    g = torch.Generator().manual_seed(3)
    x = torch.randn(*batch, 6, 6, generator=g, dtype=torch.float64)
    return (x + x.mT).to(dtype)


def as_parts(found):
    return found if isinstance(found, tuple) else (found,)


def whole(name, matrix):
    """The matrix again from its parts, or its sorted values."""
    found = as_parts(getattr(spectra, name)(matrix))
    if name == "eigh":
        return (found[1] * found[0][..., None, :]) @ found[1].swapaxes(-1, -2)
    if name == "svd":
        return (found[0] * found[1][..., None, :]) @ found[2]
    return found[0]


WAYS = ["single precision fails", "the usual driver fails", "single precision gives NaN"]


def let_fail(monkeypatch, how):
    """Let the usual functions of torch and numpy fail, as LAPACK does for some matrices."""

    def broken(real, error):
        def function(matrix, **more):
            if how != "the usual driver fails" and matrix.dtype in (torch.float64, np.float64):
                return real(matrix, **more)
            if how == "single precision gives NaN":
                found = real(matrix, **more)
                return [x * np.nan for x in found] if isinstance(found, tuple) else found * np.nan
            raise error("did not converge")

        return function

    for library in (torch.linalg, np.linalg):
        for name in NAMES:
            real = getattr(library, name)
            monkeypatch.setattr(library, name, broken(real, library.LinAlgError))


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("batch", [(), (2, 3)], ids=["one", "batch"])
@pytest.mark.parametrize("kind", ["torch", "numpy"])
@pytest.mark.parametrize("name", NAMES)
def test_where_the_usual_driver_fails_another_finds_the_same(name, kind, batch, how, monkeypatch):
    matrix = symmetric(batch=batch)
    matrix = matrix if kind == "torch" else matrix.numpy()
    before = whole(name, matrix)
    let_fail(monkeypatch, how)
    after = whole(name, matrix)
    assert after.dtype == matrix.dtype
    assert after.shape == before.shape
    np.testing.assert_allclose(np.asarray(after), np.asarray(before), atol=1e-5)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("name", ["eigvalsh", "svdvals"])
def test_values_keep_their_derivative(name, how, monkeypatch):
    matrix = symmetric()
    values, vectors = torch.linalg.eigh(matrix)
    k = int(values.abs().argmax())
    expected = torch.outer(vectors[:, k], vectors[:, k]) * values[k].sign()
    let_fail(monkeypatch, how)
    matrix.requires_grad_()
    found = getattr(spectra, name)(matrix)
    (slope,) = torch.autograd.grad(found.abs().max(), matrix)
    if name == "eigvalsh":  # of the part of a change that is symmetric
        expected = expected * values[k].sign()
        sign = found.detach()[found.detach().abs().argmax()].sign()
        expected = expected * sign
    torch.testing.assert_close((slope + slope.mT) / 2, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_the_usual_result_is_returned_as_it_is(name):
    matrix = symmetric()
    for ours, usual in zip(
        as_parts(getattr(spectra, name)(matrix)),
        as_parts(getattr(torch.linalg, name)(matrix)),
        strict=True,
    ):
        assert torch.equal(ours, usual)


def test_inside_of_vmap():
    batch = symmetric(batch=(4,))
    torch.testing.assert_close(
        torch.func.vmap(spectra.eigvalsh)(batch), torch.linalg.eigvalsh(batch)
    )


def a_step_that_needs_a_spectrum():
    return spectra.eigh(torch.eye(2))


def test_who_wanted_it_is_named(monkeypatch):
    let_fail(monkeypatch, "the usual driver fails")

    def fails(*_, **__):
        raise np.linalg.LinAlgError

    monkeypatch.setattr(spectra.scipy.linalg, "eigh", fails)
    with pytest.raises(spectra.SpectrumError) as error:
        a_step_that_needs_a_spectrum()
    assert str(error.value) == (
        f"{__name__}.a_step_that_needs_a_spectrum wants the eigenvalues of a 2 x 2 matrix: "
        "no driver converges, in double precision either"
    )


AS_PRINTED = {"torch.svd(z)", "torch.linalg.svdvals(z)"}
"""What the thesis prints, against which our layer is compared and timed."""


def decomposes(call):
    library, _, name = ast.unparse(call.func).rpartition(".")
    if not library or library.split(".")[0] not in ("torch", "np", "numpy", "scipy"):
        return False
    given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg in ("ord", "p"))]
    spectral = any(ast.unparse(order) in ("2", "-2", "'nuc'") for order in given)
    return name in HERE or (name in ("norm", "matrix_norm") and spectral)


def test_every_decomposition_of_the_book_has_this_way_out():
    without = []
    files = [*PACKAGE.rglob("*.py"), *(PACKAGE.parents[1] / "notebooks").rglob("*.py")]
    for file in sorted(file for file in files if file.stem != "spectra"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and decomposes(n)]
        without += [f"{file.name}: {said}" for said in map(ast.unparse, calls)
                    if said not in AS_PRINTED]  # fmt: skip
    assert without == []


@pytest.mark.parametrize("make", [torch.from_numpy, np.asarray])
def test_rank_norm_and_pseudo_inverse_are_as_the_libraries_have_them(make):
    rng = np.random.default_rng(0)
    low = rng.normal(size=(3, 6, 2)) @ rng.normal(size=(3, 2, 4)) * np.array([1e-9, 1, 1e9])[
        :, None, None
    ]  # fmt: skip
    some = [low, rng.normal(size=(3, 6, 4)), np.zeros((1, 2, 2))]
    for whole in some:
        np.testing.assert_array_equal(spectra.rank(make(whole)), np.linalg.matrix_rank(whole))
        square = whole @ whole.swapaxes(-1, -2)
        own = spectra.rank(make(square - square[..., ::-1, ::-1]), symmetric=True)
        wanted = np.linalg.matrix_rank(square - square[..., ::-1, ::-1], hermitian=True)
        np.testing.assert_array_equal(own, wanted)
        np.testing.assert_allclose(
            spectra.spectral_norm(make(whole)), np.linalg.norm(whole, 2, (-2, -1)), rtol=1e-14
        )
    for one in (*low, *some[1]):
        inverse = np.linalg.pinv(one, rcond=1e-14)
        np.testing.assert_allclose(spectra.pinv(make(one)), inverse, rtol=1e-9, atol=0)
