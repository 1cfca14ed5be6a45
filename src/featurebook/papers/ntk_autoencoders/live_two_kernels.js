({ rho, n, d, delta }, maths) => {
  const g = (x) => (x * (Math.PI - Math.acos(x))) / (2 * Math.PI);
  const h = (x) => g(x) + Math.sqrt(Math.max(0, 1 - x * x)) / (2 * Math.PI);
  const ends = (b, a) => [a - b, a + (n - 1) * b].sort((x, y) => x - y);
  const widths = (x) => {
    if (x < -1 / (n - 1)) return [NaN, NaN, NaN];
    const dim = Math.max(d, n);
    const lambda0 = ends(g(x), 0.5)[0], [lambdaH, normH] = ends(h(x), 0.5), lambdaN = ends(x, 1)[1];
    return [
      (n ** 5 * dim ** 4 * lambdaN) / (lambda0 ** 4 * delta ** 3),
      (n * dim * lambdaN ** 3) / (lambda0 ** 4 * delta ** 2),
      (n * dim * lambdaN ** 2 * normH) / (lambdaH ** 4 * delta),
    ];
  };
  const cosine = maths.linspace(-1, 1, 201), inside = maths.linspace(-0.99, 0.99, 199);
  const curves = inside.map(widths), here = widths(rho);
  return {
    cosine, g: cosine.map(g), h: cosine.map(h), inside,
    weak: curves.map((w) => w[0]), joint: curves.map((w) => w[1]), repaired: curves.map((w) => w[2]),
    "weak here": here[0], "joint here": here[1], "repaired here": here[2],
    gap: h(rho) - g(rho),
  };
}
