"""What can go wrong and what one sees: the list in ``book/rerun.md``, which a test executes."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from featurebook.press.book import door

FILE = "book/situations.yaml"


class Situation(BaseModel):
    """One situation; the comment at the top of the file explains the fields."""

    model_config = ConfigDict(extra="forbid")

    when: str
    reports: list[str] = Field([], alias="as")
    given: str = ""
    run: str = ""
    see: list[str] = []
    exit: int = 0
    then: str = ""
    needs: str = ""
    tested: str = ""

    @field_validator("see", mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value


def read(root: Path) -> list[Situation]:
    """All situations, in order.

    Raises:
        BookError: naming the file, if one of them has another form.
    """
    return [s for group in _groups(root).values() for s in group]


def _groups(root: Path) -> dict[str, list[Situation]]:
    file = root / FILE
    found = door.read_yaml(file, door.MEND)
    form = dict[str, list[Situation]]
    door.check(found, form, file, door.MEND)
    return TypeAdapter(form).validate_python(found)


def page(root: Path) -> str:
    """The situations as MyST, a fold for each group; nothing for a book without the file."""
    if not (root / FILE).is_file():
        return ""
    lines: list[str] = []
    for name, group in _groups(root).items():
        lines += [
            f":::{{dropdown}} {name}: {len(group)} situations",
            *map(_shown, group),
            ":::",
            "",
        ]
    return "\n".join(lines)


def _shown(s: Situation) -> str:
    """A situation, as a terminal shows it; not a table, since commands cannot be broken."""
    named = ", ".join(f"[{r}](https://github.com/{r.replace('#', '/issues/')})" for r in s.reports)
    head = f"**{s.when[0].upper()}{s.when[1:]}**" + (f" (as in {named})" if named else "")
    if s.tested:
        return f"{head}: {s.see[0]}.\n"
    ended = [f"(exit code {s.exit})"] if s.exit else []
    said = [*(f"... {line}" for line in s.see), *ended] or ["(nothing)"]
    return "\n".join([f"{head}:", "", "```text", f"$ {s.run}", *said, "```", ""])
