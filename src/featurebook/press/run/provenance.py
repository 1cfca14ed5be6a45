"""Where a number comes from: code, versions, device, seeds, data, time.

Only the computing session needs torch here; the process that started it adds what it knows.
"""

import hashlib
import html
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import psutil

import featurebook
from featurebook.press.book.places import BookError, find_root
from featurebook.press.run.imports import PACKAGE

if TYPE_CHECKING:
    import torch

    from featurebook.images import Images

MIME = "application/vnd.featurebook.provenance+json"


class Card:
    """Provenance as a table in a notebook, and as structured data in its outputs."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        rows = "".join(
            f"<tr><th scope='row'>{name}</th><td>{value}</td></tr>"
            for name, value in (
                (html.escape(k), html.escape(_words(v))) for k, v in self.facts.items()
            )
        )
        table = f"<table class='provenance'><tbody>{rows}</tbody></table>"
        return {"text/html": table, "text/plain": repr(self), MIME: self.facts}

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {_words(value)}" for name, value in self.facts.items())


def card(
    seeds: Sequence[int], images: "Sequence[Images]" = (), device: "str | torch.device" = "cpu"
) -> Card:
    """A description of this session, for the last cell of a chapter.

    Args:
        seeds: every seed the chapter used.
        images: real images it used.
        device: where its training ran.
    """
    import numpy as np
    import torch

    from featurebook.core.device import kernels

    process = psutil.Process()
    seconds = time.time() - process.create_time()
    files = {name: _checksum(name, md5) for i in images for name, md5 in i.files.items()}
    facts: dict[str, Any] = {
        "commit": commit(),
        "package": f"featurebook {featurebook.__version__}, content {package_hash()[:12]}",
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
            "cuda": torch.version.cuda or "none",
        },
        "device": device_name(device),
        "threads": torch.get_num_threads(),
        "computed by": kernels(),
        "seeds": sorted(set(seeds)) or "none",
        "data files (md5)": files or "none",
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "seconds since the kernel started": round(seconds, 1),
        "seconds of processor time": round(sum(process.cpu_times()[:2]), 1),
        "peak memory (MiB)": round(peak_memory() / 2**20),
    }
    if torch.get_default_dtype() != torch.float32:  # set before the chapter began
        facts["torch's default type"] = str(torch.get_default_dtype()).removeprefix("torch.")
    return Card(facts)


def _checksum(name: str, md5: str) -> str:
    from featurebook.images import is_published

    return md5 if is_published(name, md5) else f"{md5} (unknown: not the published file)"


def peak_memory() -> int:
    """The peak memory of this process, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():  # what getrusage says on Linux can be the parent's
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(line.split()[1]) * 2**10
    unit = 1 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def add_facts(notebook: nbformat.NotebookNode, facts: Mapping[str, Any]) -> None:
    """Add what only the runner knows to the provenance in a notebook's outputs."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if MIME in output.get("data", {}):
                whole = Card({**output.data[MIME], **facts})
                output.data = nbformat.from_dict(whole._repr_mimebundle_())


def commit() -> str:
    """The book's commit in words."""
    name, dirty = git_state()
    return name + (" (with uncommitted changes)" if dirty else "")


def git_state() -> tuple[str, bool]:
    """The book's commit, and whether tracked files differ.

    Without a commit of the book itself, "unknown", with the reason if one can act on it. The
    commit of a repository that merely contains the book's folder is not the book's.
    """
    try:
        root = find_root()
        if not Path(_git(root, "rev-parse", "--show-toplevel")).samefile(root):
            return "unknown (not a git checkout)", False
        name = _git(root, "rev-parse", "--short=12", "HEAD")
        return name, bool(_git(root, "status", "--porcelain", "--untracked-files=no"))
    except subprocess.CalledProcessError as error:
        if "dubious ownership" in error.stderr:
            return "unknown (git refuses another user's checkout: see safe.directory)", False
        return "unknown", False
    except (BookError, OSError):
        return "unknown", False


def _git(root: Path, *words: str) -> str:
    """Git's output for the repository at ``root``."""
    # In a hook, GIT_DIR and its like name the repository of whoever started this process.
    about = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")
    env = {k: v for k, v in os.environ.items() if k not in about} | {"LC_ALL": "C"}
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    return done.stdout.removesuffix("\n")


def package_hash(package: Path = PACKAGE) -> str:
    """sha256 over the package's Python files and tables, names and contents."""
    digest = hashlib.sha256()
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.csv")]):
        digest.update(f"{path.relative_to(package)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def refuse_other_code(root: Path) -> None:
    """Refuse to execute the chapters of one checkout with the package of another.

    Raises:
        BookError: saying where both are.
    """
    own = root / "src" / PACKAGE.name
    if own.is_dir() and not own.samefile(PACKAGE) and package_hash(own) != package_hash():
        raise BookError(
            f"the chapters are those of {root}, but the package that would compute is {PACKAGE}: "
            f"activate the environment of that checkout, or `pip install -e .` in it"
        )


def device_name(device: "str | torch.device") -> str:
    """The device's name, for readers."""
    import torch

    from featurebook.core import pick_device

    device = pick_device(str(device))
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"CPU, {platform.machine()}, {psutil.cpu_count(logical=False) or '?'} cores"


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {'(empty)' if v == '' else v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def without_folders(text: str, root: Path) -> str:
    """A text without this machine's folders, which warnings print before file names."""
    home = Path(os.path.expanduser("~"))  # Path.home fails for a user that the system does not know
    for folder in (root, PACKAGE.parent, Path(sys.prefix), home):
        if folder not in (Path("/"), Path("~")):
            text = text.replace(json.dumps(f"{folder}/", ensure_ascii=False)[1:-1], "")
    return text
