"""Training: gradients by hand, closed forms on known networks, one short run."""

import math

import pytest
import torch

from featurebook.papers.fourier_circuits import (
    ascent,
    circuits,
    fourier,
    network,
    theory,
    training,
)

SEEDS = [0, 1]


@pytest.mark.parametrize("r", [1.0, 3.0])
@pytest.mark.parametrize("some", [False, True])
def test_gradient_is_that_of_automatic_differentiation(r: float, some: bool) -> None:
    params = {n: x.double() for n, x in training.initial(3, 4, 5, 0.4, SEEDS).items()}
    a, rest = training.half(3, 4, SEEDS)
    assert a.shape == rest.shape == (2, 32, 3)
    batch = {"reg": torch.tensor([[0.1], [0.3]]).double().expand(2, 32 if some else 1)}
    if some:
        batch["a"] = a
    automatic = torch.func.vmap(
        torch.func.grad_and_value(lambda q, b: training.loss(q, b, r)), in_dims=(0, 0)
    )
    wanted, value = automatic(params, batch)
    grads, loss = training.gradient(params, batch, r)
    assert torch.allclose(loss, value)
    for name in ("U", "W"):
        assert torch.allclose(grads[name], wanted[name], atol=1e-12)


def test_loss_by_hand() -> None:
    U, W = circuits.network(*circuits.short(2), 5)
    params = {"U": 3 * U[None], "W": 3 * W[None]}
    wanted = math.log(1 + 4 * math.exp(-theory.gamma(2, 5) * 27)) + 0.2 * 3
    assert float(training.full_loss(params, [0.2], 1.0)) == pytest.approx(wanted, rel=1e-12)
    one = {n: x[0] for n, x in params.items()}
    assert float(training.loss(one, {"reg": torch.tensor([0.2])}, 1.0)) == pytest.approx(wanted)
    bound, loss = training.bound_sides(3 * torch.cat([U, W[:, None]], 1)[None], 0.2, 1.0)
    assert float(loss) == pytest.approx(wanted, rel=1e-12)
    assert float(bound) == pytest.approx(wanted, rel=1e-12)


def test_the_smallest_loss_of_a_circuit_is_the_minimum() -> None:
    U, W = circuits.network(*circuits.short(2), 5)
    for share in (0.3, 0.001):
        reg = share * theory.gamma(2, 5)
        found = training.smallest_loss(3 * U, 3 * W, reg, 3)
        assert found == pytest.approx(theory.minimum(2, 5, reg)[1], rel=1e-9)
    assert training.smallest_loss(U, W, 1.0, 1) == pytest.approx(math.log(5))  # zero is best


def test_schedule() -> None:
    at = training.warm_cosine(0.5, 110)
    assert at(5) == pytest.approx(0.25)
    assert at(10) == pytest.approx(0.5)
    assert at(60) == pytest.approx(0.25, abs=0.01)
    assert at(110) == pytest.approx(0.25 * (1 + math.cos(math.pi * 100 / 101)))


def test_measures_of_a_circuit() -> None:
    U, W = circuits.network(*circuits.grid(2), 7)
    found = training.measures({"U": 2 * U[None], "W": 2 * W[None]})
    for name, value in [
        ("margin", 1), ("norm", 2), ("efficiency", 1), ("one_frequency", 1), ("phase", 0),
        ("least_share", 1), ("most_share", 1), ("covered", 3),
    ]:  # fmt: skip
        assert float(found[name]) == pytest.approx(value, abs=1e-10)


def test_a_short_training_ends_near_the_closed_form() -> None:
    lam = [0.5 * theory.gamma(2, 5), 0.95 * theory.gamma(2, 5)]
    start = training.initial(2, 5, 24, 0.3, SEEDS)
    run = training.train(start, lam, 3, steps=250, lr=2e-2, seeds=SEEDS)
    found = training.full_loss(run.params, lam, 3)
    wanted = [theory.minimum(2, 5, x)[1] for x in lam]
    assert found.tolist() == pytest.approx(wanted, rel=1e-3)
    flat = training.train(start, 0.01, 1, steps=3, lr=1e-3, seeds=SEEDS, constant=True, decay=0.1)
    assert flat.params["U"].shape == (2, 24, 2, 5)


