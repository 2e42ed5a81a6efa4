// Looking up words: a dictionary of the links, and the places of a word with its translations.

const PLACES = 10;
const ROWS = 20;
const TRANSLATIONS = 12;
const CONTEXT = 8;
const SIDES = ["source", "target"];

const lookup = { order: "count", page: 0, chosen: null, most: PLACES, allTranslations: false };

const WORD_ORDERS = [
  ["count", "most often first", (a, b) => b[2] - a[2]],
  ["sure", "surest both ways first", (a, b) => b[3] * b[4] - a[3] * a[4] || b[2] - a[2]],
  ["forward", "by share of the source word", (a, b) => b[3] - a[3] || b[2] - a[2]],
  ["reverse", "by share of the target word", (a, b) => b[4] - a[4] || b[2] - a[2]],
  ["source", "by source word", (a, b) => byName(data.dictionary.s, a[0], b[0]) || b[2] - a[2]],
  ["target", "by target word", (a, b) => byName(data.dictionary.t, a[1], b[1]) || b[2] - a[2]],
];

const inOrder = new Intl.Collator();

function byName(words, one, other) {
  return one === other ? 0 : inOrder.compare(words[one], words[other]);
}

function setUpWords() {
  fillChoices("word-system", data.systems.map((name, k) => [k, name]));
  markDefault("word-system", data.best);
  field("word-system").closest("label").hidden = data.systems.length < 2;
  fillChoices("word-order", WORD_ORDERS);
  field("lookup").addEventListener("submit", (event) => event.preventDefault());
  field("lookup").addEventListener("input", () => lookUp());
  // Not of the word, or a click right after writing would find that everything has been drawn anew.
  field("lookup").addEventListener("change", (event) => event.target.matches("select") && lookUp());
  lookUp();
}

// What is written in the field. Words end at spaces and tabs; other white space, a no-break space say, is part of them.
function typedWord() {
  return field("word").value.replace(/^[ \t]+|[ \t]+$/g, "");
}

// Show what there is of what is written in the field.
function lookUp(chosen = null) {
  Object.assign(lookup, { page: 0, chosen, most: PLACES, allTranslations: false });
  drawDictionary();
  drawConcordance();
}

// Show what there is of a word that was chosen, or of one translation of it. What was used is drawn anew or gone, so the
// focus goes to what came of it; so it does wherever something is drawn below.
function goTo(word, k, chosen = null) {
  field("word").value = word;
  lookUp(chosen);
  const [first, ...others] = field("concordance").querySelectorAll('[tabindex="-1"]');
  (others.find((title) => title.dataset.of === String(k)) ?? first).focus();
}

function plainButton(text, title, onClick, attributes = {}) {
  const button = element("button", { type: "button", class: "plain", title, ...attributes }, text);
  button.addEventListener("click", onClick);
  return button;
}

function shareText(part, whole) {
  return whole ? `${(100 * part / whole).toFixed(1)} %` : "\u2013";
}

// The dictionary

function chosenEntries() {
  const { s, t, x } = data.dictionary;
  const wanted = caseless(typedWord());
  const least = Number(field("word-least").value) || 1;
  const [, , compare] = WORD_ORDERS.find(([name]) => name === field("word-order").value) ?? WORD_ORDERS[0];
  const isWanted = (entry) => !wanted || caseless(s[entry[0]]).includes(wanted) || caseless(t[entry[1]]).includes(wanted);
  const isExact = (entry) => Number(caseless(s[entry[0]]) === wanted || caseless(t[entry[1]]) === wanted);
  const found = x[Number(field("word-system").value)].filter((entry) => entry[2] >= least && isWanted(entry));
  return found.sort((a, b) => isExact(b) - isExact(a) || compare(a, b));
}

function drawDictionary() {
  const entries = chosenEntries();
  const system = Number(field("word-system").value);
  const titles = ["source word", "target word", "linked", "of the source word", "of the target word"];
  const head = element("tr", {}, ...titles.map((title, k) => element("th", { scope: "col", class: k > 1 ? "number" : null }, title)));
  const rows = entries.slice(lookup.page * ROWS, (lookup.page + 1) * ROWS).map(dictionaryRow);
  const body = rows.length ? rows : [element("tr", {}, element("td", { colspan: titles.length }, "none"))];
  const table = element("table", { id: "entries" }, element("caption", {}, "Dictionary"), element("thead", {}, head), element("tbody", {}, ...body));
  const left = data.dictionary.o[system];
  const note = `${entries.length.toLocaleString("en")} word ${entries.length === 1 ? "pair" : "pairs"} that ${data.systems[system]} links.`
    + (left ? ` ${left.toLocaleString("en")} more, linked least often or very long, do not fit onto this page.` : "");
  field("dictionary").replaceChildren(element("h3", {}, "Dictionary"), element("p", { class: "note" }, note),
    element("div", { class: "scroll", role: "group", "aria-label": "Dictionary" }, table), ...dictionaryPager(entries.length));
  letScroll();
}

