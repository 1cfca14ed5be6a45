"""Support vector machines with Gaussian kernels."""

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.svm import SVC
from torch import Tensor


def machine_loss(x: Tensor, y: Tensor, u: Tensor, v: Tensor) -> float:
    """Hinge loss on inputs u (n', D), labels v (n',), of the best of three machines on x, y.

    Support vector machines with Gaussian kernels: C = 1, and a tenth, once and ten times the usual
    1 / (D Var x) as the factor of the squared distance.
    """
    within, across = (euclidean_distances(z, x, squared=True) for z in (x, u))
    losses = []
    for gamma in np.array([0.1, 1, 10]) / (x.shape[1] * float(x.var(correction=0))):
        machine = SVC(C=1.0, kernel="precomputed").fit(np.exp(-gamma * within), y)
        kernel = np.exp(-gamma * across[:, machine.support_])
        values = kernel @ machine.dual_coef_[0] + machine.intercept_
        losses.append(float(np.maximum(1 - v.numpy() * values, 0).mean()))
    return min(losses)
