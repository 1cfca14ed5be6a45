"""No test leaves this machine, and every run of the suite tries the same examples."""

import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from matplotlib import pyplot as plt

from browsing import chromium

# Training inside an example takes what it takes; a fixed choice of examples keeps CI calm.
settings.register_profile("featurebook", deadline=None, derandomize=True, max_examples=25)
settings.load_profile("featurebook")

# A shell's background job ignores Ctrl-C, and so would all that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _no_figure_is_left_open() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser, for all tests of a file."""
    with chromium() as found:
        yield found


TOY = '''# ---
# jupyter:
#   jupytext:
#     cell_markers: 'r"""'
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
r"""
# A toy: what a chapter is made of

## The only result

```{claim} Sums
:label: toy-theorem-1
:number: Theorem 1
:expected: stated

A sum.
```
"""

# %% tags=["parameters"]
d: int = 24  # dimension [1, 100]
eps: float = 0.01  # noise level ε [0, 0.1]
rule: str = "inverse"  # step sizes {inverse, constant}
fast: bool = False  # cut corners
sizes: list[int] = [20, 40]  # dimensions [1, 50]

# %%
print("d is", d, "and eps is", eps)

# %%
1 / (d - 13)
'''

TOY_CLAIMS = "paper: nobody\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book of one small part, ``toy``, whose one chapter, its story, fails for d = 13."""
    root = tmp_path / "a bôok"
    for folder in ("notebooks/toy", "book/claims", "_build/notebooks/toy"):
        (root / folder).mkdir(parents=True)
    (root / "_toc.yml").write_text(
        "root: book/index\nparts:\n"
        "  - chapters: [{file: book/rerun}]\n  - chapters: [{file: notebooks/toy/story}]\n"
    )
    (root / "notebooks" / "toy" / "story.py").write_text(TOY, encoding="utf-8")
    (root / "notebooks" / "toy" / "tiny.yaml").write_text("d: 2\nsizes: [3]\n")
    (root / "notebooks" / "toy" / "paper.yaml").write_text("d: 90\neps: 1e-3\n")
    (root / "book" / "claims" / "toy.yaml").write_text(TOY_CLAIMS)
    monkeypatch.setenv("FEATUREBOOK_ROOT", str(root))
    return root
