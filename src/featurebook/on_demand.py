"""Packages that import what they export only when it is asked for.

torch, pandas and SciPy take seconds of a core to import. A command that only starts chapters, or
reads what they found, needs the words of verdicts and none of these.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def exports(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's ``__getattr__`` and ``__dir__``: what it imports under ``TYPE_CHECKING``.

    Args:
        package, file: the package's ``__name__`` and ``__file__``.
    """
    homes: dict[str, str] = {}
    for node in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        if under_type_checking(node):
            for line in node.body:  # type: ignore[attr-defined]
                homes |= {alias.name: line.module for alias in line.names}

    def ask(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)  # the next time it is simply there
        return found

    return ask, lambda: sorted({*vars(sys.modules[package]), *homes})


def under_type_checking(node: ast.stmt) -> bool:
    """Whether a statement is ``if TYPE_CHECKING: ...``."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