function dictionaryRow([source, target, count, forward, reverse]) {
  const words = [data.dictionary.s[source], data.dictionary.t[target]];
  const cells = words.map((word, k) => element("td", { class: "word", ...writing(k) },
    plainButton(word, `Look up ${word}`, () => goTo(word, k, { side: k, other: caseless(words[1 - k]), system: Number(field("word-system").value) }))));
  const numbers = [count.toLocaleString("en"), ...[forward, reverse].map((share) => `${(share / 10).toFixed(1)} %`)];
  return element("tr", {}, ...cells, ...numbers.map((text) => element("td", { class: "number" }, text)));
}

function dictionaryPager(total) {
  const pages = Math.ceil(total / ROWS);
  if (pages < 2) return [];
  const turn = (by, name) => {
    const button = element("button", { type: "button", "aria-disabled": String(lookup.page + by < 0 || lookup.page + by >= pages) }, name);
    button.addEventListener("click", () => {
      lookup.page = Math.max(0, Math.min(pages - 1, lookup.page + by));
      drawDictionary();
      [...field("dictionary").querySelectorAll(".pager button")].find((each) => each.textContent === name).focus({ preventScroll: true });
    });
    return button;
  };
  const where = element("span", {}, `page ${lookup.page + 1} of ${pages}`);
  return [element("div", { class: "pager" }, turn(-1, "Earlier"), where, turn(1, "Later"))];
}

// The concordance

// Every place of a word on one side: the pair, the position, and for each system the positions of its translations.
function placesOf(wanted, k) {
  const found = [];
  for (const pair of data.pairs) {
    pair.keys ??= [pair.s.map(caseless), pair.t.map(caseless)];
    pair.keys[k].forEach((word, at) => {
      if (word === wanted) found.push({ pair, at, partners: pair.x.map(([cells]) => partnersAt(pair, cells, k, at)) });
    });
  }
  return found;
}

function partnersAt(pair, cells, k, at) {
  return cells.map((cell) => placeOf(pair, cell)).filter((place) => place[k] === at).map((place) => place[1 - k]);
}

// How often each system translates the word by each word of the other side; the empty word stands for no link.
function translationsOf(places, k) {
  const counts = new Map();
  for (const { pair, partners } of places) {
    partners.forEach((positions, system) => {
      for (const other of positions.length ? positions.map((position) => pair.keys[1 - k][position]) : [""]) {
        if (!counts.has(other)) counts.set(other, data.systems.map(() => 0));
        counts.get(other)[system] += 1;
      }
    });
  }
  const total = (row) => row.reduce((sum, count) => sum + count, 0);
  return [...counts].sort(([one, a], [other, b]) => total(b) - total(a) || inOrder.compare(one, other));
}

function drawConcordance() {
  const query = typedWord(), wanted = caseless(query);
  const places = wanted ? [0, 1].map((k) => placesOf(wanted, k)) : [[], []];
  const blocks = [0, 1].flatMap((k) => sideBlock(places[k], k));
  if (!wanted) blocks.push(element("p", { class: "note" }, "Type a word, or choose one in the dictionary: here you will see how it is translated, and where."));
  else if (!blocks.length) blocks.push(element("p", { class: "note", tabindex: -1 }, `No pair on this page has the word \u201c${query}\u201d on its own; the dictionary lists words that have it in them.`));
  field("concordance").replaceChildren(...blocks);
  tellPlaces(query, places);
  letScroll();
}

// For those who have the page read out: one line, not all that has been drawn.
function tellPlaces(query, places) {
  const sides = [0, 1].filter((k) => places[k].length).map((k) => `${timesText(places[k].length)} as a ${SIDES[k]} word`);
  const told = query ? `${query}: ${sides.join(", ") || "nowhere on this page"}` : "";
  if (field("found").textContent !== told) field("found").textContent = told;
}

function timesText(count) {
  return count === 1 ? "once" : `${count.toLocaleString("en")} times`;
}

function sideBlock(places, k) {
  if (!places.length) return [];
  const word = element("bdi", writing(k), typedWord());
  const title = element("h3", { tabindex: -1, "data-of": k }, word, ` as a ${SIDES[k]} word: ${timesText(places.length)}`);
  return [title, translationTable(translationsOf(places, k), k), ...drawPlaces(places, k)];
}

