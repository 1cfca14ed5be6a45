"""The real path on a tiny language model that is built here, and on a stand-in for transformers."""

import sys
import types
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from torch import Tensor

from featurebook.papers.icl_scale import language_models as lm
from featurebook.papers.icl_scale import printed


class Letters:
    """Characters as tokens, and a random causal layer of attention."""

    def __init__(self) -> None:
        g = torch.Generator().manual_seed(0)
        self.table = torch.randn(128, 8, generator=g)
        self.head = torch.randn(8, 128, generator=g)

    def encode(self, text: str) -> list[int]:
        return [min(ord(c), 127) for c in text]

    def attentions(self, ids: Sequence[int]) -> Tensor:
        h = self.table[list(ids)]
        future = torch.full((len(h), len(h)), -torch.inf).triu(1)
        return torch.softmax(h @ h.T / 8**0.5 + future, -1)[None]

    def logits(self, ids: Sequence[int]) -> Tensor:
        return self.attentions(ids)[0] @ self.table[list(ids)] @ self.head


class Copier(Letters):
    """Prefers the label word of the last exemplar: flips fool it completely."""

    def logits(self, ids: Sequence[int]) -> Tensor:
        text = "".join(map(chr, ids))
        shown = text.rpartition("The answer is")[0].rpartition("The answer is ")[2]
        logits = torch.zeros(len(ids), 128)
        logits[:, ord(shown[0])] = 5
        return logits


@pytest.fixture
def data() -> pd.DataFrame:
    rows = [(f"number {k}", k % 2) for k in range(12)]
    return pd.DataFrame(rows, columns=["sentence", "label"])


def test_template_is_that_of_the_thesis() -> None:
    found = lm.prompt(["show us a good time"], ["positive"], "it 's a charming journey")
    assert found == (
        "sentence: show us a good time\nThe answer is positive.\n\n"
        "sentence: it 's a charming journey\nThe answer is"
    )


def test_exactly_that_share_is_flipped() -> None:
    rng = np.random.default_rng(0)
    labels = [0, 1] * 8
    for share, count in ((0, 0), (0.25, 4), (1, 16)):
        changed = np.not_equal(lm.flipped(labels, share, rng), labels)
        assert changed.sum() == count


def test_exemplars_are_balanced_and_without_the_query(data: pd.DataFrame) -> None:
    examples, query = lm.draw(data, 5, np.random.default_rng(1))
    assert sorted(examples.label) == [0, 0, 1, 1, 1]
    assert query.sentence not in set(examples.sentence)


def test_log_probability_sums_over_the_word() -> None:
    model = Letters()
    text, word = "ab", "cd"
    logs = torch.log_softmax(model.logits(model.encode("ab cd")), -1)
    expected = logs[1, ord(" ")] + logs[2, ord("c")] + logs[3, ord("d")]
    assert lm.log_probability(model, text, word) == pytest.approx(float(expected))


def test_a_random_model_guesses_and_runs_at_every_flip_rate(data: pd.DataFrame) -> None:
    found = lm.curves(
        {"tiny": Letters()}, {"SST-2": data}, seeds=[0, 1], shares=[0, 0.5, 1], M=4, prompts=6
    )
    assert list(found.columns) == ["model", "data", "flipped", "seed", "accuracy"]
    assert len(found) == 6
    assert found.accuracy.between(0, 1).all()


def test_a_copier_is_fooled_by_flips() -> None:
    data = pd.DataFrame({"sentence": list("abcdef"), "label": [0, 0, 0, 1, 1, 1]})
    scores = [
        lm.accuracy(Copier(), data, ("negative", "positive"), p, seed=0, M=2, prompts=30)
        for p in (0.0, 1.0)
    ]
    assert sum(scores) == pytest.approx(1)


def test_the_last_row_is_split_between_the_sentences() -> None:
    norms = lm.attention_norms(Letters(), "good", "two and two", "positive")
    assert set(norms) == {"relevant", "irrelevant"}
    assert 0 < norms["relevant"] < 1


def test_data_sets_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("sentence,label\na,2\n")
    with pytest.raises(ValueError, match="0 or 1"):
        lm.read_dataset(file)
    file.write_text("text,label\na,1\n")
    with pytest.raises(ValueError, match="sentence"):
        lm.read_dataset(file)
    file.write_text("sentence,label\na,1\n")
    assert list(lm.read_dataset(file).label) == [1]


def test_load_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="not downloaded"):
        lm.load(tmp_path / "none")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ImportError, match="pip install transformers"):
        lm.load(tmp_path)


def test_load_reads_local_safetensors_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []

    class Model:
        def eval(self) -> "Model":
            return self

        def __call__(self, ids: Tensor, output_attentions: bool = False) -> types.SimpleNamespace:
            T = ids.shape[1]
            maps = (torch.ones(1, 2, T, T),) if output_attentions else None
            return types.SimpleNamespace(logits=torch.zeros(1, T, 5), attentions=maps)

    class Auto:
        @staticmethod
        def from_pretrained(folder: Path, **options: object) -> object:
            asked.append(options)
            if "use_safetensors" in options:
                return Model()
            return types.SimpleNamespace(encode=lambda text: [1] * len(text))

    fake = types.ModuleType("transformers")
    fake.AutoTokenizer = fake.AutoModelForCausalLM = Auto  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", fake)
    model = lm.load(tmp_path)
    assert all(o["local_files_only"] and not o["trust_remote_code"] for o in asked)
    assert asked[1]["use_safetensors"]
    assert model.encode("abc") == [1, 1, 1]
    assert model.logits([1, 2]).shape == (2, 5)
    assert model.attentions([1, 2, 3]).shape == (2, 3, 3)


def test_numbers_behind_the_figures() -> None:
    table = printed.figures()
    assert table.shape == (35, 5)
    assert table.notna().all(axis=None)
    averages = table.groupby(["figure", "billions"]).mean()[[0, 100]].round(1)
    assert averages.loc["5.2"].to_numpy().tolist() == [
        [67.0, 50.9], [70.1, 47.4], [77.8, 49.0], [87.9, 33.0]
    ]  # fmt: skip
    assert averages.loc["5.1"].to_numpy().tolist() == [[65.4, 50.7], [73.1, 52.4], [77.0, 47.0]]
    assert printed.falls("5.2").average.round(1).tolist() == [16.1, 22.7, 28.8, 54.9]
