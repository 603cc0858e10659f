#include "apps/arcade/replay_page.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "ntune/version.h"

namespace ntune::arcade {

namespace {

constexpr std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23252b; --soft: #6b6f7a; --line: #d5d3cc;
  --board: #ffffff; --one: #1f62c9; --two: #b8570b; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15171c; --ink: #e8e6e1; --soft: #9da1ac; --line: #383c46; --board: #0c0d11;
    --one: #7db1ff; --two: #ffa257; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 0.75rem; }
h1 { font-size: 1.35rem; margin: 0; }
p { margin: 0.2rem 0; }
.soft { color: var(--soft); font-size: 0.9rem; overflow-wrap: anywhere; }
.state { display: flex; flex-wrap: wrap; gap: 0 1.4rem; margin: 0.5rem 0; font-variant-numeric: tabular-nums; }
.state b { font-size: 1.15rem; }
#board { display: block; width: 100%; max-height: 68vh; background: var(--board);
  border: 1px solid var(--line); border-radius: 6px; }
#chart { display: block; width: 100%; height: 70px; margin-top: 0.5rem; cursor: pointer;
  background: var(--board); border: 1px solid var(--line); border-radius: 6px; }
#curve { fill: none; stroke: var(--ink); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
#ahead { fill: none; stroke: var(--one); stroke-width: 1.5; stroke-dasharray: 4 3; vector-effect: non-scaling-stroke; }
#plan-label input { flex: none; min-width: 0; width: 1.2rem; height: 1.2rem; vertical-align: middle; }
.end { font-weight: 600; }
#zero { stroke: var(--line); vector-effect: non-scaling-stroke; }
#now { stroke: var(--two); stroke-width: 2; vector-effect: non-scaling-stroke; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-top: 0.6rem; }
.controls input { flex: 1 1 10rem; min-width: 8rem; height: 2.75rem; accent-color: var(--one); }
button, select { font: inherit; color: inherit; background: var(--board); min-height: 2.75rem;
  min-width: 2.75rem; padding: 0 0.7rem; border: 1px solid var(--soft); border-radius: 6px; }
button { cursor: pointer; }
#play { min-width: 5.2rem; background: var(--one); border-color: var(--one); color: var(--paper); }
:focus-visible { outline: 3px solid var(--two); outline-offset: 2px; }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3em; font: inherit; }
)css";

constexpr std::string_view kBody = R"html(
<div class="state"><span>Tick <b id="tick">0</b> of <span id="last"></span></span>
<span>Score <b id="score">0</b></span><span id="info"></span></div>
<svg id="board" viewBox="@VIEW_BOX@" role="img" aria-label="@TITLE@, the board"></svg>
<p class="soft">@LEGEND@</p>
<svg id="chart" viewBox="0 0 1000 70" preserveAspectRatio="none" role="img"
 aria-label="Score over time"><line id="zero"/><polyline id="curve"/><polyline id="ahead"/><line id="now"/></svg>
<div class="controls">
<button id="play" type="button" aria-label="Play">Play</button>
<button id="back" type="button" aria-label="One tick back">&#8722;1</button>
<button id="on" type="button" aria-label="One tick on">+1</button>
<input id="slider" type="range" min="0" value="0" aria-label="Tick">
<label>Speed <select id="speed"></select></label>
<label id="plan-label" hidden><input id="plan" type="checkbox" checked> Plans</label>
</div>
<p class="soft"><kbd>Space</kbd> play or pause, <kbd>&larr;</kbd> <kbd>&rarr;</kbd> a tick,
 <kbd>Page Up</kbd> <kbd>Page Down</kbd> ten, <kbd>Home</kbd> <kbd>End</kbd>, <kbd>+</kbd>
 <kbd>&minus;</kbd> speed@PLAN_KEY@</p>
<noscript><p>This replay needs JavaScript.</p></noscript>
)html";

