// One button shows all folded code of a page; on paper it is open.
document.addEventListener("DOMContentLoaded", () => {
  const folds = [...document.querySelectorAll("details.hide")];
  const title = document.querySelector("article h1");
  if (!folds.length || !title) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "show-code";
  const say = (shown) => {
    button.setAttribute("aria-pressed", String(shown));
    button.textContent = shown ? "Hide all code" : "Show all code";
  };
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    folds.forEach((fold) => { fold.open = shown; });
    say(shown);
  });
  say(false);
  title.before(button);
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = folds.filter((fold) => !fold.open);
    closed.forEach((fold) => { fold.open = true; });
  });
  window.addEventListener("afterprint", () => closed.forEach((fold) => { fold.open = false; }));
});

// A button that moves a slider from its first value to its last, from the first again if it is there.
const play = (button, input, show) => {
  let timer;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    button.textContent = "Play";
  };
  const move = (value) => {
    input.value = value;
    input.dispatchEvent(new Event("input"));
    if (input.value === input.max) stop();
  };
  button.addEventListener("click", () => {
    if (timer !== undefined) { stop(); return; }
    button.textContent = "Pause";
    timer = setInterval(() => move(Number(input.value) + 1), 700);
    move(input.value === input.max ? 0 : Number(input.value));
  });
  for (const touch of ["pointerdown", "keydown"]) input.addEventListener(touch, stop);
  show();  // the page begins with the first picture, paper has a later one
};

// A slider changes the picture above it. Its other pictures are fetched when it is first touched.
document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll("p.slider")) {
    const picture = place.parentElement.querySelector("img");
    const onPhones = place.parentElement.querySelector("source");
    const input = place.querySelector("input");
    const output = place.querySelector("output");
    const label = place.querySelector("span").textContent;
    const values = JSON.parse(place.dataset.values);
    const description = picture.alt;
    const frame = (k, kind = "") => `${place.dataset.frames}-${k}${kind}.svg`;
    const narrow = (k) => frame(k, "-narrow");
    const show = () => {
      const value = values[input.value];
      picture.src = frame(input.value);
      if (onPhones) onPhones.srcset = narrow(input.value);
      picture.alt = `${description} Shown: ${label} = ${value}.`;
      output.textContent = value;
      input.setAttribute("aria-valuetext", value);
    };
    const shown = onPhones && matchMedia(onPhones.media).matches ? narrow : frame;
    const fetchAll = () => values.forEach((_, k) => { new Image().src = shown(k); });
    for (const touch of ["pointerenter", "focusin"]) place.addEventListener(touch, fetchAll, { once: true });
    input.addEventListener("input", show);
    input.setAttribute("aria-valuetext", values[input.value]);
    const button = place.querySelector("button");
    if (button) play(button, input, show);
    place.hidden = false;
  }
});

// A figure that is clicked, tapped or chosen by keyboard fills the window, large enough to read and to move about in.
document.addEventListener("DOMContentLoaded", () => {
  const frame = document.createElement("dialog");
  frame.className = "enlarged";
  frame.addEventListener("click", () => frame.close());
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") frame.close(); });
  document.body.append(frame);
  for (const picture of document.querySelectorAll("article figure > img, article figure > picture > img")) {
    picture.classList.add("enlarges");
    const figure = picture.closest("figure");
    const caption = figure.querySelector("figcaption");
    const tells = picture.closest("picture") && /\b(Left|Right):|\((left|right)\)/.test(caption?.textContent);
    const widen = () => {
      figure.classList.toggle("wide", picture.naturalWidth > 560);
      if (tells) caption.classList.toggle("beside-each-other", picture.naturalHeight > 0.9 * picture.naturalWidth);
    };
    if (picture.complete) widen();
    picture.addEventListener("load", widen);
    picture.tabIndex = 0;
    picture.setAttribute("role", "button");
    const enlarge = () => {
      const whole = picture.cloneNode();
      whole.removeAttribute("tabindex");
      whole.removeAttribute("role");
      frame.replaceChildren(whole);
      frame.showModal();
    };
    picture.addEventListener("click", enlarge);
    picture.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      enlarge();
    });
  }
});

// The theme's buttons for printing and the full screen; pages themselves have no scripts in them.
document.addEventListener("DOMContentLoaded", () => {
  const does = { print: () => window.print(), fullscreen: () => window.toggleFullScreen() };
  for (const button of document.querySelectorAll("[data-click]")) {
    button.addEventListener("click", does[button.dataset.click]);
  }
});

// On a phone a formula in a sentence scrolls where it is longer than its line, and then fades there.
document.addEventListener("DOMContentLoaded", () => {
  const set = new ResizeObserver((changed) => {
    for (const { target } of changed) {
      target.classList.toggle("longer", target.scrollWidth > target.clientWidth + 8);
    }
  });
  for (const formula of document.querySelectorAll("article span.math")) set.observe(formula);
});

// A displayed formula that is wider than the page is a stop of the keyboard, whose arrows then move it.
document.addEventListener("DOMContentLoaded", () => {
  const set = new ResizeObserver((changed) => {
    for (const { target } of changed) {
      const formula = target.querySelector("mjx-container") ?? target;
      if (formula.scrollWidth > formula.clientWidth + 1) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    }
  });
  for (const formula of document.querySelectorAll("article div.math")) set.observe(formula);
});

// A statement that is folded opens when a link leads to it.
for (const event of ["DOMContentLoaded", "hashchange"]) {
  window.addEventListener(event, () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = place?.closest("details.fold") ?? place?.querySelector(":scope > details.fold");
    if (!fold || fold.open) return;
    fold.open = true;
    place.scrollIntoView();
  });
}
for (const [event, open] of [["beforeprint", true], ["afterprint", false]]) {
  window.addEventListener(event, () => document.querySelectorAll("details.fold").forEach((fold) => { fold.open = open; }));
}

// An answer that a reader types: a decimal number, a fraction, or a power such as 2e-3.
const typed = (text) => {
  const [above, below = "1"] = text.trim().replace(",", ".").replace("−", "-").split("/");
  return above === "" ? NaN : Number(above) / Number(below);
};
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".answer").forEach((answer) => {
    const [input, button, said] = answer.children;
    const check = () => {
      const off = Math.abs(typed(input.value) - Number(answer.dataset.value));
      said.textContent = Number.isNaN(off) ? "That is not a number: try 0.25, 1/4 or 2e-3."
        : off <= Number(answer.dataset.within) ? "✓ Right." : "✗ Not yet.";
    };
    button.addEventListener("click", check);
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") check(); });
    answer.hidden = false;
  });
});
