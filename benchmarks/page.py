"""Draw the book's page on performance from the records: ``python benchmarks/page.py``."""

import json
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


def section(record: dict[str, Any]) -> str:
    """One record: times, ratios, growth."""
    main = [r for r in record["rows"] if "loop ms" in r]
    names = ["loop", "jax", "dense eager", "eager", "compiled", "floor"]
    times = [
        [r["workload"], str(r["replicas"]), *(number(r.get(f"{n} ms")) for n in names)]
        for r in main
    ]
    pairs = [("loop", "eager"), ("loop", "compiled"), ("jax", "compiled"), ("compiled", "floor"),
             ("dense eager", "compiled")]  # fmt: skip
    ratios = [[r["workload"], *(ratio(r, *p) for p in pairs), pays_from(r)] for r in main]
    few = ["jax", "eager", "floor"]
    grown = [
        [r["workload"], str(r["replicas"]), *(number(r.get(f"{n} ms")) for n in few)]
        for r in record["rows"]
        if "loop ms" not in r
    ]
    parts = [
        f"## {record['date'][:10]}\n",
        f"{where(record)}. Medians of {record['rounds']} rounds. The machine was shared: "
        f"load {record['load before']} before and {record['load after']} after, so that times "
        "say less than ratios, and ratios vary too.\n",
        "Milliseconds a step of the whole ensemble:\n",
        table(["workload", "replicas", *names], times),
        "Ratios of these, and the steps from which compiling pays:\n",
        table(["workload", *(f"{a} / {b}" for a, b in pairs), "pays from"], ratios),
    ]
    if grown:
        parts += ["How it grows, milliseconds a step:\n",
                  table(["workload", "replicas", *few], grown)]  # fmt: skip
    return "\n".join(parts)


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
    parts = {
        "speed": "\n".join(map(section, speed)),
        "precision": "\n".join(map(precision, exact[:1])),
    }
    return Template(WORDS.read_text()).substitute(parts).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
