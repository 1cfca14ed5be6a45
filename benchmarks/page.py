"""Draw the book's pages on performance from the records: ``python benchmarks/page.py``.

``book/performance.md`` is for readers, from the newest record; ``book/performance_records.md`` has
all of them.
"""

import json
from datetime import datetime
from pathlib import Path
from string import Template
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from featurebook import figures

HERE = Path(__file__).parent
BOOK = HERE.parent / "book"
PAGE, RECORDS = BOOK / "performance.md", BOOK / "performance_records.md"
FIGURE = BOOK / "performance-replicas.svg"
DRAWN = "patches (24, 20, 28), batch 32"
"""The workload of the figure, the one that was measured for most numbers of replicas."""


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
        + "".join(f"; {name}: {value}" for name, value in record.get("kernels", {}).items())
    )


NAMES = ["loop", "jax", "dense eager", "eager", "compiled", "floor", "onednn floor", "before eager",
         "before compiled"]  # fmt: skip
PAIRS = [("loop", "floor"), ("loop", "eager"), ("loop", "compiled"), ("jax", "compiled"),
         ("compiled", "floor"), ("dense eager", "compiled")]  # fmt: skip


def section(record: dict[str, Any]) -> str:
    """One record: times, ratios, growth, where the time goes, memory."""
    parts = [
        f"### {when(record)} UTC\n",
        f"{where(record)}. Medians of {record['rounds']} rounds. The machine was shared: load "
        f"{record['load before']} before and {record['load after']} after.\n",
        f"Milliseconds a step of the whole ensemble{earlier(record)}:\n",
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


def earlier(record: dict[str, Any]) -> str:
    """Whose times the columns *before* hold, where a record has them."""
    revision = record.get("before")
    return (
        f"; *before* is the core of `{revision}`, measured in the same rounds" if revision else ""
    )


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


def called(record: dict[str, Any]) -> str:
    """The same of the newest record where calls dominate, with what the earlier core took."""
    pairs = {**TARGETS, ("before compiled", "compiled"): "before"}
    columns = [f"{above} / {below}" + (f": {aim}" if (above, below) in TARGETS else "")
               for (above, below), aim in pairs.items() if above != "dense eager"]  # fmt: skip
    rows = [r for r in record["growth"] if r["workload"].startswith(CALLS)]
    lines = [
        [r["workload"], str(r["replicas"]), *(ratio(r, *p) for p in pairs if p[0] != "dense eager")]
        for r in rows
    ]
    return table(["workload", "replicas", *columns], lines)


CALLS = ("parity (D = 20", "looped", "patches (2, 2, 2)")
"""How the workloads are named of which a step is calls rather than arithmetic."""


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


ON_GPU = ["loop", "eager", "compiled", "floor"]


def gpu(record: dict[str, Any]) -> str:
    """One record of `gpu.py`: times and the memory that a training takes."""
    lines = [
        [
            r["workload"], str(r["replicas"]), *(number(r.get(f"{n} ms")) for n in ON_GPU),
            *(ratio(r, *p) for p in (("loop", "compiled"), ("compiled", "floor"))),
            number(record["drawing ms"][str(r["replicas"])]),
            number(r["compiled first round s"]), number(r["compiled MiB"]),
        ]
        for r in record["rows"]
    ]  # fmt: skip
    columns = ["workload", "replicas", *ON_GPU, "loop / compiled", "compiled / floor",
               "drawing batches", "first round, s", "compiled, MiB"]  # fmt: skip
    return f"Milliseconds a step ({where(record)}):\n\n" + table(columns, lines)


def gpu_for_readers(record: dict[str, Any]) -> dict[str, str]:
    """The newest record of `gpu.py` for readers: every other number of replicas of the figure's."""
    rows = [r for r in record["rows"] if r["workload"] == DRAWN][::2]
    names = ("loop", "compiled", "floor")
    lines = [[str(r["replicas"]), *(number(r.get(f"{n} ms")) for n in names)] for r in rows]
    return {
        "gpu_where": f"On one {record['device'].partition(',')[0]}",
        "gpu_times": table(["replicas", *(LINES[n][0] for n in names)], lines),
    }


def chapters(record: dict[str, Any]) -> str:
    """One record of `chapters.py`."""
    took = record["chapters"]
    whole = {key: sum(t[key] for t in took.values()) for key in ("plain s", "core s")}
    lines = [
        [name, number(t["plain s"]), number(t["core s"]), number(t["plain s"] / t["core s"])]
        for name, t in [*took.items(), ("all", whole)]
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


LINES = {
    "loop": ("plain loop", "#c0392b", "o-"), "jax": ("JAX", "#a86400", "s--"),
    "eager": ("ours, eager", "#1f6fb2", "^-."), "compiled": ("ours, compiled", "#117a52", "D-"),
    "floor": ("floor", "#6b7280", "v:"),
}  # fmt: skip
"""The contestants of the figure: name, colour, marker and line."""


def gains(rows: list[dict[str, Any]]) -> str:
    """The newest record for readers: what others take in units of ours, and when compiling pays."""
    lines = [
        [r["workload"], *(times_as_long(r, who) for who in ("loop", "jax")), steps(pays_from(r))]
        for r in rows
    ]
    columns = ["what is trained", "plain loop", "JAX", "compiling pays from step"]
    return table(columns, lines).rstrip()


def steps(text: str) -> str:
    """A number of steps as a reader takes it in: two digits of it."""
    return f"{int(float(f'{float(text):.2g}')):,}" if text not in ("", "never") else text


def times_as_long(row: dict[str, Any], who: str) -> str:
    ratio = row[f"{who} ms"] / row["compiled ms"]
    return f"{ratio:.1f}\N{NO-BREAK SPACE}×"


def by_replicas(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the workload of the figure, few replicas first."""
    rows = [r for r in [*record["rows"], *record["growth"]] if r["workload"] == DRAWN]
    return sorted(rows, key=lambda r: int(r["replicas"]))


def draw(record: dict[str, Any]) -> None:
    """The figure of time against replicas."""
    rows = by_replicas(record)
    figure = Figure(figsize=(6, 4.2), layout="constrained")
    ax = figure.subplots()
    counts = [r["replicas"] for r in rows]
    for name, (label, colour, line) in LINES.items():
        times = [r[f"{name} ms"] for r in rows]
        ax.loglog(counts, times, line, color=colour, markersize=5, label=label)
    ax.set_xticks(counts, [str(n) for n in counts])
    ax.minorticks_off()
    ax.set_xlim(counts[0] / 1.3, counts[-1] * 5.5)
    ax.set_xlabel("replicas", fontsize=12)
    ax.set_ylabel("milliseconds a step", fontsize=12)
    ax.tick_params(labelsize=11)
    ax.spines[["top", "right"]].set_visible(False)
    figures.label_lines(ax, size=12)
    with mpl.rc_context({"svg.hashsalt": "performance", "svg.fonttype": "path"}):
        figure.savefig(FIGURE, metadata={"Date": None})


def alternative(record: dict[str, Any]) -> str:
    """What the figure shows, for who does not see it."""
    first, *_, last = by_replicas(record)
    said = ", ".join(
        f"{label} {number(first[f'{name} ms'])} and {number(last[f'{name} ms'])}"
        for name, (label, *_) in LINES.items()
    )
    return (f"Five rising lines on logarithmic axes. Milliseconds a step with {first['replicas']} "
            f"and with {last['replicas']} replicas: {said}.")  # fmt: skip


def span(rows: list[dict[str, Any]], above: str, below: str) -> str:
    """The smallest and largest ratio of two times, as a sentence has them."""
    ratios = sorted(r[f"{above} ms"] / r[f"{below} ms"] for r in rows)
    return f"{ratios[0]:.1f} to {ratios[-1]:.1f}"


def for_readers(record: dict[str, Any]) -> dict[str, str]:
    """What the readers' page takes from the newest record."""
    rows = [r for r in record["rows"] if r["replicas"] == record["rows"][0]["replicas"]]
    patches = [r for r in rows if "dense eager ms" in r]
    return {
        "many": str(rows[0]["replicas"]),
        "gains": gains(rows),
        "work": f"autoencoder of {DRAWN}",
        "alt": alternative(record),
        "times": span(by_replicas(record), "loop", "compiled"),
        "first": f"{min(r['compiled first round s'] for r in rows):.0f}",
        "dense": span([r for r in rows if r not in patches], "compiled", "floor"),
        "patches": span(patches, "compiled", "floor"),
    }


def read(folder: Path) -> list[dict[str, Any]]:
    """All records of a folder, the newest first."""
    return [json.loads(p.read_text()) for p in sorted(folder.glob("*.json"), reverse=True)]


def page() -> str:
    """The page for readers."""
    parts = for_readers(read(HERE / "records")[0])
    return filled("page.md", parts | gpu_for_readers(read(HERE / "records" / "gpu")[0]))


def records() -> str:
    """The page of all records."""
    speed, exact = read(HERE / "records"), read(HERE / "records" / "precision")
    parts = {
        "targets": targets(speed[:4]),
        "called": called(speed[0]),
        "pieces": pieces(read(HERE / "records" / "pieces")[0]),
        "gpu": "\n".join(map(gpu, read(HERE / "records" / "gpu"))).rstrip(),
        "speed": "\n".join(map(section, speed)),
        "chapters": "\n".join(map(chapters, read(HERE / "records" / "chapters"))),
        "precision": "\n".join(map(precision, exact[:1])),
    }
    return filled("records.md", parts)


def filled(words: str, parts: dict[str, str]) -> str:
    return Template((HERE / words).read_text()).substitute(parts).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    RECORDS.write_text(records())
    draw(read(HERE / "records")[0])
