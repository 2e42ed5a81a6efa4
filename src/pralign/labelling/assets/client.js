// Asking the server.

const TOKEN = new URLSearchParams(location.search).get("token") ?? "";
// Each page that is opened is another window, also where a browser has made it from an open one.
const CLIENT = [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const NAMED = { "X-Pralign-Token": TOKEN, "X-Pralign-Client": CLIENT };

// A page that is kept to go back to is not closed.
window.addEventListener("pagehide", (event) => {
  if (!event.persisted) fetch("/api/leave", { method: "POST", headers: NAMED, keepalive: true }).catch(() => {});
});

async function request(method, path, body = null) {
  const headers = { ...NAMED };
  if (body !== null) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === null ? null : JSON.stringify(body), cache: "no-store" });
  } catch {
    throw failure("the program pralign does not answer. Is it still running?", 0, {});
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const refused = response.status === 401 || response.status === 403;
  const cure = refused ? " Open the page with the whole address that pralign has printed." : "";
  throw failure(`${answer.error ?? `the program has answered with error ${response.status}.`}${cure}`, response.status, answer);
}

function failure(text, status, answer) {
  return Object.assign(new Error(text), { status, answer });
}
