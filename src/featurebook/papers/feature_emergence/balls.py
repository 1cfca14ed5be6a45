"""One neuron of the general setting in ball arithmetic: small, symmetric, and exactly known.

Balls are python-flint's `arb`: intervals that are certain to contain the true value.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import arb, fmpq


@dataclass(frozen=True)
class Symmetric:
    """D = 16 patterns, the first three relevant, no noise in the inputs, σ̃ = 2, all rational.

    Patterns are present with probability 1/2. The background is independent; the relevant ones are
    independent in half of the cases, and all present or all absent in the other half. The label is
    the parity of the relevant ones, +1 if odd; so γ = 1/4. The columns of M have the same inner
    product 1/256 = 1/(16D) with each other, and w has the inner product ``size`` with each of them.

    Attributes:
        size: σ_w.
    """

    size: Fraction

    D = 16
    k = 3
    rho = Fraction(1, 256)

    @property
    def squared_norm(self) -> Fraction:
        """‖w‖² = qᵀ(MᵀM)⁻¹q."""
        return self.D * self.size**2 / (1 + (self.D - 1) * self.rho)

    def pull(self) -> tuple[arb, arb]:
        """T_j of Lemma 40 for a relevant and for a background pattern, at b = 0, σ_ξ = k^{-3/2}."""
        relevant = background = arb(0)
        for r in range(self.k + 1):
            y = 1 if r % 2 else -1
            law = Fraction(comb(3, r), 16) + (Fraction(1, 4) if r in (0, 3) else 0)
            for t in range(14):
                at = law * Fraction(comb(13, t), 2**13) * y
                active = self.active(self.size * (r + t - 8) / 2)
                relevant += _ball(at * (Fraction(r, 3) - Fraction(1, 2)) / 2) * active
                background += _ball(at * (Fraction(t, 13) - Fraction(1, 2)) / 2) * active
        return relevant, background

    def active(self, z: Fraction) -> arb:
        """Pr[z + ξ in (0, 1)]."""
        steep = arb(27).sqrt() / arb(2).sqrt()  # 1/(σ_ξ √2)
        return ((_ball(1 - z) * steep).erf() + (_ball(z) * steep).erf()) / 2

    def inner_product(self) -> arb:
        """|<w⁽¹⁾, M_l>| over |η⁽¹⁾ a⁽⁰⁾| for a background column."""
        relevant, background = self.pull()
        others = self.D - self.k - 1
        return abs(3 * _ball(self.rho) * relevant + _ball(1 + others * self.rho) * background)

    def claimed(self, delta: Fraction) -> arb:
        """σ_φ² ε_e σ̃, the bound of Lemma 43 with constant 1."""
        widest = (2 * (_ball(self.D / delta)).log()).sqrt()  # of |q_l| over σ_w
        epsilon = _ball(Fraction(self.D, 2) * self.size / 2) * widest * arb(27).sqrt()
        return epsilon * 2 / 16


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))
