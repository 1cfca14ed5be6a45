"""Lines for the terminal, without markup, since they contain file names and users' values."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

out = Console(markup=False, emoji=False)
err = Console(stderr=True, markup=False, emoji=False)


def say(line: object, style: str = "") -> None:
    """Print a line, not wrapped."""
    out.print(Text(str(line), style), soft_wrap=True)


def complain(line: object) -> None:
    """Print a line in red, where errors go."""
    err.print(Text(str(line), "red"), soft_wrap=True)


def listed(values: Mapping[str, Any]) -> str:
    """Names and values in one line."""
    return ", ".join(f"{name} = {value!r}" for name, value in values.items())
