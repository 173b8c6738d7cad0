// The open alerts beside the wall or a table: filtered, grouped, taken; with the time that is left to correct them.
"use strict";

(() => {
  const board = document.getElementById("board");
  const choices = Object.fromEntries(["severity", "place"].map((name) => [name, document.getElementById(`filter-${name}`)]));
  const group = document.getElementById("group");
  const fresh = new Set();

  // ---- Filters and groups

  function places() {
    const select = choices.place;
    const known = new Set(Array.from(select.options, (option) => option.value));
    for (const tile of document.querySelectorAll(".tile")) {
      for (const [kind, name] of [["pit", tile.dataset.pit], ["table", tile.dataset.table]]) {
        const value = `${kind}=${name}`;
        if (!name || known.has(value)) continue;
        known.add(value);
        select.add(new Option(name, value));
      }
    }
    const options = [...select.options].slice(1).sort((a, b) => a.value.localeCompare(b.value, "en", { numeric: true }));
    options.forEach((option) => select.append(option));
  }

  function fits(card) {
    if (!choices.severity) return true;
    const [kind, name] = choices.place.value.split("=");
    return (!choices.severity.value || card.dataset.severity === choices.severity.value) && (!kind || card.dataset[kind] === name);
  }

  function arrange() {
    const cards = [...board.querySelectorAll(".alert")];
    for (const card of cards) card.hidden = !fits(card);
    const shown = cards.filter((card) => !card.hidden);
    document.getElementById("board-empty").hidden = cards.length > 0;
    document.getElementById("board-filtered").hidden = cards.length === 0 || shown.length > 0;
    const by = group ? group.value : "";
    board.dataset.group = by;
    const groups = [...new Set(cards.map((card) => (by ? card.dataset[by] || "No pit" : "")))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    cards.forEach((card, i) => { card.style.order = by ? 1000 * groups.indexOf(card.dataset[by] || "No pit") + i + 1 : ""; });
    board.querySelectorAll(".group-name").forEach((name) => name.remove());
    if (!by) return;
    groups.forEach((name, i) => {
      const count = shown.filter((card) => (card.dataset[by] || "No pit") === name).length;
      if (!count) return;
      const heading = document.createElement("li");
      heading.className = "group-name";
      heading.textContent = `${name} · ${count}`;
      heading.style.order = 1000 * i;
      board.append(heading);
    });
  }

  function remembered(select, name) {
    if (!select) return;
    const value = localStorage.getItem(name);
    if (value && [...select.options].some((option) => option.value === value)) select.value = value;
    select.addEventListener("change", () => { localStorage.setItem(name, select.value); arrange(); });
  }

  // ---- How long an alert can still be corrected

  function inWords(ms) {
    const seconds = Math.round(ms / 1000);
    return seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;
  }

  function count() {
    for (const element of board.querySelectorAll("[data-until-ms]")) {
      const until = Number(element.dataset.untilMs);
      const left = until - Date.now();
      const words = until === 0 ? "next hand dealt" : left > 0 ? inWords(left) : "next hand due";
      if (element.textContent !== words) element.textContent = words;
      element.classList.toggle("soon", until > 0 && left < 20000);
    }
  }

  // ---- Taking alerts

  const current = () => document.activeElement?.closest(".alert") || null;

  function go(by) {
    const cards = [...board.querySelectorAll(".alert:not([hidden])")];
    if (group?.value) cards.sort((a, b) => Number(a.style.order) - Number(b.style.order));
    if (!cards.length) return;
    const at = cards.indexOf(current());
    const next = cards[at < 0 ? (by > 0 ? 0 : cards.length - 1) : Math.min(Math.max(at + by, 0), cards.length - 1)];
    next.querySelector(".alert-link").focus();
    next.scrollIntoView({ block: "nearest" });
  }

  function acknowledge(round, fields = {}) {
    feltwatch.post(`/rounds/${round}/acknowledgements`, fields);
  }

  function first() {
    return current() || board.querySelector(".alert.new:not([hidden])");
  }

  function take(card) {
    if (card) acknowledge(card.dataset.round, { assigned: document.body.dataset.person });
  }

  board.addEventListener("click", (event) => {
    const { acknowledge: round, assign } = event.target.dataset;
    if (round) acknowledge(round);
    if (assign) take(event.target.closest(".alert"));
  });
  Object.assign(feltwatch.keys, {
    j: () => go(1),
    k: () => go(-1),
    a: () => { const card = first(); if (card) acknowledge(card.dataset.round); },
    t: () => take(first()),
  });

  // ---- News

  feltwatch.on("alert", (told) => { if (told.state === "raised") fresh.add(told.id); });
  feltwatch.on("board", (told) => {
    board.querySelectorAll(".group-name").forEach((name) => name.remove());
    feltwatch.patch(board, told, (card) => card.dataset.round);
    for (const id of fresh) board.querySelector(`[data-alert="${CSS.escape(id)}"]`)?.classList.add("fresh");
    fresh.clear();
    arrange();
    count();
  });

  if (choices.place) {
    document.getElementById("filters").hidden = false;
    places();
    addEventListener("tiles-changed", places);
    remembered(choices.severity, "severity");
    remembered(choices.place, "place");
    remembered(group, "group");
    document.getElementById("filter-clear").addEventListener("click", () => {
      for (const [name, select] of Object.entries(choices)) { select.value = ""; localStorage.removeItem(name); }
      arrange();
    });
  }
  arrange();
  setInterval(count, 1000);
  count();
})();
