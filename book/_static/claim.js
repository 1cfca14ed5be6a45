// A claim's page: the reader's theme, before anything is drawn, and buttons that copy code.
{
  let theme;
  try { theme = localStorage.getItem("theme"); } catch { /* a page from disk may have no storage */ }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const choose = () => {
    document.documentElement.dataset.theme = ["light", "dark"].includes(theme) ? theme : dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", choose);
  choose();
}
document.addEventListener("DOMContentLoaded", () => {
  for (const code of document.querySelectorAll("pre.copied")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copies";
    button.textContent = "Copy";
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    const around = document.createElement("div");
    around.className = "copied-around";
    code.before(around);
    around.append(button, code);
  }
});
