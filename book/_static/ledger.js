// The table of claims: a filter, which is in the page's address, and rows that are made when they come
// into view; the page has them in claims/ledger.js. And zoom for the graphs.
window.ledgerOf = (parts) => document.addEventListener("DOMContentLoaded", () => {
  const AT_ONCE = 40;
  const table = document.querySelector("table.ledger");
  const rows = parts.flatMap(({ part, head, rows: own }) => own.map(([id, verdict, kind, html]) => ({ part, head, id, verdict, kind, html })));
  const form = document.createElement("form");
  form.className = "ledger-filter";
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", "Filter the claims");
  const named = (key, v) => key !== "verdict" ? v : v === "our-text" ? "undecided: our text" : v.replaceAll("-", " ");
  const fields = {};
  const add = (key, field) => {
    const label = document.createElement("label");
    label.append(`${key} `, field);
    form.append(label);
    fields[key] = field;
  };
  for (const key of ["part", "kind", "verdict"]) {
    const select = document.createElement("select");
    select.add(new Option("all", ""));
    [...new Set(rows.map((row) => row[key]))].forEach((v) => select.add(new Option(named(key, v), v)));
    add(key, select);
  }
  add("text", Object.assign(document.createElement("input"), { type: "search" }));
  const count = document.createElement("output");
  form.append(count);
  form.addEventListener("submit", (event) => event.preventDefault());
  table.before(form);
  const end = document.createElement("p");
  table.after(end);

  let wanted = [];
  let made = 0;
  const make = (most) => {
    const fresh = [];
    for (const { part, head, id, verdict, html } of wanted.slice(made, made + most)) {
      let body = table.tBodies[table.tBodies.length - 1];
      if (body?.dataset.part !== part) {
        body = table.createTBody();
        body.dataset.part = part;
        body.innerHTML = head;
      }
      const row = body.insertRow();
      row.id = `claim-${id}`;
      row.dataset.verdict = verdict;
      row.innerHTML = html.replaceAll("<m>", '<span class="math notranslate nohighlight">');
      const own = Object.assign(document.createElement("a"), { href: `../../claims/${id}.html`, textContent: "its page" });
      row.cells[0].append(document.createElement("br"), own);
      fresh.push(row);
    }
    made += fresh.length;
    const jax = window.MathJax?.startup;  // before it is there, it finds these rows by itself
    if (jax?.promise) jax.promise = jax.promise.then(() => window.MathJax.typesetPromise(fresh));
  };
  const more = new IntersectionObserver((seen) => {
    if (!seen.some((x) => x.isIntersecting) || made >= wanted.length) return;
    make(AT_ONCE);
    more.unobserve(end);
    more.observe(end);  // to be asked again if the end is still in view
  }, { rootMargin: "800px" });

  const filter = async () => {
    const query = fields.text.value.trim();
    const fits = (row) => ["part", "kind", "verdict"].every((key) => !fields[key].value || row[key] === fields[key].value);
    const found = query && new Set((await window.finder.find(query)).map(({ id }) => id));
    if (query !== fields.text.value.trim()) return;
    wanted = rows.filter((row) => fits(row) && (!found || found.has(row.id)));
    made = 0;
    while (table.tBodies.length) table.tBodies[0].remove();
    make(AT_ONCE);
    count.textContent = `${wanted.length} of ${rows.length} claims`;
    more.unobserve(end);
    more.observe(end);
  };
  const said = () => new URLSearchParams(Object.entries(fields).map(([key, field]) => [key, field.value]).filter(([, v]) => v));
  form.addEventListener("input", () => {
    history.replaceState(null, "", `#${said() || "ledger-claims"}`);
    filter();
  });

  const read = () => {
    const place = decodeURIComponent(location.hash.slice(1));
    const asked = new URLSearchParams(place.includes("=") ? location.hash.slice(1) : "");
    for (const [key, field] of Object.entries(fields)) field.value = asked.get(key) ?? "";
    if (!place.startsWith("claim-")) return filter().then(() => { if (asked.size) form.scrollIntoView(); });
    wanted = rows.filter(({ id }) => `claim-${id}` === place);
    made = 0;
    while (table.tBodies.length) table.tBodies[0].remove();
    make(1);
    count.textContent = `${wanted.length} of ${rows.length} claims`;
    form.scrollIntoView();
  };
  window.addEventListener("hashchange", read);
  window.addEventListener("beforeprint", () => make(rows.length));
  read();
});

document.addEventListener("DOMContentLoaded", () => {
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
