#!/usr/bin/env python3
"""Opens reports in a headless Chromium as a reader would.

browser.py --ntune PROGRAM [--configs FOLDER] [--keep FOLDER]

Makes small studies of every kind, and the example studies of the folder with fewer evaluations, writes their
reports and all their figures, and checks: nothing on the console and
nothing loaded, figures and tables present and visible, no text cut off or on top of another, tables
that sort, the table of calls, values on hovering, headings in order, text alternatives, contrast in light and dark, no
sideways scrolling on a phone, that the live page and the board keep what a person does, and that the numbers are those of
result.json. The gallery's replays are played through. Exits with 77 where
there is no browser.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

PAGES = {
    "one_cell": """
objective: {function: hartmann6, noise: win_loss}
runs: 6
iterations: 300
hold_out: 400
seed: 1
""",
    "one_run": """
objective: {function: branin}
runs: 1
iterations: 200
seed: 3
""",
    "splits": """
name: Budget splits
objective: {function: hartmann6, noise: win_loss}
optimiser: ntbea
budget: 900
splits: [{runs: 1}, {runs: 3}, {runs: 6}]
repeats: 12
seed: 1
""",
    "comparison": """
objectives:
  - {function: hartmann6, noise: win_loss}
  - {function: branin, noise: win_loss}
optimisers: [ntbea, rmhc, random]
iterations: 100
runs: 12
seed: 2
""",
    "game": """
objective: {game: slide3}
runs: 4
iterations: 60
hold_out: 60
record: evaluations
seed: 1
""",
    "hostile": """
name: "<script>document.title = 'broken'</script> & \\"quotes\\" \U0001F600"
objective:
  command: 'set -- {params:pairs}; test "$2" != 2 || exit 1; echo $(( {seed} % 7 )).5'
  shell: true
  direction: minimise
space:
  "<img src=x onerror=alert(1)>": [1, 2, 3]
  "\U0001F600 'single' \\"double\\" ]]> --> </script>": ["<b>bold</b>", "\U0001F409", "&amp;"]
  long: [LONG, short]
