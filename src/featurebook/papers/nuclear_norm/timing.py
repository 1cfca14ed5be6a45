"""What the value and the gradient of the nuclear norm cost on this machine."""

import timeit
from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import torch
from torch import Tensor

from featurebook.papers.nuclear_norm.layer import nuclear_norm

WAYS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "autograd of svdvals": lambda z: torch.linalg.svdvals(z).sum(),
    "layer, svd": nuclear_norm,
    "layer, gram": lambda z: nuclear_norm(z, method="gram"),
}
SHAPES = ((96, 2048), (320, 2048))
"""Points and features of a batch, as in the thesis."""


def value_and_slope(penalty: Callable[[Tensor], Tensor], z: Tensor) -> float:
    """The sum of the gradient; done when it is on the processor, also if a GPU computes it."""
    leaf = z.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(penalty(leaf), leaf)
    return float(gradient.sum())


def milliseconds(repetitions: int, seed: int) -> pd.DataFrame:
    """The fastest of some repetitions for each way, on the processor and on a GPU if any."""
    rows = []
    for device in ("cpu", "cuda")[: 1 + torch.cuda.is_available()]:
        for shape in SHAPES:
            z = torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(device)
            for name, penalty in WAYS.items():
                call = partial(value_and_slope, penalty, z)
                fastest = min(timeit.repeat(call, number=1, repeat=repetitions))
                rows.append((device, f"{shape[0]} × {shape[1]}", name, 1000 * fastest))
    return pd.DataFrame(rows, columns=["device", "features", "way", "ms, this machine"]).round(1)
