// An old address: lead to the chapter that has the place asked for, or to the first one.
(() => {
  const { start, places } = document.currentScript.dataset;
  const place = decodeURIComponent(location.hash.slice(1));
  const found = Object.entries(JSON.parse(places)).find(([, names]) => names.includes(place));
  location.replace((found ? found[0] : start) + location.hash);
})();
