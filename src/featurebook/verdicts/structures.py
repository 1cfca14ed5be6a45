"""Where attacks start: random points, and the structured ones in which statements break."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from featurebook.core.ensemble import generator, map_tensors

Point: TypeAlias = Tensor | dict[str, Tensor]

KINDS = (
    "equal", "opposite", "repeated", "groups", "rank one", "rank two", "sparse", "orthogonal",
    "scales", "tiny", "huge",
)  # fmt: skip
"""Structures of a matrix with rows of equal standing: samples, patches, neurons, features."""


@dataclass(frozen=True)
class Starts:
    """R starts of an attack.

    Attributes:
        points: a tensor (R, ...), or several by name.
        names: what each is, in words.
    """

    points: Point
    names: tuple[str, ...]

    @classmethod
    def plain(cls, points: Point) -> "Starts":
        """Starts without names."""
        first = points if isinstance(points, Tensor) else next(iter(points.values()))
        return cls(points, tuple(f"start {k + 1}" for k in range(len(first))))

    def __add__(self, other: "Starts") -> "Starts":
        joined = map_tensors(lambda *x: torch.cat(x), self.points, other.points)
        return Starts(joined, self.names + other.names)


def starts(
    shapes: Sequence[int] | Mapping[str, Sequence[int]],
    *,
    random: int = 64,
    seed: int = 0,
    kinds: Sequence[str] = KINDS,
) -> Starts:
    """Random starts, and structured ones: exact, and disturbed by a hundredth.

    A symmetric point is often a saddle, where the gradient vanishes; next to it, it does not.

    Args:
        shapes: of one instance, such as (n, d), or by name {"X": (n, d), "w": (d,)}. Rows are what
            the structures treat as equals; () is a number, (d,) one row.
        random: how many are standard normal.
        seed: of all that is drawn.
        kinds: which of `KINDS`; with several tensors all have the same structure at a time, and
            then each by itself beside random others.
    """
    named = shapes if isinstance(shapes, Mapping) else {"": shapes}
    g = generator(seed, "attack")
    points: dict[str, list[Tensor]] = {name: [] for name in named}
    names: list[str] = []

    def add(name: str, structure: Mapping[str, str]) -> None:
        names.append(name)
        for key, shape in named.items():
            points[key].append(structured(structure.get(key, "random"), shape, g))

    for k in range(random):
        add(f"random start {k + 1}", {})
    for kind in kinds:
        choices = [dict.fromkeys(named, kind)]
        if len(named) > 1:
            choices += [{name: kind} for name in named]
        for choice in choices:
            which = "" if len(choice) == len(named) else f" {next(iter(choice))}"
            add(f"the start {kind}{which}", choice)
            names.append(f"near the start {kind}{which}")
            for rows in points.values():
                size = rows[-1].abs().max()
                noise = torch.randn(rows[-1].shape, generator=g, dtype=torch.float64)
                rows.append(rows[-1] + 0.01 * size * noise)
    stacked = {name: torch.stack(rows) for name, rows in points.items()}
    return Starts(stacked if isinstance(shapes, Mapping) else stacked[""], tuple(names))


def structured(kind: str, shape: Sequence[int], g: torch.Generator) -> Tensor:
    """One tensor of a structure in `KINDS`, or "random".

    equal: all rows the same; opposite: rows in pairs x, -x; repeated: every row twice; groups:
    three different rows in shares 1/2, 1/4, 1/4; rank one, rank two; sparse: one nonzero number per
    row; orthogonal: rows orthonormal as far as they can be; scales: rows of sizes 1e-4 to 1e4;
    tiny, huge: everything times 1e-4, 1e4.
    """
    x = torch.randn(tuple(shape), generator=g, dtype=torch.float64)
    if kind in ("random", "tiny", "huge") or not shape:
        factor = {"tiny": 1e-4, "huge": 1e4}.get(kind, 1.0)
        return x * factor if shape or kind != "equal" else torch.ones_like(x)
    rows = x.reshape(-1, shape[-1])
    n, d = rows.shape
    if kind in ("equal", "opposite", "repeated", "groups"):
        place = {
            "equal": [0] * n,
            "opposite": [i // 2 for i in range(n)],
            "repeated": [i // 2 for i in range(n)],
            "groups": [0 if 2 * i < n else 1 if 4 * i < 3 * n else 2 for i in range(n)],
        }[kind]
        rows = rows[[min(i, n - 1) for i in place]]
        if kind == "opposite":
            rows = rows * torch.tensor([1.0, -1.0], dtype=rows.dtype).repeat(n)[:n, None]
    elif kind in ("rank one", "rank two"):
        r = min({"rank one": 1, "rank two": 2}[kind], n, d)
        rows = torch.randn(n, r, generator=g, dtype=rows.dtype) @ rows[:r]
    elif kind == "sparse":
        keep = torch.nn.functional.one_hot(torch.randint(d, (n,), generator=g), d)
        rows = rows * keep
    elif kind == "orthogonal":
        q = torch.linalg.qr(torch.randn(d, d, generator=g, dtype=rows.dtype))[0]
        rows = q[torch.arange(n) % d]
    elif kind == "scales":
        rows = rows * torch.logspace(-4, 4, n, dtype=rows.dtype)[:, None]
    else:
        raise ValueError(f"{kind!r} is no structure; there are {', '.join(KINDS)}")
    return rows.reshape(*shape)
