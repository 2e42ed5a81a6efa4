// What a person does to a pair: each is one step, is sent at once, and can be undone.

let current = null;

function change(wanted, said) {
  const touched = takeStep(current, wanted);
  if (!touched) return false;
  save(current);
  showStep(touched);
  if (said) announce(said);
  return true;
}

// Only what has changed is drawn again.
function showStep(touched) {
  const sides = [new Set(), new Set()];
  for (const cell of touched) {
    drawLine(current, cell);
    drawCell(current, cell);
    placeOf(current, cell).forEach((at, k) => sides[k].add(at));
  }
  sides.forEach((ats, k) => ats.forEach((at) => labelWord(current, SIDES[k], at)));
  showPairState();
  relight();
}

function linkSets(sets, mark) {
  const wanted = [];
  for (const i of sets.source) for (const j of sets.target) wanted.push([cellOf(current, i, j), mark]);
  unchoose();
  showChosen();
  const text = wanted.length === 1 ? describe(current, wanted[0][0]) : counted(wanted.length, "link");
  if (!change(wanted, `${mark} link set`)) announce(`nothing to change: ${text}`);
}

function cycle(cell) {
  change([[cell, nextMark(current, cell, least)]]);
  announce(describe(current, cell));
}

function setCell(cell, mark) {
  change([[cell, mark]]);
  announce(describe(current, cell));
}

// Takes links away, and turns proposals down.
function removeCells(taken) {
  const wanted = taken
    .filter((cell) => kindAt(current, cell, least) !== "none")
    .map((cell) => [cell, current.marks.get(cell) === "refused" ? "refused" : withoutLink(current, cell)]);
  if (!change(wanted, `${counted(wanted.length, "link")} taken away`)) announce("nothing to take away");
}

// The words that a key is about: the chosen ones, and where a side has none, the one with the focus.
function reach() {
  const at = focusedTarget();
  const sets = { source: new Set(chosen.source), target: new Set(chosen.target) };
  if (at?.side && document.activeElement.matches(".w") && !sets[at.side].size) sets[at.side].add(at.at);
  return sets;
}

function linkReached(mark) {
  const sets = reach(), only = onlyLink(sets);
  if (sets.source.size && sets.target.size) linkSets(sets, mark);
  else if (only !== null) setCell(only, mark);
  else showMissing();
}

// The link of a word that has the focus and no other link, as it has when it was linked a moment ago.
function onlyLink(sets) {
  const side = SIDES.find((each) => sets[each].size === 1);
  if (!side || chosen.source.size || chosen.target.size) return null;
  const links = partnersOf(current, side, [...sets[side]][0]).filter(([, kind]) => isLink(kind));
  return links.length === 1 ? links[0][2] : null;
}

function showMissing() {
  const text = "Choose words in both lines first: click a word in each, or press Space on them.";
  field("hint").textContent = text;
  announce(text);
}

function removeReached() {
  const { source, target } = reach();
  if (!source.size && !target.size) return showMissing();
  const all = (side, set) => (set.size ? [...set] : current[side].map((_, at) => at));
  const taken = all("source", source).flatMap((i) => all("target", target).map((j) => cellOf(current, i, j)));
  unchoose();
  showChosen();
  removeCells(taken);
}

function undo() {
  walk(stepBack(current), "undone", "nothing to undo");
}

function redo() {
  walk(stepForward(current), "done again", "nothing to do again");
}

function walk(touched, said, otherwise) {
  announce(touched ? said : otherwise);
  if (!touched) return;
  save(current);
  showStep(touched);
}
