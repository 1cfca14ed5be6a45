"""Every constant of the part's formulas, broken one at a time: some golden value must notice."""

import numpy as np
import pytest

from featurebook.papers.icl_scale import (
    attention,
    certified,
    coupling,
    exact,
    gpt,
    noise,
    parity,
    quadrature,
)
from featurebook.papers.icl_scale import regression as reg
from mutation import Mutation, assert_noticed, survivors
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


TABLE = [
    Mutation(reg.gamma, "1 + 1 / N", "1 + 2 / N", R.test_loss_against_exact_mean),
    Mutation(reg.gamma, "x.sum() / N", "x.max() / N", R.test_loss_against_exact_mean),
    Mutation(reg.gamma, "1 + 1 / N", "1", gamma_by_hand),
    Mutation(reg.loss, "u ** 2 / 2", "u ** 2", R.test_loss_against_exact_mean),
    Mutation(reg.loss, "lam ** 2", "lam", R.test_loss_against_exact_mean),
    Mutation(reg.constant, 2, 1.01, R.test_loss_against_exact_mean),
    Mutation(reg.least_loss, 2, 1.01, R.test_search_finds_the_least_loss_and_never_less),
    Mutation(reg.least_loss, "lam ** 2", "lam",
             R.test_search_finds_the_least_loss_and_never_less),
    Mutation(reg.excess, 2, 1.01, R.test_excess_is_the_difference_to_the_least_loss, 1),
    Mutation(reg.excess, "lam / g", "1 / g", R.test_excess_is_the_difference_to_the_least_loss),
    Mutation(reg.optimum, "N + 1", "N", R.test_optimum_is_the_truncated_svd),
    Mutation(reg.optimum, "lam.sum()", "lam.max()", R.test_optimum_by_hand),
    Mutation(reg.optimum, "< r", "<= r", R.test_optimum_by_hand),
    Mutation(reg.risk, "lam ** 3", "lam ** 2", R.test_risk_against_exact_mean),
    Mutation(reg.risk, "v ** 2 * lam ** 2", "v * lam ** 2", R.test_risk_against_exact_mean),
    Mutation(reg.risk, "sigma ** 2", "sigma", R.test_risk_against_exact_mean),
    Mutation(reg.risk, "spread / M", "spread / (M + 1)", R.test_risk_against_exact_mean),
    Mutation(reg.risk, "xi ** 2", "xi", R.test_risk_against_exact_mean),
    Mutation(reg.risk, "lam * v - 1", "lam * v", R.test_risk_against_exact_mean),
    Mutation(reg.risk_implied, "r + 1", "r", R.test_implied_risk_is_the_limit),
    Mutation(reg.risk_implied, "r * sigma ** 2", "sigma ** 2", R.test_implied_risk_is_the_limit),
    Mutation(reg.gap, "N + 1", "N", R.test_gap_against_exact_mean),
    Mutation(reg.gap, "sigma ** 2", "sigma", R.test_gap_against_exact_mean),
    Mutation(reg.gap, "energy / M", "energy / (M + 1)", R.test_gap_against_exact_mean),
    Mutation(reg.second_moment, "2 * np", "1 * np", R.test_second_moment_against_exact_mean),
    Mutation(reg.free_blocks_loss, "N + 3", "N + 2", R.test_free_blocks_against_exact_mean),
    Mutation(reg.free_blocks_loss, "4 / N", "3 / N", R.test_free_blocks_against_exact_mean),
    Mutation(reg.free_blocks_loss, "8 * ", "6 * ", R.test_free_blocks_against_exact_mean),
    Mutation(reg.least_free_blocks_loss, "8 * ", "6 * ",
             R.test_least_free_blocks_loss_is_the_minimum),
    Mutation(reg.least_free_blocks_loss, "5 / N", "3 / N",
             R.test_least_free_blocks_loss_is_the_minimum),
    Mutation(reg.attention, "/ rho", "/ (rho + 1)", R.test_prediction_by_hand),
    Mutation(quadrature.gaussians, "w / w.sum()", "w",
             R.test_quadrature_against_moments_of_a_gaussian),
    Mutation(noise.sensitivity, "lam ** 2", "lam",
             N.test_sensitivity_is_the_slope_of_the_exact_risk),
    Mutation(noise.curvature, "else 2 - ", "else 1 - ", flips_independent),
    Mutation(noise.curvature, "1.0 if", "2.0 if", flips_exact),
    Mutation(noise._flipped, "1 - 2 * p", "1 - p", flips_exact),
    Mutation(noise._flipped, "lam ** 3", "lam ** 2", flips_exact),
    Mutation(noise.helps, "sigma ** 2", "sigma", N.test_rule_finds_the_best_rank),
    Mutation(noise.helps, "2 * ", "1.9 * ", N.test_rule_finds_the_best_rank),
    Mutation(noise.helps, "N + 1", "N", N.test_rule_finds_the_best_rank),
    Mutation(noise.sign_accuracy, "np.pi", "3", N.test_accuracy_against_the_bivariate_normal),
    Mutation(noise.contexts, "*= -1", "*= 1", N.test_contexts_have_the_mean_of_flipped_labels),
    Mutation(parity.printed, "codes[:nu] / 2", "codes[:nu] / 3", hamming_margins),
    Mutation(parity.printed, "-nu / 2", "-nu / 3", hamming_margins),
    Mutation(parity.hamming, "- 1", "- 2", P.test_hamming_by_hand),
    Mutation(parity.chances, "0.25 + gamma", "0.25 + 2 * gamma",
             P.test_losses_weigh_signs_by_their_chance),
    Mutation(parity.loss_on_s2, "d / k - 1", "d / k",
             P.test_losses_and_norm_of_the_printed_networks),
    Mutation(parity.norm, 4, 1.1, P.test_losses_and_norm_of_the_printed_networks),
    Mutation(parity.threshold, "d - 1", "d", P.test_threshold_by_hand),
    Mutation(parity.threshold, "0.25 - gamma", "0.25 + gamma", P.test_threshold_by_hand),
    Mutation(parity.scale_facts, "== nu - 1", "<= nu - 1",
             P.test_facts_fail_for_networks_that_lack_them),
    Mutation(coupling.group_law, "n - M", "n",
             K.test_law_of_two_groups_against_enumeration),
    Mutation(coupling.group_law, "[3, 1, 2, 0]", "[0, 1, 2, 3]",
             K.test_law_of_two_groups_against_enumeration),
    Mutation(coupling.errors, "2 * gamma", "gamma",
             K.test_proof_coupling_has_the_error_of_whole_prompts),
    Mutation(certified.Network.answers_by_activity, "x * y", "-x * y",
             C.test_activity_asks_less_than_signs),
    Mutation(parity.output, "2 * gamma", "gamma", P.test_output_against_the_definition),
    Mutation(parity.epsilon_bound, 8, 1.1,
             P.test_error_stays_below_the_bound_and_above_the_lower_one),
    Mutation(parity.epsilon_bound, "2 * nu", "nu",
             P.test_error_stays_below_the_bound_and_above_the_lower_one),
    Mutation(parity.error_below, 4, 1.1,
             P.test_error_stays_below_the_bound_and_above_the_lower_one),
    Mutation(parity.coupled, "* 2 - 1", "* 2 - 1.1",
             P.test_coupled_noise_is_fresh_on_the_task_and_the_prompts_own_off_it),
    Mutation(parity.coupled, "2 * gamma", "2.3 * gamma",
             P.test_coupled_noise_is_fresh_on_the_task_and_the_prompts_own_off_it),
    Mutation(parity.accuracy, "/ 2", "/ 3", P.test_accuracy_counts_ties_half),
    Mutation(certified.printed, "F(-digits, 2)", "F(-digits, 3)", printed_cost),
    Mutation(certified.printed, "range(digits)", "range(nu)",
             C.test_small_printed_network_keeps_some_digits),
    Mutation(certified.Network.covers_by_signs, "i in up", "j in up",
             C.test_covering_by_signs),
    Mutation(quadrature.exact_mean, "p - 1", "p", R.test_exact_mean_of_powers),
    Mutation(quadrature.exact_risk, "/ sympy.Integer(M)", "/ (sympy.Integer(M) + 1)",
             R.test_exact_risks_against_quadrature),
    Mutation(quadrature.exact_full_risk, "- (task.T * query)[0]", "+ (task.T * query)[0]",
             R.test_exact_risks_against_quadrature),
    Mutation(certified.four_heads, "2 * p - d - 1", "2 * p - d", costs),
    Mutation(certified.four_heads, "d - 1", "d - 2", costs, 1),
    Mutation(certified.cheap_d4, "F(5, 6)", "F(4, 6)", costs),
    Mutation(certified.cheap_d4, "-11", "-10", costs),
    Mutation(certified.cheap_d4_four_heads, "F(x, 4)", "F(x, 5)", costs),
    Mutation(certified.cheap_from_simplex, "F(1, letters)", "F(1, letters + 1)", simplex),
    Mutation(certified.cheap_d2, "F(1, 4)", "F(1, 5)", costs),
    Mutation(attention.population_loss, "** 2 / 2", "** 2",
             A.test_population_loss_is_that_of_regression),
    Mutation(attention.population_loss, "1 + 1 / N", "1 + 2 / N",
             A.test_population_loss_is_that_of_regression),
    Mutation(attention.parity_table, "gamma * (i + j)", "2 * gamma * (i + j)",
             A.test_parity_population_against_enumeration),
    Mutation(attention.score_norms, "x.shape[-2]", "x.shape[-1]", A.test_score_norms_split_the_row),
    *(Mutation(gpt.initial, number, 1.1,
               A.test_a_gpt_begins_with_weights_of_variance_one_over_their_inputs)
      for number in (0.5, 4)),
]  # fmt: skip


