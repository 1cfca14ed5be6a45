"""Fourier circuits for modular addition (thesis, Chapter 4 and Appendix C).

- `network`: the one-hidden-layer network (4.2), its margins and norms.
- `theory`: the maximum margin in closed form, the regularised minimum, counts of neurons.
- `circuits`: max-margin networks built from cosines, and the exact test of their phases.
- `fourier`: what a neuron or a network looks like in Fourier space.
- `single`: one neuron: its class-weighted margin, and ascent on it.
- `ascent`: ascent on the margin of whole networks.
- `training`: regularised training of two-layer networks.
- `transformers`: attention-only and two-layer transformers on the same task.
- `printed`: sizes that the thesis prints.
- `pictures`: figures of the chapters.
- `checks`: the experiments and the checks of all claims.
"""
