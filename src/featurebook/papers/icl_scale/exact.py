"""Where the curves of two ranks cross, decided in fractions."""

from fractions import Fraction


def direction(lam: Fraction, trace: Fraction, N: int, M: int, p: Fraction) -> Fraction:
    """What covering a direction adds to the mean risk at flip rate p (exact count, σ = 0).

    v² λ² (λ + tr D)/M + λ (q λ v - 1)² - λ with v = N/((N+1) λ + tr D) and q = 1 - 2p.
    """
    v, q = N / ((N + 1) * lam + trace), 1 - 2 * p
    return v**2 * lam**2 * (lam + trace) / M + lam * (q * lam * v - 1) ** 2 - lam


def rank_difference(d: int, N: int, M: int, p: Fraction, r: int, r2: int) -> Fraction:
    """Mean risk of rank r2 minus that of rank r < r2 for λ_i = 1/i."""
    lam = [Fraction(1, i) for i in range(1, d + 1)]
    return sum((direction(x, sum(lam, Fraction(0)), N, M, p) for x in lam[r:r2]), Fraction(0))
