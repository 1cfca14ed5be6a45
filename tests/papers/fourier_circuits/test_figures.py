"""What the figures of trained networks show, on networks that are known."""

import pytest
import torch

from featurebook.papers.fourier_circuits import circuits, fourier, training
from featurebook.papers.fourier_circuits.checks import figures
from featurebook.verdicts.comparisons import inequality


def test_portrait_of_a_circuit_with_a_dead_neuron() -> None:
    U, W = circuits.network(*circuits.grid(2), 7)
    U, W = torch.cat([U, 1e-3 * torch.ones(1, 2, 7)]), torch.cat([W, 1e-3 * torch.ones(1, 7)])
    found = figures.portrait({"U": U[None], "W": W[None]})
    assert found["alive"].tolist() == [True] * (len(U) - 1) + [False]
    for name in ("power", "one"):
        assert found[name][:-1].tolist() == pytest.approx([1.0] * (len(U) - 1))
        assert float(found[name][-1]) == pytest.approx(0, abs=1e-6)  # its mean counts as power
    assert found["weights"].shape == (figures.SHOWN, 3, 7)
    assert fourier.evenness(found["frequency"][None, :-1], 3)[2] == 0


def test_a_mean_in_the_output_counts_for_all_vectors_alone() -> None:
    U, W = circuits.network(*circuits.grid(2), 7)
    lifted = figures.portrait({"U": U[None], "W": W[None] + W.abs().max()})
    assert float(lifted["power"].min()) == pytest.approx(1)
    assert float(lifted["one"].max()) < 0.9


def test_the_text_is_recognised_by_its_moduli() -> None:
    assert figures.sizes([97, 47, 23]) == figures.TEXT
    assert figures.sizes([7, 5, 5]) == "k = 3, 4, 5, p = [7, 5, 5]"


def test_what_is_not_shown_refutes_nothing() -> None:
    assert figures.seen(inequality(1.0, 2.0)).outcome == "holds"
    missed = figures.seen(inequality(2.0, 1.0))
    assert (missed.outcome, missed.reason) == ("open", "not seen")


def test_a_network_that_still_guesses_shows_nothing_of_training() -> None:
    two = {4: {"right": 0.98}, 5: {"right": 0.04}}
    assert [k for k, _ in figures.learned(two)] == [4]
    (guesses,) = figures.not_learned(two)
    assert (guesses.outcome, guesses.reason) == ("open", "undecided")
    assert "k = 5" in guesses.title


def test_one_neuron_in_a_hundred_may_deviate() -> None:
    values = torch.ones(200)
    values[0] = 0.1
    assert figures.least(values) > figures.PURE
    values[1:4] = 0.1
    assert figures.least(values) < figures.PURE


def test_the_recipe_makes_neurons_purer() -> None:
    run, _ = training.train_as_printed(3, 5, steps=200, seed=0)
    start = figures.portrait(training.initial(3, 5, 64, 0.2, [0]))
    assert figures.portrait(run.params)["one"].median() > start["one"].median()
