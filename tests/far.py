"""A second device on any machine: mixing its tensors with the processor's fails as on a GPU.

Its tensors are the processor's, wrapped, so that it computes what the processor computes. It is a
backend of torch in Python, which only some versions of torch can have: see `AVAILABLE`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import backend_registration
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

aten = torch.ops.aten
COPIES = (aten._to_copy.default, aten.copy_.default)
TAKE_INDICES_OF_THE_PROCESSOR = (
    aten.index.Tensor, aten.index_put.default, aten.index_put_.default,
    aten._index_put_impl_.default,
)  # fmt: skip
AVAILABLE = hasattr(backend_registration, "_setup_privateuseone_for_python_backend")
if AVAILABLE:  # before the first gradient: torch counts its devices then
    backend_registration._setup_privateuseone_for_python_backend("far")


@contextmanager
def device() -> Iterator[torch.device]:
    """The far device, to be used inside."""
    with _Made(), _Mode():
        yield torch.device("far", 0)


class Far(torch.Tensor):
    """A tensor on the far device."""

    inner: torch.Tensor

    @staticmethod
    def __new__(cls, inner):
        made = torch.Tensor._make_wrapper_subclass(
            cls, inner.size(), strides=inner.stride(), dtype=inner.dtype, layout=inner.layout,
            device=torch.device("far", 0),
        )  # fmt: skip
        made.inner = inner
        return made

    def __repr__(self, **_: Any) -> str:
        return f"Far({self.inner})"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return _run(func, args, kwargs or {})

    def tolist(self):
        return self.inner.tolist()

    def numpy(self, **_: Any):
        raise TypeError("a tensor on the far device is no array: use .cpu() first")

    def __array__(self, dtype=None, copy=None):
        return self.numpy()


class _Mode(TorchDispatchMode):
    """Sees what makes tensors, such as `torch.zeros`."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return _run(func, args, kwargs or {})


class _Made(TorchFunctionMode):
    """Sees what makes tensors of numbers, which `_Mode` does not."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        where = kwargs.pop("device", None) if func in (torch.tensor, torch.as_tensor) else None
        made = func(*args, **kwargs)
        return made if where is None else made.to(where)


def _run(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """One operation, on the processor; what it makes lies where a GPU's would."""
    tensors = [x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
    far = [x for x in tensors if isinstance(x, Far)]
    if far and func not in (*COPIES, *TAKE_INDICES_OF_THE_PROCESSOR):
        for x in tensors:
            if not isinstance(x, Far) and x.ndim > 0:
                raise RuntimeError(f"{func}: all tensors must be on one device; {x.shape} is not")
    asked = kwargs.get("device")
    goes_far = bool(far) if asked is None else torch.device(asked).type == "far"
    kwargs = {k: v for k, v in kwargs.items() if k not in ("device", "pin_memory")}
    if asked is not None:
        kwargs["device"] = torch.device("cpu")
    made = func(*tree_map(_inner, args), **tree_map(_inner, kwargs))
    if func is aten.copy_.default:
        return args[0]
    same = {id(x.inner): x for x in far}  # in place: the tensor that was given
    return tree_map(lambda x: same[id(x)] if id(x) in same else _far(x), made) if goes_far else made


def _far(x: Any) -> Any:
    return Far(x) if isinstance(x, torch.Tensor) else x


def _inner(x: Any) -> Any:
    return x.inner if isinstance(x, Far) else x
