// Follows a study that goes on: a bar and a line in the header, how far it is in the tab's title. The page is loaded again
// when the study has gone on, after ten looks or more, with all that a person has opened, chosen, sorted or half typed.
{
  const kept = "ntune " + location.host + location.search, name = document.title;
  const bar = Object.assign(document.createElement("progress"), {max: 1});
  const line = Object.assign(document.createElement("span"), {id: "live"});
  line.setAttribute("role", "status");
  const strip = document.createElement("p");
  strip.className = "live";
  strip.append(bar, " ", line);
  document.querySelector("header").append(strip);
  const sections = () => all("details"), fields = () => all("input, select"), tables = () => all("table.sortable");
  const plain = choice => ({cell: choice.cell, run: choice.run, low: choice.low, high: choice.high, box: choice.box,
    runs: choice.runs && Array.from(choice.runs), values: choice.values.map(set => set && Array.from(set))});
  const keep = () => {
    const at = fields().indexOf(document.activeElement), sorted = table => table.querySelector("th[aria-sort]");
    sessionStorage.setItem(kept, JSON.stringify({y: scrollY, open: sections().map(section => section.open), at,
      typed: at < 0 ? "" : document.activeElement.value, choices: choices.map(plain),
      sorts: tables().map(table => sorted(table) && [sorted(table).cellIndex, sorted(table).getAttribute("aria-sort")])}));
  };
  const restore = was => {
    sections().forEach((section, i) => { if (i in was.open) section.open = was.open[i]; });
    tables().forEach((table, i) => {
      const button = was.sorts[i] && table.tHead.rows[0].cells[was.sorts[i][0]].querySelector("button");
      if (!button) return;
      button.click();
      if (was.sorts[i][1] === "ascending") button.click();
    });
    choices.forEach((choice, i) => {
      const before = was.choices[i];
      if (!before || before.values.length !== choice.values.length) return;
      Object.assign(choice, before, {runs: before.runs && new Set(before.runs),
        values: before.values.map(list => list && new Set(list))});
      if (choice.active) choice.show();
    });
    const field = fields()[was.at];
    if (field) {
      field.focus({preventScroll: true});
      if (field.value !== was.typed) field.value = was.typed;
    }
    scrollTo(0, was.y);
  };
  const was = JSON.parse(sessionStorage.getItem(kept) || "null");
  sessionStorage.removeItem(kept);
  if (was) restore(was);
  let looks = 0;
  const look = async () => {
    try {
      const state = await (await fetch("state" + location.search)).json();
      line.textContent = state.line;
      bar.value = state.share;
      document.title = (state.share < 1 ? Math.floor(100 * state.share) + " % · " : "") + name;
      if (++looks >= 10 && state.version !== live.version) {
        keep();
        location.reload();
        return;
      }
    } catch (error) {
      line.textContent = "ntune watch has ended; this page stays as it is.";
    }
    setTimeout(look, live.interval);
  };
  look();
}
