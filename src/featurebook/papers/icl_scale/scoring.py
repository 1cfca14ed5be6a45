"""A causal language model of `transformers` as the experiments of Section 5.6 use it.

`losses` scores answers to many queries on one context in a single pass: the prompts are the
branches of a tree, a token attends to its ancestors alone, and what prompts share is computed once.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from featurebook.core import spectra
from featurebook.language_models import LanguageModel
from featurebook.papers.icl_scale import prompts
from featurebook.papers.icl_scale.regression import Array

MOST = 24
"""Queries of one pass: more would cost memory and save little."""


def tokens(llm: LanguageModel, pieces: Sequence[str]) -> list[int]:
    """Token numbers of pieces of text, each cut by itself."""
    return [int(t) for piece in pieces for t in llm.encode(piece)[0]]


def beginning(llm: LanguageModel) -> list[int]:
    """The token that begins a sequence, which Llama's tokenizer puts before every prompt."""
    first = llm.model.config.bos_token_id
    return [] if first is None else [int(first)]


def tree(sequences: Sequence[Sequence[int]]) -> tuple[list[int], Tensor, list[list[int]]]:
    """Sequences of tokens as a tree in which common beginnings are one branch.

    Returns:
        the token of each node; whether a node (row) sees a node (column), (n, n): itself and its
        ancestors; the nodes of each sequence.
    """
    known: dict[tuple[int, int], int] = {}
    found: list[int] = []
    parents: list[int] = []
    paths = []
    for sequence in sequences:
        path: list[int] = []
        for token in sequence:
            key = (path[-1] if path else -1, token)
            if key not in known:
                known[key] = len(found)
                found.append(token)
                parents.append(key[0])
            path.append(known[key])
        paths.append(path)
    sees = torch.eye(len(found), dtype=torch.bool)
    for node, parent in enumerate(parents):
        if parent >= 0:
            sees[node] |= sees[parent]
    return found, sees, paths


@torch.no_grad()
def losses(llm: LanguageModel, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Array:
    """Mean cross-entropy of the answer's tokens for each (prompt, answer), in nats."""
    nodes, sees, paths = tree([[*prompt, *said][:-1] for prompt, said in pairs])
    device, dtype = llm.model.device, llm.model.dtype
    hidden_from = torch.zeros(sees.shape, dtype=dtype).masked_fill(~sees, torch.finfo(dtype).min)
    hidden = llm.model.get_decoder()(
        input_ids=torch.tensor([nodes], device=device),
        attention_mask=hidden_from[None, None].to(device),
        position_ids=(sees.sum(1) - 1)[None].to(device),
        use_cache=False,
    ).last_hidden_state[0]
    scored = sorted({n for (_, said), path in zip(pairs, paths, strict=True)
                     for n in path[-len(said):]})  # fmt: skip
    row = {node: k for k, node in enumerate(scored)}
    logits = llm.model.get_output_embeddings()(hidden[scored]).float()
    logs = torch.log_softmax(logits, -1).cpu()
    return np.array([
        -np.mean([float(logs[row[n], t]) for n, t in zip(path[-len(said):], said, strict=True)])
        for (_, said), path in zip(pairs, paths, strict=True)
    ])  # fmt: skip


def answers(llm: LanguageModel, draw: prompts.Draw, share: float, words: tuple[str, str]) -> Array:
    """Cross-entropies of both answers to each query, (queries, 2), with a share of flips."""
    start = beginning(llm) + tokens(llm, prompts.context(draw, share, words))
    said = [tokens(llm, [prompts.answer(word)]) for word in words]
    asked = [start + tokens(llm, [prompts.question(sentence)]) for sentence, _ in draw.asked]
    found = [
        losses(llm, [(prompt, answer) for prompt in asked[k : k + MOST] for answer in said])
        for k in range(0, len(asked), MOST)
    ]
    return np.concatenate(found).reshape(-1, 2)


def right(llm: LanguageModel, draw: prompts.Draw, share: float, words: tuple[str, str]) -> Array:
    """Whether the answer of the smaller cross-entropy is true, (queries,); a tie counts half."""
    gap = np.subtract(*answers(llm, draw, share, words).T)  # of label 0 minus label 1
    wants = 2 * np.array(draw.truth()) - 1
    return (np.sign(gap) * wants + 1) / 2


@torch.no_grad()
def last_rows(llm: LanguageModel, first: str, second: str, word: str) -> Array:
    """How the label attends in the last layer, mean over heads.

    Returns:
        Euclidean norms over the beginning-of-sequence token, the first and the second sentence,
        and the share of the attention that lies on the first position, (4,).
    """
    pieces = [tokens(llm, [piece]) for piece in prompts.two_sentences(first, second, word)]
    start = beginning(llm)
    ids = torch.tensor([[*start, *(t for piece in pieces for t in piece)]])
    with eager(llm):
        maps = llm.model(
            ids.to(llm.model.device), output_attentions=True, use_cache=False
        ).attentions[-1]
    row = maps[0, :, -1].float().mean(0).cpu().numpy()  # (T,)
    ends = np.cumsum([0, len(start), len(pieces[0]), len(pieces[1])])
    norms = [float(np.linalg.norm(row[a:b])) for a, b in pairwise(ends)]
    return np.array([*norms, row[0]])


@contextmanager
def eager(llm: LanguageModel) -> Iterator[None]:
    """Attention that returns its maps, for as long as the block lasts."""
    before = llm.model.config._attn_implementation
    llm.model.set_attn_implementation("eager")
    try:
        yield
    finally:
        llm.model.set_attn_implementation(before)


def heads(llm: LanguageModel) -> Iterator[tuple[Tensor, Tensor]]:
    """Query and key matrices of each layer, (heads, d_head, width) and (groups, d_head, width)."""
    for layer in llm.model.get_decoder().layers:
        attention = layer.self_attn
        shape = (-1, attention.head_dim, llm.model.config.hidden_size)
        yield attention.q_proj.weight.view(shape), attention.k_proj.weight.view(shape)


@torch.no_grad()
def directions(llm: LanguageModel, share: float = 0.9) -> Array:
    """Directions that hold a share of the energy of each head's W_Qᵀ W_K, (layers, heads).

    The energy is the sum of squared singular values, of which there are at most d_head.
    """
    found = []
    for query, key in heads(llm):
        every = key.repeat_interleave(len(query) // len(key), 0)
        small = [torch.linalg.qr(x.double().mT)[1] for x in (query, every)]
        energy = spectra.svdvals(small[0] @ small[1].mT) ** 2
        part = energy.cumsum(-1) / energy.sum(-1, keepdim=True)
        found.append((part < share).sum(-1) + 1)
    return torch.stack(found).cpu().numpy()


@contextmanager
def truncated(llm: LanguageModel, rank: int) -> Iterator[None]:
    """Every head's query and key matrix cut to its best approximation of a rank, for a while."""
    before = [(x, x.detach().clone()) for pair in heads(llm) for x in pair]
    try:
        with torch.no_grad():
            for x, kept in before:
                U, s, V = spectra.svd(kept.float(), full_matrices=False)
                x.copy_((U[..., :rank] * s[..., None, :rank]) @ V[..., :rank, :])
        yield
    finally:
        with torch.no_grad():
            for x, kept in before:
                x.copy_(kept)
