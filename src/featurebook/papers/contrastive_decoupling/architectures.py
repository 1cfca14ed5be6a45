"""Convolutional networks: the small one, AlexNet, wide ResNets.

A network is a function of one dictionary of parameters and of images (B, C, h, w); it takes all
replicas too, parameters (R, ...) and images (R, B, C, h, w). Batch normalisation uses the
statistics of the batch it sees, at test time too.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.core import Params

Forward = Callable[[Params, Tensor], list[Tensor]]
"""Of parameters and images ([R,] B, C, h, w): the activations of each layer, the embedding last."""


@dataclass(frozen=True)
class Network:
    """An architecture: how to draw its parameters and how to run it.

    Attributes:
        shapes: shape of every weight by name; conv (out, in, k, k) and linear (out, in).
        forward: layers' activations ([R,] B, channels, h, w), then the embedding ([R,] B, width).
        width: length of the embedding.
    """

    shapes: dict[str, tuple[int, ...]]
    forward: Forward
    width: int


def channelwise(operation: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """An operation on images (B, C, h, w) that leaves channels apart, of x ([R,] B, C, h, w).

    Between operations the channels of all replicas lie side by side, as one convolution of them
    needs them and leaves them: to reorder images costs as much as to convolve them.
    """
    if x.ndim == 4:
        return operation(x)
    side_by_side = x.permute(1, 3, 4, 0, 2).flatten(3).permute(0, 3, 1, 2)  # (B, R C, h, w)
    return operation(side_by_side).unflatten(1, (len(x), -1)).movedim(1, 0)


def conv2d(x: Tensor, weight: Tensor, stride: int = 1, padding: int = 0) -> Tensor:
    """The convolution of x ([R,] B, C, h, w) with weights ([R,] out, C, k, k), channels last.

    All replicas are one grouped convolution. With few channels that is several times faster with
    the channels last in memory than in torch's usual order.
    """
    groups = len(weight) if weight.ndim == 5 else 1
    last = weight.flatten(0, -4).permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
    return channelwise(
        lambda x: F.conv2d(x, last, stride=stride, padding=padding, groups=groups), x
    )


def he_init(g: torch.Generator, shapes: dict[str, tuple[int, ...]]) -> Params:
    """Gaussian weights of variance 2 / fan-in."""
    return {
        name: torch.randn(shape, generator=g) * math.sqrt(2 / math.prod(shape[1:]))
        for name, shape in shapes.items()
    }


def batch_normalised(x: Tensor) -> Tensor:
    """Every channel of x ([R,] B, C, h, w) with mean 0 and variance 1 over batch and places."""
    return channelwise(lambda x: F.batch_norm(x, None, None, training=True), x)


def unchanged(x: Tensor) -> Tensor:
    """No normalisation, as in the AlexNet of 2012."""
    return x


def small_net(
    channels: int = 3,
    width: int = 48,
    normalise: Callable[[Tensor], Tensor] = batch_normalised,
) -> Network:
    """Five convolutions with ReLU, two pools, global average: for images of about 16 pixels."""
    a, b = width // 2, width
    shapes: dict[str, tuple[int, ...]] = {
        "conv1": (a, channels, 5, 5), "conv2": (b, a, 3, 3), "conv3": (b, b, 3, 3),
        "conv4": (b, b, 3, 3), "conv5": (b, b, 3, 3),
    }  # fmt: skip

    def forward(params: Params, x: Tensor) -> list[Tensor]:
        layers = []
        for k in range(1, 6):
            weight = params[f"conv{k}"]
            x = F.relu(normalise(conv2d(x, weight, padding=weight.shape[-1] // 2)))
            layers.append(x)
            if k <= 2:
                x = channelwise(partial(F.avg_pool2d, kernel_size=2), x)
        return [*layers, x.mean((-2, -1))]

    return Network(shapes, forward, b)


def alexnet(channels: int = 3, scale: float = 1.0) -> Network:
    """AlexNet as it is fitted to 32 x 32 images: five convolutions, three pools."""
    c = [round(n * scale) for n in (64, 192, 384, 256, 256)]
    sizes = [5, 3, 3, 3, 3]
    inputs = [channels, *c[:-1]]
    shapes: dict[str, tuple[int, ...]] = {
        f"conv{k + 1}": (c[k], inputs[k], sizes[k], sizes[k]) for k in range(5)
    }

    def forward(params: Params, x: Tensor) -> list[Tensor]:
        layers = []
        for k in range(1, 6):
            weight = params[f"conv{k}"]
            x = F.relu(batch_normalised(conv2d(x, weight, padding=weight.shape[-1] // 2)))
            layers.append(x)
            if k in (1, 2):
                x = channelwise(partial(F.max_pool2d, kernel_size=2), x)
        return [*layers, x.mean((-2, -1))]

    return Network(shapes, forward, c[-1])


def wide_resnet(depth: int = 34, widen: int = 5, channels: int = 3, base: int = 16) -> Network:
    """Wide ResNet: three groups of (depth - 4) / 6 pre-activated blocks; 34 x 5 is the paper's.

    Raises:
        ValueError: if depth is not 6 n + 4.
    """
    if depth < 10 or (depth - 4) % 6:
        raise ValueError(f"depth = {depth}: a wide ResNet has depth 6 n + 4")
    blocks, widths = (depth - 4) // 6, [base * widen * 2**k for k in range(3)]
    shapes: dict[str, tuple[int, ...]] = {"stem": (base, channels, 3, 3)}
    inside = base
    for group, out in enumerate(widths):
        for block in range(blocks):
            name = f"{group}.{block}"
            shapes[f"{name}.a"] = (out, inside, 3, 3)
            shapes[f"{name}.b"] = (out, out, 3, 3)
            if inside != out:
                shapes[f"{name}.skip"] = (out, inside, 1, 1)
            inside = out

    def forward(params: Params, x: Tensor) -> list[Tensor]:
        x = conv2d(x, params["stem"], padding=1)
        layers = []
        for group in range(3):
            for block in range(blocks):
                stride = 2 if group > 0 and block == 0 else 1
                name = f"{group}.{block}"
                y = F.relu(batch_normalised(x))
                h = conv2d(y, params[f"{name}.a"], stride=stride, padding=1)
                h = conv2d(F.relu(batch_normalised(h)), params[f"{name}.b"], padding=1)
                skip = params.get(f"{name}.skip")
                x = h + (x if skip is None else conv2d(y, skip, stride=stride))
            layers.append(F.relu(batch_normalised(x)))
        return [*layers, layers[-1].mean((-2, -1))]

    return Network(shapes, forward, widths[-1])