function translationTable(rows, k) {
  const shown = lookup.allTranslations ? rows : rows.slice(0, TRANSLATIONS);
  const totals = data.systems.map((_, system) => rows.reduce((sum, [, counts]) => sum + counts[system], 0));
  const systems = data.systems.flatMap((name) => [element("th", { scope: "col", class: "number" }, name), element("th", { scope: "col", class: "number" }, "share")]);
  const head = element("tr", {}, element("th", { scope: "col" }, `${SIDES[1 - k]} word`), ...systems);
  const body = shown.map(([other, counts]) => element("tr", {}, translationName(other, k),
    ...counts.flatMap((count, system) => [countCell(count, other, system, k), element("td", { class: "number" }, shareText(count, totals[system]))])));
  const table = element("table", { class: "translations", "data-of": k }, element("caption", {}, "Translations"), element("thead", {}, head), element("tbody", {}, ...body));
  const scroller = element("div", { class: "scroll", role: "group", "aria-label": "Translations" }, table);
  if (shown.length === rows.length) return scroller;
  return element("div", {}, scroller, plainButton(`all ${rows.length.toLocaleString("en")} translations`, "Show all", () => {
    lookup.allTranslations = true;
    drawConcordance();
    focusOn(`.translations[data-of="${k}"] tbody tr:nth-child(${shown.length + 1}) .plain`);
  }));
}

function translationName(other, k) {
  if (!other) return element("td", {}, "(no link)");
  return element("td", { class: "word", ...writing(1 - k) }, plainButton(other, `Look up ${other}`, () => goTo(other, 1 - k)));
}

function countCell(count, other, system, k) {
  if (!count) return element("td", { class: "number" }, "0");
  const isChosen = lookup.chosen?.side === k && lookup.chosen.other === other && lookup.chosen.system === system;
  const choose = () => {
    Object.assign(lookup, { chosen: isChosen ? null : { side: k, other, system }, most: PLACES });
    drawConcordance();
    focusOn(`[data-count="${CSS.escape(name)}"]`);
  };
  const name = `${k} ${system} ${other}`, text = count.toLocaleString("en");
  const label = `${text}: ${other || "no link"}, ${data.systems[system]}`;
  return element("td", { class: "number" }, plainButton(text, `Show where ${data.systems[system]} has this`, choose,
    { "aria-pressed": String(isChosen), "aria-label": label, "data-count": name }));
}

function focusOn(selector) {
  field("concordance").querySelector(selector)?.focus({ preventScroll: true });
}

function isChosenPlace({ pair, partners }, k) {
  const { side, other, system } = lookup.chosen ?? {};
  if (side !== k) return true;
  const positions = partners[system];
  return other ? positions.some((position) => pair.keys[1 - k][position] === other) : !positions.length;
}

// The places as lines; those with the same words and links are one line.
function drawPlaces(places, k) {
  const lines = new Map();
  for (const place of places.filter((each) => isChosenPlace(each, k))) {
    const key = `${place.at} ${JSON.stringify(place.partners)} ${place.pair.words}`;
    if (lines.has(key)) lines.get(key).push(place);
    else lines.set(key, [place]);
  }
  const all = [...lines.values()];
  const list = element("ol", { class: "places", "data-of": k }, ...all.slice(0, lookup.most).map((same) => placeItem(same, k)));
  if (all.length <= lookup.most) return [list];
  return [list, plainButton(`${(all.length - lookup.most).toLocaleString("en")} more places`, "Show more places", () => {
    const next = lookup.most + 1;
    lookup.most += 5 * PLACES;
    drawConcordance();
    focusOn(`.places[data-of="${k}"] li:nth-child(${next}) a`);
  })];
}

function placeItem(same, k) {
  const [{ pair, at, partners }] = same;
  const system = lookup.chosen?.side === k ? lookup.chosen.system : Number(field("word-system").value);
  const marked = [new Set(), new Set()];
  marked[k].add(at);
  partners[system].forEach((position) => marked[1 - k].add(position));
  const times = same.length > 1 ? `, ${same.length} times` : "";
  const lines = [0, 1].map((side) => element("p", { dir: "auto", ...writing(side) },
    ...inContext(side ? pair.t : pair.s, marked[side], side === k ? "" : "partner")));
  return element("li", {}, element("span", { class: "facts" }, element("a", { href: `#pair-${pair.n}` }, `pair ${pair.n}`), times), ...lines);
}

// The words around those that are marked; what is left out is shown as dots.
function inContext(words, marked, kind) {
  const near = (at) => !marked.size ? at < 2 * CONTEXT : [...marked].some((position) => Math.abs(position - at) <= CONTEXT);
  const parts = [];
  let skipped = false;
  words.forEach((word, at) => {
    if (!near(at)) {
      if (!skipped) parts.push("\u2026 ");
      skipped = true;
      return;
    }
    skipped = false;
    parts.push(marked.has(at) ? element("mark", { class: kind }, word) : word, " ");
  });
  return parts;
}

setUp();
setUpWords();
