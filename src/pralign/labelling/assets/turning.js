// From pair to pair.

const trail = []; // the pairs that were open before
const kept = new Map(); // pairs that were open, with their steps to undo
let turn = 0; // of several wishes to go on, the last one counts
let hinted = false;

async function openPair(number, { back = false } = {}) {
  const mine = ++turn;
  let pair;
  try {
    pair = await fetchPair(number);
  } catch (error) {
    if (mine === turn) tellWrong(error);
    return;
  }
  if (mine !== turn) return;
  unnotice("wrong");
  if (current && !back && current.number !== number) trail.push(current.number);
  current = pair;
  kept.set(number, pair);
  history.replaceState(null, "", `${location.pathname}${location.search}#${number}`);
  showPair();
}

// What is not saved yet is newer than what the server has.
async function fetchPair(number) {
  if (unsaved.has(number)) return unsaved.get(number).pair;
  const pair = pairOf(await request("GET", `/api/pair/${number}`), settlingNames());
  const before = kept.get(number);
  if (unsaved.has(number)) return unsaved.get(number).pair;
  if (before?.version > pair.version) return before; // saved while the answer was on its way
  if (before?.version === pair.version) Object.assign(pair, { past: before.past, future: before.future });
  return pair;
}

function showPair() {
  const onPair = byKeys && focusIsFree();
  hot = null;
  lit = [];
  unchoose();
  anchor = null;
  pulled = null;
  field("work").hidden = false;
  field("nothing").hidden = true;
  findDirections(current);
  if (!field("grid-box").hidden) drawGrid(current);
  else cells = [];
  placeGrid(current);
  drawWords(current);
  drawLines(current);
  drawSettling();
  showPairState();
  showChosen();
  if (onPair) focusBoard();
  if (field("page").scrollTop > field("work").offsetTop) field("work").scrollIntoView();
  announce(`Pair ${current.number}. ${current.reason}`);
}

function focusIsFree() {
  const at = document.activeElement;
  return !at || at === document.body || Boolean(at.closest("#board, #grid"));
}

function focusBoard() {
  if (!current || document.querySelector("dialog[open]")) return;
  (words.source.find((word) => word.tabIndex === 0) ?? words.target[0])?.focus({ preventScroll: true });
}

function showPairState() {
  const { number, reason, state, test } = current;
  field("number").textContent = server ? `Pair ${number.toLocaleString("en")} of ${server.pairs.toLocaleString("en")}` : `Pair ${number}`;
  field("reason").textContent = reason;
  field("test").hidden = !test;
  field("state").textContent = { labelled: hasLinks(current) ? "\u2713 labelled" : "\u2713 labelled: no link", skipped: "\u2192 skipped" }[state] ?? "";
  field("undo").disabled = !current.past.length;
  field("redo").disabled = !current.future.length;
  field("none").disabled = hasLinks(current);
  for (const name of ["skip", "done"]) field(name).disabled = false;
  field("previous").disabled = !trail.length && number <= 1;
  showProposalTools();
}

// Beside the words where there is room for it, or else below. The words are laid out afterwards, in the room that is left.
function placeGrid(pair) {
  const wide = pair.target.length * 30 + 150, high = pair.source.length * 30 + 130;
  const fits = innerWidth >= 1000 && wide < 0.42 * field("views").clientWidth && high < 620;
  field("views").classList.toggle("beside", fits && !field("grid-box").hidden);
}

function redrawLayout() {
  if (!current) return;
  placeGrid(current);
  layOut(current);
  drawLines(current);
  relight();
}

function toggleGrid() {
  const box = field("grid-box");
  box.hidden = !box.hidden;
  field("toggle-grid").setAttribute("aria-pressed", String(!box.hidden));
  if (!current) return;
  if (!box.hidden) drawGrid(current);
  redrawLayout();
}

async function openNext() {
  const mine = ++turn;
  const order = field("order").value;
  // Without an order, the server goes by the one it was started with.
  const wish = order === "random" ? "" : `order=${order}&`;
  try {
    const { number } = await request("GET", `/api/next?${wish}after=${current?.number ?? 0}`);
    if (mine !== turn) return;
    if (number === null || number === undefined) showNothingLeft();
    else await openPair(number);
  } catch (error) {
    if (mine === turn) tellWrong(error);
  }
}

function showNothingLeft() {
  if (current) trail.push(current.number);
  current = null;
  unlight();
  field("work").hidden = true;
  field("nothing").hidden = false;
  if (server?.settling) {
    field("nothing").querySelector("h2").textContent = "That was the last difference";
    field("nothing").querySelector("p").textContent = "All pairs that the two have labelled differently are settled. You can go back to them in the list, or finish.";
  }
  field("link-bar").hidden = true;
  for (const name of ["none", "skip", "done"]) field(name).disabled = true;
  field("previous").disabled = !trail.length;
  field("nothing-finish").focus();
}

// Goes on once the pair is saved, unless the person has gone elsewhere meanwhile.
async function settleAs(state, wanted = []) {
  const pair = current;
  const touched = takeStep(pair, wanted, state);
  if (touched) {
    save(pair);
    showStep(touched);
  }
  unchoose();
  showChosen();
  const mine = ++turn;
  if (await whenSaved(pair) && mine === turn && pair.state === state) await openNext();
}

function done() {
  if (!hasLinks(current) && current.state !== "labelled") {
    const proposed = openProposals(current, least).length > 0;
    tellBriefly(`There is no link yet. ${proposed ? "Take proposals by clicking them (or all with A). " : ""}If no word translates another here, press \u201CNo link\u201D (N); if you do not know, \u201CSkip\u201D (S).`);
    return;
  }
  const left = openProposals(current, least).length;
  const number = current.number;
  if (left && !hinted && current.state !== "labelled") {
    hinted = true;
    tellBriefly(`${counted(left, "proposal")} of pair ${number} ${left === 1 ? "was" : "were"} not taken, so ${left === 1 ? "it is no link" : "they are no links"}. That is fine if it was meant so.`, ["Back to it", () => { hideToast(); openPair(number); }]);
  } else hideToast();
  settleAs("labelled");
}

function skip() {
  hideToast();
  settleAs("skipped");
}

function none() {
  if (hasLinks(current)) {
    tellBriefly("This pair has links. Take them away first if no word translates another.");
    return;
  }
  hideToast();
  settleAs("labelled");
}

function previous() {
  if (trail.length) openPair(trail.pop(), { back: true });
  else if (current && current.number > 1) openPair(current.number - 1, { back: true });
}
