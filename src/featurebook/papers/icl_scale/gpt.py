"""A small GPT and a task with a prior that context labels may override: ours, not the thesis's.

A prompt is a row of M + 1 tokens (x_i, y_i, bit), the query last with label 0 and bit 1. The label
is sign <w, x>. In pretraining w is the prior direction e_1 with probability 1 - ρ and uniform on
the sphere else, so a model may answer from its prior or from the context. The counterpart of
Figures 5.1 to 5.3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from featurebook import core


@dataclass(frozen=True)
class Size:
    """Width D, number of layers and of heads; D is a multiple of the heads."""

    width: int
    layers: int = 1
    heads: int = 1

    def __str__(self) -> str:
        return f"D = {self.width}"


def parameters(p: core.Params) -> int:
    """Number of parameters of one network of an ensemble."""
    return sum(x[0].numel() for x in p.values())


def initial(g: torch.Generator, size: Size, dim: int) -> core.Params:
    """Weights of one GPT for tokens of R^dim with a label and a query bit."""
    D = size.width

    def draw(fan: int, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=g) / fan**0.5

    p = {"embed": draw(dim + 2, dim + 2, D), "read": draw(D, D), "read bias": torch.zeros(())}
    for k in range(size.layers):
        p[f"qkv{k}"] = draw(D, D, 3 * D)
        p[f"out{k}"] = draw(D, D, D)
        p[f"up{k}"] = draw(D, D, 4 * D)
        p[f"bias{k}"] = torch.zeros(4 * D)
        p[f"down{k}"] = draw(4 * D, 4 * D, D)
    return p


def normed(h: Tensor) -> Tensor:
    """Layer norm without gain or bias."""
    return torch.nn.functional.layer_norm(h, h.shape[-1:])


def attend(h: Tensor, qkv: Tensor, heads: int) -> tuple[Tensor, Tensor]:
    """Causal self-attention: values (B, T, D) and maps (B, heads, T, T)."""
    T, D = h.shape[-2:]
    split = (h @ qkv).unflatten(-1, (3, heads, D // heads))  # (B, T, 3, heads, D/heads)
    q, k, v = (split.select(-3, c).transpose(-2, -3) for c in range(3))
    scores = q @ k.transpose(-1, -2) / (D // heads) ** 0.5
    future = torch.full((T, T), -torch.inf, device=h.device).triu(1)
    maps = torch.softmax(scores + future, -1)
    return (maps @ v).transpose(-2, -3).flatten(-2), maps


def forward(p: core.Params, tokens: Tensor, heads: int) -> tuple[Tensor, Tensor]:
    """Logit of the query's label +1 (B,), and the last layer's attention maps."""
    h = tokens @ p["embed"]
    maps = torch.empty(0)
    for k in range(sum(name.startswith("qkv") for name in p)):
        mixed, maps = attend(normed(h), p[f"qkv{k}"], heads)
        h = h + mixed @ p[f"out{k}"]
        h = h + torch.nn.functional.gelu(normed(h) @ p[f"up{k}"] + p[f"bias{k}"]) @ p[f"down{k}"]
    return normed(h[..., -1, :]) @ p["read"] + p["read bias"], maps


def loss(p: core.Params, batch: tuple[Tensor, Tensor], heads: int) -> Tensor:
    """Mean logistic loss of the query's label: tokens (B, M+1, dim+2), labels ±1 (B,)."""
    tokens, label = batch
    return torch.nn.functional.softplus(-label * forward(p, tokens, heads)[0]).mean()


def tasks(g: torch.Generator, shape: tuple[int, ...], dim: int, rho: float) -> Tensor:
    """Task directions w (*shape, dim): e_1, or with probability ρ uniform on the sphere."""
    w = torch.nn.functional.normalize(torch.randn(*shape, dim, generator=g), dim=-1)
    anything = torch.rand(*shape, 1, generator=g) < rho
    return torch.where(anything, w, torch.eye(dim)[0])


def as_tokens(x: Tensor, y: Tensor) -> Tensor:
    """Tokens (..., M+1, dim+2) from x (..., M+1, dim) and the M context labels y (..., M)."""
    label = torch.nn.functional.pad(y, (0, 1))
    bit = torch.zeros_like(label)
    bit[..., -1] = 1
    return torch.cat([x, label[..., None], bit[..., None]], -1)


