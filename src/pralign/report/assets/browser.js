// The controls, the list of results and the pair that is open.

const field = (name) => document.getElementById(name);
let results = [];
const MOST_REPEATS = 12;

function fillChoices(name, choices) {
  field(name).append(...choices.map(([value, text]) => element("option", { value }, text)));
}

// What the button that clears goes back to.
function markDefault(name, value) {
  field(name).querySelector(`option[value="${value}"]`).defaultSelected = true;
  field(name).value = value;
}

function setUp() {
  fillChoices("system", data.systems.map((name, k) => [k, name]));
  fillChoices("kind", KINDS);
  fillChoices("order", ORDERS);
  markDefault("system", state.system);
  const colours = [["differences", `what changes from ${data.systems[0]}`, data.systems.length > 1], ["errors", "errors", data.gold]];
  fillChoices("colours", colours.filter(([, , offered]) => offered));
  field("colours-label").hidden = colours.filter(([, , offered]) => offered).length < 2;
  field("bound-label").textContent = data.gold ? "Error rate at least" : "Probability at most";
  field("bound").closest("label").hidden = !data.gold && !hasConfidence();
  field("system").closest("label").hidden = data.systems.length < 2;
  field("to-help").addEventListener("click", () => { field("help").open = true; });
  state.order = ORDERS[0][0];
  if (field("colours").options.length) markDefault("colours", state.colours);
  listen();
  refresh();
  openFromAddress();
}

function listen() {
  field("filters").addEventListener("input", readFilters);
  // Not every program that fills in forms for people tells of both.
  field("filters").addEventListener("change", (event) => event.target.matches("select") && readFilters());
  field("filters").addEventListener("submit", (event) => event.preventDefault());
  field("filters").addEventListener("reset", () => setTimeout(readFilters));
  field("earlier").addEventListener("click", () => turnPage(-1));
  field("later").addEventListener("click", () => turnPage(1));
  field("pair").addEventListener("keydown", onKey);
  for (const kind of ["mouseover", "focusin"]) field("pair").addEventListener(kind, (event) => light(wordAt(event.target) ?? resting()));
  for (const kind of ["mouseleave", "focusout"]) field("pair").addEventListener(kind, () => light(resting()));
  field("pair").addEventListener("click", (event) => pin(event.target.closest(".w")));
  window.addEventListener("hashchange", openFromAddress);
  document.addEventListener("click", (event) => event.target.closest('a[href^="#pair-"]') && setTimeout(openFromAddress));
  window.addEventListener("resize", letScroll);
  document.addEventListener("toggle", letScroll, true);
  field("theme").addEventListener("click", switchTheme);
  document.querySelectorAll(".save").forEach((button) => button.addEventListener("click", () => saveChart(button)));
}

function readFilters() {
  const number = (name) => (field(name).value === "" ? null : Number(field(name).value));
  const wanted = {
    query: field("query").value, system: Number(field("system").value), kind: field("kind").value, order: field("order").value,
    shortest: number("shortest"), longest: number("longest"), bound: number("bound"), rare: field("rare").checked,
  };
  // Other conditions start with their own first pair; other colours stay with the pair that is open.
  if (Object.entries(wanted).some(([name, value]) => state[name] !== value)) Object.assign(state, wanted, { page: 0, at: null });
  state.colours = field("colours").value || state.colours;
  refresh();
}

function refresh() {
  const found = chosenPairs();
  results = folded(found);
  const total = data.pairs.length.toLocaleString("en");
  field("count").textContent = found.length === data.pairs.length ? `${total} pairs` : `${found.length.toLocaleString("en")} of ${total} pairs`;
  field("different").textContent = found.length === results.length ? "" : `${results.length.toLocaleString("en")} different ones, each listed once.`;
  if (entryOf(state.at) < 0) state.at = results[0]?.[0].n ?? null;
  drawResults();
  drawPair();
}

// Where the pair with a number is listed.
function entryOf(number) {
  return results.findIndex((entry) => entry.some((pair) => pair.n === number));
}

