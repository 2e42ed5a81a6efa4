// A pair and what a person says of it. Nothing here touches the page.
//
// A cell is a word of each side, as one number. What is said of it is its mark: "sure" or "possible" for a link,
// "refused" for a proposal turned down, and none at all. Every step is kept with what was before, so that it can be undone.

function pairOf(answer, names) {
  const pair = {
    number: answer.number, source: answer.source, target: answer.target, state: answer.state, version: answer.version,
    marks: new Map(), proposals: new Map(), reason: answer.reason ?? "", test: Boolean(answer.test), past: [], future: [],
    settling: Boolean(answer.by_proposer),
  };
  pair.marks = marksOf(pair, answer);
  setProposals(pair, answer, names);
  return pair;
}

function cellOf(pair, i, j) {
  return i * pair.target.length + j;
}

function placeOf(pair, cell) {
  return [Math.floor(cell / pair.target.length), cell % pair.target.length];
}

function marksOf(pair, answer) {
  const marks = new Map();
  for (const [i, j] of answer.refused ?? []) marks.set(cellOf(pair, i, j), "refused");
  for (const [i, j, kind] of answer.links ?? []) marks.set(cellOf(pair, i, j), kind);
  return marks;
}

// Of the model, each with its probability; or, where two people are compared, of those, each with their letters.
function setProposals(pair, answer, names = null) {
  pair.proposals = new Map();
  if (!answer.by_proposer) {
    for (const [i, j, score] of answer.proposals ?? []) pair.proposals.set(cellOf(pair, i, j), { score, letters: "", kind: "sure" });
    return;
  }
  const known = names ?? Object.keys(answer.by_proposer);
  pair.names = known;
  known.forEach((name, k) => {
    for (const [i, j, kind] of answer.by_proposer[name] ?? []) {
      const cell = cellOf(pair, i, j), before = pair.proposals.get(cell);
      const letters = `${before?.letters ?? ""}${letterOf(k)}`, kinds = { ...before?.kinds, [letterOf(k)]: kind };
      // What one of them holds only for possible is no more than that, if both are taken.
      pair.proposals.set(cell, { score: 1, letters, kinds, kind: before?.kind === "possible" ? "possible" : kind });
    }
  });
}

// One person is sure of the link, the other one is not.
function differInKind({ kinds = {} }) {
  return new Set(Object.values(kinds)).size > 1;
}

function lettersOf(proposal) {
  return differInKind(proposal) ? [...proposal.letters].join("\u2260") : proposal.letters;
}

function letterOf(k) {
  return String.fromCharCode(65 + k);
}

function isLink(mark) {
  return mark === "sure" || mark === "possible";
}

function linksOf(pair) {
  return [...pair.marks].filter(([, mark]) => isLink(mark)).sort(([a], [b]) => a - b);
}

function hasLinks(pair) {
  for (const mark of pair.marks.values()) if (isLink(mark)) return true;
  return false;
}

function shownProposal(pair, cell, least) {
  const proposal = pair.proposals.get(cell);
  return proposal && !pair.marks.has(cell) && proposal.score >= least - 1e-9 ? proposal : null;
}

// What is to be seen at a cell.
function kindAt(pair, cell, least) {
  return pair.marks.get(cell) ?? (shownProposal(pair, cell, least) ? "proposal" : "none");
}

function openProposals(pair, least) {
  return [...pair.proposals.keys()].filter((cell) => shownProposal(pair, cell, least)).sort((a, b) => a - b);
}

// What a link becomes when it is taken away: where the model proposes it, it has to be refused, or else it would be back.
function withoutLink(pair, cell) {
  return pair.proposals.has(cell) ? "refused" : null;
}

function nextMark(pair, cell, least) {
  const kind = kindAt(pair, cell, least);
  if (kind === "sure") return "possible";
  if (kind === "possible") return withoutLink(pair, cell);
  return kind === "proposal" ? pair.proposals.get(cell).kind : "sure";
}

function setMark(pair, cell, mark) {
  if (mark === null || mark === undefined) pair.marks.delete(cell);
  else pair.marks.set(cell, mark);
}

// One step: [cell, mark] pairs, and perhaps a state; without one, it follows from the links. Returns the cells that differ.
function takeStep(pair, wanted, state = null) {
  const cells = wanted.map(([cell, mark]) => [cell, pair.marks.get(cell) ?? null, mark]).filter(([, was, is]) => was !== is);
  const before = hasLinks(pair);
  cells.forEach(([cell, , mark]) => setMark(pair, cell, mark));
  const after = state ?? (cells.length ? stateAfter(pair, before) : pair.state);
  if (!cells.length && after === pair.state) return null;
  pair.past.push({ cells, states: [pair.state, after] });
  pair.future = [];
  pair.state = after;
  return cells.map(([cell]) => cell);
}

// A pair that was labelled stays so when it is put right; if its last link goes, it would say something else.
function stateAfter(pair, before) {
  if (pair.state === "labelled" && (hasLinks(pair) || !before)) return "labelled";
  return pair.marks.size ? "started" : "unlabelled";
}

function stepBack(pair) {
  return replay(pair, pair.past, pair.future, 0);
}

function stepForward(pair) {
  return replay(pair, pair.future, pair.past, 1);
}

function replay(pair, from, to, which) {
  const step = from.pop();
  if (!step) return null;
  to.push(step);
  step.cells.forEach((cell) => setMark(pair, cell[0], cell[1 + which]));
  pair.state = step.states[which];
  return step.cells.map(([cell]) => cell);
}

// The steps that lead from what is here to what is there.
function differences(pair, marks) {
  const cells = new Set([...pair.marks.keys(), ...marks.keys()]);
  return [...cells].map((cell) => [cell, marks.get(cell) ?? null]).filter(([cell, mark]) => (pair.marks.get(cell) ?? null) !== mark);
}

function bodyOf(pair) {
  const refused = [...pair.marks].filter(([, mark]) => mark === "refused").sort(([a], [b]) => a - b);
  return {
    version: pair.version, state: pair.state,
    links: linksOf(pair).map(([cell, mark]) => [...placeOf(pair, cell), mark]),
    refused: refused.map(([cell]) => placeOf(pair, cell)),
  };
}
