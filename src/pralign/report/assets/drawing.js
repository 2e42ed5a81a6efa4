// A pair as linked text, as a grid and as a list. Words reach the page as text only.

const CELL = 19;
const LARGEST_GRID = 150;
const LONGEST_LABEL = 18;
const LIKELY = 25;
const LARGEST_CIRCLE = 7;
const SMALLEST_WITH_SIGN = 4;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function shape(tag, attributes = {}, text = null) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}

// What one panel shows: the links of a system, or what one direction of the model says.
function panelsOf(pair) {
  const base = linkMap(pair.x[0]);
  const panels = shownSystems().map((k) => (
    { title: data.systems[k], links: linkMap(pair.x[k]), base: k ? base : null, system: k }
  ));
  if (pair.m) {
    const titles = [`${data.model}, source to target`, `${data.model}, target to source`];
    titles.forEach((title, k) => panels.push({ title, links: linkMap(pair.m[k]), base: null, system: null }));
  }
  return panels;
}

// All systems side by side or, where there are too many, the first one and the one that is judged.
function shownSystems() {
  const all = data.systems.map((_, k) => k);
  return all.length <= data.most ? all : all.filter((k) => k === 0 || k === state.system);
}

function linkMap([cells, scores]) {
  return new Map(cells.map((cell, k) => [cell, scores ? scores[k] : null]));
}

// How a cell is to be drawn, and what is said of it.
function judge(pair, panel, cell) {
  const linked = panel.links.has(cell), inBase = panel.base?.has(cell) ?? false;
  const sure = pair.gold.sure.has(cell), possible = pair.gold.possible.has(cell);
  const said = [];
  if (data.gold && !pair.u && panel.system !== null) {
    if (linked) said.push(sure || possible ? "right" : "wrong");
    else if (sure) said.push("missed");
  }
  if (panel.base && linked !== inBase) said.push(linked ? "gained" : "lost");
  const style = state.colours === "differences" ? said.find((word) => word === "gained" || word === "lost")
    : said.find((word) => word === "wrong" || word === "missed");
  return { linked, sure, possible, said, style: style ?? "" };
}

// All cells that are worth a mark in a panel: links, links lost, and links missed.
function markedCells(pair, panel) {
  const cells = new Set(panel.links.keys());
  if (panel.system !== null) {
    panel.base?.forEach((_, cell) => cells.add(cell));
    pair.gold.sure.forEach((cell) => cells.add(cell));
  }
  return [...cells].sort((a, b) => a - b);
}

function percentText(score) {
  return score === null ? "" : `${score} %`;
}

function describe(pair, panel, cell) {
  const [i, j] = placeOf(pair, cell);
  const score = panel.links.get(cell) ?? null;
  const parts = [`${pair.s[i]} \u2013 ${pair.t[j]}`, percentText(score), ...judge(pair, panel, cell).said];
  return parts.filter(Boolean).join(", ");
}

function placeOf(pair, cell) {
  return [Math.floor(cell / pair.t.length), cell % pair.t.length];
}

// The language and the script of a side.
function writing(k) {
  return { lang: data.languages?.[k] ?? `und-${data.scripts[k]}`, "data-script": data.scripts[k] };
}

// Scripts without italics are never slanted, nor are words of theirs among others.
const SLANTED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]+$/u;

function isSlanted(word, k) {
  return data.slants[k] && SLANTED.test(word);
}

function drawWords(pair, panel) {
  return ["s", "t"].map((side, k) => {
    const name = k ? "target words" : "source words";
    const row = element("div", { class: "words", dir: "auto", role: "group", "aria-label": name, ...writing(k) });
    if (!pair[side].length) row.append(element("span", { class: "facts" }, "(no words)"));
    pair[side].forEach((word, at) => {
      const others = panel.partners[k].get(at) ?? [];
      const names = others.map((other) => pair[k ? "s" : "t"][other]).join(", ");
      const kinds = ["w", others.length ? "" : "alone", pair.r[k].includes(at) ? "rare" : "", isSlanted(word, k) ? "slanted" : ""].filter(Boolean).join(" ");
      const rare = pair.r[k].includes(at) ? ", rare" : "";
      const label = `${word}: ${others.length ? `linked to ${names}` : "no link"}${rare}`;
      row.append(element("button", {
        type: "button", class: kinds, tabindex: at ? -1 : 0, "data-side": side, "data-at": at, "aria-pressed": "false", "aria-label": label,
      }, word), " ");
    });
    return row;
  });
}