runs: 2
iterations: 15
hold_out: 3
fail: skip
max_failure_rate: 1
seed: 1
""",
}

# Text that leaves its picture, or lies on other text of it.
CROWDED = """
const found = [];
for (const svg of document.querySelectorAll('svg.fig')) {
  const frame = svg.getBoundingClientRect();
  if (frame.width === 0) continue;
  const boxes = Array.from(svg.querySelectorAll('text')).map(text => [text, text.getBoundingClientRect()]);
  const scale = frame.width / svg.viewBox.baseVal.width;
  for (const [text, box] of boxes) {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1) found.push('cut: ' + text.textContent.slice(0, 40));
  }
  const plain = boxes.filter(([text]) => !text.hasAttribute('transform') && !text.closest('.brush') &&
                                         !svg.classList.contains('tried'));
  for (let i = 0; i < plain.length; ++i) for (let j = i + 1; j < plain.length; ++j) {
    const a = plain[i][1], b = plain[j][1], slack = 3 * scale;
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack) {
      found.push('overlap: ' + plain[i][0].textContent.slice(0, 30) + ' | ' + plain[j][0].textContent.slice(0, 30));
    }
  }
}
return found.slice(0, 10);
"""

CONTRAST = """
const channel = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4); };
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const parse = text => text.match(/[\\d.]+/g).map(Number);
const behind = element => {
  for (let e = element; e; e = e.parentElement) {
    const colour = parse(getComputedStyle(e).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const found = [];
for (const element of document.querySelectorAll('h1,h2,h3,p,td,th,dt,dd,small,figcaption,a,pre,svg.fig text')) {
  if (element.getBoundingClientRect().width === 0) continue;
  const svgText = element.namespaceURI.endsWith('svg');
  if (svgText && element.classList.contains('c')) continue;
  const front = parse(getComputedStyle(element)[svgText ? 'fill' : 'color']);
  const a = light(front), b = light(behind(element));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < (svgText && !element.matches('.m,.t,.b') ? 3 : 4.5)) {
    found.push(element.tagName + ' ' + element.getAttribute('class') + ' ' + ratio.toFixed(2));
  }
}
return Array.from(new Set(found)).slice(0, 10);
"""


# Dark, width and medium; 700 pixels are about the text of an A4 page.
LOOKS = ((False, 1280, "screen"), (True, 400, "screen"), (False, 700, "print"))


class Checker:
    def __init__(self):
        self.failures = []
        self.checks = 0

    def check(self, good, what):
        self.checks += 1
        if not good:
            self.failures.append(what)
            print("FAILED:", what, flush=True)


# So much of an example's own budget is used.
LARGEST = {"runs": 3, "iterations": 60, "budget": 600, "repeats": 3, "hold_out": 40, "evaluations": 60}


def shorten(text):
    """A study with the same keys and at most LARGEST of each number."""
    def smaller(match):
        return match.group(1) + str(min(int(match.group(2)), LARGEST[match.group(1).strip(" {,:")]))
    keys = "|".join(LARGEST)
    return re.sub(rf"(?m)(^(?:{keys}):\s*|[{{ ,]evaluations:\s*)(\d+)", smaller, text)


def make_examples(ntune, folder, configs):
    """Studies and reports of the examples that need no other program to drive them."""
    names = []
    place = folder / "source" / "configs"  # examples name files of the source tree
    place.mkdir(parents=True)
    (folder / "source" / "apps").symlink_to(configs.parent / "apps")
    path_with_games = f"{pathlib.Path(ntune).resolve().parent}:{os.environ['PATH']}"
    for path in sorted(configs.glob("*.yaml")):
        if path.stem in ("ask_tell", "glaurung", "minisat", "planet_wars_levels", "tag", "uci_engine", "xz"):  # these need another program
            continue
        name = f"example_{path.stem}"
        study = place / path.name
        study.write_text(shorten(path.read_text(encoding="utf-8")), encoding="utf-8")
        subprocess.run([ntune, "run", study, "--out", folder / name, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "PATH": path_with_games})
        subprocess.run([ntune, "report", folder / name, "-o", folder / f"{name}.html", "--quiet"], check=True)
        names.append(name)
    return names


def make_figures(ntune, folder, names):
    """Every figure of every study that has it, as SVG; where a study has none, one line says so."""
    known = subprocess.run([ntune, "list", "figures", "--names"], check=True, capture_output=True, text=True).stdout
    figures = []
    for name in names:
        for figure in known.split():
            path = folder / f"{name}_{figure}.svg"
            outcome = subprocess.run([ntune, "plot", folder / name, "--figure", figure, "-o", path], capture_output=True, text=True)
            if outcome.returncode == 0:
                figures.append(path)
            elif outcome.returncode != 2 or outcome.stderr.count("\n") != 1 or path.exists():
                raise SystemExit(f"{name}, {figure}: {outcome.returncode} {outcome.stderr}")
    return figures


def check_figure(checker, browser, path):
    browser.get(path.as_uri())
    log = [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    checker.check(not log, f"{path.name}: console: {log[:3]}")
    root = "document.documentElement"
    checker.check(browser.execute_script(f"return {root}.tagName === 'svg' && "
                                         f"{root}.getBoundingClientRect().width > 200"),
                  f"{path.name}: is no picture")
    checker.check(browser.execute_script(f"return {root}.querySelectorAll('text').length > 2"),
                  f"{path.name}: has no text")


def make_reports(ntune, folder):
    """Runs the studies and writes their reports; the names of the pages."""
    for name, text in PAGES.items():
        study = folder / f"{name}.yaml"
        study.write_text(text.replace("LONG", "x<" * 5000), encoding="utf-8")
        subprocess.run([ntune, "run", study, "--out", folder / name, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([ntune, "report", folder / name, "-o", folder / f"{name}.html", "--quiet"],
                       check=True)
    several = [folder / "one_cell", folder / "splits"]
    subprocess.run([ntune, "report", *several, "-o", folder / "several.html", "--quiet"],
                   check=True)
    # A study whose process was killed has a journal and no result.
    killed = folder / "killed"
    shutil.copytree(folder / "hostile", killed)
    (killed / "result.json").unlink()
    (killed / "runs.csv").unlink()
    lines = (killed / "journal.log").read_text(encoding="utf-8").splitlines(keepends=True)
    (killed / "journal.log").write_text("".join(lines[:14]) + lines[14][:9], encoding="utf-8")
    subprocess.run([ntune, "report", killed, "-o", folder / "killed.html", "--quiet"], check=True)
    return [*PAGES, "several", "killed"]


def start_browser():
    """None where there is none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        print("skipped: no python3-selenium")
        return None
    if not chromium or not driver:
        print("skipped: no chromium or no chromium-driver")
        return None
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                 "--hide-scrollbars", "--no-first-run", "--disable-background-networking"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)


def open_sections(browser, open_=True):
    browser.execute_script("for (const d of document.querySelectorAll('details.section')) d.open = arguments[0]", open_)


# Columns that a reader cannot see: cells beyond the edge of what their table scrolls in.
HIDDEN_COLUMNS = """
const found = [];
for (const frame of document.querySelectorAll('.scroll')) {
  const edge = frame.getBoundingClientRect().right + 1;
  const cells = Array.from(frame.querySelectorAll('tbody tr:first-child td')).filter(
    c => c.getBoundingClientRect().width > 0 && c.getBoundingClientRect().right > edge);
  if (cells.length) found.push(frame.getAttribute('aria-label') + ': ' + cells.map(c => c.dataset.name).join(', '));
}
return found;
"""


# Text that has so little width that it cannot be read: commands and messages in tables, buttons of several lines.
SQUEEZED = """
const found = [], page = document.documentElement.clientWidth;
for (const e of document.querySelectorAll('td pre, td details, td > p, td button, p button')) {
  const box = e.getBoundingClientRect();
  if (box.width === 0) continue;
  const narrow = e.tagName === 'BUTTON' ? box.height > 4 * parseFloat(getComputedStyle(e).fontSize) : box.width < 0.3 * page;
  if (narrow) found.push(e.tagName + ' ' + e.textContent.slice(0, 40));
}
return found.slice(0, 10);
"""


def check_page(checker, browser, name):
    run = browser.execute_script
    check = checker.check
    open_sections(browser)
    log = [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    check(not log, f"{name}: console: {log[:3]}")
    loaded = run("return performance.getEntriesByType('resource').map(e => e.name)")
    check(not loaded, f"{name}: loads {loaded[:3]}")
    check(run("return document.querySelectorAll('h1').length") == 1, f"{name}: one h1")
    levels = run("return Array.from(document.querySelectorAll('h1,h2,h3,h4,h5')).map(h => +h.tagName[1])")
    good = levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:]))
    check(good, f"{name}: headings in order: {levels}")
    unnamed = run("return Array.from(document.querySelectorAll('svg')).filter("
                  "s => s.getAttribute('role') !== 'img' || !s.getAttribute('aria-label')).length")
    check(unnamed == 0, f"{name}: {unnamed} pictures without a text")
    hidden = run("return Array.from(document.querySelectorAll('figure')).filter(f => !Array.from("
                 "f.querySelectorAll('svg')).some(s => s.getBoundingClientRect().height > 40)).length")
    check(hidden == 0, f"{name}: {hidden} figures are not visible")
    check(run("return document.querySelectorAll('script[src],link,img,iframe').length") == 0,
          f"{name}: refers to other files")
    check(not run(CROWDED), f"{name}: {run(CROWDED)}")
    check(not run(SQUEEZED), f"{name}: squeezed: {run(SQUEEZED)}")
    hidden = [found for found in run(HIDDEN_COLUMNS) if not found.startswith("Settings by instances")]
    check(not hidden, f"{name}: hidden columns: {hidden}")
    wide = run("return document.documentElement.scrollWidth - window.innerWidth")
    check(wide <= 0, f"{name}: {wide} pixels wider than the window")


