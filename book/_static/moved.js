// An old address: lead to the chapter that has the place asked for, or to the first one. A chapter
// that lacks a place asks here too and gives its own address; if no other has it, one goes back there.
(() => {
  const { start, places } = document.currentScript.dataset;
  const chapters = Object.entries(JSON.parse(places));
  const place = decodeURIComponent(location.hash.slice(1));
  const found = chapters.find(([, names]) => names.includes(place));
  const asker = chapters.find(([page]) => page === location.search.slice(1));
  const unknown = asker ? asker[0] : start + location.hash;
  location.replace(found ? found[0] + location.hash : unknown);
})();
