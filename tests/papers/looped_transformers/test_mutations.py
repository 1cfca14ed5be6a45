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
from mutation import Mutation, assert_noticed, survivors
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


TABLE = [
    Mutation(attention.linear_attention, "M * ", "", A.test_one_layer_by_hand),
    Mutation(attention.read, "-Z", "Z", A.test_one_loop_by_hand),
    Mutation(attention.LoopedTransformer.states, "Z - step", "Z + step", A.test_one_loop_by_hand),
    Mutation(attention.descend, "theta - step", "theta + step", A.test_descent_by_hand),
    Mutation(attention.descend, "- y", "+ y", A.test_descent_by_hand),
    Mutation(theory.prediction_error, "-(", "(", T.test_errors_by_hand),
    Mutation(theory.left_over, "rest * (1 - ", "rest * (1 + ", T.test_errors_by_hand),
    Mutation(theory.sharp_bound, "1 / ", "2 / ", T.test_bounds_by_hand),
    Mutation(theory.best_step_bound, "kappa - 1", "kappa", T.test_bounds_by_hand),
    Mutation(theory.loops_needed, "1 / error", "error", T.test_bounds_by_hand),
    Mutation(theory.allowed_steps, "-kappa", "kappa",
             T.test_allowed_steps_are_where_the_factor_meets_the_bound),
    Mutation(theory.mean_square_left, "-eta", "eta", T.test_mean_square_left_against_moments),
    Mutation(theory.noise_limit, "sqrt(n - d - 1)", "sqrt(n - d)",
             T.test_noise_limit_against_least_squares),
    Mutation(theory.quoted_bound, "np.sqrt(n)", "n",
             T.test_quoted_bound_is_one_over_2_to_2T_at_the_quoted_examples),
    Mutation(randmat.joint_distance, "ddof=1", "ddof=5000",
             R.test_joint_distance_of_normal_averages),
    Mutation(rounding.sizes, "abs(alpha)", "alpha", U.test_sizes_by_hand),
    Mutation(experiments.mirrored_softmax, "n / beta", "1 / beta",
             A.test_mirrored_softmax_tends_to_descent),
    Mutation(trained.answers, "z - ", "z + ", L.test_short_form_is_the_looped_transformer),
    Mutation(trained.loss, "mean()", "sum()", L.test_loss_is_the_mean_of_the_errors),
    Mutation(trained.net_label_weight, "1 + c * e", "1 - c * e",
             L.test_net_label_weight_by_hand_and_in_the_loop),
    Mutation(trained.net_label_weights, "/ first[1]", "/ first[0]",
             L.test_net_label_weight_by_hand_and_in_the_loop),
    Mutation(trained.resting_errors, "tasks[:, :, None] * P[-1, :-1]", "0 * tasks[:, :, None]",
             L.test_loop_comes_to_rest_where_it_is_said_to),
    Mutation(trained.resting_errors, "* P[-1, -1]", "* 0",
             L.test_loop_comes_to_rest_where_it_is_said_to),
    Mutation(search.main_theorem, "alpha'] - 1", "alpha']", S.test_main_theorem_sides),
    Mutation(data.rational_unit, "first - 2", "first - 3", D.test_tasks_have_norm_one),
    *(Mutation(trained.train, number, 1.1, falling) for number in (0.01, 0.5)),
    Mutation(trained.train, "t - 1", "t", falling),
]  # fmt: skip


@pytest.mark.parametrize("mutation", TABLE, ids=str)
def test_no_mutation_survives(mutation: Mutation) -> None:
    assert_noticed(mutation)


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


NUMBERS = [
    (theory.printed_bound, T.test_bounds_by_hand),
    (theory.sharp_bound, T.test_bounds_by_hand),
    (theory.best_step_bound, T.test_bounds_by_hand),
    (theory.parameter_error, T.test_errors_by_hand),
    (theory.left_over, T.test_errors_by_hand),
    (theory.allowed_steps, T.test_allowed_steps_are_where_the_factor_meets_the_bound),
    (theory.isotropic_step, T.test_isotropic_step_by_hand),
    (theory.one_step_optimum, T.test_one_step_optimum_by_brute_force),
    (theory.mean_square_left, T.test_mean_square_left_against_moments),
    (theory.quoted_bound, T.test_quoted_bound_is_one_over_2_to_2T_at_the_quoted_examples),
    (theory.quoted_examples, T.test_quoted_bound_is_one_over_2_to_2T_at_the_quoted_examples),
    (theory.noise_limit, T.test_noise_limit_against_least_squares),
    (rounding.unit_roundoff, U.test_unit_roundoff_and_gamma),
    (rounding.gamma, U.test_unit_roundoff_and_gamma),
    (rounding.layer_bound, U.test_layer_bound_by_hand),
    (rounding.loop_bound, loop_bound_golden),
    (randmat.joint_distance, R.test_joint_distance_of_normal_averages),
    (randmat.edges, R.test_edges_and_limit_by_hand),
    (randmat.limit, R.test_edges_and_limit_by_hand),
    (randmat.kappa_bound, R.test_kappa_bound_by_hand_and_its_converse),
    (randmat.kappa_bound_failure, R.test_kappa_bound_by_hand_and_its_converse),
    (experiments.gaps, E.test_gaps_against_averages_of_powers),
    (experiments.one_loop, E.test_one_loop_solves_the_task_by_hand),
    (trained.gradient, gradient_golden),
    (search.parameter_theorem, S.test_parameter_theorem_sides),
    (theory.chebyshev_bound, chebyshev),
    (theory.chebyshev_steps, chebyshev),
    (theory.loops_needed, T.test_bounds_by_hand),
    (theory.prediction_error, T.test_errors_by_hand),
    (theory.condition_number, T.test_condition_number_is_that_of_the_gram_matrix),
    (search.main_theorem, S.test_main_theorem_sides),
    (search.sharp_bound, S.test_sharp_bound_is_attained),
    (search.any_step, any_step),
    (search.any_convex, any_convex),
    (trained.net_label_weight, L.test_net_label_weight_by_hand_and_in_the_loop),
    (experiments.mirrored_softmax, A.test_mirrored_softmax_tends_to_descent),
    (randmat.spectral_curves, R.test_curves_against_powers),
]


SKIPPED = {
    "gradient": (0, 1, -1, -2),  # axes; the start is compared elsewhere
    "loop_bound": (0.0, 1e-10),  # the kernel's eigenvalue is told by n < d; a safety of rounding
    "joint_distance": (0, 1),  # axes and results; ddof is in the table
    "gaps": (60,),  # how far the curve is followed
    "one_loop": (2,),  # the errors are zero, whatever their power
    "kappa_bound_failure": (0,),  # where t is near 0 the bound is 1 either way
    "parameter_theorem": (0.9,),  # says where a bound is called informative
    "main_theorem": (0.9,),  # the same
    "spectral_curves": (0, 1, -1),  # t is whole; how far; axes
}


@pytest.mark.parametrize(("function", "check"), NUMBERS, ids=lambda x: x.__qualname__)
def test_every_number_counts(function, check) -> None:  # type: ignore[no-untyped-def]
    assert not survivors(function, check, skip=SKIPPED.get(function.__name__, ()))
