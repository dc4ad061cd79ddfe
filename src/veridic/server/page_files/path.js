/** How an answer got there: every step, what was found, kept and dropped, who judged, what was learned. */

import { button, details, el, items, terms } from "./dom.js";
import { drafts, facts, grades, ordered, readings, strips } from "./evidence.js";
import { passage } from "./passages.js";
import { ACTIONS, counted, seconds, STATUSES, step } from "./words.js";

/** The whole of it, behind a disclosure; drawn once it is opened. */
export function howItGotThere(result, citations) {
  const place = details("How it got there");
  place.classList.add("path");
  place.addEventListener("toggle", () => {
    if (place.open && place.childElementCount === 1) place.append(...parts(result, citations));
  });
  return place;
}

function parts(result, citations) {
  const { all } = citations;
  return [
    part("Steps", walked(result)),
    part("Queries", texts(result.queries)),
    part("Documents kept", el("p", {}, ACTIONS[result.action] ?? ""), passages(result.documents, all)),
    part("Documents dropped", passages(result.rejected, all)),
    part("Sentences kept and dropped", strips(result.strips, all)),
    part("What was read", readings(result.readings, citations)),
    part("Drafts", drafts(result.candidates, citations)),
    part("Text that gives orders", ordered(result.flagged)),
    part("Claims looked up", facts(result.fact_report)),
    part("Grades of the chat model", grades(result.grades)),
    part("What was learned", learned(result.write_back)),
    part("Judges", judges(result.judges)),
    part("Cost", cost(result)),
  ].filter(Boolean);
}

/** A part with its heading; null where it has nothing. */
function part(title, ...content) {
  return content.at(-1) ? el("section", {}, el("h3", {}, title), ...content) : null;
}

/** The nodes in order; a node's seconds stand where it ran last, all its visits together. */
function walked({ path, timings }) {
  const last = new Map(path.map((node, at) => [node, at]));
  const rows = path.map((node, at) =>
    el(
      "li",
      {},
      el("span", {}, step(node)),
      el("code", {}, node),
      last.get(node) === at && node in timings ? el("span", { class: "seconds" }, seconds(timings[node])) : null,
    ),
  );
  return el("ol", { class: "walked" }, rows);
}

const texts = (list) => items(list, (one) => el("li", {}, one));
const passages = (list, others) => items(list, (one) => passage(one, others), { class: "passages" });

/** The gates of write-back one by one. */
function learned(written) {
  if (!written) return null;
  const rows = written.gates.map((one) =>
    el(
      "tr",
      { class: one.passed ? "kept" : "dropped" },
      el("th", { scope: "row" }, one.name),
      el("td", {}, one.value === null ? "nothing to measure" : one.value.toFixed(2)),
      el("td", {}, one.bound.toFixed(2)),
      el("td", {}, one.passed ? "✓ passed" : "✗ failed"),
    ),
  );
  const head = el(
    "thead",
    {},
    el(
      "tr",
      {},
      ["Gate", "Value", "Bound", "Came out"].map((one) => el("th", { scope: "col" }, one)),
    ),
  );
  const status = written.status ? ` Its status: ${STATUSES[written.status]}.` : "";
  return el(
    "div",
    {},
    el("p", {}, written.reason, status),
    rows.length ? el("table", {}, head, el("tbody", {}, rows)) : null,
  );
}

function judges({ fingerprints, thresholds, grader }) {
  const coded = Object.entries(fingerprints).map(([name, print]) => [name, el("code", {}, print)]);
  const from = Object.entries(thresholds).map(([name, value]) => [name, value.toFixed(4)]);
  const graded = grader ? [["Graded by", `${grader.model}, ${counted(grader.calls, "call")}`]] : [];
  return el(
    "div",
    {},
    el("h4", {}, "Fingerprints"),
    terms([...coded, ...graded]),
    el("h4", {}, "Thresholds"),
    terms(from),
  );
}

function cost(result) {
  const { usage, timings, retries, system, run_id: run } = result;
  const whole = Object.values(timings).reduce((sum, one) => sum + one, 0);
  const tokens = (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0);
  return el(
    "div",
    {},
    terms([
      ["Time in steps", seconds(whole)],
      ["Further attempts", String(retries)],
      ["Chat calls", String(usage.calls ?? 0)],
      ["Tokens", tokens.toLocaleString("en")],
      ["Pairs of texts judged", String(usage.judged_pairs ?? 0)],
      ["Method", system],
      ["Run", el("code", {}, run)],
    ]),
    saved(result),
  );
}

/** The result as a file, as `veridic verify` takes it. */
function saved(result) {
  return button(
    "Save the result as JSON",
    () => {
      const url = URL.createObjectURL(new Blob([JSON.stringify(result, null, 2)], { type: "application/json" }));
      el("a", { href: url, download: `veridic-${result.run_id}.json` }).click();
      URL.revokeObjectURL(url);
    },
    { class: "quiet" },
  );
}
