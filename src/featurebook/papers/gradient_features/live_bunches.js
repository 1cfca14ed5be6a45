({ bias, angle, tilt, d, gamma }, maths) => {
  const root = Math.sqrt(d), density = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const clusters = [[root, 0, 1], [-root, 0, 1], [0, root, -1], [0, -root, -1]];
  const gradient = (degrees) => {
    const a = (degrees * Math.PI) / 180, unit = [tilt * Math.cos(a), tilt * Math.sin(a), Math.sqrt(1 - tilt ** 2)];
    const G = [0, 0, 0];
    for (const [x, y, label] of clusters) {
      const z = unit[0] * x + unit[1] * y - bias, inside = (label * maths.normalCdf(z)) / 4, along = (label * density(z)) / 4;
      G[0] += inside * x + along * unit[0];
      G[1] += inside * y + along * unit[1];
      G[2] += along * unit[2];
    }
    return G;
  };
  const size = (G) => Math.hypot(...G), direction = (G) => (Math.atan2(G[1], G[0]) * 180) / Math.PI;
  const nearest = (G) => (size(G) > 0 ? Math.max(Math.abs(G[0]), Math.abs(G[1])) / size(G) : 0);
  const degrees = maths.linspace(-179.5, 179.5, 360), every = degrees.map(gradient), here = gradient(angle);
  const turned = every.map(direction), cosine = every.map(nearest);
  return {
    neuron: degrees, gradient: turned.map((t, k) => (k && Math.abs(t - turned[k - 1]) > 180 ? NaN : t)),
    cosine, ends: [-180, 180], cone: [1 - gamma, 1 - gamma], chosen: angle,
    here: direction(here), alike: nearest(here), size: size(here),
    share: (100 * cosine.filter((c) => c > 1 - gamma).length) / 360,
  };
}
