"""Checkpoints: tensors in one safetensors file, replaced atomically. Never pickle."""

import hashlib
import inspect
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from itertools import count
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from featurebook.core.ensemble import map_tensors

FOLDER = "FEATUREBOOK_CHECKPOINTS"
"""Environment variable: a folder in which a runner wants every training to keep its state."""
_trainings = count()


def wanted_by_runner() -> Path | None:
    """The file for the next training of this process, or None without a runner that asks.

    Trainings are identified by their order, so the runner must name a folder for each program and
    its parameters.
    """
    folder = os.environ.get(FOLDER)
    return Path(folder) / f"{next(_trainings)}.safetensors" if folder else None


def fingerprint(
    tensors: Any, numbers: tuple[object, ...], *functions: Callable[..., Any] | None
) -> str:
    """Identifies a training run, so that no run resumes from another run's checkpoint.

    Args:
        tensors: all that it begins with.
        numbers: sizes, seeds and the like, written out.
        functions: the loss and its gradient, with what is bound to them: arguments of a `partial`,
            and variables of the function that defines them. Their code is not seen.
    """
    digest = hashlib.sha256()

    def add(x: Tensor) -> Tensor:
        digest.update(repr(_described(x, [])).encode())
        return x

    map_tensors(add, tensors)
    digest.update(repr((numbers, [_described(f, []) for f in functions])).encode())
    return digest.hexdigest()


def _described(value: Any, inside: list[object]) -> object:
    """What stands for a value in a fingerprint, the same in every process.

    Args:
        inside: the values that it is a part of.
    """
    if any(value is outer for outer in inside):
        return "itself"
    of = lambda part: _described(part, [*inside, value])  # noqa: E731
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes():
            return value
        case Tensor():
            content = value.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes()
            return str(value.dtype), tuple(value.shape), hashlib.sha256(content).hexdigest()
        case np.ndarray():
            return str(value.dtype), value.shape, hashlib.sha256(value.tobytes()).hexdigest()
        case list() | tuple():
            return [of(part) for part in value]
        case dict():
            return [(of(key), of(part)) for key, part in value.items()]
        case partial():
            bound = sorted((name, of(given)) for name, given in value.keywords.items())
            return of(value.func), of(value.args), bound
        case MethodType():
            return of(value.__func__), of(value.__self__)
        case FunctionType():
            outer = inspect.getclosurevars(value).nonlocals
            given = (value.__defaults__, value.__kwdefaults__, dict(outer))
            return value.__qualname__, of(given)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return type(value).__qualname__, [of(getattr(value, f.name)) for f in fields(value)]
    return getattr(value, "__qualname__", type(value).__qualname__)


def save(path: Path, tensors: dict[str, Tensor], about: dict[str, object]) -> None:
    """Write ``tensors`` and the JSON-able ``about`` to ``path``; an old file survives a failure.

    Raises:
        OSError: if the folder cannot be written to or the disk is full, naming ``path``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    os.close(handle)
    try:
        contiguous = {k: v.detach().cpu().contiguous() for k, v in tensors.items()}
        save_file(contiguous, temporary, metadata={"about": json.dumps(about)})
        os.replace(temporary, path)
    except (OSError, SafetensorError) as error:
        Path(temporary).unlink(missing_ok=True)
        raise OSError(f"cannot write the checkpoint {path}: {error}") from error


def load(path: Path) -> tuple[dict[str, Tensor], dict[str, object]]:
    """Read what `save` wrote: the tensors (on the CPU) and ``about``.

    Raises:
        ValueError: if the file is damaged or not a checkpoint.
    """
    try:
        with safe_open(path, framework="pt") as file:
            about = json.loads((file.metadata() or {})["about"])
            return {name: file.get_tensor(name) for name in file.keys()}, about  # noqa: SIM118
    except (SafetensorError, KeyError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not a readable checkpoint ({error}); delete it") from error
