"""The checks of the chapter on trained attention: closed forms, sensitivity, flips, rows."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.icl_scale import attention
from featurebook.papers.icl_scale import regression as reg
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import inequality, trend

Models = dict[str, tuple[Tensor, Tensor]]
"""U (ranks, runs, d, d) and u (ranks, runs) by kind of attention."""
Prompts = tuple[Tensor, Tensor, Tensor, Tensor]
"""Tokens, labels, queries and their labels."""

KINDS = ("linear", "softmax")
SHARES = np.linspace(0, 1, 5)
"""Shares of flipped labels."""
RELEVANT = 2
"""Eigen-components of a token that count as relevant."""
WATCHED = 100
"""Prompts whose rows of scores are kept."""

log_growth = partial(trend, expected=(0, 10), rival=0.0, within=(-20, 20))
more_risk = partial(trend, expected=(0, 100), rival=0.0, within=(-100, 100))


@claims.experiment
def population_runs(
    eigenvalues: Array, N: int, ranks: list[int], exact_steps: int, trainings: int, seed: int
) -> Array:
    """uU after gradient descent on the loss itself, (ranks, runs, d, d)."""
    seeds = range(seed, seed + trainings)
    runs = attention.train_population(eigenvalues, N, ranks, steps=exact_steps, seeds=seeds)
    return runs.numpy()


@claims.experiment
def trained_models(
    eigenvalues: Array, N: int, ranks: list[int],
    prompt_steps: int, prompt_batch: int, trainings: int, seed: int,
) -> Models:  # fmt: skip
    """Linear and softmax attention after training on fresh prompts."""
    train = partial(
        attention.train_on_prompts, lam=eigenvalues, N=N, ranks=ranks,
        steps=prompt_steps, batch=prompt_batch, seeds=range(seed, seed + trainings),
    )  # fmt: skip
    return {kind: train(kind) for kind in KINDS}


@claims.experiment
def untrained_models(
    eigenvalues: Array, N: int, ranks: list[int], prompt_batch: int, trainings: int, seed: int
) -> Models:
    """The start of both kinds, which is the same."""
    start = attention.train_on_prompts(
        "softmax", eigenvalues, N, ranks,
        steps=0, batch=prompt_batch, seeds=range(seed, seed + trainings),
    )  # fmt: skip
    return dict.fromkeys(KINDS, start)


@claims.experiment
def trained_matrices(trained_models: Models) -> Array:
    """uU of trained linear attention, (ranks, runs, d, d)."""
    U, u = trained_models["linear"]
    return (u[..., None, None] * U).double().numpy()


@claims.experiment
def evaluation_prompts(eigenvalues: Array, M: int, draws: int, seed: int) -> Prompts:
    """Prompts of M examples without noise that no model was trained on."""
    g, lam = core.generator(seed, "evaluation"), torch.from_numpy(eigenvalues).float()
    return attention.regression_prompts(g, (max(draws // 5, 100),), M, lam)


@claims.experiment
def sensitivities(
    trained_models: Models, untrained_models: Models, evaluation_prompts: Prompts
) -> dict[str, dict[str, Array]]:
    """∂ risk/∂σ², (ranks, runs), by kind: "trained" and "untrained"."""
    x, _, x_q, _ = evaluation_prompts
    return {
        name: {kind: attention.sensitivities(kind, *models[kind], x, x_q).numpy() for kind in KINDS}
        for name, models in (("trained", trained_models), ("untrained", untrained_models))
    }


def mean_square_errors(kind: str, model: tuple[Tensor, Tensor], prompts: Prompts) -> Tensor:
    """Risks on these prompts, (ranks, runs)."""
    x, y, x_q, y_q = prompts
    U, u = (t.flatten(0, 1) for t in model)
    found = [attention.PREDICTIONS[kind](W, c, x, y, x_q) for W, c in zip(U, u, strict=True)]
    errors = [(one - y_q).square().mean() for one in found]
    return torch.stack(errors).unflatten(0, model[1].shape)


@claims.experiment
def flipped_risks(trained_models: Models, evaluation_prompts: Prompts, M: int) -> dict[str, Array]:
    """Mean square error by kind, (shares, ranks, runs), for `SHARES` of the labels negated."""
    x, y, x_q, y_q = evaluation_prompts
    signs = [torch.where(torch.arange(M) < round(p * M), -1.0, 1.0) for p in SHARES]
    return {
        kind: np.array(
            [mean_square_errors(kind, model, (x, y * s, x_q, y_q)).numpy() for s in signs]
        )
        for kind, model in trained_models.items()
    }


@claims.experiment
def attended_rows(
    trained_models: Models, evaluation_prompts: Prompts, ranks: list[int]
) -> dict[int, Array]:
    """Norms of the last row of scores, (runs, 2, prompts), by rank: relevant and irrelevant."""
    x, _, x_q, _ = (t[:WATCHED] for t in evaluation_prompts)
    norms = partial(attention.score_norms, x=x, x_q=x_q, relevant=RELEVANT)
    return {
        r: np.array([[part.numpy() for part in norms(W)] for W in runs])
        for r, runs in zip(ranks, trained_models["linear"][0], strict=True)
    }


def narrow(ranks: list[int]) -> int:
    """The largest rank that covers no irrelevant component, or the smallest rank."""
    return max([r for r in ranks if r <= RELEVANT], default=min(ranks))


@claims.check("trained-linear")
def finds_the_closed_form(
    population_runs: Array, optima: dict[int, Array], ranks: list[int]
) -> Iterator[Verdict]:
    """The distance of every run's uU from V*, relative to its norm."""
    target = np.array([np.diag(optima[r]) for r in ranks])[:, None]
    distance = np.linalg.norm(population_runs - target, axis=(2, 3))
    yield inequality(
        distance / np.linalg.norm(target, axis=(2, 3)),
        0.01,
        what="relative distance from the closed form",
    )


