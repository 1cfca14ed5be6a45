"""The core of an earlier commit as a module of its own, so that one run measures both."""

import importlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
CORE = "src/featurebook/core"


def core_of(revision: str, folder: Path) -> ModuleType:
    """`featurebook.core` as ``revision`` has it, imported from ``folder`` as ``core_before``.

    Raises:
        subprocess.CalledProcessError: git knows no such revision, or it has no core.
    """
    packed = subprocess.run(
        ["git", "archive", revision, CORE], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    (folder / CORE).rename(folder / "core_before")
    for file in (folder / "core_before").glob("*.py"):
        file.write_text(file.read_text().replace("featurebook.core", "core_before"))
    sys.path.insert(0, str(folder))
    return importlib.import_module("core_before")
