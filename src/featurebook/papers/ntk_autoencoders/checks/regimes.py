"""The checks of the three regimes: rates, the kernel's change, and how far weights move."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import data, experiments, kernels, network
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble, norms
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exponent

LEAST_WIDTH = 256
"""From this width on the networks are judged."""
SMALLER = (64, 16, 4, 1)
"""The widths of the law of freezing are the certificates' width over these."""
MARGIN = 0.1
"""Of all exponents of this part."""


@dataclass(frozen=True)
class Trained:
    """An ensemble after descent.

    Attributes:
        eta: its step size.
        seen: what `network.movement` observed at every step, (steps + 1, networks) each.
        drift: ‖K - K(0)‖ of its regime's kernel at the end, (networks,); empty for the decoder.
    """

    eta: float
    seen: dict[str, Tensor]
    drift: Tensor


Runs = dict[tuple[str, int], Trained]
"""By regime and width."""


def kernel_change(regime: str, start: core.Params, after: core.Params, X: Tensor) -> Tensor:
    """‖K - K(0)‖ of each network (R,)."""
    kernel = core.per_network(lambda p: kernels.KERNELS[regime](p, X), 0)
    return norms(kernel(after) - kernel(start))


@claims.experiment
def regimes(
    samples: Tensor, d: int, widths: list[int], n_seeds: int, c: float, steps: int,
    seed: int, place: torch.device,
) -> Runs:  # fmt: skip
    """Descent of every regime and width at its own largest stable step."""
    found = {}
    for regime in network.GRADIENTS:
        for m in widths:
            start = ensemble(m, d, n_seeds, seed=seed, place=place)
            eta = kernels.stable_step(regime, start, samples, c)
            run = network.descend(
                regime, start, samples, eta=eta, steps=steps, seeds=range(n_seeds)
            )
            drift = torch.zeros(0)
            if regime != "decoder":
                drift = kernel_change(regime, start, run.params, samples)
            seen = {name: value.cpu() for name, value in run.observed.items()}
            found[regime, m] = Trained(eta, seen, drift)
    return found


@claims.experiment
def judged_widths(widths: list[int]) -> list[int]:
    """The widths that are judged."""
    return [m for m in widths if m >= LEAST_WIDTH]


@claims.check("observation-rates")
def rates(
    regimes: Runs, judged_widths: list[int], shape: Geometry, steps: int
) -> Iterator[Verdict]:
    """Whether every network keeps the proved rate at every step."""
    kept = torch.stack([
        experiments.keeps_rate(regimes[regime, m].seen["error"], regimes[regime, m].eta, shape)
        for regime in ("weak", "joint")
        for m in judged_widths
    ])  # fmt: skip
    yield everywhere(kept, what=f"weak and joint, m in {judged_widths}, {steps} steps")


@claims.check("observation-lazy")
def kernel_stays(regimes: Runs, widths: list[int]) -> Iterator[Verdict]:
    """The exponent in m of the change that training leaves behind."""
    for regime in ("weak", "joint"):
        values = torch.stack([regimes[regime, m].drift for m in widths], dim=1).numpy()
        yield exponent(
            widths, values, expected=(-np.inf, -0.5),
            rival={"no freezing": 0.0, "m^-1/4": -0.25},
            what=f"{regime}, exponent of ‖K - K(0)‖ in m",
        )  # fmt: skip


@dataclass(frozen=True)
class Freezing:
    """How kernels change in training on three samples.

    Attributes:
        widths: increasing.
        change: ‖G - G(0)‖ of weak and ‖H - H(0)‖ of joint training, (networks, widths) each.
        switched: shares of neurons and samples switched on and off, weak, at the largest width.
    """

    widths: list[int]
    change: dict[str, np.ndarray]
    switched: tuple[float, float]


