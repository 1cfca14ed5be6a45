"""GemFilter: an early layer filters the prompt. Thesis of Shi, Chapters 9 and 10, Appendix G.

Modules: `network` (a decoder), `inference` (GemFilter, full cache, SnapKV, H2O, one run), `costs`
(Theorem 9.3 and a tracer), `data` (the needle task), `training`, `experiments`, `printed` (the
tables), `real` (models of transformers). To use the algorithm elsewhere::

    from featurebook.papers.gemfilter.inference import Selection, gemfilter
"""
