"use strict";
// Parts of the page. Text of others gets onto it as text alone.

const SIDES = ["source", "target"];
const field = (name) => document.getElementById(name);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function shape(tag, attributes = {}, text = null) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}

function otherSide(side) {
  return side === "source" ? "target" : "source";
}

function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function percent(share) {
  return Math.round(100 * share);
}

const segmenter = new Intl.Segmenter();

function shortened(word, longest) {
  if (word.length <= longest) return word;
  const letters = [...segmenter.segment(word)].map((each) => each.segment);
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}\u2026` : word;
}

// A word of spaces or of signs without width would be a box with nothing in it.
function shownWord(word) {
  return /^[\s\p{Cf}\p{Cc}]*$/u.test(word) ? "\u2423" : word;
}

const RIGHT_TO_LEFT = new Set("ar arc ckb dv fa he iw ks ku-arab nqo pa-arab prs ps sd syr ug ur yi".split(" "));
const RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

// By the language where it is known, or else by how most of the words run.
function directionOf(words, language) {
  const code = language?.toLowerCase();
  if (code && (RIGHT_TO_LEFT.has(code) || RIGHT_TO_LEFT.has(code.split("-")[0]))) return "rtl";
  const letters = words.map((word) => word.match(/\p{L}/u)?.[0]).filter(Boolean);
  const right = letters.filter((letter) => RIGHT.test(letter)).length;
  return right > 0 && 2 * right >= letters.length ? "rtl" : "ltr";
}

// For people who hear the page.
function announce(text) {
  field("spoken").textContent = text;
}

// Some browsers forbid pages to remember anything; then it is forgotten.
function remember(store, name, value) {
  try {
    window[store].setItem(`pralign-${name}`, value);
  } catch { /* forgotten */ }
}

function recall(store, name) {
  try {
    return window[store].getItem(`pralign-${name}`);
  } catch {
    return null;
  }
}
