"""What explains numbers of the tables that ours do not agree with: one change at a time."""

from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import core
from featurebook.papers.feature_emergence import judging, network, tables
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.checks.tables import Key, short
from featurebook.papers.feature_emergence.tables import Setting

ADAM = 0.03
"""Step size of Adam in the classifier stage."""
FLAT = "Network w/o structure, train"


def by_adam(setting: Setting, seeds: list[int], device: torch.device) -> NDArray[np.float64]:
    """Training accuracy (R,) of the network without structure if Adam trains its classifier."""
    fit = tables.samples(setting.flat, setting.n, seeds, "flat data", device)
    networks, step = (
        tables.starts(setting, seeds, device),
        network.eta_one(setting.structured, setting.m),
    )
    _, two = network.first_two_steps(networks, fit, step, setting.sigma_xi)
    run = core.train(
        network.hinge_loss,
        {name: p.float() for name, p in network.amplified(two, setting.gain).items()},
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
    """Training accuracy in per cent without structure in the settings of Table 5, by seed, with
    Adam instead of SGD in the classifier stage and all else equal."""
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
        label: f"Adam with step size {ADAM} after step 2 gives {found.mean():.1f}"
        for label, found in fitted_by_adam.items()
        if abs(found.mean() - float(paper_numbers[5][label])) <= 2 * judging.SPREAD
    }
