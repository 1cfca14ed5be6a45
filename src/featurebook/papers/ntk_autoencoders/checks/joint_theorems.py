"""The checks of the joint theorems at the printed width, and of what can be proved instead."""

from collections.abc import Callable, Iterator
from math import ceil

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import bounds, data, experiments, kernels, network
from featurebook.papers.ntk_autoencoders.bounds import descent_bound, flow_bound
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, probability

DELTA = 0.2
"""δ of both theorems."""
FEW_DATA = "tried on orthonormal data only"


def at_printed_width(
    k: int, count: int, seed: int, place: torch.device
) -> tuple[Tensor, Geometry, core.Params]:
    """Orthonormal samples n = d = k, and networks of the printed width with C = 1."""
    points = data.orthonormal(k, k).to(place)
    form = kernels.geometry(points.cpu())
    m = ceil(bounds.width(bounds.TABLE_1[8], form, DELTA))
    return points, form, ensemble(m, k, count, seed=seed, place=place)


@claims.check("theorem-5-1", beyond=FEW_DATA)
def gradient_flow(
    theorem_sizes: list[int], literal_seeds: int, seed: int, place: torch.device
) -> Iterator[Verdict]:
    """How many joint flows keep the rate."""
    good = 0
    for k in theorem_sizes:
        points, form, start = at_printed_width(k, literal_seeds, seed, place)
        ts = [0, *np.geomspace(1, 8 * k, 6).tolist()]
        step = kernels.stable_step("joint", start, points)
        error = network.flow("joint", start, points, ts, step=step)["error"].cpu()
        good += int((error <= flow_bound(form.lambda_0 / k, ts, error[0]) + 1e-9).all(0).sum())
    what = f"orthonormal n = d in {theorem_sizes} at the printed width with C = 1"
    made = literal_seeds * len(theorem_sizes)
    yield probability(good, made, at_least=1 - DELTA, what=what)


@claims.check("theorem-5-2", beyond=FEW_DATA)
def gradient_descent(
    theorem_sizes: list[int], literal_seeds: int, seed: int, place: torch.device
) -> Iterator[Verdict]:
    """How many joint descents keep the rate, with the step of the proof."""
    good, ks = 0, list(range(0, 151, 15))
    for k in theorem_sizes:
        points, form, start = at_printed_width(k, literal_seeds, seed, place)
        eta = form.lambda_0 / (64 * k * form.lambda_n)
        run = network.descend(
            "joint", start, points, eta=eta, steps=150, seeds=range(literal_seeds), observe_at=ks
        )
        error = run.observed["error"].cpu()
        bound = descent_bound(eta * form.lambda_0 / (2 * k), ks, error[0]) + 1e-12
        good += int((error <= bound).all(0).sum())
    what = f"orthonormal n = d in {theorem_sizes} at the printed width with C = 1, 150 steps"
    made = literal_seeds * len(theorem_sizes)
    yield probability(good, made, at_least=1 - DELTA, what=what)


def certificates(
    sizes: list[int], widths: list[int], seed: int, place: torch.device,
    certificate: Callable[[core.Params, Tensor], bounds.Certificate],
    init: experiments.Draw = network.initial,
) -> pd.DataFrame:  # fmt: skip
    """Certificates of four networks of each size and width, and whether their flows keep them."""
    rows: list[dict[str, float | bool]] = []
    for k in sizes:
        points = data.orthonormal(k, k).to(place)
        for m in widths:
            start = ensemble(m, k, 4, seed=seed, place=place, init=init)
            rows += experiments.certified_flows(start, points, certificate)
    return pd.DataFrame(rows)


@claims.experiment
def repaired_certificates(
    certificate_sizes: list[int], certificate_width: int, seed: int, place: torch.device
) -> pd.DataFrame:
    """Those of the repaired theorem."""
    sizes, widths = certificate_sizes[:2], [certificate_width]
    return certificates(sizes, widths, seed, place, bounds.joint_certificate)


@claims.experiment
def path_certificates(
    certificate_sizes: list[int], certificate_width: int, seed: int, place: torch.device
) -> pd.DataFrame:
    """Those along the path, of narrower networks."""
    sizes, widths = certificate_sizes[:2], [certificate_width // 16, certificate_width // 4]
    return certificates(sizes, widths, seed, place, bounds.path_certificate)


@claims.experiment
def gaussian_certificates(
    certificate_sizes: list[int], certificate_width: int, seed: int, place: torch.device
) -> pd.DataFrame:
    """Those along the path, with a Gaussian A."""
    sizes, widths, init = certificate_sizes[:2], [certificate_width // 4], network.gaussian_initial
    return certificates(sizes, widths, seed, place, bounds.path_certificate, init)


@claims.check("theorem-5-1-repaired", proof="proved on the page")
def repaired(repaired_certificates: pd.DataFrame, certificate_width: int) -> Iterator[Verdict]:
    """All conclusions wherever a certificate is valid."""
    what = f"valid certificates at m = {certificate_width:,}: all four conclusions"
    yield everywhere(repaired_certificates.kept[repaired_certificates.valid], what=what)


@claims.check("theorem-5-1-path", proof="proved on the page")
def along_the_path(path_certificates: pd.DataFrame, certificate_width: int) -> Iterator[Verdict]:
    """All conclusions wherever a certificate is valid."""
    narrow, wide = certificate_width // 16, certificate_width // 4
    what = f"valid certificates, m = {narrow:,} and {wide:,}"
    yield everywhere(path_certificates.kept[path_certificates.valid], what=what)


@claims.experiment
def gaussian_descents(
    samples: Tensor, shape: Geometry, d: int, flow_width: int, n_seeds: int, c: float, steps: int,
    seed: int, place: torch.device,
) -> Tensor:  # fmt: skip
    """Whether descent from a Gaussian A keeps the rate, weak and joint (2, networks)."""
    init, kept = network.gaussian_initial, []
    start = ensemble(flow_width, d, n_seeds, seed=seed, place=place, init=init)
    for regime in ("weak", "joint"):
        eta = kernels.stable_step(regime, start, samples, c)
        run = network.descend(regime, start, samples, eta=eta, steps=steps, seeds=range(n_seeds))
        kept.append(experiments.keeps_rate(run.observed["error"].cpu(), eta, shape))
    return torch.stack(kept)


@claims.check("remark-5-1", proof="proved on the page")
def gaussian_decoders(
    gaussian_certificates: pd.DataFrame, certificate_width: int
) -> Iterator[Verdict]:
    """All conclusions wherever a certificate is valid."""
    table, m = gaussian_certificates, certificate_width // 4
    valid = int(table.valid.sum())
    what = f"Gaussian A, {valid} of {len(table)} certificates valid, m = {m:,}"
    yield everywhere(table.kept[table.valid], what=what)
