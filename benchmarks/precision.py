"""What single, double and half precision change in a chapter's numbers: ``precision.py OUT``."""

import json
import sys
from functools import partial
from pathlib import Path

import torch

from about import about
from featurebook import core
from featurebook.papers.cone_sets import network
from featurebook.papers.cone_sets.data import PatchData

SEEDS = range(4)


def errors(dtype: torch.dtype, steps: int = 600) -> list[float]:
    """Mean square error of each seed's (24, 20, 28) autoencoder, evaluated in double precision."""
    data = PatchData(24, 20)
    start = core.replicate(partial(network.draw_kernels, 28, 24, 0.01), SEEDS, "init")
    run = core.train(
        partial(network.loss, c0=0.01), {"w": start["w"].to(dtype)},
        core.replicate(partial(data.draw, 1000), SEEDS, "train").to(dtype),
        steps=steps, seeds=SEEDS, batch_size=32, schedule=core.inverse_time(0.2),
        optimizer=partial(torch.optim.SGD, lr=0.2, momentum=0.9, weight_decay=1e-3),
        gradient=partial(network.gradient, c0=0.01),
    )  # fmt: skip
    test = core.replicate(partial(data.draw, 1000), SEEDS, "test").double()
    mean_error = core.per_network(partial(network.error, c0=0.01), 0, 0)
    return mean_error({"w": run.params["w"].double()}, test).tolist()


def main() -> None:
    """Measure, print, write."""
    torch.set_num_threads(1)
    names = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}
    record = about() | {"errors": {name: errors(dtype) for name, dtype in names.items()}}
    print(json.dumps(record, indent=1))
    Path(sys.argv[1]).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
