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
from mutants import Constant, Covered, assert_constant_noticed, assert_noticed
from papers.contrastive_decoupling import test_exact as exactly
from papers.contrastive_decoupling import test_golden as golden
from papers.contrastive_decoupling import test_plain as without

COVERED = [
    Covered(model.code_probability, golden.golden_model_constants),
    Covered(model.noise_variance, golden.golden_model_constants),
    Covered(model.push, golden.golden_push),
    Covered(model.printed_schedule, golden.golden_printed_schedule),
    Covered(model.ramp, golden.golden_ramp),
    Covered(theory.decoupled, golden.golden_decoupled),
    Covered(theory.covariance, golden.golden_covariance),
    Covered(theory.worst_pull_error, golden.golden_pull_error),
    Covered(theory.growth_factors, golden.golden_growth_factors),
    Covered(theory.luck, golden.golden_luck),
    Covered(theory.share_window, golden.golden_share_window),
    Covered(theory.log_lucky, golden.golden_log_lucky),
    Covered(theory.normal_density, golden.golden_normal),
    Covered(theory.normal_tail, golden.golden_normal),
    Covered(theory.mean_soft_threshold, golden.golden_mean_soft_threshold),
    Covered(theory.gated_noise, golden.golden_gated_noise),
    Covered(theory._spread, golden.golden_gated_noise),
    Covered(theory.masked_noise_push, golden.golden_masked_noise_push),
    Covered(theory.masked_firing, golden.golden_masked_noise_push),
    Covered(theory.plain_noise_push, golden.golden_plain_noise_push),
    Covered(theory.wide_push, golden.golden_wide_push),
    Covered(theory.linear_bound, golden.golden_linear_bound),
    Covered(theory.arcsine_accuracy, golden.golden_arcsine),
    Covered(theory.loss_floor, golden.golden_loss_floor),
    Covered(theory.no_atom, golden.golden_no_atom),
    Covered(theory.empty_code_loss, golden.golden_losses_without_atoms),
    Covered(theory.any_weights_bound, golden.golden_losses_without_atoms),
    Covered(theory.held_up, golden.golden_psi),
    Covered(theory.balance, golden.golden_balance),
    Covered(exact._log_size, golden.golden_exact_bounds),
    Covered(exact.decay_price, golden.golden_exact_bounds),
    Covered(exact.no_atom, golden.golden_exact_bounds),
    Covered(exact.any_weights_loss, golden.golden_exact_bounds),
    Covered(exact.accuracy_of_the_better, golden.golden_exact_bounds),
    Covered(exact.share_bounds, golden.golden_exact_shares),
    Covered(exact.sketched_push, exactly.golden_sketched_push),
    Covered(exact._tail, exactly.golden_sketched_push),
    Covered(exact._shortfall, exactly.golden_sketched_push),
    Covered(signs.soft, exactly.test_pair_of_the_gradient),
    Covered(signs.bracket, exactly.test_pair_of_the_gradient),
    Covered(signs.slope_of_the_loss, exactly.test_pair_of_the_gradient),
    Covered(signs.pull_in_parts, exactly.test_parts_of_the_gradient),
    Covered(exact.biased_pull, golden.golden_biased_pull),
    Covered(exact.ends_of_stage_one, without.test_ends_of_stage_one),
    Covered(exact.dominant_loss, without.test_dominant_loss_is_a_lower_bound),
    Covered(exact.dense_claim, without.test_dominant_loss_is_a_lower_bound),
    Covered(exact.sparse_tail, without.golden_sparse_tail),
    Covered(exact._log_size_2, without.test_sparse_tail_bound),
    Covered(exact.sparse_tail_rates, without.test_sparse_tail_rate_bounds_the_exact_rate),
    Covered(exact.sparse_tail_bound, without.test_sparse_tail_bound),
    Covered(theory.log_large_fraction, without.test_log_large_fraction),
    Covered(plain.dense_bound, without.test_bounds_without_augmentation),
    Covered(plain.least_norm, without.test_bounds_without_augmentation),
    Covered(plain.noise_pull_formula, without.test_noise_pull_against_monte_carlo),
    Covered(gradients.push_on_atom, golden.golden_push_on_atom),
    Covered(gradients.singleton_pushes, golden.golden_singleton_pushes),
    Covered(measures.shares, golden.golden_shares),
    Covered(measures.coherences, golden.golden_shares),
    Covered(measures.likeness, golden.golden_likeness),
    Covered(experiments.supervised_back, golden.golden_supervised_step),
    Covered(photographs.excess_kurtosis, golden.golden_kurtosis),
    Covered(deep.lifetime_density, golden.golden_density),
    Covered(augmentations.saturation, golden.golden_colour),
    Covered(augmentations.mean_colour, golden.golden_colour),
    Covered(theory.psi, golden.golden_psi),
    Covered(measures.covered, golden.golden_shares),
    Covered(measures._mean_cosine, golden.golden_cosine_to_noise),
    Covered(measures.cosine_to_noise, golden.golden_cosine_to_noise),
    Covered(measures.plain_loss, golden.golden_plain_loss),
    Covered(deep.firing, golden.golden_density),
    Covered(gradients.bias_push, golden.golden_bias_push),
]
CONSTANTS = [
    Constant(theory, "GAMMA", 1.1, golden.golden_luck),
    Constant(theory, "C0", 1.1, golden.golden_luck),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)


@pytest.mark.parametrize("constant", CONSTANTS, ids=str)
def test_breaks_of_a_constant_are_noticed(constant: Constant) -> None:
    assert_constant_noticed(constant)
