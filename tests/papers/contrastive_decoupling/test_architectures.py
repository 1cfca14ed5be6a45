"""Networks have the shapes and sizes that they should."""

import math
from functools import partial

import pytest
import torch
import torch.nn.functional as F

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import architectures


def forward_without_numbers(network, size):
    """Shapes of all activations for two images, on a device that computes nothing."""
    params = {name: torch.empty(shape, device="meta") for name, shape in network.shapes.items()}
    return [
        tuple(a.shape) for a in network.forward(params, torch.empty(2, 3, size, size).to("meta"))
    ]


def test_paper_architecture_has_the_papers_size():
    network = architectures.wide_resnet(34, 5)
    assert architectures.wide_resnet().shapes == network.shapes
    assert sum(name.endswith(".a") for name in network.shapes) == 15
    assert 11e6 < sum(math.prod(shape) for shape in network.shapes.values()) < 12e6
    assert forward_without_numbers(network, 32) == [
        (2, 80, 32, 32),
        (2, 160, 16, 16),
        (2, 320, 8, 8),
        (2, 320),
    ]
    with pytest.raises(ValueError, match="6 n"):
        architectures.wide_resnet(33, 5)


def test_alexnet_has_five_convolutions_and_fits_small_images():
    shapes = forward_without_numbers(architectures.alexnet(3), 32)
    assert [s[1] for s in shapes] == [64, 192, 384, 256, 256, 256]
    assert [s[2] for s in shapes[:-1]] == [32, 16, 8, 8, 8]


def test_without_normalisation_activations_scale_with_the_input():
    network = architectures.small_net(3, 8, architectures.unchanged)
    g = generator(21, "t")
    params = architectures.he_init(g, network.shapes)
    x = torch.rand(2, 3, 12, 12, generator=g)
    torch.testing.assert_close(
        network.forward(params, 3 * x)[-1], 3 * network.forward(params, x)[-1]
    )


def test_a_convolution_is_torchs_for_one_network_and_for_several():
    g = generator(0, "conv2d")
    x, weight = (torch.randn(2, k, 3, n, n, generator=g) for k, n in ((5, 8), (4, 5)))
    expected = torch.stack(
        [F.conv2d(a, w, stride=2, padding=2) for a, w in zip(x, weight, strict=True)]
    )
    ours = partial(architectures.conv2d, stride=2, padding=2)
    torch.testing.assert_close(ours(x[0], weight[0]), expected[0])
    torch.testing.assert_close(ours(x, weight), expected)
    torch.testing.assert_close(torch.vmap(ours)(x, weight), expected)  # as a compiler has it


@pytest.mark.parametrize(
    ("network", "size"),
    [
        (architectures.small_net(3, 8), 12),
        (architectures.small_net(3, 8, architectures.unchanged), 12),
        (architectures.alexnet(3, 0.05), 16),
        (architectures.wide_resnet(10, 1, base=4), 8),
    ],
)
def test_several_networks_at_once_do_what_each_does(network, size):
    g = generator(1, "several")
    each = [architectures.he_init(g, network.shapes) for _ in range(3)]
    params = {name: torch.stack([p[name] for p in each]) for name in network.shapes}
    x = torch.rand(3, 4, 3, size, size, generator=g)
    alone = [network.forward(p, image) for p, image in zip(each, x, strict=True)]
    for together, *layers in zip(network.forward(params, x), *alone, strict=True):
        torch.testing.assert_close(together, torch.stack(layers))
        if together.ndim == 5:  # in the memory of one batch of (h, w, R, C): nothing is reordered
            assert together.permute(1, 3, 4, 0, 2).is_contiguous()
