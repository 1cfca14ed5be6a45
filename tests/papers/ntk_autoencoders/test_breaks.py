"""Each constant of the part's formulas, broken on purpose: a check must notice."""

import pytest

from featurebook.papers.ntk_autoencoders import (
    bounds,
    data,
    exact,
    experiments,
    groups,
    kernels,
    orthonormal,
    search,
    tied,
)
from mutants import Constant, Covered, assert_constant_noticed, assert_noticed

from . import test_exact, test_golden, test_groups, test_kernels, test_orthonormal

wedge = test_kernels.test_estimates_over_a_wedge_against_loops
unit_norm = test_kernels.test_samples_must_have_unit_norm_up_to_rounding

# fmt: off
# fmt: on


COVERED = [
    Covered(kernels.g, test_golden.check_g),
    Covered(kernels.h, test_golden.check_h),
    Covered(kernels.orthonormal_moment_norm, test_golden.test_orthonormal_moments),
    Covered(exact.orthonormal_moment, test_golden.test_orthonormal_moments),
    Covered(kernels.orthant_second_moment, test_golden.test_wedge_moment_by_quadrature),
    Covered(kernels.geometry, test_golden.check_geometry),
    Covered(bounds.bernstein_radius, test_golden.test_bernstein_radius_solves_the_tail),
    Covered(bounds.bernstein_width, test_golden.test_bernstein_width_is_the_smallest),
    Covered(bounds.decoder_width, test_golden.test_decoder_width_is_chebyshevs),
    Covered(bounds.chi_square_radius, test_golden.test_small_formulas_by_hand),
    Covered(bounds.moment_bound, test_golden.test_small_formulas_by_hand),
    Covered(bounds.pair_crossover, test_golden.test_small_formulas_by_hand),
    Covered(bounds.encoder_perturbation, test_golden.test_encoder_perturbations_count_the_pairs),
    Covered(
        bounds.encoder_perturbation_sharp, test_golden.test_encoder_perturbations_count_the_pairs
    ),
    Covered(bounds.flip_potential, test_golden.test_encoder_perturbations_count_the_pairs),
    Covered(bounds.lemma_52_printed, test_golden.test_lemma_52_is_reached_by_one_neuron),
    Covered(bounds.lemma_52_corrected, test_golden.test_lemma_52_is_reached_by_one_neuron),
    Covered(bounds.separation_sides, test_golden.test_separation_sides_are_those_of_the_geometry),
    Covered(exact.near_hexagon, test_golden.test_hexagon_has_no_least_eigenvalue),
    Covered(data.near_hexagon, test_golden.test_hexagon_has_no_least_eigenvalue),
    Covered(bounds.weak_radius, test_golden.test_weak_radius_is_reached),
    Covered(bounds.joint_radius, test_golden.test_joint_radius_is_reached),
    Covered(
        bounds.path_radius, test_golden.test_path_radius_is_reached, test_groups.check_lemma_5_5
    ),
    Covered(bounds.mutual_radii, test_golden.test_small_formulas_by_hand),
    Covered(bounds.joint_certificate, test_golden.test_joint_certificate_is_that_of_the_page),
    Covered(bounds.path_certificate, test_golden.test_path_certificate_is_that_of_the_page),
    Covered(bounds.weak_certificate, test_golden.test_weak_certificate_is_that_of_the_page),
    Covered(bounds.weak_route_width, test_golden.test_routes_meet_their_own_conditions),
    Covered(bounds.joint_route_width, test_golden.test_routes_meet_their_own_conditions),
    Covered(bounds.closing_sum, test_golden.test_small_formulas_by_hand),
    Covered(experiments.keeps_rate, test_golden.test_rates_and_slopes),
    Covered(experiments.slope_shortfall, test_golden.test_slope_shortfall_is_nearly_reached),
    Covered(experiments.decoder_errors, test_golden.test_decoder_errors_and_last_crossing),
    Covered(experiments.last_crossing, test_golden.test_decoder_errors_and_last_crossing),
    Covered(tied.loss, test_golden.check_tied),
    Covered(tied.gradient, test_golden.check_tied),
    Covered(tied.initial, test_golden.check_tied),
    Covered(tied.sampled_error, test_golden.check_tied),
    Covered(tied.expected_error, test_golden.test_tied_error_by_hand),
    Covered(groups.three_groups, test_groups.test_the_start_leaves_one_half_of_all_ones),
    Covered(groups.enclosed_descent, test_groups.check_lemma_5_7),
    Covered(groups.enclosed_step, test_groups.check_enclosed_step),
    Covered(exact.differences, test_exact.test_slopes_and_velocities_are_those_of_the_network),
    Covered(groups._error, test_groups.check_lemma_5_7),
    Covered(orthonormal.terms, test_orthonormal.check_descent),
    Covered(orthonormal.residual, test_orthonormal.check_flow),
    Covered(orthonormal._runge_kutta, test_orthonormal.check_flow),
    Covered(orthonormal.wide, test_golden.check_wide),
    Covered(exact.chi_square_tail, test_exact.test_chi_square_tail_is_scipys),
    Covered(exact.kernel_velocity, test_exact.test_slopes_and_velocities_are_those_of_the_network),
    Covered(kernels.cosines, unit_norm),
]
CONSTANTS = [
    Constant(search, "ENOUGH", 0.95, test_golden.check_search),
    Constant(search, "ENOUGH", 1.05, test_golden.check_search),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)


@pytest.mark.parametrize("constant", CONSTANTS, ids=str)
def test_breaks_of_a_constant_are_noticed(constant: Constant) -> None:
    assert_constant_noticed(constant)
