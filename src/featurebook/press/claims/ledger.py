"""The ledger: every claim of the book with its verdict, as a table and for other programs."""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import pandas as pd

from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import Chapter, find_root, papers
from featurebook.press.claims import grades, printed_sizes, statements
from featurebook.press.claims.formulas import as_html, as_scripts
from featurebook.press.claims.grades import Grade
from featurebook.press.claims.judgements import STATES, Entry, judged
from featurebook.press.run import provenance, records, seeds
from featurebook.press.run.experiments import is_current
from featurebook.press.run.freshness import METADATA
from featurebook.verdicts import MARKS, MIME, OUTCOMES, in_print, slug

T = TypeVar("T")


def collect(root: Path | None = None) -> list[Entry]:
    """Every claim of the book in order, with the verdict of the executed notebook if there is one.

    Raises:
        BookError: if a claims file cannot be read.
    """
    entries: list[Entry] = []
    for part in papers(root or find_root()):
        verdicts = [v for c in part.chapters if c.executed.is_file() for v in _verdicts(c)]
        file = statements.read(part.claims)
        entries += judged(file, statements.homes(part), verdicts, part)
    return entries


def _verdicts(chapter: Chapter) -> list[dict[str, Any]]:
    """The verdicts of an executed chapter, each with the scale and device of its run."""
    notebook = read_notebook(chapter.executed)
    facts = outputs(notebook, provenance.MIME)
    run = {
        "scale": notebook.metadata.get(METADATA, {}).get("scale", ""),
        "device": facts[-1].get("device", "") if facts else "",
    }
    tallies = seeds.record(chapter).every()
    return [
        {**v, **run, "tally": tallies.get(v["claim"])}
        | ({"scale": printed_sizes.SCALE} if printed_sizes.is_settled(v) else {})
        for v in outputs(notebook, MIME)
    ]


def recorded() -> list[Entry]:
    """The verdicts of recorded runs, marked so in the scale; only claims that were judged there.

    Raises:
        BookError: if a claims file or a record cannot be read.
    """
    entries: list[Entry] = []
    for part in papers(find_root()):
        file, homes = statements.read(part.claims), statements.homes(part)
        for chapter in part.chapters:
            for record in records.read(chapter):
                when = f"recorded {record['started'].partition(' ')[0]}"
                if not is_current(part, record):
                    when += " (the code has changed)"
                run = {
                    "scale": f"{record['scale']}, {when}",
                    "device": record["provenance"]["device"],
                }
                entries += judged(file, homes, [{**v, **run} for v in record["verdicts"]], part)
    return [e for e in entries if e.scale]


def counts(entries: Sequence[Entry]) -> pd.DataFrame:
    """Number of claims by part (rows, and in total) and state (columns); experiments have grades
    instead, see `experiments`."""
    entries = [e for e in entries if not e.claim.is_experiment]
    tally = Counter((e.part, e.state) for e in entries)
    names = list(dict.fromkeys(e.part for e in entries))
    table = pd.DataFrame([[tally[s, o] for o in STATES] for s in names], names, list(STATES))
    table.loc["in total"] = table.sum()
    table["claims"] = table.sum(axis=1)
    return table


def experiments(graded: Mapping[str, Grade]) -> pd.DataFrame:
    """Number of printed figures and tables by part (rows, and in total) and grade (columns)."""
    tally = Counter((g.chapter.part.name, g.word) for g in graded.values())
    names = list(dict.fromkeys(part for part, _ in tally))
    rows = [[tally[name, word] for word in grades.WORDS] for name in names]
    table = pd.DataFrame(rows, names, list(grades.WORDS), dtype=int)
    table.loc["in total"] = table.sum()
    table["figures and tables"] = table.sum(axis=1)
    return table


def hardness(entries: Sequence[Entry]) -> pd.DataFrame:
    """How the judged claims of each part (rows, and in total) were decided.

    Columns: how many were judged; were attacked by a search; are proved on the page; were decided
    without rounding; were judged with other seeds too, and how many of these always agreed.
    """
    rows: dict[str, Counter[str]] = {}
    for e in entries:
        if e.outcome not in OUTCOMES or e.outcome == "our text":
            continue
        own = rows.setdefault(e.part, Counter())
        own["judged"] += 1
        own["attacked"] += bool(e.attack)
        own["proved on the page"] += e.certificate == "proved on the page"
        own["decided without rounding"] += e.certificate not in ("", "proved on the page")
        if e.tally:
            own["with other seeds"] += 1
            own["always the same"] += set(e.tally.outcomes) == {e.outcome}
    decided = ["attacked", "proved on the page", "decided without rounding"]
    columns = ["judged", *decided, "with other seeds", "always the same"]
    table = pd.DataFrame(list(rows.values()), list(rows), columns).fillna(0).astype(int)
    table.loc["in total"] = table.sum()
    return table


