"""A needle task for a small model: find the two values that stand after the key that is asked for.

A prompt of n tokens is BOS, a haystack of fillers with needles KEY VALUE VALUE in it, and the
question Q KEY. The answer is the two values that followed this key. Ours; a counterpart of the
needle in a haystack of Section 9.4.1.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

BOS, Q = 0, 1
NEEDLE = 3
"""Tokens of a needle: a key and two values; a needle begins at 1 + 3 i, i = 0, 1, ..."""
QUESTION = 2
"""Tokens of the question at the end of a prompt."""


@dataclass(frozen=True)
class Task:
    """How many tokens of each kind there are, and how many needles a prompt has."""

    fillers: int = 16
    keys: int = 16
    values: int = 16
    needles: int = 4

    @property
    def vocabulary(self) -> int:
        """|V|: BOS, Q, then fillers, keys, values."""
        return 2 + self.fillers + self.keys + self.values

    def slots(self, n: int) -> int:
        """Places for a needle in a prompt of n tokens."""
        return (n - 1 - QUESTION) // NEEDLE


@dataclass(frozen=True)
class Prompts:
    """B prompts of one length.

    Attributes:
        tokens: (B, n).
        answer: the two values asked for, (B, 2).
        needle: places of the three tokens of the needle asked for, from 0, (B, 3).
    """

    tokens: Tensor
    answer: Tensor
    needle: Tensor


def _chosen(g: torch.Generator, rows: int, count: int, of: int) -> Tensor:
    """``count`` different numbers below ``of`` in random order, a row: (rows, count)."""
    return torch.rand(rows, of, generator=g).argsort(1)[:, :count]


def haystacks(g: torch.Generator, task: Task, B: int, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Bodies (B, n - 2), the needles in them (B, needles, 3), and where these begin."""
    first = 2 + task.fillers
    body = torch.randint(2, first, (B, n - QUESTION), generator=g)
    body[:, 0] = BOS
    keys = first + _chosen(g, B, task.needles, task.keys)
    values = torch.randint(task.values, (B, task.needles, NEEDLE - 1), generator=g)
    needles = torch.cat([keys[..., None], first + task.keys + values], -1)
    begins = 1 + NEEDLE * _chosen(g, B, task.needles, task.slots(n))
    return body, needles, begins


def _planted(body: Tensor, needles: Tensor, begins: Tensor) -> Tensor:
    where = (begins[..., None] + torch.arange(NEEDLE)).flatten(1)
    return body.scatter(1, where, needles.flatten(1))


def prompts(g: torch.Generator, task: Task, B: int, n: int, depth: float | None = None) -> Prompts:
    """B prompts of n tokens, the needle asked for at a depth in [0, 1], or anywhere."""
    body, needles, begins = haystacks(g, task, B, n)
    if depth is not None:
        slot = 1 + NEEDLE * round(depth * (task.slots(n) - 1))
        taken = begins == slot  # another needle may stand there: the two change places
        begins = torch.where(taken, begins[:, :1], begins)
        begins[:, 0] = slot
    question = torch.stack([torch.full((B,), Q), needles[:, 0, 0]], 1)
    tokens = torch.cat([_planted(body, needles, begins), question], 1)
    return Prompts(tokens, needles[:, 0, 1:], begins[:, :1] + torch.arange(NEEDLE))


def lessons(g: torch.Generator, task: Task, B: int, n: int) -> Tensor:
    """For training: haystacks after which all needles are asked for and answered, (B, T)."""
    body, needles, begins = haystacks(g, task, B, n)
    asked = needles.gather(
        1, _chosen(g, B, task.needles, task.needles)[..., None].expand(-1, -1, NEEDLE)
    )
    marks = torch.full((B, task.needles, 1), Q)
    dialogue = torch.cat([marks, asked], -1).flatten(1)
    return torch.cat([_planted(body, needles, begins), dialogue], 1)
