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
from mutation import Mutation, assert_noticed
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


def penalties_by_hand() -> None:
    for name in regularisers.PENALTIES:
        R.test_penalties_by_hand(name)


TABLE = [
    Mutation(model.mgf, "0.5 +", "0.6 +", M.test_mgf_on_both_sides_of_the_series),
    Mutation(model.mgf, "2 * first + g", "first + g", M.test_mgf_on_both_sides_of_the_series),
    Mutation(model.uniform_mgf, "e - 2 * first", "e - first",
             M.test_mgf_on_both_sides_of_the_series),
    Mutation(model.uniform_mgf, "e - g", "e - 2 * g", M.test_mgf_on_both_sides_of_the_series),
    Mutation(model.uniform_mgf, "k * (k - 1)", "k * k", M.test_mgf_on_both_sides_of_the_series),
    Mutation(model.loss, "_KERNEL / _S", "_KERNEL", loss_by_hand),
    Mutation(model.curvature, "second - ratio ** 2", "second",
             M.test_curvature_is_the_slope_of_the_pulls),
    Mutation(model.curvature, "_KERNEL * _S", "_KERNEL",
             M.test_curvature_is_the_slope_of_the_pulls),
    Mutation(model.log_positive, "above * s", "2 * above * s", M.test_accuracy_by_irwin_hall),
    Mutation(model.log_positive, "step / np.pi", "step / 3", M.test_accuracy_by_irwin_hall),
    Mutation(model.log_positive, "0.5, 512", "0.4, 512", M.test_accuracy_by_irwin_hall),
    Mutation(model.lambda_0, 0.5, 1.1, M.test_lambda_0_and_scales),
    Mutation(model.lambda_0, 8, 1.1, M.test_lambda_0_and_scales),
    Mutation(model.lambda_0, "/ 4", "/ 5", M.test_lambda_0_and_scales),
    Mutation(model.lambda_0, "4 * np", "5 * np", M.test_lambda_0_and_scales),
    Mutation(model.lambda_0, "q * gamma ** 2 / 2", "q * gamma ** 2", M.test_lambda_0_and_scales),
    Mutation(model.decay_scale, 5, 1.1, M.test_lambda_0_and_scales),
    Mutation(model.hoeffding_denominator, 9, 1.1, M.test_lambda_0_and_scales),
    Mutation(model.hoeffding_denominator, 16, 1.1, M.test_lambda_0_and_scales),
    Mutation(model.hoeffding_denominator, "4 * q", "5 * q", M.test_lambda_0_and_scales),
    Mutation(model.ratio_bound, "1 + x", "1 - x",
             M.test_ratio_bound_against_integrals),
    Mutation(model.ratio_bound, "x - 1", "x - 2",
             M.test_ratio_bound_against_integrals),
    Mutation(model.ratio_bound, "0.5 * (p", "0.6 * (p",
             M.test_ratio_bound_against_integrals),
    Mutation(model.Task.second_moment, "1 / 12", "1 / 13", M.test_second_moment_by_hand),
    Mutation(model.Task.second_moment, "1 / 3", "1 / 4", M.test_second_moment_by_hand),
    Mutation(selection._constants, "1 / 12", "1 / 13", M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection._constants, "1 / 3", "1 / 4", M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection._constants, "task.q / 4", "task.q / 5",
             M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection.penalty, "task.r - 1", "task.r", M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection.penalty, "task.q - 1", "task.q", M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection.penalty, 12, 1.1, M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection.penalty, "2 * alpha", "alpha", M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection.penalty_slopes, "root * beta", "beta",
             M.test_penalty_is_the_trace_of_the_root),
    Mutation(selection.ratio, "3 * task.r", "2 * task.r",
             M.test_threshold_is_where_the_direct_solution_turns),
    Mutation(selection.ratio, "1 / 3", "1 / 4",
             M.test_threshold_is_where_the_direct_solution_turns),
    Mutation(selection.largest_lambda, "r / 4 /", "r / 5 /",
             M.test_threshold_is_where_the_direct_solution_turns),
    Mutation(selection.largest_lambda, 12, 1.3, L.test_pictures, 1),
    Mutation(statements.tail_environmental, "/ 2", "/ 3", M.test_tails_by_hand),
    Mutation(statements.tail_invariant, "n / 8", "n / 9", M.test_tails_by_hand),
    Mutation(statements.tail_invariant, "-n / 4", "-n / 5", M.test_tails_by_hand),
    Mutation(statements.weights, "4 * task.gamma", "3 * task.gamma",
             M.test_sides_are_those_of_the_statements),
    Mutation(statements.weights, "3 * beta", "4 * beta", M.test_sides_are_those_of_the_statements),
    Mutation(certified.border_ratio, "1 + 3 * r", "1 + 2 * r",
             L.test_border_ratio_is_the_limit_of_the_ratio),
    Mutation(certified.border_ratio, "arb(12)", "arb(13)",
             L.test_border_ratio_is_the_limit_of_the_ratio),
    Mutation(certified.border_ratio, "gamma / 2", "gamma / 3",
             L.test_border_ratio_is_the_limit_of_the_ratio),
    Mutation(statements.order, "2 * task.gamma", "task.gamma",
             M.test_sides_are_those_of_the_statements),
    Mutation(statements.ood_exponent, 10, 1.1, M.test_sides_are_those_of_the_statements),
    Mutation(statements.admissible, "3 / np", "2 / np", M.test_sides_are_those_of_the_statements),
    Mutation(certified._mgf, "up - 1", "up - 2", L.test_certificate_encloses_the_optimum),
    Mutation(certified.pulls, "2 * arb.pi()", "3 * arb.pi()",
             L.test_certificate_encloses_the_optimum),
    Mutation(certified.logistic_of_uniform, 12, 1.1, loss_by_hand),
    Mutation(layer._by_svd, "s.sum", "s.square().sum", by_svd),
    Mutation(layer._by_gram, "(keep / roots)", "(keep / values)", by_gram),
    Mutation(layer.nuclear_norm, 0.5, 2.0, by_svd),
    Mutation(layer.stable_rank, "s[..., 0].square()", "s[..., 0]", L.test_stable_ranks_by_hand),
    Mutation(layer.stable_rank_printed, "s[..., 0]", "s[..., 0].square()",
             L.test_stable_ranks_by_hand),
    Mutation(layer.cheapest_extractor, "/ head.norm()", "/ head.norm() ** 2",
             L.test_cheapest_extractor_by_hand),
    Mutation(layer.cheapest_extractor, "head.square().sum()", "head.norm()",
             L.test_cheapest_extractor_by_hand),
    Mutation(certified.distance, "n * (", "1 * (",
             L.test_distance_is_the_norm_of_the_gradient_over_lambda),
    Mutation(certified.distance, "/ ball(lam)", "* ball(lam)",
             L.test_distance_is_the_norm_of_the_gradient_over_lambda),
    Mutation(certified.pulls, "-arb.pi() * reach", "-2 * arb.pi() * reach", cut_early),
    Mutation(certified.pulls, "2 * (-arb.pi()", "1 * (-arb.pi()", cut_early),
    Mutation(certified.pulls, "half[0] ** counts[0]", "half[0]", cut_early),
    Mutation(certified.pulls, "arb(0, tail.upper())", "0", cut_early),
    Mutation(plane.descend, "per_root_batch=True", "per_root_batch=False",
             L.test_a_step_of_descent_by_differences),
    Mutation(plane.descend, "rate: float=0.1", "rate: float=0.2",
             L.test_a_step_of_descent_by_differences),
    Mutation(statements.any_task, "60 ** a", "40 ** a",
             M.test_corners_of_the_boxes_that_are_searched),
    Mutation(statements.any_task, "200 ** c", "20 ** c",
             M.test_corners_of_the_boxes_that_are_searched),
    Mutation(statements.any_task, "0.475 * b", "0.2 * b",
             M.test_corners_of_the_boxes_that_are_searched),
    Mutation(statements.any_task, "-6 + 7 * e", "-1 + 2 * e",
             M.test_corners_of_the_boxes_that_are_searched),
    Mutation(statements.admissible, "100 ** e", "10 ** e",
             M.test_corners_of_the_boxes_that_are_searched),
    Mutation(statements.admissible, "3 ** c", "2 ** c",
             M.test_corners_of_the_boxes_that_are_searched),
    Mutation(statements.admissible, "0.998 * b", "0.5 * b",
             M.test_corners_of_the_boxes_that_are_searched),
    Mutation(statements.order, "factor * beta", "beta", M.test_order_with_a_factor),
    Mutation(model.quadrature_error, "np.pi /", "2 * np.pi /",
             M.test_the_quadrature_knows_where_it_fails),
    Mutation(model.quadrature_error, "-1.0 + 0j", "-0.9 + 0j",
             M.test_the_quadrature_knows_where_it_fails),
    Mutation(model.minimise, "v = v / 2", "break",
             M.test_any_start_finds_the_minimum),
    Mutation(plane.errors, "p * a + (1 - p) * b", "p * a + p * b", L.test_errors_in_the_plane),
    Mutation(plane.least_id_error, "(1 - p) / p", "(1 - p)", L.test_errors_in_the_plane),
    Mutation(plane.coupling, "0.5 - gamma", "0.6 - gamma", L.test_errors_in_the_plane),
    Mutation(plane.disagreement, "c / 2", "c / 3", L.test_errors_in_the_plane),
    Mutation(plane.disagreement, "1 / (2 *", "1 / (3 *", L.test_errors_in_the_plane),
    Mutation(plane.slope_of_weight_decay, "p - 0.5", "p - 0.4",
             L.test_lines_of_the_population),
    Mutation(plane.slope_of_nuclear_norm, "p - 0.5", "p - 0.4",
             L.test_lines_of_the_population),
    Mutation(plane.sample, "< p", "< p / 2", L.test_sample_has_the_chance_of_agreement),
    Mutation(printed._standard_error, "** 2", "** 1", L.test_tables),
    Mutation(exact.tenths, 10, 0.5, E.test_tenths_and_variances),
    Mutation(exact.variances, 3600, 0.5, E.test_tenths_and_variances),
    Mutation(exact.variances, "** 2", "** 1", E.test_tenths_and_variances),
    Mutation(exact.off_the_mean, "len(row)", "(len(row) + 1)", E.test_means_of_the_rows),
    Mutation(regularisers.weight_decay, "/ 2", "/ 3", penalties_by_hand),
    Mutation(regularisers.weight_decay, "w.square()", "w.abs()", penalties_by_hand),
    Mutation(regularisers.spectral, "-1", "0", penalties_by_hand),
    Mutation(regularisers.compare, "scale * x", "x",
             R.test_all_are_compared_at_one_price_and_from_one_start),
    Mutation(regularisers.frobenius, "norm(dim=-1)", "square().sum(-1)", penalties_by_hand),
    Mutation(regularisers.largest_entry, "abs()", "square()", penalties_by_hand),
    Mutation(regularisers.rank_alone, "weights, z) /", "weights, z) *", penalties_by_hand),
    Mutation(data.coloured, "< p", "< 1 - p", L.test_domains),
    Mutation(data.tinted, "x[3] * 0.5", "x[3] * 0.6", L.test_four_styles),
    Mutation(data.tinted, "0.6", "0.7", L.test_four_styles),
    Mutation(benchmarks.chosen_gains, "argmax", "argmin",
             L.test_gains_are_of_the_best_validation_against_no_penalty),
    Mutation(benchmarks.chosen_gains, "pick.ood - base.ood", "base.ood - pick.ood",
             L.test_gains_are_of_the_best_validation_against_no_penalty),
    Mutation(benchmarks.train, "if e != test", "",
             L.test_the_domain_left_out_and_the_validation_fifth_are_not_trained_on),
    Mutation(benchmarks.train, "4 // 5", "5 // 5 - 2",
             L.test_the_domain_left_out_and_the_validation_fifth_are_not_trained_on),
    Mutation(benchmarks._objective, "(1 - share) * second", "(1 - share) * first",
             L.test_mixed_images_have_both_labels),
    Mutation(benchmarks._Kept.see, "value > self.top", "value < 2",
             L.test_weights_are_kept_at_the_best_validation_and_averaged_over_the_second_half),
    Mutation(benchmarks._Kept.see, "step >= self.half", "step >= 0",
             L.test_weights_are_kept_at_the_best_validation_and_averaged_over_the_second_half),
]  # fmt: skip


@pytest.mark.parametrize("mutation", TABLE, ids=str)
def test_no_mutation_survives(mutation: Mutation) -> None:
    assert_noticed(mutation)
