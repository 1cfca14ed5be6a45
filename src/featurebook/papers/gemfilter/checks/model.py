"""The checks of what our variant of GemFilter gains in the small model, and of the printed ones."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.gemfilter import data, experiments, inference
from featurebook.papers.gemfilter.checks.networks import TASK, Network, more, stacked
from featurebook.papers.gemfilter.checks.registry import claims
from featurebook.papers.gemfilter.network import Size
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import trend

Shares = dict[str, NDArray[np.float64]]
"""Shares of right answers by method, (networks, ...)."""

DEPTHS = (0.0, 0.5, 1.0)
"""Depths of the needle in the maps; 0 is the beginning of the prompt."""
MAPPED = ("all KV", "SnapKV", "GemFilter")
"""Methods of the maps."""


@claims.experiment
def right_answers(
    networks: list[Network], small_size: Size, test_n: list[int], asked: int
) -> Shares:
    """Shares of right answers by method, (networks, lengths of `test_n`)."""
    rows = []
    for net in networks:
        answers = experiments.methods(net.how)
        by_length = [
            experiments.scores_at(net.weights, small_size, TASK, answers, net.seed, asked, n)
            for n in test_n
        ]
        rows.append({name: [x[name] for x in by_length] for name in answers})
    return stacked(rows)


@claims.experiment
def longest_answers(right_answers: Shares, test_n: list[int]) -> Shares:
    """`right_answers` on the longest prompts, (networks,)."""
    at = test_n.index(max(test_n))
    return {name: x[:, at] for name, x in right_answers.items()}


@claims.experiment
def printed_answers(
    networks: list[Network], small_size: Size, test_n: list[int], asked: int
) -> pd.DataFrame:
    """The printed variants on the longest prompts, with the same layer and k: one row per seed."""
    rows = []
    for net in networks:
        variants = experiments.printed_variants(net.how)
        rows.append(
            experiments.scores_at(
                net.weights, small_size, TASK, variants, net.seed, asked, max(test_n)
            )
        )
    return pd.DataFrame(rows, index=pd.Index([x.seed for x in networks], name="seed"))


@claims.experiment
def baselines(
    networks: list[Network], small_size: Size, test_n: list[int], asked: int, k: int
) -> pd.DataFrame:
    """Untrained networks, random tokens, and the needle handed over: one row per seed."""
    rows = []
    for net in networks:
        prompts = data.prompts(core.generator(net.seed, "baselines"), TASK, asked, max(test_n))
        random = experiments.by_hand(prompts, k, core.generator(net.seed, "random tokens"))
        oracle = experiments.by_hand(prompts, k)
        said = {
            "untrained": inference.gemfilter(net.start, small_size, prompts.tokens, net.how),
            "random": inference.generate(net.weights, small_size, random),
            "oracle": inference.generate(net.weights, small_size, oracle),
        }
        rows.append({name: experiments.right(x, prompts) for name, x in said.items()})
    return pd.DataFrame(rows, index=pd.Index([x.seed for x in networks], name="seed"))


@claims.experiment
def depth_maps(networks: list[Network], small_size: Size, test_n: list[int], asked: int) -> Shares:
    """Shares of right answers by method, (networks, depths, lengths)."""
    maps = []
    for net in networks:
        methods = experiments.methods(net.how)
        answers = {name: methods[name] for name in MAPPED}
        maps.append(
            experiments.depth_map(
                net.weights, small_size, TASK, answers,
                lengths=test_n, depths=DEPTHS, seed=net.seed, B=asked // 2,
            )
        )  # fmt: skip
    return {name: np.array([one[name] for one in maps]) for name in maps[0]}


@claims.check("gain")
def gain(longest_answers: Shares) -> Iterator[Verdict]:
    """GemFilter minus the full cache and SnapKV, on the longest prompts."""
    for rival in ("all KV", "SnapKV"):
        yield more(longest_answers["GemFilter"] - longest_answers[rival], f"minus {rival}")


@claims.check("inside")
def as_long_as_in_training(right_answers: Shares, test_n: list[int]) -> Iterator[Verdict]:
    """GemFilter minus the full cache, on the shortest prompts."""
    gap = right_answers["GemFilter"] - right_answers["all KV"]
    yield trend(
        gap[:, test_n.index(min(test_n))],
        within=(-1, 1),
        expected=(-0.1, 0.1),
        rival={"a tenth less": -0.1, "a tenth more": 0.1},
        what="GemFilter minus all KV",
    )


@claims.check("over-h2o")
def over_h2o(right_answers: Shares, test_n: list[int]) -> Iterator[Verdict]:
    """GemFilter minus H2O, at each length."""
    gap = right_answers["GemFilter"] - right_answers["H2O"]
    for n, one in zip(test_n, gap.T, strict=True):
        yield more(one, f"minus H2O, n = {n}")


def rivals_minus(variant: str, printed: pd.DataFrame, longest: Shares) -> Iterator[Verdict]:
    """The full cache and SnapKV minus a printed variant."""
    for rival in ("all KV", "SnapKV"):
        yield more(longest[rival] - printed[variant].to_numpy(), f"{rival} minus this variant")


@claims.check("printed-algorithm")
def printed_algorithm(printed_answers: pd.DataFrame, longest_answers: Shares) -> Iterator[Verdict]:
    """Algorithm 2 as printed."""
    yield from rivals_minus("Algorithm 2", printed_answers, longest_answers)


@claims.check("printed-code")
def printed_code(printed_answers: pd.DataFrame, longest_answers: Shares) -> Iterator[Verdict]:
    """The printed code, its line 8 as released."""
    yield from rivals_minus("code", printed_answers, longest_answers)


@claims.check("printed-g-4-2")
def printed_appendix(printed_answers: pd.DataFrame, longest_answers: Shares) -> Iterator[Verdict]:
    """The variant of Appendix G.4.2."""
    yield from rivals_minus("G.4.2", printed_answers, longest_answers)


@claims.check("baselines")
def what_baselines_give(baselines: pd.DataFrame) -> Iterator[Verdict]:
    """Untrained networks and random tokens below a tenth, the needle above a half."""
    for name in ("untrained", "random"):
        yield trend(
            baselines[name], expected=(0, 0.1), rival={"a tenth": 0.1}, within=(0, 1), what=name
        )
    yield trend(
        baselines.oracle, expected=(0.5, 1), rival={"a half": 0.5}, within=(0, 1), what="oracle"
    )


@claims.check("depth")
def depth(depth_maps: Shares, test_n: list[int]) -> Iterator[Verdict]:
    """Needles at the end minus those at the beginning, on the longest prompts."""
    at = test_n.index(max(test_n))
    loss = {name: x[:, -1, at] - x[:, 0, at] for name, x in depth_maps.items()}
    yield more(loss["all KV"], "all KV, end minus beginning")
    yield more(loss["all KV"] - loss["GemFilter"], "more than GemFilter")


@claims.check("anew")
def computing_anew(longest_answers: Shares) -> Iterator[Verdict]:
    """GemFilter minus One-Run, which keeps the same tokens."""
    gap = longest_answers["GemFilter"] - longest_answers["One-Run"]
    yield more(gap, "GemFilter minus One-Run")


@claims.check("positions")
def near_positions(longest_answers: Shares) -> Iterator[Verdict]:
    """GemFilter minus itself at the old positions."""
    gap = longest_answers["GemFilter"] - longest_answers["old places"]
    yield more(gap, "GemFilter minus old places")


@claims.check("only-each-other")
def seeing_only_each_other(longest_answers: Shares) -> Iterator[Verdict]:
    """GemFilter at the old positions minus One-Run."""
    gap = longest_answers["old places"] - longest_answers["One-Run"]
    yield more(gap, "old places minus One-Run")


@claims.check("selecting")
def selecting(longest_answers: Shares) -> Iterator[Verdict]:
    """One-Run minus the full cache."""
    gap = longest_answers["One-Run"] - longest_answers["all KV"]
    yield more(gap, "One-Run minus all KV")