def check_first_screen(checker, browser, name):
    """The answer is on the first screen, no number twice, and its button copies what the verdict says; a phone needs
    little scrolling. Comparisons, goals and studies that stopped have no button or less pictures."""
    run = browser.execute_script
    set_media(browser, False, 1280)
    run("window.scrollTo(0, 0)")
    open_sections(browser, False)
    pictures = run("return Array.from(document.querySelectorAll('svg.fig')).filter(s => {"
                   "const b = s.getBoundingClientRect(); return b.height > 30 && b.top >= 0 && b.bottom <= 900; }).length")
    has_answers = run("return document.querySelector('.answers') !== null")
    if has_answers or run("return document.getElementById('comparison') !== null"):
        checker.check(pictures >= 2, f"{name}: {pictures} pictures on the first screen")
    if has_answers:
        end = run("return document.querySelector('.answers').getBoundingClientRect().bottom")
        checker.check(end <= 900, f"{name}: the answers end at {end} pixels")
        verdict = run("return document.querySelector('.verdict').textContent")
        first = run("return document.querySelector('button.first').textContent")
        keeps = verdict.startswith(("Keep today's", "Not decided"))
        checker.check(("today's" in first) == keeps, f"{name}: '{verdict}', and the button is '{first}'")
        words = run("return Array.from(document.querySelectorAll('.verdict, .sub, .answers p'), e => e.innerText).join(' ')")
        numbers = re.findall(r"\d[\d,]*\.\d+", words)
        checker.check(len(set(numbers)) == len(numbers), f"{name}: a number twice: {words}")
    noise = run("return Array.from(document.querySelectorAll('td, dd')).map(e => e.textContent)"
                ".filter(t => /e-1[5-9]/.test(t))")
    checker.check(not noise, f"{name}: rounding noise {noise[:3]}")
    wide = run("return Array.from(document.querySelectorAll('table')).filter(t => t.scrollWidth > 1.3 * "
               "t.parentElement.clientWidth && t.scrollWidth > 0).map(t => t.getAttribute('aria-label'))")
    checker.check(not wide, f"{name}: tables wider than their column: {wide}")
    few = run("""
        const few = [];
        for (const svg of document.querySelectorAll('section svg.fig.wide')) {
          for (const panel of svg.querySelectorAll('g')) {
            const ticks = Array.from(panel.querySelectorAll('text.t[text-anchor=end]'));
            if (ticks.length && ticks.every(t => /^-?[0-9.,]+( %)?$/.test(t.textContent)) && ticks.length < 3) {
              few.push(svg.getAttribute('class') + ': ' + ticks.map(t => t.textContent));
            }
          }
        }
        return few;""")
    checker.check(not few, f"{name}: axes with fewer than three numbers: {few[:3]}")
    set_media(browser, False, 390, phone=True)
    long = run("return document.documentElement.scrollHeight")
    checker.check(long <= 3000, f"{name}: the phone's page is {long} pixels long")
    set_media(browser, False, 1280)


def check_sorting(checker, browser, name):
    from selenium.webdriver.common.by import By

    tables = [t for t in browser.find_elements(By.CSS_SELECTOR, "table.sortable")
              if len(t.find_elements(By.CSS_SELECTOR, "tbody tr")) > 2]
    checker.check(tables, f"{name}: no table to sort")
    for table in tables[:2]:
        headings = table.find_elements(By.CSS_SELECTOR, "thead th")
        column = next(i for i, h in enumerate(headings) if h.text.strip() in ("n", "runs that agree", "best in"))
        values = lambda: browser.execute_script(
            "return Array.from(arguments[0].tBodies[0].rows).map(r => "
            "Number((r.cells[arguments[1]].querySelector('data') || {value: NaN}).value))", table, column)
        for order in (True, False):
            browser.execute_script("arguments[0].querySelector('button').click()", headings[column])
            numbers = values()
            checker.check(numbers == sorted(numbers, reverse=order), f"{name}: sorted: {numbers}")


