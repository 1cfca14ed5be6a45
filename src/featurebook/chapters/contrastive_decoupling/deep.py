"""Deep networks on images: the counterparts of the paper's Figures 1 to 4.

A network is a function of one dictionary of parameters, so that `core.train` can train several.
Batch normalisation uses the statistics of the batch it sees, at test time too.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.chapters.contrastive_decoupling.measures import ridge_r2
from featurebook.chapters.contrastive_decoupling.photographs import GREY
from featurebook.core import Params, Run, generator, replicate, train
from featurebook.core.batches import Draw

Forward = Callable[[Params, Tensor], list[Tensor]]
"""Of the parameters and images (B, C, h, w): the activations of each layer, the embedding last."""

Augment = Callable[[torch.Generator, Tensor], Tensor]
"""Images (B, C, h, w) to one random view of each."""


@dataclass(frozen=True)
class Network:
    """An architecture: how to draw its parameters and how to run it.

    Attributes:
        shapes: shape of every weight by name; conv (out, in, k, k) and linear (out, in).
        forward: layers' activations (B, channels, h, w), then the embedding (B, width).
        width: length of the embedding.
    """

    shapes: dict[str, tuple[int, ...]]
    forward: Forward
    width: int


def he_init(g: torch.Generator, shapes: dict[str, tuple[int, ...]]) -> Params:
    """Gaussian weights of variance 2 / fan-in."""
    return {
        name: torch.randn(shape, generator=g) * math.sqrt(2 / math.prod(shape[1:]))
        for name, shape in shapes.items()
    }


def batch_normalised(x: Tensor) -> Tensor:
    """Every channel of x (B, C, h, w) with mean 0 and variance 1 over the batch and places."""
    return F.batch_norm(x, None, None, training=True)


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
            x = F.relu(normalise(F.conv2d(x, weight, padding=weight.shape[-1] // 2)))
            layers.append(x)
            if k <= 2:
                x = F.avg_pool2d(x, 2)
        return [*layers, x.mean((2, 3))]

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
            x = F.relu(batch_normalised(F.conv2d(x, weight, padding=weight.shape[-1] // 2)))
            layers.append(x)
            if k in (1, 2):
                x = F.max_pool2d(x, 2)
        return [*layers, x.mean((2, 3))]

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
        x = F.conv2d(x, params["stem"], padding=1)
        layers = []
        for group in range(3):
            for block in range(blocks):
                stride = 2 if group > 0 and block == 0 else 1
                name = f"{group}.{block}"
                y = F.relu(batch_normalised(x))
                h = F.conv2d(y, params[f"{name}.a"], stride=stride, padding=1)
                h = F.conv2d(F.relu(batch_normalised(h)), params[f"{name}.b"], padding=1)
                skip = params.get(f"{name}.skip")
                x = h + (x if skip is None else F.conv2d(y, skip, stride=stride))
            layers.append(F.relu(batch_normalised(x)))
        return [*layers, layers[-1].mean((2, 3))]

    return Network(shapes, forward, widths[-1])


# --- data -----------------------------------------------------------------------------------------


def coloured(digits: Tensor, seed: int, size: int = 16) -> Tensor:
    """Digits (n, 1, h, w) as strokes of one random colour on another with a random gradient.

    Returns (n, 3, size, size) between 0 and 1. The two colours differ in luminance by at least 0.5
    with random sign, so that neither colour nor polarity says anything of the digit.
    """
    g, n = generator(seed, "colours"), len(digits)
    ink = F.interpolate(digits, (size, size), mode="bilinear", antialias=True)
    background, stroke = (torch.rand(n, 3, generator=g) for _ in range(2))
    gap = ((stroke - background) @ GREY)[:, None]
    wanted = torch.where(gap < 0, -1.0, 1.0) * gap.abs().clamp_min(0.5)
    stroke = stroke + wanted - gap
    slopes = 1.2 * torch.rand(n, 3, 2, generator=g) - 0.6
    axis = torch.linspace(-0.5, 0.5, size)
    tilt = slopes[..., :1, None] * axis[:, None] + slopes[..., 1:, None] * axis
    scene = background[..., None, None] + tilt
    image = scene + ink * (stroke[..., None, None] - scene)
    return (image + 0.03 * torch.randn(image.shape, generator=g)).clamp(0, 1)


def random_crop(g: torch.Generator, x: Tensor, least_area: float = 0.35) -> Tensor:
    """Crop a random square of relative area U[least_area, 1] at a random place; resize."""
    n = len(x)
    scale = (least_area + (1 - least_area) * torch.rand(n, generator=g)).sqrt()
    shift = (2 * torch.rand(n, 2, generator=g) - 1) * (1 - scale[:, None])
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = scale
    theta[:, :, 2] = shift
    grid = F.affine_grid(theta, list(x.shape), align_corners=False)
    return F.grid_sample(x, grid, padding_mode="reflection", align_corners=False)


def colour_distortion(g: torch.Generator, x: Tensor) -> Tensor:
    """Random mixing of the channels, gain, shift, inversion (1 in 2), greyscale (3 in 10)."""
    n = len(x)
    mix = torch.eye(3) + 0.8 * (torch.rand(n, 3, 3, generator=g) - 0.5)
    gain = 0.6 + 0.8 * torch.rand(n, 1, 1, generator=g)
    sign = torch.where(torch.rand(n, 1, 1, generator=g) < 0.5, -1.0, 1.0)
    grey = torch.rand(n, generator=g) < 0.3
    mix = torch.where(grey[:, None, None], GREY.expand(n, 3, 3), mix)
    shift = 0.25 * (2 * torch.rand(n, 3, 1, 1, generator=g) - 1)
    y = torch.einsum("nij,njhw->nihw", sign * gain * mix, x - 0.5)
    return (y + shift + 0.5).clamp(0, 1)


def jitter(g: torch.Generator, x: Tensor) -> Tensor:
    """The usual colour distortion of natural images, as the paper names it: jitter, greyscale.

    Brightness, contrast and saturation times U[0.6, 1.4], a turn of the hue by at most a tenth of
    the circle, grey with probability 0.2. Unlike `colour_distortion` it keeps the polarity.
    """
    n = len(x)
    brightness, contrast, saturation = 0.6 + 0.8 * torch.rand(3, n, 1, 1, generator=g)
    turn = 0.4 * math.pi * (torch.rand(n, 1, 1, generator=g) - 0.5)
    saturation = saturation * (torch.rand(n, 1, 1, generator=g) >= 0.2)
    axis = torch.full((3, 3), 1 / 3)  # onto the grey axis; the hue turns about it
    across = torch.tensor([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / math.sqrt(3)
    turned = axis + turn.cos() * (torch.eye(3) - axis) + turn.sin() * across
    grey = GREY.expand(3, 3) @ turned
    mix = brightness * (grey + saturation * (turned - grey))
    y = torch.einsum("nij,njhw->nihw", mix, x)
    mean = torch.einsum("j,njhw->n", GREY, y)[:, None, None, None] / (x.shape[2] * x.shape[3])
    return (mean + contrast[..., None] * (y - mean)).clamp(0, 1)


def same(g: torch.Generator, x: Tensor) -> Tensor:
    """No augmentation."""
    return x


def crop_and_colour(g: torch.Generator, x: Tensor) -> Tensor:
    """`random_crop`, then `colour_distortion`."""
    return colour_distortion(g, random_crop(g, x))


def crop_and_jitter(g: torch.Generator, x: Tensor) -> Tensor:
    """`random_crop`, then `jitter`."""
    return jitter(g, random_crop(g, x))


def flip_crop_and_jitter(g: torch.Generator, x: Tensor) -> Tensor:
    """For natural images: a horizontal flip (1 in 2) before `crop_and_jitter`."""
    flip = torch.rand(len(x), generator=g) < 0.5
    return crop_and_jitter(g, torch.where(flip[:, None, None, None], x.flip(-1), x))


# --- training -------------------------------------------------------------------------------------


def nt_xent(a: Tensor, b: Tensor, temperature: float) -> Tensor:
    """Contrastive loss of two views' heads (B, k) with cosine similarity, 2 B - 2 negatives."""
    z = F.normalize(torch.cat([a, b]), dim=1)
    n = len(a)
    logits = z @ z.T / temperature - 1e9 * torch.eye(2 * n, device=z.device)
    positive = (z[:n] * z[n:]).sum(1) / temperature
    return (torch.logsumexp(logits, 1) - torch.cat([positive, positive])).mean()


