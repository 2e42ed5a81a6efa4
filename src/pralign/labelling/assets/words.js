// The words of both sides. A pair too long for one line is cut into bands, each with a line of either side, so that words
// and their translations stay near each other.

const LONGEST_WORD = 40;
const GAP = 6;
const words = { source: [], target: [] };
const boxes = { source: [], target: [] };
const directions = { source: "ltr", target: "ltr" };

function findDirections(pair) {
  SIDES.forEach((side, k) => { directions[side] = directionOf(pair[side], server?.languages?.[k]); });
}

function drawWords(pair) {
  SIDES.forEach((side, k) => {
    const language = server?.languages?.[k] ?? null;
    const often = new Map();
    pair[side].forEach((word) => often.set(word, (often.get(word) ?? 0) + 1));
    words[side] = pair[side].map((word, at) => drawWord(side, word, at, language, often.get(word) > 1));
  });
  layOut(pair);
  SIDES.forEach((side) => words[side].forEach((_, at) => labelWord(pair, side, at)));
}

function drawWord(side, word, at, language, twice) {
  const shown = shortened(shownWord(word), LONGEST_WORD);
  return element("button", {
    type: "button", class: `w ${twice ? "twice" : ""}`, tabindex: at ? -1 : 0, dir: "auto", lang: language,
    "data-side": side, "data-word": at, "data-number": at + 1, "aria-pressed": "false", title: shown === word ? null : word,
  }, shown);
}

function layOut(pair) {
  const focused = document.activeElement;
  const bands = field("bands"), room = bands.clientWidth;
  bands.replaceChildren(bandOf(pair, words.source, words.target, true));
  bands.classList.add("measuring");
  const widths = SIDES.map((side) => words[side].map((word) => Math.min(room, word.offsetWidth + GAP)));
  bands.classList.remove("measuring");
  const rows = rowsFor(widths, room);
  const cut = widths.map((each) => rowsOf(each, rows));
  bands.replaceChildren(...Array.from({ length: rows }, (_, row) => {
    const [source, target] = SIDES.map((side, k) => words[side].filter((_, at) => cut[k][at] === row));
    return bandOf(pair, source, target, row === 0);
  }));
  if (focused?.classList.contains("w")) focused.focus({ preventScroll: true });
  measure();
}

function bandOf(pair, source, target, first) {
  const lines = [source, target].map((each, k) => {
    const side = SIDES[k];
    const empty = first && !pair[side].length ? [element("span", { class: "quiet" }, "(no words)")] : [];
    const name = server?.languages?.[k] ?? side;
    return element("div", { class: `line ${side}`, role: "group", "aria-label": `${side} words`, dir: directions[side], "data-name": first ? name : "" }, ...each, ...empty);
  });
  return element("div", { class: "band" }, ...lines);
}

function rowsFor(widths, room) {
  const most = Math.max(1, ...widths.map((each) => each.length));
  let rows = Math.max(1, ...widths.map((each) => Math.ceil(each.reduce((a, b) => a + b, 0) / room)));
  while (rows < most && widths.some((each) => widest(each, rows) > room)) rows++;
  return rows;
}

// Each row gets the same share of either side.
function rowsOf(widths, rows) {
  const whole = widths.reduce((a, b) => a + b, 0);
  let before = 0;
  return widths.map((width) => {
    const middle = before + width / 2;
    before += width;
    return Math.min(rows - 1, Math.floor((rows * middle) / whole));
  });
}

function widest(widths, rows) {
  const sums = new Array(rows).fill(0);
  rowsOf(widths, rows).forEach((row, at) => { sums[row] += widths[at]; });
  return Math.max(...sums);
}

// Where the words are; read once, so that drawing a line does not have to ask.
function measure() {
  const board = field("board").getBoundingClientRect();
  for (const side of SIDES) {
    boxes[side] = words[side].map((word) => {
      const box = word.getBoundingClientRect();
      return { x: box.left - board.left + box.width / 2, top: box.top - board.top, bottom: box.bottom - board.top };
    });
  }
  boxes.width = board.width;
  boxes.height = board.height;
}

function partnersOf(pair, side, at) {
  const found = [];
  const other = otherSide(side);
  for (let k = 0; k < pair[other].length; k++) {
    const cell = side === "source" ? cellOf(pair, at, k) : cellOf(pair, k, at);
    const kind = kindAt(pair, cell, least);
    if (kind !== "none" && kind !== "refused") found.push([k, kind, cell]);
  }
  return found;
}

function labelWord(pair, side, at) {
  const word = words[side][at], other = pair[otherSide(side)];
  const partners = partnersOf(pair, side, at);
  const links = partners.filter(([, kind]) => kind !== "proposal");
  word.classList.toggle("linked", links.length > 0);
  const names = partners.map(([k, kind]) => `${kind === "sure" ? "" : `${kind} `}${shownWord(other[k])} ${k + 1}`);
  word.setAttribute("aria-label", `${shownWord(pair[side][at])}, ${side} word ${at + 1} of ${pair[side].length}, ${names.length ? `linked to: ${names.join(", ")}` : "no link"}`);
}
