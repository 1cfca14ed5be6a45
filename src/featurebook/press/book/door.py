"""The door through which files come in that the book wrote and a person may have touched.

Each is read up to a limit, since one may never end, and must have the form that the book
gives it. Any other is refused in one line: the file, what is wrong with it, what to do.
"""

import json
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

MEGABYTE = 2**20
MEND = "correct it, or restore it from Git"
MANY = 1_000_000
"""Maximum number of values in a YAML file; nested aliases expand a few hundred bytes to more."""
DEEPEST = 100
"""Maximum depth of lists and mappings in a YAML file."""


class BookError(Exception):
    """Something that the user can fix; the message is one clear line or several."""


_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml is ten times as fast


class Yaml(_Safe):
    """Plain YAML in which no key appears twice: the earlier value would be lost silently."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        """A mapping, as PyYAML constructs it.

        Raises:
            yaml.constructor.ConstructorError: naming what appears twice.
        """
        seen: set[str] = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                problem = f"{key.value!r} appears twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(str(key.value))
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


def read_text(path: Path, remedy: str, most: int = 64 * MEGABYTE) -> str:
    """A text file of at most so many bytes, with Unix line endings.

    Args:
        remedy: what to do if it cannot be read, such as "featurebook run rebuilds it".

    Raises:
        BookError: if it is missing, not text, or larger; also for the other functions.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise BookError(f"{path}: larger than {most // MEGABYTE} MB; {remedy}")
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise BookError(f"{path}: cannot be read: {error.strerror or error}; {remedy}") from None
    except UnicodeDecodeError:
        raise BookError(f"{path}: cannot be read: it is not UTF-8 text; {remedy}") from None


def read_json(path: Path, form: Any, remedy: str, most: int = 64 * MEGABYTE) -> Any:
    """A JSON file of some form: one of `featurebook.press.book.forms`, or a type."""
    try:
        value = json.loads(read_text(path, remedy, most))
    except (ValueError, RecursionError) as error:
        raise BookError(f"{path}: not valid JSON ({error}); {remedy}") from None
    check(value, form, path, remedy)
    return value


def check(value: Any, form: Any, path: Path, remedy: str) -> None:
    """Check that a value read from a file has some form; the value is not converted."""
    from pydantic import ValidationError  # takes a tenth of a second

    try:
        _adapter(form).validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = " ".join(str(name) for name in first["loc"])
        problem = f"{where}: {first['msg']}" if where else first["msg"]
        raise BookError(f"{path}: {problem}; {remedy}") from None


@cache
def _adapter(form: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(form)


def read_yaml(path: Path, remedy: str, loader: type[Yaml] = Yaml) -> Any:
    """The content of a YAML file of at most 1 MB: plain values, no objects."""
    return as_yaml(read_text(path, remedy, MEGABYTE), path, remedy, loader)


def as_yaml(text: str, path: Path, remedy: str, loader: type[Yaml] = Yaml) -> Any:
    """The same for text that was read already."""
    try:
        return parse_yaml(text, loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise BookError(f"{path}: not plain YAML ({problem_of(error)}); {remedy}") from None


def parse_yaml(text: str, loader: type[Yaml]) -> Any:
    """Plain values from YAML.

    Raises:
        yaml.YAMLError, RecursionError, ValueError: if it is not plain YAML.
    """
    depth = 0
    for event in yaml.parse(text, loader):  # libyaml does not survive what is nested without end
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.YAMLError(f"it is nested deeper than {DEEPEST} levels")
    one = loader(text)
    try:
        node = one.get_single_node()
        if node is None:
            return None
        if _values(node, {}) > MANY:
            raise yaml.YAMLError(f"it expands to more than {MANY:,} values")
        return one.construct_document(node)
    finally:
        one.dispose()


def _values(node: yaml.Node, known: dict[yaml.Node, int]) -> int:
    """The number of values that a node expands to; too many if it contains itself."""
    if node not in known:
        known[node] = MANY
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        parts = node.value if isinstance(node, yaml.SequenceNode) else [p for k in pairs for p in k]
        known[node] = 1 + sum(_values(part, known) for part in parts)
    return known[node]


def problem_of(error: Exception) -> str:
    """What is wrong with some YAML, and where, in one line."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        return f"{error.problem} in line {error.problem_mark.line + 1}"
    return str(error).partition("\n")[0]