def view_loss(network: Network, params: Params, views: Tensor, temperature: float) -> Tensor:
    """`nt_xent` of two views (2, B, C, h, w) of a batch through network and head."""
    h = network.forward(params, views.flatten(0, 1) - 0.5)[-1]
    z = F.relu(h @ params["head1"].T) @ params["head2"].T
    first, second = z.chunk(2)
    return nt_xent(first, second, temperature)


def attacked(
    network: Network, params: Params, views: Tensor, temperature: float, radius: float
) -> Tensor:
    """The first view moved by ``radius`` in every pixel, to where the loss rises (one step).

    The instance-wise attack of adversarial contrastive learning (Kim, Tack and Hwang 2020), with
    one step for their several. No gradient flows through it.
    """
    fixed = {name: p.detach() for name, p in params.items()}
    slope = torch.func.grad(lambda v: view_loss(network, fixed, v, temperature))(views.detach())
    first = (views[0] + radius * slope[0].sign()).clamp(0, 1)
    return torch.stack([first, views[1]]).detach()


def contrastive_training(
    network: Network,
    images: Tensor,
    augment: Augment,
    *,
    seeds: Sequence[int],
    steps: int,
    batch_size: int = 96,
    temperature: float = 0.2,
    learning_rate: float = 2e-3,
    device: str | torch.device = "cpu",
    label: str = "contrastive",
) -> Run:
    """Two augmented views of every image, a two-layer head (to 32), Adam with a cosine schedule."""

    def loss(params: Params, views: Tensor) -> Tensor:
        return view_loss(network, params, views, temperature)

    draw = partial(_draw_views, images=images, augment=augment, batch_size=batch_size)
    return _adam(loss, with_head(network), draw, seeds, steps, learning_rate, device, label)