def test_ascent_comes_near_the_maximum_and_not_above() -> None:
    best, last = ascent.climb(ascent.start(2, 3, 12, SEEDS), steps=150)
    assert (best <= theory.gamma(2, 3) * (1 + 1e-12)).all()
    assert float(best.max()) > 0.9 * theory.gamma(2, 3)
    assert (network.normalized_margin(last["U"], last["W"]) <= best).all()


def test_the_printed_recipe_runs_at_the_printed_width() -> None:
    run, right = training.train_as_printed(3, 5, steps=60, seed=1)
    assert run.params["U"].shape == (1, 64, 3, 5)
    start = training.shape(training.initial(3, 5, 64, 0.2, [1]))["efficiency"]
    assert (training.shape(run.params)["efficiency"] > start.abs() + 0.2).all()
    assert 0 <= right <= 1


def test_embeddings_are_looked_up_as_products_with_ones_have_it() -> None:
    U = training.initial(3, 5, 4, 1.0, SEEDS)["U"].double()
    a, _ = training.half(3, 5, SEEDS)
    assert torch.allclose(training.looked_up(U, a), network.preactivations(U, a))
    dh = torch.randn(2, 4, a.shape[1]).double()
    wanted = (dh @ network.one_hot(a, 5).double()).unflatten(-1, (3, 5))
    assert torch.allclose(training.added_up(dh, a, 5), wanted)


def test_best_neurons_and_even_counts() -> None:
    U, W = circuits.network(*circuits.grid(2), 7)
    both = {"U": torch.stack([U, U]), "W": torch.stack([W, -W])}
    found = training.best_by_frequency(both)
    assert found[0].tolist() == pytest.approx([1, 1, 1])
    assert found[1].tolist() == pytest.approx([-1, -1, -1])
    only = {"U": U[None, :8], "W": W[None, :8]}  # the frequency 1 alone
    assert training.best_by_frequency(only)[0].tolist() == pytest.approx([1, -1, -1])
    statistic, limit, empty = fourier.evenness(fourier.frequency(both["U"], both["W"]), 3)
    assert statistic.tolist() == [0, 0]
    assert empty == 0
    assert limit == pytest.approx(-2 * math.log(1e-4))  # two degrees of freedom
    statistic, _, empty = fourier.evenness(fourier.frequency(only["U"], only["W"]), 3)
    assert statistic.tolist() == pytest.approx([16])  # 8 where 8/3 are expected
    assert empty == 2


def test_half_of_the_inputs_leads_towards_a_circuit() -> None:
    far, right = training.on_half(2, 5, 60, SEEDS)
    before, _ = training.on_half(2, 5, 0, SEEDS)
    assert far.shape == right.shape == (len(SEEDS),)
    assert ((far >= 0) & (far < before)).all()
    assert ((right >= 0) & (right <= 1)).all()


def test_frequencies_with_a_tenth_of_an_equal_share_are_covered() -> None:
    U, W = circuits.network(*circuits.grid(2), 7)
    which = fourier.frequency(U, W)
    for share, covered in [(0.12, 3), (0.06, 2)]:  # of an equal share, at the frequency 1
        size = torch.where(which == 1, share ** (1 / 3), 1.0)
        total = (2 + share) / 3
        V, X = size[:, None, None] * U, size[:, None] * W
        found = training.measures({"U": V[None], "W": X[None]})
        assert float(found["least_share"]) == pytest.approx(share / total)
        assert int(found["covered"]) == covered


def test_half_of_the_inputs_is_trained_with_a_fiftieth_of_the_margin_as_penalty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[float, float, float]] = []

    def train(params: object, reg: float, r: float, *, lr: float, **_: object) -> None:
        seen.append((reg, r, lr))
        raise StopIteration

    monkeypatch.setattr(training, "train", train)
    with pytest.raises(StopIteration):
        training.on_half(2, 5, 1, SEEDS)
    assert seen == [(pytest.approx(theory.gamma(2, 5) / 50), 3, 0.01)]


@pytest.mark.parametrize(("k", "neurons"), [(2, 16), (3, 48)])
def test_half_of_the_inputs_is_fitted_by_as_many_neurons(
    k: int, neurons: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[int, float]] = []

    def initial(k: int, p: int, m: int, sigma: float, seeds: list[int]) -> None:
        made.append((m, sigma))
        raise StopIteration

    monkeypatch.setattr(training, "initial", initial)
    with pytest.raises(StopIteration):
        training.on_half(k, 5, 1, SEEDS)
    assert made == [(neurons, 0.2)]  # 4 and 12 times p - 1
