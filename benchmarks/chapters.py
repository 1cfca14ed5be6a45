"""What the core saves a reader: ``python benchmarks/chapters.py OUT FOLDER [PART ...]``.

Executes each chapter at its quick scale twice on one core: as it is, and with `core.train` made a
plain loop of automatic differentiation (`plain/sitecustomize.py`).
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import one_core  # noqa: F401  holds this process and its children to one core
from about import about
from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import find_root, papers
from featurebook.press.run import provenance

HERE = Path(__file__).parent
RUN = """
import sys
from pathlib import Path
from featurebook.press.book.places import find_chapter, find_root
from featurebook.press.run import execute, parameters
from featurebook.press.run.job import Job
chapter = find_chapter(find_root(), sys.argv[1])
execute.execute(Job(chapter, parameters.final_values(chapter), "quick", Path(sys.argv[2])))
"""
"""Executes a chapter in a new Python; ``featurebook run`` would fork one that `plain` missed."""


def seconds(chapter: str, plain: bool, out: Path) -> float:
    """Processor time of a chapter: of the runner, and of the kernel, which the runner waits for.

    Raises:
        RuntimeError: if the chapter did not run to its end, or the system did not count its kernel.
    """
    command = [sys.executable, "-c", RUN, chapter, out.resolve()]
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, env=os.environ | ({"PYTHONPATH": str(HERE / "plain")} if plain else {}),
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not out.exists():
        raise RuntimeError(f"{chapter} did not run to its end: {done.stdout[-2000:]}")
    runner = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    (card,) = outputs(read_notebook(out), provenance.MIME)
    if runner < card["seconds of processor time"]:
        raise RuntimeError(f"{chapter}: the processor time of its kernel was not counted")
    return round(runner, 1)


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the JSON to write")
    parser.add_argument("folder", type=Path, help="where to leave the executed notebooks")
    known = {part.name: part for part in papers(find_root())}
    parser.add_argument("parts", nargs="*", metavar="part", help="by default all")
    out, folder, chosen = vars(parser.parse_args()).values()
    if unknown := set(chosen) - known.keys():
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(known)}")
    record = about() | {"chapters": {}}
    for chapter in (c.address for name in chosen or known for c in known[name].chapters):
        name = chapter.replace("/", "-")
        record["chapters"][chapter] = {
            "plain s": seconds(chapter, True, folder / f"{name}.plain.ipynb"),
            "core s": seconds(chapter, False, folder / f"{name}.core.ipynb"),
        }
        print(chapter, record["chapters"][chapter], flush=True)
        record["load after"] = round(os.getloadavg()[0], 1)
        out.parent.mkdir(exist_ok=True)
        out.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
