({ T, s, q, v1, m }, maths) => {
  const labels = Math.min(m, s + q - 1), v2 = 1 - v1;
  const predicted = (tasks) => {
    const b = 1 / tasks;
    const half = (labels * (1 + b) - s - q * b) / 2;
    const kappa = (Math.sqrt(half ** 2 + labels * b * (s + q - labels)) - half) / labels;
    const missed = kappa ** 2 * (v1 / (1 + kappa) ** 2 + v2 / (b + kappa) ** 2);
    return missed / (1 - (s / (1 + kappa) ** 2 + (q * b ** 2) / (b + kappa) ** 2) / labels);
  };
  const tasks = maths.logspace(1, 64, 121);
  const risk = tasks.map(predicted), chosen = predicted(T);
  return {
    T: tasks, risk,
    bound: tasks.map((t) => (risk[0] * ((v1 + t * v2) * (s + q / t))) / (s + q)),
    "chosen T": T, chosen,
    change: 100 * (chosen / risk[0] - 1),
    best: Math.sqrt((v1 * q) / (v2 * s)),
  };
}
