"""Every constant of the part's formulas, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.nuclear_norm import (
    benchmarks,
    certified,
    data,
    exact,
    layer,
    model,
    plane,
    printed,
    regularisers,
    selection,
)
from featurebook.papers.nuclear_norm.checks import statements
from mutants import Covered, assert_noticed, row_by_row
from papers.nuclear_norm import test_exact as E
from papers.nuclear_norm import test_layer as L
from papers.nuclear_norm import test_model as M
from papers.nuclear_norm import test_regularisers as R


def by_svd() -> None:
    L.test_nuclear_norm_and_gradient_by_hand("svd")


def cut_early() -> None:
    L.test_pulls_enclose_the_truth_when_the_integral_is_cut_early(1)


def by_gram() -> None:
    L.test_nuclear_norm_and_gradient_by_hand("gram")


def loss_by_hand() -> None:
    L.test_loss_of_one_uniform()


def both_layers() -> None:
    for lam in (0.0, 0.3):
        L.test_descent_in_both_layers_by_differences(lam)


def penalties_by_hand() -> None:
    for name in regularisers.PENALTIES:
        R.test_penalties_by_hand(name)


COVERED = [
    Covered(model.mgf, M.test_mgf_on_both_sides_of_the_series),
    Covered(model.uniform_mgf, M.test_mgf_on_both_sides_of_the_series),
    Covered(model.loss, loss_by_hand),
    Covered(model.curvature, M.test_curvature_is_the_slope_of_the_pulls),
    Covered(
        model.log_positive,
        M.test_accuracy_by_irwin_hall,
        row_by_row(M.test_tails_are_volumes),
        M.test_what_is_never_positive_has_no_tail,
    ),
    Covered(model.lambda_0, M.test_lambda_0_and_scales),
    Covered(model.decay_scale, M.test_lambda_0_and_scales),
    Covered(model.hoeffding_denominator, M.test_lambda_0_and_scales),
    Covered(model.ratio_bound, M.test_ratio_bound_against_integrals),
    Covered(model.Task.second_moment, M.test_second_moment_by_hand),
    Covered(selection._constants, M.test_penalty_is_the_trace_of_the_root),
    Covered(selection.penalty, M.test_penalty_is_the_trace_of_the_root),
    Covered(selection.penalty_slopes, M.test_penalty_is_the_trace_of_the_root),
    Covered(selection.ratio, M.test_threshold_is_where_the_direct_solution_turns),
    Covered(
        selection.largest_lambda,
        M.test_threshold_is_where_the_direct_solution_turns,
        L.test_pictures,
    ),
    Covered(statements.tail_environmental, M.test_tails_by_hand),
    Covered(statements.tail_invariant, M.test_tails_by_hand),
    Covered(statements.weights, M.test_sides_are_those_of_the_statements),
    Covered(certified.border_ratio, L.test_border_ratio_is_the_limit_of_the_ratio),
    Covered(statements.order, M.test_sides_of_the_order),
    Covered(statements.ood_exponent, M.test_sides_are_those_of_the_statements),
    Covered(
        statements.admissible,
        M.test_sides_are_those_of_the_statements,
        M.test_corners_of_the_boxes_that_are_searched,
    ),
    Covered(certified._mgf, L.test_certificate_encloses_the_optimum),
    Covered(certified.pulls, L.test_certificate_encloses_the_optimum, cut_early),
    Covered(certified.logistic_of_uniform, loss_by_hand),
    Covered(layer._by_svd, by_svd),
    Covered(layer._by_gram, by_gram),
    Covered(layer.nuclear_norm, by_svd),
    Covered(layer.stable_rank, L.test_stable_ranks_by_hand),
    Covered(layer.stable_rank_printed, L.test_stable_ranks_by_hand),
    Covered(layer.cheapest_extractor, L.test_cheapest_extractor_by_hand),
    Covered(certified.distance, L.test_distance_is_the_norm_of_the_gradient_over_lambda),
    Covered(
        plane.descend,
        L.test_a_step_of_descent_by_differences,
        row_by_row(L.test_descent_in_both_layers_by_differences),
    ),
    Covered(statements.any_task, M.test_corners_of_the_boxes_that_are_searched),
    Covered(model.quadrature_error, M.test_the_quadrature_knows_where_it_fails),
    Covered(model.minimise, M.test_minimum_has_no_slope_and_known_values),
    Covered(plane.errors, L.test_errors_in_the_plane),
    Covered(plane.least_id_error, L.test_errors_in_the_plane),
    Covered(plane.coupling, L.test_errors_in_the_plane),
    Covered(plane.disagreement, L.test_errors_in_the_plane),
    Covered(plane.slope_of_weight_decay, L.test_lines_of_the_population),
    Covered(plane.slope_of_nuclear_norm, L.test_lines_of_the_population),
    Covered(plane.sample, L.test_sample_has_the_chance_of_agreement),
    Covered(printed._standard_error, L.test_tables),
    Covered(exact.tenths, E.test_tenths_and_variances),
    Covered(exact.variances, E.test_tenths_and_variances),
    Covered(exact.off_the_mean, E.test_means_of_the_rows),
    Covered(regularisers.weight_decay, penalties_by_hand),
    Covered(regularisers.spectral, penalties_by_hand),
    Covered(regularisers.compare, R.test_all_are_compared_at_one_price_and_from_one_start),
    Covered(regularisers.frobenius, penalties_by_hand),
    Covered(regularisers.largest_entry, penalties_by_hand),
    Covered(regularisers.rank_alone, penalties_by_hand),
    Covered(data.coloured, L.test_domains),
    Covered(data.tinted, L.test_four_styles),
    Covered(benchmarks.chosen_gains, L.test_gains_are_of_the_best_validation_against_no_penalty),
    Covered(
        benchmarks.train, L.test_the_domain_left_out_and_the_validation_fifth_are_not_trained_on
    ),
    Covered(
        benchmarks._objective,
        L.test_mixed_images_have_both_labels,
        L.test_penalties_have_their_prices_in_runs_that_share_images,
    ),
    Covered(
        benchmarks._Kept.see,
        L.test_weights_are_kept_at_the_best_validation_and_averaged_over_the_second_half,
    ),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
