"""The checks of the theorems without augmentation: features, probes, decay and the loss."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook import core, verdicts
from featurebook.papers.contrastive_decoupling import (
    exact,
    experiments,
    measures,
    model,
    plain,
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.checks.with_mask import POWERS
from featurebook.papers.contrastive_decoupling.theory import above
from featurebook.verdicts import Reason, Verdict, exponents, proved
from featurebook.verdicts.comparisons import (
    attack,
    everywhere,
    exactly,
    exponent,
    inequality,
    trend,
)

DECAYED = ("d^-1.25", "d^-1.5")
"""Weight decays of the long runs that have one."""
ONLY_BELOW: tuple[Reason, str] = ("undecided", "only a lower bound, which forbids nothing")


@claims.experiment
def by_d1(
    scan_d1: list[int], setting: model.SparseCoding, unbiased: model.Recipe, C_z: float,
    C_sigma: float, m: int, K: int, N: int, steps: int, n_probe: int, seeds: list[int], seed: int,
    device: str,
) -> pd.DataFrame:  # fmt: skip
    """Run B before and after training ("when"), a row for each d_1 and seed."""
    d, sigma2, rows = setting.d, setting.sigma**2, []
    recipe = replace(unbiased, steps=steps // 4)
    for size in scan_d1:
        world = model.sparse_coding(d, size, C_z, C_sigma, seed)
        probe = measures.probe_data(world, n_probe, n_probe, seed + size)
        atoms = (probe.z != 0).sum(1)
        active, heard = (float(x.float().mean()) for x in (atoms[atoms > 0], atoms > 0))
        run = experiments.fit(
            "plain", recipe, world=world, K=K // 2, N=N, m=m // 2, seeds=seeds,
            observe_at=[0, recipe.steps], label=f"d₁ = {size}", device=core.pick_device(device),
        )  # fmt: skip
        for r, s in enumerate(seeds):
            for when, name in ((0, "untrained"), (1, "trained")):
                W, b = (run.observed[key][when, r].cpu() for key in ("W", "b"))
                found = measures.judge(W, b, world, probe)
                found["1 - cosine"] = 1 - found["cosine"]
                found["k s / (2 d σ²)"] = active * found["share"] / (2 * d * sigma2)
                found["accuracy, all x"] = found["accuracy"] * heard
                found["loss"] = measures.plain_loss(W, probe, K, N)
                rows.append({"when": name, "d_1": size, "seed": s} | found)
    return pd.DataFrame(rows)


@claims.experiment
def off_the_noise(by_d1: pd.DataFrame) -> pd.DataFrame:
    """1 - cosine of f(x) and f(ξ): a row for each seed, columns ("untrained" or "trained", d_1)."""
    return by_d1.pivot_table(index="seed", columns=["when", "d_1"], values="1 - cosine")


@claims.experiment
def decays(setting: model.SparseCoding) -> dict[str, float]:
    """Weight decays λ of the long runs."""
    return {"d^-1.25": setting.d**-1.25, "d^-1.5": setting.d**-1.5, "0": 0.0}


@claims.experiment
def long_steps(steps: int) -> int:
    """Steps of the long runs."""
    return 2 * steps // 3


@claims.experiment
def long_runs(
    decays: dict[str, float], standard_recipe: model.Recipe, setting: model.SparseCoding,
    long_steps: int, m: int, K: int, N: int, seeds: list[int], device: str,
) -> dict[str, core.Run]:  # fmt: skip
    """Runs without mask and bias that start near the complement of the atoms, by decay."""
    where, full = core.pick_device(device), standard_recipe
    unending = replace(full, eta_late=full.eta, beta_end=0.0, norm=1.5, steps=long_steps)
    recipes = {name: replace(unending, lam=decay) for name, decay in decays.items()}
    begin = experiments.dense_start(unending, setting.M, m // 2, seeds, where)
    seen_at = range(0, long_steps + 1, max(long_steps // 16, 1))
    return experiments.fit_all(
        "plain", recipes, world=setting, K=K, N=N, m=m // 2, seeds=seeds, params=begin,
        observe_at=dict.fromkeys(recipes, seen_at), device=where,
    )  # fmt: skip


@claims.experiment
def long_shares(
    long_runs: dict[str, core.Run], setting: model.SparseCoding
) -> dict[str, NDArray[np.float64]]:
    """Share of the weights on the atoms along them, (steps, seeds)."""
    return {
        name: np.stack([measures.total_share(W.cpu(), setting.M) for W in run.observed["W"]])
        for name, run in long_runs.items()
    }


@dataclass(frozen=True)
class Rates:
    """Growth of the log share per step: "found", (seeds,), and "predicted", by decay.

    Attributes:
        steps: at which shares are known.
        straight: which of them are fitted.
    """

    steps: NDArray[np.int64]
    straight: NDArray[np.bool_]
    found: dict[str, NDArray[np.float64]]
    predicted: dict[str, float]


@claims.experiment
def share_rates(
    long_runs: dict[str, core.Run], long_shares: dict[str, NDArray[np.float64]], long_steps: int,
    decays: dict[str, float], standard_recipe: model.Recipe, setting: model.SparseCoding,
) -> Rates:  # fmt: skip
    """How fast the share on the atoms grows between a quarter and half of the steps."""
    steps = np.array(long_runs["0"].steps)
    straight = (steps >= long_steps // 4) & (steps <= long_steps // 2)
    found = {
        name: np.polyfit(steps[straight], np.log(s[straight]), 1)[0]
        for name, s in long_shares.items()
    }
    eta, p, sigma2 = standard_recipe.eta, setting.p, setting.sigma**2
    predicted = {name: 2 * eta * decay * p / sigma2 for name, decay in decays.items()}
    return Rates(steps, straight, found, predicted)


@claims.experiment
def relative_rates(share_rates: Rates) -> NDArray[np.float64]:
    """Found over predicted, mean over the decays that are not 0, (seeds,)."""
    r = share_rates
    return np.asarray(np.mean([r.found[n] / r.predicted[n] for n in DECAYED], 0))


@claims.experiment
def balance(
    long_runs: dict[str, core.Run], setting: model.SparseCoding, decays: dict[str, float], N: int,
    seed: int,
) -> pd.DataFrame:  # fmt: skip
    """What growth and decay balance at the steps of the long runs (`plain.balances`)."""
    found = plain.balances(long_runs, setting, N, seed)
    found["λ/(σ²+p)"] = found["λ"].map(decays) / (setting.sigma**2 + setting.p)
    return found


@claims.check("theorem-3-2")
def features_of_the_noise(off_the_noise: pd.DataFrame, scan_d1: list[int]) -> Iterator[Verdict]:
    """The power of d_1 of 1 - cosine, trained."""
    yield exponent(
        scan_d1,
        off_the_noise["trained"],
        expected=(-np.inf, 0),
        rival={"the same at every d₁": 0.0},
        what="power of d₁ of 1 - cosine",
    )


@claims.check("theorem-3-2-start")
def more_so_before_training(off_the_noise: pd.DataFrame) -> Iterator[Verdict]:
    """1 - cosine after training and before."""
    larger = (off_the_noise["trained"] > off_the_noise["untrained"]).to_numpy()
    yield everywhere(larger, what="1 - cosine is larger after training than before")


@claims.check("corollary-3-3-regression", proof="proved on the page")
def regression_without_a_mask(
    by_d1: pd.DataFrame, setting: model.SparseCoding
) -> Iterator[Verdict]:
    """R² of probes against the best linear map of x."""
    bound = theory.linear_bound(setting.p, setting.sigma**2)
    trained = by_d1[by_d1.when == "trained"]
    what = "R² against the best linear map of x"
    yield inequality(trained.R2, bound, informative=bound < 1, what=what)


@claims.check("corollary-3-3-classification")
def accuracy_as_printed(C_z: float) -> Iterator[Verdict]:
    """A lower bound on the accuracy of the better of a probe and its negative, along d."""
    better = exact.accuracy_of_the_better(POWERS, C_z)
    yield exactly(
        better[1:],
        "<",
        better[:-1],
        what="accuracy of the better of a probe and its negative, which should fall, "
        "d = 10² to 10³⁰⁰",
        instance={"log₁₀ d": POWERS, "C_z": C_z},
    )


@claims.check("corollary-3-3-classification-corrected")
def accuracy_of_chance(by_d1: pd.DataFrame, scan_d1: list[int]) -> Iterator[Verdict]:
    """The power of d_1 with which accuracies come to one half."""
    trained = by_d1[by_d1.when == "trained"]
    accuracy = trained.pivot_table(index="seed", columns="d_1", values="accuracy")
    fall = -exponents(scan_d1, (accuracy - 0.5).clip(lower=1e-3))
    yield above(fall, what="accuracy - ½ falls like d₁ to minus this")


@claims.check("fact-f-4", beyond="one size")
def decay_keeps_the_share_small(relative_rates: NDArray[np.float64]) -> Iterator[Verdict]:
    """Whether the share on the atoms does not grow under decay."""
    what = "growth of the log share at λ > 0, over the predicted rate"
    yield trend(relative_rates, expected=(-np.inf, 0), what=what)


@claims.check("fact-f-4-rate")
def rate_of_the_share(
    relative_rates: NDArray[np.float64], setting: model.SparseCoding
) -> Iterator[Verdict]:
    """How fast it grows, over the predicted rate."""
    yield trend(
        relative_rates,
        expected=(0.8, 1.2),
        rival={"half": 0.5, "2ηλ": setting.sigma**2 / setting.p},
        what="measured over predicted growth rate",
    )


@claims.check(
    "theorem-3-2-loss", undecided=("two readings", "τ = polylog d: false; τ = O(1): open")
)
def loss_under_decay(C_z: float, C_sigma: float) -> Iterator[Verdict]:
    """A lower bound on the loss at τ = log d, along d."""
    price = exact.decay_price(POWERS, C_z, C_sigma)
    yield exactly(
        price[1:],
        "<",
        price[:-1],
        what="lower bound on the loss at λ = 1/d, τ = log d, which should fall, d = 10² to 10³⁰⁰",
        instance={"log₁₀ d": POWERS, "λ": "1/d", "τ": "log d", "C_z": C_z, "C_σ": C_sigma},
    )


@claims.check("theorem-3-2-loss-constant", undecided=ONLY_BELOW)
def loss_at_a_constant_temperature(C_z: float, C_sigma: float) -> Iterator[Verdict]:
    """The same at τ = 1."""
    cheap = exact.decay_price(POWERS, C_z, C_sigma, degree=0)
    yield exactly(
        cheap[1:],
        "<",
        cheap[:-1],
        what="lower bound on the loss at λ = 1/d, τ = 1, which falls, d = 10² to 10³⁰⁰",
    )


@claims.check("theorem-3-2-loss-corrected")
def what_decay_costs(balance: pd.DataFrame, seed: int) -> Iterator[Verdict]:
    """Both steps of the proof along the long runs, and the first attacked."""
    yield proved(inequality(balance.growth, balance.most, what="step 1"))
    yield proved(inequality(balance.least, balance.loss, what="step 2"))
    yield proved(
        attack(
            theory.held_up,
            verdicts.starts((27,), seed=seed, random=16),
            steps=100,
            what="step 1 for any similarities, N = 27",
        )
    )
