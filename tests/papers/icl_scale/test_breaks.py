"""Every constant of the part's formulas, broken one at a time: some golden value must notice."""

import numpy as np
import pytest

from featurebook.papers.icl_scale import (
    attention,
    certified,
    coupling,
    exact,
    noise,
    parity,
    quadrature,
)
from featurebook.papers.icl_scale import regression as reg
from mutants import Covered, assert_noticed
from papers.icl_scale import test_attention as A
from papers.icl_scale import test_certified as C
from papers.icl_scale import test_coupling as K
from papers.icl_scale import test_exact as E
from papers.icl_scale import test_noise as N
from papers.icl_scale import test_parity as P
from papers.icl_scale import test_regression as R


def flips_exact() -> None:
    N.test_flip_risk_against_exact_mean("exact")


def flips_independent() -> None:
    N.test_flip_risk_against_exact_mean("independent")


def hamming_margins() -> None:
    P.test_margins_are_hamming_distances(4)


def costs() -> None:
    for name, (_, heads, cost) in C.NETWORKS.items():
        made = {
            "d2": certified.cheap_d2,
            "d4": certified.cheap_d4,
            "d4 full": certified.cheap_d4_four_heads,
            "four": lambda: certified.four_heads(8),
            "subsets 8": lambda: certified.by_subsets(8),
        }
        if name in made:
            net = made[name]()
            assert (len(net.heads), net.cost, net.least_margin()) == (heads, cost, 1)
            assert {a for a, _ in net.heads} == {-1, 1}


def risk_at_one_place() -> None:
    w, v, lam = np.array([0.5, -1.2]), np.array([0.4, 0.0]), np.array([2.3, 0.7])
    exact = quadrature.risk(np.diag(v), lam, 2, w=w, sigma=0.8)
    assert np.isclose(reg.risk(w, lam, v, 2, 0.8), exact, rtol=1e-12)


def simplex() -> None:
    net = certified.cheap_from_simplex(4, [certified.F(1, 2)] * 2)
    assert (net.cost, net.least_margin()) == (14, 1)


def printed_cost() -> None:
    assert (certified.printed(2).cost, certified.printed(2).least_margin()) == (12, 1)


def gamma_by_hand() -> None:
    assert np.allclose(reg.gamma([2.0, 1.0], 4), [3.25, 2.0])


def flips() -> None:
    flips_exact()
    flips_independent()


COVERED = [
    Covered(reg.gamma, R.test_loss_against_exact_mean, gamma_by_hand),
    Covered(reg.loss, R.test_loss_against_exact_mean),
    Covered(reg.constant, R.test_loss_against_exact_mean),
    Covered(reg.least_loss, R.test_search_finds_the_least_loss_and_never_less),
    Covered(reg.excess, R.test_excess_is_the_difference_to_the_least_loss),
    Covered(reg.optimum, R.test_optimum_is_the_truncated_svd, R.test_optimum_by_hand),
    Covered(reg.risk, R.test_risk_against_exact_mean, risk_at_one_place),
    Covered(reg.risk_implied, R.test_implied_risk_is_the_limit),
    Covered(reg.gap, R.test_gap_against_exact_mean),
    Covered(reg.second_moment, R.test_second_moment_against_exact_mean),
    Covered(reg.free_blocks_loss, R.test_free_blocks_against_exact_mean),
    Covered(reg.least_free_blocks_loss, R.test_least_free_blocks_loss_is_the_minimum),
    Covered(reg.attention, R.test_prediction_by_hand),
    Covered(quadrature.gaussians, R.test_quadrature_against_moments_of_a_gaussian),
    Covered(noise.sensitivity, N.test_sensitivity_is_the_slope_of_the_exact_risk),
    Covered(noise.curvature, flips_independent, flips_exact, flips),
    Covered(noise._flipped, flips_exact, flips),
    Covered(noise.helps, N.test_rule_finds_the_best_rank),
    Covered(noise.sign_accuracy, N.test_accuracy_against_the_bivariate_normal),
    Covered(noise.contexts, N.test_contexts_have_the_mean_of_flipped_labels),
    Covered(parity.printed, hamming_margins),
    Covered(parity.hamming, P.test_hamming_by_hand),
    Covered(parity.chances, P.test_losses_weigh_signs_by_their_chance),
    Covered(
        parity.loss_on_s2,
        P.test_losses_and_norm_of_the_printed_networks,
        P.test_loss_on_unimportant_tasks_by_hand,
    ),
    Covered(parity.norm, P.test_losses_and_norm_of_the_printed_networks),
    Covered(parity.threshold, P.test_threshold_by_hand),
    Covered(parity.scale_facts, P.test_facts_fail_for_networks_that_lack_them),
    Covered(coupling.group_law, K.test_law_of_two_groups_against_enumeration),
    Covered(coupling.errors, K.test_proof_coupling_has_the_error_of_whole_prompts),
    Covered(certified.Network.answers_by_activity, C.test_activity_asks_less_than_signs),
    Covered(parity.output, P.test_output_against_the_definition),
    Covered(parity.epsilon_bound, P.test_error_stays_below_the_bound_and_above_the_lower_one),
    Covered(parity.error_below, P.test_error_stays_below_the_bound_and_above_the_lower_one),
    Covered(parity.coupled, P.test_coupled_noise_is_fresh_on_the_task_and_the_prompts_own_off_it),
    Covered(parity.accuracy, P.test_accuracy_counts_ties_half),
    Covered(certified.printed, printed_cost, C.test_small_printed_network_keeps_some_digits),
    Covered(certified.Network.covers_by_signs, C.test_covering_by_signs),
    Covered(quadrature.exact_mean, R.test_exact_mean_of_powers),
    Covered(quadrature.exact_risk, R.test_exact_risks_against_quadrature),
    Covered(quadrature.exact_full_risk, R.test_exact_risks_against_quadrature),
    Covered(certified.four_heads, costs),
    Covered(certified.cheap_d4, costs),
    Covered(certified.cheap_d4_four_heads, costs),
    Covered(certified.cheap_from_simplex, simplex),
    Covered(certified.cheap_d2, costs),
    Covered(attention.population_loss, A.test_population_loss_is_that_of_regression),
    Covered(attention.parity_table, A.test_parity_population_against_enumeration),
    Covered(attention.score_norms, A.test_score_norms_split_the_row),
    Covered(certified.sperner, C.test_sperner_numbers),
    Covered(certified.by_subsets, costs),
    Covered(exact.direction, E.test_one_direction_by_hand),
    Covered(exact.rank_difference, E.test_difference_is_that_of_the_mean_risks),
    Covered(parity.losses, P.test_losses_and_norm_of_the_printed_networks),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
