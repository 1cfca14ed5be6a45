"""ResNet(m), small."""

from functools import partial

import pytest
import torch

from featurebook.core import Observe, generator, replicate, train
from featurebook.papers.feature_emergence import resnet, teacher


def test_a_small_resnet_learns_and_its_chunks_are_gradients() -> None:
    start = replicate(lambda g: resnet.resnet(g, 2, 2), [0], "resnet")
    loss = partial(teacher.student_loss, resnet.logits)
    x = torch.randn(1, 16, 3, 8, 8, generator=generator(0, "x"))
    y = (x.mean((2, 3, 4)) > 0).long()
    run = train(
        loss,
        start,
        (x, y),
        steps=20,
        seeds=[0],
        optimizer=partial(torch.optim.SGD, lr=0.05),
        observe=Observe(dict, at=[0, 1, 20]),
    )
    first = {name: v[0, 0] for name, v in run.observed.items()}
    auto = torch.func.grad(loss)(first, (x[0], y[0]))["0.0.1"]
    v = resnet.chunk_gradients(run.observed["0.0.1"][:2, 0], 0.05, 1)[0]
    assert torch.allclose(v, auto, atol=1e-4)
    last = {name: v[0] for name, v in run.params.items()}
    assert loss(last, (x[0], y[0])) < loss(first, (x[0], y[0]))


def test_settled_scores_do_not_depend_on_the_batch() -> None:
    g = generator(0, "settled")
    params, x = resnet.resnet(g, 2, 3), torch.randn(12, 3, 8, 8, generator=g)
    settled = resnet.settled(x)
    assert torch.allclose(settled(params, x), resnet.logits(params, x), atol=1e-5)
    assert torch.allclose(settled(params, x[:3]), settled(params, x)[:3], atol=1e-5)
    assert not torch.allclose(resnet.logits(params, x[:3]), resnet.logits(params, x)[:3], atol=0.01)


def test_clusters_and_turns() -> None:
    g = generator(0, "filters")
    axis = torch.zeros(9)
    axis[0] = 3
    filters = torch.cat([torch.randn(10, 9, generator=g) + s * axis for s in (1, -1)])
    own, between = resnet.cluster_cosines(filters)
    assert own > 0.7
    assert between < -0.7
    assert resnet.turned(filters, filters) == pytest.approx(0, abs=1e-6)
    assert resnet.turned(filters, -filters) == pytest.approx(2)
    straight = torch.stack([filters - 0.1 * t * filters for t in range(4)])
    assert resnet.early_row(straight, filters, 0.05) == pytest.approx([1] * 6, abs=1e-5)
