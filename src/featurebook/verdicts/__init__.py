"""Check a claim and report the verdict.

Each check returns a `Verdict`: one of nine outcomes, a sentence that says what was measured, the
deciding number first, and the numbers as data. As the last expression of a notebook cell it shows
as a badge and leaves its data in the notebook. No check is told what to expect: that is written in
``book/claims/`` and compared when the book is bound. What each outcome and each reason means stands
in `MEANING` alone.

- `identity`, `inequality`, `everywhere`: instances, judged in doubles (`checks`);
- `attack`, `search`: "for all", searched for counterexamples (`attacks`, `structures`);
- `exactly`: decided in rationals, by algebra or in balls (`certificates`);
- `probability`, `trend`, `exponent`: statistics (`chance`);
- `reproduction`: printed numbers against ours (`tables`);
- `combine`, `only_on`, `undecided`, `contrary`, `in_runs`, `proved`: verdicts made of verdicts
  (`combining`).
"""

from typing import TYPE_CHECKING

from featurebook.on_demand import exports

if TYPE_CHECKING:
    from featurebook.verdicts.attacks import FLOOR, SLACK, attack, search
    from featurebook.verdicts.certificates import balls, exactly, rationals
    from featurebook.verdicts.chance import (
        clopper_pearson,
        exponent,
        exponents,
        mean_interval,
        probability,
        trend,
    )
    from featurebook.verdicts.checks import everywhere, identity, inequality
    from featurebook.verdicts.combining import (
        combine,
        contrary,
        in_runs,
        only_on,
        proved,
        undecided,
    )
    from featurebook.verdicts.structures import KINDS, Starts, starts, structured
    from featurebook.verdicts.tables import reproduction
    from featurebook.verdicts.verdict import Verdict, relabelled
    from featurebook.verdicts.words import (
        COLOURS,
        DECIDED,
        LONGEST,
        MARKS,
        MEANING,
        MIME,
        OUTCOMES,
        Certificate,
        Outcome,
        Reason,
        compared,
        in_print,
        of_slug,
        shown,
        slug,
    )

__all__ = [
    "COLOURS",
    "DECIDED",
    "FLOOR",
    "KINDS",
    "LONGEST",
    "MARKS",
    "MEANING",
    "MIME",
    "OUTCOMES",
    "SLACK",
    "Certificate",
    "Outcome",
    "Reason",
    "Starts",
    "Verdict",
    "attack",
    "balls",
    "clopper_pearson",
    "combine",
    "compared",
    "contrary",
    "everywhere",
    "exactly",
    "exponent",
    "exponents",
    "identity",
    "in_print",
    "in_runs",
    "inequality",
    "mean_interval",
    "of_slug",
    "only_on",
    "probability",
    "proved",
    "rationals",
    "relabelled",
    "reproduction",
    "search",
    "shown",
    "slug",
    "starts",
    "structured",
    "trend",
    "undecided",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = exports(__name__, __file__)
