// Messages that stay until what they tell of is over, and one that goes by itself.

const BRIEFLY = 9000;
let passing = null;

function notice(name, text, ...buttons) {
  const box = field("notices").querySelector(`[data-notice="${name}"]`);
  // A message that is already there is left alone, so that it is not read out again.
  if (box?.dataset.text === text) return;
  const urgent = name === "unsaved" || name === "conflict" || name === "wrong";
  const made = element("div", { class: `notice ${urgent ? "urgent" : ""}`, role: urgent ? "alert" : "status", "data-notice": name },
    element("span", {}, text), ...buttons.map(([title, act]) => noticeButton(title, act)));
  made.dataset.text = text;
  if (box) box.replaceWith(made);
  else field("notices").append(made);
}

function noticeButton(title, act) {
  const button = element("button", { type: "button" }, title);
  button.addEventListener("click", act);
  return button;
}

function unnotice(name) {
  field("notices").querySelector(`[data-notice="${name}"]`)?.remove();
}

function tellBriefly(text, ...buttons) {
  clearTimeout(passing);
  const all = [...buttons, ["Close", hideToast]];
  field("toast").replaceChildren(element("span", {}, text), ...all.map(([title, act]) => noticeButton(title, act)));
  field("toast").hidden = false;
  passing = setTimeout(hideToast, BRIEFLY);
}

function hideToast() {
  field("toast").hidden = true;
}

function tellWrong(error) {
  notice("wrong", `That did not work: ${error.message}`, ["Close", () => unnotice("wrong")]);
}
