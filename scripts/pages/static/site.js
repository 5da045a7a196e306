// SPDX-License-Identifier: Apache-2.0
// Boxes that scroll sideways can be reached and scrolled with the keyboard.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll(".table-wrapper, .highlight pre, .output, .sidebar-scroll, .toc-scroll, article p:has(> img[src$='.svg'])"))
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight || getComputedStyle(box).overflowX === "auto") box.tabIndex = 0;
});

// Results of the search with the first sentences of their pages, which summaries.js has.
const results = () => document.getElementById("search-results");
document.addEventListener("DOMContentLoaded", () => {
  if (!results()) return;
  const summarise = () => {
    for (const link of results().querySelectorAll("li > a:not([data-told])")) {
      link.dataset.told = "yes";
      const text = window.SUMMARIES?.[link.getAttribute("href").replace(/\.html(#.*)?$/, "")];
      if (!text || link.parentElement.querySelector("span")) continue;
      const shown = document.createElement("p");
      shown.className = "context";
      shown.textContent = text;
      link.parentElement.append(shown);
    }
  };
  const script = document.createElement("script");
  script.src = "_static/summaries.js";
  script.onload = () => { summarise(); new MutationObserver(summarise).observe(results(), { childList: true, subtree: true }); };
  document.head.append(script);
});
