"""Universality against label efficiency: what contrastive pre-training on more tasks costs.

Thesis of Shi, Chapter 7 and Appendix F. Modules: `tables` (representations as finite tables: the
contrastive loss as PCA, and what the optimum encodes), `circle` (certified optima on the circle),
`linear` (the linear model in closed form), `probes` (its simulated risk), `training` (contrastive
training of W), `images` (the counterpart on small images), `printed` (the tables), `pictures`.
"""
