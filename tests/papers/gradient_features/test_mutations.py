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
from mutation import Mutation, assert_noticed, survivors
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


TABLE = [
    Mutation(maps.G_mixture, "mix.sigma * phi", "phi", T.test_mixture_against_quadrature),
    Mutation(maps.G_mixture, "mix.weights * mix.labels", "mix.weights",
             T.test_mixture_against_quadrature),
    Mutation(maps.G_neuron, "mix.sigma * phi", "phi", T.test_one_neuron_against_quadrature),
    Mutation(maps.G_neuron, "mix.weights * mix.labels", "mix.weights",
             T.test_one_neuron_against_quadrature),
    Mutation(maps.output_mixture, "spread * phi", "phi",
             T.test_output_is_the_integral_of_the_gradient),
    Mutation(maps.G_points, "y / len(y)", "y", T.test_mixture_against_monte_carlo),
    Mutation(maps.in_cone, "1 - gamma", "1 - gamma / 2", T.test_cones_by_hand),
    Mutation(maps.in_cone, ">= B_G", ">= 2 * B_G", T.test_cones_by_hand),
    Mutation(xor_decay.components, "sigma / 4", "sigma / 3",
             T.test_xor_components_are_those_of_the_mixture),
    Mutation(xor_decay.components, "root / 4 * (ndtr(z[0])", "root / 3 * (ndtr(z[0])",
             T.test_xor_components_are_those_of_the_mixture),
    Mutation(xor_decay.components, "-root / 4", "-root / 3",
             T.test_xor_components_are_those_of_the_mixture),
    Mutation(xor_decay.decay, "root / 5", "root / 4.5", T.test_decay_against_random_neurons),
    Mutation(xor_decay.decay, 1.2, 1.2, T.test_decay_against_random_neurons),
    Mutation(xor_decay.decay, "4 * float", "3 * float", T.test_decay_against_random_neurons),
    Mutation(xor_decay.decay, "'sure': 2", "'sure': 3", T.test_decay_against_random_neurons),
    Mutation(xor_decay.decay, "sigma / root", "2 * sigma / root",
             T.test_decay_against_random_neurons),
    Mutation(xor_decay.decay, "cumulative[-1] / 2", "cumulative[-1] / 3",
             T.test_decay_against_random_neurons),
    Mutation(theory.nearly_right, "1 + eps_a", "1 + 2 * eps_a", T.test_too_few_nice),
    Mutation(theory.nearly_right, "(1 - eps_a) / c", "1 - eps_a", T.test_too_few_nice),
    Mutation(theory.log10_sure_mixture, "ratio ** 2", "ratio", T.test_rates_of_mixtures),
    Mutation(theory.middle_term_mixture, "np.sqrt(d)", "d", T.test_rates_of_mixtures),
    Mutation(theory.prescription, "eta * b", "eta * b * 2", T.test_prescription_by_hand),
    Mutation(construction.build, "f.B_b / 2", "f.B_b / 8", T.test_construction_in_the_limit),
    Mutation(construction.build, "1 + eps_a", "1 + 2 * eps_a",
             T.test_construction_draws_the_law_of_the_whole_network),
    Mutation(construction.build, "f.p * (high - low)", "high - low",
             T.test_construction_draws_the_law_of_the_whole_network),
    Mutation(construction.build, "sum(weights)", "weights[0]",
             T.test_construction_with_a_constant_and_overwriting),
    Mutation(construction.build, "sign * beta", "beta", T.test_construction_in_the_limit),
    Mutation(construction.biased_parity, "[p_A, p_A]", "[p_A, p_A / 2]",
             T.test_construction_in_the_limit),
    Mutation(construction.biased_parity, "1 - 2 * p_A", "1 - p_A",
             T.test_families_of_the_constructions),
    Mutation(lemmas.smooth_sides, "LOG2 / 4", "LOG2 / 3", T.test_smooth_descent_by_hand),
    Mutation(lemmas.smooth_sides, "2 * T", "3 * T", T.test_smooth_descent_by_hand),
    Mutation(lemmas.divergent_step, "1 / arb(t)", "2 / arb(t)", T.test_divergent_step_by_hand),
    Mutation(lemmas.loss_gap_sides, "len(a) ** 0.5", "2 * len(a) ** 0.5",
             T.test_loss_gap_by_hand),
    Mutation(lemmas.sign_mean_tail, "/ n - 1", "/ n - 1.1", E.test_mean_of_signs_by_hand),
    Mutation(lemmas.drift_sides, "1.2", "1.3", T.test_majorant_by_hand),
    Mutation(data.linear_support, "y * rho", "2 * y * rho", N.test_linear_data),
    Mutation(data.one_sided_noise, 0.5, 0.9, N.test_linear_data),
    Mutation(data.one_sided_noise, 3.0, 1.1, N.test_linear_data),
    Mutation(data.one_sided_noise, 0.3, 1.1, N.test_linear_data),
    Mutation(data.easy_and_hard, "share / 2", "share / 3", N.test_mixtures_have_their_moments),
    Mutation(data.easy_and_hard, "(1 - share) / 4", "(1 - share) / 3",
             N.test_mixtures_have_their_moments),
    Mutation(data.Parity.draw, "self.p_o", "self.p_o / 2", parity_of_three),
    Mutation(data.Parity.draw, "/ self.p_A", "/ self.p_A / 2", parity_of_three),
    Mutation(data.Parity.support, "2 * self.r * self.p_A", "self.r * self.p_A", parity_of_three),
    Mutation(network.first_step, "/ n", "/ (n + 1)", N.test_first_step_is_a_step_with_weight_decay),
    Mutation(network.first_step_exact, "eta * a", "2 * eta * a",
             N.test_exact_first_step_is_the_limit_of_samples),
    Mutation(network.gradient, "margin > 0", "margin > 0.5", N.test_gradient_is_autograd),
    Mutation(network.symmetric, "-half['a']", "half['a']", N.test_symmetric_start),
    Mutation(network.randomised, "* size", "* 2 * size", N.test_controls_keep_norms),
    Mutation(experiments.after_first_step, "kappa * ETA1", "2 * kappa * ETA1",
             N.test_effective_thresholds_are_those_that_kappa_asks_for),
    Mutation(experiments.after_first_step, "second / d", "second",
             N.test_effective_thresholds_are_those_that_kappa_asks_for),
    Mutation(one_step.multi_index_target, "2 ** 0.5", "2",
             N.test_multi_index_target_and_training),
    Mutation(one_step.parity_step_size, "1 / (k *", "2 / (k *",
             N.test_algorithm_6_first_step_is_the_coefficient),
    Mutation(one_step.linear_grid, "-k + 1", "-k",
             N.test_algorithm_6_first_step_is_the_coefficient),
    Mutation(construction.least_loss_without_bias, "1 - 2 * p_A", "1 - p_A", one_block),
    Mutation(construction.least_loss_without_bias, "np.maximum(-u, 0)", "np.maximum(u, 0)",
             one_block),
    Mutation(lemmas.slope_sums, "2 * start + eta * Z", "2 * start + 2 * eta * Z",
             A.test_slopes_of_one_neuron_by_hand),
    Mutation(lemmas.slope_sums, "eta * B", "2 * eta * B", A.test_slopes_of_one_neuron_by_hand),
    Mutation(lemmas.slope_sums, "> 0).to(X.dtype) * y", "> 9).to(X.dtype) * y",
             A.test_slopes_of_one_neuron_by_hand),
    Mutation(lemmas.slope_sums, "1 - y *", "1 + 0 * y *",
             A.test_a_satisfied_or_sleeping_neuron_stays),
    Mutation(linear.linear_floor, "B / 2", "B / 3", A.test_floor_of_linear_models),
    Mutation(linear.linear_floor, "0.5 / len(X)", "0.4 / len(X)", A.test_floor_of_linear_models),
    Mutation(xor_decay.grid, "d - 2).ppf", "d - 1).ppf", laws),
    Mutation(xor_decay.grid, "2 * (d - 2)", "d - 2", laws),
    Mutation(xor_decay.grid, "weight / 2", "weight", laws),
    Mutation(xor_decay.grid, "(e3[1:] + e3[:-1]) / 2", "e3[1:]", laws),
]  # fmt: skip