def adversarial_training(
    network: Network,
    images: Tensor,
    augment: Augment,
    *,
    seeds: Sequence[int],
    steps: int,
    batch_size: int = 96,
    temperature: float = 0.2,
    radius: float = 8 / 255,
    learning_rate: float = 2e-3,
    device: str | torch.device = "cpu",
    label: str = "adversarial",
) -> Run:
    """As `contrastive_training`, on the first view `attacked` within ``radius``."""

    def loss(params: Params, views: Tensor) -> Tensor:
        moved = attacked(network, params, views, temperature, radius)
        return view_loss(network, params, moved, temperature)

    draw = partial(_draw_views, images=images, augment=augment, batch_size=batch_size)
    return _adam(loss, with_head(network), draw, seeds, steps, learning_rate, device, label)


def with_head(network: Network) -> dict[str, tuple[int, ...]]:
    w = network.width
    return network.shapes | {"head1": (w, w), "head2": (32, w)}


def _draw_views(
    g: torch.Generator, count: int, *, images: Tensor, augment: Augment, batch_size: int
) -> Tensor:
    """Two views of each image of ``count`` batches: (count, 2, batch_size, C, h, w)."""
    x = images[torch.randint(0, len(images), (count * batch_size,), generator=g)]
    views = torch.stack([augment(g, x), augment(g, x)])
    return views.view(2, count, batch_size, *x.shape[1:]).transpose(0, 1)


def supervised_training(
    network: Network,
    images: Tensor,
    labels: Tensor,
    augment: Augment,
    *,
    seeds: Sequence[int],
    steps: int,
    batch_size: int = 96,
    learning_rate: float = 2e-3,
    device: str | torch.device = "cpu",
    label: str = "supervised",
) -> Run:
    """A linear classifier on the embedding, cross entropy, Adam with a cosine schedule."""
    shapes = network.shapes | {"classifier": (int(labels.max()) + 1, network.width)}

    def draw(g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        index = torch.randint(0, len(images), (count * batch_size,), generator=g)
        x = augment(g, images[index])
        return x.view(count, batch_size, *x.shape[1:]), labels[index].view(count, batch_size)

    def loss(params: Params, batch: tuple[Tensor, Tensor]) -> Tensor:
        h = network.forward(params, batch[0] - 0.5)[-1]
        return F.cross_entropy(h @ params["classifier"].T, batch[1])

    return _adam(loss, shapes, draw, seeds, steps, learning_rate, device, label)


def _adam(
    loss: Callable[[Params, Any], Tensor],
    shapes: dict[str, tuple[int, ...]],
    draw: Draw,
    seeds: Sequence[int],
    steps: int,
    learning_rate: float,
    device: str | torch.device,
    label: str,
) -> Run:
    params = replicate(partial(he_init, shapes=shapes), seeds, "init")
    params = {name: value.to(device) for name, value in params.items()}
    return train(
        loss,
        params,
        draw,
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.Adam, lr=learning_rate),
        schedule=lambda t: learning_rate * 0.5 * (1 + math.cos(math.pi * (t - 1) / steps)),
        label=label,
    )


# --- what was learnt ------------------------------------------------------------------------------


def one(params: Params, replica: int) -> Params:
    """The parameters of one replica."""
    return {name: value[replica] for name, value in params.items()}


@torch.no_grad()
def layers_of(network: Network, params: Params, images: Tensor, size: int = 500) -> list[Tensor]:
    """Activations of every layer, and the embedding last, for images (n, C, h, w), on the CPU."""
    device = next(iter(params.values())).device
    parts = [network.forward(params, x.to(device) - 0.5) for x in images.split(size)]
    return [torch.cat([p[k].cpu() for p in parts]) for k in range(len(parts[0]))]


def nearest_neighbours(train_h: Tensor, train_y: Tensor, h: Tensor, k: int = 5) -> Tensor:
    """Majority vote (n,) of the k nearest training points, after standardisation."""
    mean, std = train_h.mean(0), train_h.std(0).clamp_min(1e-6)
    near = torch.cdist((h - mean) / std, (train_h - mean) / std).topk(k, largest=False).indices
    return torch.mode(train_y[near], dim=1).values


