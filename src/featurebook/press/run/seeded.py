"""The outcomes of a record's claims with further seeds, at the record's own scale.

A record holds the experiments of one seed, and of further seeds the outcomes of the checks alone:

    "seeds": {"1000": {"started": ..., "seconds": ..., "claims": {"PART-figure-1": {...}}}}
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from featurebook.press.book.places import Chapter, Part
from featurebook.press.run import experiments, freshness
from featurebook.press.run.results import Result
from featurebook.press.run.seeds import SEED, STEP

if TYPE_CHECKING:
    from featurebook.verdicts.claims import Claims

NOT_A_SIZE = (SEED, "device")
"""Parameters that may differ between runs of one size."""


def further(values: Mapping[str, Any], many: int) -> list[int]:
    """The seeds besides the run's own: 1000, 2000, ..., ``many`` in all with it."""
    own = values.get(SEED)
    return [seed for k in range(many) if (seed := STEP * (k + 1)) != own][: max(0, many - 1)]


def lacking(
    chapter: Chapter, claims: "Claims", record: Result, often: Sequence[str], many: int
) -> dict[int, list[str]]:
    """The claims that each further seed still has to judge, by today's code.

    Args:
        record: of the first seed.
        often: ids of the claims to judge with further seeds.
        many: seeds in all.
    """
    values = record["parameters"]
    if SEED not in values:
        return {}
    judged, _ = experiments.named(chapter, claims)
    wanted = [c for c in judged if c in often and SEED in claims.needs(c)]
    left = {
        seed: [c for c in wanted if not is_current(chapter, claims, record, str(seed), c)]
        for seed in further(values, many)
    }
    return {seed: names for seed, names in left.items() if names}


def is_current(chapter: Chapter, claims: "Claims", record: Result, seed: str, claim: str) -> bool:
    """Whether a record has the outcome of a claim with a seed, for today's code and sizes."""
    found = record.get("seeds", {}).get(seed, {}).get("claims", {}).get(claim, {})
    return bool(
        found.get("code") == experiments.digest(chapter.part, claim)
        and found.get("sizes") == sizes(chapter, claims, record["parameters"], claim)
    )


def sizes(chapter: Chapter, claims: "Claims", values: Mapping[str, Any], claim: str) -> str:
    """A checksum of a claim's parameters, except seed and device."""
    every = experiments.values_of(chapter, values)
    return freshness.of_values(
        {n: every[n] for n in claims.needs(claim) if n in every and n not in NOT_A_SIZE}
    )


def outcomes(chapter: Chapter, claims: "Claims", run: experiments.Run) -> dict[str, dict[str, Any]]:
    """A record's data on a further seed's verdicts, by claim."""
    return {
        v["claim"]: {
            "code": experiments.digest(chapter.part, v["claim"]),
            "sizes": sizes(chapter, claims, run.values, v["claim"]),
            **brief(v),
            "parts": [{"title": p["title"], **brief(p)} for p in v["parts"]],
        }
        for v in run.verdicts
    }


def brief(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a verdict that a rate needs, and its sentence."""
    return {name: verdict[name] for name in ("outcome", "reason", "detail", "measured")}


def of_claim(
    part: Part, record: Result, claim: str, wanted_sizes: str
) -> Iterator[tuple[dict[str, Any], bool]]:
    """The outcomes of a claim with a record's further seeds, and whether each is from today's code.

    Outcomes at other sizes say nothing about these and are left out.
    """
    code = experiments.digest(part, claim)
    own = str(record["parameters"].get(SEED))
    for seed, about in record.get("seeds", {}).items():
        found = about["claims"].get(claim)
        if found and seed != own and found["sizes"] == wanted_sizes:
            yield found, found["code"] == code


def key_of_part(title: str) -> str:
    """The title of a verdict's part without measured numbers, which vary with the seed.

    Numbers that identify the part stay: those of a table or figure, and values of symbols.
    """
    named = r"(?<![\d.,])(?<!Table )(?<!Figure )(?<![A-Za-z] = )"
    return re.sub(named + r"[−-]?\d[\d.,]*(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?", "#", title)
