"""The ``featurebook`` command, one module per verb.

A verb imports what it needs when it is called, so that the command answers at once.
"""

import sys

import typer

from featurebook.cli import build, check, data, new, record, run, seeds, serve, show, sweep, verify
from featurebook.cli import list as list_
from featurebook.cli.common import one_line_errors

app = typer.Typer(
    help="A reproducible companion to four papers and a thesis on how networks learn features.",
    epilog="Start with `featurebook list`: most commands take the names that it prints, PART or "
    "PART/CHAPTER. "
    "`featurebook show NAME` lists parameters, `featurebook run NAME` executes, "
    "`featurebook build` makes the site, `featurebook serve` opens it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_READING = (list_.list_, show.show)
_RUNNING = (run.run, check.check, sweep.sweep, record.record, seeds.seeds, verify.verify)
_MAKING = (build.build, serve.serve, new.new, data.data)
for _verb in (*_READING, *_RUNNING, *_MAKING):
    app.command(_verb.__name__.rstrip("_"))(one_line_errors(_verb))


def main() -> None:
    """Entry point."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
