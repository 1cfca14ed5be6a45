"""The kernel that executes a chapter: this Python, and nothing of its user's own settings."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

NOT_INHERITED = ("MPLBACKEND", "PYTHONSTARTUP")
"""With a backend named in the environment, notebooks would show no figures."""


class ThisPython(AsyncKernelManager):
    """Starts this Python, whatever Jupyter finds under the name ``python3`` elsewhere."""

    @property
    def kernel_spec(self) -> KernelSpec:
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=command, display_name="Python 3", language="python")


def environment(folder: str) -> dict[str, str]:
    """The environment of a kernel: IPython's and matplotlib's settings are those they come with.

    Args:
        folder: an empty one, for IPython.
    """
    inherited = {k: v for k, v in os.environ.items() if k not in NOT_INHERITED}
    return inherited | {"IPYTHONDIR": folder, "MATPLOTLIBRC": str(_matplotlibrc())}


def _matplotlibrc() -> Path:
    found = find_spec("matplotlib")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "mpl-data" / "matplotlibrc"
