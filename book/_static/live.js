// Figures that compute: inputs, and what a part's formula gives for them, drawn as SVG.
// A page names its figures by div.live; each formula is a script that adds itself to live.formulas.
const live = { formulas: {}, drawn: {} };

// What formulas need beyond Math; the same as NumPy's and SciPy's.
live.maths = {
  linspace: (low, high, n) => Array.from({ length: n }, (_, k) => low + ((high - low) * k) / (n - 1)),
  logspace: (low, high, n) => live.maths.linspace(Math.log(low), Math.log(high), n).map(Math.exp),
  sum: (values) => values.reduce((a, b) => a + b, 0),
  // Φ by Marsaglia's series near 0, and Laplace's continued fraction in the tails.
  normalCdf: (x) => {
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    if (Math.abs(x) > 3) {
      let fraction = 0;
      for (let k = 200; k > 0; k -= 1) fraction = k / (Math.abs(x) + fraction);
      const tail = density / (Math.abs(x) + fraction);
      return x > 0 ? 1 - tail : tail;
    }
    let term = x, total = x;
    for (let k = 3; Math.abs(term) > 1e-18; k += 2) total += term *= (x * x) / k;
    return 0.5 + total * density;
  },
};

// Four digits, as the printed picture writes them.
live.written = (value) => {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "none" : value > 0 ? "∞" : "−∞";
  const [digits, power] = value.toExponential(3).split("e").map(Number);
  if (value !== 0 && (power <= -4 || power >= 5)) {
    const raised = [...String(power)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("");
    return `${digits}·10${raised}`.replace(/^(-?)1·/, "$1").replace("-", "−");
  }
  return String(Number(value.toPrecision(4))).replace("-", "−");
};

live.ticks = ({ low, high, log }) => {
  if (log) {
    const powers = [];
    const step = Math.max(1, Math.ceil(Math.log10(high / low) / 6));
    for (let k = Math.ceil(Math.log10(low) - 1e-9); k <= Math.log10(high) + 1e-9; k += step) powers.push(10 ** k);
    if (powers.length > 2) return powers;
    return [1, 2, 5].flatMap((d) => [-1, 0, 1].map((k) => d * 10 ** (Math.floor(Math.log10(low)) + k + 1)))
      .filter((t) => t >= low && t <= high).sort((a, b) => a - b);
  }
  const rough = (high - low) / 5, size = 10 ** Math.floor(Math.log10(rough));
  const step = size * [1, 2, 5, 10].find((d) => d * size >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) found.push(k * step);
  return found;
};

// Elements of HTML and SVG; text is never read as markup.
live.make = (name, attributes = {}, ...children) => {
  const svg = ["svg", "g", "path", "line", "rect", "text", "circle"].includes(name);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

// Names in full, since the site keeps the styles only of names that it finds in pages and scripts.
live.KINDS = { line: "live-line", points: "live-points", bars: "live-bars" };
live.SHADES = ["live-0", "live-1", "live-2", "live-3", "live-4"];
live.look = (layer, k) => `${live.KINDS[layer.kind]} ${live.SHADES[k]}`;

live.WIDTH = 400; live.HEIGHT = 270;
live.BOX = { left: 58, right: 388, top: 10, bottom: 222 };

live.scale = ({ low, high, log }, from, to) => {
  const f = log ? Math.log : (x) => x;
  const scaled = (x) => from + ((f(x) - f(low)) / (f(high) - f(low))) * (to - from);
  scaled.back = (place) => {
    const t = f(low) + ((place - from) / (to - from)) * (f(high) - f(low));
    return log ? Math.exp(t) : t;
  };
  return scaled;
};

// A mark as a path around a point, one shape for each layer.
live.mark = (x, y, k) => [
  `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0`, `M${x - 4},${y - 4}h8v8h-8z`,
  `M${x},${y - 5}l5,9h-10z`, `M${x - 5},${y - 4}h10l-5,9z`, `M${x},${y - 5}l5,5l-5,5l-5,-5z`,
][k];

live.shape = (layer, k, values, sx, sy, base) => {
  const [xs, ys] = [layer.x, layer.y].map((name) => [values[name]].flat());
  let path = "", pen = "M";
  xs.forEach((x, i) => {
    const px = sx(x), py = Math.max(-1e4, Math.min(1e4, sy(ys[i])));
    if (!Number.isFinite(px) || !Number.isFinite(py)) { pen = "M"; return; }
    if (layer.kind === "points") path += live.mark(px, py, k);
    else if (layer.kind === "bars") {
      const half = 0.4 * Math.abs(sx(xs[1]) - sx(xs[0]));
      path += `M${px - half},${base}V${py}h${2 * half}V${base}z`;
    } else path += `${pen}${px.toFixed(2)},${py.toFixed(2)}`;
    pen = "L";
  });
  return live.make("path", { d: path, class: live.look(layer, k) });
};

live.panel = (panel, values, inputs, id) => {
  const { make, BOX } = live;
  const sx = live.scale(panel.x, BOX.left, BOX.right), sy = live.scale(panel.y, BOX.bottom, BOX.top);
  const parts = [];
  for (const t of live.ticks(panel.x)) {
    parts.push(make("line", { class: "live-grid", x1: sx(t), x2: sx(t), y1: BOX.top, y2: BOX.bottom }));
    parts.push(make("text", { x: sx(t), y: BOX.bottom + 17, "text-anchor": "middle" }, live.written(t)));
  }
  for (const t of live.ticks(panel.y)) {
    parts.push(make("line", { class: "live-grid", x1: BOX.left, x2: BOX.right, y1: sy(t), y2: sy(t) }));
    parts.push(make("text", { x: BOX.left - 6, y: sy(t) + 4, "text-anchor": "end" }, live.written(t)));
  }
  parts.push(make("path", { class: "live-frame", d: `M${BOX.left},${BOX.top}V${BOX.bottom}H${BOX.right}` }));
  const middle = (BOX.left + BOX.right) / 2, half = (BOX.top + BOX.bottom) / 2;
  parts.push(make("text", { x: middle, y: live.HEIGHT - 10, "text-anchor": "middle" }, panel.x.label));
  parts.push(make("text", { transform: `translate(13,${half}) rotate(-90)`, "text-anchor": "middle" }, panel.y.label));
  if (panel.drag) {
    const x = sx(inputs[panel.drag]);
    parts.push(make("line", { class: "live-drag", x1: x, x2: x, y1: BOX.top, y2: BOX.bottom }));
    parts.push(make("circle", { class: "live-drag", cx: x, cy: BOX.bottom, r: 7 }));
  }
  const within = make("svg", { x: BOX.left - 6, y: BOX.top - 6, width: BOX.right - BOX.left + 12, height: BOX.bottom - BOX.top + 12,
    viewBox: `${BOX.left - 6} ${BOX.top - 6} ${BOX.right - BOX.left + 12} ${BOX.bottom - BOX.top + 12}` });
  panel.layers.forEach((layer, k) => within.append(live.shape(layer, k, values, sx, sy, BOX.bottom)));
  return [...parts, within];
};

live.legend = (panel) => {
  const entry = (layer, k) => {
    const shape = layer.kind === "line" ? "M0,6H28" : layer.kind === "points" ? live.mark(14, 6, k) : "M4,12V0H24V12z";
    const swatch = live.make("svg", { width: 28, height: 12, "aria-hidden": "true" },
      live.make("path", { d: shape, class: live.look(layer, k) }));
    return live.make("li", {}, swatch, ` ${layer.label}`);
  };
  return live.make("ul", { class: "live-legend" }, ...panel.layers.map(entry));
};

// A handle's value in its range, whole where it must be.
live.kept = (handle, value) => {
  const inside = Math.min(handle.high, Math.max(handle.low, value));
  return handle.whole ? Math.round(inside) : Number(inside.toPrecision(6));
};

live.figure = (place) => {
  const { make } = live;
  const spec = JSON.parse(place.dataset.spec), formula = live.formulas[place.dataset.name];
  const short = place.dataset.name.split("-fig-").pop();
  const figure = place.closest("figure"), description = figure.querySelector("img").alt;
  const inputs = Object.fromEntries(spec.handles.map((h) => [h.name, h.start]));
  const asked = new URLSearchParams(location.search);
  for (const handle of spec.handles) {
    const value = asked.get(`${short}.${handle.name}`);
    if (value && Number.isFinite(Number(value))) inputs[handle.name] = live.kept(handle, Number(value));
  }
  const panels = spec.panels.map((panel) => ({
    panel, svg: make("svg", { viewBox: `0 0 ${live.WIDTH} ${live.HEIGHT}`, role: "img", class: panel.drag ? "live-draggable" : "" }),
  }));
  const facts = spec.facts.map((fact) => ({ fact, output: make("output") }));
  const link = make("a", { class: "live-link" }, "Link to these values");
  const reset = make("button", { type: "button" }, "Reset");
  const rows = spec.handles.map((handle) => live.row(handle, `${figure.id}-${handle.name}`, (value) => set({ [handle.name]: value })));

  const show = () => {
    const values = formula(inputs, live.maths);
    const said = facts.map(({ fact, output }) => {
      output.textContent = live.written(values[fact.name]);
      return `${fact.label}: ${output.textContent}`;
    });
    const state = spec.handles.map((h) => `${h.label} = ${live.written(inputs[h.name])}`);
    panels.forEach(({ panel, svg }) => {
      svg.replaceChildren(...live.panel(panel, values, inputs));
      svg.setAttribute("aria-label", `${description} Shown: ${[...state, ...said].join("; ")}.`);
    });
    rows.forEach((row, k) => row.show(inputs[spec.handles[k].name]));
    const query = new URLSearchParams(location.search);
    for (const handle of spec.handles) {
      const key = `${short}.${handle.name}`;
      if (inputs[handle.name] === handle.start) query.delete(key);
      else query.set(key, inputs[handle.name]);
    }
    link.href = `${location.pathname}${query.size ? `?${query}` : ""}#${figure.id}`;
  };
  let waiting;
  const set = (changes) => {
    Object.assign(inputs, changes);
    show();
    clearTimeout(waiting);  // browsers allow few changes of the address in a second
    waiting = setTimeout(() => history.replaceState(history.state, "", link.href), 300);
  };
  reset.addEventListener("click", () => set(Object.fromEntries(spec.handles.map((h) => [h.name, h.start]))));
  for (const { panel, svg } of panels) {
    if (panel.drag) live.draggable(svg, panel, (value) => {
      const handle = spec.handles.find((h) => h.name === panel.drag);
      set({ [panel.drag]: live.kept(handle, value) });
    });
  }
  place.append(
    make("div", { class: "live-panels" }, ...panels.map(({ panel, svg }) => make("div", {}, svg, live.legend(panel)))),
    make("p", { class: "live-facts", role: "status" }, ...facts.map(({ fact, output }) => make("span", {}, `${fact.label}: `, output))),
    make("div", { class: "live-handles" }, ...rows.map((row) => row.element)),
    make("p", { class: "live-ends" }, reset, link),
  );
  show();
  place.hidden = false;
  figure.classList.add("has-live");
  live.drawn[place.dataset.name] = { inputs, set };
};

// A slider and a box for a number, for one input.
live.row = (handle, id, set) => {
  const { make } = live;
  const STEPS = 400;
  const whole = handle.whole && !handle.log;
  const way = live.scale({ low: handle.low, high: handle.high, log: handle.log }, 0, STEPS);
  const range = make("input", whole
    ? { type: "range", id, min: handle.low, max: handle.high, step: 1 }
    : { type: "range", id, min: 0, max: STEPS, step: 1 });
  const box = make("input", { type: "number", min: handle.low, max: handle.high, step: handle.whole ? 1 : "any", "aria-label": handle.label });
  const element = make("div", {}, make("label", { for: id }, handle.label), range, box);
  range.addEventListener("input", () => set(live.kept(handle, whole ? Number(range.value) : way.back(Number(range.value)))));
  box.addEventListener("input", () => {
    if (box.value !== "" && box.checkValidity()) set(Number(box.value));
  });
  box.addEventListener("change", () => {  // what is out of range, or no number
    const value = live.kept(handle, box.value === "" ? Number.NaN : Number(box.value));
    if (Number.isNaN(value)) box.value = box.dataset.last;
    else set(value);
  });
  const show = (value) => {
    range.value = whole ? value : way(value);
    range.setAttribute("aria-valuetext", live.written(value));
    box.dataset.last = handle.whole ? value : Number(value.toPrecision(4));
    if (document.activeElement !== box || Number(box.value) !== value) box.value = box.dataset.last;
  };
  return { element, show };
};

// Along the horizontal axis a finger or the mouse sets the input; moves up and down scroll the page.
live.draggable = (svg, panel, set) => {
  const sx = live.scale(panel.x, live.BOX.left, live.BOX.right);
  const move = (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * live.WIDTH;
    set(sx.back(Math.min(live.BOX.right, Math.max(live.BOX.left, place))));
  };
  svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture(event.pointerId); move(event); });
  svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) move(event); });
};

document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("div.live").forEach(live.figure));
