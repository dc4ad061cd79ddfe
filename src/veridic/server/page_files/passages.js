/** A passage that was found, as one line: its score, its document, its place. */

import { button, el, score } from "./dom.js";
import { openSource } from "./source.js";

/** `others`: cited spans that are marked lightly where they stand in its document. */
export function passage(one, others = []) {
  const open = (event) => openSource({ ...one, quote: one.text }, others, event.currentTarget);
  const label = one.title || one.url || "Untitled";
  return el(
    "li",
    { class: "passage" },
    score(one.score),
    button(label, open, { class: "link" }),
    el("span", { class: "where" }, one.location),
  );
}
