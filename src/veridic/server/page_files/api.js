/** The server's routes: addresses beside this page, the key, errors as a problem and its mend. */

const KEY = "veridic.key";

/** The key that is sent, kept as long as this tab is open. */
export const key = {
  get: () => sessionStorage.getItem(KEY) ?? "",
  set: (value) => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY)),
};

/** What went wrong, and what to do. */
export class Problem extends Error {
  constructor({ problem, mend = "", error = "", retryable = false }, status = 0) {
    super(problem);
    Object.assign(this, { problem, mend, kind: error, retryable, status });
  }
}

/** A path with what a person or document named in it. */
export const path = (...parts) => parts.map(encodeURIComponent).join("/");

export const get = (where) => asked(where).then(read);
export const remove = (where) => asked(where, { method: "DELETE" }).then(read);
export const post = (where, content = {}) => asked(where, sending(content)).then(read);

/** Files as a form; the answer may be a report also where none was taken in. */
export async function upload(where, files) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  const response = await asked(where, { method: "POST", body: form }, [422]);
  return response.json();
}

/** The events of a run as they come: `{event, content}`. Throws `Problem`, and `AbortError` once it is stopped. */
export async function* stream(where, content, signal) {
  const request = sending(content);
  const response = await asked(where, {
    ...request,
    signal,
    headers: { ...request.headers, accept: "text/event-stream" },
  });
  for await (const block of blocks(response.body)) {
    const item = parsed(block);
    if (!item) continue;
    if (item.event === "error") throw new Problem(item.content);
    yield item;
  }
}

function sending(content) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(content) };
}

async function asked(where, request = {}, good = []) {
  const held = key.get();
  const headers = {
    accept: "application/json",
    ...request.headers,
    ...(held ? { authorization: `Bearer ${held}` } : {}),
  };
  let response;
  try {
    response = await fetch(new URL(where, document.baseURI), { ...request, headers });
  } catch (error) {
    throw error.name === "AbortError" ? error : unreachable();
  }
  if (response.ok || good.includes(response.status)) return response;
  throw await refused(response);
}

async function refused(response) {
  const told = await response.json().catch(() => null);
  const problem = new Problem(
    told?.problem
      ? told
      : {
          problem: "The server answered with something this page does not know.",
          mend: `It said ${response.status} ${response.statusText}; its log tells more.`,
        },
    response.status,
  );
  if (response.status === 401) window.dispatchEvent(new CustomEvent("veridic:key", { detail: problem }));
  return problem;
}

function unreachable() {
  if (!navigator.onLine)
    return new Problem({ problem: "This device is offline.", mend: "Connect it, then try again.", retryable: true });
  return new Problem({
    problem: "The server does not answer.",
    mend: "See that it runs, then try again.",
    retryable: true,
  });
}

const read = (response) => response.json();

/** The blocks of an event stream, each without the empty line that ends it. */
async function* blocks(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (held + value).split(/\r\n\r\n|\n\n|\r\r/);
      held = parts.pop();
      yield* parts;
    }
  } catch (error) {
    throw error.name === "AbortError" ? error : unreachable();
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** One event of a block; null for a sign of life. */
function parsed(block) {
  let event = "message";
  const lines = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) lines.push(line.slice(5).replace(/^ /, ""));
  }
  return lines.length ? { event, content: JSON.parse(lines.join("\n")) } : null;
}
