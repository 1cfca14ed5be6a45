"""The forms of files that the book writes, as far as it relies on them; see `door.check`."""

from datetime import date
from typing import Annotated, Any, Literal, NotRequired

from annotated_types import Len, Predicate
from typing_extensions import TypedDict

VERDICT = "application/vnd.featurebook.verdict+json"
OUTCOME = Literal[
    "holds", "refuted", "vacuous", "trend", "contrary", "mixed", "two readings", "open", "our text"
]
"""Copies from `featurebook.verdicts`, which imports torch; a test compares them."""


class Verdict(TypedDict):
    """A verdict as `featurebook.verdicts.Verdict.as_dict` gives it."""

    claim: str
    outcome: OUTCOME
    measured: str
    numbers: dict[str, float | str]
    samples: int
    cells: list[dict[str, Any]]
    parts: NotRequired[list[dict[str, Any]]]
    instance: NotRequired[dict[str, Any]]
    attack: NotRequired[dict[str, Any]]


class About(TypedDict, total=False):
    """What an executed notebook records about its execution; earlier versions recorded less."""

    chapter: str
    scale: str
    parameters: dict[str, Any]
    started: str
    seconds: float
    key: dict[str, str]
    data: dict[str, str]
    lacking: list[str]


class Ran(TypedDict):
    """What was run, when, and for how long."""

    chapter: str
    scale: str
    parameters: dict[str, Any]
    started: str
    seconds: float


class Executed(Ran):
    """As `About`, where all of it is needed."""

    key: dict[str, str]


class Metadata(TypedDict):
    featurebook: NotRequired[About]


Data = TypedDict("Data", {VERDICT: NotRequired[Verdict]})  # type: ignore[misc]


class Output(TypedDict):
    data: NotRequired[Data]
    metadata: NotRequired[dict[str, Any]]
    text: NotRequired[str]


class OfCell(TypedDict):
    tags: NotRequired[list[str]]


class Cell(TypedDict):
    cell_type: str
    source: str
    metadata: OfCell
    outputs: NotRequired[list[Output]]


class Notebook(TypedDict):
    """A notebook in Jupyter's format 4, with the book's own data."""

    metadata: Metadata
    cells: list[Cell]


class Card(TypedDict):
    device: str
    commit: str


class Kept(TypedDict):
    code: str
    bytes: int | None
    seconds: NotRequired[float]


class Judged(TypedDict):
    code: str
    seconds: float


class WithSeed(TypedDict):
    """The outcome of a claim with a further seed, see `featurebook.press.run.seeded`."""

    code: str
    sizes: str
    outcome: OUTCOME
    reason: str
    detail: str
    measured: str
    parts: list[dict[str, Any]]


class FurtherSeed(TypedDict):
    started: str
    seconds: float
    claims: dict[str, WithSeed]


class Record(Ran):
    """A recorded run, see `featurebook.press.run.records`."""

    resumed: bool
    provenance: Card
    verdicts: list[Verdict]
    experiments: dict[str, Kept]
    checks: dict[str, Judged]
    seeds: NotRequired[dict[Annotated[str, Predicate(str.isdecimal)], FurtherSeed]]


class Seeded(TypedDict):
    code: str
    outcomes: dict[Annotated[str, Predicate(str.isdecimal)], OUTCOME]


class Seeds(TypedDict):
    """A record of seeds, see `featurebook.press.run.seeds`."""

    seconds: NotRequired[float]
    claims: dict[str, Seeded]


Pages = list[Annotated[list[str], Len(3, 3)]]
"""Names, titles and subjects of the site's pages, see `featurebook.press.site.finder`."""


class Author(TypedDict):
    name: str


Citation = TypedDict(
    "Citation", {"title": str, "authors": list[Author], "date-released": str | date}
)
"""``CITATION.cff``."""


class Configuration(TypedDict):
    """``_config.yml``."""

    title: str


class Run(TypedDict):
    """One run of a sweep, see `featurebook.press.run.results`."""

    status: Literal["done", "failed"]
    chapter: str
    scale: str
    parameters: dict[str, Any]
    key: dict[str, str]
    error: NotRequired[str]
    seconds: NotRequired[float]
    started: NotRequired[str]
    provenance: NotRequired[dict[str, Any]]
    verdicts: NotRequired[list[Verdict]]
