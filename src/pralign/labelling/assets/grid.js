// Links as a grid: a row for each source word, a column for each target word.

const MOST_CELLS = 20000;
const LONGEST_LABEL = 14;
const SIGNS = { sure: "\u25A0", possible: "\u25C7", refused: "\u00D7", none: "\u00B7" };
const SAID = { sure: "sure link", possible: "possible link", refused: "refused", none: "no link" };
let cells = [];
let heads = { source: [], target: [] };
let resting = 0; // the cell that the Tab key leads to

function drawGrid(pair) {
  cells = [];
  heads = { source: [], target: [] };
  resting = 0;
  const table = field("grid");
  table.replaceChildren();
  const size = pair.source.length * pair.target.length;
  field("no-grid").hidden = size > 0 && size <= MOST_CELLS;
  field("no-grid").textContent = size ? "This pair is too long to be drawn as a grid." : "One side has no words, so there is nothing to link.";
  if (!size || size > MOST_CELLS) return;
  table.dir = directions.target;
  table.append(gridHead(pair), gridBody(pair));
  cells[0].tabIndex = 0;
}

function gridHead(pair) {
  heads.target = pair.target.map((word, j) => gridLabel("target", word, j, "col"));
  return element("thead", {}, element("tr", {}, element("td", { class: "corner" }), ...heads.target));
}

function gridLabel(side, word, at, scope) {
  const label = element("span", { dir: "auto", class: "label" }, shortened(shownWord(word), LONGEST_LABEL));
  if (/[\u2E80-\u9FFF\uAC00-\uD7AF]/.test(word)) label.classList.add("upright");
  return element("th", { scope, "data-head": side, "data-at": at, "data-number": at + 1, title: `${word} (${at + 1})`, lang: server?.languages?.[SIDES.indexOf(side)] ?? null }, label);
}

function gridBody(pair) {
  const body = element("tbody");
  for (let i = 0; i < pair.source.length; i++) {
    const row = element("tr");
    heads.source.push(gridLabel("source", pair.source[i], i, "row"));
    row.append(heads.source[i]);
    for (let j = 0; j < pair.target.length; j++) {
      const cell = document.createElement("td");
      cell.setAttribute("role", "gridcell");
      cell.dataset.cell = `${i}-${j}`;
      cell.tabIndex = -1;
      cells.push(cell);
      row.append(cell);
      drawCell(pair, cellOf(pair, i, j));
    }
    body.append(row);
  }
  return body;
}

function drawCell(pair, cell) {
  const box = cells[cell];
  if (!box) return;
  const kind = kindAt(pair, cell, least);
  const proposal = kind === "proposal" ? pair.proposals.get(cell) : null;
  box.dataset.kind = kind;
  box.textContent = proposal ? lettersOf(proposal) || percent(proposal.score) : SIGNS[kind];
  if (kind !== "none") {
    box.title = describe(pair, cell);
    box.setAttribute("aria-label", box.title);
    return;
  }
  box.removeAttribute("title");
  if (box === document.activeElement) box.setAttribute("aria-label", describe(pair, cell));
  else box.removeAttribute("aria-label");
}

// In words: "house (2) – maison (3): proposal, 98 %".
function describe(pair, cell) {
  const [i, j] = placeOf(pair, cell);
  const kind = kindAt(pair, cell, least);
  const said = kind === "proposal" ? saidOfProposal(pair, pair.proposals.get(cell)) : SAID[kind];
  return `${shownWord(pair.source[i])} (${i + 1}) \u2013 ${shownWord(pair.target[j])} (${j + 1}): ${said}`;
}

function saidOfProposal(pair, proposal) {
  if (!proposal.letters) return `proposal, ${percent(proposal.score)} %`;
  const names = [...proposal.letters].map((letter) => pair.names[letter.charCodeAt(0) - 65]);
  if (differInKind(proposal)) return names.map((name, k) => `${name}: ${proposal.kinds[letterOf(k)]}`).join(", ");
  return `${names.length > 1 ? "in both: " : "only in "}${names.join(" and ")}${proposal.kind === "possible" ? ", possible" : ""}`;
}

function focusCell(cell) {
  cells[resting].tabIndex = -1;
  resting = cell;
  cells[cell].tabIndex = 0;
  // Cells without a link have a label only while somebody is there: thousands of labels would take long.
  cells[cell].setAttribute("aria-label", describe(current, cell));
  cells[cell].focus();
}

function moveCell(pair, key) {
  const [i, j] = placeOf(pair, resting);
  const ahead = directions.target === "rtl" ? -1 : 1;
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -ahead], ArrowRight: [0, ahead] }[key];
  const row = i + down, column = j + right;
  if (row < 0 || row >= pair.source.length || column < 0 || column >= pair.target.length) return;
  focusCell(cellOf(pair, row, column));
}
