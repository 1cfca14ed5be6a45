"""The network against loops over its definition."""

from itertools import product

import numpy as np
import pytest
import torch

from featurebook.papers.fourier_circuits import exact, network

G = torch.Generator().manual_seed(0)


def random_network(k: int, p: int, m: int = 3) -> tuple[torch.Tensor, torch.Tensor]:
    U = torch.randn(m, k, p, generator=G, dtype=torch.float64)
    return U, torch.randn(m, p, generator=G, dtype=torch.float64)


def by_loops(U: torch.Tensor, W: torch.Tensor) -> np.ndarray:
    m, k, p = U.shape
    rows = []
    for a in product(range(p), repeat=k):
        row = np.zeros(p)
        for i in range(m):
            row += float(sum(U[i, j, a[j]] for j in range(k))) ** k * W[i].numpy()
        rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize(("k", "p"), [(1, 3), (2, 4), (3, 3)])
def test_logits_against_loops(k: int, p: int) -> None:
    U, W = random_network(k, p)
    np.testing.assert_allclose(network.logits(U, W), by_loops(U, W), atol=1e-12)
    a = network.points(k, p)
    np.testing.assert_allclose(network.logits(U, W, a), by_loops(U, W), atol=1e-12)


def test_labels_by_hand() -> None:
    assert network.labels(2, 3).tolist() == [0, 1, 2, 1, 2, 0, 2, 0, 1]
    assert network.points(2, 2).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert torch.equal(network.digits(torch.arange(27), 3, 3), network.points(3, 3))


def test_margins_by_hand() -> None:
    F = torch.tensor([[3.0, 1.0, 2.0], [0.0, -1.0, 5.0]])
    y = torch.tensor([0, 1])
    assert network.margins(F, y).tolist() == [1.0, -6.0]
    assert network.mean_margins(F, y).tolist() == [1.5, -3.5]


def test_norms_by_hand() -> None:
    U, W = torch.zeros(2, 2, 3), torch.zeros(2, 3)
    U[0, 0, 0], U[0, 1, 2], W[0, 1], W[1, 0] = 1.0, 2.0, 2.0, 4.0
    assert network.norms(U, W).tolist() == [3.0, 4.0]
    assert float(network.norm(U, W)) == pytest.approx(91 ** (1 / 3))


def test_normalized_margin_is_of_degree_zero_and_agrees_with_whole_numbers() -> None:
    U, W = exact.whole_circuit()
    u, w = torch.tensor(U.astype(float)), torch.tensor(W.astype(float))
    wanted = float(exact.normalized_margin_squared(U, W)) ** 0.5
    assert float(network.normalized_margin(u, w)) == pytest.approx(wanted, rel=1e-14)
    assert float(network.normalized_margin(7 * u, 7 * w)) == pytest.approx(wanted, rel=1e-14)


def test_accuracy_by_hand() -> None:
    U, W = exact.whole_circuit()
    u, w = torch.tensor(U.astype(float)), torch.tensor(W.astype(float))
    assert float(network.accuracy(u, w)) == 1.0
    assert float(network.accuracy(u, w, torch.tensor([[1, 2], [0, 0]]))) == 1.0
    assert float(network.accuracy(u, -w)) == 0.0