@claims.check("trained-prompts")
def learns_from_prompts(
    trained_matrices: Array, eigenvalues: Array, N: int, ranks: list[int]
) -> Iterator[Verdict]:
    """The exact loss of each trained matrix, by Lemma 5.1, and the least losses of the ranks."""
    losses = np.array(
        [[reg.loss(W, 1.0, eigenvalues, N) for W in runs] for runs in trained_matrices]
    )
    least = np.array([reg.least_loss(eigenvalues, N, r) for r in ranks])[:, None]
    yield inequality(least, losses, slack=1e-9, what="least loss of the rank")
    yield inequality(losses - least, 0.1, what="excess")
    yield inequality(losses[1:], least[:-1], what="least loss of the size before")


@claims.check("trained-sensitivity")
def larger_is_more_sensitive(sensitivities: dict[str, dict[str, Array]]) -> Iterator[Verdict]:
    """The growth from the smallest to the largest rank, and beyond that of the start."""
    growth = {
        name: {kind: np.log(s[-1] / s[0]) for kind, s in found.items()}
        for name, found in sensitivities.items()
    }
    for kind, found in growth["trained"].items():
        yield log_growth(found, what=f"log growth, {kind}")
    gain = growth["trained"]["softmax"] - growth["untrained"]["softmax"]
    yield log_growth(gain, what="log growth beyond untrained, softmax")


@claims.check("trained-flips")
def flips_cross(flipped_risks: dict[str, Array]) -> Iterator[Verdict]:
    """What the largest rank gains with clean labels, and loses with all of them flipped."""
    for kind, curves in flipped_risks.items():
        change = curves[:, -1] - curves[:, 0]
        yield more_risk(-change[0], what=f"{kind}, clean")
        yield more_risk(change[-1], what=f"{kind}, flipped")


@claims.check("trained-attention")
def larger_attends_to_more(attended_rows: dict[int, Array], ranks: list[int]) -> Iterator[Verdict]:
    """The irrelevant part's share of the norm, mean over prompts."""
    share = {r: (norms[:, 1] / norms.sum(1)).mean(1) for r, norms in attended_rows.items()}
    large, small = max(ranks), narrow(ranks)
    yield trend(
        share[large] - share[small],
        expected=(0, 1),
        rival=0.0,
        within=(-1, 1),
        what=f"share of rank {large} minus that of rank {small}",
    )
