/** The source beside what is read: a document's text with the cited span marked, or a quote with its address. */

import { get, path } from "./api.js";
import { address, announce, button, Characters, el, problem, terms, worded } from "./dom.js";
import { day, KINDS } from "./words.js";

const panel = document.getElementById("source");
const texts = new Map();
let opener = null;
let shown = null;

/** Open where a citation stands; `others` are further spans that are marked lightly where they are of its document. */
export async function openSource(citation, others = [], from = document.activeElement) {
  const mine = (shown = {});
  opener = from;
  frame(citation);
  panel.append(el("p", { class: "waiting" }, "Opening the document …"));
  const body = await bodyOf(citation, others);
  if (mine !== shown) return;
  panel.lastChild.replaceWith(body);
  const mark = body.querySelector("mark.cited");
  if (mark) body.scrollTop = mark.offsetTop - body.clientHeight / 3;
  announce(`Source opened: ${citation.title}`);
}

/** Open a document from its beginning. */
export const openDocument = (one, from) =>
  openSource(
    { document_id: one.id, kind: one.kind, title: one.title, url: one.url, retrieved_at: one.ingested_at },
    [],
    from,
  );

/** Close it, and give the focus back to where it was opened. */
export function closeSource() {
  if (panel.hidden) return;
  shown = null;
  panel.hidden = true;
  document.body.classList.remove("beside");
  if (opener?.isConnected) opener.focus();
}

/** What was removed or replaced is read anew. */
export const forgetSources = () => texts.clear();

function frame(citation) {
  const title = el("h2", { id: "source-title", tabindex: "-1" }, citation.title || "A source without a title");
  const span = citation.end ? `${citation.start}–${citation.end}` : "";
  panel.replaceChildren(
    el(
      "div",
      { class: "source-head" },
      title,
      button("Close", closeSource, { class: "quiet", "aria-keyshortcuts": "Escape" }),
    ),
    terms([
      ["Place", citation.location],
      ["Characters", span],
      ["Kind", KINDS[citation.kind] ?? citation.kind],
      ["Retrieved", citation.retrieved_at ? day(citation.retrieved_at) : ""],
      ["Address", citation.url ? address(citation.url) : ""],
    ]),
  );
  panel.hidden = false;
  document.body.classList.add("beside");
  title.focus({ preventScroll: true });
}

async function bodyOf(citation, others) {
  try {
    const text = await textOf(citation.document_id);
    const same = others.filter((one) => one.document_id === citation.document_id);
    return el(
      "div",
      { class: "document", tabindex: "0", role: "region", "aria-label": "Text of the document" },
      ...marked(text, citation, same),
    );
  } catch (error) {
    if (citation.quote && error.status === 404) return quoted(citation);
    return problem(error);
  }
}

async function textOf(id) {
  if (!texts.has(id)) texts.set(id, new Characters((await get(`documents/${path(id)}`)).text));
  return texts.get(id);
}

/** What no stored document has: the words that were cited, and where they were found. */
function quoted(citation) {
  const said =
    citation.kind === "outside" ? "This was found outside and is not kept here." : "This document is held no more.";
  return el(
    "div",
    { class: "document" },
    el("p", { class: "aside" }, `${said} The words that were cited:`),
    el("blockquote", {}, el("mark", { class: "cited" }, citation.quote)),
  );
}

function marked(text, citation, others) {
  if (!citation.end) return [text.text];
  const at = placed(text, citation);
  if (!at)
    return [
      el(
        "p",
        { class: "aside" },
        "The document was changed since; these words stand in it no more: ",
        el("q", {}, citation.quote),
      ),
      text.text,
    ];
  const moved =
    at.start === citation.start
      ? []
      : [el("p", { class: "aside" }, "The document was changed since; the words stand elsewhere in it now.")];
  return [
    ...moved,
    ...lightly(text, 0, at.start, others),
    el("mark", { class: "cited" }, text.slice(at.start, at.end)),
    ...lightly(text, at.end, text.length, others),
  ];
}

/** Where the quote stands: at its offsets, else wherever it is found. A quote may have blanks where orders stood. */
function placed(text, citation) {
  const { start, end, quote } = citation;
  const there = text.slice(start, end);
  if (there === quote || worded(there) === worded(quote) || blanked(there, quote)) return { start, end };
  const found = text.find(quote);
  return found < 0 ? null : { start: found, end: found + new Characters(quote).length };
}

const blanked = (there, quote) =>
  there.length === quote.length && [...quote].every((one, at) => /\s|\ufffd/.test(one) || one === there[at]);

/** A stretch of the text in which further cited spans are marked. */
function lightly(text, from, to, others) {
  const cuts = new Set([from, to]);
  for (const { start, end } of others) for (const cut of [start, end]) if (from < cut && cut < to) cuts.add(cut);
  const points = [...cuts].sort((a, b) => a - b);
  return points.slice(1).map((end, at) => {
    const start = points[at];
    const cited = others.some((one) => one.start <= start && end <= one.end);
    return cited ? el("mark", { class: "also" }, text.slice(start, end)) : text.slice(start, end);
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) closeSource();
});
