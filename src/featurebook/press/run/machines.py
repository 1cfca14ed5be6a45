"""The checks of chapters under other settings of the machine: how often a verdict is the same.

Torch, MKL and OpenBLAS choose their kernels by a processor's vector units, and threads decide in
which order sums are taken, so that other machines round differently; so may another version of
torch. What trains in single precision is also trained in double precision. Each setting is a
process of its own, since libraries read it when they are loaded. The record is
``records/PART/machines/CHAPTER.json``, see `featurebook.press.run.tallies`.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

import featurebook
from featurebook.press.book.forms import OUTCOME
from featurebook.press.book.places import BookError, Chapter, FailedError
from featurebook.press.run import freshness
from featurebook.press.run.tallies import EARLIER, Record, Tally

if TYPE_CHECKING:
    from featurebook.verdicts import Verdict

UNITS = {
    "default": ("SSE4_2", "Nehalem"),
    "avx2": ("AVX2", "Haswell"),
    "avx512": ("AVX512", "SkylakeX"),
}
"""Vector units by torch's names, smallest first, with MKL's and OpenBLAS's names."""
THREADS = (1, 2)
TRAINING = Path(featurebook.__file__).parent / "core" / "training.py"


class Judged(TypedDict):
    """A claim of a record."""

    code: str
    outcomes: dict[str, OUTCOME]


class Machines(TypedDict):
    """A record."""

    claims: dict[str, Judged]


@dataclass(frozen=True)
class Setting:
    """Where checks are called: an interpreter, its environment variables, and what it runs."""

    name: str
    environment: Mapping[str, str]
    python: str = sys.executable
    module: str = "featurebook"


DOUBLE = Setting("double precision", {}, module="featurebook.cli.in_double")
"""The setting for checks that train."""


def of_processor() -> list[Setting]:
    """The settings that this processor allows."""
    import torch  # late: the command line need not wait for it

    best = torch.backends.cpu.get_cpu_capability().lower()
    usable = list(UNITS)[: list(UNITS).index(best) + 1] if best in UNITS else ["default"]
    return [
        Setting(
            f"{name}, {n} thread{'s' * (n > 1)}",
            {
                "ATEN_CPU_CAPABILITY": name,
                "MKL_ENABLE_INSTRUCTIONS": UNITS[name][0],
                "OPENBLAS_CORETYPE": UNITS[name][1],
                "OMP_NUM_THREADS": str(n),
            },
        )
        for name in usable
        for n in THREADS
    ]


def of_python(python: Path) -> Setting:
    """The setting of another environment, with this book's code: ``torch 2.9.0``.

    Raises:
        BookError: if that interpreter cannot import torch.
    """
    asked = [str(python), "-c", "import torch; print(torch.__version__)"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip().rpartition("\n")[2]
        raise BookError(f"--python {python}: needs an interpreter with torch ({said})") from None
    code = Path(featurebook.__file__).parents[1]
    return Setting(f"torch {done.stdout.strip()}", {"PYTHONPATH": str(code)}, str(python))


def record(chapter: Chapter) -> Record:
    """The outcomes of a chapter's verdicts under other settings."""
    remedy = f"delete it, and featurebook check {chapter.address} --machines makes it again"
    return Record(chapter, chapter.machines, Machines, remedy, str)


def words(tally: Tally) -> str:
    """For example ``same under 7 of 7 settings of the machine``."""
    (_, most), *others = counts = Counter(tally.outcomes).most_common()
    said = f"same under {most} of {len(tally.outcomes)} settings of the machine"
    if others:
        said += f" ({', '.join(f'{name} {n}' for name, n in counts)})"
    return said + EARLIER * tally.outdated


def settled(chapter: Chapter, verdict: "Verdict") -> "Verdict":
    """A verdict; mixed if the chapter's record has a different one under some setting.

    Raises:
        BookError: if the record cannot be read.
    """
    tally = record(chapter).of_claim(verdict.claim)
    if tally is None or tally.outdated or len(set(tally.outcomes)) == 1:
        return verdict
    from featurebook.verdicts import undecided  # it needs SciPy

    return undecided(verdict, "machines differ", f"{verdict.outcome} here; {words(tally)}")


@dataclass(frozen=True)
class Plan:
    """Checks of one part to call under one setting."""

    setting: Setting
    claims: Mapping[str, Chapter]


def plan(claims: Mapping[str, Chapter], settings: Sequence[Setting]) -> list[Plan]:
    """What the records lack, by today's code, for claims given with their chapters."""
    known = {c: record(c).valid() for c in dict.fromkeys(claims.values())}
    parts = dict.fromkeys(c.part for c in known)
    plans = [
        Plan(
            setting,
            {
                i: c
                for i, c in claims.items()
                if c.part == part
                and setting.name not in known[c].get(i, {})
                and (setting != DOUBLE or trains(c, i))
            },
        )
        for part in parts
        for setting in settings
    ]
    return [p for p in plans if p.claims]


def trains(chapter: Chapter, claim: str) -> bool:
    """Whether a claim's check reaches `core.train`."""
    name = claim.removeprefix(f"{chapter.part.name}-")
    found = freshness.definitions_of_checks(chapter.part, [name])
    return any(source.startswith("def train(") for file, source in found if file == TRAINING)


def run(plans: Sequence[Plan]) -> Iterator[tuple[Plan, dict[str, str]]]:
    """Call the checks of plans, one process after the other; yields the outcomes by claim.

    Raises:
        FailedError: with what a process said that gave no verdicts.
    """
    for each in plans:
        at = each.setting
        command = [at.python, "-m", at.module, "check", "--json", *each.claims]
        done = subprocess.run(
            command, env=os.environ | dict(at.environment), capture_output=True, text=True
        )
        try:
            verdicts = json.loads(done.stdout)
        except ValueError:
            raise FailedError(f"{at.name}: {done.stderr.strip()[-500:]}") from None
        yield each, {v["claim"]: v["outcome"] for v in verdicts}


def keep(of: Plan, found: Mapping[str, str]) -> None:
    """Add outcomes to the records of their chapters, dropping those of other code."""
    for chapter in dict.fromkeys(of.claims.values()):
        own = {claim: outcome for claim, outcome in found.items() if of.claims[claim] == chapter}
        record(chapter).add(of.setting.name, own)


def differing(chapter: Chapter) -> dict[str, Tally]:
    """The claims whose verdict, by today's code, differs between settings."""
    return {c: tally for c, tally in record(chapter).differing().items() if not tally.outdated}
