"""Movements of Lemma 5.7 against a descent written out step by step."""

import math

import pytest
import torch

from featurebook.papers.ntk_autoencoders import data, experiments, kernels


def _descended(p, X, eta, updates):
    """Weights (A, W) of one network after each of so many steps of autograd, and the errors."""
    A, W = (p[k].clone().requires_grad_() for k in ("A", "W"))
    path, errors = [(A.detach().clone(), W.detach().clone())], []
    for _ in range(updates):
        U = A @ torch.relu(W.T @ X) / math.sqrt(A.shape[1] * len(X))
        loss = (X - U).square().sum() / 2
        errors.append(2 * loss.item())
        for v, g in zip((A, W), torch.autograd.grad(loss, (A, W)), strict=True):
            v.data -= eta * g
        path.append((A.detach().clone(), W.detach().clone()))
    return path, errors


@pytest.mark.parametrize("row", [0, 1])
def test_movement_ratios_against_autograd(row):
    X, updates = data.pair(0.6), 4
    start = experiments.ensemble(32, 2, 2)
    form = kernels.geometry(X)
    found = list(experiments.movement_ratios(start, X, 0.5, updates))[row]
    stable = float(kernels.stable_step("joint", start, X, 0.5))
    eta = (stable, form.lambda_0 / (64 * form.n * form.lambda_n))[row]
    most = {"A": 0.0, "W": 0.0}
    for s in range(2):
        path, errors = _descended({k: v[s] for k, v in start.items()}, X, eta, updates)
        drop = 1 - eta * form.lambda_0 / (2 * form.d)
        assert all(e <= errors[0] * drop**k * (1 + 1e-9) for k, e in enumerate(errors))
        path = path[:updates]  # the ensemble is observed at its first `updates` steps
        far = [[float((v - v0).norm()) for v, v0 in zip(p, path[0], strict=True)] for p in path]
        size = [float(torch.linalg.matrix_norm(v, 2)) for v in path[0]]
        front = 4 * math.sqrt(form.d * form.lambda_n * errors[0] / 32) / form.lambda_0
        reach = {"A": size[1] + max(f[1] for f in far), "W": size[0] + max(f[0] for f in far)}
        for k, name in enumerate(("A", "W")):
            most[name] = max(most[name], max(f[k] for f in far) / (front * reach[name]))
    assert {k: found[k] for k in most} == pytest.approx(most, rel=1e-6)
