// How the search ranks what it finds, and shows it; Sphinx writes this into its own script.
// What leads to a place, because its title was asked for, comes before pages that have the words
// somewhere: "Theorem C.1" leads to the theorem, and to its erratum next.
var Scorer = {
  score: ([docname, title, anchor, description, score]) =>
    anchor ? 10 * score + (docname.startsWith("notebooks/") ? 5 : 0) : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

// An excerpt is cut out of a page's text, where formulas are TeX. Here each is one character until
// that is done, and then set by MathJax. Displayed formulas and all that is not prose are left out.
{
  const FIRST = 0xe000; // of the characters that Unicode leaves for private use
  const NOT_PROSE = "pre, table, svg, button, form, details.hide, .onward, .offer, .about-chapter, .verdict-claim, .verdict-more, .figure-data, .slider, .live, .claim-chains";
  const cut = Search.makeSearchSummary;
  const home = document.querySelector('script[src*="_static/"]').src.split("_static/")[0];
  let ready; // once MathJax is there and has set what came before

  const load = () =>
    new Promise((resolve) => {
      window.MathJax = { startup: { typeset: false }, options: { lazyAlwaysTypeset: "#search-results" } };
      const script = document.createElement("script");
      script.src = `${home}_static/mathjax/formulas.js`;
      script.onload = () => MathJax.startup.promise.then(resolve);
      document.head.append(script);
    });

  const set = (spans) => {
    ready = (ready ?? load()).then(() => {
      // by now the words looked for are marked, which would break TeX
      spans.forEach(([span, tex]) => (span.textContent = tex));
      return MathJax.typesetPromise(spans.map(([span]) => span));
    });
  };

  Search.makeSearchSummary = (html, words, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelectorAll(NOT_PROSE).forEach((element) => element.remove());
    const formulas = [];
    for (const math of page.querySelectorAll(".math")) {
      const inline = math.textContent.startsWith("\\(");
      const sign = inline ? String.fromCharCode(FIRST + formulas.push(math.textContent) - 1) : "…";
      math.textContent = sign;
    }
    const excerpt = cut.call(Search, page.documentElement.outerHTML, words, anchor);
    if (!excerpt) return excerpt;
    const spans = [];
    const pieces = excerpt.textContent.split(/([\ue000-\uf8ff])/).map((piece, k) => {
      if (k % 2 === 0) return piece;
      const span = document.createElement("span");
      span.className = "math";
      spans.push([span, formulas[piece.charCodeAt(0) - FIRST]]);
      return span;
    });
    excerpt.replaceChildren(...pieces);
    if (spans.length) set(spans);
    return excerpt;
  };
}
