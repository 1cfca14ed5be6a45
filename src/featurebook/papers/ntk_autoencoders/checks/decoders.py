"""The checks of the decoder alone, of the steps of the proofs, and of steps beyond them."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook.papers.ntk_autoencoders import data, experiments, kernels, network
from featurebook.papers.ntk_autoencoders.bounds import descent_bound
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, inequality, probability

STRIDE = 20
"""Steps between two looks at close samples."""
FACTORS = (1.0, 2.05, 2.5, 3.0, 4.0)
"""Steps of the catapult in units of d / λ_max(K(0)); the last two are judged."""
NEAR_ZERO = 1e-6
"""Relative error to which the steps of the proofs are counted."""


@claims.experiment
def close_samples(pair_cosine: float) -> Tensor:
    """Two unit vectors of the plane (2, 2)."""
    return data.pair(pair_cosine)


@claims.experiment
def close_shape(close_samples: Tensor) -> Geometry:
    """What the bounds know of them."""
    return kernels.geometry(close_samples)


@claims.experiment
def ladder(pair_width: int) -> list[int]:
    """Widths of the decoder control."""
    return [pair_width // 8, pair_width // 2, pair_width]


@dataclass(frozen=True)
class Tail:
    """Squared errors (looks, networks) of an ensemble at some steps of size η."""

    eta: float
    steps: range
    error: Tensor

    def crosses(self, rate: float) -> Tensor:
        """Whether the error ever lies above (1 - η rate/4)^k, d = 2: (networks,)."""
        line = descent_bound(self.eta * rate / 4, self.steps, self.error[0])
        return (self.error > line + 1e-28).any(0)


Tails = dict[tuple[int, str], Tail]
"""By width and regime."""


@claims.experiment
def tails(
    close_samples: Tensor, close_shape: Geometry, ladder: list[int], c: float, seed: int,
    place: torch.device,
) -> Tails:  # fmt: skip
    """Training on close samples until (1 - ηλ_0/2d)^k has fallen to e^-25.

    A decoder is followed until it has crossed that line; its errors are known without training.
    """
    X, found = close_samples.to(place), {}
    for m in ladder:
        start = ensemble(m, 2, 3, seed=seed, place=place)
        for regime in network.GRADIENTS:
            eta = kernels.stable_step(regime, start, X, c)
            updates = STRIDE * ceil(5 / (eta * close_shape.lambda_0))
            if regime == "decoder":
                last = experiments.last_crossing(start, X, eta, close_shape.lambda_0)
                updates = STRIDE * ceil(max(updates, last) / STRIDE)
                ks = range(0, updates + 1, STRIDE)
                error = experiments.decoder_errors(start, X, eta, ks)
            else:
                ks = range(0, updates + 1, STRIDE)
                run = network.descend(
                    regime, start, X, eta=eta, steps=updates, seeds=range(3), observe_at=ks
                )
                error = run.observed["error"]
            found[m, regime] = Tail(eta, ks, error.cpu())
    return found


@claims.experiment
def crossings(tails: Tails, close_shape: Geometry, ladder: list[int]) -> dict[str, Tensor]:
    """Which networks cross the line of λ_0, by regime (widths, networks)."""
    return {
        regime: torch.stack([tails[m, regime].crosses(close_shape.lambda_0) for m in ladder])
        for regime in network.GRADIENTS
    }


def sufficient_width(form: Geometry, cosine: float, delta: float) -> float:
    """Chebyshev's width of a decoder that crosses, infinite if λ_H is not below λ_0/4."""
    room = form.lambda_0 / 4 - form.lambda_h
    return 3 * ((1 - cosine) / room) ** 2 / delta if room > 0 else np.inf


@claims.check("observation-decoder")
def decoder_misses_the_rate(
    crossings: dict[str, Tensor], tails: Tails, close_shape: Geometry, ladder: list[int]
) -> Iterator[Verdict]:
    """Which lines the decoder and joint training cross."""
    own = torch.stack([tails[m, "decoder"].crosses(close_shape.lambda_h) for m in ladder])
    yield everywhere(
        torch.stack([crossings["decoder"], ~own, ~crossings["joint"]]),
        what=f"m in {ladder}: decoder crosses with λ_0, not with λ_H; joint does not cross",
    )


