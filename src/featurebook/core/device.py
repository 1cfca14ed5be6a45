"""Which device to train on."""

import torch


def pick_device(name: str) -> torch.device:
    """``"auto"`` is a GPU if there is one; otherwise the device of that name.

    Raises:
        ValueError: if a GPU is asked for and there is none that torch can use.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(name)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError(
            f"device {name!r}: torch {torch.__version__} sees no GPU here; use 'auto' or 'cpu', or "
            "install a CUDA build of torch"
        )
    return device
