"""Prompts that share a text, read once by the whole model, and answered by every method.

The body of a `haystack` goes through the model once; its cache serves all questions. What the
filter of every layer, SnapKV and H2O would keep is noted on the way. Answers of methods that keep
equally many tokens are generated in one batch. The results are those of `real.generate`.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from featurebook.papers.gemfilter import real
from featurebook.papers.gemfilter.decoder import Cache, continued, extend, kept, spacious
from featurebook.papers.gemfilter.haystack import Haystack
from featurebook.papers.gemfilter.inference import Row, Selection
from featurebook.papers.gemfilter.real import H2O, Method, OneRun, SnapKV

Key = TypeVar("Key", bound=Hashable)
Scores = dict[tuple[Row, str], list[Tensor]]
"""By row and kind of score, for each layer the scores of all places, (B, n)."""


@dataclass(frozen=True)
class Reading:
    """Prompts (B, n) after one pass through the whole model.

    Attributes:
        h: output of the last layer at the last tokens, (B, T, D).
        cache: all keys and values.
        scores: before pooling, by row and kind.
        sets: places that SnapKV and H2O keep, by method, for each layer (B, h, k).
    """

    ids: Tensor
    h: Tensor
    cache: Cache
    scores: Scores = field(default_factory=dict)
    sets: Mapping[Method, list[Tensor]] = field(default_factory=dict)

    def chosen(self, how: Selection) -> Tensor:
        """J, (B, k)."""
        return real.chosen(self.scores[how.row, how.score][how.r - 1], how)


class _Notes:
    """What the watcher of a pass writes down."""

    def __init__(self, n: int, rules: Sequence[SnapKV | H2O], rows: Sequence[Row]) -> None:
        self.middle, self.rules, self.rows = (n - 1) // 2, rules, rows
        self.asked: list[Tensor] = []
        self.sums: list[Tensor] = []
        self.scores: Scores = {}
        self.sets: dict[Method, list[Tensor]] = {rule: [] for rule in rules}

    @property
    def sums_wanted(self) -> bool:
        return any(isinstance(rule, H2O) for rule in self.rules)

    def body(self, r: int, Q: Tensor, K: Tensor) -> None:
        """Of the common text: the middle row, and H2O's sums."""
        self.asked.append(Q[:, :, self.middle : self.middle + 1])
        if self.sums_wanted:
            self.sums.append(real.column_sums(Q, K))

    def tail(self, r: int, Q: Tensor, K: Tensor) -> None:
        """Of the questions."""
        plain = Selection(r, 1)
        rows: dict[Row, Tensor] = {"last": Q, "middle": self.asked[r - 1].expand(len(Q), -1, 1, -1)}
        for row in self.rows:
            found = real.row_scores(rows[row], K, plain)
            self.scores.setdefault((row, "raw"), []).append(found)
        likely = real.row_scores(Q, K, replace(plain, score="probability"))
        self.scores.setdefault(("last", "probability"), []).append(likely)
        if self.sums_wanted:
            sums = real.column_sums(Q, K)
            sums[..., : self.sums[r - 1].shape[-1]] += self.sums[r - 1]
        for rule in self.rules:
            if isinstance(rule, SnapKV):
                self.sets[rule].append(real.snap_places(Q, K, rule))
            else:
                self.sets[rule].append(real.h2o_places(sums, rule))


def read(
    model: Any, hay: Haystack, rules: Sequence[SnapKV | H2O] = (), rows: Sequence[Row] = ("last",)
) -> Reading:
    """Read all prompts of a haystack, and note what each method would keep.

    Args:
        rules: whose sets are wanted; H2O costs as much as attention itself.
        rows: whose scores are wanted.
    """
    ids, B = hay.ids, len(hay.tails)
    notes = _Notes(ids.shape[1], rules, rows)
    _, body = extend(model, hay.body, watch=notes.body)
    shared = Cache(
        tuple(x.expand(B, -1, -1, -1) for x in body.keys),
        tuple(x.expand(B, -1, -1, -1) for x in body.values),
        body.position.expand(B),
    )
    h, cache = extend(model, hay.tails, shared, notes.tail)
    return Reading(ids, h, cache, notes.scores, notes.sets)


def start(model: Any, reading: Reading, how: Method | Tensor) -> tuple[Tensor, Cache]:
    """Where a method begins to generate: the last output (B, 1, D), and what it has kept.

    Places (B, k) instead of a method are those of the tokens for a second pass.
    """
    if isinstance(how, Selection | Tensor):
        J = how if isinstance(how, Tensor) else reading.chosen(how)
        h, cache = extend(model, reading.ids.gather(1, J))
        return h[:, -1:], cache
    sets = reading.sets.get(how)
    if isinstance(how, OneRun):
        J = reading.chosen(how.how)[:, None].expand(-1, reading.cache.keys[0].shape[1], -1)
        sets = [J] * len(reading.cache.keys)
    if sets is None:
        return reading.h[:, -1:], reading.cache
    pairs = zip(reading.cache.keys, reading.cache.values, sets, strict=True)
    keys, values = zip(*((kept(K, J), kept(V, J)) for K, V, J in pairs), strict=True)
    return reading.h[:, -1:], Cache(keys, values, reading.cache.position)


def together(
    model: Any, wanted: Mapping[Key, tuple[Reading, Method | Tensor]], t: int
) -> dict[Key, Tensor]:
    """Greedy tokens (B, t) of methods on readings; caches of the same shape share their steps."""
    begun = {key: start(model, *pair) for key, pair in wanted.items()}
    groups: dict[tuple[int, ...], list[Key]] = {}
    for key, (_, cache) in begun.items():
        groups.setdefault(tuple(cache.keys[0].shape[1:]), []).append(key)
    found: dict[Key, Tensor] = {}
    for group in groups.values():
        h = torch.cat([begun[key][0] for key in group])
        cache = spacious([begun[key][1] for key in group], t - 1)
        said = continued(model, h, cache, t).split([len(begun[key][0]) for key in group])
        found |= dict(zip(group, said, strict=True))
    return found
