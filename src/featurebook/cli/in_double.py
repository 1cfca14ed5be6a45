"""The command line with every training in double precision.

    python -m featurebook.cli.in_double check cone_sets --json

Every training goes through `core.train`. Here it gets the start and the data that it would get in
single precision, computes with them in double precision, and rounds what it has found.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_any, tree_map

from featurebook.core import training
from featurebook.core.execution import HERE
from featurebook.core.recording import Run


class Widened(TorchFunctionMode):
    """Where doubles meet singles, such as constants of a loss, the singles are made doubles."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call a function of torch; one that writes into an argument converts by itself."""
        inputs = (args, dict(kwargs or {}))
        name = getattr(function, "__name__", "")
        writes = (name.endswith("_") and not name.endswith("__")) or name == "__setitem__"
        if not writes and tree_any(lambda x: _has(x, torch.float64), inputs):
            inputs = tree_map(wide, inputs)
        return function(*inputs[0], **inputs[1])


def _has(x: Any, dtype: torch.dtype) -> bool:
    return isinstance(x, Tensor) and x.dtype == dtype


def wide(x: Any) -> Any:
    """A single-precision tensor in double precision; anything else as it is."""
    return x.double() if _has(x, torch.float32) else x


def narrow(x: Tensor) -> Tensor:
    """A double-precision tensor rounded to single precision; any other as it is."""
    return x.float() if _has(x, torch.float64) else x


def widened(train: Callable[..., Run]) -> Callable[..., Run]:
    """`core.train` in double precision, step by step: compiled programs see no modes."""

    def trained(loss: Any, params: Any, data: Any, *, execution: Any = HERE, **how: Any) -> Run:
        if not tree_any(lambda x: _has(x, torch.float32), params):
            return train(loss, params, data, execution=execution, **how)

        def drawn(*asked: Any) -> Any:
            return tree_map(wide, data(*asked))

        with Widened():
            run = train(
                loss,
                tree_map(wide, params),
                drawn if callable(data) else tree_map(wide, data),
                execution=replace(execution, compiled=False),
                **how,
            )
        rounded = {name: narrow(x) for name, x in run.params.items()}
        observed = {name: narrow(x) for name, x in run.observed.items()}
        return replace(run, params=rounded, observed=observed)

    return trained


if __name__ == "__main__":
    training.train = widened(training.train)
    from featurebook.cli import main  # papers take their `train` from there, and later

    main()
