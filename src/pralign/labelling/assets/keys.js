// Everything by keys.

const LETTERS = {
  l: () => linkReached("sure"), p: () => markPossible(), x: () => remove(), delete: () => remove(), backspace: () => remove(),
  u: () => undo(), a: () => acceptShown(), d: () => done(), s: () => skip(), n: () => none(), g: () => toggleGrid(), escape: () => letGo(),
};

// Who works with keys finds the focus on the words of each new pair; to others it would only be in the way.
let byKeys = false;

// The cell that a key is about: that under the pointer, or that with the focus.
function cellAtHand() {
  return hot ?? focusedTarget()?.cell ?? null;
}

function markPossible() {
  const cell = cellAtHand();
  if (cell === null) linkReached("possible");
  else setCell(cell, "possible");
}

function remove() {
  const cell = cellAtHand();
  if (cell === null) removeReached();
  else removeCells([cell]);
}

function letGo() {
  unchoose();
  setSeveral(false);
}

function onKey(event) {
  byKeys = true;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (document.querySelector("dialog[open]") || event.altKey || event.isComposing) return;
  if (event.target.matches("select, input:not([type=range])")) return;
  if (key === "?") return take(event, openHelp);
  if (!current) return;
  if (event.ctrlKey || event.metaKey) return onControlKey(event, key);
  const act = LETTERS[key.toLowerCase()];
  if (act) return event.repeat && !["u", "escape"].includes(key.toLowerCase()) ? event.preventDefault() : take(event, act);
  if (event.target.matches("input")) return;
  const word = event.target.closest(".w"), cell = event.target.closest("[data-cell]");
  if (word) onWordKey(event, key, { side: word.dataset.side, at: Number(word.dataset.word) });
  else if (cell) onCellKey(event, key);
  else if (key.startsWith("Arrow") && focusIsFree()) take(event, focusBoard);
}

function take(event, act) {
  event.preventDefault();
  act();
}

function onControlKey(event, key) {
  if (key === "z") take(event, event.shiftKey ? redo : undo);
  else if (key === "y") take(event, redo);
  else if (key === "Enter") take(event, done);
}

function onWordKey(event, key, at) {
  if (key !== "Shift") hot = null;
  if (key === "Enter") take(event, () => pressOrLink(at));
  else if (key === " ") take(event, () => toggleWord(at));
  else if (key === "ArrowLeft" || key === "ArrowRight") take(event, () => moveAlong(key, at, event.shiftKey));
  else if (key === "ArrowUp" || key === "ArrowDown") take(event, () => moveAcross(key === "ArrowUp" ? -1 : 1, at));
  else if (key === "Home" || key === "End") take(event, () => focusWord(at.side, key === "Home" ? 0 : words[at.side].length - 1));
  else if (key === "Tab") onTab(event, at);
}

function pressOrLink(at) {
  if (chosen.source.size && chosen.target.size) linkReached("sure");
  else pressWord(at.side, at.at);
}

function toggleWord({ side, at }) {
  choose(side, at, !chosen[side].has(at));
  anchor = { side, at };
  showChosen();
}

function focusWord(side, at) {
  setResting(side, at);
  words[side][at].focus();
}

// Left is where it points, also where words run from right to left.
function moveAlong(key, { side, at }, extend) {
  const ahead = (key === "ArrowRight") === (directions[side] === "ltr");
  const next = at + (ahead ? 1 : -1);
  if (next < 0 || next >= words[side].length) return;
  if (extend) {
    if (anchor?.side !== side || !chosen[side].has(anchor.at)) anchor = { side, at };
    chooseRange(side, anchor.at, next);
  }
  focusWord(side, next);
  if (extend) showChosen();
}

// To the nearest word of the next line in that direction.
function moveAcross(way, { side, at }) {
  const from = boxes[side][at];
  let best = null, shortest = Infinity;
  for (const other of SIDES) {
    boxes[other].forEach((box, k) => {
      const away = way * (box.top - from.top);
      const distance = away * 1000 + Math.abs(box.x - from.x);
      if (away > 4 && distance < shortest) [best, shortest] = [{ side: other, at: k }, distance];
    });
  }
  if (best) focusWord(best.side, best.at);
}

// Lines of both sides alternate, so the browser's own order of parts would lead astray.
function onTab(event, { side }) {
  const other = otherSide(side);
  const within = (side === "source") === !event.shiftKey && words[other].length;
  if (within) take(event, () => words[other].find((word) => word.tabIndex === 0)?.focus());
  else take(event, () => field(event.shiftKey ? "help-button" : "several").focus());
}

function onCellKey(event, key) {
  if (key.startsWith("Arrow")) take(event, () => { hot = null; moveCell(current, key); });
  else if (key === "Enter") take(event, () => setCell(resting, "sure"));
  else if (key === " ") take(event, () => cycle(resting));
}
