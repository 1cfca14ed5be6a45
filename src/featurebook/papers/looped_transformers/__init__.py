"""Looped linear transformers do gradient descent (Shi 2024, Chapter 8).

- `attention`: the model: masks, linear and softmax attention, the loop, the construction.
- `data`: prompts, random and degenerate.
- `theory`: steps, bounds, the error in closed form, Chebyshev schedules.
- `rounding`: how far a floating-point loop may be from the exact one.
- `randmat`: condition numbers of Gaussian prompts.
- `search`: worst cases by gradient ascent.
- `trained`: looped transformers with learned weights.
- `printed`: the numbers that the chapter prints.
- `experiments`: the runs behind the chapters; `pictures` draws them.
- `checks`: the check of each claim.

Shapes follow the paper: examples are rows, X is (n, d), a hidden state Z is (n + 1, d + 1), and
leading axes are prompts. Arrays may be NumPy's of any float type or of fractions
(``dtype=object``), and torch's where a docstring says so.
"""
