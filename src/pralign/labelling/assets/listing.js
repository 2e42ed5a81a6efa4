// All pairs as a list, to jump around in.

const PER_PAGE = 50;
const STATES = { labelled: "\u2713 labelled", skipped: "\u2192 skipped", started: "\u2026 started", unlabelled: "\u25CB not yet" };
let listFrom = 1;

function openList() {
  listFrom = current ? Math.floor((current.number - 1) / PER_PAGE) * PER_PAGE + 1 : 1;
  field("filter").value = "all";
  field("list").showModal();
  fillList();
}

async function fillList() {
  const filter = field("filter").value;
  let answer;
  try {
    answer = await request("GET", `/api/pairs?from=${listFrom}&count=${PER_PAGE}&filter=${filter}`);
  } catch (error) {
    field("list-count").textContent = `That did not work: ${error.message}`;
    return;
  }
  field("pairs").replaceChildren(...answer.pairs.map(listItem));
  const last = Math.min(answer.total, listFrom + answer.pairs.length - 1);
  field("list-count").textContent = answer.total ? `${listFrom.toLocaleString("en")}\u2013${last.toLocaleString("en")} of ${counted(answer.total, "pair")}` : "No such pairs.";
  field("earlier").disabled = listFrom <= 1;
  field("later").disabled = last >= answer.total;
  field("pairs").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "center" });
}

function listItem(pair) {
  const facts = [`${pair.number}: ${STATES[pair.state] ?? pair.state}`, ...(pair.reason ? [pair.reason] : [])];
  const button = element("button", { type: "button", "data-pair": pair.number, "aria-current": String(pair.number === current?.number) },
    element("span", { class: "facts" }, facts.join(", ")),
    element("span", { class: "sentence", dir: "auto" }, pair.source),
    element("span", { class: "sentence", dir: "auto" }, pair.target));
  return element("li", {}, button);
}

function turnList(by) {
  listFrom = Math.max(1, listFrom + by * PER_PAGE);
  fillList();
}

function onListClick(event) {
  const button = event.target.closest("[data-pair]");
  if (!button) return;
  field("list").close();
  openPair(Number(button.dataset.pair));
}

function onJump(event) {
  event.preventDefault();
  const number = field("jump").valueAsNumber;
  if (!(number >= 1 && number <= (server?.pairs ?? Infinity))) return;
  field("list").close();
  openPair(number);
}
