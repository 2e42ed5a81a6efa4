// Asking the server.

const TOKEN = new URLSearchParams(location.search).get("token") ?? "";
const CLIENT = recall("sessionStorage", "client") ?? newClient();

function newClient() {
  const name = [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  remember("sessionStorage", "client", name);
  return name;
}

async function request(method, path, body = null) {
  const headers = { "X-Pralign-Token": TOKEN, "X-Pralign-Client": CLIENT };
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