@pytest.mark.parametrize("mutation", TABLE, ids=str)
def test_no_mutation_survives(mutation: Mutation) -> None:
    assert_noticed(mutation)


WHOLE = [
    (maps.phi, T.test_density, ()),
    (maps.G_quadratic, T.test_quadratic_by_hand, (1,)),
    (maps.G_quadratic_plane, T.test_quadratic_by_hand, (1, 60)),
    (xor_decay.claimed, T.test_claimed_decay_by_hand, ()),
    (theory.width, T.test_prescription_by_hand, ()),
    (theory.bias, T.test_prescription_by_hand, ()),
    (theory.steps, T.test_prescription_by_hand, ()),
    (theory.least_bias_scale, T.test_prescription_by_hand, ()),
    (theory.prescription, T.test_prescription_by_hand, (1.0,)),
    (theory.good_network_bound, T.test_bound_of_the_good_network, ()),
    (theory.too_few_nice, T.test_too_few_nice, ()),
    (theory.too_few_bound, T.test_too_few_nice, ()),
    (theory.empty_bound, T.test_too_few_nice, ()),
    (xor_decay.law_sides, T.test_law_of_the_decay_by_hand, ()),
    (theory.shortfall, T.test_teacher_loss_of_mixtures, ()),
    (theory.shortfall_ball, T.test_teacher_loss_of_mixtures, ()),
    (theory.tail_ball, T.test_teacher_loss_of_mixtures, ()),
    (theory.teacher_loss, T.test_teacher_loss_of_mixtures, (400, 10, 0)),
    (theory.teacher_loss_printed, T.test_teacher_loss_of_mixtures, ()),
    (theory.teacher_loss_corrected, T.test_teacher_loss_of_mixtures, ()),
    (theory.teacher_loss_simple, T.test_teacher_loss_of_mixtures, ()),
    (theory.teacher_loss_ball, T.test_ball_of_the_teacher_is_its_definition, (3, 4, 9, 10, 1)),
    (theory.log10_sure_mixture, T.test_rates_of_mixtures, (1.0,)),
    (theory.error_mixture, T.test_rates_of_mixtures, ()),
    (theory.middle_term_mixture, T.test_rates_of_mixtures, ()),
    (theory.least_dimension, T.test_rates_of_mixtures, (3, 1)),
    (theory.teacher_neurons, T.test_parity_teacher, (0,)),
    (theory.error_parity, T.test_rates_of_parities, ()),
    (theory.log10_sure_parity, T.test_rates_of_parities, ()),
    (theory.fixed_features_floor, T.test_rates_of_parities, ()),
    (theory.fixed_features_floor_printed, T.test_rates_of_parities, ()),
    (theory.bernstein_sides, T.test_tails_of_sums, (0, 1, -1)),
    (theory.hoeffding_sides, T.test_tails_of_sums, (1, -1)),
    (majority.xi, T.test_majority_against_enumeration, ()),
    (majority.log_xi, T.test_majority_against_enumeration, ()),
    (majority.xi_printed, T.test_majority_against_enumeration, ()),
    (majority.counted, T.test_majority_against_enumeration, ()),
    (majority.norm, T.test_majority_against_enumeration, ()),
    (majority.cosine, T.test_majority_against_enumeration, ()),
    (majority.fall, T.test_majority_against_enumeration, ()),
    (majority.samples_ratio, T.test_majority_against_enumeration, ()),
    (lemmas.smooth_counterexample, T.test_smooth_descent_by_hand, ()),
    (lemmas.divergent_step, T.test_divergent_step_by_hand, (100,)),
    (lemmas.loss_gap_sides, T.test_loss_gap_by_hand, ()),
    (lemmas.rademacher_sides, T.test_rademacher_by_hand, ()),
    (lemmas.descent_sides, T.test_descent_on_linear_functions, ()),
    (lemmas.majorant, T.test_majorant_by_hand, ()),
    (lemmas.frozen_sides, A.test_frozen_sides_by_hand, (1e-9,)),
    (lemmas.second_layer_sides, A.test_second_layer_sides_are_steps_of_the_majorant, (1e-9, 2)),
    (theory.character_energy, T.test_character_energy_by_hand, ()),
    (theory.nearly_right, T.test_too_few_nice, ()),
    (lemmas.drift, T.test_drift_by_simulation, ()),
    (lemmas.drift_printed, T.test_drift_by_simulation, ()),
    (lemmas.drift_corrected, T.test_drift_by_simulation, ()),
    (lemmas.majorant_closed, T.test_majorant_by_hand, ()),
    (lemmas.log_gaussian_maximum, T.test_tails_against_scipy, ()),
    (lemmas.log_chi_square, T.test_tails_against_scipy, ()),
    (lemmas.log_tail_bounds, T.test_tails_against_scipy, ()),
    (lemmas.log_density_bound, T.test_tails_against_scipy, ()),
    (lemmas.recurrence_closed, T.test_recurrence_by_hand, (0,)),
    (lemmas.recurrence, T.test_recurrence_by_hand, ()),
    (lemmas.sign_mean_tail, E.test_mean_of_signs_by_hand, (1e-12, 1)),
    (majority.gradient, T.test_majority_against_enumeration, ()),
    (majority.enumerated, T.test_majority_against_enumeration, ()),
    (majority.expected_output, E.test_a_neuron_that_is_active_once, (1,)),  # the signs themselves
    (data.xor, E.test_constants_of_the_simple_data, ()),
    (construction.one_line, E.test_constants_of_the_simple_data, ()),
    (exact.normal_density, E.test_density, ()),
    (exact.half_of_the_nice, E.test_half_of_the_nice, ()),
    (exact.second_layer, E.test_second_layer_by_hand, ()),
    (exact.growth_of_norms, E.test_second_layer_by_hand, (9,)),  # any number of neurons
    (exact.steps, E.test_steps, ()),
    (exact.middle_terms, E.test_middle_terms, (3,)),  # three clusters
    (exact.third_of_sure, E.test_third_of_a_sure_neuron, (0, 1, 3)),
    (exact.sure_size, E.test_size_of_a_sure_neuron, ()),
    (exact.short_neuron, E.test_xor_upper_bound, ()),
    (exact.xor_upper, E.test_xor_upper_bound, ()),
    (exact.xor_claimed, E.test_xor_upper_bound, ()),
    (exact.gradient_square, E.test_uniform_parities, ()),
    (exact.central, E.test_uniform_parities, ()),
    (exact.central_ball, E.test_uniform_parities, ()),
    (exact.squared_coefficient, E.test_uniform_parities, ()),
    (exact.samples_over_printed, E.test_uniform_parities, ()),
]


@pytest.mark.parametrize(
    ("function", "check", "skip"), WHOLE, ids=lambda x: getattr(x, "__name__", "")
)
def test_no_number_survives(function, check, skip) -> None:  # type: ignore[no-untyped-def]
    assert not survivors(function, check, skip=skip)
