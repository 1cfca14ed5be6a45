"""Every constant of the part's formulas, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.gemfilter import (
    costs,
    data,
    experiments,
    inference,
    measured,
    network,
    printed,
    training,
)  # fmt: skip
from mutation import Mutation, assert_noticed, survivors
from papers.gemfilter import test_costs as C
from papers.gemfilter import test_inference as I
from papers.gemfilter import test_measured as M
from papers.gemfilter import test_network as N
from papers.gemfilter import test_task as T


def operations() -> None:
    C.test_operations_are_those_counted(5)


def full_budget() -> None:
    I.test_full_budget_is_the_full_model(2)


def prompts_deep() -> None:
    T.test_prompts_contain_their_answers(0.5)


TABLE = [
    Mutation(network.normed, 1e-6, 1e5, N.test_layer_by_loops),
    Mutation(network.rotated, 2, 2.0, N.test_rotary_positions_by_complex_numbers),
    Mutation(network.rotated, "-torch.arange", "torch.arange",
             N.test_rotary_positions_by_complex_numbers),
    Mutation(network.rotated, "a * cos - b * sin", "a * cos + b * sin",
             N.test_rotary_positions_by_complex_numbers),
    Mutation(network.attention_map, "** 0.5", "** 0.25", N.test_layer_by_loops),
    Mutation(network.causal, "S - T", "S - T + 1", N.test_the_future_is_not_seen),
    Mutation(network.layer, "Q[..., at, :]", "Q[..., at - 1, :]",
             N.test_some_positions_are_those_of_the_whole_pass),
    Mutation(network.layer, "causal(T, T)[at]", "causal(T, T)[at - 1]",
             N.test_some_positions_are_those_of_the_whole_pass),
    Mutation(network.layer, "h[..., at, :]", "h[..., at - 1, :]",
             N.test_some_positions_are_those_of_the_whole_pass),
    Mutation(network.repeat_kv, "repeat_interleave", "repeat_interleave(1, -3).roll",
             N.test_layer_by_loops),
    Mutation(network.after, "return h +", "return", N.test_layer_by_loops),
    Mutation(network.initial, "0.5 * draw", "0.6 * draw", N.test_start_is_of_order_one),
    Mutation(network.initial, "2 * hd", "3 * hd", N.test_start_is_of_order_one),
    Mutation(network.initial, "2 * size.mlp", "3 * size.mlp", N.test_start_is_of_order_one),
    Mutation(network.Size.layer_weights, "2 * hd", "3 * hd", N.test_weights_of_a_layer),
    Mutation(network.Size.layer_weights, "2 * kv", "3 * kv", N.test_weights_of_a_layer),
    Mutation(network.Size.layer_weights, "2 * self.mlp", "3 * self.mlp", N.test_weights_of_a_layer),
    Mutation(inference.step, "cache.next_position + 1", "cache.next_position + 2",
             N.test_cache_gives_what_the_whole_pass_gives),
    Mutation(inference.step, "cache.next_position]", "cache.next_position + 1]",
             N.test_cache_gives_what_the_whole_pass_gives),
    Mutation(inference.top, "n - keep_last", "n - keep_last - 1", I.test_planted_places),
    Mutation(inference.top, "sort(-1).values", "sort(-1).indices", I.test_planted_places),
    Mutation(inference.scores, "products.sum(1)", "products.amax(1)", I.test_planted_places),
    Mutation(inference.scores, "softmax(-1)", "softmax(1)", I.test_planted_places),
    Mutation(inference.pooled, "width // 2", "width // 3", I.test_pooling),
    Mutation(inference.pooled, "count_include_pad=kind == 'zeros'", "count_include_pad=True",
             I.test_pooling),
    Mutation(inference.row_of, "- 1) // 2", "+ 1) // 2", I.test_rows),
    Mutation(inference.row_of, "argmax(1) + 1", "argmax(1)", I.test_rows),
    Mutation(inference.row_of, "-1:", "-2:", I.test_rows),
    Mutation(inference.row_scores, "how.r - 1", "how.r",
             I.test_layers_above_the_filter_are_not_run),
    Mutation(inference.continued, "t - 1", "t - 2", I.test_generation_is_greedy),
    Mutation(inference.prefill, "positions = at[:, None]", "pass",
             I.test_old_places_of_neighbours_are_new_ones_shifted),
    Mutation(inference.in_place, "tokens.shape[-1])", "how.k)",
             I.test_old_places_of_neighbours_are_new_ones_shifted),
    Mutation(inference.continued, "range(t - 1)", "range(t)", I.test_generation_is_greedy),
    Mutation(measured.peak_bytes, "2 * K.nbytes", "1 * K.nbytes", M.test_peaks_by_hand),
    Mutation(measured.peak_bytes, "held += 2", "held += 1", M.test_peaks_by_hand),
    Mutation(measured.gemfilter_peak_bytes, "max(most, peak", "min(most, peak",
             M.test_peaks_by_hand),
    Mutation(experiments.spread, "set(row)", "row", T.test_spread_counts_places_once),
    Mutation(inference.snap_places, "-window:", "-window - 1:",
             I.test_rules_of_snapkv_and_h2o_by_loops),
    Mutation(inference.pooled, "kind == 'zeros'", "False", I.test_pooling),
    Mutation(inference.snap_places, "width: int=3", "width: int=1",
             I.test_places_by_hand_of_snapkv_and_h2o),
    Mutation(inference.snap_places, "sum(-2)", "amin(-2)",
             I.test_places_by_hand_of_snapkv_and_h2o),
    Mutation(inference.h2o_places, "recent: int=2", "recent: int=1",
             I.test_places_by_hand_of_snapkv_and_h2o),
    Mutation(inference.top, "if in_order", "if not in_order",
             I.test_the_order_of_selected_places),
    Mutation(experiments.printed_variants, "keep_last=0", "keep_last=2",
             T.test_printed_variants_are_those_of_the_selection),
    Mutation(experiments.printed_variants, "pool='zeros'", "pool='avg'",
             T.test_printed_variants_are_those_of_the_selection),
    Mutation(experiments.printed_variants, "pool='max', width=5", "pool='max', width=3",
             T.test_printed_variants_are_those_of_the_selection),
    Mutation(measured.largest_position, "positions.max()", "positions.min()",
             M.test_the_largest_position_is_that_of_the_last_token),
    Mutation(printed.score, ".lower()", "", C.test_score_of_an_answer_by_hand),
    Mutation(inference.h2o_places, "sum(-2)", "amax(-2)", I.test_rules_of_snapkv_and_h2o_by_loops),
    Mutation(inference.Cache.numbers, "x[0].numel()", "x.numel()",
             N.test_cache_gives_what_the_whole_pass_gives),
    Mutation(costs.mask_after, "** 0.5", "** 0.25", C.test_mask_after_the_softmax_leaks),
    Mutation(costs.argsorted, ".indices", ".values", C.test_argsort),
    Mutation(costs.Real.P, "2 * self.heads", "3 * self.heads", C.test_models_of_the_thesis),
    Mutation(costs.Real.P, "2 * self.kv_heads", "3 * self.kv_heads", C.test_models_of_the_thesis),
    Mutation(costs.Real.P, "3 * self.D", "2 * self.D", C.test_models_of_the_thesis),
    Mutation(data.Task.slots, "n - 1", "n - 2", prompts_deep),
    Mutation(data.prompts, "1 + NEEDLE", "2 + NEEDLE", prompts_deep),
    Mutation(data.haystacks, "task.needles, NEEDLE - 1", "task.needles, NEEDLE", prompts_deep),
    Mutation(training.loss, "1:-1", "0:-2", T.test_loss_is_of_the_values_alone),
    Mutation(training.loss, "data.NEEDLE + 1", "data.NEEDLE + 2",
             T.test_loss_is_of_the_values_alone),
    Mutation(experiments.right, "all(1)", "any(1)", T.test_measures_by_hand),
    Mutation(experiments.recalled, "all(1)", "any(1)", T.test_measures_by_hand),
    Mutation(experiments.distance, ".abs()", "", T.test_measures_by_hand),
    Mutation(printed.average_gap, "axis=1", "axis=0", C.test_printed_tables),
    Mutation(printed.ranks, "ascending=False", "ascending=True", C.test_printed_tables),
]  # fmt: skip


@pytest.mark.parametrize("mutation", TABLE, ids=str)
def test_no_mutation_survives(mutation: Mutation) -> None:
    assert_noticed(mutation)


WHOLE = [
    (costs.time, C.test_cells_by_hand, ()),
    (costs.memory, C.test_cells_by_hand, ()),
    (costs.layer_ops, operations, ()),
    (costs.prompt_ops, operations, ()),
    (costs.filter_ops, operations, ()),
    (costs.step_ops, operations, ()),
    (training.step_size, T.test_step_sizes, (0.0,)),
    (training.loss, T.test_loss_is_of_the_values_alone, ()),
    (costs.Real.P, C.test_models_of_the_thesis, ()),
    (network.Size.layer_weights, N.test_weights_of_a_layer, ()),
    (network.rotated, N.test_rotary_positions_by_complex_numbers, ()),
    (network.attention_map, N.test_layer_by_loops, ()),
    (measured.peak_bytes, M.test_peaks_by_hand, (0,)),  # less than any peak
    (measured.gemfilter_peak_bytes, M.test_peaks_by_hand, (0,)),
    (data.Task.slots, prompts_deep, ()),
]


@pytest.mark.parametrize(
    ("function", "check", "skip"), WHOLE, ids=lambda x: getattr(x, "__name__", "")
)
def test_no_number_survives(function, check, skip) -> None:  # type: ignore[no-untyped-def]
    assert not survivors(function, check, skip=skip)
