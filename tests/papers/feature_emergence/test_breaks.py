"""No constant of a closed form can be broken unnoticed."""

import pytest

from featurebook.papers.feature_emergence import (
    appendix,
    data,
    exact,
    fixed,
    general,
    hardness,
    network,
    practice,
    steps,
)
from featurebook.papers.feature_emergence.checks import images as checked
from mutants import Constant, Covered, assert_constant_noticed, assert_noticed
from papers.feature_emergence import (
    test_fixed,
    test_models,
)
from papers.feature_emergence import test_golden as golden


def broken_tents(name: str, tents: exact.Tents) -> None:
    """The golden values with other tents."""
    kept = getattr(exact, name)
    setattr(exact, name, tents)
    try:
        golden.golden_tents()
    finally:
        setattr(exact, name, kept)


@pytest.mark.parametrize(
    ("name", "tents"),
    [
        ("LEMMA_35", ((0.0, 4.4), (0.25, 8.0))),
        ("LEMMA_35", ((0.0, 4.0), (0.25, 8.8))),
        ("LEMMA_35", ((0.0, 4.0), (0.275, 8.0))),
        ("FLATTER", ((0.0, 4.0), (0.125, 4.4), (-0.125, 4.0))),
        ("FLATTER", ((0.0, 4.0), (0.15, 4.0), (-0.15, 4.0))),
    ],
)
def test_other_tents_are_noticed(name: str, tents: exact.Tents) -> None:
    with pytest.raises((AssertionError, StopIteration)):
        broken_tents(name, tents)


COVERED = [
    Covered(hardness.parseval_bound, golden.golden_biased_parities, golden.golden_lower_bounds),
    Covered(data.parity_mixture, golden.golden_mixture),
    Covered(network.sigma_a, golden.golden_moments),
    Covered(hardness.printed_bound, golden.golden_lower_bounds),
    Covered(exact.epsilon_e, golden.golden_epsilon_e),
    Covered(fixed.printed_bound, test_fixed.test_printed_bound_is_rounded_down),
    Covered(fixed.mean_root, test_fixed.test_mean_root_against_a_sum),
    Covered(network.eta_one, golden.golden_moments),
    Covered(general.General.eta_one, golden.golden_general),
    Covered(general.General.sigma_a, golden.golden_general),
    Covered(general.General.sigma, golden.golden_general),
    Covered(general.General.variance, golden.golden_general),
    Covered(general.General.epsilon_e, golden.golden_general),
    Covered(exact.good_network, golden.golden_tents),
    Covered(data.all_or_none, golden.golden_mixture),
    Covered(data.Distribution.sigma_phi_squared, golden.golden_moments),
    Covered(data.Distribution.class_weights, golden.golden_moments),
    Covered(network.lifted_cosines, golden.golden_lifted_cosines),
    Covered(network.rescaled, golden.golden_rescaled),
    Covered(steps.match, golden.golden_match),
    Covered(steps.first_step, golden.golden_steps),
    Covered(steps.left_out, golden.golden_left_out),
    Covered(appendix.typical, golden.golden_typical),
    Covered(network.initial, test_models.check_starts),
    Covered(network.gradient, test_models.check_margin),
    Covered(network.class_weights, test_models.check_margin),
    Covered(network.hinge, test_models.check_hinge),
    Covered(network.activation, test_models.check_hinge),
    Covered(practice.centres, test_models.check_mixtures),
    Covered(practice.draw_mixture, test_models.check_mixtures),
    Covered(checked.two_clusters, test_models.check_two_clusters),
    Covered(data.binomial, test_models.check_mixtures),
]
CONSTANTS = [
    Constant(steps, "BERRY_ESSEEN", 1.1, golden.golden_left_out),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)


@pytest.mark.parametrize("constant", CONSTANTS, ids=str)
def test_breaks_of_a_constant_are_noticed(constant: Constant) -> None:
    assert_constant_noticed(constant)
