"""The looped transformer of Definitions 8.5 to 8.7, its construction, and its variations.

`linear_attention`, `LoopedTransformer.states` and `read` use only ``@``, ``*`` and ``swapaxes``:
they take float arrays, arrays of fractions (then every result is exact), and torch tensors alike.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = Any
"""A NumPy array of floats or fractions, or a torch tensor."""

MASKS = ("printed", "strictly causal", "causal", "printed and itself")


def prompt(X: Array, y: Array, alpha: Any, q: Array | None = None) -> NDArray[Any]:
    """Z^(0) = [[X, y], [qᵀ, α]] (Definition 8.5): (..., n + 1, d + 1).

    Args:
        X: examples (..., n, d).
        y: labels (..., n).
        alpha: the query, one number for all prompts.
        q: where the answer is worked out, (..., d); zeros by default.
    """
    X, y = np.asarray(X), np.asarray(y)
    n, d = X.shape[-2:]
    Z = np.zeros((*X.shape[:-2], n + 1, d + 1), dtype=X.dtype)
    Z[..., :n, :d], Z[..., :n, d], Z[..., n, d] = X, y, alpha
    if q is not None:
        Z[..., n, :d] = q
    return Z


def mask(n: int, kind: str = "printed", dtype: Any = float) -> NDArray[Any]:
    """Who may look at whom among n examples and the last row: (n + 1, n + 1), one where allowed.

    Args:
        kind: ``printed``: the last row looks at the examples, nobody else looks at anything;
            ``strictly causal``: every row at those before it; ``causal``: at itself too, as in
            generation; ``printed and itself``: the printed one, where the last row sees itself too.
    """
    if kind not in MASKS:
        raise ValueError(f"kind = {kind!r}: must be one of {', '.join(MASKS)}")
    ones = np.ones((n + 1, n + 1), dtype=int)
    M = np.tril(ones, 0 if kind == "causal" else -1)
    if kind.startswith("printed"):
        M[:n] = 0
        M[n, n] = int(kind == "printed and itself")
    return M.astype(dtype)


def linear_attention(Z: Array, Q: Array, P: Array, M: Array) -> Array:
    """(M ∘ (Z Q Zᵀ)) Z P, Definition 8.6."""
    return (M * (Z @ Q @ Z.swapaxes(-1, -2))) @ Z @ P


def softmax_attention(Z: Array, Q: Array, P: Array, M: Array) -> Array:
    """The same with a softmax over each row's allowed scores; a row that sees nothing gives 0."""
    allowed = np.asarray(M) != 0
    scores = np.where(allowed, Z @ Q @ Z.swapaxes(-1, -2), -np.inf)
    top = np.where(allowed.any(-1, keepdims=True), scores.max(-1, keepdims=True), 0.0)
    weights = np.exp(scores - top)
    total = weights.sum(-1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0) @ Z @ P


def read(Z: Array) -> Array:
    """The answer -q, the negated last row without its last entry (Definition 8.7): (..., d)."""
    return -Z[..., -1, :-1]


@dataclass(frozen=True)
class LoopedTransformer:
    """One attention layer applied again and again, with residual connections (Definition 8.7).

    Attributes:
        Q: query-key matrix, (d + 1, d + 1).
        P: value-output matrix, (d + 1, d + 1).
        M: mask, (n + 1, n + 1).
        attend: `linear_attention` or `softmax_attention`.
    """

    Q: Array
    P: Array
    M: Array
    attend: Callable[[Array, Array, Array, Array], Array] = linear_attention

    @classmethod
    def gradient_descent(
        cls, n: int, d: int, dtype: Any = float, label: Any = 1, kind: str = "printed"
    ) -> "LoopedTransformer":
        """The construction of Lemma 8.13: Q = I, P = diag(I, 0), and the printed mask.

        Args:
            label: the last entry of Q, the weight of the label; 1 is gradient descent.
            kind: another mask, see `mask`.
        """
        Q, P = np.eye(d + 1, dtype=int).astype(dtype), np.eye(d + 1, dtype=int).astype(dtype)
        Q[d, d], P[d, d] = label, 0
        return cls(Q, P, mask(n, kind, dtype))

    def states(self, Z: Array, etas: Sequence[Any]) -> Iterator[Array]:
        """The hidden states Z^(0), ..., Z^(T), with Z^(t) = Z^(t-1) - η^(t-1) Attn(Z^(t-1)).

        Args:
            Z: Z^(0), (..., n + 1, d + 1).
            etas: the T residual weights; each a number, or an array with one for each prompt.
        """
        yield Z
        for eta in etas:
            step = eta[..., None, None] if getattr(eta, "ndim", 0) else eta
            Z = Z - step * self.attend(Z, self.Q, self.P, self.M)
            yield Z

    def __call__(self, Z: Array, etas: Sequence[Any]) -> Array:
        """TF(Z^(0)) after ``len(etas)`` loops: (..., d)."""
        *_, last = self.states(Z, etas)
        return read(last)


def descend(X: Array, y: Array, etas: Sequence[Any], theta: Array | None = None) -> Iterator[Array]:
    """θ^(0), ..., θ^(T) of gradient descent on ½‖y - Xθ‖², (8.2): what the loop should equal.

    Written without the transformer, for one prompt or many: X (..., n, d), y (..., n).
    """
    Xt = X.swapaxes(-1, -2)
    if theta is None:
        theta = 0 * X[..., 0, :]
    yield theta
    for eta in etas:
        step = eta[..., None] if getattr(eta, "ndim", 0) else eta
        residual = (X @ theta[..., None])[..., 0] - y
        theta = theta - step * (Xt @ residual[..., None])[..., 0]
        yield theta
