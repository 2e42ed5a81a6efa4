// What the pointer or the keyboard is at is lit in both views, with all that belongs to it, and told of in words.

let lit = [];
let hot = null; // the cell that the pointer is on

function light(elements, kind) {
  for (const each of elements) {
    if (!each) continue;
    each.classList.add(kind);
    lit.push([each, kind]);
  }
}

function unlight() {
  lit.forEach(([each, kind]) => each.classList.remove(kind));
  lit = [];
}

function lightWord(pair, side, at) {
  unlight();
  const other = otherSide(side);
  const partners = partnersOf(pair, side, at);
  light([words[side][at], heads[side][at]], "lit");
  light(partners.flatMap(([k]) => [words[other][k], heads[other][k]]), "partner");
  light(partners.map(([, , cell]) => lineOf.get(cell)), "hot");
  if (cells.length) light(pair[other].map((_, k) => cells[side === "source" ? cellOf(pair, at, k) : cellOf(pair, k, at)]), "band-lit");
}

function lightCell(pair, cell) {
  unlight();
  const [i, j] = placeOf(pair, cell);
  light([words.source[i], words.target[j], heads.source[i], heads.target[j]], "lit");
  light([lineOf.get(cell)], "hot");
  if (!cells.length) return;
  light(pair.target.map((_, k) => cells[cellOf(pair, i, k)]), "band-lit");
  light(pair.source.map((_, k) => cells[cellOf(pair, k, j)]), "band-lit");
}

// A word, a line or a cell of the grid, whichever an event is about.
function targetOf(node) {
  const word = node.closest?.(".w, [data-head]");
  if (word) return { side: word.dataset.side ?? word.dataset.head, at: Number(word.dataset.word ?? word.dataset.at) };
  const mark = node.closest?.("[data-cell], [data-line]");
  if (!mark) return null;
  const [i, j] = (mark.dataset.cell ?? mark.dataset.line).split("-").map(Number);
  return { cell: cellOf(current, i, j) };
}

function lightTarget(target) {
  if (!current) return;
  if (!target) unlight();
  else if (target.cell === undefined) lightWord(current, target.side, target.at);
  else lightCell(current, target.cell);
  showHint(target);
}

function focusedTarget() {
  return document.activeElement ? targetOf(document.activeElement) : null;
}

function relight() {
  lightTarget(hot === null ? focusedTarget() : { cell: hot });
}

// One line that always says what can be done next.
function showHint(target = null) {
  field("hint").textContent = hintFor(target);
}

function hintFor(target) {
  if (!current) return "";
  const [sources, targets] = SIDES.map((side) => chosen[side].size);
  if (target?.cell !== undefined) return `${describe(current, target.cell)}. ${CURES[kindAt(current, target.cell, least)]}`;
  if (sources && targets) return `${counted(sources, "source word")} and ${counted(targets, "target word")} chosen. Press L or \u201CLink\u201D to link each with each.`;
  if (sources) return `Now click the translation of ${namesOf("source")} in the other line.`;
  if (targets) return `Now click the word in the other line that ${namesOf("target")} translates.`;
  if (current.settling) return `Dashed lines are links of ${current.names.map((name, k) => `${letterOf(k)} (${name})`).join(", ")}, or of both (A\u2260B: for one it is sure, for the other possible). Click one to take it, or link words yourself.`;
  return openProposals(current, least).length
    ? "Click a dashed line to take a proposal. Or click a word, then its translation."
    : "Click a word, then its translation in the other line.";
}

const CURES = {
  sure: "Click: make it possible. X: take it away.", possible: "Click or X: take it away.", refused: "Click: link it after all.",
  none: "Click: link these words.", proposal: "Click: take it. P: as possible. X: refuse it.",
};

function namesOf(side) {
  const all = [...chosen[side]].sort((a, b) => a - b);
  const names = all.slice(0, 4).map((at) => `\u201C${shortened(shownWord(current[side][at]), 20)}\u201D (${at + 1})`);
  return all.length > 4 ? `${names.join(", ")}\u2026` : names.join(", ");
}
