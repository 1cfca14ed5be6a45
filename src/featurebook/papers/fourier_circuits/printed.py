"""Sizes that the thesis prints, and what they cost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A two-layer network of a figure: inputs k, modulus p, width m."""

    name: str
    k: int
    p: int
    m: int

    @property
    def flops(self) -> float:
        """Of one step with a batch of 1024: 6 (k + 1) p m a sample."""
        return 6 * 1024 * self.m * (self.k + 1) * self.p

    @property
    def megabytes(self) -> float:
        """Of parameters, gradients and two moments, float32."""
        return 4 * 4 * self.m * (self.k + 1) * self.p / 1e6


FIGURES = (
    Figure("4.1, 4.2", 4, 47, 2944),
    Figure("C.1, C.2", 3, 97, 1536),
    Figure("C.3, C.4", 5, 23, 5632),
)

BATCH = 1024
LEARNING_RATE = 5e-3
PENALTY = 0.005
BETAS = (0.9, 0.98)
WARM_UP = 10

GROKKING = {2: 97, 3: 31, 4: 11, 5: 5}
"""Figure 4.4: the modulus p of each number of inputs k."""
