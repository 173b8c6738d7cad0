// Lists: whole rows are links, and can be walked by keys.
"use strict";

(() => {
  const links = [...document.querySelectorAll(".row-link")];
  document.querySelectorAll("tr.row").forEach((row) => row.addEventListener("click", (event) => {
    if (event.target.closest("a, button, input, select, label") || getSelection().toString()) return;
    const link = row.querySelector(".row-link");
    if (event.ctrlKey || event.metaKey) open(link.href);
    else link.click();
  }));

  function go(by) {
    const at = links.indexOf(document.activeElement);
    const next = links[Math.min(Math.max(at + by, 0), links.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  const filters = document.querySelector("form.filters");
  filters?.addEventListener("change", () => filters.requestSubmit());

  Object.assign(feltwatch.keys, {
    j: () => go(1),
    k: () => go(-1),
    Enter: (event) => {
      if (event.target.closest("a, button")) return false;
      (document.getElementById("begin") || links[0])?.click();
    },
  });
})();