def prompts(g: torch.Generator, w: Tensor, M: int, flips: int = 0) -> tuple[Tensor, Tensor]:
    """Tokens (*shape, M+1, dim+2) and the query's true label (*shape) of the tasks w (*shape, dim).

    The context labels of ``flips`` examples are negated; the query's own label never is.
    """
    x = torch.randn(*w.shape[:-1], M + 1, w.shape[-1], generator=g)
    y = torch.sign((x * w[..., None, :]).sum(-1))
    sign = torch.where(torch.arange(M) < flips, -1.0, 1.0)  # order carries nothing
    return as_tokens(x, y[..., :M] * sign), y[..., M]


def pretraining(
    dim: int, M: int, rho: float, size: int
) -> Callable[[torch.Generator, int], tuple[Tensor, Tensor]]:
    """Draws fresh pretraining batches, for `featurebook.core.train`."""

    def draw(g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        return prompts(g, tasks(g, (count, size), dim, rho), M)

    return draw


def accuracy(p: core.Params, tokens: Tensor, label: Tensor, heads: int) -> Tensor:
    """Share of prompts whose query is labelled right."""
    return (forward(p, tokens, heads)[0] * label > 0).to(tokens.dtype).mean()


def two_sentences(g: torch.Generator, count: int, M: int, dim: int) -> tuple[Tensor, Tensor]:
    """Prompts for Figure 5.3's counterpart, and which group each example belongs to.

    Even places hold relevant examples, along ±e_1 with its label; odd ones irrelevant examples,
    orthogonal to e_1 with a coin's label. In places 2 and 3 of each four the label is flipped.
    Groups (M,): 0 relevant and correct, 1 irrelevant and correct, 2 and 3 the same with wrong.
    """
    x = torch.randn(count, M + 1, dim, generator=g)
    length = x.norm(dim=-1)
    group = torch.arange(M) % 4
    along = torch.zeros_like(x)
    along[..., 0] = length * torch.sign(x[..., 0])
    across = x.clone()
    across[..., 0] = 0
    across = across / across.norm(dim=-1, keepdim=True) * length[..., None]
    relevant = torch.cat([group % 2 == 0, torch.tensor([True])])
    x = torch.where(relevant[:, None], along, across)
    coin = torch.randint(0, 2, (count, M), generator=g) * 2.0 - 1
    y = torch.where(relevant[:-1], torch.sign(x[:, :M, 0]), coin)
    return as_tokens(x, y * torch.where(group >= 2, -1.0, 1.0)), group


def row_norms(maps: Tensor, group: Tensor) -> Tensor:
    """Euclidean norm of the last row over all heads, for each group of examples: (B, 4)."""
    row = maps[..., -1, :-1]  # (B, heads, M)
    return torch.stack(
        [row[..., (group == k).nonzero()[:, 0]].square().sum((-1, -2)).sqrt() for k in range(4)], -1
    )


def train(
    size: Size,
    *,
    dim: int,
    M: int,
    rho: float,
    steps: int,
    batch: int,
    seeds: range,
    device: torch.device | str = "cpu",
) -> core.Params:
    """Parameters of GPTs after AdamW with a short rise and a linear fall of the step size."""
    peak = 0.02

    def schedule(t: int) -> float:
        return peak * min(1.0, t / 50) * (1 - t / (steps + 1))

    return core.train(
        partial(loss, heads=size.heads),
        core.replicate(lambda g: initial(g, size, dim), seeds, "gpt"),
        pretraining(dim, M, rho, batch),
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.AdamW, lr=peak, weight_decay=0.0),
        schedule=schedule,
        execution=core.Execution(device=device, label=f"GPT of width {size.width}"),
    ).params


def accuracies(
    params: core.Params, size: Size, w: Tensor, M: int, flips: list[int], seed: int
) -> Tensor:
    """Accuracy of each network on tasks w (count, dim) with that many flips: (R, len(flips))."""
    judge = core.per_network(partial(accuracy, heads=size.heads), 0, None, None)
    params = {name: x.cpu() for name, x in params.items()}
    columns = [judge(params, *prompts(core.generator(seed, "prompts"), w, M, f)) for f in flips]
    return torch.stack(columns, 1)


def rows(params: core.Params, size: Size, tokens: Tensor, group: Tensor) -> Tensor:
    """`row_norms` of each network: (R, prompts, 4)."""
    params = {name: x.cpu() for name, x in params.items()}

    def one(p: core.Params) -> Tensor:
        return row_norms(forward(p, tokens, size.heads)[1], group)

    return core.per_network(one, 0)(params)
