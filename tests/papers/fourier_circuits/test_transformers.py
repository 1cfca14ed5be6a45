"""Attention against loops, spectra of matrices that are known, and one short run."""

import math
from functools import partial

import pytest
import torch

from featurebook import core
from featurebook.papers.fourier_circuits import training, transformers

SIZES = {"k": 3, "p": 5, "d": 4, "heads": 2, "size": 3, "layers": 2, "mlp": 6}


def drawn(seed: int = 0) -> core.Params:
    g = torch.Generator().manual_seed(seed)
    return {n: x.double() for n, x in transformers.draw(g, **SIZES).items()}


def attend_by_loops(params: core.Params, x: torch.Tensor, size: int) -> torch.Tensor:
    out = []
    for h in range(2):
        part = slice(h * size, (h + 1) * size)
        key, query, value = (x @ params[f"{n}0"][:, part] for n in ("key", "query", "value"))
        rows = []
        for q in query:
            weights = torch.softmax(torch.stack([q @ c for c in key]) / math.sqrt(size), 0)
            rows.append(sum(w * v for w, v in zip(weights, value, strict=True)))
        out.append(torch.stack(rows))
    return torch.cat(out, -1) @ params["project0"]


def test_attention_against_loops() -> None:
    params = drawn()
    x = torch.randn(3, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    found = transformers.attend(params, x[None], 0, 3)[0]
    assert torch.allclose(found, attend_by_loops(params, x, 3))


def test_answers_by_hand() -> None:
    params = {n: x for n, x in drawn().items() if not n.endswith("1")}
    a = torch.tensor([[1, 2, 4]])
    x = params["embedding"][a[0]] + params["position"]
    x = x + attend_by_loops(params, x, 3)
    x = x + (x @ params["up0"] + params["bias0"]).relu() @ params["down0"]
    found = transformers.answers(params, a, 3, last=True)
    assert torch.allclose(found[0], x[-1] @ params["read"])
    mean = transformers.answers(params, a, 3, last=False)
    assert torch.allclose(mean[0], x.mean(0) @ params["read"])
    wanted = -torch.log_softmax(mean[0], 0)[7 % 5]
    assert float(transformers.loss(params, a, 3, False)) == pytest.approx(float(wanted))


def test_weights_have_variance_one_over_fan_in() -> None:
    g = torch.Generator().manual_seed(0)
    big = transformers.draw(g, k=2, p=50, d=100, heads=5, size=20, layers=1, mlp=400)
    for name, fan_in in [("key0", 100), ("up0", 100), ("down0", 400), ("project0", 100)]:
        assert float(big[name].std()) == pytest.approx(fan_in**-0.5, rel=0.05)


def test_folded_spectrum_of_waves() -> None:
    t = 2 * torch.pi * torch.arange(7).double() / 7
    A = 5 + torch.cos(2 * t + 0.3)[:, None] * torch.cos(3 * t - 1)[None]
    share, key, query = transformers.dominant(transformers.folded_spectrum(A))
    assert (float(share), int(key), int(query)) == (pytest.approx(1), 2, 3)
    diagonal = torch.cos(2 * (t[:, None] - t[None]))
    share, key, query = transformers.dominant(transformers.folded_spectrum(diagonal))
    assert (float(share), int(key), int(query)) == (pytest.approx(1), 2, 2)


def test_folded_spectrum_of_two_waves_has_their_powers() -> None:
    t = 2 * torch.pi * torch.arange(7).double() / 7
    A = torch.cos(t)[:, None] * torch.cos(3 * t)[None] + torch.cos(2 * t)[:, None].expand(7, 7)
    found = transformers.folded_spectrum(A)
    assert found.shape == (4, 4)
    # mean squares: 1/4 of the product, 1/2 of the wave in the key alone
    assert [float(found[1, 3]), float(found[2, 0])] == pytest.approx([1 / 3, 2 / 3])


def test_accuracy_of_a_network_that_is_always_right() -> None:
    p = 5
    params = {  # the mean of one number's embedding is read: the answer is the number
        "embedding": torch.eye(p)[None],
        "position": torch.zeros(1, 1, p),
        "read": torch.eye(p)[None],
    }
    a = torch.arange(p)[None, :, None]
    assert transformers.accuracy(params, a, 3, last=True).tolist() == [1.0]


def test_a_run_is_adamw_with_a_warm_up_judged_on_both_halves() -> None:
    run = transformers.train(
        **SIZES, last=False, share=0.4, steps=3, lr=0.05, decay=2.0, batch=10**6, seeds=[0],
        every=3,
    )  # fmt: skip
    seen, unseen = training.half(SIZES["k"], SIZES["p"], [0], 0.4)
    ours = {
        n: x.clone().requires_grad_()
        for n, x in core.replicate(partial(transformers.draw, **SIZES), [0], "init").items()
    }
    step = torch.optim.AdamW(ours.values(), lr=0.05, betas=(0.9, 0.98), weight_decay=2.0)
    for t in (1, 2, 3):
        step.param_groups[0]["lr"] = 0.05 * t / 10
        step.zero_grad()
        transformers.loss({n: x[0] for n, x in ours.items()}, seen[0], 3, False).backward()
        step.step()
    for name, x in ours.items():
        assert torch.allclose(run.params[name], x.detach(), atol=1e-5), name
    judge = partial(transformers.accuracy, run.params, size=3, last=False)
    assert float(run.observed["train"][-1]) == pytest.approx(float(judge(seen)))
    assert float(run.observed["test"][-1]) == pytest.approx(float(judge(unseen)))


def test_attention_matrices_are_products() -> None:
    params = drawn()
    A = transformers.attention_matrices(params, 3)
    key, query = (params["embedding"] @ params[n][:, 3:] for n in ("key0", "query0"))
    assert torch.allclose(A[1], key @ query.T)


def test_accuracy_at_the_fit_by_hand() -> None:
    both = {
        "train": torch.tensor([[0.5, 0.0], [0.96, 0.1], [1.0, 0.2]]),
        "test": torch.tensor([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]),
    }
    fake = core.Run(params={}, seeds=(0, 1), steps=(0, 2, 4), observed=both, seconds=0)
    assert transformers.accuracy_at_fit(fake) == pytest.approx([0.3, 0.6])  # the second never fits


def test_a_short_run_and_first_reach() -> None:
    run = transformers.train(
        **SIZES, last=False, share=0.5, steps=4, lr=1e-2, decay=0.1, batch=16, seeds=[0, 1],
        every=2,
    )  # fmt: skip
    assert run.observed["test"].shape == (3, 2)
    curve = torch.tensor([[0.1, 0.2], [0.96, 0.3], [0.5, 0.4]])
    fake = core.Run(params={}, seeds=(0, 1), steps=(0, 2, 4), observed={"x": curve}, seconds=0)
    assert transformers.first_reach(fake, "x") == [2.0, math.inf]
    both = {"train": torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 1.0]]), "test": curve}
    fake = core.Run(params={}, seeds=(0, 1), steps=(0, 2, 4), observed=both, seconds=0)
    assert transformers.delays(fake, 9).tolist() == [2.0, 7.0]
    both = {"train": curve, "test": both["train"]}
    fake = core.Run(params={}, seeds=(0, 1), steps=(0, 2, 4), observed=both, seconds=0)
    # The first is known before it is fitted; the second never fits, which is no short wait.
    assert transformers.delays(fake, 9).tolist() == [0.0, 9.0]
    curve = torch.tensor([[0.95], [0.96], [0.97]])  # the level itself counts as reached
    fake = core.Run(params={}, seeds=(0,), steps=(0, 2, 4), observed={"x": curve}, seconds=0)
    assert transformers.first_reach(fake, "x", level=float(curve[0, 0])) == [0.0]
    judge = partial(transformers.accuracy, size=3, last=False)
    a = torch.randint(5, (2, 40, 3), generator=torch.Generator().manual_seed(0))
    params = run.params
    one = transformers.answers({n: x[1] for n, x in params.items()}, a[1], 3, False)
    wanted = (one.argmax(-1) == a[1].sum(-1) % 5).float().mean()
    assert float(judge(params, a)[1]) == pytest.approx(float(wanted))
