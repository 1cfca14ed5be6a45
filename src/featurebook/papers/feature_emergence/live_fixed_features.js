({ N, k: given, B, p_o, epsilon }, maths) => {
  const k = 2 * Math.floor(given / 2) + 1, D = 16 * k;
  let binomial = 1;
  for (let i = 0; i < k; i += 1) binomial = (binomial * (D - i)) / (i + 1);
  const printed = (n) => p_o * Math.max(0, 1 - (Math.sqrt(2 * n) * B) / 2 ** k);
  const sharper = (n) => p_o * Math.max(0, 1 - B * Math.sqrt(n / binomial));
  const half = (x) => 4 ** x / (8 * B ** 2), width = (x) => x ** 12 / epsilon ** 1.5;
  const numbers = maths.logspace(1, 1e20, 161), odd = maths.linspace(3, 61, 30);
  return {
    N: numbers, printed: numbers.map(printed), sharper: numbers.map(sharper),
    k: odd, half: odd.map(half), network: odd.map(width),
    here: printed(N), "sharper here": sharper(N), needed: half(k), width: width(k),
  };
}