def check_hover(checker, browser, name):
    """The first dot and the first block of every figure say their values."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By

    marks = browser.execute_script(
        "return Array.from(document.querySelectorAll('svg.wide')).flatMap(s => ['circle', 'rect'].map("
        "k => s.querySelector(k + '[data-tip]'))).filter(m => m && "
        "m.getBoundingClientRect().height > 4 && m.getBoundingClientRect().width > 4)")
    checker.check(len(marks) > 3, f"{name}: {len(marks)} marks to hover")
    tip = browser.find_element(By.ID, "tip")
    for mark in marks[:12]:
        # The event of the scrolling, which hides the tip, comes with the next frame.
        browser.execute_async_script(
            "arguments[0].scrollIntoView({block: 'center'});"
            "requestAnimationFrame(() => requestAnimationFrame(arguments[1]))", mark)
        ActionChains(browser).move_to_element(mark).perform()
        shown = tip.text
        checker.check(tip.is_displayed() and any(c.isdigit() for c in shown),
                      f"{name}: hovering {mark.get_attribute('data-tip')!r} shows {shown!r}")


def chosen(browser):
    """How many evaluations are chosen; None: all."""
    return browser.execute_script("const e = document.getElementById('chosen'); return e.hidden ? null : Number(e.dataset.rows)")


def drag(browser, element, x0, y0, x1, y1):
    """From one place of the element to another, as shares of its size from its middle."""
    from selenium.webdriver.common.action_chains import ActionChains

    browser.execute_async_script(
        "arguments[0].scrollIntoView({block: 'center'});"
        "requestAnimationFrame(() => requestAnimationFrame(arguments[1]))", element)
    width, height = element.rect["width"], element.rect["height"]
    ActionChains(browser).move_to_element_with_offset(element, int(x0 * width), int(y0 * height)).click_and_hold() \
        .move_by_offset(int((x1 - x0) * width), int((y1 - y0) * height)).release().perform()


def check_choice(checker, browser, name):
    """One choice of evaluations for the history, the settings that were tried and the pairs; by dragging, by menus and keys."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    open_sections(browser)
    run = browser.execute_script
    every = run("return JSON.parse(document.querySelector('script.evaluations').textContent).rows.length")
    checker.check(chosen(browser) is None and every > 100, f"{name}: {every} evaluations, all of them shown")
    history = browser.find_element(By.CSS_SELECTOR, "svg.history.wide")
    drag(browser, history, -0.3, -0.4, 0.2, 0.0)
    some = chosen(browser)
    checker.check(some is not None and 0 < some < every, f"{name}: dragging chooses {some} of {every}")
    path, width, height = run("const svg = document.querySelector('svg.history.wide'), size = svg.viewBox.baseVal;"
                              "return [svg.querySelector('.picked').getAttribute('d'), size.width, size.height]")
    places = [(float(x) / width - 0.5, float(y) / height - 0.5) for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)", path)]
    checker.check(len(places) == some, f"{name}: {len(places)} of {some} are drawn")
    outside = [p for p in places if not (-0.31 < p[0] < 0.21 and -0.41 < p[1] < 0.01)]
    checker.check(not outside, f"{name}: chosen outside of the box: {outside[:3]}")
    faded = run("return document.querySelectorAll('svg.pairs.wide rect.off').length")
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.ESCAPE)
    checker.check(chosen(browser) is None, f"{name}: Escape does not show all")
    # An axis of the parallel coordinates, a line of two corners.
    tried = browser.find_element(By.CSS_SELECTOR, "svg.tried.wide")
    off = lambda: run("return document.querySelectorAll('svg.tried.wide polyline.off').length")
    checker.check(off() == 0, f"{name}: lines are off without a choice")
    first = run("const l = Array.from(document.querySelectorAll('svg.tried.wide polyline')).find(l => l.points.length === 2);"
                "const s = l.ownerSVGElement.viewBox.baseVal;"
                "return [l.points[0].x / s.width - 0.5, Math.min(l.points[0].y, l.points[1].y) / s.height - 0.5,"
                " Math.max(l.points[0].y, l.points[1].y) / s.height - 0.5]")
    middle = 0.5 * (first[1] + first[2])
    drag(browser, tried, first[0], first[1] - 0.01, first[0], middle)
    some = chosen(browser)
    checker.check(some is not None and some < every, f"{name}: dragging along an axis chooses {some} of {every}")
    body.send_keys(Keys.ESCAPE)
    # A cell of a pair; again shows all.
    cell = browser.find_element(By.CSS_SELECTOR, "svg.pairs.wide rect[data-key]")
    run("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", cell)
    some = chosen(browser)
    checker.check(some is not None and some < every, f"{name}: a pair chooses {some} of {every}")
    checker.check(run("return document.querySelectorAll('svg.pairs.wide rect.off').length") >= faded,
                  f"{name}: no other cell stands back")
    run("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", cell)
    checker.check(chosen(browser) is None, f"{name}: the pair again does not show all")
    # Menus, by the keyboard alone.
    menus = browser.find_elements(By.CSS_SELECTOR, ".filters select")
    checker.check(len(menus) > 2, f"{name}: {len(menus)} menus")
    Select(menus[0]).select_by_index(1)
    one_run = chosen(browser)
    Select(menus[1]).select_by_index(1)
    checker.check(0 < one_run < every and chosen(browser) < one_run, f"{name}: menus choose {one_run}, {chosen(browser)}")
    body.send_keys(Keys.ESCAPE)


def check_calls(checker, browser, name):
    """The table of calls sorts, filters and opens one; what was chosen stands in the address; only rows in sight are drawn."""
    from selenium.webdriver.common.by import By

    run = browser.execute_script
    set_media(browser, False, 1280)
    open_sections(browser)
    time.sleep(0.2)  # the table is laid out when it is seen
    rows = run("return JSON.parse(document.querySelector('.calls script').textContent).rows.length")
    drawn = run("return document.querySelectorAll('.calls tr[data-row]').length")
    checker.check(0 < drawn <= min(rows, 60), f"{name}: {drawn} of {rows} calls are drawn")
    column = lambda title: run("return Array.from(document.querySelectorAll('.calls th')).findIndex(h => h.textContent === arguments[0])", title)
    cells = lambda c: run("return Array.from(document.querySelectorAll('.calls tr[data-row]')).map(r => r.cells[arguments[0]].textContent)", c)
    press = lambda c: run("document.querySelectorAll('.calls th button')[arguments[0]].click()", c)
    call = column("call")
    press(call)
    press(call)
    numbers = [int(text) for text in cells(call)]
    checker.check(numbers[0] == max(numbers) and numbers == sorted(numbers, reverse=True), f"{name}: sorted {numbers[:5]}")
    dashes = run("""
        const rows = Array.from(document.querySelectorAll('.calls tr[data-row]'));
        return Array.from(document.querySelectorAll('.calls th')).filter((h, c) => rows.every(r => /^[-–]?$/.test(r.cells[c].textContent)))
          .map(h => h.textContent);""")
    wide = run("const t = document.querySelector('.calls table'); return t.offsetWidth / t.parentElement.clientWidth")
    checker.check(wide <= 1.3, f"{name}: the table of calls is {wide:.2f} times as wide as its box")
    run("const box = document.querySelector('.calls .box'); box.scrollTop = box.scrollHeight")
    time.sleep(0.2)
    last = [int(text) for text in cells(call)][-1]
    checker.check(last == 1, f"{name}: the last row is call {last}; columns of nothing: {dashes}")
    run("document.querySelector('.calls tr[data-row] button').click()")
    shown = run("return document.querySelector('.calls .call').textContent")
    checker.check("ntune eval study.yaml --set" in shown or name == "comparison", f"{name}: opened {shown[:100]!r}")
    field = browser.find_element(By.CSS_SELECTOR, ".calls input[type=search]")
    field.send_keys("no such call")
    said = lambda: run("return document.querySelector('.calls output').textContent")
    checker.check(said().startswith("0 of"), f"{name}: {said()}")
    address = run("return location.href")
    browser.get("about:blank")
    browser.get(address)
    kept = run("return [document.querySelector('.calls input[type=search]').value, document.querySelector('.calls output').textContent]")
    checker.check(kept[0] == "no such call" and kept[1].startswith("0 of"), f"{name}: after loading again: {kept}")
    set_media(browser, False, 390, phone=True)
    open_sections(browser)
    time.sleep(0.2)
    field = browser.find_element(By.CSS_SELECTOR, ".calls input[type=search]")
    run("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('input'))", field)
    wide = run("const t = document.querySelector('.calls table'); return [t.offsetWidth / t.parentElement.clientWidth, getComputedStyle(t.rows[1]).display]")
    checker.check(wide[0] <= 1.3 and wide[1] == "table-row", f"{name}: on a phone {wide}")
    set_media(browser, False, 1280)


