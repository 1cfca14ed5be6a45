({ n, k, r }, maths) => {
  // LLaMA 3.1 8B: layers, width, heads, heads that are stored, their dimension, weights of a layer
  const m = 32, D = 4096, heads = 32, stored = 8, d = 128, hidden = 14336;
  const P = D * d * (2 * heads + 2 * stored) + 3 * D * hidden;
  const layer = (tokens, seen) => 2 * tokens * P + 4 * tokens * seen * heads * d;
  const onePass = (tokens, layers) => layers * layer(tokens, tokens / 2);
  const bothPasses = (t, at) => onePass(t, at - 1) + 2 * t * D * d * stored + onePass(Math.min(t, k), m);
  const step = (seen) => m * layer(1, seen);
  const layers = maths.linspace(2, m, m - 1), tokens = maths.logspace(1000, 1e6, 121);
  const whole = onePass(n, m), ours = bothPasses(n, r);
  return {
    layer: layers, share: layers.map((at) => bothPasses(n, at) / whole), "chosen r": r, chosen: ours / whole,
    tokens, full: tokens.map((t) => onePass(t, m)), filtered: tokens.map((t) => bothPasses(t, r)),
    times: whole / ours, limit: m / (r - 1), generation: step(n) / step(Math.min(n, k)),
  };
}
