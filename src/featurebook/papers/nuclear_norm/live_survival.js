({ lam, gamma, r, q }, maths) => {
  // E 1/(1 + e^Y) and E z/(1 + e^Y), Y = α times the sum of r uniform variables: the integral of
  // E e^(-sY) π/sin(πs) on s = 1/2 + iu, where the kernel is real.
  const H = 0.08, nodes = [];
  for (let k = 0; (k + 0.5) * H < 13; k += 1) nodes.push((k + 0.5) * H);
  const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
  const over = ([a, b], [c, d]) => { const n = c * c + d * d; return [(a * c + b * d) / n, (b * c - a * d) / n]; };
  // g(t) = (e^t - 1)/t and its derivative; by series near 0
  const transform = (t) => {
    if (Math.hypot(...t) < 0.5) {
      let power = [1, 0], factorial = 1, g = [0, 0], first = [0, 0];
      for (let k = 0; k < 18; k += 1) {
        g = [g[0] + power[0] / (factorial * (k + 1)), g[1] + power[1] / (factorial * (k + 1))];
        const more = (k + 1) / (factorial * (k + 1) * (k + 2));
        first = [first[0] + power[0] * more, first[1] + power[1] * more];
        factorial *= k + 1;
        power = times(power, t);
      }
      return [g, first];
    }
    const size = Math.exp(t[0]), e = [size * Math.cos(t[1]), size * Math.sin(t[1])];
    const g = over([e[0] - 1, e[1]], t);
    return [g, over([e[0] - g[0], e[1] - g[1]], t)];
  };
  const means = (alpha) => {
    let wrong = 0, pull = 0;
    for (const u of nodes) {
      const [g, first] = transform([-alpha / 2, -alpha * u]);
      const size = Math.hypot(...g) ** r, angle = r * Math.atan2(g[1], g[0]);
      const whole = [size * Math.cos(angle), size * Math.sin(angle)], kernel = H / Math.cosh(Math.PI * u);
      wrong += kernel * whole[0];
      pull += kernel * times(whole, over(first, g))[0];
    }
    return { wrong, pull };
  };
  const unit = (r - 1) / Math.sqrt(12) + Math.sqrt(1 / 12 + r / 4), top = r / 4 / unit;
  const spread = Math.sqrt(1 / 3 - gamma ** 2);
  const price = (q - 1) * spread + Math.sqrt(spread ** 2 + (q * gamma ** 2) / (1 + 3 * r));
  const ratio = (wrong, l) => (q * gamma * wrong) / (l * price);
  const weights = maths.logspace(1e-3, 100, 121).map(means), lams = weights.map((m) => (m.pull * r) / unit);
  let invariant = 0;
  if (lam < top) {
    let low = Math.log(1e-12), high = Math.log(1e3);
    for (let k = 0; k < 80; k += 1) {
      const middle = (low + high) / 2;
      if ((means(Math.exp(middle)).pull * r) / unit > lam) low = middle; else high = middle;
    }
    invariant = Math.exp((low + high) / 2);
  }
  return {
    lambda: lams, ratio: weights.map((m, k) => (lams[k] > 1e-6 ? ratio(m.wrong, lams[k]) : NaN)),
    one: [1, 1], ends: [1e-4, 1], chosen: lam, here: ratio(means(invariant).wrong, lam),
    invariant, top, quarter: r / (4 * gamma ** 2),
  };
}
