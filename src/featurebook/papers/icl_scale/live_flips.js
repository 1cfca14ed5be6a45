({ p, sigma, M, N, small, large }, maths) => {
  const D = 16, low = Math.min(small, large), high = Math.max(small, large);
  const lam = maths.linspace(1, D, D).map((i) => 1 / i), trace = maths.sum(lam);
  const v = lam.map((l) => N / ((N + 1) * l + trace));
  const risk = (rank, share) => maths.sum(lam.map((l, i) => {
    const use = i < rank ? v[i] : 0, q = 1 - 2 * share;
    return (use ** 2 * l ** 3 + (trace + sigma ** 2) * use ** 2 * l ** 2) / M + l * (q * l * use - 1) ** 2;
  }));
  const crossing = () => {
    const own = lam.map((l, i) => [l, v[i]]).slice(low, high);
    const a = maths.sum(own.map(([l, w]) => w ** 2 * l ** 2 * (l + trace + sigma ** 2))) / M;
    const b = maths.sum(own.map(([l, w]) => l ** 3 * w ** 2)), c = maths.sum(own.map(([l, w]) => l ** 2 * w));
    if (low === high) return NaN;
    if (a + b - 2 * c >= 0) return 0;
    const share = (1 - (c - Math.sqrt(c ** 2 - a * b)) / b) / 2;
    return share < 1 ? share : NaN;
  };
  const shares = maths.linspace(0, 1, 101), ranks = maths.linspace(0, D, D + 1), mine = ranks.map((r) => risk(r, p));
  const least = Math.min(...mine);
  return {
    share: shares, small: shares.map((x) => risk(low, x)), large: shares.map((x) => risk(high, x)),
    rank: ranks, risk: mine, best: mine.indexOf(least), least,
    crossing: crossing(), difference: mine[high] - mine[low],
  };
}
