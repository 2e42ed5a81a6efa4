// Every change is sent at once; for each pair one message at a time, and always what is newest.

const WAITS = [1000, 2000, 4000, 8000, 15000];
const unsaved = new Map();

function save(pair) {
  const entry = unsaved.get(pair.number) ?? { busy: false, tries: 0, error: null, theirs: null, waiting: [] };
  entry.pair = pair;
  entry.dirty = true;
  unsaved.set(pair.number, entry);
  send(entry);
}

// Whether the pair is saved, once that is known: not where somebody else has changed it meanwhile.
function whenSaved(pair) {
  const entry = unsaved.get(pair.number);
  if (!entry) return Promise.resolve(true);
  if (entry.theirs) return Promise.resolve(false);
  return new Promise((tell) => entry.waiting.push(tell));
}

async function send(entry) {
  if (!entry.busy && !entry.theirs) {
    clearTimeout(entry.timer);
    entry.busy = true;
    entry.dirty = false;
    const sending = request("PUT", `/api/pair/${entry.pair.number}`, bodyOf(entry.pair));
    showSaving();
    try {
      entry.pair.version = (await sending).version;
      entry.busy = false;
      wasSaved(entry);
    } catch (error) {
      entry.busy = false;
      entry.dirty = true;
      if (error.status === 409 && error.answer.pair) wasChangedElsewhere(entry, error.answer.pair);
      else wasNotSaved(entry, error);
    }
  }
  showSaving();
}

function wasSaved(entry) {
  entry.tries = 0;
  entry.error = null;
  if (entry.dirty) {
    send(entry);
    return;
  }
  unsaved.delete(entry.pair.number);
  entry.waiting.forEach((tell) => tell(true));
  pollNow();
}

function wasNotSaved(entry, error) {
  entry.error = error.message;
  entry.timer = setTimeout(send, WAITS[Math.min(entry.tries, WAITS.length - 1)], entry);
  entry.tries++;
}

function wasChangedElsewhere(entry, theirs) {
  entry.theirs = theirs;
  entry.error = null;
  entry.waiting.splice(0).forEach((tell) => tell(false));
}

function sendAgain() {
  for (const entry of unsaved.values()) if (entry.error) send(entry);
}

function keepMine(entry) {
  entry.pair.version = entry.theirs.version;
  entry.theirs = null;
  send(entry);
}

// What was here is not lost: it is one step back.
function takeTheirs(entry) {
  const { pair, theirs } = entry;
  unsaved.delete(pair.number);
  adopt(pair, theirs);
  showSaving();
}

// What the page shows becomes what the server has.
function adopt(pair, theirs) {
  const cells = takeStep(pair, differences(pair, marksOf(pair, theirs)), theirs.state);
  pair.version = theirs.version;
  pair.state = theirs.state;
  if (cells && current === pair) showStep(cells);
}

function showSaving() {
  const entries = [...unsaved.values()];
  const failed = entries.find((entry) => entry.error), torn = entries.find((entry) => entry.theirs);
  const status = failed || torn ? "unsaved" : entries.length ? "saving" : "saved";
  const box = field("saved");
  if (box.dataset.status !== status) {
    box.dataset.status = status;
    box.textContent = { unsaved: "\u26A0 not saved", saving: "saving\u2026", saved: "\u2713 saved" }[status];
  }
  if (failed) notice("unsaved", `Not saved: ${failed.error} The page goes on trying; do not close it.`, ["Try again now", sendAgain]);
  else unnotice("unsaved");
  if (torn) {
    notice("conflict", `Pair ${torn.pair.number} was changed meanwhile in another window, or by somebody else. ${compared(torn)} Which is to be kept?`,
      ["Keep mine", () => keepMine(torn)], ["Take theirs", () => takeTheirs(torn)]);
  } else unnotice("conflict");
}

function compared(entry) {
  const theirs = marksOf(entry.pair, entry.theirs);
  const others = [...theirs.values()].filter(isLink).length, mine = linksOf(entry.pair).length;
  const differing = differences(entry.pair, theirs).length;
  return `Theirs has ${counted(others, "link")}, yours ${mine}; they differ in ${counted(differing, "place")}.`;
}

window.addEventListener("beforeunload", (event) => {
  if (unsaved.size) event.preventDefault();
});
