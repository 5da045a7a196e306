// SPDX-License-Identifier: Apache-2.0
const tip = document.getElementById("tip");
function point(element, text) {
  element.addEventListener("mousemove", event => {
    tip.textContent = text;
    tip.style.display = "block";
    tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(8, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
  });
  element.addEventListener("mouseleave", () => { tip.style.display = "none"; });
}
// texts that browsers would show late and in one line
document.querySelectorAll("svg rect > title, svg circle > title").forEach(title => {
  const shape = title.parentNode;
  shape.removeChild(title);
  point(shape, title.textContent);
});
document.querySelectorAll("td[title]").forEach(cell => {
  point(cell, cell.title);
  cell.removeAttribute("title");
});
// a name in a legend fades its series
document.querySelectorAll("svg .legend").forEach(box => {
  const flip = () => box.closest("svg").querySelectorAll(`[data-series="${box.dataset.series}"]`).forEach(
    part => part.classList.toggle("off"));
  box.addEventListener("click", flip);
  box.nextElementSibling.addEventListener("click", flip);
});
// boxes that hide a class of cells
document.querySelectorAll("nav input").forEach(input => input.addEventListener("change",
  () => document.body.classList.toggle("no-" + input.value, !input.checked)));
// paper unfolds nothing by itself
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(one => { one.open = true; }));
// boxes that scroll sideways are reached with the keyboard
document.querySelectorAll(".panel, .panel pre").forEach(box => {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
});