def check_keys(checker, browser, name):
    """The arrow keys go through the marks of a picture and say their values."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    open_sections(browser)
    svg = browser.find_element(By.CSS_SELECTOR, "svg.candidates.wide")
    browser.execute_script("arguments[0].focus()", svg)
    tip = browser.find_element(By.ID, "tip")
    said = []
    for _ in range(3):
        svg.send_keys(Keys.ARROW_RIGHT)
        said.append(tip.text)
    checker.check(len(set(said)) == 3 and all(any(c.isdigit() for c in s) for s in said), f"{name}: keys say {said}")


def check_folds(checker, browser, name):
    """What is open before the first closed section is at most 4,000 pixels high, and links open what they lead to."""
    from selenium.webdriver.common.by import By

    browser.get(browser.current_url.split("#")[0])
    top = browser.execute_script("const d = document.querySelector('details.section:not([open])');"
                                 "return d ? d.getBoundingClientRect().top + window.scrollY : 0")
    checker.check(top <= 4000, f"{name}: {top} pixels before the first fold")
    links = [link for link in browser.find_elements(By.CSS_SELECTOR, "nav a") if link.is_displayed()]
    checker.check(len(links) > 2, f"{name}: {len(links)} links in the contents")
    links[-1].click()
    # The page opens it when the browser tells it of the new address, some time after the click.
    opened = browser.execute_async_script(
        "const done = arguments[arguments.length - 1], begin = performance.now();"
        "(function look() {"
        "  const target = document.getElementById(location.hash.slice(1));"
        "  if (target && target.open !== false) done(true);"
        "  else if (performance.now() - begin > 5000) done(false);"
        "  else setTimeout(look, 20);"
        "})()")
    checker.check(opened, f"{name}: a link does not open its section")
    sticks = browser.execute_script("return document.querySelector('nav').getBoundingClientRect().top")
    checker.check(-1 <= sticks < 300, f"{name}: the contents are at {sticks} pixels")


def check_saving(checker, browser, folder, name):
    """Each figure can be saved as SVG, PNG and CSV."""
    from selenium.webdriver.common.by import By

    place = folder / "saved"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    browser.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(place)})
    open_sections(browser)
    figures = browser.find_elements(By.CSS_SELECTOR, "figure")
    missing = [f.get_attribute("data-figure") for f in figures
               if len(f.find_elements(By.CSS_SELECTOR, "button[data-save]")) != 3]
    checker.check(not missing, f"{name}: without three ways to save: {missing}")
    figure = browser.find_element(By.CSS_SELECTOR, "figure[data-figure=main_effects]")
    for button in figure.find_elements(By.CSS_SELECTOR, "button[data-save]"):
        browser.execute_script("arguments[0].click()", button)
        time.sleep(0.3)
    end = time.monotonic() + 20
    while len(list(place.glob("*.*"))) < 3 and time.monotonic() < end:
        time.sleep(0.2)
    files = {path.suffix: path.read_bytes() for path in place.glob("*.*")}
    checker.check(set(files) == {".svg", ".png", ".csv"}, f"{name}: saved {list(files)}")
    checker.check(files.get(".png", b"").startswith(b"\x89PNG"), f"{name}: the picture is no PNG")
    checker.check(files.get(".csv", b"").startswith(b"parameter,value,mean,low,high,n\n"),
                  f"{name}: the numbers begin {files.get('.csv', b'')[:60]}")
    import xml.dom.minidom
    try:
        picture = xml.dom.minidom.parseString(files.get(".svg", b""))
        checker.check(len(picture.getElementsByTagName("text")) > 5, f"{name}: the saved picture has no text")
    except xml.parsers.expat.ExpatError as error:
        checker.check(False, f"{name}: the saved picture: {error}")


def check_partial(checker, browser, folder, ntune):
    """What shows less than the study has made says so: in figure, caption and terminal."""
    older = folder / "older"
    shutil.copytree(folder / "one_cell", older)
    journal = older / "journal.log"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    without = lambda line: re.sub(r',"trace":"[^"]*"', "", line)
    runs = [i for i, line in enumerate(lines) if line.startswith('{"run":')]
    journal.write_text("".join(without(line) if i in runs[:2] else line for i, line in enumerate(lines)), encoding="utf-8")
    page = folder / "older.html"
    outcome = subprocess.run([ntune, "report", older, "-o", page], check=True, capture_output=True, text=True)
    checker.check("4 of 6 runs" in outcome.stderr, f"the terminal says {outcome.stderr!r}")
    browser.get(page.as_uri())
    open_sections(browser)
    for figure in ("convergence", "main_effects", "pairs", "importance", "sampling", "history"):
        caption = browser.execute_script(
            "return document.querySelector('figure[data-figure=' + arguments[0] + '] figcaption').textContent", figure)
        checker.check("4 of 6 runs" in caption, f"{figure}: the caption says {caption!r}")
    legend = browser.execute_script("return document.querySelector('svg.convergence').textContent")
    checker.check("4 of 6 runs" in legend, f"convergence: the figure says {legend[:80]!r}")


def fact(browser, name):
    return browser.execute_script(
        "const e = document.querySelector('[data-fact=\"' + arguments[0] + '\"] dd data');"
        "return e ? Number(e.value) : null", name)


def check_numbers(checker, browser, folder):
    browser.get((folder / "one_cell.html").as_uri())
    result = json.loads((folder / "one_cell" / "result.json").read_text(encoding="utf-8"))
    best = result["recommendation"]
    for key in ("value", "true_value", "estimate"):
        checker.check(fact(browser, key) == best[key], f"{key} is {fact(browser, key)}, not {best[key]}")
    checker.check(fact(browser, "best") == best["best_probability"],
                  f"probability of being best: {fact(browser, 'best')}")
    open_sections(browser)
    shown = browser.execute_script(
        "return Array.from(document.querySelectorAll('[data-fact=value] small data')).map(d => Number(d.value))")
    checker.check(shown == best["interval"], f"interval: {shown}")
    values = browser.execute_script(
        "return Array.from(document.querySelector('#details table').tBodies[0].rows).map("
        "r => [r.cells[0].textContent, r.cells[1].textContent])")
    checker.check([(n, float(v)) for n, v in values] == list(best["parameters"].items()), f"{values}")

    browser.get((folder / "comparison.html").as_uri())
    result = json.loads((folder / "comparison" / "result.json").read_text(encoding="utf-8"))
    rows = browser.execute_script(
        "return Array.from(document.querySelector('#cells table').tBodies[0].rows).map("
        "r => Array.from(r.cells).map(c => Array.from(c.querySelectorAll('data')).map(d => Number(d.value))))")
    for row, cell in zip(rows, result["cells"]):
        difference = cell["difference"] or {"mean": None, "interval": []}
        expected = [[cell["score"]["mean"]], cell["score"]["interval"],
                    [difference["mean"]] if cell["difference"] else [], difference["interval"],
                    [cell["score"]["n"]], [cell["score"]["sd"]]]
        checker.check(row[3:9] == expected, f"cell: {row} {expected}")
    # The summary has the winner first, with the means of the same result.
    rows = browser.execute_script(
        "return Array.from(document.querySelector('#comparison table').tBodies[0].rows).map("
        "r => [r.cells[0].textContent, ...Array.from(r.querySelectorAll('td > data')).map(d => Number(d.value))])")
    checker.check([r[1] for r in rows] == sorted(r[1] for r in rows), f"ranks: {rows}")
    means = {(c["optimiser"], c["objective"]): c["score"]["mean"] for c in result["cells"]}
    for row in rows:
        expected = [means[row[0], label] for label in ("hartmann6", "branin")]
        checker.check(row[3:] == expected, f"summary: {row} {expected}")
    # Each optimiser has one colour, whatever the figure.
    colours = browser.execute_script("""
        const colours = {};
        for (const figure of ['ranks', 'scores', 'convergence']) {
          const svg = document.querySelector('svg.' + figure + '.wide');
          for (const mark of svg.querySelectorAll('[data-tip]')) {
            const name = mark.getAttribute('data-tip').split(':')[0];
            const series = (mark.getAttribute('class').match(/[sf]([0-7])/) || [])[1];
            if (series !== undefined) (colours[name] = colours[name] || []).push(series);
          }
        }
        return colours;""")
    for name, series in colours.items():
        checker.check(len(set(series)) == 1, f"{name} has the colours {set(series)}")
    checker.check(len(colours) == 3 and len({s[0] for s in colours.values()}) == 3, f"colours: {colours}")


def check_text(checker, browser, folder):
    """Hostile names appear as text."""
    browser.get((folder / "hostile.html").as_uri())
    title = browser.execute_script("return document.querySelector('h1').textContent")
    checker.check("<script>document.title = 'broken'</script> & \"quotes\" \U0001F600" == title, title)
    checker.check("broken" != browser.title, "a name ran as a script")
    names = browser.execute_script(
        "return Array.from(document.querySelector('#details table').tBodies[0].rows).map(r => r.cells[0].textContent)")
    checker.check("<img src=x onerror=alert(1)>" in names, f"{names}")
    checker.check(any("]]> --> </script>" in name for name in names), f"{names}")
    whole = browser.execute_script("return Array.from(document.querySelectorAll('pre')).pop().textContent")
    checker.check("x<" * 5000 in whole.replace("\n", ""), "10 kB of text in the configuration")


def printed_pages(browser):
    """How many pages the document has on paper."""
    data = browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
    return len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(data)))


def check_printing(checker, browser, folder, name):
    """Folded sections are printed whole, and are folded again."""
    browser.get((folder / f"{name}.html").as_uri())
    before = browser.execute_script("return document.querySelectorAll('details.section[open]').length")
    folded = printed_pages(browser)
    after = browser.execute_script("return document.querySelectorAll('details.section[open]').length")
    checker.check(before == after, f"{name}: {before} sections were open before printing, {after} after")
    open_sections(browser)
    whole = printed_pages(browser)
    checker.check(folded == whole, f"{name}: {folded} pages on paper, {whole} with all sections open")


def set_media(browser, dark, width, phone=False, media="screen"):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "media": media,
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": phone})


def take_picture(browser, path):
    height = browser.execute_script("return document.documentElement.scrollHeight")
    width = browser.execute_script("return window.innerWidth")
    data = browser.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True,
        "clip": {"x": 0, "y": 0, "width": width, "height": min(height, 12000), "scale": 1}})["data"]
    path.write_bytes(base64.b64decode(data))
    return path.stat().st_size


LIVE_STUDY = """
objective:
  command: [sh, -c, "sleep 0.1; echo $(( ($1 - 3) * ($1 - 3) + $2 % 3 ))", x, "{x}", "{seed}"]
  direction: minimise
