"""Every constant of the part's formulas, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.universality_tradeoff import (
    adversaries,
    circle,
    cost,
    images,
    pictures,
    printed,
    probes,
    risks,
    simclr,
    tables,
    training,
)
from featurebook.papers.universality_tradeoff import linear as lin
from mutants import Constant, Covered, assert_constant_noticed, assert_noticed
from papers.universality_tradeoff import test_experiments as E
from papers.universality_tradeoff import test_image_sets as S
from papers.universality_tradeoff import test_images as I
from papers.universality_tradeoff import test_linear as L
from papers.universality_tradeoff import test_tables as T


def fourth() -> None:
    with pytest.MonkeyPatch.context() as patch:
        T.test_a_coefficient_of_the_wrong_sign_proves_nothing(4, 0.05, patch)


def sixth() -> None:
    with pytest.MonkeyPatch.context() as patch:
        T.test_a_coefficient_of_the_wrong_sign_proves_nothing(6, -0.05, patch)


COVERED = [
    Covered(tables.logistic, T.test_losses_by_hand),
    Covered(tables.exponential, T.test_losses_by_hand),
    Covered(tables.hinge, T.test_losses_by_hand),
    Covered(tables.fresh, T.test_fresh_by_hand),
    Covered(tables.contrastive, T.test_contrastive_against_plain_sums),
    Covered(tables.pca, T.test_pca_against_exact_numbers),
    Covered(tables.exact_pca, T.test_pca_against_exact_numbers),
    Covered(tables.on_sphere, T.test_search_finds_opposite_vectors),
    Covered(tables.balanced_partitions, T.test_partitions_by_hand),
    Covered(tables.hinge_instance, T.test_hinge_instance_is_optimal_and_long_enough),
    Covered(tables.probe_errors, T.test_xor_and_its_probes),
    Covered(circle.kernel, T.test_polygons_against_the_kernel),
    Covered(circle.slope, T.test_slope_of_the_kernel),
    Covered(circle.polygon, T.test_polygons_against_the_kernel),
    Covered(circle.polygon_slope, T.test_polygons_against_the_kernel),
    Covered(circle.pentagon_wins_from, T.test_square_loses_where_the_pentagon_wins),
    Covered(
        circle.in_balls,
        T.test_balls_meet_the_kernel_and_see_what_is_wrong,
        T.test_balls_solve_the_four_equalities_for_any_other_coefficients,
    ),
    Covered(circle.kernel_derivatives, T.test_derivatives_of_the_kernel),
    Covered(circle.sufficient_radius, T.test_sufficient_radius_is_where_both_sides_meet),
    Covered(circle.split_cost, T.test_cost_of_a_split_against_differences),
    Covered(tables.even_cuts, T.test_eight_values_and_the_law_that_only_z_3_tells_apart),
    Covered(lin.chi_square, L.test_chi_square_moments),
    Covered(
        lin.mixture_loss, L.test_mixture_loss_against_monte_carlo, L.test_slope_against_differences
    ),
    Covered(lin.shared_first, L.test_frontier_by_hand),
    Covered(lin.slope_in_alpha, L.test_slope_against_differences),
    Covered(lin.marginal_gains, L.test_gains_against_differences, L.test_gains_of_unit_deviations),
    Covered(probes.lost_part, L.test_one_shared_feature_against_a_projection),
    Covered(probes.one_shared, L.test_one_shared_feature_against_a_projection),
    Covered(lin.radius, L.test_leading_term_by_hand),
    Covered(lin.leading_squared, L.test_leading_term_by_hand),
    Covered(lin.bound_factor, L.test_leading_term_by_hand),
    Covered(lin.best_tasks, L.test_best_tasks_is_the_minimum),
    Covered(lin.deviation_term, L.test_leading_term_by_hand),
    Covered(
        lin.mean_norm,
        L.test_ends_of_the_integral_of_the_mean_norm,
        L.test_mean_norm_against_the_chi_law,
    ),
    Covered(lin.survival, L.test_survival_against_the_exponential_law),
    Covered(lin.cka, L.test_cka_in_closed_form),
    Covered(lin.cka_of_mixtures, L.test_cka_in_closed_form),
    Covered(lin.cka_of_features, L.test_cka_in_closed_form),
    Covered(lin.after_regularisation, L.test_regularisation_by_hand),
    Covered(lin.after_from_superposed, L.test_regularisation_by_hand),
    Covered(lin.superposed, L.test_superposed_and_diagonal_have_the_budget),
    Covered(lin.diagonal, L.test_superposed_and_diagonal_have_the_budget),
    Covered(
        probes.in_ball,
        L.test_probe_in_ball_against_a_direct_solver,
        L.test_smallest_minimiser_of_dependent_columns,
    ),
    Covered(probes.outside_risks, L.test_risks_in_known_cases),
    Covered(probes.average_risks, L.test_risks_in_known_cases),
    Covered(probes.worst_interpolators, L.test_worst_interpolator_fits_and_is_worse),
    Covered(adversaries.TwoTasks.split, L.test_two_tasks_against_the_chi_square_programme),
    Covered(adversaries.TwoTasks.loss, L.test_two_tasks_against_the_chi_square_programme),
    Covered(adversaries.NearSuperposed.feasible, L.test_near_the_superposed_optimum),
    Covered(adversaries.NearSuperposed.sides, L.test_near_the_superposed_optimum),
    Covered(adversaries.dominance_sides, L.test_sides_of_the_attacks),
    Covered(risks.worst_against_bounds, L.test_bounds_and_simulations_have_their_shapes),
    Covered(risks.twice_rademacher, L.test_twice_rademacher_against_signs_and_the_chi_law),
    Covered(risks.worst_sides, L.test_sides_of_the_worst_minimiser),
    Covered(risks.regularised, L.test_regularised_risks_are_paired),
    Covered(pictures.bars, L.test_bars_are_intervals_of_the_means),
    Covered(training.onto_norms, L.test_projection_onto_the_norms_is_the_nearest),
    Covered(training.onto_neighbourhood, L.test_projection_onto_the_neighbourhood_is_the_nearest),
    Covered(training.pairs, L.test_pairs_have_one_task_each),
    Covered(training.draw, L.test_pairs_have_one_task_each),
    Covered(training.loss, L.test_gradient_is_that_at_the_projection),
    Covered(training.pretrain, L.test_training_finds_the_weights),
    Covered(training.regularise, L.test_regularisation_by_training),
    Covered(training.block_means, L.test_training_finds_the_weights),
    Covered(training.off_diagonal, L.test_off_diagonal_by_hand),
    Covered(printed._welch, E.test_gains_and_their_intervals),
    Covered(simclr.nt_xent, I.test_nt_xent_by_hand),
    Covered(simclr.encode, I.test_the_block_adds_to_its_input),
    Covered(simclr.share, I.test_labels_by_share),
    Covered(simclr.fine_tune, I.test_fine_tuning_fits_its_images_from_any_start),
    Covered(lin.logistic, L.test_losses_and_their_slopes_by_hand),
    Covered(probes.unit_blocks, L.test_risks_in_known_cases),
    Covered(adversaries.TwoTasks.feasible, L.test_two_tasks_against_the_chi_square_programme),
    Covered(adversaries.TwoTasks.programme, L.test_two_tasks_against_the_chi_square_programme),
    Covered(risks.gap_at, L.test_bounds_and_simulations_have_their_shapes),
    Covered(images.resized, S.test_images_are_resized),
    Covered(images.textures, I.test_textures_have_the_correlations_of_their_class),
    Covered(images.brought, S.test_more_images_than_are_test_images_are_training_images),
    Covered(images.mixtures, I.test_mixtures_grow),
    Covered(simclr.similarities, I.test_similarities_are_symmetric_and_own_is_on_the_diagonal),
    Covered(simclr.closer_to_own, I.test_similarities_are_symmetric_and_own_is_on_the_diagonal),
    Covered(cost.operations, I.test_multiplications_against_known_counts),
    Covered(circle.lies_below, T.test_a_piece_counts_the_whole_remainder_of_taylors_formula),
    Covered(circle.square_is_optimal, fourth, sixth),
]

CONSTANTS = [
    Constant(printed, "EVALUATIONS", 2, E.test_gains_and_their_intervals),
    Constant(images, "TEST_IMAGES", 2, S.test_more_images_than_are_test_images_are_training_images),
    Constant(cost, "PASSES", 2, I.test_what_a_pair_costs),
    Constant(printed, "EPOCHS", 2, I.test_what_the_thesis_pre_trains_on),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)


@pytest.mark.parametrize("constant", CONSTANTS, ids=str)
def test_breaks_of_a_constant_are_noticed(constant: Constant) -> None:
    assert_constant_noticed(constant)
