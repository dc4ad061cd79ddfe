/** An answer: what it is worth, the short answer, its sentences, where sources disagree, what left this machine. */

import { paragraph, unfenced } from "./code.js";
import { address, details, el } from "./dom.js";
import { feedback } from "./feedback.js";
import { howItGotThere } from "./path.js";
import { Citations, pieces } from "./sentences.js";
import { day, OUTCOMES, percent, STOPPED } from "./words.js";

/** Characters of what may be a short answer, where the run does not say yet which it is. */
const SHORT = 80;

/** A whole result. */
export function answer(result) {
  const citations = new Citations(result.sentences);
  return [
    understood(result),
    worth(result),
    ...said(result.answer, result.short_answer, result.sentences, citations),
    ...result.conflicts.map((one) => conflict(one, citations)),
    citations.list(),
    notes(result),
    feedback(result),
    howItGotThere(result, citations),
  ];
}

/** What is known before the run has ended: the text with its verdicts. */
export function early(outcome) {
  const [head] = outcome.text.split("\n\n", 1);
  const short = Array.from(head).length <= SHORT ? head : "";
  return said(outcome.text, short, outcome.sentences, new Citations(outcome.sentences));
}

/** What was asked for another thing than was typed; not where only case, marks or what leads up to it differ. */
function understood({ question, standalone }) {
  const [said, meant] = [question, standalone ?? ""].map(words);
  if (said.slice(-meant.length).join(" ") === meant.join(" ") || !meant.length) return null;
  return el("p", { class: "understood" }, "Understood as: ", el("q", {}, standalone));
}

const words = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []).filter((word) => !["a", "an", "the"].includes(word));

/** The outcome in words, why, and how sure it is. */
function worth({ outcome, reason, confidence, conflicts }) {
  const { sign, words, tone } = OUTCOMES[outcome];
  const title = conflicts.length && outcome === "unverified" ? `${words}: the sources disagree` : words;
  return el(
    "div",
    { class: `worth ${tone}` },
    el(
      "p",
      { class: "outcome", "data-outcome": outcome },
      el("span", { class: "badge", "aria-hidden": "true" }, sign),
      title,
      outcome !== "abstained" && confidence !== null
        ? el(
            "span",
            { class: "sure", title: "How probable it is that this answers the question, calibrated" },
            `${percent(confidence)} sure that it answers the question`,
          )
        : null,
    ),
    el("p", { class: "reason" }, reason),
  );
}

/** The short answer large, then the sentences. */
export function said(text, short, sentences, citations) {
  const head = short && text.startsWith(short) && text.length > short.length ? Array.from(short).length : 0;
  const first = sentences.filter((one) => one.end <= head);
  const rest = sentences.filter((one) => one.end > head);
  if (!head) return [paragraph({ class: sentences.length ? "told" : "told alone" }, pieces(text, sentences, citations))];
  const after = Array.from(text).slice(head).join("");
  const lead = after.length - after.trimStart().length;
  const at = head + lead;
  const moved = rest.map((one) => ({ ...one, start: one.start - at, end: one.end - at }));
  return [
    paragraph({ class: "short" }, pieces(short, first, citations)),
    paragraph({ class: "told" }, pieces(after.slice(lead), moved, citations)),
  ];
}

/** Both sides of what sources disagree on, each with where it stands. */
export function conflict({ claim, supporting, contradicting }, citations) {
  return el(
    "section",
    { class: "conflict", "aria-label": "Sources disagree" },
    el("h3", {}, el("span", { "aria-hidden": "true" }, "⇄ "), "Another document says otherwise"),
    el("p", { class: "claim" }, "On: ", el("q", {}, claim)),
    el("div", { class: "sides" }, side("For", supporting, citations), side("Against", contradicting, citations)),
  );
}

function side(name, one, citations) {
  const taken = one.retrieved_at ? `taken in ${day(one.retrieved_at)}` : "";
  return el(
    "div",
    { class: "side" },
    el("h4", {}, name),
    el("blockquote", {}, unfenced(one.quote), " ", citations.button(one)),
    el("p", { class: "where" }, [one.title, one.location, taken].filter(Boolean).join(", ")),
  );
}

/** What is to be known beside the answer; null where there is nothing. */
function notes(result) {
  const told = [
    stopped(result),
    remembered(result),
    ...result.failures.map(failed),
    ...result.sources.unavailable.map(unavailable),
    flagged(result),
    left(result),
  ].filter(Boolean);
  return told.length ? el("section", { class: "notes" }, el("h3", {}, "To know"), el("ul", {}, told)) : null;
}

function stopped({ stopped_by: by }) {
  return by && el("li", {}, el("strong", {}, STOPPED[by][0]), ` ${STOPPED[by][1]}`);
}

function remembered({ told_from: from }) {
  if (!from) return null;
  return el(
    "li",
    {},
    el("strong", {}, "Told from memory. "),
    "The question ",
    el("q", {}, from.question),
    ` was answered on ${day(from.written_at)}; what that answer rests on was looked at first and checked anew.`,
  );
}

const failed = ({ node, problem, mend }) =>
  el("li", { class: "warn" }, el("strong", {}, `A part failed (${node}). `), `${problem} ${mend}`);
const unavailable = ({ source, reason }) =>
  el("li", { class: "warn" }, el("strong", {}, `${source} gave nothing. `), reason);

function flagged({ flagged: found }) {
  if (!found.length) return null;
  const [what, them] =
    found.length === 1 ? ["A piece of text was", "it"] : [`${found.length} pieces of text were`, "them"];
  return el(
    "li",
    { class: "warn" },
    el("strong", {}, "Something in the evidence gives orders. "),
    `${what} taken out before anything read ${them}: see how it got there.`,
  );
}

/** Every query that was put to an outside source, and whether it left this machine. */
function left({ sources }) {
  if (!sources.sent.length) return sources.allowed.length ? el("li", {}, "No outside source was asked.") : null;
  const rows = sources.sent.map((one) =>
    el(
      "li",
      {},
      one.cached ? `Known from before, not sent to ${one.source}: ` : `Sent to ${one.source}: `,
      el("q", {}, one.query),
    ),
  );
  const out = sources.sent.filter((one) => !one.cached).length;
  const summary = out
    ? `${out} ${out === 1 ? "query" : "queries"} left this machine for outside sources`
    : "No query left this machine: what the outside sources say was known from before";
  return el("li", {}, details(summary, el("ul", {}, rows), discarded(sources)));
}

function discarded({ discarded: pages }) {
  if (!pages.length) return null;
  return el(
    "ul",
    {},
    pages.map((one) => el("li", {}, `From ${one.source}, discarded (${one.reason}): `, address(one.url))),
  );
}
