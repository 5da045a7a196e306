// SPDX-License-Identifier: Apache-2.0
// The order of the search's results: names that are exactly the word, words of the glossary, pages by hand, then all that references have.
var Scorer = {
  score: ([docname, title, , , score, , kind]) => {
    if (kind === "object") return score >= Scorer.objNameMatch ? score + 50 : score - 20;
    if (kind === "index") return docname.startsWith("reference/") ? score - 100 : score;
    return docname.startsWith("reference/") || docname.startsWith("source/") ? score : score + 10;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
