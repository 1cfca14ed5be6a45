"""The checks of decoupling: which masks cancel which noise, exactly and in runs."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.papers.contrastive_decoupling import (
    encoders,
    experiments,
    measures,
    model,
    theory,
)
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exponent, identity, inequality

MASKS = theory.all_masks(8)
"""All masks of eight coordinates, (256, 8)."""
UNIFORM = torch.full((256,), 1 / 256)
"""Their probabilities."""
JUDGED = ("A, half the neurons", "masked negatives")
"""The variations that Remark 2.4 compares; they have two seeds, the others one."""
TIMES = np.array([0.25, 0.5, 0.9, 1.1, 2, 4, 16])
"""Extra variance along a noisy direction, over p."""
RATES = ["signal rate", "noise rate"]
FORMULAS = ["signal, formula", "noise, formula"]
"""Columns of `mask_rates`."""


@claims.experiment
def drawn_noise(d: int, d1: int, seed: int) -> dict[str, Tensor]:
    """Random orthonormal "atoms" (d_1, d), and uneven "variances" in four orders, (4, 8)."""
    g = core.generator(seed, "C2")
    atoms = torch.linalg.qr(torch.randn(d1, d, generator=g, dtype=torch.float64))[0]
    variances = 10.0 ** torch.linspace(-3, 3, 8, dtype=torch.float64).repeat(4, 1)
    for row in variances:
        row.copy_(row[torch.randperm(8, generator=g)])
    return {"atoms": atoms, "variances": variances}


@claims.experiment
def worst_errors(
    setting: model.SparseCoding, drawn_noise: dict[str, Tensor]
) -> dict[str, dict[str, Tensor]]:
    """By kind of atoms: the error of Lemma C.2 at the worst w, (d_1,), of the "masked" pull, the
    "unmasked" one and "no pull", and its explicit "bound"."""
    found = {}
    dictionaries = {"flat atoms": setting.M.double(), "random atoms": drawn_noise["atoms"]}
    for name, atoms in dictionaries.items():
        seen = theory.covariance(atoms, setting.p, setting.sigma**2)
        pulls = {"masked": theory.decoupled(seen), "unmasked": seen, "no pull": 0 * seen}
        worst = {k: theory.worst_pull_error(pull, atoms, setting.p) for k, pull in pulls.items()}
        bound = setting.p * (atoms @ atoms.T).diagonal().max()
        found[name] = worst | {"bound": bound.expand(len(atoms))}
    return found


def pairs_of_masks() -> dict[str, tuple[Tensor, Tensor, Tensor]]:
    """Diagonals of x⁺ and x⁺⁺ for eight coordinates, and their probabilities."""
    left = (torch.arange(8) < 4).double()
    halves = torch.stack([left, 1 - left])
    first, second = MASKS.repeat_interleave(256, 0), MASKS.repeat(256, 1)
    quarter = torch.where(MASKS == 1, 0.25, 0.75).prod(1)
    return {
        "complementary": (2 * MASKS, 2 * (1 - MASKS), UNIFORM),
        "complementary, q = 1/4": (4 * MASKS, (1 - MASKS) / 0.75, quarter),
        "contiguous halves": (2 * halves, 2 * (1 - halves), torch.full((2,), 0.5)),
        "two independent": (2 * first, 2 * second, torch.full((65536,), 2.0**-16)),
    }


def rates_by_formula(p: float, sigma2: float) -> dict[str, list[float]]:
    """Rates of signal and noise as stated; NaN where nothing is stated."""
    kept = p * (1 - 2 / 8)
    return {
        "complementary": [kept, 0],
        "complementary, q = 1/4": [kept, 0],
        "contiguous halves": [np.nan, 0],
        "two independent": [p, sigma2],
        **{f"complementary, atom on {s} of 8": [p * (1 - 1 / s), np.nan] for s in (1, 2, 4, 8)},
    }


@claims.experiment
def mask_rates(setting: model.SparseCoding, seed: int) -> pd.DataFrame:
    """`RATES` averaged over all masks of eight coordinates, and `FORMULAS`, by pair of masks."""
    p, sigma2, rows = setting.p, setting.sigma**2, {}
    M, eye = model.hadamard_dictionary(2, 8, seed).double(), torch.eye(8, dtype=torch.float64)
    for name, (a, c, weight) in pairs_of_masks().items():
        signal = M.T @ theory.mean_moment(p * M @ M.T, a, c, weight.double()) @ M
        noise = theory.mean_moment(sigma2 * eye, a, c, weight.double())
        rows[name] = [signal.diagonal().mean().item(), noise.diagonal().mean().item()]
    for s in (1, 2, 4, 8):
        B = model.block_dictionary(2, s)
        pull = theory.decoupled(theory.covariance(B, p, 0.0))
        rate = (B.double().T @ pull @ B.double())[0, 0].item()
        rows[f"complementary, atom on {s} of 8"] = [rate, np.nan]
    rates = pd.DataFrame.from_dict(rows, orient="index", columns=RATES)
    stated = rates_by_formula(p, sigma2)
    rates[FORMULAS] = pd.DataFrame.from_dict(stated, orient="index")
    return rates


@claims.experiment
def noisy_direction(setting: model.SparseCoding, seed: int) -> pd.DataFrame:
    """Growth rates at extra variances s of a direction as flat as the atoms, by s / p."""
    d1, d = setting.M.shape
    wide = model.hadamard_dictionary(d + 1, d1, seed).double()
    atoms, spike = wide[:, :d], wide[:, d]
    seen, rows = theory.covariance(atoms, setting.p, setting.sigma**2), []
    for s in TIMES * setting.p:
        pull = theory.decoupled(seen + s * torch.outer(spike, spike))
        fastest = (atoms.T @ pull @ atoms).diagonal().max().item()
        rows.append([(spike @ pull @ spike).item(), fastest])
    index = pd.Index(TIMES, name="s / p")
    return pd.DataFrame(rows, index, columns=["noisy direction", "fastest atom"])


@claims.experiment
def varied(
    setting: model.SparseCoding, steps: int, m: int, K: int, N: int, n_probe: int,
    seeds: list[int], seed: int, device: str,
) -> pd.DataFrame:  # fmt: skip
    """Run A to t_2 with one thing changed: its measures, a row for each run and seed."""
    full = experiments.recipe(setting.d, setting.p, steps)
    to_t2, rows = experiments.until(full, full.t2), []
    variations = experiments.variations(setting, to_t2, K // 2, N, seed)
    for name, (world, source, look, recipe) in variations.items():
        run = encoders.train_encoder(
            source, look, recipe, m=m // 2, d1=setting.d1,
            seeds=seeds[: 2 if name in JUDGED else 1], observe_at=[full.t1],
            device=core.pick_device(device), label=name,
        )  # fmt: skip
        probe = measures.probe_data(world, n_probe, n_probe, seed)
        for r, (s, W, b) in enumerate(measures.networks(run)):
            early = float(measures.total_share(run.observed["W"][0, r].cpu(), world.M))
            found = measures.judge(W, b, world, probe)
            rows.append({"run": name, "seed": s, "share at t₁": early, **found})
    return pd.DataFrame(rows)


@claims.experiment
def varied_untrained(
    setting: model.SparseCoding, steps: int, m: int, n_probe: int, seeds: list[int], seed: int
) -> dict[str, float]:
    """The same measures of the network before training."""
    full = experiments.recipe(setting.d, setting.p, steps)
    start = model.start(experiments.until(full, full.t2), m // 2, setting.d1, seeds[:1])
    probe = measures.probe_data(setting, n_probe, n_probe, seed)
    return measures.judge(start["W"][0], start["b"][0], setting, probe)


@claims.experiment
def excess_by_batch(
    setting: model.SparseCoding, scan_batch: list[int], batch_steps: int, steps: int, m: int,
    N: int, seeds: list[int], device: str,
) -> Tensor:  # fmt: skip
    """Noise-to-signal odds after stage I, less those of the population: (seeds, batches)."""
    p, d, d1 = setting.p, setting.d, setting.d1
    eta, lam = experiments.ETA_P / p, experiments.recipe(d, p, steps).lam
    linear = model.Recipe(eta, eta, lam, 0.0, batch_steps, batch_steps + 1, batch_steps)
    keep, lose = theory.growth_factors(d, d1, p, eta, lam, N)
    excess = []
    for size in scan_batch:
        run = experiments.fit(
            "mask", linear, world=setting, K=size, N=N, m=m // 3, seeds=seeds,
            observe_at=[0, batch_steps], label=f"K = {size}", device=core.pick_device(device),
        )  # fmt: skip
        shares = (measures.total_share(w.cpu(), setting.M).double() for w in run.observed["W"])
        before, after = ((1 - share) / share for share in shares)
        excess.append(after - before * (lose / keep) ** (2 * batch_steps))
    return torch.stack(excess, 1)


@claims.check("decoupling", proof="proved on the page")
def an_exact_identity(seed: int) -> Iterator[Verdict]:
    """E[x⁺x⁺⁺ᵀ] over all masks of eight coordinates, against Σ less its diagonal."""
    Sigma = theory.covariance(model.hadamard_dictionary(3, 8, seed), p=0.3, sigma2=0.5)
    listed = theory.mean_moment(Sigma, 2 * MASKS, 2 * (1 - MASKS), UNIFORM)
    what = "mean over all 256 masks"
    yield identity(listed, theory.decoupled(Sigma), tolerance=1e-12, what=what)


@claims.check("lemma-c-2", proof="proved on the page")
def pull_of_the_pair(
    worst_errors: dict[str, dict[str, Tensor]], setting: model.SparseCoding
) -> Iterator[Verdict]:
    """The error at the worst w for each direction, against the explicit bound."""
    bounds = torch.stack([x["bound"] for x in worst_errors.values()])
    yield inequality(
        torch.stack([x["masked"] for x in worst_errors.values()]),
        bounds,
        informative=bounds < setting.p,
        slack=1e-8,
        what="error of the worst w against p max diag(MMᵀ) ‖w‖",
    )


@claims.check("which-mask", proof="proved on the page")
def which_mask(mask_rates: pd.DataFrame) -> Iterator[Verdict]:
    """Rates averaged over all masks, against the formulas."""
    known = mask_rates[FORMULAS].notna().to_numpy()
    yield identity(
        mask_rates[RATES].to_numpy()[known],
        mask_rates[FORMULAS].to_numpy()[known],
        tolerance=1e-6,
        what="rates of signal and noise under all masks",
    )


@claims.check(
    "footnote-1",
    undecided=("two readings", "independent coordinates: true; any directions: false"),
)
def other_noise(
    setting: model.SparseCoding, drawn_noise: dict[str, Tensor], seed: int
) -> Iterator[Verdict]:
    """The pull with noise of uneven variances and without, over all masks of eight coordinates."""
    M, uneven = model.hadamard_dictionary(2, 8, seed).double(), drawn_noise["variances"]
    signal = setting.p * M @ M.T
    seen_by = partial(
        theory.mean_moment, first=2 * MASKS, second=2 * (1 - MASKS), weights=UNIFORM.double()
    )
    yield identity(
        torch.stack([seen_by(signal + torch.diag(v)) for v in uneven]),
        torch.stack([seen_by(signal)] * len(uneven)),
        tolerance=1e-9,
        what="pull with and without noise of uneven variances, mean over all masks",
    )


@claims.check("footnote-1-corrected", proof="proved on the page")
def a_noisy_direction(
    noisy_direction: pd.DataFrame, setting: model.SparseCoding
) -> Iterator[Verdict]:
    """The rate of a noisy direction less an atom's, against s - p."""
    yield identity(
        (noisy_direction["noisy direction"] - noisy_direction["fastest atom"]).to_numpy(),
        (TIMES - 1) * setting.p,
        tolerance=1e-9,
        what="rate of the noisy direction less an atom's, and s - p",
    )


