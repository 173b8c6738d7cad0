// The live page: news arrive as server-sent events; what is old is shown as old; alerts can be heard.
"use strict";

const room = document.getElementById("room");
const figure = document.getElementById("picture");
const image = document.getElementById("picture-now");
const onAir = document.getElementById("on-air");
const linkState = document.getElementById("link-state");
const tables = document.getElementById("tables");
const seen = document.getElementById("seen");
const table = room.dataset.table;
const staleMs = Number(room.dataset.staleMs);
const MOST_SEEN = 6;

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

// ---- Sound: browsers allow it only after a click

const button = document.getElementById("sound");
const TONES = { critical: [880, 660, 880], warning: [620, 620], info: [520] };
let audio = null;

function isSoundOn() {
  return audio !== null && audio.state === "running";
}

function showSound() {
  button.setAttribute("aria-pressed", String(isSoundOn()));
  button.querySelector("span").textContent = isSoundOn() ? "Sound is on" : "Sound is off";
}

async function setSound(isOn) {
  if (isOn && audio === null) audio = new AudioContext();
  if (audio !== null) await (isOn ? audio.resume() : audio.suspend());
  localStorage.setItem("sound", isOn ? "on" : "off");
  showSound();
}

function beep(severity) {
  room.dataset.beeped = severity;
  if (!isSoundOn()) return;
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
button.addEventListener("click", async (event) => {
  event.stopPropagation();
  const isOn = !isSoundOn();
  await setSound(isOn);
  if (isOn) beep("info");
});
if (localStorage.getItem("sound") === "on") {
  addEventListener("click", () => setSound(true), { once: true });
}

// ---- News

function replace(id, html) {
  const element = document.getElementById(id);
  if (element.innerHTML !== html) element.innerHTML = html;
}

const fresh = new Set();
const cursor = encodeURIComponent(room.dataset.after);
const news = new EventSource(`/stream?table=${encodeURIComponent(table)}&after=${cursor}`);

function on(name, act) {
  news.addEventListener(name, (event) => act(JSON.parse(event.data)));
}

on("picture", (told) => {
  pictureAt = performance.now() - told.age_ms;
  showPicture(told.number);
  showAge();
});
on("now", (told) => replace("now", told.html));
on("alert", (told) => {
  if (told.state !== "raised") return;
  fresh.add(told.id);
  beep(told.severity);
});
on("board", (told) => {
  replace("board", told.html);
  for (const id of fresh) {
    document.querySelector(`[data-alert="${CSS.escape(id)}"]`)?.classList.add("fresh");
  }
  fresh.clear();
});
on("event", (told) => {
  if (told.table !== table) return;
  const line = document.createElement("li");
  const time = document.createElement("time");
  const words = document.createElement("span");
  time.textContent = told.time;
  words.textContent = told.words;
  line.append(time, words);
  seen.prepend(line);
  while (seen.children.length > MOST_SEEN) seen.lastChild.remove();
});
on("session", (told) => {
  if (table === "") location.reload();
  const names = Array.from(tables.children, (link) => link.textContent);
  if (names.includes(told.table)) return;
  const link = document.createElement("a");
  link.href = `/live?table=${encodeURIComponent(told.table)}`;
  link.textContent = told.table;
  tables.append(link);
  tables.hidden = false;
});
on("logout", () => { news.close(); location.assign("/login"); });
news.onopen = () => { linkState.textContent = ""; };
news.onerror = () => { linkState.textContent = "No connection to the server: trying again"; };

setInterval(showAge, 500);
showAge();
showSound();
