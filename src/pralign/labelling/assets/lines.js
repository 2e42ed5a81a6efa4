// Links as lines between words.

// Where along a line the letters of its annotators may stand: in its middle if that is free.
const PLACES = [.5, .36, .64, .24, .76];
const lineOf = new Map();
const labelOf = new Map();

function drawLines(pair) {
  lineOf.clear();
  labelOf.clear();
  const svg = field("lines");
  svg.setAttribute("width", boxes.width);
  svg.setAttribute("height", boxes.height);
  svg.replaceChildren();
  const cells = new Set([...pair.marks.keys(), ...pair.proposals.keys()]);
  cells.forEach((cell) => drawLine(pair, cell));
}

function drawLine(pair, cell) {
  const kind = kindAt(pair, cell, least);
  lineOf.get(cell)?.remove();
  lineOf.delete(cell);
  labelOf.delete(cell);
  if (kind === "none" || kind === "refused") return;
  const [i, j] = placeOf(pair, cell);
  const from = boxes.source[i], to = boxes.target[j];
  if (!from || !to) return;
  const { path, at } = curve(from, to);
  const proposal = kind === "proposal" ? pair.proposals.get(cell) : null;
  const group = shape("g", { class: "link", "data-line": `${i}-${j}`, "data-kind": kind });
  if (proposal?.letters) group.dataset.letters = proposal.letters;
  group.append(shape("path", { class: "near", d: path }), shape("path", { class: "stroke", d: path }));
  if (proposal) {
    const place = proposal.letters ? freePlace(at) : at(.5);
    if (proposal.letters) labelOf.set(cell, place);
    group.append(shape("text", { class: "score", x: place[0], y: place[1] + 4 }, lettersOf(proposal) || `${percent(proposal.score)}%`));
  }
  field("lines").append(group);
  lineOf.set(cell, group);
}

// From the edge of one word to the facing edge of the other, which may be above it where a pair fills several bands.
function curve(from, to) {
  const below = to.top >= from.bottom;
  const [y1, y2] = below ? [from.bottom, to.top] : [from.top, to.bottom];
  const bend = (y2 - y1) / 2;
  const path = `M${from.x.toFixed(1)} ${y1.toFixed(1)}C${from.x.toFixed(1)} ${(y1 + bend).toFixed(1)} ${to.x.toFixed(1)} ${(y2 - bend).toFixed(1)} ${to.x.toFixed(1)} ${y2.toFixed(1)}`;
  const at = (share) => [from.x + (to.x - from.x) * share ** 2 * (3 - 2 * share), y1 + bend * share * (3 - 3 * share + 2 * share ** 2)];
  return { path, at };
}

// The first place on a line where nothing is written yet, or else the one that is farthest from what is.
function freePlace(at) {
  const room = ([x, y]) => Math.min(...[...labelOf.values()].map(([otherX, otherY]) => Math.max(Math.abs(x - otherX) / 34, Math.abs(y - otherY) / 15)));
  const places = PLACES.map(at);
  return places.find((place) => room(place) >= 1) ?? places.reduce((best, place) => (room(place) > room(best) ? place : best));
}

// The line that follows the pointer while it is dragged to a word.
function drawPull(from, x, y) {
  const board = field("board").getBoundingClientRect();
  const at = { x: x - board.left, top: y - board.top, bottom: y - board.top };
  let pull = field("pull");
  if (!pull) {
    pull = shape("path", { id: "pull" });
    field("lines").append(pull);
  }
  pull.setAttribute("d", curve(boxes[from.side][from.at], at).path);
}

function endPull() {
  field("pull")?.remove();
}
