"""The symmetric neuron in balls against the integrals of the general setting."""

from fractions import Fraction

import pytest
import torch

from featurebook.papers.feature_emergence import appendix, balls, data, general


def in_doubles(size: float) -> tuple[general.General, torch.Tensor]:
    """The same setting, and the neuron's w (1, 16)."""
    gram = torch.full((16, 16), 1 / 256, dtype=torch.float64).fill_diagonal_(1.0)
    value, axes = torch.linalg.eigh(gram)
    M = (axes * value.sqrt()) @ axes.T
    setting = general.General(data.parity_mixture(16, 3), M, 0.0)
    return setting, torch.linalg.solve(M.T, torch.full((16,), size, dtype=torch.float64))[None]


def check_symmetric() -> None:
    size = Fraction(1, 10)
    neuron, (setting, w) = balls.Symmetric(size), in_doubles(0.1)
    assert setting.sigma == pytest.approx(2)
    assert setting.gamma == pytest.approx(0.25)
    assert float(neuron.squared_norm) == pytest.approx(float(w.square().sum()))
    b = torch.zeros(1, dtype=torch.float64)
    found, _ = general.components(setting, w, b, 3**-1.5)
    relevant, background = map(float, neuron.pull())
    assert relevant == pytest.approx(float(found.T[0, 0]), rel=1e-6)
    assert background == pytest.approx(float(found.T[0, -1]), rel=1e-4)
    towards, _, _ = general.push(setting, 3**-1.5, w, b)
    assert float(neuron.inner_product()) == pytest.approx(
        float((towards @ setting.M)[0, -1].abs()), rel=1e-6
    )
    limit = setting.variance * setting.epsilon_e(0.1, 3**-1.5, 0.1) * setting.sigma
    assert float(neuron.claimed(Fraction(1, 10))) == pytest.approx(limit)


def test_symmetric() -> None:
    check_symmetric()


def test_the_neuron_is_typical() -> None:
    setting, w = in_doubles(1.0)
    assert appendix.typical(w, setting.M, 3, 0.1).all()
    assert setting.coherence == pytest.approx(1 / 256)