@claims.check("observation-decoder-weak")
def weak_on_close_samples(
    crossings: dict[str, Tensor], ladder: list[int], delta: float
) -> Iterator[Verdict]:
    """How many weak networks do not cross the line of λ_0."""
    crossed = crossings["weak"]
    good = int((~crossed).sum())
    yield probability(good, crossed.numel(), at_least=1 - delta, what=f"m in {ladder}: no crossing")


@dataclass(frozen=True)
class ProofRun:
    """Descent of one network with the step of a proof.

    Attributes:
        error, line: relative error at each step, and (1 - ηλ_0/2d)^k.
        row: its row of the table.
    """

    error: Tensor
    line: Tensor
    row: dict[str, float]


@claims.experiment
def proof_steps(
    samples: Tensor, shape: Geometry, n: int, d: int, widths: list[int], n_seeds: int, steps: int,
    seed: int, place: torch.device,
) -> dict[str, ProofRun]:  # fmt: skip
    """Weak and joint training of the widest network with the proofs' own steps."""
    start = ensemble(widths[-1], d, n_seeds, seed=seed, place=place)
    net, one = ({name: p[k] for name, p in start.items()} for k in (0, slice(0, 1)))
    residual = samples - network.outputs(net, samples)
    etas = {
        "weak": shape.lambda_0 / (4 * n * d * shape.lambda_n),
        "joint": shape.lambda_0 / (64 * n * shape.lambda_n),
    }
    found = {}
    for regime, eta in etas.items():
        drop, kernel = eta * shape.lambda_0 / (2 * d), kernels.KERNELS[regime](net, samples)
        run = network.descend(regime, one, samples, eta=eta, steps=steps, seeds=[0])
        error = run.observed["error"].cpu()[:, 0]
        line = descent_bound(drop, range(steps + 1), error[:1])[:, 0]
        by_bound = ceil(log(NEAR_ZERO) / log(1 - drop))
        far = [steps, *np.geomspace(1, by_bound, 300).astype(int).tolist()]
        ahead = kernels.predicted_error(kernel, residual, eta, far).cpu() / error[0]
        row = {
            "η": eta, "steps run": steps, "error after": float(error[-1] / error[0]),
            "predicted": float(ahead[0]), "steps by the bound": by_bound,
            "steps predicted": far[min(1 + int((ahead[1:] > NEAR_ZERO).sum()), 300)],
        }  # fmt: skip
        found[regime] = ProofRun(error / error[0], line / error[0], row)
    return found


@claims.check("observation-proof-steps")
def steps_of_the_proofs(proof_steps: dict[str, ProofRun]) -> Iterator[Verdict]:
    """The error against the line, over the stretch that is run."""
    for regime, run in proof_steps.items():
        yield inequality(run.error, run.line + 1e-12, what=regime)


@claims.experiment
def catapults(
    flow_width: int, samples: Tensor, d: int, seed: int, place: torch.device
) -> pd.DataFrame:
    """Highest and last relative error of joint training in 150 steps: c, network, highest, last."""
    start, frames = ensemble(flow_width, d, 3, seed=seed, place=place), []
    for c in FACTORS:
        eta = kernels.stable_step("joint", start, samples, c)
        run = network.descend("joint", start, samples, eta=eta, steps=150, seeds=range(3))
        error = run.observed["error"].cpu() / run.observed["error"][0].cpu()
        rows = {"c": c, "network": range(3), "highest": error.amax(0), "last": error[-1]}
        frames.append(pd.DataFrame(rows))
    return pd.concat(frames, ignore_index=True)


@claims.check("observation-catapult")
def catapult(catapults: pd.DataFrame, flow_width: int) -> Iterator[Verdict]:
    """Whether the error rises and then falls below a thousandth, at the two largest steps."""
    large = catapults[catapults.c.isin(FACTORS[-2:])]
    yield everywhere(
        (large.highest > 1) & (large["last"] < 1e-3),
        what=f"joint, m = {flow_width}, c = 3 and 4: up, then below 1e-3",
    )
