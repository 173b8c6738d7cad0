// The round page: the clip frame by frame, and from an event to its moment in the clip.
"use strict";

const film = document.getElementById("film");

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
  const seconds = ms / 1000;
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(2).padStart(5, "0")}`;
}

function player() {
  const frames = JSON.parse(film.dataset.frames);
  const startMs = Number(film.dataset.startNs) / 1e6;
  const steps = document.getElementById("steps");
  const play = document.getElementById("play");
  const output = document.getElementById("frame");
  const strip = document.getElementById("strip");
  const head = document.getElementById("strip-head");
  const moments = [...document.querySelectorAll("[data-at]")];

  function show() {
    const ms = 1000 * film.currentTime;
    const number = frameAt(frames, ms);
    film.dataset.frame = number;
    output.textContent = `frame ${number + 1} of ${frames.length} · ${streamTime(startMs + frames[number])}`;
    head.setAttribute("x", Math.min((1000 * film.currentTime) / (film.duration || 1), 997));
    const past = moments.filter((moment) => 1000 * Number(moment.dataset.at) <= ms + 1);
    moments.forEach((moment) => moment.parentElement.classList.toggle("current", moment === past[past.length - 1]));
    play.textContent = film.paused ? "Play" : "Pause";
  }

  function step(by) {
    film.pause();
    const number = frameAt(frames, 1000 * film.currentTime) + by;
    if (number < 0 || number >= frames.length) return;
    const end = number + 1 < frames.length ? frames[number + 1] : 1000 * film.duration;
    film.currentTime = (0.5 * (frames[number] + end)) / 1000; // its middle: no rounding leads to a neighbour
  }

  function toggle() {
    if (film.paused) film.play();
    else film.pause();
  }

  function everyFrame() {
    show();
    if (!film.paused) requestAnimationFrame(everyFrame);
  }

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, summary, a, video")) return;
    const isSpace = event.key === " " && !event.target.closest("button");
    const by = { ",": -1, ArrowLeft: -1, ".": 1, ArrowRight: 1 }[event.key];
    if (by) step(by);
    else if (isSpace) toggle();
    else return;
    event.preventDefault();
  }

  steps.hidden = false;
  steps.addEventListener("click", (event) => {
    const { step: by, speed } = event.target.dataset;
    if (by) step(Number(by));
    if (speed) {
      film.playbackRate = Number(speed);
      steps.querySelectorAll("[data-speed]").forEach((b) => b.setAttribute("aria-pressed", String(b === event.target)));
    }
  });
  play.addEventListener("click", toggle);
  strip.addEventListener("click", (event) => {
    const box = strip.getBoundingClientRect();
    film.currentTime = (film.duration * (event.clientX - box.left)) / box.width;
  });
  moments.forEach((moment) => moment.addEventListener("click", (event) => {
    event.preventDefault();
    film.pause();
    film.currentTime = Number(moment.dataset.at) + 0.001;
    film.scrollIntoView({ block: "center" });
  }));
  for (const name of ["loadedmetadata", "seeked", "pause", "timeupdate"]) film.addEventListener(name, show);
  film.addEventListener("play", everyFrame);
  document.addEventListener("keydown", pressed);
  if (film.readyState > 0) show();
}

if (film && JSON.parse(film.dataset.frames).length) player();

const list = document.querySelector(".alert-list");
const shown = list.querySelector("[open]");
if (shown) list.scrollTop = shown.offsetTop;

// What comes after the page was made is offered, not forced: somebody may be writing a note.
const page = document.getElementById("round");
const news = new EventSource(`/stream?after=${encodeURIComponent(page.dataset.after)}`);
for (const topic of ["alert", "clip", "round", "disposition"]) {
  news.addEventListener(topic, (event) => {
    if (JSON.parse(event.data).round === page.dataset.round) document.getElementById("news").hidden = false;
  });
}
news.addEventListener("logout", () => { news.close(); location.assign("/login"); });
