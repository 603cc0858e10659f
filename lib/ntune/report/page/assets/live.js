// Follows a study that goes on: a bar and a line in the header, how far it is in the tab's title. When the study has gone on,
// the parts of the page are replaced, with all that a person has opened, chosen, sorted or half typed.
{
  const name = document.title;
  const bar = Object.assign(document.createElement("progress"), {max: 1});
  const line = Object.assign(document.createElement("span"), {id: "live"});
  line.setAttribute("role", "status");
  const strip = document.createElement("p");
  strip.className = "live";
  const bell = Object.assign(document.createElement("button"), {type: "button", textContent: "Tell me when it ends", hidden: true});
  const mayAsk = () => "Notification" in window && Notification.permission === "default";
  bell.addEventListener("click", async () => { await Notification.requestPermission(); bell.hidden = !mayAsk(); });
  const test = document.createElement("span");  // where the test of ntune verify stands that goes on
  const workers = Object.assign(document.createElement("span"), {className: "workers"});
  strip.append(bar, " ", line, " ", test, " ", bell, workers);
  const part = selector => document.querySelector(selector);
  part("header").append(strip);
  const fields = () => all("input, select"), tables = () => all("table.sortable");
  // Parts that fold, by the section that they stand in: sections may appear.
  const folds = () => {
    const named = new Map();
    for (const fold of all("details")) {
      const within = fold.id || fold.closest("[id]").id + "/";
      let key = within, n = 1;
      while (named.has(key)) key = within + ++n;
      named.set(key, fold);
    }
    return named;
  };
  const plain = choice => ({cell: choice.cell, run: choice.run, low: choice.low, high: choice.high, box: choice.box,
    runs: choice.runs, values: choice.values});
  const keep = () => {
    const field = document.activeElement, at = fields().indexOf(field);
    const sorted = table => table.querySelector("th[aria-sort]");
    return {y: scrollY, at, typed: at < 0 ? "" : field.value, cursor: field.type === "search" ? field.selectionStart : null,
      open: new Map(Array.from(folds(), ([key, fold]) => [key, fold.open])), choices: choices.map(plain),
      scrolled: all(".calls .box").map(box => box.scrollTop),
      sorts: tables().map(table => sorted(table) && [sorted(table).cellIndex, sorted(table).getAttribute("aria-sort")])};
  };
  const restore = was => {
    for (const [key, fold] of folds()) if (was.open.has(key)) fold.open = was.open.get(key);
    tables().forEach((table, i) => {
      const cell = was.sorts[i] && table.tHead.rows[0].cells[was.sorts[i][0]];
      const button = cell && cell.querySelector("button");
      if (!button) return;
      button.click();
      if (was.sorts[i][1] === "ascending") button.click();
    });
    choices.forEach((choice, i) => {
      const before = was.choices[i];
      if (!before || before.values.length !== choice.values.length) return;
      Object.assign(choice, before);
      if (choice.active) choice.show();
    });
    const field = fields()[was.at];
    if (field) {
      field.focus({preventScroll: true});
      if (field.value !== was.typed) field.value = was.typed;
      if (was.cursor !== null && field.type === "search") field.setSelectionRange(was.cursor, was.cursor);
    }
    scrollTo(0, was.y);
    // A table of calls lays itself out before the next picture.
    requestAnimationFrame(() => all(".calls .box").forEach((box, i) => { box.scrollTop = was.scrolled[i] || 0; }));
  };
  let held = false;  // a button of the mouse, as when a part of a figure is chosen
  document.addEventListener("pointerdown", () => { held = true; }, true);
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, () => { held = false; }, true);
  let version = live.version, wanted = version, due = 0, busy = false, running = false;
  // A notice by the browser at the end, or when the study has stopped, where that is allowed.
  const note = text => {
    const runs = /^(running|silent)/.test(text);
    if (running && !runs && "Notification" in window && Notification.permission === "granted") new Notification(name, {body: text});
    running = runs;
    bell.hidden = !runs || !mayAsk();
  };
  const patch = async () => {
    const begin = performance.now(), now = wanted;
    const text = await (await fetch(location.pathname + location.search)).text();
    // Making the page may take long: at most a fifth of the time goes into that.
    due = performance.now() + 4 * (performance.now() - begin);
    if (held) return;
    const next = new DOMParser().parseFromString(text, "text/html"), was = keep();
    version = now;
    for (const selector of ["main", "nav"]) part(selector).replaceWith(document.adoptNode(next.querySelector(selector)));
    part("header").replaceChildren(...document.adoptNode(next.querySelector("header")).childNodes, strip);
    tip.hidden = true;
    startPage();
    restore(was);
  };
  // One patch after the other, until the page is that of the last news.
  const catchUp = async () => {
    if (busy) return;
    busy = true;
    try {
      while (version !== wanted) {
        await new Promise(go => setTimeout(go, Math.max(held ? 200 : 0, due - performance.now())));
        if (!held) await patch();
      }
    } catch (error) {
      // The server has ended; the next news begins again.
    }
    busy = false;
  };
  const take = state => {
    line.textContent = state.line;
    workers.textContent = state.workers;
    if (test.innerHTML !== state.test) test.innerHTML = state.test;
    bar.value = state.share;
    note(state.line);
    document.title = (state.share < 1 ? Math.floor(100 * state.share) + " % · " : "") + name;
    wanted = state.version;
    catchUp();
  };
  follow(take, text => { line.textContent = text; });
}
