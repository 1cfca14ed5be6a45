"""Every network trains; measures of known activations."""

from functools import partial

import pytest
import torch
import torch.nn.functional as F

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import architectures, augmentations, deep


@pytest.mark.parametrize(
    ("network", "size"),
    [
        (architectures.small_net(3, 8), 12),
        (architectures.alexnet(3, 0.05), 32),
        (architectures.wide_resnet(10, 1, base=4), 32),
    ],
)
def test_every_network_trains_with_and_without_labels(network, size):
    g = generator(10, "t")
    x, y = torch.rand(12, 3, size, size, generator=g), torch.arange(12) % 3
    common = {"seeds": [0, 1], "steps": 2, "batch_size": 6}
    views = {"crop": augmentations.random_crop, "both": augmentations.crop_and_colour}
    run = deep.contrastive_trainings(network, x, views, **common)["both"]
    layers = deep.layers_of(network, deep.one(run.params, 1), x)
    assert layers[-1].shape == (12, network.width)
    assert all(layer.isfinite().all() for layer in layers)
    run = deep.supervised_training(network, x, y, augmentations.same, **common)
    assert run.params["classifier"].shape == (2, 3, network.width)
    run = deep.adversarial_training(network, x, augmentations.crop_and_jitter, **common)
    assert all(value.isfinite().all() for value in run.params.values())


def test_kinds_of_views_trained_together_are_those_trained_alone():
    network, x = architectures.small_net(3, 8), torch.rand(12, 3, 12, 12, generator=generator(11))
    views = {"crop": augmentations.random_crop, "both": augmentations.crop_and_colour}
    common = {"seeds": [0, 1], "steps": 3, "batch_size": 6}
    together = deep.contrastive_trainings(network, x, views, **common)
    for name, view in views.items():
        alone = deep.contrastive_trainings(network, x, {name: view}, **common)[name]
        for key, p in alone.params.items():
            torch.testing.assert_close(together[name].params[key], p)
    assert not torch.equal(together["crop"].params["conv1"], together["both"].params["conv1"])


def test_attack_stays_within_its_radius_and_raises_the_loss():
    network = architectures.small_net(3, 8)
    g = generator(20, "t")
    params = architectures.he_init(g, deep.with_head(network))
    views = torch.rand(2, 12, 3, 12, 12, generator=g)
    moved = deep.attacked(network, params, views, 0.2, 0.05)
    assert torch.equal(moved[1], views[1])
    assert (moved[0] - views[0]).abs().max() <= 0.05 + 1e-6
    before, after = (deep.view_loss(network, params, v, 0.2) for v in (views, moved))
    assert after > before


def test_losses_of_several_networks_are_those_of_each():
    network, g = architectures.small_net(3, 8), generator(30, "t")
    shapes = deep.with_head(network) | {"classifier": (4, network.width)}
    each = [architectures.he_init(g, shapes) for _ in range(3)]
    params = {name: torch.stack([p[name] for p in each]) for name in shapes}
    views, classes = torch.rand(3, 2, 6, 3, 12, 12, generator=g), torch.arange(18).view(3, 6) % 4
    for loss, batch in (
        (partial(deep.view_loss, temperature=0.2), views),
        (partial(deep.adversarial_loss, temperature=0.2, radius=0.03), views),
        (deep.class_loss, (views[:, 0], classes)),
    ):
        alone = [
            loss(network, p, batch[r] if batch is views else (batch[0][r], batch[1][r]))
            for r, p in enumerate(each)
        ]
        torch.testing.assert_close(loss(network, params, batch), torch.stack(alone))
    scores = network.forward(each[0], views[0, 0] - 0.5)[-1] @ each[0]["classifier"].T
    torch.testing.assert_close(alone[0], F.cross_entropy(scores, classes[0]))


def test_nt_xent_is_least_for_equal_views():
    z = torch.eye(4)
    assert deep.nt_xent(z, z, 0.2) < deep.nt_xent(z, z.flip(0), 0.2)


def test_density_is_one_for_constant_responses():
    a = torch.rand(1, 3).expand(10, 3)
    assert torch.allclose(deep.lifetime_density(a), torch.ones(3, dtype=torch.float64))


def test_neighbours_and_linear_probe_find_clusters():
    g = generator(13, "t")
    y = torch.arange(60) % 3
    h = 10 * torch.nn.functional.one_hot(y, 3).float() + torch.randn(60, 3, generator=g)
    assert (deep.nearest_neighbours(h[:40], y[:40], h[40:]) == y[40:]).all()
    assert (deep.linear_probe(h[:40], y[:40], h[40:]) == y[40:]).all()
