"""Every constant of the chapter's formulas, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.fourier_circuits import (
    ascent,
    circuits,
    exact,
    families,
    fourier,
    network,
    printed,
    single,
    theory,
    training,
    transformers,
)
from mutants import Covered, assert_noticed
from papers.fourier_circuits import (
    test_circuits as C,
)
from papers.fourier_circuits import (
    test_exact as E,
)
from papers.fourier_circuits import (
    test_fourier as F,
)
from papers.fourier_circuits import (
    test_network as N,
)
from papers.fourier_circuits import (
    test_printed as P,
)
from papers.fourier_circuits import (
    test_single as S,
)
from papers.fourier_circuits import (
    test_theory as T,
)
from papers.fourier_circuits import (
    test_training as L,
)
from papers.fourier_circuits import (
    test_transformers as A,
)


def margins_of_grid() -> None:
    C.test_margins_and_phase_sums(circuits.grid)


def margins_of_short() -> None:
    C.test_margins_and_phase_sums(circuits.short)


def margins_of_ternary() -> None:
    C.test_margins_and_phase_sums(circuits.ternary)


def logits_by_loops() -> None:
    N.test_logits_against_loops(2, 4)
    N.test_logits_against_loops(3, 3)


def gradient_on_all() -> None:
    L.test_gradient_is_that_of_automatic_differentiation(3.0, False)


def gradient_on_some() -> None:
    L.test_gradient_is_that_of_automatic_differentiation(1.0, True)


def minima() -> None:
    T.test_minimum_against_a_search(0.1)
    T.test_critical_penalties()


def penalty_on_half() -> None:
    with pytest.MonkeyPatch.context() as patch:
        L.test_half_of_the_inputs_is_trained_with_a_fiftieth_of_the_margin_as_penalty(patch)


def covered() -> None:
    L.test_frequencies_with_a_tenth_of_an_equal_share_are_covered()


def smallest_losses() -> None:
    L.test_the_smallest_loss_of_a_circuit_is_the_minimum()


def widths_on_half() -> None:
    for k, neurons in ((2, 16), (3, 48)):
        with pytest.MonkeyPatch.context() as patch:
            L.test_half_of_the_inputs_is_fitted_by_as_many_neurons(k, neurons, patch)


COVERED = [
    Covered(theory.gamma, T.test_gamma_table),
    Covered(theory.minimum, minima),
    Covered(network.logits, logits_by_loops),
    Covered(network.margins, N.test_margins_by_hand),
    Covered(network.mean_margins, N.test_margins_by_hand),
    Covered(
        network.normalized_margin,
        N.test_normalized_margin_is_of_degree_zero_and_agrees_with_whole_numbers,
    ),
    Covered(network.accuracy, N.test_accuracy_by_hand),
    Covered(fourier.margin_transform, F.test_transform_against_the_definition),
    Covered(fourier.margin_by_phases, F.test_transform_against_the_definition),
    Covered(fourier.phase_gap, F.test_known_neuron),
    Covered(fourier.diagonal_transform, F.test_diagonal_transform_against_the_whole),
    Covered(single.correlations, S.test_correlations_against_loops),
    Covered(single.class_weighted_margin, S.test_correlations_against_loops),
    Covered(single.ascend, S.test_ascent_reaches_the_maximum),
    Covered(circuits.text_network, C.test_text_network_is_the_sum_of_cosines),
    Covered(exact.cosine_terms, E.test_sign_identity_and_cosines),
    Covered(transformers.delays, A.test_a_short_run_and_first_reach),
    Covered(transformers.accuracy_at_fit, A.test_accuracy_at_the_fit_by_hand),
    Covered(exact.neuron_sum, E.test_a_sum_of_neurons_in_quarter_turns),
    Covered(circuits.wrong_phase_sums, margins_of_short),
    Covered(circuits.clique, C.test_cliques),
    Covered(exact.margins, E.test_margins_by_hand),
    Covered(exact.partial_term, E.test_partial_terms_by_hand),
    Covered(training.gradient, gradient_on_all),
    Covered(training.bound_sides, L.test_loss_by_hand),
    Covered(training.full_loss, L.test_loss_by_hand),
    Covered(ascent.climb, L.test_ascent_comes_near_the_maximum_and_not_above),
    Covered(transformers.attend, A.test_attention_against_loops),
    Covered(transformers.answers, A.test_answers_by_hand),
    Covered(transformers.draw, A.test_weights_have_variance_one_over_fan_in),
    Covered(
        transformers.folded_spectrum,
        A.test_folded_spectrum_of_waves,
        A.test_folded_spectrum_of_two_waves_has_their_powers,
    ),
    Covered(transformers.attention_matrices, A.test_attention_matrices_are_products),
    Covered(transformers.dominant, A.test_folded_spectrum_of_waves),
    Covered(transformers.accuracy, A.test_accuracy_of_a_network_that_is_always_right),
    Covered(transformers.train, A.test_a_run_is_adamw_with_a_warm_up_judged_on_both_halves),
    Covered(transformers.first_reach, A.test_a_short_run_and_first_reach),
    Covered(training.on_half, penalty_on_half, widths_on_half),
    Covered(training.shape, covered),
    Covered(training.smallest_loss, smallest_losses),
    Covered(families._grown, C.test_large_families_keep_waves_apart),
    Covered(families.neighbours, C.test_large_families_keep_waves_apart),
    Covered(circuits.flawed, C.test_a_flawed_circuit_differs_in_one_neuron),
    Covered(fourier.distance_from_cosine, F.test_distance_from_a_cosine),
    Covered(single.distance_sides, F.test_distance_from_a_cosine),
    Covered(single.odd_sides, S.test_odd_neurons_meet_the_bound),
    Covered(theory.gamma_squared, T.test_gamma_from_the_inequalities),
    Covered(theory.gamma_even, T.test_even_gamma_is_the_same_at_both_kinds_of_frequency),
    Covered(theory.even_weight, T.test_even_gamma_is_the_same_at_both_kinds_of_frequency),
    Covered(theory.even_class_weights, T.test_even_gamma_is_the_same_at_both_kinds_of_frequency),
    Covered(theory.amplitude, T.test_amplitude_is_that_of_a_neuron_of_norm_one),
    Covered(theory.printed_width, T.test_widths_by_hand),
    Covered(theory.sign_sum, T.test_widths_by_hand),
    Covered(theory.loss_bound, T.test_loss_bound_by_hand),
    Covered(theory.critical_penalty, T.test_critical_penalties),
    Covered(theory.mean_largest_share, T.test_mean_largest_share_against_draws),
    Covered(network.norms, N.test_norms_by_hand),
    Covered(network.norm, N.test_norms_by_hand),
    Covered(circuits.grid, margins_of_grid),
    Covered(circuits.short, margins_of_short),
    Covered(circuits.ternary, margins_of_ternary),
    Covered(circuits.network, margins_of_grid),
    Covered(circuits.even_network, C.test_even_networks),
    Covered(fourier.power, F.test_power_of_a_cosine),
    Covered(fourier.norm_shares, F.test_norm_shares_and_weights),
    Covered(single.cosine_neuron, S.test_cosine_neuron_attains_the_maximum),
    Covered(single.even_sides, S.test_even_neurons_meet_the_bound),
    Covered(fourier.efficiency, F.test_known_neuron),
    Covered(fourier.weighted, F.test_norm_shares_and_weights),
    Covered(circuits.neurons, margins_of_grid),
    Covered(circuits.exponents, C.test_cliques),
    Covered(exact.whole_circuit, E.test_whole_circuit_is_certified),
    Covered(exact.even_family, E.test_families),
    Covered(exact.forced, E.test_families),
    Covered(theory.largest_margin, T.test_even_gamma_is_the_same_at_both_kinds_of_frequency),
    Covered(single.flawed_neuron, F.test_flaws_cost_what_the_formulas_say),
    Covered(single.measured_efficiency, F.test_flaws_cost_what_the_formulas_say),
    Covered(theory.flawed_efficiency, F.test_flaws_cost_what_the_formulas_say),
    Covered(training.warm_cosine, L.test_schedule),
    Covered(training.best_by_frequency, L.test_best_neurons_and_even_counts),
    Covered(fourier.evenness, L.test_best_neurons_and_even_counts),
    Covered(exact.sign_coefficients, E.test_sign_identity_and_cosines),
    Covered(exact.flat_network, E.test_flat_network_has_the_formula),
    Covered(exact.normalized_margin_squared, E.test_whole_circuit_is_certified),
    Covered(printed.Figure.flops, P.test_sizes),
    Covered(printed.Figure.megabytes, P.test_sizes),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
