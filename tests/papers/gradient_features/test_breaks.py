"""Every constant of the part's formulas, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.gradient_features import (
    construction,
    data,
    exact,
    experiments,
    lemmas,
    linear,
    majority,
    maps,
    network,
    one_step,
    theory,
    xor_decay,
)
from mutants import Covered, assert_noticed
from papers.gradient_features import test_attacks as A
from papers.gradient_features import test_exact as E
from papers.gradient_features import test_golden as T
from papers.gradient_features import test_network as N


def parity_of_three() -> None:
    N.test_parity_draws_its_support(3)


def one_block() -> None:
    A.test_least_loss_without_bias_against_a_grid(3, 0.1)


def laws() -> None:
    for d in (10.0, 1e8):
        T.test_the_grid_has_the_law_of_the_rest_of_a_gaussian(d)


COVERED = [
    Covered(maps.G_mixture, T.test_mixture_against_quadrature),
    Covered(maps.G_neuron, T.test_one_neuron_against_quadrature),
    Covered(maps.output_mixture, T.test_output_is_the_integral_of_the_gradient),
    Covered(maps.G_points, T.test_mixture_against_monte_carlo),
    Covered(maps.in_cone, T.test_cones_by_hand),
    Covered(xor_decay.components, T.test_xor_components_are_those_of_the_mixture),
    Covered(xor_decay.decay, T.test_decay_against_random_neurons),
    Covered(theory.nearly_right, T.test_too_few_nice),
    Covered(theory.middle_term_mixture, T.test_rates_of_mixtures),
    Covered(theory.prescription, T.test_prescription_by_hand),
    Covered(
        construction.build,
        T.test_construction_in_the_limit,
        T.test_construction_draws_the_law_of_the_whole_network,
        T.test_construction_with_a_constant_and_overwriting,
    ),
    Covered(
        construction.biased_parity,
        T.test_construction_in_the_limit,
        T.test_families_of_the_constructions,
    ),
    Covered(lemmas.smooth_sides, T.test_smooth_descent_by_hand),
    Covered(lemmas.divergent_step, T.test_divergent_step_by_hand),
    Covered(lemmas.loss_gap_sides, T.test_loss_gap_by_hand),
    Covered(lemmas.sign_mean_tail, E.test_mean_of_signs_by_hand),
    Covered(lemmas.drift_sides, T.test_majorant_by_hand),
    Covered(data.linear_support, N.test_linear_data),
    Covered(data.one_sided_noise, N.test_linear_data),
    Covered(data.easy_and_hard, N.test_mixtures_have_their_moments),
    Covered(data.Parity.draw, parity_of_three),
    Covered(data.Parity.support, parity_of_three),
    Covered(network.first_step, N.test_first_step_is_a_step_with_weight_decay),
    Covered(network.first_step_exact, N.test_exact_first_step_is_the_limit_of_samples),
    Covered(network.gradient, N.test_gradient_is_autograd),
    Covered(network.symmetric, N.test_symmetric_start),
    Covered(network.randomised, N.test_controls_keep_norms),
    Covered(
        experiments.after_first_step, N.test_effective_thresholds_are_those_that_kappa_asks_for
    ),
    Covered(one_step.multi_index_target, N.test_multi_index_target_and_training),
    Covered(one_step.parity_step_size, N.test_algorithm_6_first_step_is_the_coefficient),
    Covered(one_step.linear_grid, N.test_algorithm_6_first_step_is_the_coefficient),
    Covered(construction.least_loss_without_bias, one_block),
    Covered(
        lemmas.slope_sums,
        A.test_slopes_of_one_neuron_by_hand,
        A.test_a_satisfied_or_sleeping_neuron_stays,
    ),
    Covered(linear.linear_floor, A.test_floor_of_linear_models),
    Covered(xor_decay.grid, laws),
    Covered(maps.phi, T.test_density),
    Covered(maps.G_quadratic, T.test_quadratic_by_hand),
    Covered(maps.G_quadratic_plane, T.test_quadratic_by_hand),
    Covered(xor_decay.claimed, T.test_claimed_decay_by_hand),
    Covered(theory.width, T.test_prescription_by_hand),
    Covered(theory.bias, T.test_prescription_by_hand),
    Covered(theory.steps, T.test_prescription_by_hand),
    Covered(theory.least_bias_scale, T.test_prescription_by_hand),
    Covered(theory.good_network_bound, T.test_bound_of_the_good_network),
    Covered(theory.too_few_nice, T.test_too_few_nice),
    Covered(theory.too_few_bound, T.test_too_few_nice),
    Covered(theory.empty_bound, T.test_too_few_nice),
    Covered(xor_decay.law_sides, T.test_law_of_the_decay_by_hand),
    Covered(theory.shortfall, T.test_teacher_loss_of_mixtures),
    Covered(theory.shortfall_ball, T.test_teacher_loss_of_mixtures),
    Covered(theory.tail_ball, T.test_teacher_loss_of_mixtures),
    Covered(theory.teacher_loss, T.test_teacher_loss_of_mixtures),
    Covered(theory.teacher_loss_printed, T.test_teacher_loss_of_mixtures),
    Covered(theory.teacher_loss_corrected, T.test_teacher_loss_of_mixtures),
    Covered(theory.teacher_loss_simple, T.test_teacher_loss_of_mixtures),
    Covered(theory.teacher_loss_ball, T.test_ball_of_the_teacher_is_its_definition),
    Covered(theory.error_mixture, T.test_rates_of_mixtures),
    Covered(theory.least_dimension, T.test_rates_of_mixtures),
    Covered(theory.teacher_neurons, T.test_parity_teacher),
    Covered(theory.error_parity, T.test_rates_of_parities),
    Covered(theory.fixed_features_floor, T.test_rates_of_parities),
    Covered(theory.fixed_features_floor_printed, T.test_rates_of_parities),
    Covered(theory.bernstein_sides, T.test_tails_of_sums),
    Covered(theory.hoeffding_sides, T.test_tails_of_sums),
    Covered(majority.xi, T.test_majority_against_enumeration),
    Covered(majority.log_xi, T.test_majority_against_enumeration),
    Covered(majority.xi_printed, T.test_majority_against_enumeration),
    Covered(majority.counted, T.test_majority_against_enumeration),
    Covered(majority.norm, T.test_majority_against_enumeration),
    Covered(majority.cosine, T.test_majority_against_enumeration),
    Covered(majority.fall, T.test_majority_against_enumeration),
    Covered(majority.samples_ratio, T.test_majority_against_enumeration),
    Covered(lemmas.smooth_counterexample, T.test_smooth_descent_by_hand),
    Covered(lemmas.rademacher_sides, T.test_rademacher_by_hand),
    Covered(lemmas.descent_sides, T.test_descent_on_linear_functions),
    Covered(lemmas.majorant, T.test_majorant_by_hand),
    Covered(lemmas.frozen_sides, A.test_frozen_sides_by_hand),
    Covered(lemmas.second_layer_sides, A.test_second_layer_sides_are_steps_of_the_majorant),
    Covered(theory.character_energy, T.test_character_energy_by_hand),
    Covered(lemmas.drift, T.test_drift_by_simulation),
    Covered(lemmas.drift_printed, T.test_drift_by_simulation),
    Covered(lemmas.drift_corrected, T.test_drift_by_simulation),
    Covered(lemmas.majorant_closed, T.test_majorant_by_hand),
    Covered(lemmas.log_gaussian_maximum, T.test_tails_against_scipy),
    Covered(lemmas.log_chi_square, T.test_tails_against_scipy),
    Covered(lemmas.log_tail_bounds, T.test_tails_against_scipy),
    Covered(lemmas.log_density_bound, T.test_tails_against_scipy),
    Covered(lemmas.recurrence_closed, T.test_recurrence_by_hand),
    Covered(lemmas.recurrence, T.test_recurrence_by_hand),
    Covered(majority.gradient, T.test_majority_against_enumeration),
    Covered(majority.enumerated, T.test_majority_against_enumeration),
    Covered(majority.expected_output, E.test_a_neuron_that_is_active_once),
    Covered(data.xor, E.test_constants_of_the_simple_data),
    Covered(construction.one_line, E.test_constants_of_the_simple_data),
    Covered(exact.normal_density, E.test_density),
    Covered(exact.half_of_the_nice, E.test_half_of_the_nice),
    Covered(exact.second_layer, E.test_second_layer_by_hand),
    Covered(exact.growth_of_norms, E.test_second_layer_by_hand),
    Covered(exact.steps, E.test_steps),
    Covered(exact.middle_terms, E.test_middle_terms),
    Covered(exact.third_of_sure, E.test_third_of_a_sure_neuron),
    Covered(exact.sure_size, E.test_size_of_a_sure_neuron),
    Covered(exact.short_neuron, E.test_xor_upper_bound),
    Covered(exact.xor_upper, E.test_xor_upper_bound),
    Covered(exact.xor_claimed, E.test_xor_upper_bound),
    Covered(exact.gradient_square, E.test_uniform_parities),
    Covered(exact.central, E.test_uniform_parities),
    Covered(exact.central_ball, E.test_uniform_parities),
    Covered(exact.squared_coefficient, E.test_uniform_parities),
    Covered(exact.samples_over_printed, E.test_uniform_parities),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