function drawResults() {
  const first = state.page * PER_PAGE;
  field("list").replaceChildren(...results.slice(first, first + PER_PAGE).map(resultItem));
  const pages = Math.max(1, Math.ceil(results.length / PER_PAGE));
  field("page").textContent = `page ${state.page + 1} of ${pages}`;
  // Not "disabled", which would take the focus away from who has just used them.
  field("earlier").setAttribute("aria-disabled", state.page === 0);
  field("later").setAttribute("aria-disabled", state.page + 1 >= pages);
}

function resultItem(entry) {
  const [pair] = entry;
  const sentence = element("span", { class: "sentence", dir: "auto", ...writing(0) }, pair.s.join(" ") || "(empty)");
  const count = repeatsOf(pair).length;
  const times = count > 1 ? `, ${count} times` : "";
  const facts = element("span", { class: "facts" }, `${pair.n}: ${factsOf(pair, state.system)}${times}`);
  const isOpen = entry.some(({ n }) => n === state.at);
  const button = element("button", { type: "button", "aria-current": isOpen ? "true" : null }, sentence, facts);
  button.addEventListener("click", () => open(pair.n, true));
  return element("li", {}, button);
}

function factsOf(pair, system) {
  const links = pair.x[system][0].length;
  if (!data.gold) return pair.c[system] === null ? `${links} links` : `links ${pair.c[system]} % probable`;
  if (pair.u) return `${pair.u}, ${links} links`;
  if (!pair.g.length && !links) return "nothing to judge";
  const [error, wrong, missed] = pair.v[system];
  return wrong + missed ? `error rate ${Math.round(100 * error)} %, ${wrong} wrong, ${missed} missed` : "no errors";
}

function turnPage(by) {
  const pages = Math.ceil(results.length / PER_PAGE);
  state.page = Math.max(0, Math.min(pages - 1, state.page + by));
  drawResults();
}

// Show a pair; on a narrow screen, where it is below the list, also go there.
function open(number, go = false) {
  state.at = number;
  const at = entryOf(number);
  if (at >= 0) state.page = Math.floor(at / PER_PAGE);
  drawResults();
  drawPair();
  if (go) {
    history.replaceState(null, "", `#pair-${number}`);
    field("pair").focus({ preventScroll: true });
    if (field("pair").getBoundingClientRect().top > window.innerHeight * 0.7) field("pair").scrollIntoView();
  }
}

