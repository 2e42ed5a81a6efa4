"use strict";
// Which pairs are to be seen, and in which order. Nothing here touches the page.

const data = JSON.parse(document.getElementById("data").textContent);
const NARROW = matchMedia("(max-width: 40rem)").matches;
const PER_PAGE = NARROW ? 5 : 10;
const UNSURE = 50;

const state = {
  query: "", system: data.best, kind: "all", order: "worst", shortest: null, longest: null, bound: null, rare: false,
  colours: data.systems.length > 1 ? "differences" : "errors", page: 0, at: null,
};

const KINDS = [
  ["all", "all pairs", () => true, true],
  ["wrong", "pairs with wrong links", (pair) => verdict(pair).wrong > 0, data.gold],
  ["missed", "pairs with missed links", (pair) => verdict(pair).missed > 0, data.gold],
  ["perfect", "pairs without errors", (pair) => !pair.u && verdict(pair).wrong + verdict(pair).missed === 0, data.gold],
  ["unjudged", "pairs without a gold", (pair) => Boolean(pair.u), data.pairs.some((pair) => pair.u)],
  ["differ", "pairs where systems differ", (pair) => pair.d > 0, data.systems.length > 1],
  ["unsure", "pairs with improbable links on the whole", (pair) => confidence(pair) !== null && confidence(pair) < UNSURE, hasConfidence()],
  ["look", "pairs worth a look", (pair) => Boolean(pair.w), data.pairs.some((pair) => pair.w)],
].filter(([, , , offered]) => offered);

const ORDERS = [
  ["worst", data.gold ? "worst first" : "least sure first", byWorst, data.gold || hasConfidence()],
  ["differ", "most different first", (a, b) => b.d - a.d, data.systems.length > 1],
  ["file", "as in the text", () => 0, true],
  ["long", "longest first", (a, b) => b.s.length - a.s.length, true],
  ["short", "shortest first", (a, b) => a.s.length - b.s.length, true],
].filter(([, , , offered]) => offered);

function hasConfidence() {
  return data.pairs.some((pair) => pair.c.some((value) => value !== null));
}

function verdict(pair) {
  const [error, wrong, missed] = pair.v ? pair.v[state.system] : [0, 0, 0];
  return { error, wrong, missed };
}

function confidence(pair) {
  return pair.c[state.system];
}

function byWorst(a, b) {
  if (!data.gold) return (confidence(a) ?? 101) - (confidence(b) ?? 101);
  if (Boolean(a.u) !== Boolean(b.u)) return a.u ? 1 : -1;
  const one = verdict(a), other = verdict(b);
  return other.error - one.error || other.wrong + other.missed - one.wrong - one.missed;
}

// Words without upper case, by the rule that the dictionary was made by: letter by letter, so that a Greek sigma at the
// end of a word is one too; by way of upper case, which sharp s and ligatures have several letters of. The dotless i of
// Turkish is a letter of its own.
function caseless(text) {
  const letters = [...text.normalize("NFC")].map((letter) => (letter === "\u0131" ? letter : letter.toLowerCase().toUpperCase().toLowerCase()));
  return letters.join("").normalize("NFC");
}

// Every word of the query has to be part of some word of the pair.
function isFound(pair, wanted) {
  if (!wanted.length) return true;
  pair.text ??= caseless(`${pair.s.join(" ")}\n${pair.t.join(" ")}`);
  return wanted.every((part) => pair.text.includes(part));
}

function isWithinBounds(pair) {
  if (state.shortest !== null && pair.s.length < state.shortest) return false;
  if (state.longest !== null && pair.s.length > state.longest) return false;
  if (state.rare && !pair.r[0].length && !pair.r[1].length) return false;
  if (state.bound === null) return true;
  if (data.gold) return !pair.u && Math.round(100 * verdict(pair).error) >= state.bound; // as the list shows it
  return confidence(pair) !== null && confidence(pair) <= state.bound;
}

function chosenPairs() {
  const wanted = caseless(state.query).split(/[ \t]+/).filter(Boolean);
  const [, , isKind] = KINDS.find(([name]) => name === state.kind);
  const [, , compare] = ORDERS.find(([name]) => name === state.order) ?? ORDERS[0];
  const found = data.pairs.filter((pair) => isFound(pair, wanted) && isWithinBounds(pair) && isKind(pair));
  return found.sort((a, b) => compare(a, b) || a.n - b.n);
}

// Pairs with the same words are one entry, which stands where the first of them does.
function folded(pairs) {
  const entries = new Map();
  for (const pair of pairs) {
    pair.words ??= JSON.stringify([pair.s, pair.t]);
    if (entries.has(pair.words)) entries.get(pair.words).push(pair);
    else entries.set(pair.words, [pair]);
  }
  return [...entries.values()];
}

// All pairs of the page with the words of this one, whatever has been chosen.
const repeats = new Map(folded(data.pairs).map((entry) => [entry[0].words, entry]));

function repeatsOf(pair) {
  return repeats.get(pair.words);
}
