/** What was weighed on the way to an answer; each part is null where the run had none of it. */

import { paragraph, unfenced } from "./code.js";
import { button, el, items, score, terms } from "./dom.js";
import { pieces } from "./sentences.js";
import { openSource } from "./source.js";
import { ORIGINS } from "./words.js";

const STANDINGS = { borne_out: "✓ confirmed", contradicted: "✗ contradicted", open: "? left open" };

/** The strips that were kept and dropped. */
export function strips(list, others) {
  const open = ({ passage: of, text, start, end }, from) =>
    openSource({ ...of, quote: text, start, end }, others, from);
  return items(list, (one) => strip(one, (event) => open(one, event.currentTarget)), { class: "strips" });
}

function strip({ kept, score: value, text }, open) {
  return el(
    "li",
    { class: kept ? "kept" : "dropped" },
    el("span", { class: "kept-mark" }, kept ? "✓ kept" : "– dropped"),
    score(value),
    button(unfenced(text), open, { class: "link words" }),
  );
}

/** What was read, how probable it is, and what came next. */
export function readings(list, citations) {
  return items(list, (one) => reading(one, citations));
}

function reading(one, citations) {
  const { runner_up: next, rival } = one;
  const said = el("strong", {}, one.text || "Nothing was read");
  return el(
    "li",
    { class: "reading" },
    el("p", {}, said, one.holds ? " " : " (too unsure to be given) ", one.span ? citations.button(one.span) : null),
    terms([
      ["For", one.question],
      ["Probability", score(one.probability)],
      ["Needed", one.needed.toFixed(2)],
      ["Next best", next ? `${next.text} (${next.probability.toFixed(2)})` : ""],
      ["Another document", rival ? el("span", {}, rival.text, " ", citations.button(rival.sentence)) : ""],
    ]),
  );
}

/** The answers that were written; of those that lost, why. */
export function drafts(list, citations) {
  return items(list, (one) => draft(one, citations), { class: "drafts" });
}

function draft(one, citations) {
  const fate = one.holds ? "✓ holds" : `– lost: ${one.objection ?? "another ranks higher"}`;
  return el(
    "li",
    { class: one.holds ? "kept" : "dropped" },
    el("p", {}, el("strong", {}, fate), ` · attempt ${one.attempt + 1}, ${ORIGINS[one.origin]}`),
    paragraph({ class: "words" }, pieces(one.text, one.sentences, citations)),
    terms([
      ["Score", score(one.score)],
      ["Support", score(one.support)],
      ["Useful", score(one.usefulness)],
      ["Relevant", score(one.relevance)],
      ["Dropped", one.missing.join(" ")],
    ]),
  );
}

/** What of the evidence gives orders, and was read by nobody. */
export function ordered(list) {
  return items(list, (one) => {
    const place = [
      one.title,
      one.location,
      `characters ${one.start}–${one.end}`,
      `probability ${one.probability.toFixed(2)}`,
    ];
    return el("li", {}, el("q", {}, one.text), el("span", { class: "where" }, place.filter(Boolean).join(", ")));
  });
}

/** The claims that were looked up once more, and the scores of it. */
export function facts(report) {
  if (!report) return null;
  const now = report.after ?? report;
  const claims = now.claims.map((one) => el("li", {}, el("strong", {}, STANDINGS[one.standing]), " ", one.text));
  const unchecked = now.unchecked.map((one) => el("li", {}, "not checked: ", one));
  const scored = now.fact_score === null ? "no outside source was asked" : score(now.fact_score);
  const before = report.after ? score(report.fact_score) : "";
  return el(
    "div",
    {},
    terms([
      ["Agreement with outside (FactScore)", scored],
      ["Before it was written again", before],
    ]),
    el("ul", {}, claims, unchecked),
  );
}

/** What a chat model graded as a judge. */
export function grades(list) {
  return items(list, (one) =>
    el("li", {}, `${one.judge}: `, el("strong", {}, one.grade), " ", el("q", {}, one.graded)),
  );
}