// For each side, from the position of a word to those of its partners. A model gives every pair of words a chance, so
// of what it says only the likelier part counts.
function partnersOf(pair, panel) {
  const sides = [new Map(), new Map()];
  for (const [cell, score] of panel.links) {
    if (panel.system === null && score < LIKELY) continue;
    const place = placeOf(pair, cell);
    for (const k of [0, 1]) sides[k].set(place[k], [...(sides[k].get(place[k]) ?? []), place[1 - k]]);
  }
  return sides;
}

const segmenter = new Intl.Segmenter();

function shortened(word) {
  const letters = [...segmenter.segment(word)].map((each) => each.segment);
  return letters.length > LONGEST_LABEL ? `${letters.slice(0, LONGEST_LABEL - 1).join("")}\u2026` : word;
}

const pen = document.createElement("canvas").getContext("2d");

function labelWidth(words) {
  pen.font = `700 13px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(30, ...words.map((word) => pen.measureText(shortened(word)).width)) + 8;
}

function drawGrid(pair, panel) {
  const [rows, columns] = [pair.s.length, pair.t.length];
  if (!rows || !columns) return element("p", { class: "facts" }, "A side is empty, so there is nothing to link.");
  if (Math.max(rows, columns) > LARGEST_GRID) {
    return element("p", { class: "facts" }, "This pair is too long to be drawn as a grid.");
  }
  const left = labelWidth(pair.s), slant = labelWidth(pair.t);
  const top = slant * 0.87 + 10, right = slant * 0.5 + 10;
  const width = left + columns * CELL + right, height = top + rows * CELL + 4;
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.style.minWidth = `${Math.round(0.72 * width)}px`; // where there is less room, the grid scrolls
  svg.append(shape("title", {}, `${panel.title}: ${panel.links.size} links between ${rows} source and ${columns} target words`));
  drawFrame(svg, pair, left, top);
  drawSquares(svg, pair, panel, left, top);
  drawCircles(svg, pair, panel, left, top);
  return element("div", { class: "grid", role: "group", "aria-label": `Grid of ${panel.title}` }, svg);
}

function drawFrame(svg, pair, left, top) {
  const right = left + pair.t.length * CELL, bottom = top + pair.s.length * CELL;
  for (let i = 0; i <= pair.s.length; i++) svg.append(shape("line", { x1: left, y1: top + i * CELL, x2: right, y2: top + i * CELL, class: "line" }));
  for (let j = 0; j <= pair.t.length; j++) svg.append(shape("line", { x1: left + j * CELL, y1: top, x2: left + j * CELL, y2: bottom, class: "line" }));
  pair.s.forEach((word, i) => {
    svg.append(shape("text", { x: left - 6, y: top + (i + 0.72) * CELL, "text-anchor": "end", direction: "ltr", "data-side": "s", "data-at": i }, shortened(word)));
  });
  pair.t.forEach((word, j) => {
    const x = left + (j + 0.62) * CELL, y = top - 5;
    svg.append(shape("text", { x, y, transform: `rotate(-60 ${x} ${y})`, direction: "ltr", "data-side": "t", "data-at": j }, shortened(word)));
  });
}

function drawSquares(svg, pair, panel, left, top) {
  const draw = (cell, kind, inset) => {
    const [i, j] = placeOf(pair, cell);
    const size = CELL - 2 * inset;
    svg.append(shape("rect", { x: left + j * CELL + inset, y: top + i * CELL + inset, width: size, height: size, class: kind }));
  };
  pair.gold.possible.forEach((cell) => draw(cell, "possible", 1.5));
  pair.gold.sure.forEach((cell) => draw(cell, judge(pair, panel, cell).style === "missed" ? "sure missed" : "sure", 1.8));
}

function drawCircles(svg, pair, panel, left, top) {
  for (const cell of markedCells(pair, panel)) {
    const { linked, style } = judge(pair, panel, cell);
    if (!linked && style !== "lost") continue;
    const score = (linked ? panel.links : panel.base).get(cell) ?? 100;
    const [i, j] = placeOf(pair, cell);
    const [x, y] = [left + (j + 0.5) * CELL, top + (i + 0.5) * CELL];
    const group = shape("g");
    group.append(shape("title", {}, describe(pair, panel, cell)), ...drawLink(x, y, score, style));
    svg.append(group);
  }
}

// A circle whose area is the probability. In one that is large enough the sign is cut out; a smaller one stands on it.
function drawLink(x, y, score, style) {
  const radius = Math.max(1.5, LARGEST_CIRCLE * Math.sqrt(score / 100));
  const around = radius < SMALLEST_WITH_SIGN && style !== "lost" ? "around" : "";
  const lines = signs(style).map((ends) => {
    const [dx1, dy1, dx2, dy2] = ends.map((end) => (around ? 1.7 * end : end));
    return shape("line", { x1: x + dx1, y1: y + dy1, x2: x + dx2, y2: y + dy2, class: `sign ${style} ${around}` });
  });
  return [shape("circle", { cx: x, cy: y, r: radius.toFixed(2), class: `link ${style}` }), ...lines];
}

// Colour is never the only sign: a plus for what was gained, a minus for what was lost, a cross for what is wrong.
function signs(style) {
  if (style === "gained") return [[-3, 0, 3, 0], [0, -3, 0, 3]];
  if (style === "lost") return [[-3, 0, 3, 0]];
  if (style === "wrong") return [[-2.6, -2.6, 2.6, 2.6], [-2.6, 2.6, 2.6, -2.6]];
  return [];
}

function drawLegend(hasScores) {
  const entries = [];
  const icon = (...parts) => {
    const svg = shape("svg", { width: 20, height: 20, viewBox: "0 0 20 20", "aria-hidden": "true" });
    svg.append(...parts);
    return svg;
  };
  const circle = (style) => drawLink(10, 10, 100, style);
  const square = (kind) => shape("rect", { x: 2, y: 2, width: 16, height: 16, class: kind });
  if (data.gold) entries.push([icon(square("sure")), "sure in the gold"], [icon(square("possible")), "possible in the gold"]);
  entries.push([icon(...circle("")), hasScores ? "link; the larger, the more probable" : "link"]);
  if (state.colours === "differences" && data.systems.length > 1) {
    entries.push([icon(...circle("gained")), `gained, compared with ${data.systems[0]}`], [icon(...circle("lost")), "lost"]);
  } else if (data.gold) {
    entries.push([icon(...circle("wrong")), "wrong link"], [icon(square("sure missed")), "missed link"]);
  }
  return element("ul", { class: "legend", "aria-label": "Signs in the grids" }, ...entries.map(([sign, text]) => element("li", {}, sign, text)));
}

function drawList(pair, panel) {
  const body = element("tbody");
  for (const cell of markedCells(pair, panel)) {
    const { linked, said } = judge(pair, panel, cell);
    if (!linked && !said.length) continue;
    const [i, j] = placeOf(pair, cell);
    const texts = [pair.s[i], pair.t[j], percentText(panel.links.get(cell) ?? null), said.join(", ") || "linked"];
    body.append(element("tr", {}, ...texts.map((text) => element("td", {}, element("bdi", {}, text)))));
  }
  const titles = ["source word", "target word", "probability", "verdict"];
  const head = element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title))));
  return element("details", { class: "listing" }, element("summary", {}, "The links as a list"),
    element("div", { class: "scroll", role: "group", "aria-label": `Links of ${panel.title}` }, element("table", {}, head, body)));
}
