"""Every constant of the chapter's formulas, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.looped_transformers import (
    attention,
    data,
    experiments,
    randmat,
    rounding,
    search,
    theory,
    trained,
)
from mutants import Covered, assert_noticed
from papers.looped_transformers import (
    test_attention as A,
)
from papers.looped_transformers import (
    test_data as D,
)
from papers.looped_transformers import (
    test_experiments as E,
)
from papers.looped_transformers import (
    test_randmat as R,
)
from papers.looped_transformers import (
    test_rounding as U,
)
from papers.looped_transformers import (
    test_search as S,
)
from papers.looped_transformers import (
    test_theory as T,
)
from papers.looped_transformers import (
    test_trained as L,
)


def falling() -> None:
    with pytest.MonkeyPatch.context() as patch:
        L.test_the_step_falls_from_a_hundredth_to_zero_along_a_cosine(patch)


def chebyshev() -> None:
    for T_ in (1, 4, 5):
        T.test_chebyshev_against_the_polynomial(T_)
    T.test_stable_order_is_a_permutation_that_does_not_amplify_rounding()


def any_step() -> None:
    S.test_any_step_sides(False, 0.125)
    S.test_any_step_sides(True, 0.2)


def any_convex() -> None:
    S.test_any_convex_sides_against_autograd(False, 0.05)
    S.test_any_convex_sides_against_autograd(True, 1 / 11)


def gradient_golden() -> None:
    L.test_gradient_is_that_of_automatic_differentiation(3)


def loop_bound_golden() -> None:
    U.test_loop_bound_by_hand()
    U.test_loop_bound_grows_with_the_largest_factor()


COVERED = [
    Covered(attention.linear_attention, A.test_one_layer_by_hand),
    Covered(attention.read, A.test_one_loop_by_hand),
    Covered(attention.LoopedTransformer.states, A.test_one_loop_by_hand),
    Covered(attention.descend, A.test_descent_by_hand),
    Covered(theory.prediction_error, T.test_errors_by_hand),
    Covered(theory.left_over, T.test_errors_by_hand),
    Covered(theory.sharp_bound, T.test_bounds_by_hand),
    Covered(theory.best_step_bound, T.test_bounds_by_hand),
    Covered(theory.allowed_steps, T.test_allowed_steps_are_where_the_factor_meets_the_bound),
    Covered(theory.mean_square_left, T.test_mean_square_left_against_moments),
    Covered(theory.noise_limit, T.test_noise_limit_against_least_squares),
    Covered(theory.quoted_bound, T.test_quoted_bound_is_one_over_2_to_2T_at_the_quoted_examples),
    Covered(randmat.joint_distance, R.test_joint_distance_of_normal_averages),
    Covered(rounding.sizes, U.test_sizes_by_hand),
    Covered(experiments.mirrored_softmax, A.test_mirrored_softmax_tends_to_descent),
    Covered(trained.answers, L.test_short_form_is_the_looped_transformer),
    Covered(trained.loss, L.test_loss_is_the_mean_of_the_errors),
    Covered(trained.net_label_weight, L.test_net_label_weight_by_hand_and_in_the_loop),
    Covered(trained.net_label_weights, L.test_net_label_weight_by_hand_and_in_the_loop),
    Covered(trained.resting_errors, L.test_loop_comes_to_rest_where_it_is_said_to),
    Covered(search.main_theorem, S.test_main_theorem_sides),
    Covered(data.rational_unit, D.test_tasks_have_norm_one),
    Covered(trained.train, falling),
    Covered(theory.printed_bound, T.test_bounds_by_hand),
    Covered(theory.parameter_error, T.test_errors_by_hand),
    Covered(theory.isotropic_step, T.test_isotropic_step_by_hand),
    Covered(theory.one_step_optimum, T.test_one_step_optimum_by_brute_force),
    Covered(theory.quoted_examples, T.test_quoted_bound_is_one_over_2_to_2T_at_the_quoted_examples),
    Covered(rounding.unit_roundoff, U.test_unit_roundoff_and_gamma),
    Covered(rounding.gamma, U.test_unit_roundoff_and_gamma),
    Covered(rounding.layer_bound, U.test_layer_bound_by_hand),
    Covered(rounding.loop_bound, loop_bound_golden),
    Covered(randmat.edges, R.test_edges_and_limit_by_hand),
    Covered(randmat.limit, R.test_edges_and_limit_by_hand),
    Covered(randmat.kappa_bound, R.test_kappa_bound_by_hand),
    Covered(experiments.gaps, E.test_gaps_against_averages_of_powers),
    Covered(experiments.one_loop, E.test_one_loop_solves_the_task_by_hand),
    Covered(trained.gradient, gradient_golden),
    Covered(search.parameter_theorem, S.test_parameter_theorem_sides),
    Covered(theory.chebyshev_bound, chebyshev),
    Covered(theory.chebyshev_steps, chebyshev),
    Covered(theory.condition_number, T.test_condition_number_is_that_of_the_gram_matrix),
    Covered(search.sharp_bound, S.test_sharp_bound_is_attained),
    Covered(search.any_step, any_step),
    Covered(search.any_convex, any_convex),
    Covered(randmat.spectral_curves, R.test_curves_against_powers),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
