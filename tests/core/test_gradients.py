import pytest
import torch

from featurebook.core import gradients, where_active


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_gate_is_open_from_zero_on(dtype):
    least = 2.0**-149 if dtype == torch.float32 else 2.0**-1074
    z = torch.tensor([-1.0, -least, -0.0, 0.0, least, 1.0], dtype=dtype)
    assert where_active(3 * torch.ones_like(z), z).tolist() == [0, 0, 3, 3, 3, 3]


def loss(params, batch):
    x, y = batch
    return (torch.tanh(x @ params["W"].T) @ params["a"] - y).square().mean()


def test_one_replica_has_the_gradient_it_has_among_others():
    params = {"W": torch.randn(3, 4, 5).double(), "a": torch.randn(3, 4).double()}
    batch = torch.randn(3, 7, 5).double(), torch.randn(3, 7).double()
    shared = tuple(x[0] for x in batch)
    for data, dim in ((batch, 0), (shared, None)):
        of_all = gradients.of_replicas(loss, None, dim)
        grads, losses = of_all(params, data)
        for r in range(3):
            its = {name: p[r : r + 1] for name, p in params.items()}
            own = data if dim is None else tuple(x[r : r + 1] for x in data)
            alone, value = of_all(its, own)
            assert value.shape == (1,)
            torch.testing.assert_close(value, losses[r : r + 1])
            for name, g in alone.items():
                torch.testing.assert_close(g, grads[name][r : r + 1])


def test_by_autograd_is_the_gradient_of_one_network():
    params = {"W": torch.randn(4, 5).double(), "a": torch.randn(4).double()}
    batch = torch.randn(7, 5).double(), torch.randn(7).double()
    grads, value = gradients.by_autograd(loss, params, batch)
    expected, expected_value = torch.func.grad_and_value(loss)(params, batch)
    torch.testing.assert_close(grads, expected)
    torch.testing.assert_close(value, expected_value)
    assert not value.requires_grad
    assert not params["W"].requires_grad


def test_one_replica_is_computed_without_an_axis_of_replicas():
    def of_one(params, batch):
        assert params["W"].shape == (4, 5)
        assert batch.shape == (7, 5)
        return {"W": params["W"] + 1}, batch.sum()

    lifted = gradients.of_replicas(loss, of_one, 0)
    grads, value = lifted({"W": torch.zeros(1, 4, 5)}, torch.ones(1, 7, 5))
    assert grads["W"].shape == (1, 4, 5)
    assert value.tolist() == [35]