def linear_probe(train_h: Tensor, train_y: Tensor, h: Tensor, ridge: float = 1e-2) -> Tensor:
    """Classes (n,) by ridge regression on one-hot labels, after standardisation, in float64."""
    mean, std = train_h.mean(0), train_h.std(0).clamp_min(1e-6)
    A, B = (
        torch.cat([((x - mean) / std).double(), torch.ones(len(x), 1)], 1) for x in (train_h, h)
    )
    Y = F.one_hot(train_y).double()
    gram = A.T @ A / len(A) + ridge * torch.eye(A.shape[1], dtype=torch.float64)
    return (B @ torch.linalg.solve(gram, A.T @ Y / len(A))).argmax(1)


def active_fraction(a: Tensor) -> float:
    """Share of positive entries of ReLU activations."""
    return float((a > 0).float().mean())


def lifetime_density(responses: Tensor) -> Tensor:
    """Treves and Rolls' ⟨r⟩² / ⟨r²⟩ over images, (units,); of responses (n, units); 1 is dense.

    Units that never fire are left out.
    """
    r = responses.double()
    alive = r.square().mean(0) > 0
    return r.mean(0)[alive].square() / r.square().mean(0)[alive]


def firing(a: Tensor) -> dict[str, float]:
    """How densely a layer (n, channels, h, w) fires: four measures, means over its units.

    A channel's response to an image is its mean over places. "active": share of positive
    activations; "density": `lifetime_density` of the channels, "single units": of every channel at
    every place; "above 1/5": share of the images that drive a channel to more than a fifth of its
    largest response.
    """
    response = a.flatten(2).mean(2)
    return {
        "active": active_fraction(a),
        "density": float(lifetime_density(response).mean()),
        "single units": float(lifetime_density(a.flatten(1)).mean()),
        "above 1/5": float((response > 0.2 * response.amax(0)).float().mean()),
    }


def read_out(
    h_train: Tensor, x_train: Tensor, y_train: Tensor, h: Tensor, x: Tensor, y: Tensor
) -> dict[str, float]:
    """What embeddings h (n, k) of images x (n, 3, h, w) with classes y say of class and colour."""
    both, colours = torch.cat([h_train, h]), mean_colour(torch.cat([x_train, x])).T
    r2 = [ridge_r2(both, target, len(h_train), 1e-2) for target in colours]
    return {
        "linear accuracy": float((linear_probe(h_train, y_train, h) == y).float().mean()),
        "5-NN accuracy": float((nearest_neighbours(h_train, y_train, h) == y).float().mean()),
        "R² of luminance": r2[0],
        "R² of chroma": (r2[1] + r2[2]) / 2,
    }


def preferred_inputs(
    network: Network,
    params: Params,
    layer: int,
    units: Sequence[int],
    shape: tuple[int, ...],
    *,
    seed: int = 0,
    steps: int = 60,
    learning_rate: float = 0.05,
    variation: float = 0.05,
) -> Tensor:
    """Inputs (units, *shape) between 0 and 1 that drive units of a layer most, as in Figure 1.

    Adam from weak noise on the mean activation of one channel less the total variation; each input
    is pushed on its own.
    """
    device = next(iter(params.values())).device
    x = 0.02 * torch.randn(len(units), *shape, generator=generator(seed, "preferred"))
    x = x.to(device).requires_grad_()
    adam = torch.optim.Adam([x], lr=learning_rate)
    chosen = torch.as_tensor(list(units), device=device)
    for _ in range(steps):
        response = network.forward(params, x.clamp(-0.5, 0.5))[layer].mean((2, 3))
        aim = response.gather(1, chosen[:, None]).sum()
        rough = x.diff(dim=2).abs().mean((1, 2, 3)) + x.diff(dim=3).abs().mean((1, 2, 3))
        (gradient,) = torch.autograd.grad(variation * rough.sum() - aim, x)
        x.grad = gradient
        adam.step()
    return (x.detach().clamp(-0.5, 0.5) + 0.5).cpu()


def mean_colour(images: Tensor) -> Tensor:
    """Mean luminance, red - green and blue - yellow of images (n, 3, h, w): (n, 3)."""
    red, green, blue = images.mean((2, 3)).T
    luminance = GREY[0] * red + GREY[1] * green + GREY[2] * blue
    return torch.stack([luminance, red - green, blue - (red + green) / 2], 1)


def saturation(images: Tensor) -> Tensor:
    """Mean over the pixels of (largest - smallest channel), (n,), of images (n, 3, h, w)."""
    return (images.amax(1) - images.amin(1)).mean((1, 2))
