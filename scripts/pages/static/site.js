// SPDX-License-Identifier: Apache-2.0
// Boxes that scroll sideways can be reached and scrolled with the keyboard.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll(".table-wrapper, .highlight pre, .output, .sidebar-scroll, .toc-scroll"))
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight || getComputedStyle(box).overflowX === "auto") box.tabIndex = 0;
});