@claims.check("remark-2-4", beyond="a remark on all runs")
def masked_negatives(varied: pd.DataFrame) -> Iterator[Verdict]:
    """How much R² changes if negatives are masked as well."""
    R2 = varied.pivot_table(index="seed", columns="run", values="R2")[list(JUDGED)]
    yield inequality(R2.diff(axis=1).iloc[:, 1].abs(), 0.1, what="change of R²")


def gradients_and_bounds(
    W: Tensor, b: Tensor, views: tuple[Tensor, Tensor], negatives: Tensor, tau: float
) -> tuple[Tensor, Tensor]:
    """Of one example and each neuron: ‖∇_{w_i} L‖ and 2‖w_i‖ ‖x⁺‖ max ‖x‖, both (m,).

    Args:
        views: x⁺ and x⁺⁺, (d_1,).
        negatives: (N, d_1); the maximum is over these and x⁺⁺.
    """
    plus, plusplus = views
    of_views = (plus @ W.T)[None], (plusplus @ W.T)[None], plus[None]
    gradient, _ = model.push(W, b, of_views, negatives, tau)
    largest = torch.cat([plusplus[None], negatives]).norm(dim=1).max()
    return gradient.norm(dim=1), 2 * W.norm(dim=1) * plus.norm() * largest


def nearly_attained(c: float) -> tuple[Tensor, Tensor]:
    """The same of e_2 beside a second neuron, which makes the negative win: the ratio tends to 1
    as c grows."""
    W = torch.tensor([[0.0, 1, 0], [c**2, 0, 0]], dtype=torch.float64)
    views = torch.tensor([1.0, 0, 0]).double(), torch.tensor([0.0, 1, 0]).double()
    negative = torch.tensor([[1 / c, -1, 0]], dtype=torch.float64)
    return gradients_and_bounds(W, torch.zeros(2).double(), views, negative, 1.0)


