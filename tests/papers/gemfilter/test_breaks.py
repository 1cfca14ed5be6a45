"""Every constant of the part's formulas, broken one at a time: some golden value must notice."""

import pytest

from featurebook.papers.gemfilter import (
    allocated,
    clocks,
    costs,
    data,
    decoder,
    experiments,
    inference,
    measured,
    network,
    printed,
    real,
    tasks,
    training,
)  # fmt: skip
from mutants import Covered, assert_noticed
from papers.gemfilter import test_costs as C
from papers.gemfilter import test_inference as I
from papers.gemfilter import test_measured as M
from papers.gemfilter import test_network as N
from papers.gemfilter import test_real_parts as R
from papers.gemfilter import test_task as T


def operations() -> None:
    C.test_operations_are_those_counted(5)


def full_budget() -> None:
    I.test_full_budget_is_the_full_model(2)


def shared_keys() -> None:
    for rows in (1, 2, 4):
        R.test_shared_keys_are_attended_to_as_if_repeated(rows)


def attention_of_last_rows() -> None:
    R.test_attention_rows(2, 5)


def prompts_deep() -> None:
    T.test_prompts_contain_their_answers(0.5)


COVERED = [
    Covered(network.normed, N.test_layer_by_loops),
    Covered(network.rotated, N.test_rotary_positions_by_complex_numbers),
    Covered(network.attention_map, N.test_layer_by_loops),
    Covered(network.causal, N.test_the_future_is_not_seen),
    Covered(network.layer, N.test_some_positions_are_those_of_the_whole_pass),
    Covered(network.repeat_kv, N.test_layer_by_loops),
    Covered(network.after, N.test_layer_by_loops),
    Covered(network.initial, N.test_start_is_of_order_one),
    Covered(network.Size.layer_weights, N.test_weights_of_a_layer),
    Covered(inference.step, N.test_cache_gives_what_the_whole_pass_gives),
    Covered(inference.top, I.test_planted_places, I.test_the_order_of_selected_places),
    Covered(inference.scores, I.test_planted_places),
    Covered(inference.pooled, I.test_pooling),
    Covered(inference.row_of, I.test_rows),
    Covered(inference.row_scores, I.test_layers_above_the_filter_are_not_run),
    Covered(inference.continued, I.test_generation_is_greedy),
    Covered(inference.prefill, I.test_old_places_of_neighbours_are_new_ones_shifted),
    Covered(inference.in_place, I.test_old_places_of_neighbours_are_new_ones_shifted),
    Covered(measured.peak_bytes, M.test_peaks_by_hand),
    Covered(measured.gemfilter_peak_bytes, M.test_peaks_by_hand),
    Covered(experiments.spread, T.test_spread_counts_places_once),
    Covered(
        inference.snap_places,
        I.test_rules_of_snapkv_and_h2o_by_loops,
        I.test_places_by_hand_of_snapkv_and_h2o,
    ),
    Covered(
        inference.h2o_places,
        I.test_places_by_hand_of_snapkv_and_h2o,
        I.test_rules_of_snapkv_and_h2o_by_loops,
    ),
    Covered(experiments.printed_variants, T.test_printed_variants_are_those_of_the_selection),
    Covered(measured.largest_position, M.test_the_largest_position_is_that_of_the_last_token),
    Covered(printed.score, C.test_score_of_an_answer_by_hand),
    Covered(inference.Cache.numbers, N.test_cache_gives_what_the_whole_pass_gives),
    Covered(costs.mask_after, C.test_mask_after_the_softmax_leaks),
    Covered(costs.argsorted, C.test_argsort),
    Covered(costs.Real.P, C.test_models_of_the_thesis),
    Covered(data.Task.slots, prompts_deep),
    Covered(data.prompts, prompts_deep),
    Covered(data.haystacks, prompts_deep),
    Covered(training.loss, T.test_loss_is_of_the_values_alone),
    Covered(experiments.right, T.test_measures_by_hand),
    Covered(experiments.recalled, T.test_measures_by_hand),
    Covered(experiments.distance, T.test_measures_by_hand),
    Covered(printed.average_gap, C.test_printed_tables),
    Covered(printed.ranks, C.test_printed_tables),
    Covered(costs.time, C.test_cells_by_hand),
    Covered(costs.memory, C.test_cells_by_hand),
    Covered(costs.layer_ops, operations),
    Covered(costs.prompt_ops, operations),
    Covered(costs.filter_ops, operations),
    Covered(costs.step_ops, operations),
    Covered(training.step_size, T.test_step_sizes),
    Covered(decoder.attended, shared_keys),
    Covered(real.attention_rows, attention_of_last_rows),
    Covered(real.column_sums, R.sums_in_blocks),
    Covered(real.snap_places, R.test_places_of_snapkv_and_h2o),
    Covered(real.h2o_places, R.test_places_of_snapkv_and_h2o),
    Covered(real.row_scores, R.test_scores_are_summed_over_heads),
    Covered(real.chosen, R.test_fewer_tokens_than_the_budget_are_all_kept),
    Covered(tasks.keys, R.drawn_tasks),
    Covered(tasks.copying, R.drawn_tasks, R.test_words_that_are_copied),
    Covered(tasks.counting, R.drawn_tasks),
    Covered(tasks.is_right, R.test_right_answers),
    Covered(allocated.Peak._count, R.test_most_memory_at_a_time),
    Covered(clocks.counted, R.test_bytes_that_the_theorem_counts),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
