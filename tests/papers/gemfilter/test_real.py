"""Generation with a model of transformers, against loops that share no code with it."""

from typing import Any

import pytest
import torch
from torch import Tensor

from featurebook import language_models
from featurebook.papers.gemfilter import (
    H2O,
    OneRun,
    Selection,
    SnapKV,
    generate,
    real,
    released,
    select,
)
from featurebook.papers.gemfilter.decoder import extend, logits, require_llama_like, spacious

transformers = pytest.importorskip("transformers", reason="the extra featurebook[models]")
pytest.importorskip("gguf", reason="the extra featurebook[models]")

N = 22
IDS = torch.randint(0, 256, (2, N), generator=torch.Generator().manual_seed(1))
T = 4
# No maxima: neighbours tie then, and which of them is kept is arbitrary.
METHODS = [
    None, Selection(3, 9, pool="avg"), released(2, 9), Selection(4, 9, row="middle", pool="avg"),
    SnapKV(9, window=4, width=3), SnapKV(9, window=4, pool="none"), H2O(9, recent=4),
    OneRun(released(2, 9)),
]  # fmt: skip


@pytest.fixture(scope="module")
def llama() -> Any:
    model = language_models.random_llama(0).model.double()
    with torch.no_grad():  # as drawn, attention is nearly uniform, and answers hardly depend on it
        for layer in model.model.layers:
            for x in (layer.self_attn.q_proj, layer.self_attn.k_proj):
                x.weight *= 20
    return model


