// The page's contents follow the reader, also when a link led into the middle of a section: the
// theme notices headings only while they pass through the top of the window.
document.addEventListener("DOMContentLoaded", () => {
  const links = [...document.querySelectorAll("#pst-page-toc-nav a[href^='#']")];
  const sections = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (!links.length) return;
  const mark = (link, here) => {
    link.classList.toggle("active", here);
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  };
  let asked = false;
  const follow = () => {
    asked = false;
    const passed = sections.map((s) => s !== null && s.getBoundingClientRect().top < 0.3 * innerHeight);
    const current = passed.lastIndexOf(true);
    links.forEach((link, k) => mark(link, k === current));
    document.querySelectorAll("#pst-page-toc-nav .toc-entry").forEach((entry) => {
      entry.classList.toggle("active", current >= 0 && entry.contains(links[current]));
    });
  };
  const ask = () => {
    if (!asked) requestAnimationFrame(follow);
    asked = true;
  };
  for (const event of ["scroll", "scrollend", "resize", "hashchange"]) addEventListener(event, ask, { passive: true });
  follow();
});
