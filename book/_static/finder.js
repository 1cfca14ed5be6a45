// One finder over all claims and pages: by number ("Figure 4.2"), kind, part, author, arXiv number
// and words, with typing errors. It serves the search dialog, every form.finder, the search page and
// the ledger, which calls `finder.find`. What it searches, claims/claims.js, is loaded when wanted.
// A library (MiniSearch, Fuse) would be larger than this and does not know numbers of theorems.
window.finder = (() => {
  const root = document.currentScript.src.split("_static/")[0];
  const SHOWN = 12;
  const KINDS = { fig: "figure", thm: "theorem", th: "theorem", lem: "lemma", lemmata: "lemma", prop: "proposition", cor: "corollary",
    corollaries: "corollary", def: "definition", defn: "definition", eq: "equation", eqn: "equation", tab: "table", app: "appendix", sec: "section" };

  const words = (text) => (text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
    .match(/[a-z]\.\d+(?:\.\d+)*[a-z]?|\d+(?:\.\d+)*[a-z]?|\p{L}+/gu) ?? [])
    .map((word) => word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)
    .map((word) => KINDS[word] ?? word);

  // Changes of one letter, or swaps of two neighbours, from one word to the other; at most `most` + 1.
  const apart = (a, b, most) => {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let before = [], last = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      for (let j = 1; j <= b.length; j++) {
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] !== b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      if (Math.min(...row) > most) return most + 1;
      [before, last] = [last, row];
    }
    return last[b.length];
  };

  // Each word with what has it, and how much it counts there.
  const indexed = ({ parts, states, claims, pages }) => {
    const found = [], index = new Map();
    const add = (item, fields) => {
      const place = found.push(item) - 1;
      for (const [text, weight] of fields) {
        for (const word of words(text)) {
          const of = index.get(word) ?? index.set(word, new Map()).get(word);
          of.set(place, Math.max(of.get(place) ?? 0, weight));
        }
      }
    };
    for (const [address, title, part, more] of pages) {
      const story = address.endsWith("/story.html") ? 4 : 0;
      add({ href: address, name: title, title: "", said: parts[part]?.[0] ?? "" }, [[title, 5 + story], [more, 3 + story], [(parts[part] ?? []).join(" "), 2 + story]]);
    }
    for (const [id, number, title, part, kind, state, more, ranges] of claims) {
      add({ id, href: `claims/${id}.html`, name: number, title, said: `${states[state]} · ${parts[part][0]}` },
        [[`${number} ${ranges}`, 8], [title, 5], [kind, 3], [parts[part].join(" "), 2], [states[state], 2], [more, 1], [id.replaceAll(/[-_]/g, " "), 1]]);
    }
    return { found, index };
  };

  let ready;
  const load = () => ready ??= new Promise((done, failed) => {
    window.claimsOf = (data) => done(indexed(data));
    const script = document.createElement("script");
    script.src = `${root}claims/claims.js`;
    script.onerror = failed;
    document.head.append(script);
  });

  // What has a word, and how well: as it is, else as a beginning, else misspelt.
  const matches = (index, word) => {
    const best = new Map();
    const take = (of, quality) => of.forEach((weight, place) => best.set(place, Math.max(best.get(place) ?? 0, weight * quality)));
    if (index.has(word)) take(index.get(word), 1);
    if (word.length > 1) index.forEach((of, other) => { if (other !== word && other.startsWith(word)) take(of, 0.6); });
    if (!best.size && word.length > 3 && /^\p{L}+$/u.test(word)) {
      const most = word.length > 7 ? 2 : 1;
      index.forEach((of, other) => {
        const errors = apart(word, other, most);
        if (errors <= most) take(of, 0.5 / errors);
      });
    }
    return best;
  };

  const find = async (query) => {
    const { found, index } = await load();
    let scores;
    for (const word of words(query.replace(/\barxiv:?/gi, " "))) {
      const of = matches(index, word);
      scores = scores ? new Map([...scores].filter(([k]) => of.has(k)).map(([k, s]) => [k, s + of.get(k)])) : of;
    }
    return [...scores ?? []].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([k]) => found[k]);
  };

  const element = (tag, text, name) => Object.assign(document.createElement(tag), { textContent: text, className: name ?? "" });
  const show = (box, found, query) => {
    const list = document.createElement("ul");
    for (const { href, name, title, said } of found.slice(0, SHOWN)) {
      const link = Object.assign(document.createElement("a"), { href: root + href });
      link.append(element("b", name), title && title !== name ? ` ${title} ` : " ", element("small", said));
      list.append(document.createElement("li"));
      list.lastChild.append(link);
    }
    const many = found.length > SHOWN ? `The first ${SHOWN} of ${found.length} claims and pages` : `${found.length} ${found.length === 1 ? "claim or page" : "claims and pages"}`;
    box.replaceChildren(element("p", query ? many : ""), list);
    box.firstChild.setAttribute("role", "status");
    box.hidden = !query;
  };

  const attach = (form) => {
    const input = form.querySelector("input[type=search]");
    const box = element("div", "", "finds");
    box.hidden = true;
    form.after(box);
    input.addEventListener("focus", load, { once: true });
    input.addEventListener("input", async () => {
      const query = input.value.trim();
      const found = await find(query);
      if (query === input.value.trim()) show(box, found, query);
    });
    const move = (event) => {
      if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
      const stops = [input, ...box.querySelectorAll("a")];
      const next = stops[stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    for (const place of [input, box]) place.addEventListener("keydown", move);
  };

  document.addEventListener("DOMContentLoaded", async () => {
    document.querySelectorAll("form.finder, #pst-search-dialog form").forEach(attach);
    const results = document.querySelector("#search-results");
    const query = new URLSearchParams(location.search).get("q");
    if (!results || !query) return;
    const box = element("div", "", "finds found-first");
    results.before(box);
    show(box, await find(query), query);
  });
  return { find, words };
})();