class Literal:
    """Algorithm 2 and its rivals for one prompt: a list of keys and values per layer and head."""

    def __init__(self, model: Any) -> None:
        self.model, about = model, model.config
        self.h, self.kv, self.d = about.num_attention_heads, about.num_key_value_heads, 16
        self.base = 10_000.0

    def turned(self, x: Tensor, at: int) -> Tensor:
        y = x.clone()
        for i in range(self.d // 2):
            angle = torch.tensor(at * self.base ** (-2 * i / self.d), dtype=x.dtype)
            a, b = x[i], x[i + self.d // 2]
            y[i] = a * angle.cos() - b * angle.sin()
            y[i + self.d // 2] = b * angle.cos() + a * angle.sin()
        return y

    def one(self, token: int, at: int, caches: Any, layers: int | None = None) -> Any:
        """Read one token; returns the output of the last layer, and the queries of each layer."""
        x, asked = self.model.model.embed_tokens.weight[token], []
        for r, layer in enumerate(self.model.model.layers[:layers]):
            own, y = layer.self_attn, layer.input_layernorm(x)
            q, k, v = own.q_proj.weight @ y, own.k_proj.weight @ y, own.v_proj.weight @ y
            heads, row = [], []
            for j in range(self.h):
                g, part = j // (self.h // self.kv), slice(j * self.d, (j + 1) * self.d)
                shared = slice(g * self.d, (g + 1) * self.d)
                query = self.turned(q[part], at)
                caches[r][j].append((self.turned(k[shared], at), v[shared]))
                keys = torch.stack([key for key, _ in caches[r][j]])
                p = (keys @ query / self.d**0.5).softmax(0)
                heads.append(p @ torch.stack([value for _, value in caches[r][j]]))
                row.append((query, p))
            asked.append(row)
            x = x + own.o_proj.weight @ torch.cat(heads)
            x = x + layer.mlp(layer.post_attention_layernorm(x))
        return x, asked

    def read(self, tokens: list[int]) -> Any:
        caches = [[[] for _ in range(self.h)] for _ in self.model.model.layers]
        rows = []
        for at, token in enumerate(tokens):
            x, asked = self.one(token, at, caches)
            rows.append(asked)
        return x, caches, rows

    def answer(self, x: Tensor, caches: Any, at: int) -> list[int]:
        said = []
        for _ in range(T):
            token = int((self.model.lm_head.weight @ self.model.model.norm(x)).argmax())
            said.append(token)
            if token == self.model.config.eos_token_id:
                break
            x, _ = self.one(token, at, caches)
            at += 1
        return said + said[-1:] * (T - len(said))

    def places(self, tokens: list[int], how: Selection) -> list[int]:
        _, caches, rows = self.read(tokens)
        n = len(tokens)
        ask = {"last": n - 1, "middle": (n - 1) // 2}[how.row]
        score = [
            float(sum(rows[ask][how.r - 1][j][0] @ caches[how.r - 1][j][i][0]
                      for j in range(self.h)))
            for i in range(n)
        ]  # fmt: skip
        mean = [pool(score, i, how.pool, how.width) for i in range(n)]
        forced = set(range(n - how.keep_last, n))
        best = sorted(set(range(n)) - forced, key=lambda i: -mean[i])
        return sorted([*forced, *best[: how.k - how.keep_last]])

    def run(self, tokens: list[int], how: Any) -> list[int]:
        if isinstance(how, Selection):
            tokens = [tokens[i] for i in self.places(tokens, how)]
        x, caches, rows = self.read(tokens)
        n = len(tokens)
        same = self.places(tokens, how.how) if isinstance(how, OneRun) else []
        for r, layer in enumerate(caches):
            for j in range(self.h):
                if isinstance(how, OneRun):
                    J = same
                elif isinstance(how, SnapKV):
                    votes = [sum(float(rows[i][r][j][1][a]) for i in range(n - how.window, n))
                             for a in range(n - how.window)]  # fmt: skip
                    found = [pool(votes, a, how.pool, how.width) for a in range(len(votes))]
                    best = sorted(range(len(votes)), key=lambda a: -found[a])
                    J = sorted([*best[: how.k - how.window], *range(n - how.window, n)])
                elif isinstance(how, H2O):
                    sums = [sum(float(rows[i][r][j][1][a]) for i in range(a, n)) for a in range(n)]
                    best = sorted(range(n - how.recent), key=lambda a: -sums[a])
                    J = sorted([*best[: how.k - how.recent], *range(n - how.recent, n)])
                else:
                    J = list(range(n))
                layer[j] = [layer[j][a] for a in J]
        return self.answer(x, caches, n)


def pool(x: list[float], i: int, kind: str, width: int) -> float:
    near = [x[a] for a in range(i - width // 2, i + width // 2 + 1) if 0 <= a < len(x)]
    if kind == "none":
        return x[i]
    return sum(near) / (width if kind == "zeros" else len(near))


@pytest.mark.parametrize("how", METHODS, ids=str)
def test_generation_is_that_of_loops(llama: Any, how: Any) -> None:
    with torch.no_grad():
        for row in IDS:
            assert generate(llama, row[None], how, T)[0].tolist() == Literal(llama).run(
                row.tolist(), how
            )


def test_methods_differ(llama: Any) -> None:
    answers = {str(how): tuple(generate(llama, IDS, how, T).flatten().tolist()) for how in METHODS}
    assert len(set(answers.values())) == len(METHODS)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize(
    "how",
    [Selection(3, N), released(2, 50), SnapKV(N), H2O(N), OneRun(released(2, N))],
    ids=str,
)
def test_a_budget_of_n_is_the_full_cache_to_the_bit(
    how: Any, rows: int, dtype: torch.dtype
) -> None:
    model, ids = language_models.random_llama(1).model.to(dtype), IDS[:rows]
    assert torch.equal(generate(model, ids, how, T), generate(model, ids, None, T))
    if not isinstance(how, Selection):
        ends = [
            logits(model, extend(model, ids[:, -1:], extend(model, ids, watch=watch)[1])[0])
            for watch in (real.rule(model, ids, how), None)
        ]
        assert torch.equal(*ends)


@pytest.mark.parametrize("how", METHODS, ids=str)
def test_a_batch_is_its_prompts_one_by_one(llama: Any, how: Any) -> None:
    alone = torch.cat([generate(llama, row[None], how, T) for row in IDS])
    assert torch.equal(generate(llama, IDS, how, T), alone)


def test_answers_of_a_batch_end_one_after_the_other(
    llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = torch.randint(0, 256, (11, N), generator=torch.Generator().manual_seed(2))
    endless = generate(llama, ids, None, 9)
    ends = [int(endless[i, 1 + i % 7]) for i in range(0, 11, 2)]
    monkeypatch.setattr(llama.generation_config, "eos_token_id", ends)
    lengths = set()
    for row, found in zip(endless.tolist(), generate(llama, ids, None, 9).tolist(), strict=True):
        end = next((i for i, token in enumerate(row) if token in ends), 8)
        assert found == row[: end + 1] + ends[:1] * (8 - end)
        lengths.add(end)
    assert len(lengths) >= 4


@pytest.mark.parametrize("how", [None, SnapKV(9, window=4, width=3)], ids=str)
def test_places_for_tokens_to_come_change_nothing(llama: Any, how: Any) -> None:
    _, begun = extend(llama, IDS, watch=real.rule(llama, IDS, how))
    before = [x.clone() for x in (*begun.keys, *begun.values)]
    plain, ample = begun, spacious([begun], 2)
    for token in IDS.T[:3]:  # two fit, and one does not
        h, plain = extend(llama, token[:, None], plain)
        other, ample = extend(llama, token[:, None], ample)
        assert torch.allclose(h, other, rtol=1e-12)
    assert all(map(torch.equal, before, (*begun.keys, *begun.values)))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("how", METHODS, ids=str)
def test_a_gpu_gives_the_same(llama: Any, how: Any) -> None:
    there = generate(llama.to("cuda"), IDS.to("cuda"), how, T).cpu()
    assert torch.equal(there, generate(llama.to("cpu"), IDS, how, T))


@pytest.mark.parametrize("kind", ["Llama", "Mistral", "Qwen2", "Qwen3"])
def test_logits_are_those_of_transformers(kind: str) -> None:
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=3, head_dim=8,
        num_attention_heads=4, num_key_value_heads=2,
    )  # fmt: skip
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    ids = IDS % 64
    with torch.no_grad():
        theirs = model(ids).logits[:, -1]
    assert torch.allclose(logits(model, extend(model, ids)[0]), theirs, atol=1e-5)
    h, _ = extend(model, ids[:, 15:], extend(model, ids[:, :15])[1])
    assert torch.allclose(logits(model, h), theirs, atol=1e-5)


def test_full_cache_is_what_transformers_generates(llama: Any) -> None:
    theirs = llama.generate(input_ids=IDS, attention_mask=torch.ones_like(IDS), do_sample=False,
                            max_new_tokens=T, pad_token_id=257)[:, N:]  # fmt: skip
    ours = generate(llama, IDS, None, T)
    assert torch.equal(ours[:, : theirs.shape[1]], theirs)


def test_layers_from_the_filter_on_do_not_run(llama: Any) -> None:
    before = select(llama, IDS, released(3, 6))
    weight = llama.model.layers[3].mlp.up_proj.weight
    kept = weight.clone()
    try:
        with torch.no_grad():
            weight.fill_(torch.nan)
        assert torch.equal(select(llama, IDS, released(3, 6)), before)
    finally:
        with torch.no_grad():
            weight.copy_(kept)


def test_other_models_are_refused() -> None:
    config = transformers.GPT2Config(n_layer=1, n_embd=8, n_head=1, vocab_size=10)
    with pytest.raises(ValueError, match="gpt2 is not built like Llama"):
        require_llama_like(transformers.GPT2LMHeadModel(config))
    mistral = transformers.MistralConfig(num_hidden_layers=0, sliding_window=8, vocab_size=10)
    with pytest.raises(ValueError, match="sliding window of 8"):
        require_llama_like(type("Model", (), {"config": mistral}), 9)
