"""Support vector machines are those of scikit-learn."""

import numpy as np
import pytest
from sklearn.svm import SVC

from featurebook.core import generator
from featurebook.papers.feature_emergence import data, machines


def test_the_best_of_three_machines_has_the_loss_of_its_decisions():
    dist = data.parity_mixture(20, 3, 0.5)
    (x, y), (u, v) = (data.draw(generator(0, name), dist, 150) for name in ("x", "u"))
    usual = 1 / (20 * x.numpy().var())
    fitted = [SVC(gamma=usual * by).fit(x.numpy(), y.numpy()) for by in (0.1, 1, 10)]
    losses = [np.maximum(1 - v.numpy() * f.decision_function(u.numpy()), 0).mean() for f in fitted]
    assert machines.machine_loss(x, y, u, v) == pytest.approx(min(losses), rel=1e-4)
