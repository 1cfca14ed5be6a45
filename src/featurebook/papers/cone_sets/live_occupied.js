({ C, d, height, share }, maths) => {
  const density = (x, rate) => Math.exp(-rate * x * x) / Math.sqrt(2 * Math.PI), cdf = maths.normalCdf;
  const chance = (h) => cdf(-h) * cdf(share * h) ** (d - 1);
  const p2 = (h, rate, others) => {
    const f = share * h, low = (f / (f * f + 1)) * density(f, rate);
    return (density(h, rate) / h) * (1 - low) ** others;
  };
  const p = chance(height), some = (count) => -Math.expm1(count * Math.log1p(-p));
  const kernels = maths.logspace(1, 1e6, 121), heights = maths.linspace(0.1, 4, 118);
  return {
    C: kernels, some: kernels.map(some),
    height: heights, mean: heights.map((h) => C * chance(h)),
    printed: heights.map((h) => C * p2(h, 1, C - 1)), corrected: heights.map((h) => C * p2(h, 0.5, d - 1)),
    chosen: C, chance: some(C), p, enough: Math.log(0.05) / Math.log1p(-p),
  };
}
