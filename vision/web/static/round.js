// The review of one hand: the clip around the decisive moment, frame by frame, larger and slower; and the disposition.
"use strict";

(() => {
  const page = document.getElementById("round");
  const film = document.getElementById("film");
  const { keys } = feltwatch;

  // ---- The clip

  function frameAt(frames, ms) {
    let low = 0;
    let high = frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (frames[middle] <= ms + 0.5) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function streamTime(ms) {
    const minutes = Math.floor(ms / 60000);
    return `${minutes}:${((ms - 60000 * minutes) / 1000).toFixed(2).padStart(5, "0")}`;
  }

  function timeOfDay(ms) {
    const at = new Date(ms);
    return `${at.toLocaleTimeString("en-GB")}.${String(Math.floor(at.getMilliseconds() / 10)).padStart(2, "0")}`;
  }

  function player() {
    const frames = JSON.parse(film.dataset.frames);
    const startMs = Number(film.dataset.startNs) / 1e6;
    const wallMs = film.dataset.wallMs ? Number(film.dataset.wallMs) : null;
    const evidence = film.dataset.loop ? JSON.parse(film.dataset.loop) : null;
    const place = JSON.parse(film.dataset.place || "[]");
    const steps = document.getElementById("steps");
    const play = document.getElementById("play");
    const output = document.getElementById("frame");
    const strip = document.getElementById("strip");
    const head = document.getElementById("strip-head");
    const moments = [...document.querySelectorAll("[data-at]")];
    let isLooping = evidence !== null;
    let wanted = null; // a frame that was asked for while the film still seeks

    function show() {
      const ms = 1000 * film.currentTime;
      const number = frameAt(frames, ms);
      film.dataset.frame = number;
      const stream = `stream time ${streamTime(startMs + frames[number])}`;
      const time = wallMs === null ? stream : timeOfDay(wallMs + frames[number]);
      output.textContent = `frame ${number + 1} of ${frames.length} · ${time}`;
      output.title = stream;
      strip.setAttribute("aria-valuenow", number);
      strip.setAttribute("aria-valuetext", time);
      head.setAttribute("x", Math.min((1000 * film.currentTime) / (film.duration || 1), 996));
      const past = moments.filter((moment) => 1000 * Number(moment.dataset.at) <= ms + 1);
      moments.forEach((moment) => moment.parentElement.classList.toggle("current", moment === past[past.length - 1]));
      play.textContent = film.paused ? "Play" : "Pause";
    }

    function toFrame(number) {
      const at = Math.min(Math.max(number, 0), frames.length - 1);
      const end = at + 1 < frames.length ? frames[at + 1] : 1000 * film.duration;
      wanted = at;
      film.currentTime = (0.5 * (frames[at] + end)) / 1000; // its middle: no rounding leads to a neighbour
    }

    function step(by) {
      film.pause();
      const number = (wanted ?? frameAt(frames, 1000 * film.currentTime)) + by;
      if (number >= 0 && number < frames.length) toFrame(number);
    }

    function toggle() {
      if (film.paused) film.play();
      else film.pause();
    }

    function everyFrame() {
      if (isLooping && film.currentTime >= evidence[1] && !film.paused) film.currentTime = evidence[0];
      show();
      if (!film.paused) requestAnimationFrame(everyFrame);
    }

    function setSpeed(speed) {
      film.playbackRate = Number(speed);
      steps.querySelectorAll("[data-speed]").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.speed === String(speed))));
    }

    // ---- Zoom to the spot, and the mark on it

    const inner = document.getElementById("stage-inner");
    const zoomButton = document.getElementById("zoom");
    const overlayButton = document.getElementById("overlay-button");

    function zoom() {
      const isOn = zoomButton.getAttribute("aria-pressed") !== "true";
      zoomButton.setAttribute("aria-pressed", String(isOn));
      const [xs, ys] = [0, 1].map((i) => place.map((corner) => corner[i]));
      const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const scale = Math.min(6, 0.38 / Math.max(right - left, bottom - top));
      const [x, y] = [(left + right) / 2, (top + bottom) / 2].map((middle) => Math.min(Math.max(middle, 0.5 / scale), 1 - 0.5 / scale));
      inner.style.transform = isOn ? `scale(${scale}) translate(${(0.5 / scale - x) * 100}%, ${(0.5 / scale - y) * 100}%)` : "";
    }

    function overlay() {
      const isOn = overlayButton.getAttribute("aria-pressed") !== "true";
      overlayButton.setAttribute("aria-pressed", String(isOn));
      document.getElementById("overlay").style.visibility = isOn ? "" : "hidden";
    }

    function loop() {
      isLooping = !isLooping;
      document.getElementById("loop").setAttribute("aria-pressed", String(isLooping));
    }

    film.controls = false;
    steps.hidden = false;
    steps.addEventListener("click", (event) => {
      const { step: by, speed } = event.target.dataset;
      if (by) step(Number(by));
      if (speed) setSpeed(speed);
    });
    play.addEventListener("click", toggle);
    film.addEventListener("click", toggle);
    zoomButton?.addEventListener("click", zoom);
    overlayButton?.addEventListener("click", overlay);
    document.getElementById("loop")?.addEventListener("click", loop);

    function drag(event) {
      const box = strip.getBoundingClientRect();
      const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      film.pause();
      film.currentTime = film.duration * share;
    }
    strip.addEventListener("pointerdown", (event) => {
      strip.setPointerCapture(event.pointerId);
      drag(event);
      strip.addEventListener("pointermove", drag);
      strip.addEventListener("pointerup", () => strip.removeEventListener("pointermove", drag), { once: true });
    });
    strip.addEventListener("keydown", (event) => {
      const to = { Home: 0, End: frames.length - 1, PageUp: null, PageDown: null };
      if (!(event.key in to)) return;
      film.pause();
      const now = frameAt(frames, 1000 * film.currentTime);
      toFrame(to[event.key] ?? now + (event.key === "PageDown" ? 10 : -10));
      event.preventDefault();
    });
    moments.forEach((moment) => moment.addEventListener("click", (event) => {
      event.preventDefault();
      film.pause();
      isLooping = false;
      film.currentTime = Number(moment.dataset.at) + 0.001;
      document.getElementById("stage").scrollIntoView({ block: "center" });
    }));
    Object.assign(keys, {
      ",": () => step(-1),
      ArrowLeft: () => step(-1),
      ".": () => step(1),
      ArrowRight: () => step(1),
      " ": (event) => (event.target.closest("button, summary") ? false : toggle()),
      s: () => setSpeed(film.playbackRate === 1 ? 0.25 : 1),
      l: () => (evidence ? loop() : false),
      z: () => (zoomButton ? zoom() : false),
      v: () => (overlayButton ? overlay() : false),
    });
    for (const name of ["loadedmetadata", "seeked", "pause", "timeupdate"]) film.addEventListener(name, show);
    film.addEventListener("seeked", () => { wanted = null; });
    film.addEventListener("play", everyFrame);

    function begin() {
      if (evidence) film.currentTime = evidence[0];
      show();
      if (evidence) film.play().catch(() => show()); // a browser that does not play by itself waits for a key
    }
    if (film.readyState > 0) begin();
    else film.addEventListener("loadedmetadata", begin, { once: true });
  }

  if (film && JSON.parse(film.dataset.frames).length) player();

  // ---- The disposition: by number keys; what is typed is kept until it is saved

  const form = document.getElementById("form");
  const DRAFT = `draft ${page.dataset.round}`;

  function draft() {
    const kept = Object.fromEntries([...new FormData(form)].filter(([name, value]) => value && !["form_token", "told", "queue"].includes(name)));
    if (Object.keys(kept).length) localStorage.setItem(DRAFT, JSON.stringify(kept));
  }

  function restore() {
    const kept = JSON.parse(localStorage.getItem(DRAFT) || "{}");
    for (const [name, value] of Object.entries(kept)) {
      const field = form.elements[name];
      if (field && !(field instanceof RadioNodeList ? field.value : field.type !== "radio" && field.value)) field.value = value;
      if (field && field.type === "radio") field.checked = field.value === value;
    }
  }

  function trouble(words, link) {
    const box = document.getElementById("form-trouble");
    box.textContent = words;
    if (link) {
      const a = document.createElement("a");
      Object.assign(a, { href: link, target: "_blank", textContent: " Log in in another tab" });
      box.append(a);
    }
    box.hidden = false;
  }

  async function freshToken() {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
    if (answer.redirected || !answer.ok) return false;
    const other = new DOMParser().parseFromString(await answer.text(), "text/html");
    form.elements.form_token.value = other.body.dataset.formToken;
    document.body.dataset.formToken = other.body.dataset.formToken;
    return true;
  }

  let isSaving = false;

  async function save(isAgain) {
    if (isSaving && !isAgain) return;
    if (!form.reportValidity()) return;
    isSaving = true;
    draft();
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { accept: "text/html" } });
      if (answer.redirected && !new URL(answer.url).pathname.startsWith("/login")) {
        localStorage.removeItem(DRAFT);
        location.assign(answer.url);
        return;
      }
      if (answer.status === 403 && !isAgain && (await freshToken())) { await save(true); return; }
      if (answer.status === 401 || answer.redirected) trouble("Your login has ended. What you wrote is kept; log in, and save again.", "/login");
      else if (answer.status === 409 || answer.status === 400) showAnswer(await answer.text());
      else trouble(`Not saved (${answer.status}). What you wrote is kept; try again.`);
    } catch {
      trouble("Not saved: no connection to the server. What you wrote is kept; try again.");
    } finally {
      isSaving = false;
    }
  }

  function showAnswer(html) {
    const other = new DOMParser().parseFromString(html, "text/html");
    trouble(other.querySelector(".notice.bad span")?.textContent || "Not saved.");
    const told = other.querySelector("[name=told]");
    if (told) form.elements.told.value = told.value;
    document.querySelectorAll(".said").forEach((said) => said.remove());
    form.before(...other.querySelectorAll(".said"));
  }

  if (form) {
    restore();
    form.addEventListener("input", draft);
    form.addEventListener("submit", (event) => { event.preventDefault(); save(); });
    form.querySelectorAll("[data-key]").forEach((radio) => {
      keys[radio.dataset.key] = () => { radio.checked = true; radio.focus({ preventScroll: true }); draft(); };
    });
    keys.Enter = (event) => {
      if (event.target.closest("a, button, summary, dialog")) return false;
      save();
    };
    keys.n = () => form.elements.note.focus();
    addEventListener("leaving", (event) => {
      event.preventDefault();
      trouble("Your login has ended. What you wrote is kept; log in, and save again.", "/login");
    });
  }
  keys.j = () => (page.dataset.next ? location.assign(page.dataset.next) : false);
  keys.k = () => (page.dataset.previous ? location.assign(page.dataset.previous) : false);

  // ---- What comes after the page was made is offered, not forced: somebody may be writing a note

  for (const topic of ["alert", "clip", "round", "disposition"]) {
    feltwatch.on(topic, (told) => {
      if (told.round === page.dataset.round) document.getElementById("news").hidden = false;
    });
  }
})();
