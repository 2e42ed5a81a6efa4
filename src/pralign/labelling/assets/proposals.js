// Proposals of the model, or of two people who are compared: they are no links until they are taken.

let least = 0.5;

function acceptShown() {
  const shown = openProposals(current, least);
  if (shown.length) change(shown.map((cell) => [cell, current.proposals.get(cell).kind]), `${counted(shown.length, "proposal")} taken`);
  else announce("no proposals to take");
}

function takeOf(letters) {
  const taken = openProposals(current, 0).filter((cell) => {
    const has = current.proposals.get(cell).letters;
    return [...letters].every((letter) => has.includes(letter));
  });
  const kindOf = ({ kind, kinds }) => (letters.length === 1 ? kinds[letters] : kind);
  change(taken.map((cell) => [cell, kindOf(current.proposals.get(cell))]), `${counted(taken.length, "link")} taken`);
}

function setLeast(value) {
  least = Number(value) / 100;
  field("least-shown").textContent = `${value} %`;
  if (!current) return;
  redrawProposals(current.proposals.keys());
}

function redrawProposals(touched) {
  showStep([...touched].filter((cell) => !current.marks.has(cell)));
}

function showProposalTools() {
  const count = openProposals(current, least).length;
  field("accept").disabled = !count;
  field("accept").hidden = current.settling;
  field("accept-text").textContent = count ? `Accept all ${count} shown` : "Accept all shown";
  field("least-label").hidden = current.settling || !current.proposals.size;
  field("no-proposals").hidden = current.settling || current.proposals.size > 0;
  field("settle").hidden = !current.settling;
}

function drawSettling() {
  const box = field("settle");
  box.replaceChildren();
  if (!current.settling) return;
  const letters = current.names.map((_, k) => letterOf(k));
  const button = (title, taken, name) => {
    const made = element("button", { type: "button", "data-take": name }, title);
    made.addEventListener("click", () => takeOf(taken));
    return made;
  };
  box.append(button("Take what both have", letters.join(""), "both"), ...current.names.map((name, k) => button(`Take all of ${letters[k]} (${name})`, letters[k], letters[k])));
}

// After the model has learned, what it proposes for the open pair may be other; what the person has said stays.
async function reloadProposals() {
  const pair = current;
  if (!pair) return;
  let answer;
  try {
    answer = await request("GET", `/api/pair/${pair.number}`);
  } catch {
    return; // the next look at the server tells of it
  }
  if (current !== pair) return;
  const touched = new Set(pair.proposals.keys());
  setProposals(pair, answer, settlingNames());
  pair.proposals.forEach((_, cell) => touched.add(cell));
  pair.reason = answer.reason ?? "";
  redrawProposals(touched);
  if (answer.version > pair.version && !unsaved.has(pair.number)) {
    adopt(pair, answer);
    tellBriefly("This pair was changed in another window or by somebody else; this is how it is now.");
  }
}

function settlingNames() {
  return server?.settling ? server.settling.names : null;
}
