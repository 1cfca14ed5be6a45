"""Deep networks trained on images, with labels and without, and what they have learnt.

Counterparts of the paper's Figures 1 to 4; networks are in `architectures`, views in
`augmentations`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.core import (
    Execution,
    Params,
    Run,
    by_autograd,
    generator,
    replicate,
    takes_replicas,
    train,
)
from featurebook.core.batches import Draw
from featurebook.papers.contrastive_decoupling.architectures import Network, he_init
from featurebook.papers.contrastive_decoupling.augmentations import Augment, mean_colour, same
from featurebook.papers.contrastive_decoupling.measures import ridge_r2

# --- training -------------------------------------------------------------------------------------


def nt_xent(a: Tensor, b: Tensor, temperature: float) -> Tensor:
    """Contrastive loss of two views' heads with cosine similarity, 2 B - 2 negatives.

    Args:
        a, b: heads ([R,] B, k).
        temperature: of the softmax.

    Returns:
        The mean over both views, ([R]).
    """
    z = F.normalize(torch.cat([a, b], -2), dim=-1)
    n = a.shape[-2]
    logits = z @ z.mT / temperature - 1e9 * torch.eye(2 * n, device=z.device)
    positive = (z[..., :n, :] * z[..., n:, :]).sum(-1) / temperature
    return (torch.logsumexp(logits, -1) - torch.cat([positive, positive], -1)).mean(-1)


@takes_replicas
def view_loss(network: Network, params: Params, views: Tensor, temperature: float) -> Tensor:
    """`nt_xent` of two views ([R,] 2, B, C, h, w) of a batch through network and head, ([R])."""
    h = network.forward(params, views.flatten(-5, -4) - 0.5)[-1]
    z = F.relu(h @ params["head1"].mT) @ params["head2"].mT
    first, second = z.chunk(2, -2)
    return nt_xent(first, second, temperature)


def attacked(
    network: Network, params: Params, views: Tensor, temperature: float, radius: float
) -> Tensor:
    """The first view moved by ``radius`` in every pixel, to where the loss rises (one step).

    The instance-wise attack of adversarial contrastive learning (Kim, Tack and Hwang 2020), with
    one step for their several. No gradient flows through it. Of all replicas at once, or of one.
    """
    fixed = {name: p.detach() for name, p in params.items()}
    one, two = views.detach().unbind(-5)

    def loss(seen: Params, other: Tensor) -> Tensor:
        return view_loss(network, fixed, torch.stack([seen["one"], other], -5), temperature)

    slope = by_autograd(loss, {"one": one}, two)[0]["one"]
    moved = (one + radius * slope.sign()).clamp(0, 1)
    return torch.stack([moved, two], -5)


@takes_replicas
def adversarial_loss(
    network: Network, params: Params, views: Tensor, temperature: float, radius: float
) -> Tensor:
    """`view_loss` of views whose first is `attacked`."""
    moved = attacked(network, params, views, temperature, radius)
    return view_loss(network, params, moved, temperature)


@takes_replicas
def class_loss(network: Network, params: Params, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Cross entropy of images ([R,] B, C, h, w) and their classes ([R,] B), ([R])."""
    x, classes = batch
    scores = network.forward(params, x - 0.5)[-1] @ params["classifier"].mT
    return -scores.log_softmax(-1).gather(-1, classes.unsqueeze(-1)).mean((-2, -1))


def contrastive_trainings(
    network: Network,
    images: Tensor,
    views: Mapping[str, Augment],
    *,
    seeds: Sequence[int],
    steps: int,
    batch_size: int = 96,
    temperature: float = 0.2,
    learning_rate: float = 2e-3,
    device: str | torch.device = "cpu",
    label: str = "contrastive",
) -> dict[str, Run]:
    """Two augmented views of every image, a two-layer head (to 32), Adam with a cosine schedule.

    One run for each kind of views. They are trained as one ensemble: what is called at each step
    costs a small network more than its arithmetic.
    """
    shapes, V = with_head(network), len(views)
    draws = [
        partial(_draw_views, images=images, augment=augment, batch_size=batch_size)
        for augment in views.values()
    ]

    def draw(g: torch.Generator, count: int) -> Tensor:
        """As each would draw alone: (count, V, 2, batch_size, C, h, w)."""
        state = g.get_state()
        return torch.stack([one(g.set_state(state), count) for one in draws], 1)

    @takes_replicas
    def loss(params: Params, batch: Tensor) -> Tensor:
        flat = {name: p.reshape(-1, *shapes[name]) for name, p in params.items()}
        each = view_loss(network, flat, batch.flatten(0, -6), temperature)
        return each.view(batch.shape[:-5]).sum(-1)

    begin = replicate(partial(he_init, shapes=shapes), seeds, "init")
    begin = {name: x.unsqueeze(1).repeat(1, V, *[1] * (x.ndim - 1)) for name, x in begin.items()}
    run = _adam(loss, begin, draw, seeds, steps, learning_rate, device, label)
    return {
        name: replace(run, params={key: p[:, v] for key, p in run.params.items()})
        for v, name in enumerate(views)
    }


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
    """As `contrastive_trainings`, on the first view `attacked` within ``radius``."""
    loss = partial(adversarial_loss, network, temperature=temperature, radius=radius)
    draw = partial(_draw_views, images=images, augment=augment, batch_size=batch_size)
    begin = replicate(partial(he_init, shapes=with_head(network)), seeds, "init")
    return _adam(loss, begin, draw, seeds, steps, learning_rate, device, label)


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

    loss = partial(class_loss, network)
    begin = replicate(partial(he_init, shapes=shapes), seeds, "init")
    return _adam(loss, begin, draw, seeds, steps, learning_rate, device, label)


def train_all(
    network: Network,
    images: Tensor,
    labels: Tensor,
    views: Mapping[str, Augment],
    seeds: Sequence[int],
    **common: Any,
) -> dict[str, Run]:
    """A contrastive run per view ("none" with one seed: no claim rests on it), and "supervised"."""
    found: dict[str, Run] = {}
    for few in (True, False):
        some = {name: view for name, view in views.items() if (name == "none") == few}
        if some:
            chosen = seeds[:1] if few else seeds
            found |= contrastive_trainings(network, images, some, seeds=chosen, **common)
    last = supervised_training(network, images, labels, same, seeds=seeds, **common)
    return {name: found[name] for name in views} | {"supervised": last}


def untrained(network: Network, seed: int) -> Params:
    """Parameters of a network that has learnt nothing."""
    return he_init(generator(seed, "init"), network.shapes)


def _adam(
    loss: Callable[[Params, Any], Tensor],
    params: Params,
    draw: Draw,
    seeds: Sequence[int],
    steps: int,
    learning_rate: float,
    device: str | torch.device,
    label: str,
) -> Run:
    params = {name: value.to(device) for name, value in params.items()}
    return train(
        loss,
        params,
        draw,
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.Adam, lr=learning_rate),
        schedule=lambda t: learning_rate * 0.5 * (1 + math.cos(math.pi * (t - 1) / steps)),
        execution=Execution(label=label),
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