@claims.check("fact-a-1", proof="proved on the page")
def one_example_moves_little(seed: int) -> Iterator[Verdict]:
    """The gradient of one example against its bound: random examples, and one near equality."""
    g = core.generator(seed, "one example")

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=g, dtype=torch.float64)

    found = [nearly_attained(c) for c in (10.0, 100.0, 1000.0)]
    for _ in range(300):
        m, d1, N = (int(torch.randint(1, 6, (), generator=g)) for _ in range(3))
        mask = model.random_bits(g, d1)
        W, x = normal(m, d1) * normal(m, 1).exp(), 2 * normal(d1)
        b, tau = normal(m).relu(), float(normal(1).exp())
        found.append(gradients_and_bounds(W, b, (x * mask, x * ~mask), normal(N, d1), tau))
    left, right = map(torch.cat, zip(*found, strict=True))
    yield inequality(left, right, slack=1e-12, what="gradient of one example, and its bound")
    attained, bound = (x[0] for x in nearly_attained(1000.0))
    yield identity(attained, bound, tolerance=1e-5, what="both, of an instance near equality")


@claims.check("fact-a-1-rate")
def batches_for_the_population(
    excess_by_batch: NDArray[np.float64], scan_batch: list[int]
) -> Iterator[Verdict]:
    """The exponent in K of the noise that a batch leaves in the weights."""
    what = "exponent of the excess noise in K"
    yield exponent(scan_batch, excess_by_batch, expected=(-1, -1), what=what)
