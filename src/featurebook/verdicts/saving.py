"""Results of experiments as files: arrays and a tree of what holds them, no pickle.

save(path, {"risk": torch.rand(3), "sizes": [2, 3]})
load(path)["sizes"]
"""

import io
import json
import math
import os
import tempfile
import zipfile
from collections import Counter
from dataclasses import fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

TREE = "tree"
"""The member of the archive that holds all but the arrays, as JSON."""
KIND = "is"
"""The key of a node that is no plain JSON value: its kind."""
PACKAGE = __name__.partition(".")[0]


class UnsavableError(TypeError):
    """A result holds something that no file can keep."""


def save(path: Path, result: Any, largest: float = math.inf) -> None:
    """Write a result to a compressed ``.npz`` file, whole or not at all.

    Args:
        result: numbers, words, fractions, arrays, tensors (on any device; they are loaded on the
            CPU), tables, and lists, tuples, sets, dictionaries, counters, named tuples and
            dataclasses of the package that hold such.
        largest: bytes of all arrays, and of the file, at most.

    Raises:
        UnsavableError: naming the type of what cannot be kept, or how large it is.
    """
    arrays: dict[str, np.ndarray] = {}
    tree = json.dumps(_encoded(result, arrays), ensure_ascii=False)
    if (size := sum(array.nbytes for array in arrays.values())) > largest:
        raise UnsavableError(f"{size:,} bytes; at most {largest:,.0f} are kept")
    content = io.BytesIO()
    np.savez_compressed(content, **{TREE: np.frombuffer(tree.encode(), np.uint8)}, **arrays)  # type: ignore[arg-type]
    if (size := content.getbuffer().nbytes) > largest:
        raise UnsavableError(f"{size:,} bytes; at most {largest:,.0f} are kept")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content.getvalue())
    os.replace(file.name, path)


def load(path: Path) -> Any:
    """What `save` wrote.

    Raises:
        ValueError: if the file is damaged, or names a class that is not the package's.
        OSError: if there is none.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = {n.removesuffix(".npy"): _array(archive, n) for n in archive.namelist()}
        return _decoded(json.loads(members[TREE].tobytes().decode()), members)
    except (zipfile.BadZipFile, KeyError, AttributeError, TypeError, ValueError, EOFError) as error:
        raise ValueError(f"{path} holds no result of an experiment: {error}") from None


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(name) as file:
        found: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
        return found


def _encoded(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    if value is None or isinstance(value, bool | str) or type(value) in (int, float):
        return value
    if type(value) is list:
        return [_encoded(v, arrays) for v in value]
    if isinstance(value, torch.Tensor):
        try:
            return {KIND: "tensor", "of": _kept(value.detach().cpu().numpy(), arrays)}
        except TypeError as error:
            raise UnsavableError(f"a tensor that numpy does not know: {error}") from None
    if isinstance(value, np.ma.MaskedArray):
        raise UnsavableError("an array with a mask")
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.hasobject:
            raise UnsavableError("an array of Python objects")
        kind = "array" if isinstance(value, np.ndarray) else "scalar"
        return {KIND: kind, "of": _kept(np.asarray(value), arrays)}
    return _of_class(value, arrays)


def _of_class(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    def inside(items: Any) -> list[Any]:
        return [_encoded(v, arrays) for v in items]

    cls = type(value)
    if cls in (Fraction, complex):
        pair = (value.numerator, value.denominator) if cls is Fraction else (value.real, value.imag)
        return {KIND: cls.__name__, "of": list(pair)}
    if cls in (tuple, set, frozenset):
        return {KIND: cls.__name__, "of": inside(value)}
    if cls is range:
        return {KIND: "range", "of": [value.start, value.stop, value.step]}
    if cls in (dict, Counter):
        return {KIND: cls.__name__, "of": [inside(item) for item in value.items()]}
    if isinstance(value, pd.DataFrame | pd.Series):
        table = value.to_frame() if isinstance(value, pd.Series) else value
        kinds = [isinstance(x, pd.CategoricalDtype) for x in table.dtypes]
        if any(kinds) or not table.columns.is_unique:
            raise UnsavableError("a table with categories, or with two columns of one name")
        columns = [[_encoded(c, arrays), inside(table[c].tolist())] for c in table]
        numbers = {k: str(x) for k, x in enumerate(table.dtypes) if x.kind in "fiu"}
        index = inside(table.index.tolist())
        names = list(table.index.names)
        name = names if isinstance(table.index, pd.MultiIndex) else names[0]
        return {KIND: cls.__name__, "of": columns, "index": index, "name": name,
                "numbers": [[k, x] for k, x in numbers.items()]}  # fmt: skip
    if cls.__module__.partition(".")[0] == PACKAGE:
        if is_dataclass(value):
            own = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
            return {KIND: "instance", "class": _name(cls), "of": _encoded(own, arrays)}
        if isinstance(value, tuple):
            return {KIND: "instance", "class": _name(cls), "of": inside(value)}
    raise UnsavableError(f"{cls.__module__}.{cls.__qualname__}")


def _kept(array: np.ndarray, arrays: dict[str, np.ndarray]) -> str:
    name = f"a{len(arrays)}"
    arrays[name] = array
    return name


def _name(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def _decoded(node: Any, members: dict[str, np.ndarray]) -> Any:
    if isinstance(node, list):
        return [_decoded(n, members) for n in node]
    if not isinstance(node, dict):
        return node
    kind, of = node[KIND], node["of"]
    if kind in ("tensor", "array", "scalar"):
        array = members[of]
        if kind == "tensor":
            return torch.from_numpy(array)
        return array[()] if kind == "scalar" else array
    if kind == "instance":
        cls, inside = _class(node["class"]), _decoded(of, members)
        return cls(**inside) if isinstance(inside, dict) else cls(*inside)
    if kind in ("dict", "Counter"):
        pairs = dict(_decoded(pair, members) for pair in of)
        return Counter(pairs) if kind == "Counter" else pairs
    inside = _decoded(of, members)
    if kind in ("DataFrame", "Series"):
        rows, name = _decoded(node["index"], members), node["name"]
        levels = isinstance(name, list)
        index = pd.MultiIndex.from_tuples(rows, names=name) if levels else pd.Index(rows, name=name)
        kinds = dict(node.get("numbers", []))
        table = pd.DataFrame({c: pd.Series(v, index=index, dtype=kinds.get(k))
                              for k, (c, v) in enumerate(inside)}, index=index)  # fmt: skip
        return table if kind == "DataFrame" else table.iloc[:, 0]
    plain: dict[str, Any] = {"tuple": tuple, "set": set, "frozenset": frozenset}
    if kind in plain:
        return plain[kind](inside)
    return {"Fraction": Fraction, "complex": complex, "range": range}[kind](*inside)


def _class(name: str) -> Any:
    module, _, cls = name.partition(":")
    if module.partition(".")[0] != PACKAGE:
        raise ValueError(f"{name} is no class of {PACKAGE}")
    found: Any = import_module(module)
    for part in cls.split("."):
        found = getattr(found, part)
    if not (is_dataclass(found) or (isinstance(found, type) and issubclass(found, tuple))):
        raise ValueError(f"{name} is no dataclass")
    return found
