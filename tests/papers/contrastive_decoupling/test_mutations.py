"""Every constant of every closed form, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.contrastive_decoupling import (
    augmentations,
    deep,
    exact,
    experiments,
    gradients,
    measures,
    model,
    photographs,
    plain,
    signs,
    theory,
)
from mutation import Mutation, assert_noticed, survivors
from papers.contrastive_decoupling import test_exact as exactly
from papers.contrastive_decoupling import test_golden as golden
from papers.contrastive_decoupling import test_plain as without

FORMULAS = [  # (formula, what should notice, numbers that only name an axis or a size)
    (model.code_probability, golden.golden_model_constants, (0, 0.0, 1)),
    (model.noise_variance, golden.golden_model_constants, ()),
    (model.push, golden.golden_push, (0,)),
    (model.printed_schedule, golden.golden_printed_schedule, ()),
    (model.ramp, golden.golden_ramp, ()),
    (theory.decoupled, golden.golden_decoupled, ()),
    (theory.covariance, golden.golden_covariance, ()),
    (theory.worst_pull_error, golden.golden_pull_error, (0, 1)),
    (theory.growth_factors, golden.golden_growth_factors, ()),
    (theory.luck, golden.golden_luck, ()),
    (theory.share_window, golden.golden_share_window, ()),
    (theory.log_lucky, golden.golden_log_lucky, (1e6,)),
    (theory.normal_density, golden.golden_normal, ()),
    (theory.normal_tail, golden.golden_normal, ()),
    (theory.mean_soft_threshold, golden.golden_mean_soft_threshold, ()),
    (theory.gated_noise, golden.golden_gated_noise, (1,)),
    (theory._spread, golden.golden_gated_noise, (1,)),
    (theory.masked_noise_push, golden.golden_masked_noise_push, (1,)),
    (theory.masked_firing, golden.golden_masked_noise_push, (1,)),
    (theory.plain_noise_push, golden.golden_plain_noise_push, ()),
    (theory.wide_push, golden.golden_wide_push, ()),
    (theory.linear_bound, golden.golden_linear_bound, ()),
    (theory.arcsine_accuracy, golden.golden_arcsine, ()),
    (theory.loss_floor, golden.golden_loss_floor, (0.0, 1)),
    (theory.no_atom, golden.golden_no_atom, (30,)),
    (theory.empty_code_loss, golden.golden_losses_without_atoms, ()),
    (theory.any_weights_bound, golden.golden_losses_without_atoms, ()),
    (theory.held_up, golden.golden_psi, (0,)),
    (theory.balance, golden.golden_balance, (1,)),
    (exact._log_size, golden.golden_exact_bounds, ()),
    (exact.decay_price, golden.golden_exact_bounds, ()),
    (exact.no_atom, golden.golden_exact_bounds, ()),
    (exact.any_weights_loss, golden.golden_exact_bounds, ()),
    (exact.accuracy_of_the_better, golden.golden_exact_bounds, ()),
    (exact.share_bounds, golden.golden_exact_shares, ()),
    (exact.sketched_push, exactly.golden_sketched_push, ()),
    (exact._tail, exactly.golden_sketched_push, ()),
    (exact._shortfall, exactly.golden_sketched_push, ()),
    (signs.soft, exactly.test_pair_of_the_gradient, ()),
    (signs.bracket, exactly.test_pair_of_the_gradient, ()),
    (signs.slope_of_the_loss, exactly.test_pair_of_the_gradient, ()),
    (signs.pull_in_parts, exactly.test_parts_of_the_gradient, ()),
    (exact.biased_pull, golden.golden_biased_pull, ()),
    (exact.ends_of_stage_one, without.test_ends_of_stage_one, ()),
    (exact.dominant_loss, without.test_dominant_loss_is_a_lower_bound, ()),
    (exact.dense_claim, without.test_dominant_loss_is_a_lower_bound, ()),
    (exact.sparse_tail, without.golden_sparse_tail, ()),
    (exact._log_size_2, without.test_sparse_tail_bound, ()),
    (exact.sparse_tail_rates, without.test_sparse_tail_rate_bounds_the_exact_rate, ()),
    (exact.sparse_tail_bound, without.test_sparse_tail_bound, ()),
    (theory.log_large_fraction, without.test_log_large_fraction, ()),
    (plain.dense_bound, without.test_bounds_without_augmentation, ()),
    (plain.least_norm, without.test_bounds_without_augmentation, ()),
    (plain.noise_pull_formula, without.test_noise_pull_against_monte_carlo, ()),
    (gradients.push_on_atom, golden.golden_push_on_atom, ()),
    (gradients.singleton_pushes, golden.golden_singleton_pushes, (1,)),
    (measures.shares, golden.golden_shares, (1,)),
    (measures.coherences, golden.golden_shares, (1,)),
    (measures.likeness, golden.golden_likeness, (1,)),
    (experiments.supervised_back, golden.golden_supervised_step, (1,)),
    (photographs.excess_kurtosis, golden.golden_kurtosis, (0,)),
    (deep.lifetime_density, golden.golden_density, (0,)),
    (augmentations.saturation, golden.golden_colour, (1, 2)),
    (augmentations.mean_colour, golden.golden_colour, (0, 1)),
]

MUTATIONS = [
    # what the audit broke unnoticed
    Mutation(theory.log_lucky, "1 + c0", "1 + 2 * c0", golden.golden_log_lucky),
    Mutation(gradients.push_on_atom, "b - alpha <= S", "b <= S", golden.golden_push_on_atom),
    Mutation(gradients.push_on_atom, "b - alpha_bar", "b - alpha", golden.golden_push_on_atom),
    Mutation(gradients.push_on_atom, "alpha - b", "alpha", golden.golden_push_on_atom),
    Mutation(
        gradients.push_on_atom, "alpha - b", "alpha", golden.golden_push_on_atom, occurrence=1
    ),
    # formulas without a number to break, and thresholds
    Mutation(theory.psi, "np.log(y)", "0 * np.log(y)", golden.golden_psi),
    Mutation(theory.psi, "np.log1p(-y)", "0 * y", golden.golden_psi),
    Mutation(measures.covered, 0.5, 0.9, golden.golden_shares),
    Mutation(measures.covered, 0.5, 1.1, golden.golden_shares),
    Mutation(measures._mean_cosine, "norms > 0", "norms > 0.3", golden.golden_cosine_to_noise),
    Mutation(measures.cosine_to_noise, "probe.n_train", "0", golden.golden_cosine_to_noise),
    Mutation(
        measures.plain_loss,
        "contrastive_loss(f, f, f_n, tau)",
        "contrastive_loss(f, f, f_n, 2 * tau)",
        golden.golden_plain_loss,
    ),
    Mutation(deep.firing, 0.2, 0.9, golden.golden_density),
    Mutation(deep.firing, 0.2, 3.5, golden.golden_density),
    Mutation(gradients.bias_push, "world.p", "1.0", golden.golden_bias_push),
    Mutation(model.ramp, "recipe.t2 - recipe.t1", "recipe.t2", golden.golden_ramp),
    Mutation(module=theory, name="GAMMA", becomes=1.1, check=golden.golden_luck),
    Mutation(module=theory, name="C0", becomes=1.1, check=golden.golden_luck),
]


@pytest.mark.parametrize(
    ("formula", "check", "skip"), FORMULAS, ids=lambda x: getattr(x, "__name__", "")
)
def test_no_constant_of_a_formula_survives(formula, check, skip):
    assert survivors(formula, check, skip=skip) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_no_mutation_survives(mutation):
    assert_noticed(mutation)
