({ beta, d, C_z, C_sigma }, maths) => {
  const p = (C_z * Math.log(Math.log(d))) / d, sigma2 = (C_sigma * Math.sqrt(Math.log(d))) / d, s = Math.sqrt(sigma2);
  const cdf = maths.normalCdf, density = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  // E S_b(a + sZ) and E S_b(a + sZ)² of the soft threshold S_b
  const over = (c) => c * cdf(c / s) + s * density(c / s);
  const mean = (a, b) => over(a - b) - over(-a - b);
  const square = (a, b) => maths.sum([a - b, -a - b].map((c) => (c * c + s * s) * cdf(c / s) + c * s * density(c / s)));
  const explained = (b) => (p * mean(1, b) ** 2) / (p * square(1, b) + (1 - p) * square(0, b));
  const noise = (b) => 2 * cdf(-b / s), atom = (b) => cdf((1 - b) / s) + cdf((-1 - b) / s);
  const betas = maths.linspace(0, 1.2, 121), linear = p / (p + sigma2);
  return {
    beta: betas, noise: betas.map(noise), atom: betas.map(atom), explained: betas.map(explained),
    ends: [0, 1.2], linear: [linear, linear], chosen: beta, here: explained(beta), raw: linear,
    noisy: d * (1 - p) * noise(beta), active: d * p * atom(beta),
  };
}
