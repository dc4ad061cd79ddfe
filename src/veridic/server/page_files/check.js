/** A text of somebody else, checked claim by claim. */

import { Problem, stream } from "./api.js";
import { conflict } from "./answer.js";
import { unfenced } from "./code.js";
import { announce, button, Characters, el, problem } from "./dom.js";
import { Progress } from "./progress.js";
import { Citations, verdictSign } from "./sentences.js";
import { counted, NO_STATEMENT, UNJUDGED, VERDICTS } from "./words.js";

const WORST = ["contradicted", "not_found", "unverified", "supported"];
const form = document.getElementById("check-form");
const box = document.getElementById("text");
const stop = document.getElementById("check-stop");
const place = document.getElementById("checked");
let running = null;

/** Make the form check. */
export function readyToCheck() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  stop.addEventListener("click", () => running?.abort());
}

async function check() {
  if (!box.value.trim() || running) return box.focus();
  const progress = new Progress();
  place.replaceChildren(progress.node);
  running = new AbortController();
  stop.hidden = false;
  try {
    for await (const item of stream("check", { text: box.value }, running.signal)) {
      progress.show(item);
      if (item.event === "report") return show(item.content);
    }
    throw new Problem({ problem: "The check broke off.", mend: "See that the server runs, then check again." });
  } catch (error) {
    place.replaceChildren(error.name === "AbortError" ? el("p", { class: "aside" }, "Stopped.") : problem(error));
  } finally {
    running = null;
    stop.hidden = true;
  }
}

function show(report) {
  const citations = new Citations();
  const title = el("h2", { tabindex: "-1" }, "What the documents say of it");
  place.replaceChildren(
    el(
      "div",
      { class: "report-of-check" },
      title,
      counts(report),
      el("p", { class: "checked-text" }, coloured(report, citations)),
      el("p", { class: "reason" }, report.reason),
      report.failures.map((one) => problem(one)),
      el("h3", {}, "Claim by claim"),
      el(
        "ol",
        { class: "claims" },
        report.claims.filter(states).map((one) => claim(one, citations)),
      ),
      report.conflicts.map((one) => conflict(one, citations)),
      citations.list(),
    ),
  );
  announce(`${report.reason} ${tally(report)}`);
  title.focus();
}

/** Whether a claim is one: headings, questions and code state nothing. */
const states = (one) => !NO_STATEMENT.has(one.reason);
const tallied = (claims) =>
  Object.fromEntries(WORST.map((verdict) => [verdict, claims.filter((one) => one.verdict === verdict).length]));

function tally({ claims }) {
  const of = tallied(claims.filter(states));
  return WORST.filter((one) => of[one])
    .map((one) => `${of[one]} ${VERDICTS[one].words}`)
    .join(", ");
}

function counts({ claims: all }) {
  const claims = all.filter(states);
  const of = tallied(claims);
  const chips = WORST.filter((one) => of[one]).map((one) =>
    el(
      "li",
      { class: `tally ${VERDICTS[one].tone}` },
      el("span", { "aria-hidden": "true" }, VERDICTS[one].sign),
      ` ${of[one]} ${VERDICTS[one].words}`,
    ),
  );
  return el("ul", { class: "tallies", "aria-label": counted(claims.length, "claim") }, chips);
}

/** The text with every stretch coloured by the worst claim that stands there. */
function coloured({ text, claims }, citations) {
  const characters = new Characters(text);
  const cuts = [...new Set([0, characters.length, ...claims.flatMap((one) => [one.start, one.end])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).flatMap((end, at) => {
    const start = cuts[at];
    const here = claims.filter(states).filter((one) => one.start <= start && end <= one.end);
    const words = characters.slice(start, end);
    if (!here.length) return [words];
    const worst = here.reduce((one, other) =>
      WORST.indexOf(other.verdict) < WORST.indexOf(one.verdict) ? other : one,
    );
    return stretch(
      words,
      worst,
      citations,
      claims.some((one) => one.end === end),
    );
  });
}

function stretch(words, one, citations, ends) {
  const { tone } = VERDICTS[one.verdict];
  return [
    el("span", { class: `sentence ${tone}`, "data-verdict": one.verdict }, words),
    ...(ends ? [verdictSign(one.verdict), ...citations.buttons(one.citations)] : []),
  ];
}

function claim(one, citations) {
  const { tone, words, sign } = VERDICTS[one.verdict];
  const why = one.reason ? `: ${UNJUDGED[one.reason] ?? one.reason}` : "";
  return el(
    "li",
    { class: tone },
    el("p", {}, el("strong", { class: `verdict ${tone}` }, `${sign} ${words}${why}`), ` ${unfenced(one.text)}`),
    one.citations.map((citation) =>
      el("p", { class: "quoted" }, el("q", {}, unfenced(citation.quote)), " ", citations.button(citation)),
    ),
    one.nearest ? nearest(one.nearest, citations) : null,
    one.citations.length
      ? button("Open the source", (event) => citations.open(one.citations[0], event.currentTarget), { class: "link" })
      : null,
  );
}

/** Beside a claim that was not found the sentence that comes closest. */
function nearest(citation, citations) {
  return el("p", { class: "quoted" }, "The nearest: ", el("q", {}, unfenced(citation.quote)), " ", citations.button(citation));
}
