"""Write ``book/performance.md`` from the newest records: ``python benchmarks/page.py``."""

import json
from pathlib import Path
from string import Template
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from featurebook import figures

HERE = Path(__file__).parent
BOOK = HERE.parent / "book"
PAGE = BOOK / "performance.md"
FIGURE = BOOK / "performance-replicas.svg"
DRAWN = "patches (24, 20, 28), batch 32"
"""The workload of the figure, the one that was measured for most numbers of replicas."""


def table(columns: list[str], rows: list[list[str]]) -> str:
    """A Markdown table, numbers to the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(x: float | None) -> str:
    return "" if x is None else f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def pays_from(row: dict[str, Any]) -> str:
    """Steps after which compiling has paid for itself."""
    if "compiled ms" not in row:
        return ""
    gain = row["eager ms"] - row["compiled ms"]
    return number(row["compiled first round s"] * 1e3 / gain) if gain > 0 else "never"


def gpu_for_readers(record: dict[str, Any]) -> dict[str, str]:
    """The newest record of `gpu.py` for readers: every other number of replicas of the figure's."""
    rows = [r for r in record["rows"] if r["workload"] == DRAWN][::2]
    names = ("loop", "compiled", "floor")
    lines = [[str(r["replicas"]), *(number(r.get(f"{n} ms")) for n in names)] for r in rows]
    return {
        "gpu_where": f"On one {record['device'].partition(',')[0]}",
        "gpu_times": table(["replicas", *(LINES[n][0] for n in names)], lines),
    }


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
    patches = [r for r in rows if r["workload"].startswith("patches")]
    return {
        "many": str(rows[0]["replicas"]),
        "gains": gains(rows),
        "work": f"autoencoder of {DRAWN}",
        "alt": alternative(record),
        "rounds": str(record["rounds"]),
        "where": f"Measured on {record['date'][:10]} on {record['device']}, with torch "
        f"{record['torch']} and JAX {record['jax']}",
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
    parts |= gpu_for_readers(read(HERE / "records" / "gpu")[0])
    return Template((HERE / "page.md").read_text()).substitute(parts).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    draw(read(HERE / "records")[0])
