// One table: its picture, how old it is, and larger where one wants to look; what was just seen.
"use strict";

(() => {
  const room = document.getElementById("room");
  const figure = document.getElementById("picture");
  const image = document.getElementById("picture-now");
  const onAir = document.getElementById("on-air");
  const seen = document.getElementById("seen");
  const choice = document.getElementById("table-choice");
  const table = room.dataset.table;
  const staleMs = Number(room.dataset.staleMs);
  const MOST_SEEN = 8;

  // ---- The picture, and how old it is

  let pictureAt = room.dataset.ageMs === "" ? null : performance.now() - Number(room.dataset.ageMs);
  let wanted = 0;
  let isLoading = false;

  function showPicture(number) {
    wanted = number;
    if (isLoading) return;
    isLoading = true;
    const next = new Image();
    next.onload = next.onerror = (event) => {
      isLoading = false;
      if (event.type === "load") {
        image.src = next.src;
        image.hidden = false;
      }
      if (wanted !== number) showPicture(wanted);
    };
    next.src = `/tables/${encodeURIComponent(table)}/picture?n=${number}`;
  }

  function inWords(ms) {
    const seconds = Math.floor(ms / 1000);
    if (seconds < 120) return `${seconds} s`;
    return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
  }

  function showAge() {
    const age = pictureAt === null ? Infinity : performance.now() - pictureAt;
    figure.classList.toggle("stale", age > staleMs);
    onAir.textContent = age === Infinity ? "No picture yet" : age > staleMs ? `No picture for ${inWords(age)}` : "Live";
  }

  // ---- Zoom and pan

  const MOST = 8;
  let scale = 1;
  let x = 0;
  let y = 0;

  function apply() {
    const box = figure.getBoundingClientRect();
    x = Math.min(0, Math.max(x, box.width * (1 - scale)));
    y = Math.min(0, Math.max(y, box.height * (1 - scale)));
    image.style.transform = scale === 1 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
    figure.classList.toggle("zoomed", scale > 1);
  }

  function zoom(by, px = figure.clientWidth / 2, py = figure.clientHeight / 2) {
    const next = Math.min(Math.max(scale * by, 1), MOST);
    x = px - ((px - x) * next) / scale;
    y = py - ((py - y) * next) / scale;
    scale = next;
    apply();
  }

  const acts = {
    in: () => zoom(1.5),
    out: () => zoom(1 / 1.5),
    all: () => zoom(0),
    screen: () => (document.fullscreenElement ? document.exitFullscreen() : figure.requestFullscreen()),
  };
  const tools = document.getElementById("picture-tools");
  tools.hidden = false;
  tools.addEventListener("click", (event) => acts[event.target.dataset.zoom]?.());
  figure.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = figure.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  figure.addEventListener("pointerdown", (event) => {
    if (scale === 1 || event.target.closest("button")) return;
    figure.setPointerCapture(event.pointerId);
    const from = { x: event.clientX - x, y: event.clientY - y };
    const drag = (moved) => { x = moved.clientX - from.x; y = moved.clientY - from.y; apply(); };
    figure.addEventListener("pointermove", drag);
    figure.addEventListener("pointerup", () => figure.removeEventListener("pointermove", drag), { once: true });
  });

  // ---- From table to table

  function go(by) {
    const next = choice.options[(choice.selectedIndex + by + choice.options.length) % choice.options.length];
    location.assign(`/live?table=${encodeURIComponent(next.value)}`);
  }

  choice.addEventListener("change", () => go(0));
  Object.assign(feltwatch.keys, {
    Escape: () => { if (document.fullscreenElement) return false; location.assign("/live"); },
    "[": () => go(-1),
    "]": () => go(1),
    "+": acts.in,
    "=": acts.in,
    "-": acts.out,
    0: acts.all,
    f: acts.screen,
  });

  // ---- News

  feltwatch.on("picture", (told) => {
    pictureAt = performance.now() - told.age_ms;
    showPicture(told.number);
    showAge();
  });
  feltwatch.on("now", (told) => {
    const now = document.getElementById("now");
    if (now.innerHTML !== told.html) now.innerHTML = told.html;
  });
  feltwatch.on("event", (told) => {
    if (told.table !== table) return;
    const line = document.createElement("li");
    const time = document.createElement("time");
    const words = document.createElement("span");
    time.textContent = new Date().toLocaleTimeString("en-GB");
    time.title = `stream time ${told.stream}`;
    words.textContent = told.words;
    line.append(time, words);
    seen.prepend(line);
    while (seen.children.length > MOST_SEEN) seen.lastChild.remove();
  });
  feltwatch.on("session", (told) => {
    if (![...choice.options].some((option) => option.value === told.table)) choice.add(new Option(told.table));
  });

  setInterval(showAge, 500);
  showAge();
})();
