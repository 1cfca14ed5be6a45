"""Makes `core.train` take its gradients as a reader would write them: for `chapters.py`.

Python imports a module of this name at its start when the folder is on its path. Then gradients
come from automatic differentiation, one network after the other, with memory and matrix products
as torch has them.
"""

from dataclasses import replace
from typing import Any

import torch

from featurebook import core
from featurebook.core import parts, training
from featurebook.core.ensemble import map_tensors

fast_train = training.train


def train(
    loss: training.Loss,
    params: core.Params,
    data: Any,
    *,
    gradient: training.Gradient | None = None,
    execution: core.Execution | None = None,
    **plan: Any,
) -> core.Run:
    """As `core.train`, with ``gradient`` only where it is not that of ``loss``."""
    own = plan.get("batch_size") is not None or callable(data) or plan.get("data_dim", 0) == 0
    chosen: training.Gradient | None = None

    def autograd(p: core.Params, batch: Any) -> tuple[core.Params, torch.Tensor]:
        leaves = {name: x.detach().requires_grad_() for name, x in p.items()}
        with torch.enable_grad():
            value = loss(leaves, batch)
        found = torch.autograd.grad(value, list(leaves.values()), materialize_grads=True)
        return dict(zip(p, found, strict=True)), value.detach()

    @core.takes_replicas
    def one_by_one(p: core.Params, batch: Any) -> tuple[core.Params, torch.Tensor]:
        nonlocal chosen
        found = []
        for r in range(len(plan["seeds"])):
            single = {name: x[r] for name, x in p.items()}
            mine = map_tensors(lambda x, r=r: x[r], batch) if own else batch
            chosen = chosen or (gradient if differ(gradient, autograd, single, mine) else autograd)
            found.append(chosen(single, mine))
        return (
            {name: torch.stack([g[name] for g, _ in found]) for name in p},
            torch.stack([value for _, value in found]),
        )

    where = replace(execution or core.Execution(), compiled=False)
    return fast_train(loss, params, data, gradient=one_by_one, execution=where, **plan)


def differ(
    gradient: training.Gradient | None, autograd: training.Gradient, p: core.Params, batch: Any
) -> bool:
    """Whether a chapter's gradient is of something else than its loss: frozen layers, say."""
    if gradient is None:
        return False
    try:
        expected = autograd(p, batch)[0]
    except RuntimeError:  # the loss is there for its value only
        return True
    found = gradient(p, batch)[0]
    sizes = {name: 1e-3 * float(g.abs().max()) for name, g in expected.items()}
    return not all(
        torch.allclose(found[name], g, rtol=1e-3, atol=sizes[name]) for name, g in expected.items()
    )


for module in (core, training, parts):
    module.train = train  # type: ignore[attr-defined]
for name in ("keep_freed_memory", "release_freed_memory"):
    setattr(training, name, lambda: None)