constexpr std::string_view kPlayer = R"js(
const byId = id => document.getElementById(id);
const svgElement = (name, parent, attributes = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(element, attributes);
  parent.appendChild(element);
  return element;
};
const set = (element, attributes) => {
  for (const key in attributes) element.setAttribute(key, attributes[key]);
};
const hide = (element, hidden) => { element.style.display = hidden ? "none" : ""; };
)js";

constexpr std::string_view kControls = R"js(
const last = data.scores.length - 1;
const speeds = [5, 10, 25, 50, 100, 200];
let tick = 0, playing = false, owed = 0, before = 0;

const ahead = data.ahead || [];
const all = data.scores.concat(...ahead);
const low = all.reduce((a, b) => Math.min(a, b), 0), high = all.reduce((a, b) => Math.max(a, b), 1);
const chartX = t => last === 0 ? 0 : 1000 * t / last;
const chartY = score => 66 - 62 * (score - low) / (high - low);
const step = Math.max(1, Math.floor(last / 2000));
byId("curve").setAttribute("points", data.scores.map((score, t) => [t, score])
  .filter(([t]) => t % step === 0 || t === last)
  .map(([t, score]) => chartX(t).toFixed(1) + "," + chartY(score).toFixed(1)).join(" "));
set(byId("zero"), {x1: 0, x2: 1000, y1: chartY(0), y2: chartY(0)});
byId("last").textContent = last.toLocaleString("en");
byId("slider").max = last;
for (const speed of speeds) byId("speed").add(new Option(speed + " ticks/s", speed, speed === 25, speed === 25));

function go(t) {
  tick = Math.max(0, Math.min(last, t));
  show(data, tick);
  byId("tick").textContent = tick.toLocaleString("en");
  byId("score").textContent = data.scores[tick].toLocaleString("en");
  byId("info").textContent = info(data, tick);
  const slider = byId("slider");
  slider.value = tick;
  slider.setAttribute("aria-valuetext", "tick " + tick + ", score " + data.scores[tick]);
  set(byId("now"), {x1: chartX(tick), x2: chartX(tick), y1: 0, y2: 70});
  showPlan();
}
function showPlan() {
  if (!data.ahead) return;
  const shown = byId("plan").checked && tick < last;
  plan(byId("board"), data, shown ? tick : -1);
  const scores = shown ? [data.scores[tick], ...ahead[tick]] : [];
  byId("ahead").setAttribute("points", scores.map((score, i) => chartX(tick + i).toFixed(1) + "," + chartY(score).toFixed(1)).join(" "));
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
const asked = Number(new URLSearchParams(location.hash.slice(1)).get("tick"));
go(Number.isInteger(asked) ? asked : 0);
// It plays by itself, unless a tick is asked for or the reader wants nothing to move.
if (asked === 0 && last > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
)js";

std::string replaced(std::string text, std::string_view name, const std::string& value) {
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + value.size())) {
    text.replace(at, name.size(), value);
  }
  return text;
}

}  // namespace

std::string html_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

int tenths(double value) { return static_cast<int>(std::lround(10.0 * value)); }

std::string page_text(const ReplayPage& page) {
  const std::string heading = html_text(fmt::format("{}: {}", page.title, page.players));
  std::string body = replaced(std::string(kBody), "@VIEW_BOX@", page.view_box);
  body = replaced(body, "@TITLE@", html_text(page.title));
  body = replaced(body, "@LEGEND@", page.legend);
  const char* plan_key = page.data.contains("ahead") ? ", <kbd>P</kbd> plans" : "";
  body = replaced(body, "@PLAN_KEY@", plan_key);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"arcade of ntune {}\">\n<title>{}</title>\n"
      "<style>{}{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n<p class=\"soft\">{}</p>\n<p "
      "class=\"end\">{}</p>{}"
      "</main>\n<script>\"use strict\";{}const data = {};\n{}{}</script>\n</body>\n</html>\n",
      kVersion, heading, kPageStyle, page.style, html_text(page.title), html_text(page.players),
      html_text(page.end), body, kPlayer, page.data.dump(), page.script, kControls);
}

}  // namespace ntune::arcade
