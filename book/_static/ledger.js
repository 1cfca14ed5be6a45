// Filters for the table of claims, and zoom for the graphs. Without this script both are plain.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("table.ledger").forEach((table) => {
    const rows = [...table.querySelectorAll("tr[data-verdict]")];
    const about = new Map(rows.map((row) => [row, {
      part: row.parentNode.dataset.part,
      kind: row.querySelector("small")?.textContent ?? "",
      verdict: row.dataset.verdict,
    }]));
    const form = document.createElement("form");
    form.className = "ledger-filter";
    form.setAttribute("role", "search");
    form.setAttribute("aria-label", "Filter the claims");
    const choices = {};
    const named = (key, v) => key !== "verdict" ? v : v === "our-text" ? "undecided: our text" : v.replaceAll("-", " ");
    for (const key of ["part", "kind", "verdict"]) {
      const label = document.createElement("label");
      const select = document.createElement("select");
      select.add(new Option("all", ""));
      [...new Set(rows.map((r) => about.get(r)[key]))].forEach((v) => select.add(new Option(named(key, v), v)));
      label.append(key + " ", select);
      form.append(label);
      choices[key] = select;
    }
    const text = document.createElement("input");
    text.type = "search";
    const label = document.createElement("label");
    label.append("text ", text);
    const count = document.createElement("output");
    form.append(label, count);
    const filter = () => {
      let shown = 0;
      const words = text.value.toLowerCase();
      for (const row of rows) {
        const fits = Object.entries(choices).every(([k, s]) => !s.value || about.get(row)[k] === s.value);
        row.hidden = !(fits && row.textContent.toLowerCase().includes(words));
        shown += !row.hidden;
      }
      for (const body of table.tBodies) body.hidden = ![...body.rows].some((r) => about.has(r) && !r.hidden);
      count.textContent = `${shown} of ${rows.length} claims`;
    };
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    table.before(form);
    filter();
  });
  document.querySelectorAll(".claim-graph:not(details *)").forEach((frame) => {
    const svg = frame.querySelector("svg");
    const width = svg.width.baseVal.value;
    const height = svg.height.baseVal.value;
    let zoom = Math.min(1, Math.max(0.6, frame.clientWidth / width));
    const draw = () => {
      svg.setAttribute("width", width * zoom);
      svg.setAttribute("height", height * zoom);
    };
    const by = (factor) => { zoom = Math.min(4, Math.max(0.2, zoom * factor)); draw(); };
    const bar = document.createElement("div");
    bar.className = "claim-graph-zoom";
    for (const [sign, name, factor] of [["−", "Zoom out", 0.8], ["+", "Zoom in", 1.25]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => by(factor));
      bar.append(button);
    }
    frame.before(bar);
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      by(event.deltaY < 0 ? 1.1 : 0.9);
    }, { passive: false });
    draw();
  });
});
