"""The gradient of Proposition 3.1, readable and compiled, against automatic differentiation."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from featurebook import core
from featurebook.papers.cone_sets import network as cs
from featurebook.papers.cone_sets.data import PatchData


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


@st.composite
def sizes(draw):
    d = draw(st.integers(2, 12))
    P = draw(st.integers(1, d))
    return d, P, draw(st.integers(1, P))


def test_the_activation_by_pieces():
    u = torch.tensor([-1.0, 0.0, 0.2, 0.4, 0.41, 3.0])
    torch.testing.assert_close(cs.sigma(u, 0.4), torch.tensor([0.0, 0.0, 0.05, 0.2, 0.41, 3.0]))
    torch.testing.assert_close(cs.sigma_prime(u, 0.4), torch.tensor([0.0, 0.0, 0.5, 1.0, 1.0, 1.0]))


def by_loops(w, images, c0):
    """(4), (5) and (7), kernel by kernel."""
    total = 0.0
    for z in images:
        image = np.zeros_like(z)
        for kernel in w:
            u = z @ kernel
            p = int(u.argmax())
            s = u[p] if u[p] > c0 else max(u[p], 0.0) ** 2 / (2 * c0)
            image[p] += s * kernel
        total += ((image - z) ** 2).sum()
    return total / len(images)


# c0 decides the piece of the activation that excitations meet: linear, both, quadratic
THRESHOLDS = st.sampled_from([1e-9, 0.01, 0.3, 50.0])


@given(sizes(), st.integers(1, 9), st.integers(1, 6), THRESHOLDS, st.integers(0, 10**6))
def test_the_gradient_of_proposition_3_1_is_that_of_autograd(size, C, N, c0, seed):
    d, P, n = size
    g = seeded(seed)
    images = PatchData(d, P, 0.1, n).draw(N, g).double()
    w = torch.randn(C, d, generator=g, dtype=torch.float64)
    by_autograd, value = torch.func.grad_and_value(cs.loss)({"w": w}, images, c0)
    by_hand, same = cs.gradient({"w": w}, images, c0)
    # double precision; relative to the size of the terms that cancel
    scale = 1 + by_autograd["w"].abs().max().item()
    torch.testing.assert_close(by_hand["w"], by_autograd["w"], rtol=0, atol=1e-11 * scale)
    assert same.item() == pytest.approx(value.item(), rel=1e-10, abs=1e-10)
    assert value.item() == pytest.approx(by_loops(w.numpy(), images.numpy(), c0), rel=1e-10)
    assert cs.error({"w": w}, images, c0).item() == pytest.approx(value.item() / (P * d))


def test_the_gradient_works_in_an_ensemble():
    data = PatchData(6, 4)
    seeds = [4, 1]
    params = core.replicate(partial(cs.draw_kernels, 5, 6, 0.5), seeds, "init")
    images = core.replicate(partial(data.draw, 7), seeds, "data")
    together, values = core.per_network(partial(cs.gradient, c0=0.01), 0, 0)(params, images)
    for k in range(2):
        alone, value = cs.gradient({"w": params["w"][k]}, images[k], 0.01)
        torch.testing.assert_close(together["w"][k], alone["w"])
        torch.testing.assert_close(values[k], value)


def two_replicas(d, P, C, N, dtype=torch.float64):
    g = seeded(5)
    images = torch.stack([PatchData(d, P, 0.1, 1).draw(N, g) for _ in range(2)]).to(dtype)
    return {"w": torch.randn(2, C, d, generator=g).to(dtype)}, images


@pytest.mark.parametrize("C", [5, 13])  # 2 d > C, and 2 d < C
@pytest.mark.parametrize("size", [1, 300, 2000, 10**9])
def test_the_gradient_in_parts_is_that_of_the_whole(monkeypatch, size, C):
    params, images = two_replicas(6, 4, C, 7)
    expected, value = torch.func.vmap(torch.func.grad_and_value(partial(cs.loss, c0=0.3)))(
        params, images
    )
    monkeypatch.setattr(cs, "PART_BYTES", size)
    found, same = cs.gradient(params, images, 0.3)
    torch.testing.assert_close(found["w"], expected["w"], rtol=0, atol=1e-12)
    torch.testing.assert_close(same, value)


@pytest.mark.parametrize(
    ("d", "P", "C", "N"), [(6, 4, 5, 7), (5, 1, 3, 512), (9, 9, 12, 3), (6, 4, 201, 5)]
)
def test_the_compiled_gradient_is_that_of_autograd(d, P, C, N):
    # as for the compiler, then run by torch: needs no C++ compiler
    torch.compiler.reset()
    params, images = two_replicas(d, P, C, N)
    plain = partial(cs.loss, c0=0.3)
    expected, value = torch.func.vmap(torch.func.grad_and_value(plain))(params, images)
    compiled = torch.compile(partial(cs.gradient, c0=0.3), backend="aot_eager", fullgraph=True)
    found, same = compiled(params, images)
    torch.testing.assert_close(found["w"], expected["w"], rtol=0, atol=1e-12)
    torch.testing.assert_close(same, value)


def test_of_equal_patches_one_wins():
    torch.compiler.reset()
    params, images = two_replicas(6, 4, 5, 7)
    images[:, :, 2] = images[:, :, 1]
    plain = partial(cs.loss, c0=0.3)
    expected, _ = torch.func.vmap(torch.func.grad_and_value(plain))(params, images)
    gradient = partial(cs.gradient, c0=0.3)
    compiled = torch.compile(gradient, backend="aot_eager", fullgraph=True)
    for found, _ in (gradient(params, images), compiled(params, images)):
        torch.testing.assert_close(found["w"], expected["w"], rtol=0, atol=1e-12)


def test_the_gradient_takes_replicas_that_share_their_images():
    params, images = two_replicas(6, 4, 5, 7)
    found, value = cs.gradient(params, images[0], 0.3)
    for k, w in enumerate(params["w"]):
        alone, same = cs.gradient({"w": w}, images[0], 0.3)
        torch.testing.assert_close(found["w"][k], alone["w"])
        torch.testing.assert_close(value[k], same)


def test_kernels_are_labelled_by_their_largest_component():
    w = torch.tensor([[[0.0, 3.0, 4.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]])
    feature, cosine = cs.label(w)
    assert feature[0, :2].tolist() == [2, 0]
    assert cosine[0].tolist() == pytest.approx([0.8, 1.0, 0.0])


def test_a_feature_is_covered_by_a_long_kernel_along_it():
    w = torch.eye(4)
    w[1] *= 0.4  # too short
    w[2, 3] = 1.0  # at 45 degrees to feature 2 and to feature 3
    assert cs.covered(w).item() == 2
    assert cs.covered(torch.stack([w, torch.eye(4)])).tolist() == [2, 4]
