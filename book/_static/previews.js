// What a link leads to, shown beside it: on hover, on focus by keyboard, at the first tap of a finger.
// Escape closes it. What is shown comes from `_previews/PAGE.js`, which is loaded when first wanted.
(() => {
  const known = {};
  window.previewsOf = (page, shown) => { known[page] = shown; };
  const WAIT = 250;  // milliseconds before a preview comes or goes

  document.addEventListener("DOMContentLoaded", () => {
    const links = document.querySelectorAll("a[data-preview]");
    if (!links.length || !("popover" in HTMLElement.prototype)) return;
    const root = new URL(document.documentElement.dataset.content_root || "./", location.href).href;
    const box = document.createElement("div");
    Object.assign(box, { id: "preview", className: "preview", popover: "auto" });
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Preview");
    const content = document.createElement("div");
    content.className = "preview-content";
    const onward = document.createElement("a");
    onward.className = "preview-onward";
    onward.textContent = "Go there";
    box.append(content, onward);
    document.body.append(box);

    let wanted = null;
    let current = null;
    let timer = 0;
    let closing = false;
    const isOpen = () => box.matches(":popover-open");

    const load = (page) => known[page] ?? new Promise((done) => {
      const script = document.createElement("script");
      script.src = `${root}_previews/${page}.js`;
      script.onload = script.onerror = () => done(known[page] ?? {});
      document.head.append(script);
    });

    const place = (link) => {
      const at = link.getBoundingClientRect();
      const left = Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 8);
      const below = at.bottom + box.offsetHeight + 8 <= innerHeight || at.top < box.offsetHeight + 8;
      const top = below ? at.bottom + 4 : at.top - box.offsetHeight - 4;
      box.style.left = `${Math.max(8, left) + scrollX}px`;
      box.style.top = `${top + scrollY}px`;
    };

    const show = async (link) => {
      wanted = link;
      const onwards = new URL(link.getAttribute("href"), location.href).href;
      const target = new URL(link.dataset.preview ? root + link.dataset.preview : onwards);
      const page = decodeURIComponent(target.href.slice(root.length).replace(/(\.html)?#.*$/, ""));
      const shown = (await load(page))[decodeURIComponent(target.hash.slice(1))];
      if (wanted !== link || !shown) return;
      content.innerHTML = shown.replaceAll("{root}", root);
      onward.href = onwards;
      if (!isOpen()) box.showPopover();
      current = link;
      link.setAttribute("aria-describedby", box.id);
      place(link);
    };

    const soon = (what) => { clearTimeout(timer); timer = setTimeout(what, WAIT); };
    const hide = () => {
      clearTimeout(timer);
      wanted = null;
      if (isOpen()) box.hidePopover();
    };
    box.addEventListener("beforetoggle", (event) => {
      if (event.newState !== "closed") return;
      current?.removeAttribute("aria-describedby");
      wanted = current = null;
      closing = true;  // what had the focus may get it back, and is not to open again
      setTimeout(() => { closing = false; });
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    const leave = (event) => { if (event.pointerType === "mouse") soon(hide); };
    box.addEventListener("pointerenter", () => clearTimeout(timer));
    box.addEventListener("pointerleave", leave);

    const blurred = (event) => {
      const next = event.relatedTarget;
      if (next !== current && !box.contains(next)) hide();
    };
    box.addEventListener("focusout", blurred);
    for (const link of links) {
      let wasOpen = false;
      let touched = false;
      if (link.classList.contains("symbol")) link.setAttribute("aria-label", link.title);  // a formula has no name
      link.removeAttribute("title");
      link.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") soon(() => show(link));
      });
      link.addEventListener("pointerleave", leave);
      link.addEventListener("focus", () => { if (!closing && link.matches(":focus-visible")) show(link); });
      link.addEventListener("blur", blurred);
      link.addEventListener("pointerdown", (event) => {
        touched = event.pointerType === "touch";
        wasOpen = current === link && isOpen();
      });
      link.addEventListener("click", (event) => {
        if (!touched || wasOpen) return;  // the second tap follows the link
        event.preventDefault();
        show(link);
      });
    }
  });
})();
