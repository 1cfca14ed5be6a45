({ turn, used: asked, p: given, k }, maths) => {
  const half = Math.floor(given / 2), p = 2 * half + 1, used = Math.min(asked, half);
  const radians = (degrees) => (degrees * Math.PI) / 180;
  const logit = (offset, angle) => {
    let total = 0;
    for (let zeta = 1; zeta <= used; zeta += 1) total += Math.cos((2 * Math.PI * zeta * offset) / p + angle);
    return (((p - 1) / p) * total) / used;
  };
  const offsets = [];
  for (let x = -half; x <= half; x += 1) if (x) offsets.push(x);
  const margin = (angle) => logit(0, angle) - Math.max(...offsets.map((x) => logit(x, angle)));
  const smooth = maths.linspace(-0.5, 0.5, 401), turns = maths.linspace(-90, 90, 121);
  const angle = radians(turn), reached = margin(angle);
  const factorial = [1, 1, 2, 6, 24, 120][k];
  const gamma = (2 * factorial) / ((2 * k + 2) ** ((k + 1) / 2) * (p - 1) * p ** ((k - 1) / 2));
  return {
    smooth, wave: smooth.map((x) => logit(p * x, angle)),
    offset: offsets.map((x) => x / p), wrong: offsets.map((x) => logit(x, angle)),
    zero: 0, right: logit(0, angle),
    turn: turns, margin: turns.map((x) => margin(radians(x))), efficiency: turns.map((x) => Math.cos(radians(x))),
    reached, absolute: reached * gamma, neurons: (k + 1) * 2 ** (k - 1) * used,
  };
}
