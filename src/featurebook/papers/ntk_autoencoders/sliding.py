"""Networks whose gradient flow slides along a hyperplane w·x_i = 0, where a ReLU has no slope.

On such a hyperplane descent pushes a neuron back from both sides: with its gate open the loss falls
if w·x_i falls, with its gate closed if it rises. (4.4) then has no solution with gates 0 and 1; the
limit of small steps stays on the hyperplane, as if the gate were partly open.
"""

from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor

from featurebook.core import Params
from featurebook.core.spectra import eigh

COSINE = -0.6
"""Of the two samples."""
GATE = 0.6
"""At which the six neurons stay on their hyperplanes."""


def samples() -> Tensor:
    """Two unit vectors with that cosine, (2, 2), float64."""
    near, far = (sqrt(1 + COSINE) + sqrt(1 - COSINE)) / 2, (sqrt(1 + COSINE) - sqrt(1 - COSINE)) / 2
    return torch.tensor([[near, far], [far, near]], dtype=torch.float64)


def start() -> Params:
    """W and A of twenty neurons, (1, 2, 20), float64: six slide along a hyperplane from the start.

    The outputs are signs, as in the paper. In the coordinates (w·x_1, w·x_2): three neurons of the
    output (1, 1) are on each sample's hyperplane and active on the other sample, four are silent;
    of the outputs ±(1, -1) three are active on each sample, and the last four are silent.
    """
    X = samples()
    c, s = sqrt((1 + COSINE) / 2), sqrt((1 - COSINE) / 2)
    high, active = (c + 0.5) * sqrt(40) / (3 * sqrt(2)), s * sqrt(40) / (3 * sqrt(2))
    silent = [(-1.0, -1.0)] * 4
    places = [(0.0, high)] * 3 + [(high, 0.0)] * 3 + silent
    places += [(active, -1.0)] * 3 + [(-1.0, active)] * 3 + silent
    outputs = [(1.0, 1.0)] * 10 + [(1.0, -1.0)] * 3 + [(-1.0, 1.0)] * 3 + [(1.0, -1.0)] * 4
    W = torch.linalg.solve(X.T, torch.tensor(places, dtype=torch.float64).T)
    return {"W": W[None], "A": torch.tensor(outputs, dtype=torch.float64).T[None]}


def least(gates: Sequence[float]) -> float:
    """λ_min(G) at the start with these gates, between 0 and 1, of the six sliding neurons."""
    X, p = samples(), start()
    W, A = p["W"][0], p["A"][0]
    pattern = (W.T @ X > 1e-9).double()  # (20, 2); the six are 0 on their hyperplanes
    for r, gate in enumerate(gates):
        pattern[r, r // 3] = gate
    blocks = torch.einsum("ri,rj,ij,ar,br->iajb", pattern, pattern, X.T @ X, A, A) / W.shape[1]
    return float(eigh(blocks.reshape(4, 4))[0][0])