@claims.experiment
def freezing(
    certificate_width: int, n_seeds: int, c: float, seed: int, first: int, place: torch.device
) -> Freezing:
    """Training on three random samples until the proved rate has fallen to 1e-6."""
    X = data.sphere(3, 3, first + 2).to(place)
    least = kernels.geometry(X.cpu()).lambda_0
    widths = [certificate_width // k for k in SMALLER]
    change: dict[str, list[Tensor]] = {"weak": [], "joint": []}
    for m in widths:
        start = ensemble(m, 3, n_seeds, seed=seed, place=place)
        for regime, part in (("joint", "decoder"), ("weak", "weak")):
            eta = kernels.stable_step(regime, start, X, c)
            updates = ceil(log(1e-6) / log(1 - eta * least / 6))
            run = network.descend(
                regime, start, X, eta=eta, steps=updates, seeds=range(n_seeds), observe_at=[]
            )
            change[regime].append(kernel_change(part, start, run.params, X))
    before, after = (X.T @ p["W"] >= 0 for p in (start, run.params))
    on, off = (float((x & ~y).double().mean()) for x, y in ((after, before), (before, after)))
    stacked = {regime: torch.stack(rows, dim=1).numpy() for regime, rows in change.items()}
    return Freezing(widths, stacked, (on, off))


@claims.check("observation-lazy-rates")
def how_fast_kernels_freeze(freezing: Freezing) -> Iterator[Verdict]:
    """The exponents of the change of G and of H, within a margin."""
    for name, regime, power, rival in (
        ("G, weak", "weak", -0.5, {"a random walk": -0.75, "no freezing": 0.0}),
        ("H, joint", "joint", -1.0, {"m^-1/2": -0.5}),
    ):
        yield exponent(
            freezing.widths, freezing.change[regime], expected=(power - MARGIN, power + MARGIN),
            rival=rival, what=f"exponent in m, {name}",
        )  # fmt: skip


@claims.check("observation-movement")
def movement(regimes: Runs, judged_widths: list[int]) -> Iterator[Verdict]:
    """The exponents of the largest movement of a neuron, and of both Frobenius norms."""
    laws = {
        "max_r": (-0.5, [0.0, -1.0], "how far a neuron moves, at most"),
        "W": (0.0, [0.5, -0.5], "how far W moves"),
        "A": (0.0, [0.5, -0.5], "how far A moves"),
    }
    for regime, name in (("weak", "max_r"), ("joint", "max_r"), ("joint", "W"), ("joint", "A")):
        power, rival, words = laws[name]
        ends = [regimes[regime, m].seen[name][-1] for m in judged_widths]
        yield exponent(
            judged_widths, torch.stack(ends, dim=1).numpy(),
            expected=(power - MARGIN, power + MARGIN), rival=rival,
            what=f"{regime}, exponent in m: {words}",
        )  # fmt: skip


@claims.experiment
def predictions(
    regimes: Runs, samples: Tensor, d: int, widths: list[int], n_seeds: int, steps: int,
    seed: int, place: torch.device,
) -> dict[str, dict[str, Tensor]]:  # fmt: skip
    """Errors of the first network of the largest width, by regime.

    "true", and as the linearised network has them with the kernel "at the start" and in the
    "limit": one per step.
    """
    m, eye = widths[-1], torch.eye(d, dtype=torch.double, device=place)
    net = {name: p[0] for name, p in ensemble(m, d, n_seeds, seed=seed, place=place).items()}
    start = {regime: kernel(net, samples) for regime, kernel in kernels.KERNELS.items()}
    start["decoder"] = torch.kron(start["decoder"], eye)
    ks, residual, found = range(min(steps, 150) + 1), samples - network.outputs(net, samples), {}
    for regime, limit in limits(samples).items():
        run = regimes[regime, m]
        ahead = [
            kernels.predicted_error(K, residual, run.eta, ks).cpu()
            for K in (start[regime], torch.kron(limit, eye))
        ]
        true = run.seen["error"][: len(ks), 0]
        found[regime] = {"true": true, "at the start": ahead[0], "limit": ahead[1]}
    return found


def limits(X: Tensor) -> dict[str, Tensor]:
    """The n x n factor of each regime's limit kernel."""
    G, H = kernels.G_limit(X), kernels.H_limit(X)
    return {"weak": G, "decoder": H, "joint": G + H}


@claims.experiment
def late_slopes(
    regimes: Runs, samples: Tensor, shape: Geometry, d: int, widths: list[int]
) -> pd.DataFrame:
    """Change of ln error per step, late in training: measured, of the limit, of the theorem."""
    rows = {}
    for regime, kernel in limits(samples).items():
        row = {f"m = {m}": experiments.late_slope(regimes[regime, m].seen["error"]) for m in widths}
        eta = regimes[regime, widths[-1]].eta
        row["limit"] = 2 * np.log1p(-eta * float(kernels.smallest(kernel)) / d)
        row["theorem"] = np.log1p(-eta * shape.lambda_0 / (2 * d))
        rows[regime] = row
    return pd.DataFrame(rows).T


@claims.experiment
def doubled_samples(n: int, d: int, first: int, place: torch.device) -> Tensor:
    """Twice as many samples (d, 2n)."""
    return data.sphere(2 * n, d, first).to(place)


@claims.experiment
def doubled(
    doubled_samples: Tensor, d: int, widths: list[int], c: float, steps: int, seed: int,
    place: torch.device,
) -> pd.DataFrame:  # fmt: skip
    """Training on them, three networks for each row."""
    form, rows = kernels.geometry(doubled_samples.cpu()), []
    for regime in ("weak", "joint"):
        for m in (widths[0], *widths[-2:]):
            start = ensemble(m, d, 3, seed=seed, place=place)
            eta = kernels.stable_step(regime, start, doubled_samples, c)
            run = network.descend(
                regime, start, doubled_samples, eta=eta, steps=steps, seeds=range(3)
            )
            seen = {name: value.cpu() for name, value in run.observed.items()}
            error = seen["error"]
            rows.append({
                "regime": regime, "m": m,
                "kept": int(experiments.keeps_rate(error, eta, form).sum()),
                "η": eta, "error": float((error[-1] / error[0]).mean()),
                "late slope": experiments.late_slope(error),
                "max ‖w_r - w_r(0)‖": float(seen["max_r"][-1].mean()),
                "‖W - W(0)‖": float(seen["W"][-1].mean()),
                "‖A - A(0)‖": float(seen["A"][-1].mean()),
            })  # fmt: skip
    return pd.DataFrame(rows).set_index(["regime", "m"])


@claims.experiment
def digit_samples(place: torch.device) -> Tensor:
    """Fifty of scikit-learn's digits, standardised (64, 50)."""
    return data.spread_rows(data.standardised(data.BUNDLED["digits"]()), 50).to(place)


@claims.experiment
def digit_errors(
    digit_samples: Tensor, c: float, steps: int, seed: int, place: torch.device
) -> dict[str, Tensor]:
    """Error per sample in weak and joint training on them (steps + 1, 3)."""
    start, found = ensemble(512, 64, 3, seed=seed, place=place), {}
    for regime in ("weak", "joint"):
        eta = kernels.stable_step(regime, start, digit_samples, c)
        run = network.descend(regime, start, digit_samples, eta=eta, steps=steps, seeds=range(3))
        found[regime] = run.observed["error"].cpu() / digit_samples.shape[1]
    return found
