"""The checks of the claims on GemFilter."""

from featurebook.papers.gemfilter.checks import model, needles, networks, stages, tables
from featurebook.papers.gemfilter.checks.registry import claims

__all__ = ["claims", "model", "needles", "networks", "stages", "tables"]
