// Help, and the end of the work.

function openHelp() {
  field("help").showModal();
  field("help").scrollTop = 0;
}

// Only who has not labelled anything yet is shown the help without asking.
function helpAtFirst() {
  if (recall("localStorage", "helped") || !server || server.counts.labelled > 0) return;
  openHelp();
}

function onHelpClosed() {
  remember("localStorage", "helped", "yes");
  if (byKeys) focusBoard();
}

async function finish() {
  if (unsaved.size) {
    tellBriefly("Something is not saved yet. Wait until it says \u201Csaved\u201D, then finish.");
    return;
  }
  try {
    showFinish(await request("POST", "/api/finish", {}));
  } catch (error) {
    tellWrong(error);
  }
}

function showFinish(answer) {
  const item = (name, file) => [element("dt", {}, name), element("dd", {}, element("code", {}, file))];
  const files = item("Your links", answer.gold);
  if (answer.model) files.push(...item("What the computer has learned from them", answer.model));
  field("files").replaceChildren(...files);
  field("with-command").hidden = !answer.command;
  field("command").textContent = answer.command ?? "";
  field("copied").textContent = "";
  if (!field("finished").open) field("finished").showModal();
}

async function copyCommand() {
  try {
    await navigator.clipboard.writeText(field("command").textContent);
    field("copied").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(field("command"));
    field("copied").textContent = "It is selected now: press Ctrl+C to copy it.";
  }
}

// A click beside a dialog closes it.
function onDialogClick(event) {
  if (event.target === event.currentTarget) event.currentTarget.close();
}
