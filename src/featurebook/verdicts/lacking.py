"""What a machine lacks leaves a claim open, and never fails a build."""

from featurebook.verdicts.verdict import Verdict


class LackingError(Exception):
    """An experiment needs what this machine does not have; the message says how to get it."""


def lacks(claim: str, what: str, source: str = "") -> Verdict:
    """The verdict on a claim whose experiments cannot be run here."""
    return Verdict(
        claim, "open", f"not judged: {what}", {}, 0, reason="not judged", detail=what, source=source
    )
