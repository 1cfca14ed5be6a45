// How the search ranks what it finds; Sphinx writes this into its own script.
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
