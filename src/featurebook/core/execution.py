"""Where and how a training runs."""

from dataclasses import dataclass
from pathlib import Path

import torch


@dataclass(frozen=True)
class Execution:
    """Where and how a training run executes; none of it changes the result beyond rounding.

    Attributes:
        device: where to train; parameters and data are moved there. By default where the
            parameters are. See `pick_device`.
        compiled: compile gradient and update with `torch.compile`. It costs some seconds once, so
            it is for long runs: see the book's page on performance.
        checkpoint_file: where to keep the state; if it holds one, training goes on from there. By
            default what a runner asks for (`checkpoint.FOLDER`), else nowhere.
        label: what the progress bar says.
    """

    device: torch.device | str | None = None
    compiled: bool = False
    checkpoint_file: Path | None = None
    label: str = "training"


HERE = Execution()
"""Where the parameters are, uncompiled."""
