"""GemFilter: an early layer filters the prompt. Thesis of Shi, Chapters 9 and 10, Appendix G.

Modules: `network` (a decoder), `inference` (GemFilter, full cache, SnapKV, H2O, one run), `costs`
(Theorem 9.3 and a tracer), `data` (the needle task), `training`, `experiments`, `printed` (the
tables), `real` and `decoder` (models of transformers), `haystack` (prompts for these). To use the
algorithm elsewhere::

    from featurebook.papers.gemfilter import generate, released

    generate(model, ids, released(r=14, k=1024))
"""

from featurebook.papers.gemfilter.inference import Selection
from featurebook.papers.gemfilter.real import H2O, OneRun, SnapKV, generate, released, select

__all__ = ["H2O", "OneRun", "Selection", "SnapKV", "generate", "released", "select"]

HEADINGS = {"keep_last 0": "last tokens not always kept"}
"""What labels of tables say instead of names from code."""
