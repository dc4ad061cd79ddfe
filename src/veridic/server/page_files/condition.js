/** How the server is: what it holds, who asks, what it allows. */

import { get } from "./api.js";
import { el, problem, terms } from "./dom.js";
import { condition } from "./session.js";
import { counted, day, size, STATUSES } from "./words.js";

const ROLES = { asks: "asks, and does not manage", manages: "asks and manages" };
const POLICIES = {
  off: "nothing is learned",
  review: "what is learned waits for a person",
  probation: "what is learned is on probation first",
  active: "what is learned counts at once",
};
const place = document.getElementById("condition");

/** Ask for the condition and show it. */
export async function showCondition() {
  if (!place.childElementCount) place.append(el("p", { class: "waiting" }, "Asking the server …"));
  try {
    const [state, health] = await Promise.all([condition(true), get("health")]);
    place.replaceChildren(held(state.holds), allowed(state), asking(state.caller, health));
  } catch (error) {
    place.replaceChildren(problem(error));
  }
}

const group = (title, ...content) => el("section", { class: "card" }, el("h2", {}, title), ...content);

function held(holds) {
  if (!holds) return group("What it holds", el("p", { class: "empty" }, "Nothing yet: take documents in first."));
  const learned = Object.entries(holds.records)
    .map(([status, count]) => `${count} ${STATUSES[status] ?? status}`)
    .join(", ");
  return group(
    "What it holds",
    terms([
      ["Documents", given(holds).toLocaleString("en")],
      ["Passages", holds.chunks.toLocaleString("en")],
      ["Learned answers", learned || "none"],
      ["Last taken in", holds.last_ingest ? day(holds.last_ingest) : "never"],
      ["Asked of", holds.docs ?? "everything"],
      ["Index", [holds.index, holds.search].filter(Boolean).join(", ")],
      ["Size", size(holds.bytes)],
      ["Embedder", el("code", {}, holds.embedder)],
    ]),
  );
}

function allowed(state) {
  const wrong = Object.entries(state.unusable).map(([name, why]) =>
    el("p", { class: "problem" }, el("strong", {}, `${name} cannot be used. `), why),
  );
  return group(
    "What it allows",
    terms([
      ["Model", state.model === "extractive" ? "none: answers are read and quoted (extractive)" : state.model],
      ["Outside sources", state.sources.join(", ") || "none"],
      ["Learning", `${state.write_back}: ${POLICIES[state.write_back] ?? ""}`],
    ]),
    ...wrong,
  );
}

function asking(caller, health) {
  return group(
    "Who asks",
    terms([
      ["You", caller.identity],
      ["Namespace", caller.namespace],
      ["Role", ROLES[caller.role]],
      ["Keys", health.keys ? "asked for" : "not asked for"],
      ["Version", health.version],
    ]),
  );
}

/** The documents that people and sources gave, without what was learned. */
const given = (holds) =>
  holds.counts.filter(({ kind }) => kind !== "generated").reduce((sum, one) => sum + one.documents, 0);

/** One line for who is about to ask. */
export function inShort({ holds, model, sources }) {
  if (!holds || !given(holds)) return "There are no documents yet. Take some in first.";
  const outside = sources.length
    ? `Outside sources that may be asked: ${sources.join(", ")}.`
    : "No outside source is asked.";
  return `${counted(given(holds), "document")} · ${model === "extractive" ? "no chat model" : model}. ${outside}`;
}
