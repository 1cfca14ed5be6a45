"""Record a chapter's run, and the outcomes of its figures and tables with other seeds."""

import os
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featurebook.press.book.console import say
from featurebook.press.book.files import put_aside
from featurebook.press.book.places import BookError, Chapter, FailedError
from featurebook.press.run import experiments, freshness, parameters, provenance, records, seeded
from featurebook.press.run.results import Result, name_of
from featurebook.press.run.seeds import SEED

if TYPE_CHECKING:
    from featurebook.verdicts.claims import Claims


def record(
    chapter: Chapter,
    scale: str,
    files: Sequence[Path],
    settings: Sequence[str],
    often: Sequence[str] = (),
    many: int = 1,
) -> None:
    """Run a chapter's experiments and checks, or resume them, and record the results.

    Results of the same code and parameters that are kept on this machine are not computed again.

    Args:
        often: ids of the claims to judge with further seeds.
        many: seeds in all; those after the first give outcomes of ``often`` alone.

    Raises:
        BookError: for values that the chapter does not allow, or one without checks.
        FailedError: naming the step that failed; what had ended is kept.
    """
    values = parameters.final_values(chapter, scale, files, settings)
    claims = experiments.checks_of(chapter.part)
    if claims is None:
        raise BookError(f"{chapter.address} has no checks that could be recorded")
    for line in parameters.in_words(chapter, scale, files, settings):
        say(line)
    kept = _earlier(chapter, scale)
    if _is_current(chapter, claims, kept, values):
        say(f"recorded by the present code: {kept['started']}")
    else:
        kept = _first(chapter, claims, scale, values, kept)
    for seed, names in seeded.lacking(chapter, claims, kept, often, many).items():
        say(f"seed {seed}: {len(names)} claims")
        _add(chapter, claims, kept, seed, names)
    say(f"recorded in {os.path.relpath(records.path(chapter, scale))}")


def _is_current(chapter: Chapter, claims: "Claims", kept: Result, values: dict[str, Any]) -> bool:
    """Whether the first seed's experiments and checks would be the same today."""
    judged, _ = experiments.named(chapter, claims)
    return bool(
        kept.get("parameters") == values
        and experiments.is_current(chapter.part, kept)
        and {c: of["code"] for c, of in kept["checks"].items()}
        == {c: experiments.digest(chapter.part, c) for c in judged}
    )


def _first(
    chapter: Chapter, claims: "Claims", scale: str, values: dict[str, Any], earlier: Result
) -> Result:
    """Make the record of the first seed, keeping an earlier one's results of other seeds."""
    folder, files = records.folder(chapter, scale), {}
    if earlier.get("parameters") == values:
        for name, about in earlier.get("experiments", {}).items():
            if about["code"] == experiments.digest(chapter.part, name) and about["bytes"]:
                files[name] = (folder / f"{name}.npz", about["seconds"])
    run = experiments.Run(chapter, claims, values, record=files)
    state = _state(chapter, values)
    about = {"scale": scale, "resumed": state.is_dir(), "started": _now()}
    _say(run.steps(state))
    if earlier.get("seeds"):
        about["seeds"] = earlier["seeds"]
    records.keep_experiments(run, about)
    shutil.rmtree(state, ignore_errors=True)
    return _of_scale(chapter, scale)


def _earlier(chapter: Chapter, scale: str) -> Result:
    """The existing record; an unreadable one is put aside, and a line says so."""
    try:
        return _of_scale(chapter, scale)
    except BookError as error:
        if str(records.path(chapter, scale)) not in str(error):
            raise
        aside = put_aside(records.path(chapter, scale), "damaged").name
        say(f"{error}; the damaged one is now {aside}")
        return {}


def _of_scale(chapter: Chapter, scale: str) -> Result:
    return next((r for r in records.read(chapter) if r["scale"] == scale), {})


def _add(chapter: Chapter, claims: "Claims", kept: Result, seed: int, names: list[str]) -> None:
    """Judge claims with a further seed, and add the outcomes to the record at once."""
    values = kept["parameters"] | {SEED: seed}
    run = experiments.Run(chapter, claims, values, only=names)
    started, state = _now(), _state(chapter, values)
    _say(run.steps(state))
    of = kept.setdefault("seeds", {}).setdefault(str(seed), {"claims": {}, "seconds": 0.0})
    card = provenance.card([seed], device=values.get("device", "cpu")).facts
    of |= {"started": started, "device": card["device"], "commit": card["commit"]}
    of["seconds"] = round(of["seconds"] + run.total, 1)
    of["claims"] |= seeded.outcomes(chapter, claims, run)
    kept["seeds"] = dict(sorted(kept["seeds"].items(), key=lambda item: int(item[0])))
    records.write(chapter, kept)
    shutil.rmtree(state, ignore_errors=True)


def _state(chapter: Chapter, values: dict[str, Any]) -> Path:
    """Where the training runs of an unfinished record keep their state."""
    name = name_of(freshness.key(chapter, values))
    return chapter.root / "_build" / "checkpoints" / chapter.part.name / f"{chapter.name}.{name}"


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _say(steps: Iterator[tuple[str, float]]) -> None:
    """Print each experiment and check of a chapter as it ends, with its seconds.

    Raises:
        FailedError: naming the step that failed; what had ended is kept.
    """
    last = "the start"
    try:
        for name, seconds in steps:
            say(f"{seconds:9.1f} s  {name}")
            last = name
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as e:
        raise FailedError(f"failed after {last}: {type(e).__name__}: {e}") from e
