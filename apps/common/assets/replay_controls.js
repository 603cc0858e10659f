const last = data.scores.length - 1;
const usualSpeed = data.speeds ? data.speeds[0] : 25;
const speeds = (data.speeds || [5, 10, 25, 50, 100, 200]).slice().sort((a, b) => a - b);
let tick = 0, playing = false, owed = 0, before = 0;

const ahead = data.ahead || [];
const all = data.scores.concat(...ahead, data.rival || []);
const low = all.reduce((a, b) => Math.min(a, b), 0), high = all.reduce((a, b) => Math.max(a, b), 1);
const chartX = t => last === 0 ? 0 : 1000 * t / last;
const chartY = score => 66 - 62 * (score - low) / (high - low);
const step = Math.max(1, Math.floor(last / 2000));
const curve = (scores, from) => scores.map((score, t) => [from + t, score])
  .filter(([t]) => (t - from) % step === 0 || t === last)
  .map(([t, score]) => chartX(t).toFixed(1) + "," + chartY(score).toFixed(1)).join(" ");
const textOf = t => data.shown ? data.shown[t] : data.scores[t].toLocaleString("en");
byId("curve").setAttribute("points", curve(data.scores, 0));
byId("rival").setAttribute("points", curve(data.rival || [], 0));
for (const [id, value] of [["high", high], ["low", low]]) byId(id).textContent = value.toLocaleString("en", {maximumSignificantDigits: 3});
set(byId("zero"), {x1: 0, x2: 1000, y1: chartY(0), y2: chartY(0)});
byId("last").textContent = last.toLocaleString("en");
byId("slider").max = last;
for (const speed of speeds) {
  byId("speed").add(new Option(`${speed} ${byId("speed").dataset.step}${speed === 1 ? "" : "s"}/s`, speed, speed === usualSpeed, speed === usualSpeed));
}

const textAt = t => info(data, t) + (t < last ? "" : `\n${byId("info").dataset.end}`);
// The most that any of the texts takes in place of an element's own.
function roomFor(element, texts, side, style) {
  const all = document.createElement(element.tagName);
  all.style.cssText = "position: absolute; visibility: hidden; " + style;
  for (const text of new Set(texts)) all.appendChild(document.createElement("div")).textContent = text;
  element.parentNode.appendChild(all);
  const most = Math.max(...[...all.children].map(text => text.getBoundingClientRect()[side]));
  all.remove();
  return Math.ceil(most) + "px";
}
// Texts take as much room as the longest of all, so that the board below never moves.
function reserve() {
  const texts = of => data.scores.map((_, t) => of(t)), box = byId("info");
  for (const [id, of] of [["score", textOf], ["tick", t => t.toLocaleString("en")]]) {
    byId(id).style.minWidth = roomFor(byId(id), texts(of), "width", "white-space: nowrap");
  }
  box.style.minHeight = roomFor(box, texts(textAt), "height",
    `margin: 0; white-space: pre-line; overflow-wrap: anywhere; width: ${box.clientWidth}px`);
}

function go(t) {
  tick = Math.max(0, Math.min(last, t));
  show(data, tick);
  byId("tick").textContent = tick.toLocaleString("en");
  byId("score").textContent = textOf(tick);
  byId("info").textContent = textAt(tick);
  const slider = byId("slider");
  slider.value = tick;
  slider.setAttribute("aria-valuetext", byId("speed").dataset.step + " " + tick + ", " + textOf(tick));
  set(byId("now"), {x1: chartX(tick), x2: chartX(tick), y1: 0, y2: 70});
  showPlan();
}
function showPlan() {
  if (!data.ahead) return;
  const shown = byId("plan").checked && tick < last;
  plan(byId("board"), data, shown ? tick : -1);
  const scores = shown ? [data.scores[tick], ...ahead[tick]] : [];
  byId("ahead").setAttribute("points", curve(scores, tick));
}
function play(on) {
  if (on && tick === last) go(0);
  playing = on;
  owed = 0;
  before = performance.now();
  byId("play").textContent = on ? "Pause" : "Play";
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
  if (on) requestAnimationFrame(run);
}
function run(now) {
  if (!playing) return;
  owed += Math.min(250, now - before) * byId("speed").value / 1000;
  before = now;
  const ticks = Math.floor(owed);
  owed -= ticks;
  if (ticks > 0) go(tick + ticks);
  if (tick === last) play(false); else requestAnimationFrame(run);
}
function jump(t) { play(false); go(t); }
function faster(steps) {
  const menu = byId("speed");
  menu.selectedIndex = Math.max(0, Math.min(speeds.length - 1, menu.selectedIndex + steps));
}
const keys = {
  " ": () => play(!playing), ArrowLeft: () => jump(tick - 1), ArrowRight: () => jump(tick + 1),
  PageUp: () => jump(tick - 10), PageDown: () => jump(tick + 10), Home: () => jump(0),
  End: () => jump(last), "+": () => faster(1), "-": () => faster(-1)
};
if (data.ahead) {
  byId("plan-label").hidden = false;
  keys.p = () => { byId("plan").checked = !byId("plan").checked; showPlan(); };
  byId("plan").addEventListener("input", showPlan);
}
document.addEventListener("keydown", event => {
  const own = ["SELECT", "BUTTON"].includes(event.target.tagName) &&
    (event.key === " " || event.target.tagName === "SELECT");
  if (own || event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
byId("play").addEventListener("click", () => play(!playing));
byId("back").addEventListener("click", () => jump(tick - 1));
byId("on").addEventListener("click", () => jump(tick + 1));
byId("slider").addEventListener("input", event => jump(Number(event.target.value)));
byId("chart").addEventListener("click", event => {
  const box = byId("chart").getBoundingClientRect();
  jump(Math.round((event.clientX - box.left) / box.width * last));
});
make(byId("board"), data);
let width = 0;  // for which the text has room
new ResizeObserver(() => {
  if (width === byId("info").clientWidth) return;
  width = byId("info").clientWidth;
  reserve();
}).observe(byId("info"));
reserve();
const asked = Number(new URLSearchParams(location.hash.slice(1)).get("tick"));
go(Number.isInteger(asked) ? asked : 0);
// It plays by itself, unless it is no game, a tick is asked for or the reader wants nothing to move.
if (asked === 0 && last > 0 && !data.still && !matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
