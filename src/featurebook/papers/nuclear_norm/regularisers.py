"""Other penalties in the place of the nuclear norm, at the same price.

Which of its two effects helps: that features shrink, or that their rank falls? The first five
penalties see the size of features or weights; the last sees the rank and no size.
"""

import pandas as pd
import torch
from torch import Tensor

from featurebook.core.spectra import eigvalsh
from featurebook.papers.nuclear_norm import benchmarks
from featurebook.papers.nuclear_norm.benchmarks import Penalty, Recipe, nuclear
from featurebook.papers.nuclear_norm.data import Domains


def frobenius(_: list[Tensor], z: Tensor) -> Tensor:
    """‖Z‖_F = √Σσ_i²: of all matrices of one size none is preferred."""
    return z.flatten(1).norm(dim=-1)


def spectral(_: list[Tensor], z: Tensor) -> Tensor:
    """‖Z‖_2 = σ_1, from the Gram matrix of the features."""
    largest = eigvalsh(z.mT @ z)[..., -1]
    return largest.clamp_min(torch.finfo(z.dtype).tiny).sqrt()  # at 0 no slope is infinite


def largest_entry(_: list[Tensor], z: Tensor) -> Tensor:
    """max |Z_ij|, the max-norm of the batch."""
    return z.abs().flatten(1).amax(-1)


def weight_decay(weights: list[Tensor], _: Tensor) -> Tensor:
    """½Σ‖W‖_F² of all weights, head and biases too."""
    return sum((w.square().flatten(1).sum(-1) for w in weights), torch.zeros(())) / 2


def rank_alone(weights: list[Tensor], z: Tensor) -> Tensor:
    """‖Z‖_* / ‖Z‖_F, between 1 and √rank: the same for Z and 10 Z."""
    size = frobenius(weights, z)
    return nuclear(weights, z) / size.clamp_min(torch.finfo(z.dtype).eps)


PENALTIES: dict[str, Penalty] = {
    "nuclear norm": nuclear,
    "Frobenius norm": frobenius,
    "spectral norm": spectral,
    "largest entry": largest_entry,
    "weight decay": weight_decay,
    "rank alone": rank_alone,
}


def at_start(penalty: Penalty, domains: Domains, seeds: list[int], recipe: Recipe) -> float:
    """The penalty of random weights on ``per_domain`` images of each domain, mean over seeds."""
    sizes = [domains.pixels.shape[2], benchmarks.HIDDEN, recipe.features]
    weights = benchmarks.start([*sizes, int(domains.labels.max()) + 1], seeds, 1)
    with torch.no_grad():
        z = benchmarks.features_of(weights, domains.pixels[:, : recipe.per_domain].flatten(0, 1))
        return float(penalty(weights, z).mean())


def compare(
    domains: Domains, tests: list[int], lams: list[float], seeds: list[int], recipe: Recipe
) -> pd.DataFrame:
    """Gain of each penalty on no penalty, λ chosen by validation: columns of `chosen_gains`, name.

    A penalty's λ are scaled so that at random weights it costs what the nuclear norm with ``lams``
    costs. All start from the same weights and see the same batches.
    """
    found = []
    for name, penalty in PENALTIES.items():
        own = Recipe(**{**vars(recipe), "penalty": penalty})
        scale = at_start(nuclear, domains, seeds, recipe) / at_start(penalty, domains, seeds, own)
        prices = [0.0, *(scale * x for x in lams)]
        gains = benchmarks.leave_out(domains, tests, prices, seeds, own)
        found.append(gains.assign(name=name, scale=scale))
    return pd.concat(found, ignore_index=True)
