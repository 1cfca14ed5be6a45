"""The needle task, its training and what is measured."""

import math

import numpy as np
import pytest
import torch

from featurebook import core
from featurebook.papers.gemfilter import data, experiments, inference, network, training
from featurebook.papers.gemfilter.inference import Selection

TASK = data.Task(5, 6, 7, 3)
SIZE = network.Size(TASK.vocabulary, 2, 8, 2, 1, 1)


@pytest.mark.parametrize("depth", [None, 0.0, 0.5, 1.0])
def test_prompts_contain_their_answers(depth: float | None) -> None:
    asked = data.prompts(core.generator(0, "t"), TASK, 200, 30, depth)
    assert asked.tokens.shape == (200, 30)
    assert (asked.tokens[:, 0] == data.BOS).all()
    assert (asked.tokens[:, -2] == data.Q).all()
    told = asked.tokens.gather(1, asked.needle)
    assert torch.equal(told[:, 0], asked.tokens[:, -1])
    assert torch.equal(told[:, 1:], asked.answer)
    keys = (asked.tokens >= 7) & (asked.tokens < 13)
    assert (keys.sum(1) == TASK.needles + 1).all()  # all needles whole, and the question
    assert ((asked.tokens >= 13).sum(1) == 2 * TASK.needles).all()
    assert ((asked.needle[:, 0] - 1) % 3 == 0).all()
    if depth is not None:
        assert (asked.needle[:, 0] == 1 + 3 * round(8 * depth)).all()
    assert TASK.vocabulary == 20
    assert asked.tokens.max() < 20
    assert TASK.slots(30) == 9


def test_lessons_ask_for_every_needle() -> None:
    lesson = data.lessons(core.generator(1, "t"), TASK, 50, 15)
    assert lesson.shape == (50, 13 + 12)
    dialogue = lesson[:, 13:].reshape(50, 3, 4)
    assert (dialogue[..., 0] == data.Q).all()
    for row, said in zip(lesson[:, :13].tolist(), dialogue.tolist(), strict=True):
        assert len({x[1] for x in said}) == 3
        for _, key, a, b in said:
            at = row.index(key)
            assert row[at + 1 : at + 3] == [a, b]


def test_loss_is_of_the_values_alone() -> None:
    p = {x: v.double() for x, v in network.initial(core.generator(2, "p"), SIZE).items()}
    lesson = data.lessons(core.generator(2, "t"), TASK, 4, 15)
    log = network.forward(p, SIZE, lesson).log_softmax(-1)
    found = [
        -log[b, i - 1, lesson[b, i]] for b in range(4) for i in range(13, 25) if i % 4 in (3, 0)
    ]
    wanted = sum(found) / len(found)
    assert torch.isclose(training.loss(p, lesson, size=SIZE, needles=3), wanted)


def test_step_sizes() -> None:
    assert training.step_size(20, 400) == pytest.approx(0.002)
    assert training.step_size(40, 400) == pytest.approx(0.004)
    assert training.step_size(220, 400) == pytest.approx(0.0022)
    assert training.step_size(400, 400) == pytest.approx(0.0004)
    assert training.step_size(41, 40) == pytest.approx(0.0004)
    assert training.step_size(100, 400, 1.0, 10) == pytest.approx(
        0.55 + 0.45 * math.cos(math.pi * 90 / 390)
    )


def test_training_lowers_the_loss() -> None:
    trained = training.train(SIZE, TASK, stages=[(15, 20), (18, 10)], batch=8, seeds=[0, 1])
    lesson = data.lessons(core.generator(5, "t"), TASK, 64, 15)
    first = core.replicate(lambda g: network.initial(g, SIZE), [0, 1], "initial")
    loss = [
        training.loss(inference.of_seed(x, 1), lesson, size=SIZE, needles=3)
        for x in (first, trained)
    ]
    assert loss[1] < 0.8 * loss[0]


def test_measures_by_hand() -> None:
    asked = data.Prompts(torch.arange(10)[None].expand(2, -1), torch.tensor([[1, 2], [3, 4]]),
                         torch.tensor([[4, 5, 6], [1, 2, 3]]))  # fmt: skip
    J = torch.tensor([[4, 5, 6, 9], [5, 7, 8, 9]])
    assert experiments.recalled(J, asked) == 0.5
    assert experiments.recalled(torch.tensor([[4, 5, 6, 9], [3, 7, 8, 9]]), asked) == 0.5
    assert experiments.distance(J, asked).tolist() == [0, 2]
    assert experiments.right(torch.tensor([[1, 2], [3, 5]]), asked) == 0.5
    kept = experiments.by_hand(asked, 6)
    assert {4, 5, 6, 8, 9} <= set(kept[0].tolist())
    assert kept.shape == (2, 6)
    chance = experiments.by_hand(asked, 6, core.generator(1, "chance"))
    assert (chance[:, -2:] == torch.tensor([8, 9])).all()


def test_printed_variants_are_those_of_the_selection() -> None:
    task = data.Task(4, 4, 4, 2)
    size = network.Size(task.vocabulary, 2, 16, heads=2, kv_heads=1)
    p = network.initial(core.generator(0, "variants"), size)
    q = data.prompts(core.generator(0, "variants"), task, 6, 18).tokens
    found = experiments.printed_variants(Selection(2, 6, keep_last=2))
    ways = {
        "Algorithm 2": Selection(2, 6, keep_last=0, pool="none"),
        "code": Selection(2, 6, keep_last=0, pool="zeros", width=5),
        "G.4.2": Selection(2, 6, keep_last=0, pool="max", width=5),
    }
    for name, way in ways.items():
        assert torch.equal(found[name](p, size, q), inference.gemfilter(p, size, q, way))
    places = inference.select(p, size, q, ways["code"], in_order=False)
    rank = torch.tensor([sorted(range(6), key=row.__getitem__) for row in places.tolist()])
    wanted = inference.generate(p, size, q.gather(1, rank))  # whatever the prompt says there
    assert torch.equal(found["code, line 8"](p, size, q), wanted)


def test_spread_counts_places_once() -> None:
    p = network.initial(core.generator(6, "p"), SIZE)
    asked = data.prompts(core.generator(7, "t"), TASK, 5, 21)
    assert experiments.spread(p, SIZE, asked, 21) == 1.0  # every set is the whole prompt
    assert 1 < experiments.spread(p, SIZE, asked, 4) <= 4  # two layers of two heads


def test_evaluation_of_an_untrained_network() -> None:
    p = network.initial(core.generator(6, "p"), SIZE)
    how = Selection(1, 6)
    maps = experiments.depth_map(p, SIZE, TASK, experiments.methods(how), lengths=[15, 21],
                                 depths=[0, 0.5, 1], seed=0, B=5)  # fmt: skip
    assert set(maps) == {"all KV", "GemFilter", "One-Run", "old places", "SnapKV", "H2O"}
    assert all(x.shape == (3, 2) and (x < 0.7).all() for x in maps.values())
    asked = data.prompts(core.generator(7, "t"), TASK, 40, 21)
    recall = experiments.recall_by_layer(p, SIZE, asked, how)
    assert experiments.best_layer(p, SIZE, asked, how) == int(np.argmax(recall)) + 1
