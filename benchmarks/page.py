"""Draw the book's page on performance from the records: ``python benchmarks/page.py``."""

import json
from datetime import datetime
from pathlib import Path
from string import Template
from typing import Any

HERE = Path(__file__).parent
WORDS = HERE / "page.md"
PAGE = HERE.parent / "book" / "performance.md"


def table(columns: list[str], rows: list[list[str]]) -> str:
    """A Markdown table, numbers to the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(x: float | None) -> str:
    return "" if x is None else f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def ratio(row: dict[str, Any], above: str, below: str) -> str:
    a, b = row.get(f"{above} ms"), row.get(f"{below} ms")
    return number(a / b if a and b else None)


def pays_from(row: dict[str, Any]) -> str:
    """Steps after which compiling has paid for itself."""
    if "compiled ms" not in row:
        return ""
    gain = row["eager ms"] - row["compiled ms"]
    return number(row["compiled first round s"] * 1e3 / gain) if gain > 0 else "never"


def where(record: dict[str, Any]) -> str:
    return (
        f"{record['date']}, {record['device']}, torch {record['torch']}, JAX {record['jax']}, "
        f"Python {record['python']}, commit `{record['commit']}`"
        + (" with uncommitted changes" if record["uncommitted changes"] else "")
    )


NAMES = ["loop", "jax", "dense eager", "eager", "compiled", "floor"]
PAIRS = [("loop", "floor"), ("loop", "eager"), ("loop", "compiled"), ("jax", "compiled"),
         ("compiled", "floor"), ("dense eager", "compiled")]  # fmt: skip


def section(record: dict[str, Any]) -> str:
    """One record: times, ratios, growth, where the time goes, memory."""
    parts = [
        f"### {when(record)} UTC\n",
        f"{where(record)}. Medians of {record['rounds']} rounds. The machine was shared: load "
        f"{record['load before']} before and {record['load after']} after.\n",
        "Milliseconds a step of the whole ensemble:\n",
        times(record["rows"]),
        "Ratios of these, the first round of *compiled*, and the steps from which it pays:\n",
        ratios(record["rows"]),
        "How it grows with replicas, width and batch, milliseconds a step:\n",
        times(record["growth"]),
    ]
    if shares := record.get("profile"):
        parts += ["Where the time of an eager step goes, per cent of its CPU time:\n",
                  profile(shares)]  # fmt: skip
    if shares := record.get("profile compiled"):
        parts += ["And of the compiled gradient:\n", profile(shares)]
    if memory := record.get("memory"):
        parts += ["Peak memory that a fresh process takes, in MiB, data and code included:\n",
                  peaks(memory)]  # fmt: skip
    return "\n".join(parts)


TARGETS = {
    ("loop", "compiled"): "at least 4", ("jax", "compiled"): "at least 1",
    ("compiled", "floor"): "at most 2", ("dense eager", "compiled"): "at least 6",
    ("loop", "floor"): "the ceiling",
}  # fmt: skip


def targets(records: list[dict[str, Any]]) -> str:
    """What was aimed at, and what each record gave; the last ratio is the most one can gain."""
    columns = [f"{above} / {below}: {aim}" for (above, below), aim in TARGETS.items()]
    lines = [
        [
            rows[0]["workload"] if k == 0 else "",
            short(record),
            *(ratio(rows[k], *p) for p in TARGETS),
        ]
        for rows in zip(*(r["rows"] for r in records), strict=True)
        for k, record in enumerate(records)
    ]
    return table(["workload", "record", *columns], lines)


def when(record: dict[str, Any]) -> str:
    return record["date"].replace("T", " ").removesuffix("+00:00")


def short(record: dict[str, Any]) -> str:
    """Day and time, in one line of a narrow column."""
    return f"{datetime.fromisoformat(record['date']):%d %b %H:%M}".replace(
        " ", "\N{NO-BREAK SPACE}"
    )


def pieces(record: dict[str, Any]) -> str:
    """What a step is made of, beside the floor of each piece."""
    works = record["pieces"]
    names = list(dict.fromkeys(name for of in works.values() for name in of))
    keys = ("ms", "floor ms")
    lines = [
        [name, *(number(of.get(name, {}).get(k)) for of in works.values() for k in keys)]
        for name in names
    ]
    sums = [sum(x[k] or 0 for x in of.values()) for of in works.values() for k in keys]
    columns = [c for work in works for c in (work, "floor")]
    return f"Milliseconds ({where(record)}):\n\n" + table(
        ["piece", *columns], [*lines, ["sum", *map(number, sums)]]
    )


def times(rows: list[dict[str, Any]]) -> str:
    names = [n for n in NAMES if any(f"{n} ms" in r for r in rows)]
    lines = [
        [r["workload"], str(r["replicas"]), *(number(r.get(f"{n} ms")) for n in names)]
        for r in rows
    ]
    return table(["workload", "replicas", *names], lines)


def ratios(rows: list[dict[str, Any]]) -> str:
    lines = [
        [
            r["workload"],
            *(ratio(r, *p) for p in PAIRS),
            number(r["compiled first round s"]),
            pays_from(r),
        ]
        for r in rows
    ]
    columns = [*(f"{a} / {b}" for a, b in PAIRS), "first round, s", "pays from"]
    return table(["workload", *columns], lines)


def profile(shares: dict[str, dict[str, float]]) -> str:
    kinds = list(dict.fromkeys(kind for of in shares.values() for kind in of))
    lines = [
        [work, *(f"{100 * of.get(kind, 0):.0f}" for kind in kinds)] for work, of in shares.items()
    ]
    return table(["workload", *kinds], lines)


def peaks(memory: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(memory.values())))
    lines = [[work, *(f"{of[name]:.0f}" for name in names)] for work, of in memory.items()]
    return table(["workload", *names], lines)


def chapters(record: dict[str, Any]) -> str:
    """One record of `chapters.py`."""
    lines = [
        [name, number(t["plain s"]), number(t["core s"]), number(t["plain s"] / t["core s"])]
        for name, t in record["chapters"].items()
    ]
    return f"Seconds ({where(record)}):\n\n" + table(["chapter", "plain", "core", "ratio"], lines)


def precision(record: dict[str, Any]) -> str:
    """One record of `precision.py`."""
    rows = [[name, *(f"{x:.6g}" for x in errors)] for name, errors in record["errors"].items()]
    seeds = [f"seed {k}" for k in range(len(rows[0]) - 1)]
    return (
        "Mean square error of four (24, 20, 28) autoencoders after 600 steps, from the same start "
        f"and batches, evaluated in double precision ({where(record)}):\n\n"
        + table(["precision", *seeds], rows)
    )


def page() -> str:
    """The whole page; newest record first."""

    def read(folder: Path) -> list[dict[str, Any]]:
        return [json.loads(p.read_text()) for p in sorted(folder.glob("*.json"), reverse=True)]

    speed, exact = read(HERE / "records"), read(HERE / "records" / "precision")
    whole = read(HERE / "records" / "chapters")
    parts = {
        "targets": targets(speed[:4]),
        "pieces": pieces(read(HERE / "records" / "pieces")[0]),
        "speed": "\n".join(map(section, speed)),
        "chapters": "\n".join(map(chapters, whole)),
        "precision": "\n".join(map(precision, exact[:1])),
    }
    return Template(WORDS.read_text()).substitute(parts).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
