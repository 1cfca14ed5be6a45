"""The model against loops written out, and exact instances."""

from fractions import Fraction

import numpy as np
import pytest
import torch

from featurebook.papers.looped_transformers import attention, data, experiments
from featurebook.papers.looped_transformers.attention import LoopedTransformer


def small() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.standard_normal((3, 2)), rng.standard_normal(3), rng.standard_normal(2)


def test_prompt_holds_examples_labels_start_and_query() -> None:
    X, y, q = small()
    Z = attention.prompt(X, y, 1.5, q)
    expected = np.block([[X, y[:, None]], [q[None], np.array([[1.5]])]])
    np.testing.assert_array_equal(Z, expected)


def test_one_layer_by_hand() -> None:
    """x₁ = (1, 2), y₁ = 3; x₂ = (0, 1), y₂ = -1; q = (1, 1), α = 2: scores 9 and -1."""
    X, y = verbatim([[1, 2], [0, 1]]), verbatim([3, -1])
    net = LoopedTransformer.gradient_descent(2, 2, object)
    out = attention.linear_attention(
        attention.prompt(X, y, Fraction(2), verbatim([1, 1])), net.Q, net.P, net.M
    )
    assert out.tolist() == [[0, 0, 0], [0, 0, 0], [9, 17, 0]]


def test_one_loop_by_hand() -> None:
    """From q = 0, α = 2, η = 1/2: scores 6 and -2, so q = -½(6, 10) and the answer is (3, 5)."""
    net = LoopedTransformer.gradient_descent(2, 2, object)
    Z = attention.prompt(verbatim([[1, 2], [0, 1]]), verbatim([3, -1]), Fraction(2))
    assert net(Z, [Fraction(1, 2)]).tolist() == [3, 5]


def test_label_weight_by_hand() -> None:
    net = LoopedTransformer.gradient_descent(2, 2, object, label=Fraction(3))
    Z = attention.prompt(verbatim([[1, 2], [0, 1]]), verbatim([3, -1]), Fraction(2))
    assert net(Z, [Fraction(1, 2)]).tolist() == [9, 15]


def verbatim(rows: list) -> np.ndarray:  # type: ignore[type-arg]
    return data.exact(np.array(rows, dtype=float))


def test_descent_by_hand() -> None:
    """½(3 - θ)² with step ½ from 0: 3/2, then 9/4."""
    steps = attention.descend(verbatim([[1]]), verbatim([3]), [Fraction(1, 2)] * 2)
    assert [s[0] for s in steps] == [0, Fraction(3, 2), Fraction(9, 4)]


def test_masks() -> None:
    assert attention.mask(2).tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 0]]
    assert attention.mask(2, "printed and itself").tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert attention.mask(2, "strictly causal").tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    assert attention.mask(2, "causal").tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    with pytest.raises(ValueError, match="must be one of"):
        attention.mask(2, "none")


@pytest.mark.parametrize("kind", attention.MASKS)
def test_attentions_against_loops(kind: str) -> None:
    rng = np.random.default_rng(1)
    Z, Q, P = rng.standard_normal((4, 3)), rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    M = attention.mask(3, kind)
    linear, soft = np.zeros((4, 3)), np.zeros((4, 3))
    for i in range(4):
        seen = [j for j in range(4) if M[i, j]]
        scores = [float(Z[i] @ Q @ Z[j]) for j in seen]
        for s, j in zip(scores, seen, strict=True):
            linear[i] += s * (Z[j] @ P)
            soft[i] += np.exp(s) / np.exp(scores).sum() * (Z[j] @ P)
    np.testing.assert_allclose(attention.linear_attention(Z, Q, P, M), linear, atol=1e-12)
    np.testing.assert_allclose(attention.softmax_attention(Z, Q, P, M), soft, atol=1e-12)


def test_softmax_survives_large_scores() -> None:
    Z = 1e3 * np.ones((3, 2))
    out = attention.softmax_attention(Z, np.eye(2), np.eye(2), attention.mask(2))
    np.testing.assert_allclose(out[-1], [1e3, 1e3])


