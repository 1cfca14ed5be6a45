"""The experiments of Section 5.6 on a real language model, if one lies on this machine.

No weights come with the book and nothing is downloaded. `load` reads a folder with a causal
language model through the package transformers, which is no dependency of the book; whatever else
has the three methods of `LanguageModel` works too, and so the path is tested on a tiny one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook.papers.icl_scale.printed import PROTOCOL

FLIP_RATES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of flipped labels; the thesis does not say its grid."""

WORDS: dict[str, tuple[str, str]] = {
    "SST-2": ("negative", "positive"),
    "Subj": ("objective", "subjective"),
    "RTE": ("not_entailment", "entailment"),
    "MRPC": ("not_equivalent", "equivalent"),
    "QQP": ("not_duplicate", "duplicate"),
}
"""Label words of five data sets. The thesis names SST-2 and Subj; the rest is our choice."""


class LanguageModel(Protocol):
    """What the experiments need of a causal language model."""

    def encode(self, text: str) -> list[int]:
        """Token numbers of a text, without special tokens at the end."""

    def logits(self, ids: Sequence[int]) -> Tensor:
        """Next-token logits at every position, (T, vocabulary)."""

    def attentions(self, ids: Sequence[int]) -> Tensor:
        """The last layer's attention maps, (heads, T, T)."""


@dataclass(frozen=True)
class LocalModel:
    """A model and a tokenizer of the package transformers."""

    model: Any
    tokenizer: Any

    def encode(self, text: str) -> list[int]:
        """See `LanguageModel`."""
        return list(self.tokenizer.encode(text))

    @torch.no_grad()
    def logits(self, ids: Sequence[int]) -> Tensor:
        """See `LanguageModel`."""
        return self.model(torch.tensor([ids])).logits[0].float()

    @torch.no_grad()
    def attentions(self, ids: Sequence[int]) -> Tensor:
        """See `LanguageModel`."""
        return self.model(torch.tensor([ids]), output_attentions=True).attentions[-1][0].float()


def load(folder: Path | str) -> LocalModel:
    """The causal language model in a local folder, from safetensors alone.

    Raises:
        FileNotFoundError: if there is no such folder.
        ImportError: if transformers is not installed.
    """
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"{folder}: no such folder; models are not downloaded")
    try:
        import transformers
    except ImportError as error:
        raise ImportError(
            "reading a language model needs the package transformers, which is no dependency of "
            "featurebook: pip install transformers"
        ) from error
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **local)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, use_safetensors=True, attn_implementation="eager", **local
    )
    return LocalModel(model.eval(), tokenizer)


def read_dataset(path: Path | str) -> pd.DataFrame:
    """A CSV file with the columns sentence and label, labels 0 and 1.

    Raises:
        ValueError: if a column is missing or a label is neither 0 nor 1.
    """
    data = pd.read_csv(path)
    if missing := {"sentence", "label"} - set(data.columns):
        raise ValueError(f"{path}: lacks the columns {sorted(missing)}")
    if not data.label.isin([0, 1]).all():
        raise ValueError(f"{path}: labels must be 0 or 1")
    return data[["sentence", "label"]]


def flipped(labels: Sequence[int], share: float, rng: np.random.Generator) -> list[int]:
    """Exactly round(share M) of the M labels negated, in random places."""
    places = rng.permutation(len(labels))[: round(share * len(labels))]
    return [1 - y if k in places else y for k, y in enumerate(labels)]


def prompt(sentences: Sequence[str], answers: Sequence[str], query: str) -> str:
    """The template of the thesis, which is that of Min et al. (2021)."""
    shown = [
        f"sentence: {s}\nThe answer is {a}.\n\n" for s, a in zip(sentences, answers, strict=True)
    ]
    return "".join(shown) + f"sentence: {query}\nThe answer is"


def log_probability(model: LanguageModel, text: str, word: str) -> float:
    """Log-probability of `` word`` after a text."""
    start = model.encode(text)
    whole = model.encode(f"{text} {word}")
    logs = torch.log_softmax(model.logits(whole), -1)
    return float(sum(logs[t - 1, whole[t]] for t in range(len(start), len(whole))))


def draw(data: pd.DataFrame, M: int, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.Series]:
    """M exemplars, balanced up to one, and a query that is not among them."""
    counts = {0: M // 2, 1: M - M // 2}
    chosen = [
        rng.choice(data.index[data.label == y].to_numpy(), count, replace=False)
        for y, count in counts.items()
    ]
    order = rng.permutation(np.concatenate(chosen))
    query = rng.choice(data.index.difference(pd.Index(order)).to_numpy())
    return data.loc[order], data.loc[query]


def accuracy(
    model: LanguageModel,
    data: pd.DataFrame,
    words: tuple[str, str],
    share: float,
    *,
    seed: int,
    M: int = PROTOCOL.exemplars,
    prompts: int = PROTOCOL.prompts,
) -> float:
    """Share of queries answered right with a share of the exemplars' labels flipped.

    The query's label is never flipped. The answer is the word with the larger log-probability; a
    tie counts half. The same prompts are drawn for every share and every model.
    """
    right = 0.0
    for number in range(prompts):
        rng = np.random.default_rng([seed, number])
        examples, query = draw(data, M, rng)
        answers = [words[y] for y in flipped(list(examples.label), share, rng)]
        text = prompt(list(examples.sentence), answers, str(query.sentence))
        low, high = (log_probability(model, text, word) for word in words)
        right += 0.5 if low == high else float((high > low) == (query.label == 1))
    return right / prompts


def curves(
    models: Mapping[str, LanguageModel],
    datasets: Mapping[str, pd.DataFrame],
    *,
    seeds: Sequence[int] = range(PROTOCOL.runs),
    shares: Sequence[float] = FLIP_RATES,
    M: int = PROTOCOL.exemplars,
    prompts: int = PROTOCOL.prompts,
) -> pd.DataFrame:
    """Figures 5.1 and 5.2: columns model, data (a key of `WORDS`), flipped, seed, accuracy."""
    rows = [
        (model, name, share, seed, accuracy(
            net, data, WORDS[name], share, seed=seed, M=M, prompts=prompts
        ))
        for model, net in models.items()
        for name, data in datasets.items()
        for share in shares
        for seed in seeds
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "data", "flipped", "seed", "accuracy"])


def attention_norms(
    model: LanguageModel, sentence: str, irrelevant: str, answer: str
) -> dict[str, float]:
    """Figure 5.3: norms of the label's attention to the two sentences, last layer, all heads.

    The last row of each head's map, restricted to the tokens of a sentence; Euclidean over heads
    and tokens. The thesis does not say how rows are restricted; this is our reading.
    """
    parts = [f"sentence: {sentence}", f" {irrelevant}", f"\nThe answer is {answer}"]
    ends = [len(model.encode("".join(parts[: k + 1]))) for k in range(3)]
    row = model.attentions(model.encode("".join(parts)))[:, ends[2] - 1]  # (heads, T)
    return {
        "relevant": float(row[:, : ends[0]].norm()),
        "irrelevant": float(row[:, ends[0] : ends[1]].norm()),
    }
