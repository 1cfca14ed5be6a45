"""Gaussian prompts with what the closed forms need of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook.papers.looped_transformers import data, theory
from featurebook.papers.looped_transformers.attention import prompt

Floats = NDArray[Any]


@dataclass(frozen=True)
class Drawn:
    """Prompts without their query, and the spectra of XᵀX.

    Attributes:
        X: examples (k, n, d); theta: tasks (k, d).
        lam: eigenvalues (k, d), ascending; v: eigenvectors (k, d, d), columns.
    """

    X: Floats
    theta: Floats
    lam: Floats
    v: Floats

    @property
    def L(self) -> Floats:
        """Largest eigenvalues, (k,)."""
        return self.lam[:, -1]

    @property
    def kappa(self) -> Floats:
        """Condition numbers, (k,)."""
        return np.asarray(self.lam[:, -1] / self.lam[:, 0])

    @property
    def squares(self) -> Floats:
        """Squared components ⟨v_i, θ*⟩² of the tasks, (k, d)."""
        return np.asarray(np.einsum("kij,ki->kj", self.v, self.theta) ** 2)

    @property
    def labels(self) -> Floats:
        """y = Xθ*, (k, n)."""
        return np.asarray((self.X @ self.theta[..., None])[..., 0])

    def prompts(self, alpha: float) -> Floats:
        """Z^(0), (k, n + 1, d + 1)."""
        return prompt(self.X, self.labels, alpha)


def gaussian(rng: np.random.Generator, count: int, n: int, d: int) -> Drawn:
    """So many Gaussian prompts of n examples in d dimensions."""
    X, theta = data.gaussian(rng, count, n, d)
    return Drawn(X, theta, *theory.spectrum(X))
