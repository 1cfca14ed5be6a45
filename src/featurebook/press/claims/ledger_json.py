"""The ledger for other programs: every claim with its verdict, and its grade, as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from featurebook.press.claims import implied, statements
from featurebook.press.claims.formulas import plain
from featurebook.press.claims.found import in_words
from featurebook.press.claims.grades import Grade
from featurebook.press.claims.judgements import STATES, Entry
from featurebook.verdicts import OUTCOMES


def as_json(entries: Sequence[Entry], graded: Mapping[str, Grade]) -> str:
    """The ledger for other programs; `SCHEMA` describes it."""
    return json.dumps(
        {
            "version": 1,
            "claims": [
                {
                    **{k: v for k, v in asdict(e.claim).items() if k != "statement"},
                    **{k: plain(getattr(e.claim, k)) for k in ("text", "note", "first_look")},
                    **{k: v for k, v in asdict(e).items() if k not in ("claim", "source")},
                    "found": plain(in_words(e.claim, asdict(e) | {"claim": e.claim.id})),
                    "myst": e.claim.text,
                    "part": e.part,
                    "grade": graded[e.claim.id].as_dict() if e.claim.id in graded else None,
                    "link": e.page,
                    "page": e.own_page,
                    "check": e.check_page if e.measured else "",
                    "command": e.command if e.measured else "",
                }
                for e in entries
            ],
        },
        indent=1,
        ensure_ascii=False,
    )


_TEXT = {"type": "string"}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "featurebook ledger",
    "type": "object",
    "required": ["version", "claims"],
    "properties": {
        "version": {"const": 1},
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "chapter", "paper", "number", "kind", "text", "outcome", "link"],
                "properties": {
                    "id": {**_TEXT, "description": "also the anchor of the theorem"},
                    "part": _TEXT,
                    "chapter": {**_TEXT, "description": "the page that it stands on"},
                    "paper": {**_TEXT, "description": "BibTeX key"},
                    "title": {**_TEXT, "description": "its name, in a few words"},
                    "number": {**_TEXT, "description": "as the paper prints it; else the title"},
                    "kind": {"enum": list(implied.KINDS)},
                    "text": {**_TEXT, "description": "one sentence, its formulas as Unicode"},
                    "myst": {**_TEXT, "description": "the same with its formulas as TeX"},
                    "expected": {"enum": [*OUTCOMES, None]},
                    "rests_on": {"type": "array", "items": _TEXT},
                    "place": _TEXT,
                    "note": _TEXT,
                    "corrects": _TEXT,
                    "ours": {"type": "boolean", "description": "no paper states it"},
                    "first_look": {**_TEXT, "description": "what was changed after a first look"},
                    "was": {
                        "type": "array",
                        "items": {"enum": list(OUTCOMES)},
                        "description": "earlier verdicts, the oldest first",
                    },
                    "found": {**_TEXT, "description": "what was found, in a sentence"},
                    **dict.fromkeys(statements.OF_EXPERIMENTS, _TEXT),
                    "outcome": {"enum": list(STATES)},
                    "grade": {
                        "type": ["object", "null"],
                        "description": "of a printed figure or table: how well it was reproduced",
                    },
                    "measured": _TEXT,
                    "numbers": {"type": "object"},
                    "samples": {"type": "integer"},
                    "cells": {"type": "array", "items": {"type": "object"}},
                    "parts": {"type": "array", "items": {"type": "object"}},
                    "reason": _TEXT,
                    "scale": _TEXT,
                    "device": _TEXT,
                    "shaken": {"type": "boolean", "description": "rests on a refuted claim"},
                    "certificate": {**_TEXT, "description": "how it was decided without doubt"},
                    "attack": {
                        "type": "object",
                        "description": "the search that tried to break it",
                    },
                    "instance": {
                        "type": "object",
                        "description": "the instance that decides, such as a counterexample",
                    },
                    "tally": {
                        "type": ["object", "null"],
                        "description": "outcomes with other seeds; outdated if the code changed",
                    },
                    "link": {**_TEXT, "description": "page and anchor, from the site's root"},
                    "page": {**_TEXT, "description": "its own page, from the site's root"},
                    "check": {**_TEXT, "description": "the same of the cell that checked it"},
                    "command": {**_TEXT, "description": "what checks it again"},
                },
                "additionalProperties": False,
            },
        },
    },
}
