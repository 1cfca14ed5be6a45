"""What explains numbers of the tables that ours do not agree with: one change at a time."""

from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.core import generator
from featurebook.papers.feature_emergence import judging, network, tables
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.checks.tables import Key, short
from featurebook.papers.feature_emergence.tables import Setting

ADAM = 0.03
"""Step size of Adam."""
FLAT = "Network w/o structure, train"


def by_adam(setting: Setting, seeds: list[int], device: torch.device) -> NDArray[np.float64]:
    """Training accuracy (R,) without structure of the network that Adam trains from weights of
    standard size, without the two first steps."""
    dist, k = setting.flat, setting.structured.k
    fit = tables.samples(dist, setting.n, seeds, "flat data", device)
    drawn = [network.initial(generator(s, "memory"), dist.D, setting.m, k, 1.0) for s in seeds]
    start = network.stack(drawn)
    start |= {"W": k * start["W"]}
    run = core.train(
        network.hinge_loss,
        {name: p.float().to(device) for name, p in start.items()},
        fit,
        steps=setting.steps,
        seeds=seeds,
        batch_size=setting.batch,
        optimizer=partial(torch.optim.Adam, lr=ADAM),
        gradient=network.hinge_gradient,
    )
    outputs = torch.vmap(network.output)(run.params, fit[0])
    return network.scores(outputs, fit[1])[0].cpu().double().numpy()


@claims.experiment
def fitted_by_adam(
    other_settings: dict[Key, Setting], seeds: list[int], device: str
) -> dict[str, NDArray[np.float64]]:
    """Training accuracy in per cent without structure in the settings of Table 5, by seed, of
    networks that Adam trains."""
    where = core.pick_device(device)
    return {
        f"{short(name)}: {FLAT}": 100 * by_adam(setting, seeds, where)
        for (table, name), setting in other_settings.items()
        if table == 5
    }


@claims.experiment
def causes_5(
    fitted_by_adam: dict[str, NDArray[np.float64]], paper_numbers: dict[int, dict[str, str]]
) -> dict[str, str]:
    """For numbers of Table 5 with which this agrees, what was changed."""
    return {
        label: f"Adam with step size {ADAM} from standard weights gives {found.mean():.1f}"
        for label, found in fitted_by_adam.items()
        if abs(found.mean() - float(paper_numbers[5][label])) <= 2 * judging.SPREAD
    }
