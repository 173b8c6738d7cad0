// The wall: tiles as large as the window lets them be, the worst first or by pit; their pictures come in one answer.
"use strict";

(() => {
  const wall = document.getElementById("wall");
  const view = wall.parentElement;
  const order = document.getElementById("order");
  const EVERY_MS = 1000;
  const LEAST_PX = 128; // of a tile's width: below, the wall scrolls
  const FOOT = { wide: 2.1, small: 1.6 }; // heights of a tile's words, in rem

  // ---- Sizes: the number of columns with which all tiles are seen at once, and each as large as can be

  function fit() {
    const tiles = wall.children.length;
    if (!tiles) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const gap = 0.5 * rem;
    const width = view.clientWidth - 2 * gap;
    const height = view.clientHeight - 2 * gap;
    let best = { columns: 1, wide: 0 };
    for (let columns = 1; columns <= tiles; columns++) {
      const rows = Math.ceil(tiles / columns);
      const across = (width - gap * (columns - 1)) / columns;
      const high = (height - gap * (rows - 1)) / rows;
      const foot = (across < 15 * rem ? FOOT.small : FOOT.wide) * rem;
      const wide = Math.min(across, ((high - foot) * 16) / 9);
      if (wide > best.wide) best = { columns, wide };
    }
    if (best.wide < LEAST_PX) best = { columns: Math.max(1, Math.floor(width / (LEAST_PX + gap))), wide: LEAST_PX };
    wall.style.setProperty("--columns", best.columns);
    wall.style.setProperty("--wide", `${Math.floor(best.wide)}px`);
    wall.classList.toggle("small", best.wide < 15 * rem);
    wall.classList.toggle("tiny", best.wide < 10.5 * rem);
  }

  // ---- Order

  function place() {
    wall.dataset.order = order.value;
    const tiles = [...wall.children];
    const by = (tile) => `${tile.dataset.pit || "~"} ${tile.dataset.table}`;
    const sorted = order.value === "pit" ? [...tiles].sort((a, b) => by(a).localeCompare(by(b), "en", { numeric: true })) : tiles;
    sorted.forEach((tile, i) => { tile.style.order = order.value === "pit" ? i : ""; });
  }

  const shown = () => [...wall.children].sort((a, b) => Number(a.style.order) - Number(b.style.order));

  // ---- Pictures

  let after = 0;
  let isLoading = false;

  async function look() {
    if (isLoading || document.hidden || !wall.children.length) return;
    isLoading = true;
    try {
      const wide = Math.ceil(wall.firstElementChild.clientWidth * Math.min(devicePixelRatio, 2));
      const answer = await fetch(`/wall/pictures?after=${after}&width=${wide}`);
      if (answer.ok) await draw(new Uint8Array(await answer.arrayBuffer()));
    } catch {
      // the connection to the server is gone: the stream says so at the top, and tries again
    } finally {
      isLoading = false;
    }
  }

  async function draw(bytes) {
    const end = bytes.indexOf(10);
    let from = end + 1;
    for (const each of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
      const jpeg = new Blob([bytes.subarray(from, from + each.bytes)], { type: "image/jpeg" });
      from += each.bytes;
      after = Math.max(after, each.number);
      await show(each.table, jpeg);
    }
  }

  const bitmaps = new Map();

  async function show(table, jpeg) {
    try {
      bitmaps.set(table, await createImageBitmap(jpeg));
    } catch {
      return; // a picture that cannot be read is not shown; the next one comes in a second
    }
    paint(table);
  }

  function paint(table) {
    const canvas = wall.querySelector(`canvas[data-picture="${CSS.escape(table)}"]`);
    const bitmap = bitmaps.get(table);
    if (!canvas || !bitmap) return;
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    canvas.classList.add("painted");
  }

  // ---- From table to table by the arrow keys

  function move(by) {
    const tiles = shown();
    const at = tiles.indexOf(document.activeElement);
    const columns = Number(getComputedStyle(wall).getPropertyValue("--columns")) || 1;
    const next = at < 0 ? 0 : at + by * (Math.abs(by) === 2 ? columns / 2 : 1);
    tiles[next]?.focus();
  }

  feltwatch.on("tiles", (told) => {
    const count = wall.children.length;
    feltwatch.patch(wall, told, (tile) => tile.dataset.table);
    for (const table of Object.keys(told.html)) paint(table);
    place();
    if (wall.children.length !== count) fit();
    if (count === 0) location.reload();
    dispatchEvent(new CustomEvent("tiles-changed"));
  });
  feltwatch.on("system", (told) => {
    const list = document.getElementById("system-list");
    feltwatch.patch(list, told, (line) => line.dataset.told);
    document.getElementById("system-empty").hidden = told.order.length > 0;
  });
  Object.assign(feltwatch.keys, {
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    ArrowDown: () => move(2),
    ArrowUp: () => move(-2),
    o: () => { order.value = order.value === "pit" ? "worst" : "pit"; order.dispatchEvent(new Event("change")); },
  });
  order.value = localStorage.getItem("order") || "worst";
  order.addEventListener("change", () => { localStorage.setItem("order", order.value); place(); });
  new ResizeObserver(fit).observe(view);
  fit();
  place();
  setInterval(look, EVERY_MS);
  look();
})();
