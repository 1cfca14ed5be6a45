"""A small training that several tests share, in double precision."""

from functools import partial

import torch

from featurebook.core import Observe, replicate, train

SEEDS = (3, 0, 11, 7)
N, D, H = 12, 3, 5

# Double precision: a step rounds at 1e-16, and forty steps of a smooth loss amplify that little.
close = partial(torch.testing.assert_close, rtol=1e-9, atol=1e-10)

SGD = partial(torch.optim.SGD, lr=0.05, momentum=0.9, weight_decay=1e-3)
ADAM = partial(torch.optim.Adam, lr=0.02)


def loss(params, batch):
    x, y = batch
    return ((x @ params["w"]).tanh() @ params["v"] - y).square().mean()


def gradient(params, batch):
    """The same by hand."""
    x, y = batch
    h = (x @ params["w"]).tanh()
    rest = (h @ params["v"] - y) * (2 / len(y))
    back = rest[:, None] * params["v"] * (1 - h**2)
    return {"w": x.T @ back, "v": h.T @ rest}, (h @ params["v"] - y).square().mean()


def start(seeds):
    def draw(g):
        return {
            "w": torch.randn(D, H, generator=g, dtype=torch.float64),
            "v": torch.randn(H, generator=g, dtype=torch.float64),
        }

    return replicate(draw, seeds, "init")


def samples(g, *shape):
    x = torch.randn(*shape, D, generator=g, dtype=torch.float64)
    return x, x.prod(-1) + torch.rand(*shape, generator=g, dtype=torch.float64)


def data(seeds):
    return replicate(lambda g: samples(g, N), seeds, "data")


def fresh(g, count):
    return samples(g, count, 6)


def look(params):
    return {"norm": params["w"].flatten(1).norm(dim=1), "v": params["v"]}


def run(seeds, mode, optimizer, observe_at=(0, 3, 40), **more):
    if mode == "fresh batches":
        plan = {"data": fresh}
    elif mode == "shared data":
        plan = {"data": samples(torch.Generator().manual_seed(1), N), "data_dim": None}
    else:
        plan = {"data": data(seeds)}
    plan["batch_size"] = 5 if mode in ("mini-batches", "shared data") else None
    plan |= {"steps": 40, "observe": Observe(look, at=observe_at)} | more
    chosen = plan.pop("data")
    return train(loss, start(seeds), chosen, seeds=seeds, optimizer=optimizer, **plan)


MODES = ["full batch", "mini-batches", "shared data", "fresh batches"]


def growing(curvature, steps=60, **more):
    """w <- (1 - c) w for loss c w²/2: leaves the single-precision range where c > 2."""
    c = torch.tensor(curvature)[:, None]
    return train(
        lambda p, batch: batch.sum() * p["w"].square().sum() / 2,
        {"w": torch.ones(len(curvature), 1)}, c, steps=steps,
        seeds=[100 + k for k in range(len(curvature))],
        optimizer=partial(torch.optim.SGD, lr=1.0), **more,
    )  # fmt: skip
