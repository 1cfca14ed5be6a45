({ kappa, reach, T, d }, maths) => {
  const times = maths.linspace(0, 200, 201);
  const left = maths.linspace(0, 1, d).map((x) => 1 - reach * kappa ** -x);
  const error = times.map((t) => Math.abs(maths.sum(left.map((x) => x ** t)) / d));
  const printed = (t) => Math.exp(-t / (2 * kappa)), sharp = (t) => (1 - 1 / kappa) ** t;
  const root = Math.sqrt(kappa);
  const best = (t) => { const grow = ((root + 1) / (root - 1)) ** t; return 2 / (grow + 1 / grow); };
  return {
    T: times, error, printed: times.map(printed), sharp: times.map(sharp), best: times.map(best),
    here: error[T], "printed here": printed(T), "sharp here": sharp(T),
    "printed loops": 2 * kappa * Math.log(100), "sharp loops": Math.log(100) / -Math.log1p(-1 / kappa),
  };
}