@pytest.mark.parametrize("mutation", TABLE, ids=str)
def test_no_mutation_survives(mutation: Mutation) -> None:
    assert_noticed(mutation)


def flips() -> None:
    flips_exact()
    flips_independent()


WHOLE = [
    (noise.sensitivity, N.test_sensitivity_is_the_slope_of_the_exact_risk, ()),
    (noise.curvature, flips, ()),
    (noise._flipped, flips, ()),
    (reg.gamma, gamma_by_hand, ()),
    (reg.loss, R.test_loss_against_exact_mean, ()),
    (reg.constant, R.test_loss_against_exact_mean, ()),
    (reg.least_loss, R.test_search_finds_the_least_loss_and_never_less, ()),
    (reg.excess, R.test_excess_is_the_difference_to_the_least_loss, ()),
    (reg.gap, R.test_gap_against_exact_mean, ()),
    (reg.risk_implied, R.test_implied_risk_is_the_limit, ()),
    (reg.second_moment, R.test_second_moment_against_exact_mean, ()),
    (reg.free_blocks_loss, R.test_free_blocks_against_exact_mean, ()),
    (reg.least_free_blocks_loss, R.test_least_free_blocks_loss_is_the_minimum, ()),
    (quadrature.gaussians, R.test_quadrature_against_moments_of_a_gaussian, ()),
    (parity.norm, P.test_losses_and_norm_of_the_printed_networks, ()),
    (parity.threshold, P.test_threshold_by_hand, ()),
    (parity.chances, P.test_losses_weigh_signs_by_their_chance, ()),
    (parity.hamming, P.test_hamming_by_hand, ()),
    (parity.output, P.test_output_against_the_definition, ()),
    (parity.epsilon_bound, P.test_error_stays_below_the_bound_and_above_the_lower_one, ()),
    (certified.sperner, C.test_sperner_numbers, ()),
    (certified.by_subsets, costs, ()),
    (certified.cheap_d2, costs, ()),
    (certified.cheap_d4, costs, ()),
    (certified.cheap_d4_four_heads, costs, ()),
    (certified.four_heads, costs, ()),
    (attention.population_loss, A.test_population_loss_is_that_of_regression, ()),
    (attention.parity_table, A.test_parity_population_against_enumeration, ()),
    (exact.direction, E.test_one_direction_by_hand, ()),
    (exact.rank_difference, E.test_difference_is_that_of_the_mean_risks, ()),
    (reg.optimum, R.test_optimum_is_the_truncated_svd, (0, 0.0)),
    (reg.risk, risk_at_one_place, (0, 0.0)),
    (noise.helps, N.test_rule_finds_the_best_rank, (0,)),
    (parity.losses, P.test_losses_and_norm_of_the_printed_networks, (0, 0.0)),
    (parity.loss_on_s2, P.test_loss_on_unimportant_tasks_by_hand, ()),
]


@pytest.mark.parametrize(
    ("function", "check", "skip"), WHOLE, ids=lambda x: getattr(x, "__name__", "")
)
def test_no_number_survives(function, check, skip) -> None:  # type: ignore[no-untyped-def]
    assert not survivors(function, check, skip=skip)
