"""The checks of what the algorithm does not promise: the question, the sets, the positions."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from featurebook.core import Params
from featurebook.papers.gemfilter import inference, measured
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.inference import Keep, Selection
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly


def sets_of(p: Params, size: Size, tokens: Tensor, rule: Keep) -> list[tuple[int, ...]]:
    """The places of the first prompt that a rule keeps, one set per layer and head."""
    found: list[tuple[int, ...]] = []

    def noted(Q: Tensor, K: Tensor) -> Tensor:
        J = rule(Q, K)
        found.extend(tuple(places) for places in J[0].tolist())
        return J

    inference.prefill(p, size, tokens, noted)
    return found


def heads_in_another_order(p: Params, size: Size) -> Params:
    """The same model with its heads of keys and values reversed, and their queries with them."""
    of_keys = torch.arange(size.kv_heads * size.head_dim).reshape(size.kv_heads, -1)
    of_queries = torch.arange(size.heads * size.head_dim)
    of_queries = of_queries.reshape(size.kv_heads, size.heads // size.kv_heads, -1)
    few, many = of_keys.flip(0).flatten(), of_queries.flip(0).flatten()
    moved = dict(p)
    for r in range(1, size.layers + 1):
        moved[f"q{r}"], moved[f"o{r}"] = p[f"q{r}"][:, many], p[f"o{r}"][many]
        moved[f"k{r}"], moved[f"v{r}"] = p[f"k{r}"][:, few], p[f"v{r}"][:, few]
    return moved


@claims.check("question")
def the_question_can_be_lost() -> Iterator[Verdict]:
    """Falling scores, of which the last token's is the least."""
    keys = torch.tensor([[[[3.0], [2], [1], [0]]]])
    kept = inference.top(inference.scores(torch.ones(1, 1, 1, 1), keys), 2)
    yield exactly(3 in kept[0].tolist(), "==", False, what="the last token is not kept")


@claims.check("scores")
def sums_of_scores_and_probabilities() -> Iterator[Verdict]:
    """What two heads select by inner products and by probabilities."""
    Q = torch.tensor([[[[1.0]], [[1.0]]]])
    K = torch.tensor([[[[9.0], [0], [8]], [[0.0], [5], [0]]]])
    products = inference.top(inference.scores(Q, K, "raw"), 1).item()
    shares = inference.top(inference.scores(Q, K, "probability"), 1).item()
    yield exactly(products, "!=", shares, what="selected of scores 9 0 8 and 0 5 0")


@claims.check("one-set")
def one_set(
    weights: Params, decoder: Size, prompts: Tensor, printed_algorithm: Selection, k: int
) -> Iterator[Verdict]:
    """The sets of SnapKV and H2O, and of GemFilter's tokens in each layer and head."""
    rivals = [
        sets_of(weights, decoder, prompts, rule)
        for rule in (inference.snap_places(k), inference.h2o_places(k))
    ]
    own = inference.same_places(weights, decoder, prompts, printed_algorithm)
    yield exactly(
        [len(x) for x in rivals],
        "==",
        decoder.layers * decoder.heads,
        what="index sets of SnapKV and H2O",
    )
    yield exactly([len(set(x)) for x in rivals], ">", 1, what="and how many of these differ")
    yield exactly(
        len(set(sets_of(weights, decoder, prompts, own))),
        "==",
        1,
        what="different sets of GemFilter",
    )


@claims.check("distance", proof="proved on the page")
def shorter_distances(
    weights: Params, decoder: Size, prompts: Tensor, printed_algorithm: Selection,
    n: int, k: int, t: int,
) -> Iterator[Verdict]:  # fmt: skip
    """The largest position that is used, for SnapKV, H2O and GemFilter's second run."""
    second = prompts.gather(1, inference.select(weights, decoder, prompts, printed_algorithm))
    runs = [
        partial(inference.snapkv, weights, decoder, prompts, k, t + 1),
        partial(inference.h2o, weights, decoder, prompts, k, t + 1),
        partial(inference.generate, weights, decoder, second, t + 1),
    ]
    reach = [measured.largest_position(run) + 1 for run in runs]
    bounds = [n + t, n + t, k + t]
    yield exactly(reach, "<=", bounds, what="positions, SnapKV, H2O, GemFilter")
    yield exactly(reach, "==", bounds, what="and all of them are used")


@claims.check("full-budget", proof="proved on the page")
def full_budgets_agree(
    weights: Params, decoder: Size, prompts: Tensor, printed_algorithm: Selection,
    n: int, k: int, t: int,
) -> Iterator[Verdict]:  # fmt: skip
    """All methods at k = n, and with heads in another order."""
    model = weights, decoder, prompts
    all_kept = Selection(2, n, keep_last=0)
    answers = [
        inference.gemfilter(*model, all_kept, t),
        inference.one_run(*model, all_kept, t),
        inference.snapkv(*model, n, t),
        inference.h2o(*model, n, t),
    ]
    yield everywhere(torch.stack(answers) == inference.generate(*model, t), what="answers at k = n")
    second_layer, places, said = replace(printed_algorithm, r=2), [], []
    for p in (weights, heads_in_another_order(weights, decoder)):
        model = p, decoder, prompts
        places.append(inference.select(*model, second_layer))
        said.append(
            torch.stack([
                inference.gemfilter(*model, printed_algorithm, t),
                inference.snapkv(*model, k, t),
                inference.h2o(*model, k, t),
            ])
        )  # fmt: skip
    yield everywhere(places[0] == places[1], what="J after the heads change places")
    yield everywhere(said[0] == said[1], what="answers after the heads change places")
