// Every page: news arrive as server-sent events; alerts can be heard, and seen when another window is in front.
"use strict";

const feltwatch = (() => {
  const body = document.body;
  const query = new URLSearchParams({ view: body.dataset.view, table: body.dataset.table, after: body.dataset.after || "now" });
  const news = new EventSource(`/stream?${query}`);
  const linkState = document.getElementById("link-state");
  const title = document.title;

  function on(name, act) {
    news.addEventListener(name, (event) => act(JSON.parse(event.data)));
  }

  async function post(path, fields) {
    const form = new URLSearchParams({ ...fields, form_token: body.dataset.formToken });
    const answer = await fetch(path, { method: "POST", body: form, redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.ok) return true;
    toast("warning", "Not done", await answer.text());
    return false;
  }

  // ---- Counts, in headings, in the menu and in the title

  function showCounts(counts) {
    for (const element of document.querySelectorAll("[data-count]")) {
      const count = counts[element.dataset.count];
      element.textContent = `${count}${element.dataset.suffix || ""}`;
      if (element.dataset.suffix || element.classList.contains("nav-count")) element.hidden = !count;
      if (element.dataset.count === "system") element.classList.toggle("bad", count > 0);
    }
    document.title = counts.new ? `(${counts.new}) ${title}` : title;
  }

  // ---- Sound: browsers allow it only after a click or a key

  const button = document.getElementById("sound");
  const TONES = { critical: [880, 660, 880], warning: [620, 620], info: [520] };
  let audio = null;

  const isWanted = () => localStorage.getItem("sound") === "on";
  const isRunning = () => audio !== null && audio.state === "running";

  function showSound() {
    const state = !isWanted() ? "Sound is off" : isRunning() ? "Sound is on" : "Sound: press any key";
    button.setAttribute("aria-pressed", String(isWanted() && isRunning()));
    button.querySelector("span").textContent = state;
  }

  async function wake() {
    if (!isWanted()) return;
    if (audio === null) {
      audio = new AudioContext();
      audio.onstatechange = showSound;
    }
    if (!isRunning()) await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 300))]);
    showSound();
  }

  function beep(severity) {
    body.dataset.beeped = severity;
    if (!isWanted() || !isRunning()) return;
    (TONES[severity] || TONES.info).forEach((pitch, i) => {
      const start = audio.currentTime + 0.2 * i;
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(0.25, start + 0.02);
      volume.gain.linearRampToValueAtTime(0, start + 0.17);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 0.18);
    });
  }

  button.hidden = false;
  button.addEventListener("click", async () => {
    localStorage.setItem("sound", isWanted() && isRunning() ? "off" : "on");
    if (isWanted()) {
      await wake();
      beep("info");
      if ("Notification" in window && Notification.permission === "default") Notification.requestPermission();
    }
    showSound();
  });
  for (const name of ["keydown", "pointerdown"]) {
    addEventListener(name, (event) => { if (!button.contains(event.target)) wake(); }, { capture: true });
  }
  wake();
  showSound();

  // ---- What is said of a new alert where the wall is not open

  function toast(severity, heading, words, path) {
    const line = document.createElement(path ? "a" : "p");
    if (path) line.href = path;
    line.className = `toast ${severity}`;
    const strong = document.createElement("strong");
    strong.textContent = heading;
    line.append(strong, ` ${words}`);
    document.getElementById("toasts").prepend(line);
    while (line.parentElement.children.length > 3) line.parentElement.lastChild.remove();
    setTimeout(() => line.remove(), 12000);
  }

  function notify(told) {
    const path = `/rounds/${told.round}?alert=${encodeURIComponent(told.id)}`;
    if (!["wall"].includes(body.dataset.view)) toast(told.severity, told.title, `${told.where}: ${told.observed}`, path);
    const mayNotify = isWanted() && document.hidden && "Notification" in window && Notification.permission === "granted";
    if (!mayNotify) return;
    const note = new Notification(told.title, { body: `${told.where}\n${told.observed}`, tag: told.id });
    note.onclick = () => { focus(); location.assign(path); note.close(); };
  }

  on("counts", showCounts);
  on("alert", (told) => {
    if (told.state !== "raised") return;
    beep(told.severity);
    if (told.severity !== "info") notify(told);
  });
  on("logout", () => {
    news.close();
    linkState.textContent = "Logged out";
    if (!dispatchEvent(new CustomEvent("leaving", { cancelable: true }))) return; // something typed would be lost
    location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  });
  news.onopen = () => { linkState.textContent = ""; };
  news.onerror = () => { linkState.textContent = "No connection to the server: trying again"; };
  addEventListener("pagehide", () => news.close());

  // ---- Keys: wherever the focus is, but in what one writes

  const shortcuts = document.getElementById("shortcuts");
  const keys = {};
  let before = "";

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input:not([type=radio]):not([type=range]), textarea, select, [contenteditable]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (shortcuts.open && event.key !== "?") return;
    const act = keys[`${before} ${event.key}`] || keys[event.key];
    before = event.key;
    setTimeout(() => { before = ""; }, 1000);
    if (!act || act(event) === false) return;
    event.preventDefault();
  }

  document.addEventListener("keydown", pressed);
  document.getElementById("keys").hidden = false;
  keys["?"] = () => (shortcuts.open ? shortcuts.close() : shortcuts.showModal());
  document.getElementById("keys").addEventListener("click", keys["?"]);
  keys["g l"] = () => location.assign("/live");
  keys["g q"] = () => location.assign("/review");
  keys["g r"] = () => location.assign("/rounds");

  // ---- Parts of a page that change one by one: what has the focus keeps it, and nothing scrolls

  function patch(list, told, keyOf) {
    const present = new Map(Array.from(list.children, (child) => [keyOf(child), child]));
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    const focusKey = focused ? keyOf([...list.children].find((child) => child.contains(focused))) : null;
    const ordinal = focused ? focusables(present.get(focusKey)).indexOf(focused) : -1;
    const maker = document.createElement("template");
    told.order.forEach((key, i) => {
      let child = present.get(key);
      if (told.html[key] !== undefined) {
        maker.innerHTML = told.html[key].trim();
        const made = maker.content.firstElementChild;
        if (child) child.replaceWith(made);
        child = made;
      }
      present.delete(key);
      if (child && list.children[i] !== child) list.insertBefore(child, list.children[i] || null);
    });
    for (const gone of present.values()) gone.remove();
    if (focused && !focused.isConnected) {
      const again = [...list.children].find((child) => keyOf(child) === focusKey);
      if (again) (focusables(again)[ordinal] || focusables(again)[0])?.focus({ preventScroll: true });
    }
  }

  function focusables(element) {
    if (!element) return [];
    return element.matches("a, button") ? [element] : [...element.querySelectorAll("a, button")];
  }

  return { on, post, keys, patch, toast };
})();