def test_states_of_many_prompts_are_those_of_each() -> None:
    rng = np.random.default_rng(2)
    X, theta = data.gaussian(rng, 5, 6, 3)
    y = np.einsum("kij,kj->ki", X, theta)
    etas = [rng.uniform(0, 0.1, 5) for _ in range(4)]
    net = LoopedTransformer.gradient_descent(6, 3)
    together = net(attention.prompt(X, y, 2.0), etas)
    for k in range(5):
        alone = net(attention.prompt(X[k], y[k], 2.0), [e[k] for e in etas])
        np.testing.assert_allclose(together[k], alone, rtol=1e-13)
    last = list(attention.descend(X, y, etas))[-1]
    np.testing.assert_allclose(together, 2.0 * last, rtol=1e-12)


def test_model_takes_torch() -> None:
    X, y, q = small()
    net = LoopedTransformer.gradient_descent(3, 2)
    Z = attention.prompt(X, y, 1.5, q)
    torched = LoopedTransformer(*(torch.tensor(m) for m in (net.Q, net.P, net.M)))
    np.testing.assert_allclose(torched(torch.tensor(Z), [0.1, 0.2]).numpy(), net(Z, [0.1, 0.2]))


def test_float32_stays_float32() -> None:
    X, y, _ = small()
    net = LoopedTransformer.gradient_descent(3, 2, np.float32)
    Z = attention.prompt(X.astype(np.float32), y.astype(np.float32), 1.0)
    assert net(Z, [np.float32(0.1)] * 3).dtype == np.float32


def test_exact_prompts_have_unit_tasks_and_include_degenerate_ones() -> None:
    cases = list(experiments.exact_prompts(0))
    assert all(theta @ theta == 1 for _, theta, _, _ in cases)
    assert {bool(alpha > 0) for _, _, alpha, _ in cases} == {True, False}
    assert any(not X.any() for X, *_ in cases)
    assert any(X.shape[0] < X.shape[1] for X, *_ in cases)


@pytest.mark.parametrize("seed", range(3))
def test_loop_equals_descent_exactly(seed: int) -> None:
    steps = [Fraction(1, 3), Fraction(4), Fraction(1, 5)]
    for case, y in experiments.any_labels(seed):
        found, expected = experiments.loop_and_descent(*case, steps, y)
        assert (found == expected).all()
        left, right = experiments.one_layer(*case, y)
        assert (left == right).all()


def test_any_labels_begin_with_those_of_the_tasks() -> None:
    cases = list(experiments.exact_prompts(0))
    labelled = experiments.any_labels(0)
    assert len(labelled) == 2 * len(cases)
    assert all((y == X @ theta).all() for (X, theta, *_), y in labelled[: len(cases)])
    assert any((y != X @ theta).any() for (X, theta, *_), y in labelled[len(cases) :])


def test_the_sign_of_the_residual_and_of_the_readout_both_matter() -> None:
    X, y, _ = small()
    net = LoopedTransformer.gradient_descent(3, 2)
    states = list(net.states(attention.prompt(X, y, 1.0), [0.1]))
    np.testing.assert_allclose(attention.read(states[1]), 0.1 * X.T @ y)
    np.testing.assert_allclose(states[1][-1, :2], -0.1 * X.T @ y)


def test_solve_in_fractions() -> None:
    A = verbatim([[0, 2], [1, 1]])
    assert experiments.solve(A, verbatim([4, 3])).tolist() == [1, 2]  # type: ignore[union-attr]
    assert experiments.solve(verbatim([[1, 2], [2, 4]]), verbatim([1, 1])) is None


def test_mirrored_softmax_tends_to_descent() -> None:
    rng = np.random.default_rng(3)
    X, theta = data.gaussian(rng, 1, 5, 2)
    y = np.einsum("kij,kj->ki", X, theta)
    plain = LoopedTransformer.gradient_descent(5, 2)(attention.prompt(X, y, 1.0), [0.05] * 3)
    both = attention.prompt(*experiments.mirrored(X, y), 1.0)
    soft = experiments.mirrored_softmax(5, 2, 1e-4)(both, [0.05] * 3)
    np.testing.assert_allclose(soft, plain, atol=1e-7)


def test_switched_on_are_the_other_ones_of_a_causal_mask() -> None:
    M = attention.mask(3)
    for i, j in experiments.switched_on(3):
        assert M[i, j] == 0
        M[i, j] = 1
    np.testing.assert_array_equal(M, attention.mask(3, "causal"))
