"""What the checks compute by themselves, and that wrong results are not accepted."""

import numpy as np
import pandas as pd
import pytest
import torch

from featurebook.papers.ntk_autoencoders import charts, checks, curves, data, kernels, network
from featurebook.papers.ntk_autoencoders.checks.decoders import Tail
from featurebook.papers.ntk_autoencoders.checks.regimes import Freezing, Trained


def judged(claim: str, results: dict[str, object], **values: object) -> str:
    """The outcome with these results of experiments."""
    study = checks.claims.at(**values)
    study.results.update(results)
    return study.check(claim).outcome


def test_a_tail_crosses_where_it_lies_above_the_line() -> None:
    eta, rate, steps = 1.0, 0.4, range(0, 41, 20)
    line = (1 - eta * rate / 4) ** torch.tensor(steps, dtype=torch.double)
    error = torch.stack([line, line * torch.tensor([1, 1, 1.1])], dim=1)
    tail = Tail(eta, steps, error)
    assert tail.crosses(rate).tolist() == [False, True]
    assert tail.crosses(rate / 2).tolist() == [False, False]


def test_chebyshevs_width() -> None:
    near = kernels.geometry(data.pair(0.99))
    room = near.lambda_0 / 4 - near.lambda_h
    found = checks.decoders.sufficient_width(near, 0.99, 0.1)
    assert found == pytest.approx(3 * 0.01**2 / room**2 / 0.1)
    wide = kernels.geometry(data.pair(0.5))
    assert np.isinf(checks.decoders.sufficient_width(wide, 0.5, 0.1))


def test_the_network_with_both_signs_is_the_identity(X: torch.Tensor) -> None:
    found = network.outputs(checks.width.identity_network(4), X)
    assert torch.allclose(found, X)


def test_networks_above_the_rate_are_refuted() -> None:
    shape = kernels.geometry(data.orthonormal(2, 2))
    fast = torch.stack([0.5 ** torch.arange(4.0).double()] * 2, dim=1)
    for error, outcome in ((fast, "holds"), (1 / fast, "refuted")):
        runs = {(r, 256): Trained(0.1, {"error": error}, torch.zeros(0)) for r in ("weak", "joint")}
        results = {"regimes": runs, "judged_widths": [256], "shape": shape}
        assert judged("observation-rates", results, steps=3) == outcome


def test_kernels_that_do_not_freeze_are_no_trend() -> None:
    widths = [64, 256, 1024, 4096]
    m = np.array(widths, dtype=float)
    noise = 1 + 0.01 * np.random.default_rng(0).normal(size=(5, 4))
    for power, outcome in ((-1.0, "trend"), (0.0, "open")):
        change = {"weak": m**-0.5 * noise, "joint": m**power * noise}
        results = {"freezing": Freezing(widths, change, (0.0, 0.0))}
        assert judged("observation-lazy-rates", results) == outcome


def test_an_error_that_grows_in_training_is_refuted() -> None:
    table = pd.DataFrame({f"{k} {when}": [x, x] for k in ("train", "test")
                          for when, x in (("before", 1.0), ("after", 0.1))})  # fmt: skip
    assert judged("observation-tied-training", {"tied_training": table}) == "holds"
    table.loc[1, "test after"] = 2.0
    assert judged("observation-tied-training", {"tied_training": table}) == "refuted"


def test_rational_samples_have_unit_norm() -> None:
    _, _, samples = checks.gradients.rational_network()
    assert [sum(row[k] ** 2 for row in samples) for k in (0, 1)] == [1, 1]


def test_the_flow_and_the_kernel_agree_on_the_small_network() -> None:
    study = checks.claims.at(seed=0)
    K, residual = study["flow_sides"]
    assert torch.allclose(K @ residual / checks.gradients.D, study["velocity"])
    forms = kernels.joint_kernel(study["small_network"], study["small_samples"])
    assert torch.allclose(K, forms)


def test_figures_draw_what_they_are_given() -> None:
    moved = pd.DataFrame({k: [1e-3, 1e-2] for k in "abc"}, index=[0.1, 1.0])
    bound = np.array([0.1, 1.0])
    assert len(curves.perturbations(moved, bound, bound, 0.1).axes[0].lines) == 6
    ratios = {3: np.ones(4), 5: np.ones(4)}
    assert len(curves.decoder_movement(ratios, [0, 1, 2, 3]).axes[0].lines) == 4
    spectra = {(2, 2): torch.rand(3, 20).double() + 0.1}
    assert charts.eigenvalue_ratios(spectra).axes[0].get_ylim() == (0, 1.4)
