import json
from typing import Annotated

import typer

from featurebook.press.book.console import out, say
from featurebook.press.book.places import find, find_root


def show(
    name: Annotated[
        str, typer.Argument(help="PART, PART/CHAPTER, or a claim's id: cone_sets-theorem-1.")
    ],
    json_: Annotated[bool, typer.Option("--json", help="The parameters as a JSON Schema.")] = False,
) -> None:
    """Show what a part or chapter covers, and its parameters; or what depends on a claim."""
    if "-" in name:
        from featurebook.press.claims import asking

        say(asking.impact(find_root(), name))
        return
    from featurebook.press.run import conditions, parameters
    from featurebook.press.run.parameter_table import ParameterTable

    found = find(find_root(), name)
    if json_:
        schemas = {c.address: parameters.schema(c) for c in found}
        shown = schemas if len(found) > 1 else schemas[found[0].address]
        typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    for chapter in found:
        say(f"{chapter.address}: {chapter.title}", "bold")
        for heading in chapter.sections:
            say(f"  {heading}")
        out.print(ParameterTable(chapter).table(out.width))
        for condition in conditions.read(chapter.notebook):
            say(f"  needs {condition.words}")
        out.print()
    say(f"Rerun: featurebook run {name} -p NAME=VALUE ...")
