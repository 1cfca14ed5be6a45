"""Checkpoints: tensors in one safetensors file, replaced atomically. Never pickle."""

import json
import os
import tempfile
from itertools import count
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

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
