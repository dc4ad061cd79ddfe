/** Sentences with their verdicts and numbered citations, for answers and for what was learned. */

import { codeBlock, isFenced, unfenced } from "./code.js";
import { button, Characters, el } from "./dom.js";
import { openSource } from "./source.js";
import { VERDICTS } from "./words.js";

/** The citations of one answer: each span has a number, in the order in which they are met. */
export class Citations {
  /** A span that lies within another one that these sentences cite is told with that one, and has its number. */
  constructor(sentences = []) {
    this.all = [];
    this.cited = sentences.flatMap((one) => one.citations);
  }

  /** The number of a citation; the same span has the same. */
  number(citation) {
    const whole = this.cited.reduce((widest, one) => (holds(one, widest) ? one : widest), citation);
    const at = this.all.findIndex((one) => holds(one, whole) && holds(whole, one));
    return at < 0 ? this.all.push(whole) : at + 1;
  }

  /** Open one of them, with the others marked where they stand in the same document. */
  open(citation, from) {
    openSource(citation, this.all, from);
  }

  /** A citation as its number, to be opened. */
  button(citation) {
    const number = this.number(citation);
    const label = `Source ${number}: ${citation.title}`;
    const opened = (event) => this.open(citation, event.currentTarget);
    return button(String(number), opened, { class: "cite", "aria-label": label, title: citation.title });
  }

  /** Several as their numbers, each once. */
  buttons(several) {
    const numbered = new Map(several.map((one) => [this.number(one), one]));
    return [...numbered.values()].map((one) => this.button(one));
  }

  /** All of them with their quotes; null where there is none. */
  list() {
    if (!this.all.length) return null;
    const documents = Map.groupBy(this.all, (one) => one.document_id);
    const rows = [...documents.values()].map((spans) =>
      el(
        "li",
        {},
        el("strong", {}, spans[0].title || spans[0].url || "A source without a title"),
        spans.map((one) => this.#span(one)),
      ),
    );
    return el("section", { class: "sources" }, el("h3", {}, "Sources"), el("ul", {}, rows));
  }

  #span(one) {
    const where = [one.location, `characters ${one.start}–${one.end}`].filter(Boolean).join(", ");
    return el(
      "div",
      { class: "span" },
      this.button(one),
      el("div", {}, el("q", {}, unfenced(one.quote)), el("span", { class: "where" }, where)),
    );
  }
}

const holds = (one, other) =>
  ["document_id", "url"].every((name) => one[name] === other[name]) &&
  one.start <= other.start &&
  other.end <= one.end;

/** The pieces of a text: its sentences marked, what stands between them as it is, without blank lines around code. */
export function pieces(text, sentences, citations) {
  const characters = new Characters(text);
  let [at, wasCode] = [0, false];
  const nodes = sentences.flatMap((sentence) => {
    const text = characters.slice(sentence.start, sentence.end);
    const isCode = isFenced(text);
    const before = between(characters.slice(at, sentence.start), wasCode || isCode);
    [at, wasCode] = [sentence.end, isCode];
    return [before, ...marked(sentence, text, citations)];
  });
  return [...nodes, between(characters.slice(at), wasCode)];
}

const between = (text, besideCode) => (besideCode && !text.trim() ? "" : text);

function marked(sentence, text, citations) {
  const verdict = VERDICTS[sentence.verdict];
  const first = sentence.citations[0];
  const open = (event) => citations.open(first, event.currentTarget);
  const acts = { role: "button", tabindex: "0", onclick: open, onkeydown: (event) => pressed(event, open) };
  const given = { class: `sentence ${verdict.tone}`, "data-verdict": sentence.verdict, ...(first ? acts : {}) };
  const shown = isFenced(text) ? codeBlock(text, given) : [el("span", given, text)];
  return [
    ...shown,
    verdictSign(sentence.quoted && sentence.verdict === "supported" ? "quoted" : sentence.verdict),
    ...citations.buttons(sentence.citations),
    ...missing(sentence),
  ];
}

/** A verdict as a sign; in words where it is not the best one, and always for who listens. */
export function verdictSign(name) {
  const verdict = VERDICTS[name];
  const quiet = name === "supported" ? "hidden" : "";
  return el(
    "span",
    { class: `sign ${verdict.tone}`, title: verdict.words },
    el("span", { "aria-hidden": "true" }, verdict.sign),
    el("span", { class: quiet }, ` ${verdict.words}`),
  );
}

/** Of a partly supported sentence what the evidence does not say. */
function missing(sentence) {
  const marked = sentence.verdict === "partly" ? (sentence.doubtful ?? []) : [];
  const open = marked.map(([start, end]) => [...sentence.text].slice(start, end).join(""));
  return open.map((one) => el("span", { class: "missing" }, el("strong", {}, "The evidence does not say: "), one));
}

function pressed(event, act) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  act(event);
}
