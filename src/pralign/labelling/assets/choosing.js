// Choosing words: by clicks and taps, by dragging, and several at once.

const chosen = { source: new Set(), target: new Set() };
let anchor = null; // where a range begins
let several = false;
let pulled = null; // the word that a drag began at, and the words chosen before
let dragged = false;

function choose(side, at, wanted = true) {
  if (wanted) chosen[side].add(at);
  else chosen[side].delete(at);
  words[side][at].setAttribute("aria-pressed", String(wanted));
  words[side][at].classList.toggle("chosen", wanted);
}

function unchoose(...sides) {
  for (const side of sides.length ? sides : SIDES) for (const at of [...chosen[side]]) choose(side, at, false);
}

function chooseRange(side, from, to) {
  unchoose(side);
  for (let at = Math.min(from, to); at <= Math.max(from, to); at++) choose(side, at);
}

// A plain click on a word: with words of the other side chosen, it links; otherwise it is where a link begins.
function pressWord(side, at, { range = false, add = false } = {}) {
  const other = otherSide(side);
  setResting(side, at);
  if (range && anchor?.side === side) chooseRange(side, anchor.at, at);
  else if (several || add || range) choose(side, at, !chosen[side].has(at));
  else if (chosen[other].size) {
    linkSets({ [side]: new Set(chosen[side]).add(at), [other]: chosen[other] }, "sure");
    return;
  } else {
    const alone = chosen[side].size === 1 && chosen[side].has(at);
    unchoose();
    choose(side, at, !alone);
  }
  if (!range) anchor = { side, at };
  showChosen();
}

function showChosen() {
  const ready = chosen.source.size > 0 && chosen.target.size > 0;
  for (const name of ["link-sure", "link-possible"]) field(name).disabled = !ready;
  field("link-bar").hidden = !ready && !several;
  field("link-count").textContent = ready ? `${counted(chosen.source.size, "word")} above, ${chosen.target.size} below` : "Choose words in both lines";
  field("board").classList.toggle("choosing", chosen.source.size + chosen.target.size > 0);
  showHint();
}

function setResting(side, at) {
  words[side].forEach((word, k) => { word.tabIndex = k === at ? 0 : -1; });
}

function setSeveral(wanted) {
  several = wanted;
  field("several").setAttribute("aria-pressed", String(several));
  showChosen();
}

function wordUnder(x, y) {
  const word = document.elementFromPoint(x, y)?.closest(".w");
  return word ? { side: word.dataset.side, at: Number(word.dataset.word) } : null;
}

// A finger that is drawn over the page scrolls it; so only mice and pens drag.
function onPointerDown(event) {
  const word = event.target.closest(".w");
  dragged = false;
  pulled = word && event.button === 0 && event.pointerType !== "touch" && !event.shiftKey
    ? { side: word.dataset.side, at: Number(word.dataset.word), before: new Set(chosen[word.dataset.side]) } : null;
}

function onPointerMove(event) {
  if (!pulled || event.pointerType === "touch") return;
  const under = wordUnder(event.clientX, event.clientY);
  if (!dragged && under?.side === pulled.side && under.at === pulled.at) return;
  dragged = true;
  if (under?.side === pulled.side) {
    endPull();
    chooseRange(pulled.side, pulled.at, under.at);
    showChosen();
  } else drawPull(pulled, event.clientX, event.clientY);
}

function onPointerUp(event) {
  const from = pulled;
  pulled = null;
  endPull();
  if (!from || !dragged) return;
  const under = wordUnder(event.clientX, event.clientY);
  if (!under) return;
  if (under.side === from.side) {
    anchor = from;
    setResting(under.side, under.at);
    return;
  }
  // Dragging one of several chosen words takes them all along, and nothing that only lay on the way.
  const taken = from.before.has(from.at) ? from.before : new Set([from.at]);
  linkSets({ [from.side]: taken, [under.side]: new Set([under.at]) }, "sure");
}

function onBoardClick(event) {
  const word = event.target.closest(".w"), line = event.target.closest("[data-line]");
  if (dragged) dragged = false;
  else if (word) pressWord(word.dataset.side, Number(word.dataset.word), { range: event.shiftKey, add: event.ctrlKey || event.metaKey });
  else if (line) cycle(targetOf(line).cell);
  else if (!several && !event.target.closest("button")) {
    unchoose();
    showChosen();
  }
}
