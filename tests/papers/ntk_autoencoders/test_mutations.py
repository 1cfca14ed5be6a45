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
from mutation import Mutation, assert_noticed

from . import test_exact, test_golden, test_groups, test_kernels, test_orthonormal

wedge = test_kernels.test_estimates_over_a_wedge_against_loops
unit_norm = test_kernels.test_samples_must_have_unit_norm_up_to_rounding

# fmt: off
MUTATIONS = [
    # Kernels
    Mutation(kernels.g, 2, 1.1, test_golden.check_g),
    Mutation(kernels.h, 2, 1.1, test_golden.check_h),
    Mutation(kernels.h, "1 - rho.square()", "1 - rho", test_golden.check_h),
    Mutation(kernels.orthonormal_moment_norm, 1.5, 1.1, test_golden.test_orthonormal_moments),
    Mutation(kernels.orthonormal_moment_norm, 4, 1.1, test_golden.test_orthonormal_moments),
    Mutation(kernels.orthonormal_moment_norm, 4, 1.1, test_golden.test_orthonormal_moments, 1),
    Mutation(exact.orthonormal_moment, 3, 1.1, test_golden.test_orthonormal_moments),
    Mutation(kernels.orthant_second_moment, 2, 1.1, test_golden.test_wedge_moment_by_quadrature),
    Mutation(kernels.orthant_second_moment, 2, 1.1, test_golden.test_wedge_moment_by_quadrature, 1),
    Mutation(kernels.geometry, 2, 1.1, test_golden.check_geometry),
    # Concentration
    Mutation(bounds.bernstein_radius, 3, 1.1, test_golden.test_bernstein_radius_solves_the_tail),
    Mutation(bounds.bernstein_radius, "2 * m", "m",
             test_golden.test_bernstein_radius_solves_the_tail),
    Mutation(bounds.bernstein_width, 32, 1.01, test_golden.test_bernstein_width_is_the_smallest),
    Mutation(bounds.bernstein_width, 8, 1.1, test_golden.test_bernstein_width_is_the_smallest),
    Mutation(bounds.decoder_width, 24, 0.5, test_golden.test_decoder_width_is_chebyshevs),
    Mutation(bounds.decoder_width, "shape.lambda_h ** 2", "shape.lambda_h",
             test_golden.test_decoder_width_is_chebyshevs),
    Mutation(bounds.chi_square_radius, 2, 1.1, test_golden.test_small_formulas_by_hand),
    Mutation(bounds.chi_square_radius, 2, 1.1, test_golden.test_small_formulas_by_hand, 1),
    Mutation(bounds.moment_bound, 12, 1.1, test_golden.test_small_formulas_by_hand),
    Mutation(bounds.moment_bound, 16, 1.1, test_golden.test_small_formulas_by_hand),
    Mutation(bounds.simple_failure, 2, 1.1, test_golden.test_small_formulas_by_hand),
    Mutation(bounds.simple_failure, 2, 1.1, test_golden.test_small_formulas_by_hand, 1),
    Mutation(bounds.pair_crossover, 2, 1.1, test_golden.test_small_formulas_by_hand),
    # Perturbation
    Mutation(bounds.encoder_perturbation, "d / m", "1 / m",
             test_golden.test_encoder_perturbations_count_the_pairs),
    Mutation(bounds.encoder_perturbation_sharp, "d / m", "1 / m",
             test_golden.test_encoder_perturbations_count_the_pairs),
    Mutation(bounds.flip_potential, "-R", "-R / 2",
             test_golden.test_encoder_perturbations_count_the_pairs),
    Mutation(bounds.lemma_52_printed, 2, 0.95, test_golden.test_lemma_52_is_reached_by_one_neuron),
    Mutation(bounds.lemma_52_corrected, 2, 0.95,
             test_golden.test_lemma_52_is_reached_by_one_neuron),
    Mutation(bounds.lemma_52_corrected, "sqrt(lambda_n) * R", "R",
             test_golden.test_lemma_52_is_reached_by_one_neuron),
    Mutation(bounds.separation_sides, 100, 0.9,
             test_golden.test_separation_sides_are_those_of_the_geometry),
    Mutation(bounds.separation_sides, "rho.abs()", "rho",
             test_golden.test_separation_sides_are_those_of_the_geometry),
    Mutation(exact.near_hexagon, "between.cos()", "between.sin()",
             test_golden.test_hexagon_has_no_least_eigenvalue),
    Mutation(data.near_hexagon, "/ 3", "/ 4", test_golden.test_hexagon_has_no_least_eigenvalue),
    Mutation(exact.near_hexagon, 3600, 1.1, test_golden.test_hexagon_has_no_least_eigenvalue),
    Mutation(exact.near_hexagon, "total / 6", "total / 5",
             test_golden.test_hexagon_has_no_least_eigenvalue),
    # Movement
    Mutation(bounds.weak_radius, "factor * shape.d", "factor * sqrt(shape.d)",
             test_golden.test_weak_radius_is_reached),
    Mutation(bounds.weak_radius, "error ** 0.5", "error", test_golden.test_weak_radius_is_reached),
    Mutation(bounds.joint_radius, "shape.d * shape.lambda_n / m", "shape.lambda_n / m",
             test_golden.test_joint_radius_is_reached),
    Mutation(bounds.joint_radius, "shape.d * shape.lambda_n / m", "shape.d / m",
             test_golden.test_joint_radius_is_reached),
    Mutation(bounds.path_radius, 2, 0.95, test_golden.test_path_radius_is_reached),
    Mutation(bounds.path_radius, 2, 0.95, test_groups.check_lemma_5_5),
    Mutation(bounds.mutual_radii, "1 - alpha ** 2", "1 - alpha",
             test_golden.test_small_formulas_by_hand),
    # Certificates and widths
    Mutation(bounds.joint_certificate, 2, 1.1,
             test_golden.test_joint_certificate_is_that_of_the_page),
    Mutation(bounds.joint_certificate, "d * lambda_n / m", "lambda_n / m",
             test_golden.test_joint_certificate_is_that_of_the_page),
    Mutation(bounds.path_certificate, 2, 1.1,
             test_golden.test_path_certificate_is_that_of_the_page),
    Mutation(bounds.path_certificate, "2 * mu", "mu",
             test_golden.test_path_certificate_is_that_of_the_page),
    Mutation(bounds.weak_certificate, 2, 1.1,
             test_golden.test_weak_certificate_is_that_of_the_page),
    Mutation(bounds.weak_certificate, "d * float(kernels.spectral_norm(X))",
             "float(kernels.spectral_norm(X))",
             test_golden.test_weak_certificate_is_that_of_the_page),
    Mutation(bounds.weak_route_width, 8, 1.1, test_golden.test_routes_meet_their_own_conditions),
    Mutation(bounds.weak_route_width, "factor=2", "factor=1",
             test_golden.test_routes_meet_their_own_conditions),
    Mutation(bounds.joint_route_width, 1.5, 1.1,
             test_golden.test_routes_meet_their_own_conditions),
    Mutation(bounds.joint_route_width, 4, 1.1, test_golden.test_routes_meet_their_own_conditions),
    Mutation(bounds.closing_sum, 4, 1.1, test_golden.test_small_formulas_by_hand),
    Mutation(bounds.closing_sum, 64, 1.1, test_golden.test_small_formulas_by_hand),
    Mutation(bounds.closing_sum, 16, 1.1, test_golden.test_small_formulas_by_hand),
    # Experiments
    Mutation(experiments.keeps_rate, 2, 1.01, test_golden.test_rates_and_slopes),
    Mutation(experiments.slope_shortfall, "pi / 2", "pi / 2.2",
             test_golden.test_slope_shortfall_is_nearly_reached),
    Mutation(experiments.slope_shortfall, 3, 0.8,
             test_golden.test_slope_shortfall_is_nearly_reached),
    Mutation(experiments.decoder_errors, "points.shape[-2]", "2 * points.shape[-2]",
             test_golden.test_decoder_errors_and_last_crossing),
    Mutation(experiments.last_crossing, 2, 1.1, test_golden.test_decoder_errors_and_last_crossing),
    Mutation(module=search, name="ENOUGH", becomes=0.95, check=test_golden.check_search),
    Mutation(module=search, name="ENOUGH", becomes=1.05, check=test_golden.check_search),
    # Tied weights
    Mutation(tied.loss, 2, 1.1, test_golden.check_tied),
    Mutation(tied.gradient, 2, 1.1, test_golden.check_tied),
    Mutation(tied.initial, 0.5, 1.1, test_golden.check_tied),
    Mutation(tied.sampled_error, 0.5, 1.1, test_golden.check_tied),
    Mutation(tied.sampled_error, 0.5, 1.1, test_golden.check_tied, 1),
    Mutation(tied.expected_error, 4, 1.1, test_golden.test_tied_error_by_hand),
    Mutation(tied.expected_error, 2, 1.1, test_golden.test_tied_error_by_hand),
    Mutation(tied.expected_error, "d + 2", "d + 1", test_golden.test_tied_error_by_hand),
    # Groups and wide networks
    Mutation(groups.three_groups, 8, 2, test_groups.test_the_start_leaves_one_half_of_all_ones, 1),
    Mutation(groups.enclosed_descent, 8, 0.9, test_groups.check_lemma_5_7),
    Mutation(groups.enclosed_step, "_ball(eta) / scale", "_ball(eta) / scale / 2",
             test_groups.check_enclosed_step),
    Mutation(exact.differences, 2, 1.1,
             test_exact.test_slopes_and_velocities_are_those_of_the_network),
    Mutation(groups._error, "push * a_r[j]", "2 * push * a_r[j]", test_groups.check_lemma_5_7),
    Mutation(orthonormal.terms, 2, 1.1, test_orthonormal.check_descent),
    Mutation(orthonormal.terms, "flips * walk.moved", "2 * flips * walk.moved",
             test_orthonormal.check_descent),
    Mutation(orthonormal.residual, "net.scale", "2 * net.scale", test_orthonormal.check_flow),
    Mutation(orthonormal._runge_kutta, "h / 6", "h / 7", test_orthonormal.check_flow),
    Mutation(orthonormal.wide, "few = rng.binomial(on, 2 * inside)",
             "few = rng.binomial(on, inside)", test_golden.check_wide),
    Mutation(orthonormal.wide, "1 + reach * mean", "1 + mean", test_golden.check_wide),
    Mutation(exact.chi_square_tail, 2, 1.1, test_exact.test_chi_square_tail_is_scipys),
    Mutation(exact.kernel_velocity, "m * divisor", "divisor",
             test_exact.test_slopes_and_velocities_are_those_of_the_network),
    *(
        Mutation(kernels.wedge_estimates, text, other, wedge)
        for text, other in (("5 / count", "4 / count"), ("sum(0) - d", "sum(0)"), ("- slopes", ""))
    ),
    Mutation(kernels.cosines, 1e-9, 1.3, unit_norm),
]
# fmt: on


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_no_mutation_survives(mutation: Mutation) -> None:
    assert_noticed(mutation)