def cells(entries: Sequence[Entry]) -> pd.DataFrame:
    """Every printed number that we recomputed: its label, the paper's value, ours, low, high.

    ``number`` is the table, where the label names one, or that of the claim; ``run`` is the scale.
    """
    rows = [
        {
            "part": e.part,
            "claim": e.claim.id,
            "number": "".join(re.findall(r"^Table \d+", cell["label"])) or e.claim.number,
            "run": e.scale,
            **cell,
        }
        for e in entries
        for cell in e.cells
    ]
    values = ["paper", "ours", "low", "high"]
    columns = ["part", "claim", "number", "run", "label", *values, "agrees"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(values, float))


def scores(reproduced: pd.DataFrame) -> pd.DataFrame:
    """A table's score: printed numbers, share in our interval, median relative difference."""
    printed = reproduced.paper.where(reproduced.paper != 0)
    with_off = reproduced.assign(off=((reproduced.ours - printed) / printed).abs())
    grouped = with_off.groupby(["part", "number", "run"], sort=False)
    return pd.DataFrame(
        {
            "numbers": grouped.size(),
            "share covered": grouped["agrees"].mean(),
            "median relative difference": grouped["off"].median(),
        }
    ).reset_index()


class ClaimTable:
    """All claims as an HTML table that the site's script makes filterable."""

    def __init__(
        self,
        entries: Sequence[Entry],
        names: Mapping[str, str],
        graded: Mapping[str, Grade] = MappingProxyType({}),
    ) -> None:
        """Names are those of the parts, for readers; grades are by claim."""
        self.entries, self.names, self.graded = entries, names, graded
        places = Counter((e.scale, e.device) for e in entries if e.measured)
        self._usual = max(places, key=lambda place: places[place], default=("", ""))
        self._links = {
            e.claim.id: f"<a href='{e.link}'>{html.escape(e.claim.number)}</a>" for e in entries
        }

    def __repr__(self) -> str:
        return f"{len(self.entries)} claims"

    def _repr_html_(self) -> str:
        return self.table(
            "".join(
                f"<tbody data-part='{html.escape(name, quote=True)}'>{head}{''.join(rows)}</tbody>"
                for name, head, rows in self.parts(self._row)
            )
        )

    def parts(self, row: Callable[[Entry], T]) -> Iterator[tuple[str, str, list[T]]]:
        """For each part: its name, its heading row, and what ``row`` returns for each claim."""
        for part in dict.fromkeys(e.part for e in self.entries):
            name = html.escape(self.names[part])
            head = (
                f"<tr class='chapter'><th colspan='2' scope='rowgroup'>{name}"
                f"<code>featurebook check {part}</code></th></tr>"
            )
            yield self.names[part], head, [row(e) for e in self.entries if e.part == part]

    def table(self, bodies: str = "") -> str:
        """The table with these bodies."""
        usual = ", ".join(filter(None, self._usual))
        return (
            "<table class='ledger'><caption>Every claim of the book; the command beside a "
            "part's name checks its claims again. Scale and device, unless a row names others: "
            f"{html.escape(usual)}. Notes on claims are on the errata pages.</caption>"
            "<thead><tr><th scope='col'>claim</th>"
            f"<th scope='col'>what it says, and what was measured</th></tr></thead>{bodies}</table>"
        )

    def _row(self, e: Entry) -> str:
        return f"<tr id='claim-{e.claim.id}' data-verdict='{self.state(e)}'>{self.cells(e)}</tr>"

    def state(self, e: Entry) -> str:
        """The class that decides a row's colour."""
        grade = self.graded.get(e.claim.id)
        return f"grade-{slug(grade.word)}" if grade else slug(e.outcome)

    def cells(self, e: Entry) -> str:
        """The cells of a claim's row."""
        mark = f"{MARKS[e.outcome]} " if e.outcome in MARKS else ""
        verdict = f"<span class='chip'>{mark}{in_print(e.outcome)}</span>"  # its row has its colour
        if grade := self.graded.get(e.claim.id):
            marked = f"{grades.MARKS[grade.word]} {html.escape(grade.said)}"
            verdict = f"<span class='grade {self.state(e)}'>{marked}</span>"
        shaken = "<br><small>rests on a refuted claim</small>" if e.shaken else ""
        said = as_html(e.claim.text, self._links)
        if e.measured:
            place = (e.scale, e.device)
            where = "" if place == self._usual else f" ({', '.join(place)})"
            tally = e.tally.words(e.outcome) if e.tally and not e.tally.outdated else ""
            more = [e.certificate, "" if tally in e.measured else tally]
            words = "; ".join([f"{e.measured}{where}", *filter(None, more)])
            said += f"<br><small>{as_scripts(words)}</small>"
        named = e.claim.number.endswith(e.claim.kind)  # "Theorem 1, corrected"
        kind = "" if named else f"<small>{e.claim.kind}</small>"
        return (
            f"<td><a href='{e.link}'>{html.escape(e.claim.number)}</a> "
            f"{kind}<br>{verdict}{shaken}</td><td>{said}</td>"
        )
