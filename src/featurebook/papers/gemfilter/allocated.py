"""The most memory that tensors take at a time, counted storage by storage while code runs."""

import weakref
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter


class Peak(TorchDispatchMode):
    """Counts bytes of the storages that operations make inside of ``with Peak() as p``.

    What was there before, such as weights, does not count, nor do buffers inside of an operation.
    The count does not depend on the machine, unlike that of an operating system.

    Attributes:
        held: bytes now.
        most: bytes at the largest moment.
    """

    def __init__(self) -> None:
        super().__init__()
        self.held = self.most = 0
        self._known: dict[int, Any] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run an operation, and count what it made."""
        before = {x.untyped_storage()._cdata for x in tree_iter((args, kwargs))
                  if isinstance(x, torch.Tensor)}  # fmt: skip
        made = func(*args, **(kwargs or {}))
        for x in tree_iter(made):
            if isinstance(x, torch.Tensor):
                self._count(x.untyped_storage(), before)
        return made

    def _count(self, storage: Any, before: set[int]) -> None:
        name = storage._cdata
        if name in before or name in self._known:
            return
        size = storage.nbytes()
        self._known[name] = weakref.finalize(storage, self._freed, name, size)
        self.held += size
        self.most = max(self.most, self.held)

    def _freed(self, name: int, size: int) -> None:
        del self._known[name]
        self.held -= size
