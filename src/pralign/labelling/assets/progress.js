// How far the work is, and what is still to be gained.

const EVERY = 3000;
let server = null;
let polling = null;
let asked = 0;

async function poll() {
  clearTimeout(polling);
  const mine = ++asked;
  try {
    const answer = await request("GET", "/api/state");
    if (mine !== asked) return;
    const before = server;
    server = answer;
    unnotice("lost");
    showProgress();
    if (before && before.learning.version !== server.learning.version) reloadProposals();
  } catch (error) {
    if (mine !== asked) return;
    notice("lost", `No connection: ${error.message} The page goes on trying.`);
  }
  polling = setTimeout(poll, EVERY);
}

function pollNow() {
  poll();
}

function showProgress() {
  const { counts, learning, others, settling } = server;
  document.title = `${server.title} \u2013 labelling`;
  field("title").textContent = server.title;
  const skipped = counts.skipped ? `, ${counts.skipped.toLocaleString("en")} skipped` : "";
  field("progress").textContent = `${counts.labelled.toLocaleString("en")} of ${server.pairs.toLocaleString("en")} labelled${skipped}${server.test ? `; first a random test set of ${server.test}` : ""}`;
  field("order-label").hidden = Boolean(settling);
  if (others > 0) notice("others", `Open in another window too: ${counted(others, "other window or person", "other windows or people")}. No pair is written over without asking.`);
  else unnotice("others");
  showLearning(learning, Boolean(settling), server.test - counts.test);
}

function showLearning(learning, settling, random) {
  field("learning").hidden = settling;
  field("estimate").textContent = estimated(learning);
  field("learning-status").textContent = statusText(learning, random);
  field("to-gain").textContent = learning.to_gain ?? "";
  field("chart").replaceChildren(...(learning.history.length > 1 ? [drawChart(learning.history)] : []));
}

function statusText(learning, random) {
  if (learning.status === "learning") return "The computer is learning from your links\u2026";
  if (!learning.wanted) return "";
  const first = random > 0 ? `${counted(random, "random pair")} and ${learning.wanted} more` : counted(learning.wanted, "more pair");
  return `After ${first} the computer begins to learn from your links.`;
}

function estimated(learning) {
  if (learning.aer === null || learning.aer === undefined) return "";
  const alone = learning.model === null || learning.model === undefined ? "" : `; the model alone: ${percent(learning.model)}`;
  return `Estimated errors: ${percent(learning.aer)} in 100 links${alone}`;
}

const CHART = { width: 270, height: 86, left: 24, right: 76, top: 8, bottom: 18 };

function drawChart(history) {
  const { width, height, left, right, top, bottom } = CHART;
  const rates = history.flatMap((point) => [point.aer, point.model]).filter((rate) => rate !== null && rate !== undefined);
  const highest = Math.max(0.05, ...rates), first = history[0].pairs, last = history.at(-1).pairs;
  const x = (pairs) => left + ((pairs - first) / Math.max(1, last - first)) * (width - left - right);
  const y = (rate) => top + (1 - rate / highest) * (height - top - bottom);
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "chart" });
  svg.append(shape("title", {}, `Estimated errors in 100 links, by pairs labelled: ${history.map((point) => `${point.pairs}: ${percent(point.aer)}`).join(", ")}`));
  svg.append(shape("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - right}` }));
  svg.append(shape("text", { x: left - 4, y: y(highest) + 5, "text-anchor": "end" }, percent(highest)), shape("text", { x: left - 4, y: y(0) + 2, "text-anchor": "end" }, "0"));
  svg.append(shape("text", { x: x(first), y: height - 4, "text-anchor": "middle" }, first), shape("text", { x: x(last), y: height - 4, "text-anchor": "middle" }, `${last} pairs`));
  const ends = [];
  for (const [name, title] of [["model", "model alone"], ["aer", "with yours"]]) {
    const points = history.filter((point) => point[name] !== null && point[name] !== undefined);
    if (!points.length) continue;
    svg.append(shape("polyline", { class: `curve ${name}`, points: points.map((point) => `${x(point.pairs).toFixed(1)},${y(point[name]).toFixed(1)}`).join(" ") }));
    ends.push([y(points.at(-1)[name]) + 4, title, name]);
  }
  spread(ends).forEach(([at, title, name]) => svg.append(shape("text", { class: name, x: width - right + 5, y: at }, title)));
  return svg;
}

// Names at the ends of curves that lie close together are moved apart.
function spread(ends) {
  const sorted = ends.sort(([a], [b]) => a - b);
  for (let k = 1; k < sorted.length; k++) sorted[k][0] = Math.max(sorted[k][0], sorted[k - 1][0] + 13);
  return sorted;
}
