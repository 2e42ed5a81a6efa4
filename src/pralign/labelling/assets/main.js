// Which part of the page does what, and the beginning.

const PRESSED = {
  undo, redo, "link-sure": () => linkReached("sure"), "link-possible": () => linkReached("possible"), several: () => setSeveral(!several),
  accept: acceptShown, done, skip, none, previous, "toggle-grid": toggleGrid, "list-button": openList, "help-button": openHelp,
  "finish-button": finish, "nothing-finish": finish, "nothing-list": openList, copy: copyCommand,
  "let-go": letGo, earlier: () => turnList(-1), later: () => turnList(1),
};

function listen() {
  for (const [name, act] of Object.entries(PRESSED)) field(name).addEventListener("click", () => act());
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", () => { byKeys = false; }, true);
  const board = field("board"), grid = field("grid");
  board.addEventListener("pointerdown", onPointerDown);
  document.addEventListener("pointermove", onPointerMove);
  document.addEventListener("pointerup", onPointerUp);
  document.addEventListener("pointercancel", () => { pulled = null; endPull(); });
  board.addEventListener("click", onBoardClick);
  grid.addEventListener("click", onGridClick);
  for (const view of [board, grid]) {
    view.addEventListener("pointermove", onHover);
    view.addEventListener("pointerleave", () => { hot = null; relight(); });
    view.addEventListener("focusin", (event) => lightTarget(targetOf(event.target)));
    view.addEventListener("focusout", unlight);
  }
  field("least").addEventListener("input", () => setLeast(field("least").value));
  field("filter").addEventListener("change", () => { listFrom = 1; fillList(); });
  field("pairs").addEventListener("click", onListClick);
  field("jump-form").addEventListener("submit", onJump);
  field("help").addEventListener("close", onHelpClosed);
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", onDialogClick);
    dialog.querySelectorAll("[data-close]").forEach((button) => button.addEventListener("click", () => dialog.close()));
  }
  window.addEventListener("hashchange", openFromAddress);
  new ResizeObserver(onResize).observe(field("work"));
}

let lastWidth = 0;

function onResize([entry]) {
  const width = Math.round(entry.contentRect.width);
  if (width === lastWidth || !width) return;
  lastWidth = width;
  redrawLayout();
}

let hovered = null;

function onHover(event) {
  if (event.pointerType === "touch" || dragged || !current) return;
  const target = targetOf(event.target);
  const name = target ? `${target.cell ?? target.side + target.at}` : "";
  if (name === hovered && (target?.cell ?? null) === hot) return;
  hovered = name;
  hot = target?.cell ?? null;
  lightTarget(target ?? focusedTarget());
}

function onGridClick(event) {
  const cell = event.target.closest("[data-cell]");
  if (!cell) return;
  const { cell: at } = targetOf(cell);
  cycle(at);
  focusCell(at); // afterwards, as the browser has to lay out the page for it
}

function numberInAddress() {
  const number = Number(location.hash.slice(1));
  return Number.isInteger(number) && number > 0 ? number : null;
}

function openFromAddress() {
  const number = numberInAddress();
  if (number !== null && number !== current?.number) openPair(number);
}

async function begin() {
  listen();
  await poll();
  const order = server?.order ?? "best";
  if (order === "random") field("order").append(element("option", { value: "random" }, "at random"));
  field("order").value = order;
  const number = numberInAddress();
  if (number !== null && number <= (server?.pairs ?? 0)) await openPair(number);
  if (!current) await openNext();
  helpAtFirst();
}

begin();