space: {x: {integers: [0, 7], default: 1}, y: {integers: [0, 3], default: 0}}
runs: 1
iterations: 600
"""

LIVE_STATE = """
const field = document.querySelector(".calls input[type=search]");
return {
  same: window.mark === 1,
  open: document.getElementById("evaluations").open,
  typed: field.value,
  focused: document.activeElement === field,
  cursor: field.selectionStart,
  place: Math.round(field.getBoundingClientRect().top),
  chosen: !document.getElementById("chosen").hidden,
  calls: Number(document.querySelector(".calls output").textContent.split(" of ").pop().replace(/[^0-9]/g, "")),
};
"""


def check_live(checker, browser, folder, ntune):
    """The page of a study that goes on is patched: what a person does on it stays."""
    (folder / "live.yaml").write_text(LIVE_STUDY)
    study = subprocess.Popen([ntune, "run", folder / "live.yaml", "--out", folder / "live", "--quiet"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watch = None
    try:
        wait_until(lambda: (folder / "live/journal.log").exists()
                   and (folder / "live/journal.log").read_text().count("\n") > 20)
        watch = subprocess.Popen([ntune, "watch", folder / "live", "--serve", "0", "--interval", "0.2"],
                                 stdout=subprocess.PIPE, text=True)
        browser.get(watch.stdout.readline().split()[0])
        browser.execute_script("""
            window.mark = 1;
            document.getElementById("evaluations").open = true;
            document.querySelector("form.filters[aria-label] input").value = "0";
            document.querySelector("form.filters[aria-label] input").dispatchEvent(new Event("input"));
            const field = document.querySelector(".calls input[type=search]");
            field.scrollIntoView();
            field.focus();
            field.value = "x 3";
            field.dispatchEvent(new Event("input"));
            field.setSelectionRange(2, 2);""")
        before = browser.execute_script(LIVE_STATE)
        after = wait_until(lambda: (now := browser.execute_script(LIVE_STATE))["calls"] > before["calls"] and now)
        checker.check(before.pop("calls") < after.pop("calls"), "live: no call was added")
        checker.check(after == before and after["same"] and after["chosen"], f"live: {before} became {after}")
        strips = browser.execute_script("return document.querySelectorAll('p.live').length")
        checker.check(strips == 1, f"live: {strips} lines of progress")
        errors = [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]]
        checker.check(not errors, f"live: console {errors}")
        browser.get("about:blank")  # which misses no server
    finally:
        for process in (study, watch):
            if process is not None:
                process.terminate()
                process.wait()


BOARD_STATE = """
return {
  same: window.mark === 1,
  shown: Array.from(document.querySelectorAll("#rows tr")).filter(row => !row.hidden).length,
  filter: document.getElementById("filter").value,
  note: document.activeElement.value,
  ticked: document.querySelectorAll("#rows input:checked").length,
  address: location.hash,
};
"""


def check_tabs(checker, browser, folder):
    """Ten pages of one browser, which opens six connections to a server, all follow what is new."""
    first, address = browser.current_window_handle, browser.current_url.partition("#")[0]
    for _ in range(9):
        browser.switch_to.new_window("tab")
        browser.get(address)
    shutil.copytree(folder / "one_run", folder / "appears_late")
    for tab in browser.window_handles:
        browser.switch_to.window(tab)
        told = wait_until(lambda: "appears_late" in browser.execute_script("return document.body.textContent"))
        checker.check(told, "board: a page of ten is not told what is new")
        if tab != first:
            browser.close()
    browser.switch_to.window(first)
    browser.get("about:blank")


def check_board(checker, browser, folder, ntune):
    """The board of all studies: what a person has typed and ticked stays when a study appears; also on a phone."""
    watch = subprocess.Popen([ntune, "watch", folder, "--serve", "0", "--interval", "0.2"],
                             stdout=subprocess.PIPE, text=True)
    try:
        browser.get(watch.stdout.readline().split()[0])
        run = browser.execute_script
        rows = "return document.querySelectorAll('#rows tr').length"
        wait_until(lambda: run(rows) > 3 and "to be read" not in run("return document.body.textContent"))
        run("""
            window.mark = 1;
            const field = document.getElementById("filter");
            field.value = "one_cell";
            field.dispatchEvent(new Event("input"));
            for (const tick of Array.from(document.querySelectorAll("#rows input[type=checkbox]")).slice(0, 2)) tick.click();
            const note = Array.from(document.querySelectorAll("#rows tr")).find(row => !row.hidden).querySelector(".note");
            note.focus();
            note.value = "half a no";""")
        before, known = run(BOARD_STATE), run(rows)
        checker.check(before["shown"] == 1 and before["ticked"] == 2 and before["address"], f"board: {before}")
        shutil.copytree(folder / "one_run", folder / "appears")
        wait_until(lambda: run(rows) > known)
        after = run(BOARD_STATE)
        checker.check(run(rows) > known and after == before, f"board: {before} became {after}")
        run("document.getElementById('filter').value = ''; document.getElementById('filter').dispatchEvent(new Event('input'))")
        for width, dark in ((1280, False), (390, True)):
            set_media(browser, dark, width, phone=width == 390)
            low = run(CONTRAST)
            checker.check(not low, f"board, {width} pixels: contrast {low}")
            wide = run("return document.documentElement.scrollWidth - window.innerWidth")
            checker.check(wide <= 0, f"board: {wide} pixels wider than a window of {width}")
            take_picture(browser, folder / f"board_{width}.png")
        errors = [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]]
        checker.check(not errors, f"board: console {errors}")
        check_tabs(checker, browser, folder)
    finally:
        set_media(browser, False, 1280)
        watch.terminate()
        watch.wait()


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not (result := condition()) and time.monotonic() < end:
        time.sleep(0.1)
    return result


def check_all(checker, browser, folder, names, ntune):
    for name in names:
        for dark, width, media in LOOKS[:1] if name.startswith("example_") else LOOKS:
            set_media(browser, dark, width, phone=width < 500, media=media)
            browser.get((folder / f"{name}.html").as_uri())
            look = f"{name} {media} {'dark' if dark else 'light'} {width}"
            check_page(checker, browser, look)
            low = browser.execute_script(CONTRAST)
            checker.check(not low, f"{look}: contrast {low}")
            if width > 500 and media == "screen":
                check_folds(checker, browser, look)
            size = take_picture(browser, folder / f"{look.replace(' ', '_')}.png")
            checker.check(size > 10_000, f"{look}: the picture has {size} bytes")
    set_media(browser, False, 1280)
    for name in names:
        browser.get((folder / f"{name}.html").as_uri())
        if name not in ("hostile", "killed", "several"):
            check_first_screen(checker, browser, name)
    for name in ("one_cell", "splits", "comparison"):
        browser.get((folder / f"{name}.html").as_uri())
        open_sections(browser)
        check_sorting(checker, browser, name)
        check_hover(checker, browser, name)
    browser.get((folder / "one_cell.html").as_uri())
    check_choice(checker, browser, "one_cell")
    for name in ("one_cell", "hostile", "game"):
        browser.get((folder / f"{name}.html").as_uri())
        check_calls(checker, browser, name)
    browser.get((folder / "one_cell.html").as_uri())
    check_keys(checker, browser, "one_cell")
    check_saving(checker, browser, folder, "one_cell")
    for name in ("one_cell", "comparison"):
        check_printing(checker, browser, folder, name)
    check_partial(checker, browser, folder, ntune)
    check_live(checker, browser, folder, ntune)
    check_board(checker, browser, folder, ntune)
    check_numbers(checker, browser, folder)
    check_text(checker, browser, folder)


# Texts of a board on one another, cut off, or under the rings of Planet Wars; and text too small for a phone.
BOARD = """
const found = [], frame = document.querySelector('#board').getBoundingClientRect();
const boxes = Array.from(document.querySelectorAll('#board text')).filter(t => t.textContent).map(t => [t, t.getBoundingClientRect()]);
for (const [text, box] of boxes) {
  if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) found.push('cut: ' + text.textContent);
  if (box.height < 10) found.push('small: ' + text.textContent + ' ' + box.height.toFixed(1));
  for (const ring of text.classList.contains('small') ? document.querySelectorAll('#board .focus') : []) {
    const r = ring.getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
    const far = Math.hypot(x - Math.max(box.left, Math.min(x, box.right)), y - Math.max(box.top, Math.min(y, box.bottom)));
    if (far < r.width / 2) found.push('ring on ' + text.textContent);
  }
}
for (let i = 0; i < boxes.length; ++i) for (let j = i + 1; j < boxes.length; ++j) {
  const a = boxes[i][1], b = boxes[j][1];
  if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) {
    found.push('overlap: ' + boxes[i][0].textContent + ' | ' + boxes[j][0].textContent);
  }
}
const lines = document.querySelector('#plans').textContent;
if (lines && parseFloat(getComputedStyle(document.querySelector('#plans')).fontSize) < 14) found.push('small plans');
return found.slice(0, 5);
"""


def check_replays(checker, browser, gallery, keep):
    """The gallery's games: every step at both widths, light and dark; keys and slider."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    pages = sorted(gallery.glob("*_replay.html"))
    checker.check(len(pages) >= 4, f"{len(pages)} replays in {gallery}")
    for page in pages:
        name = page.stem
        for width, dark in ((1280, False), (390, True)):
            set_media(browser, dark, width, phone=width == 390)
            browser.get("about:blank")
            browser.get(page.as_uri() + "#tick=1")
            run = browser.execute_script
            run("document.body.insertAdjacentHTML('beforeend', '<style>* { transition: none !important }</style>')")
            log = [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
            checker.check(not log, f"{name}: console: {log[:3]}")
            checker.check(not run("return performance.getEntriesByType('resource').length"), f"{name}: loads something")
            last = run("return last")
            tops = run("const tops = new Set(); for (let t = 0; t <= last; ++t) { jump(t);"
                       " tops.add(byId('board').getBoundingClientRect().top + scrollY); } return [...tops]")
            checker.check(len(tops) == 1, f"{name}, {width} pixels: the board moves between {tops}")
            for tick in sorted({0, 1, *range(0, last, max(1, last // 40)), last}):
                run("jump(arguments[0])", tick)
                found = run(BOARD)
                checker.check(not found, f"{name}, {width} pixels, tick {tick}: {found}")
            wide = run("return document.documentElement.scrollWidth - window.innerWidth")
            checker.check(wide <= 0, f"{name}: {wide} pixels wider than a window of {width}")
            body = browser.find_element(By.TAG_NAME, "body")
            for key, tick in ((Keys.HOME, 0), (Keys.ARROW_RIGHT, 1), (Keys.PAGE_DOWN, min(11, last)), (Keys.END, last)):
                body.send_keys(key)
                shown = run("return [tick, Number(byId('slider').value), byId('tick').textContent]")
                checker.check(shown == [tick, tick, f"{tick:,}"], f"{name}: {key!r} leads to {shown}, not {tick}")
            run("jump(Math.floor(last / 3))")
            if keep:
                take_picture(browser, keep / f"{name}_{width}.png")
    set_media(browser, False, 1280)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", required=True)
    parser.add_argument("--configs", type=pathlib.Path, help="folder of example studies")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for studies, pages and pictures, made anew")
    arguments = parser.parse_args()
    browser = start_browser()
    if browser is None:
        return 77
    checker = Checker()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            folder = arguments.keep or pathlib.Path(temporary)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            ntune = os.path.abspath(arguments.ntune)
            names = make_reports(ntune, folder)
            studies = list(PAGES)
            if arguments.configs:
                examples = make_examples(ntune, folder, arguments.configs.resolve())
                names += examples
                studies += examples
            check_all(checker, browser, folder, names, ntune)
            if arguments.configs:
                check_replays(checker, browser, arguments.configs.resolve() / "gallery", arguments.keep)
            for path in make_figures(ntune, folder, studies):
                check_figure(checker, browser, path)
    finally:
        browser.quit()
    print(f"{checker.checks} checks, {len(checker.failures)} failed")
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
