"""How hard we tried to break the verdicts: tables from claims and records for that page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from featurebook.press.book.places import papers
from featurebook.press.claims import ledger
from featurebook.press.claims.formulas import as_myst
from featurebook.press.claims.judgements import Entry
from featurebook.press.run import seeds
from featurebook.verdicts import MEANING, in_print
from featurebook.verdicts.words import MIXED

ONE = "The verdict of one claim has"


def tried(entries: Sequence[Entry], names: Mapping[str, str]) -> str:
    """How the judged claims of each part were decided, `ledger.hardness` as a MyST table."""
    return _table(ledger.hardness(entries), names)


def changed(entries: Sequence[Entry], names: Mapping[str, str]) -> str:
    """The claims whose verdict has changed, and why, as MyST: one fold per part.

    Args:
        names: a short name for each part.
    """
    found = [e for e in entries if e.claim.was]
    ways = Counter(f"*{in_print(e.claim.was[-1])}* to *{_present(e)}*" for e in found)
    many = f"The verdicts of {len(found)} claims have" if len(found) > 1 else ONE
    listed = ", ".join(f"{n} from {way}" for way, n in ways.most_common())
    lines = [f"{many} changed since they were first written down: {listed}.", ""]
    for part in dict.fromkeys(e.part for e in found):
        own = [e for e in found if e.part == part]
        verdicts = f"{len(own)} verdicts" if len(own) > 1 else "1 verdict"
        lines += [f":::{{dropdown}} {names[part]}: {verdicts}", *map(_change, own), ":::", ""]
    return "\n".join(lines)


def _present(e: Entry) -> str:
    return in_print(e.claim.expected or "not judged")


def _change(e: Entry) -> str:
    way = " to ".join(f"*{in_print(outcome)}*" for outcome in (*e.claim.was, _present(e)))
    why = as_myst(e.claim.first_look)
    if e.reason in MIXED and "seed" not in why:
        why += f" And {MEANING[e.reason]}."
    return f"- {{prf:ref}}`{e.claim.id}`: {way}. {why}"


def recorded(root: Path, names: Mapping[str, str]) -> str:
    """How many chapters of each part were run with other seeds, as a MyST table."""
    many, few = f"with {seeds.MANY} seeds", f"with {seeds.FEW}"
    before = "before the code was changed"
    rows: dict[str, Counter[str]] = {}
    for part in papers(root):
        own = rows.setdefault(part.name, Counter())
        for chapter in part.chapters:
            tallies = seeds.record(chapter).every().values()
            runs = max((len(t.outcomes) for t in tallies), default=0)
            own["chapters"] += 1
            own[many] += runs >= seeds.MANY
            own[few] += seeds.FEW <= runs < seeds.MANY
            own[before] += any(t.outdated for t in tallies)
    columns = ["chapters", many, few, before]
    table = pd.DataFrame(list(rows.values()), list(rows), columns).fillna(0).astype(int)
    table.loc["in total"] = table.sum()
    return _table(table, names)


def _table(table: pd.DataFrame, names: Mapping[str, str]) -> str:
    def row(cells: Iterable[object]) -> str:
        return f"| {' | '.join(map(str, cells))} |"

    head = [row(["part", *table.columns]), row(["---", *["---:"] * len(table.columns)])]
    body = [row([names.get(str(name), name), *values]) for name, *values in table.itertuples()]
    return "\n".join([*head, *body, ""])
