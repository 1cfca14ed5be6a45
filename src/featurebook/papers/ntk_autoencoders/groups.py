"""Groups of identical neurons: a network of a million neurons that has a dozen.

k neurons with the same weights w, a act as one with √k w, √k a. Outputs, gradient flow, gradient
descent, kernels, spectral and Frobenius norms are all the same, because the ReLU is homogeneous:
k a φ(w·x) = √k a φ(√k w·x), and a group's neurons move alike. So what a proof says about a wide
network can be run exactly, at the cost of its groups, and in ball arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isqrt, sqrt

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from featurebook.core.spectra import eigvalsh, spectral_norm

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Grouped:
    """A network of m neurons in g groups.

    Attributes:
        W, A: √k_r w_r and √k_r a_r for the groups r, (d, g) each.
        m: neurons in all, Σ k_r.
    """

    W: Matrix
    A: Matrix
    m: int

    @property
    def scale(self) -> float:
        """√(md), which divides the outputs."""
        return sqrt(self.m * self.W.shape[0])


def grouped(counts: Sequence[int], W: Matrix, A: Matrix) -> Grouped:
    """Groups of ``counts`` (g,) neurons with encoder and decoder weights W, A (d, g).

    Groups of no neuron are left out.

    Raises:
        ValueError: if a count is negative.
    """
    k = np.asarray(counts)
    if (k < 0).any():
        raise ValueError(f"counts = {list(counts)}: a group cannot have fewer than 0 neurons")
    root = np.sqrt(k[k > 0])
    return Grouped(root * W[:, k > 0], root * A[:, k > 0], int(k.sum()))


def features(net: Grouped, X: Matrix) -> Matrix:
    """Φ = φ(XᵀW) with a column √k φ(Xᵀw) for each group, (n, g)."""
    return np.maximum(X.T @ net.W, 0.0)


def residual(net: Grouped, X: Matrix) -> Matrix:
    """E = X - U, (d, n)."""
    return X - net.A @ features(net, X).T / net.scale


def downhill(net: Grouped, X: Matrix) -> tuple[Matrix, Matrix]:
    """-∇L for W and A, (d, g) each, as (5.4) and (5.5)."""
    E, z = residual(net, X), X.T @ net.W
    back = (E.T @ net.A) * (z >= 0)  # (n, g)
    return X @ back / net.scale, E @ np.maximum(z, 0.0) / net.scale


def kernel(net: Grouped, X: Matrix) -> Matrix:
    """G + H ⊗ I, (nd, nd), (5.8)."""
    (d, g), n = net.W.shape, X.shape[1]
    on = (X.T @ net.W >= 0).astype(float)
    signed = (on[:, None, :] * net.A[None]).reshape(n * d, g)
    G = signed @ signed.T * np.kron(X.T @ X, np.ones((d, d)))
    Phi = features(net, X)
    return (G + np.kron(Phi @ Phi.T, np.eye(d))) / net.m


def observe(net: Grouped, start: Grouped, X: Matrix) -> dict[str, float]:
    """``error`` ‖X - U‖²_F, ``least`` λ_min(K), ``W`` and ``A``: how far the layers moved in
    Frobenius norm, ``change`` ‖H - H(0)‖, ``room``: the smallest |w·x| over its start."""
    z, z_0 = X.T @ net.W, X.T @ start.W
    Phi, Phi_0 = features(net, X), features(start, X)
    return {
        "error": float(np.square(residual(net, X)).sum()),
        "least": float(eigvalsh(kernel(net, X))[0]),
        "W": float(np.linalg.norm(net.W - start.W)),
        "A": float(np.linalg.norm(net.A - start.A)),
        "change": float(spectral_norm(Phi @ Phi.T - Phi_0 @ Phi_0.T)) / net.m,
        "room": float((z / z_0).min()),
    }


def flow(
    start: Grouped, X: Matrix, times: Sequence[float], tolerance: float = 1e-11
) -> list[Grouped]:
    """Gradient flow on both layers, by Dormand and Prince's method of order 8.

    Args:
        times: increasing, the first is 0.
        tolerance: relative error of a step.
    """
    shape = start.W.shape

    def unpack(y: Matrix) -> Grouped:
        W, A = y.reshape(2, *shape)
        return Grouped(W, A, start.m)

    def velocity(_t: float, y: Matrix) -> Matrix:
        return np.concatenate([v.ravel() for v in downhill(unpack(y), X)])

    first = np.concatenate([start.W.ravel(), start.A.ravel()])
    path = solve_ivp(velocity, (times[0], times[-1]), first, method="DOP853", t_eval=times,
                     rtol=tolerance, atol=tolerance)  # fmt: skip
    return [unpack(y) for y in path.y.T]


def descend(start: Grouped, X: Matrix, eta: float, steps: int) -> list[Grouped]:
    """Gradient descent on both layers: the networks after 0, 1, ..., ``steps`` updates."""
    path = [start]
    for _ in range(steps):
        net = path[-1]
        W, A = downhill(net, X)
        path.append(Grouped(net.W + eta * W, net.A + eta * A, net.m))
    return path


# Starts that move the decoder as far as can be


@dataclass(frozen=True)
class Start:
    """A network in groups, in whole numbers.

    Attributes:
        counts: neurons of each group, (g,).
        directions: w over ε, (g, d), of whole numbers.
        signs: a, (g, d), of ±1.
        eps: ε, a fraction.
        m: neurons in all.
    """

    counts: tuple[int, ...]
    directions: tuple[tuple[int, ...], ...]
    signs: tuple[tuple[int, ...], ...]
    eps: Fraction
    m: int

    def network(self) -> Grouped:
        """The same in doubles."""
        W = np.array(self.directions, dtype=float).T * float(self.eps)
        return grouped(self.counts, W, np.array(self.signs, dtype=float).T)


def three_groups(half: int, excess: int, share: int) -> Start:
    """A start at which Lemmas 5.5 and 5.7 fail, for X = I_2.

    m = 2 ``half``² neurons point along (1, 1), (-1, 1), (1, -1) in shares 1/2, 1/4, 1/4, and have
    the length ε = half/excess times that. The last two groups have outgoing weights ±(1, -1) with
    an ``excess`` of one sign, so that X - U(0) is exactly one half of all ones. Of the first, a
    ``share``-th of all neurons has outgoing weights ±(1, 1), the rest ±(1, -1), as many of each.

    Raises:
        ValueError: if the counts are no whole numbers.
    """
    m = 2 * half * half
    if m % (4 * share) or excess % 2 or excess > m // 4:
        raise ValueError(f"half = {half}, excess = {excess}, share = {share}: no whole numbers")
    special, rest = m // (2 * share), (m // 2 - m // share) // 2
    few, many = m // 8 - excess // 2, m // 8 + excess // 2
    return Start(
        counts=(special, special, rest, rest, few, many, many, few),
        directions=((1, 1),) * 4 + ((-1, 1),) * 2 + ((1, -1),) * 2,
        signs=((1, 1), (-1, -1)) + ((1, -1), (-1, 1)) * 3,
        eps=Fraction(half, excess),
        m=m,
    )


def all_signs(half: int) -> Start:
    """m = 2 ``half``² neurons in which each of the 16 pairs w, a of {±1}² occurs equally often.

    For X = I_2 the outputs are 0, and the layers' norms are √m, as for wide random networks.

    Raises:
        ValueError: if m is no multiple of 16.
    """
    m = 2 * half * half
    if m % 16:
        raise ValueError(f"half = {half}: {m} neurons are not 16 groups")
    corners = tuple(product((1, -1), repeat=2))
    pairs = tuple(product(corners, repeat=2))
    directions, signs = tuple(w for w, _ in pairs), tuple(a for _, a in pairs)
    return Start((m // 16,) * 16, directions, signs, Fraction(1), m)


@dataclass(frozen=True)
class Enclosure:
    """What ball arithmetic proves of a descent on X = I_2 from a `Start`.

    Attributes:
        follows: whether (5.15) holds at every step up to the last but one, certainly.
        flips: whether a neuron may have changed sides of a sample.
        decoder_moved: ‖A(k) - A(0)‖_F at the last step k.
        encoder_moved: the largest ‖W(k') - W(0)‖_F so far.
        encoder_norm: ‖W(0)‖.
        error: ‖X - U(0)‖_F.
    """

    follows: bool
    flips: bool
    decoder_moved: arb
    encoder_moved: arb
    encoder_norm: arb
    error: arb


def enclosed_descent(start: Start, eta: Fraction, steps: int, digits: int = 40) -> Enclosure:
    """Gradient descent on both layers from a `three_groups` start, in ball arithmetic.

    Every number is an interval that contains the true one; neurons are counted, not drawn.

    Args:
        digits: decimal digits that are carried.
    """
    with ctx.workdps(digits):
        w, a, on, scale = _opened(start)
        step = _ball(eta)
        w_0, a_0 = [list(row) for row in w], [list(row) for row in a]
        line, decay = _error(start, w, a, on, scale)[1], 1 - step / 8  # 1 - ηλ_0/2d
        first, follows, flips, far = line.sqrt(), True, False, arb(0)
        for k in range(steps):
            E, error = _error(start, w, a, on, scale)
            follows &= k == 0 or bool(error <= line)  # certainly; at k = 0 the two are the same
            line *= decay
            w, a = _update(E, w, a, on, step / scale)
            flips |= _flips(w, on)
            far = far.max(_distance(start, w, w_0))
        norm = _ball(start.eps) * arb(start.m).sqrt()  # WWᵀ = mε² I
        return Enclosure(follows, flips, _distance(start, a, a_0), far, norm, first)


def enclosed_step(start: Start, eta: Fraction, digits: int = 40) -> tuple[arb, arb]:
    """‖U(1) - U(0)‖²_F and ‖X - U(0)‖²_F of one joint step on X = I_2, two balls.

    Raises:
        ValueError: if a neuron may have changed sides.
    """
    with ctx.workdps(digits):
        w, a, on, scale = _opened(start)
        E, error = _error(start, w, a, on, scale)
        w, a = _update(E, w, a, on, _ball(eta) / scale)
        if _flips(w, on):
            raise ValueError(f"eta = {eta}: a neuron may have changed sides")
        after, _ = _error(start, w, a, on, scale)
        change = (x - y for p, q in zip(E, after, strict=True) for x, y in zip(p, q, strict=True))
        return sum((x * x for x in change), arb(0)), error


Rows = list[list[arb]]


def _opened(start: Start) -> tuple[Rows, Rows, list[list[bool]], arb]:
    """w, a, which samples each group is active on, and √(md), for X = I_2."""
    eps = _ball(start.eps)
    w = [[eps * x for x in row] for row in start.directions]
    a = [[arb(x) for x in row] for row in start.signs]
    on = [[x > 0 for x in row] for row in start.directions]
    return w, a, on, 2 * arb(isqrt(start.m // 2))  # √(2m) is a whole number


def _flips(w: Rows, on: list[list[bool]]) -> bool:
    """Whether a neuron may be off where it was on; for X = I_2 none can come on."""
    return any(not (x > 0) for row, is_on in zip(w, on, strict=True)
               for x, yes in zip(row, is_on, strict=True) if yes)  # fmt: skip


def _ball(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


def _error(start: Start, w: Rows, a: Rows, on: list[list[bool]], scale: arb) -> tuple[Rows, arb]:
    """E = X - U for X = I, as E[coordinate][sample], and ‖E‖²_F."""
    E = [[arb(int(i == j)) for i in range(2)] for j in range(2)]
    for k, w_r, a_r, on_r in zip(start.counts, w, a, on, strict=True):
        for i in range(2):
            if on_r[i]:
                push = k * w_r[i] / scale
                for j in range(2):
                    E[j][i] -= push * a_r[j]
    return E, sum((x * x for row in E for x in row), arb(0))


def _update(E: Rows, w: Rows, a: Rows, on: list[list[bool]], pace: arb) -> tuple[Rows, Rows]:
    new_w, new_a = [], []
    for w_r, a_r, on_r in zip(w, a, on, strict=True):
        pull = [a_r[0] * E[0][i] + a_r[1] * E[1][i] for i in range(2)]
        new_w.append([x + pace * pull[i] if on_r[i] else x for i, x in enumerate(w_r)])
        z = [w_r[i] if on_r[i] else arb(0) for i in range(2)]
        new_a.append([x + pace * (E[j][0] * z[0] + E[j][1] * z[1]) for j, x in enumerate(a_r)])
    return new_w, new_a


def _distance(start: Start, p: Rows, q: Rows) -> arb:
    total = arb(0)
    for k, x, y in zip(start.counts, p, q, strict=True):
        total += k * sum(((u - v) * (u - v) for u, v in zip(x, y, strict=True)), arb(0))
    return total.sqrt()
