"""Teacher and student (Algorithm 1): the labelling stays, the inputs lose their structure.

A teacher learns images, regularised on unlabelled inputs u; it labels a mixture of both, and
students learn that. Shapes: R replicas, n samples, C classes.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import torch
import torch.nn.functional as F
from torch import Tensor

from featurebook.core import Execution, Observe, Params, replicate, train
from featurebook.papers.feature_emergence.practice import Labelled

Scores = Callable[[Params, Tensor], Tensor]
"""Class scores (n, C) of one network for n inputs."""

REFERENCE = 500  # inputs by whose statistics a network normalises when it is used
ADAM = partial(torch.optim.Adam, lr=0.003)


@dataclass(frozen=True)
class Architecture:
    """A kind of network, of any size.

    Attributes:
        draw: parameters from a generator and a size.
        scores: as they are in training, normalised over the batch where the network does so.
        judge: makes from reference inputs what gives the scores when it is used: there an input's
            class does not depend on the other inputs.
        batch: inputs of a mini-batch.
    """

    draw: Callable[[torch.Generator, int], Params]
    scores: Scores
    judge: Callable[[Tensor], Scores]
    batch: int

    def starts(self, size: int, seeds: Sequence[int], stream: str, device: torch.device) -> Params:
        """Initial parameters (R, ...), one network per seed."""
        drawn = replicate(lambda g: self.draw(g, size), seeds, stream)
        return {name: p.to(device) for name, p in drawn.items()}


def quadratic_network(g: torch.Generator, d: int, m: int, classes: int) -> Params:
    """FC(m): linear, square, linear; float32."""
    return {
        "W": torch.randn(m, d, generator=g) / math.sqrt(d),
        "b": torch.zeros(m),
        "V": torch.randn(classes, m, generator=g) / math.sqrt(m),
        "c": torch.zeros(classes),
    }


def logits(params: Params, x: Tensor) -> Tensor:
    """Class scores (n, C) of FC(m) for x (n, d)."""
    return (x @ params["W"].T + params["b"]).square() @ params["V"].T + params["c"]


def fully_connected(d: int, classes: int) -> Architecture:
    """FC(m) on inputs (n, d)."""

    def draw(g: torch.Generator, m: int) -> Params:
        return quadratic_network(g, d, m, classes)

    return Architecture(draw, logits, lambda _: logits, batch=128)


def balance(log_p: Tensor) -> Tensor:
    """R_1: minus the entropy of the mean class probabilities, from log-probabilities (n, C)."""
    mean = log_p.logsumexp(0) - math.log(len(log_p))
    return (mean.exp() * mean).sum()


def doubt(log_p: Tensor) -> Tensor:
    """R_2: the mean entropy of the class probabilities, from log-probabilities (n, C)."""
    return -(log_p.exp() * log_p).sum(1).mean()


def student_loss(scores: Scores, params: Params, batch: Labelled) -> Tensor:
    """Cross-entropy on labelled inputs."""
    x, classes = batch
    return F.cross_entropy(scores(params, x), classes)


def teacher_loss(
    scores: Scores, params: Params, batch: tuple[Tensor, Tensor, Tensor], weight: float, lam: float
) -> Tensor:
    """Cross-entropy on (x, classes) plus weight times R = R_1 + lam R_2 on the unlabelled u.

    Images and u go through the network together, as they do when the teacher labels them.
    """
    x, classes, u = batch
    of_x, of_u = scores(params, torch.cat([x, u])).split([len(x), len(u)])
    log_p = of_u.log_softmax(1)
    return F.cross_entropy(of_x, classes) + weight * (balance(log_p) + lam * doubt(log_p))


def train_teacher(
    kind: Architecture, data: Labelled, u: Tensor, size: int, steps: int, seed: int
) -> Params:
    """One network on images (n, ...), regularised by 0.1 (R_1 + R_2) on as many inputs u."""
    run = train(
        partial(teacher_loss, kind.scores, weight=0.1, lam=1.0),
        kind.starts(size, [seed], "teacher", u.device),
        (*data, u),
        data_dim=None,
        steps=steps,
        seeds=[seed],
        optimizer=ADAM,
        batch_size=min(kind.batch, len(u)),
        execution=Execution(label="teacher"),
    )
    return {name: p[0] for name, p in run.params.items()}


def train_students(
    kind: Architecture, data: Labelled, size: int, parts: Mapping[str, Labelled],
    steps: Sequence[int], seeds: Sequence[int],
) -> pd.DataFrame:  # fmt: skip
    """Networks on labelled inputs; accuracy and loss on each of ``parts``, by step and seed."""
    inputs = torch.cat([x for x, _ in parts.values()])
    lengths = [len(x) for x, _ in parts.values()]
    judge = kind.judge(data[0][:: max(1, len(data[0]) // REFERENCE)])

    def observe(params: Params) -> dict[str, Tensor]:
        found = {}
        every = torch.vmap(judge, (0, None))(params, inputs).split(lengths, dim=1)
        for (name, (_, classes)), scores in zip(parts.items(), every, strict=True):
            found[name] = (scores.argmax(-1) == classes).float().mean(1)
            loss = torch.vmap(F.cross_entropy, (0, None))(scores, classes)
            found[f"{name}, loss"] = loss
        return found

    run = train(
        partial(student_loss, kind.scores),
        kind.starts(size, seeds, "student", data[0].device),
        data,
        data_dim=None,
        steps=steps[-1],
        seeds=seeds,
        optimizer=ADAM,
        batch_size=min(kind.batch, len(data[1])),
        observe=Observe(observe, at=steps),
        execution=Execution(label="student"),
    )
    return run.frame()


def students_by_teacher(
    kind: Architecture, teachers: Mapping[int, Callable[[Tensor], Tensor]], x: Tensor, size: int,
    tests: Mapping[str, Tensor], steps: Sequence[int],
) -> pd.DataFrame:  # fmt: skip
    """As `train_students`, each seed's student with a teacher of its own, on the same inputs.

    Args:
        teachers: by seed, what gives inputs (n, ...) their classes (n,).
        x: the inputs to train on.
        tests: the inputs of each part.
    """
    curves = []
    for seed, classes in teachers.items():
        parts = {name: (u, classes(u)) for name, u in tests.items()}
        curves.append(train_students(kind, (x, classes(x)), size, parts, steps, [seed]))
    return pd.concat(curves, ignore_index=True)


def losses_by_size(
    kind: Architecture, data: Labelled, fresh: Labelled, sizes: Sequence[int], steps: int,
    seeds: Sequence[int],
) -> Tensor:  # fmt: skip
    """Figure 26: test loss on ``fresh`` for every size, (sizes, seeds)."""
    last = [
        train_students(kind, data, m, {"fresh": fresh}, [steps], seeds)["fresh, loss"].to_numpy()
        for m in sizes
    ]
    return torch.tensor(np.stack(last))