function openFromAddress() {
  const number = Number(/^#pair-(\d+)$/.exec(location.hash)?.[1]);
  if (!data.pairs.some((pair) => pair.n === number)) return;
  if (entryOf(number) < 0) field("filters").reset();
  setTimeout(() => {
    open(number);
    field("pair").scrollIntoView();
    field("pair").focus({ preventScroll: true });
  });
}

function step(by) {
  const at = entryOf(state.at) + by;
  if (at >= 0 && at < results.length) open(results[at][0].n, true);
}

function drawPair() {
  const pair = data.pairs.find((each) => each.n === state.at);
  if (!pair) {
    field("pair").replaceChildren(element("p", { class: "note" }, "No pair fits. Try fewer conditions."));
    return;
  }
  pair.gold ??= { sure: new Set(pair.g ?? []), possible: new Set(pair.p ?? []) };
  const at = entryOf(pair.n);
  const before = element("button", { type: "button", id: "before", "aria-label": "Previous pair", "aria-disabled": String(at <= 0) }, "Previous");
  const after = element("button", { type: "button", id: "after", "aria-label": "Next pair", "aria-disabled": String(at + 1 >= results.length) }, "Next");
  before.addEventListener("click", () => stepFrom("before", -1));
  after.addEventListener("click", () => stepFrom("after", 1));
  const title = element("h3", { id: "pair-title" }, `Pair ${pair.n}`, element("span", { class: "facts" }, ` ${at + 1} of ${results.length}`));
  const panels = panelsOf(pair).map((panel) => drawPanel(pair, panel));
  const reasons = pair.w ? [element("p", { class: "reasons" }, `Worth a look because of: ${pair.w.join(", ")}`)] : [];
  field("pair").replaceChildren(element("div", { class: "turn" }, title, before, after), ...sameWords(pair), ...reasons,
    drawLegend(pair.x.some(([, scores]) => scores) || Boolean(pair.m)), element("div", { class: "panels" }, ...panels));
  letScroll();
}

// The other pairs with the same words; whether their links are the same too is worth knowing.
function sameWords(pair) {
  const entry = repeatsOf(pair);
  if (entry.length < 2) return [];
  const links = JSON.stringify(pair.x);
  const others = entry.filter((other) => other !== pair);
  const shown = others.slice(0, MOST_REPEATS).flatMap((other, k) => [
    k ? ", " : "", element("a", { href: `#pair-${other.n}` }, String(other.n)), JSON.stringify(other.x) === links ? "" : " (other links)",
  ]);
  const more = others.length > MOST_REPEATS ? ` and ${others.length - MOST_REPEATS} more` : "";
  return [element("p", { class: "same" }, `These words are there ${entry.length} times; also in `, ...shown, more)];
}

// Only what really scrolls is a stop for the keyboard.
function letScroll() {
  document.querySelectorAll(".scroll, .grid").forEach((box) => {
    const scrolls = box.scrollWidth > box.clientWidth;
    if (scrolls) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
    box.classList.toggle("fits", !scrolls);
  });
}

// The button that was used is drawn anew, so it gets the focus back.
function stepFrom(name, by) {
  step(by);
  field(name)?.focus({ preventScroll: true });
}

function drawPanel(pair, panel) {
  panel.partners = partnersOf(pair, panel);
  const facts = panel.system === null ? "probability of each link" : factsOf(pair, panel.system);
  const section = element("section", { class: "panel", "aria-label": panel.title },
    element("h4", {}, panel.title), element("p", { class: "facts" }, facts),
    ...drawWords(pair, panel), drawGrid(pair, panel), drawList(pair, panel));
  section.partners = panel.partners;
  return section;
}

// Light a word and its partners in every panel; nothing goes dark but what was lit before.
function light(word) {
  field("pair").querySelectorAll(".lit, .partner").forEach((each) => each.classList.remove("lit", "partner"));
  if (!word) return;
  const { side, at } = word.dataset;
  const [k, other] = side === "s" ? [0, "t"] : [1, "s"];
  field("pair").querySelectorAll(".panel").forEach((panel) => {
    const mark = (where, position, kind) =>
      panel.querySelectorAll(`[data-side="${where}"][data-at="${position}"]`).forEach((each) => each.classList.add(kind));
    mark(side, at, "lit");
    (panel.partners[k].get(Number(at)) ?? []).forEach((position) => mark(other, position, "partner"));
  });
}

function wordAt(target) {
  return target?.closest?.("[data-side]");
}

function pinned() {
  return field("pair").querySelector('.w[aria-pressed="true"]');
}

// What is lit when nothing is pointed at: the word that is kept, or the one that has the focus.
function resting() {
  return pinned() ?? wordAt(document.activeElement);
}

function pin(word) {
  if (!word) return;
  const before = pinned();
  before?.setAttribute("aria-pressed", "false");
  if (word !== before) word.setAttribute("aria-pressed", "true");
  light(word);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "j" || key === "k") step(key === "j" ? 1 : -1);
  else if (!event.target.classList.contains("w") || !event.key.startsWith("Arrow") || !moveFrom(event.target, event.key)) return;
  event.preventDefault();
}

function moveFrom(word, key) {
  const row = word.parentElement, panel = word.closest(".panel");
  let next = null;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const forwards = (key === "ArrowRight") === (getComputedStyle(row).direction === "ltr");
    next = forwards ? word.nextElementSibling : word.previousElementSibling;
  } else {
    const [k, other] = word.dataset.side === "s" ? [0, "t"] : [1, "s"];
    const [partner] = panel.partners[k].get(Number(word.dataset.at)) ?? [];
    if ((key === "ArrowDown") === (k === 0) && partner !== undefined) next = panel.querySelector(`.w[data-side="${other}"][data-at="${partner}"]`);
  }
  if (!next) return false;
  next.parentElement.querySelectorAll('.w[tabindex="0"]').forEach((each) => each.setAttribute("tabindex", "-1"));
  next.setAttribute("tabindex", "0");
  next.focus();
  return true;
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function saveChart(button) {
  const chart = button.closest("figure").querySelector("svg").cloneNode(true);
  chart.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const file = new Blob([new XMLSerializer().serializeToString(chart)], { type: "image/svg+xml" });
  const link = element("a", { href: URL.createObjectURL(file), download: button.dataset.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
