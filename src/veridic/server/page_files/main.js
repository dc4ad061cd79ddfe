/** The page: its views by the address, what is known of the server, the parts made ready. */

import { readyToAsk } from "./ask.js";
import { readyToCheck } from "./check.js";
import { readyToChoose } from "./choices.js";
import { inShort, showCondition } from "./condition.js";
import { showDocuments } from "./documents.js";
import { problem } from "./dom.js";
import { readyForKeys } from "./key.js";
import { showReview } from "./review.js";
import { condition } from "./session.js";
import { closeSource } from "./source.js";
import { readyToTheme } from "./theme.js";

const VIEWS = {
  ask: () => {},
  check: () => {},
  review: showReview,
  documents: showDocuments,
  condition: showCondition,
};
const notice = document.getElementById("notice");

/** Show the view that the address names, with its link marked as the current one. */
function route(moved) {
  const named = location.hash.slice(1);
  if (named === "main" && moved) return;
  const view = Object.hasOwn(VIEWS, named) ? named : "ask";
  for (const name of Object.keys(VIEWS)) {
    document.getElementById(`view-${name}`).hidden = name !== view;
    const link = document.querySelector(`nav a[href="#${name}"]`);
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = view === "ask" ? "Veridic" : `${document.getElementById(`${view}-title`).textContent} – Veridic`;
  document.body.dataset.view = view;
  if (moved) {
    closeSource();
    window.scrollTo(0, 0);
    document.getElementById(`${view}-title`).focus({ preventScroll: true });
  }
  return VIEWS[view]();
}

/** Ask what the server is, and say it; the page can be used before it answers. */
async function known() {
  try {
    const state = await condition(true);
    document.getElementById("ask-lead").textContent = inShort(state);
    notice.replaceChildren();
    route(false);
  } catch (error) {
    if (error.status !== 401) notice.replaceChildren(problem(error));
  }
}

function offline() {
  const gone = { problem: "This device is offline.", mend: "What is shown stays; asking needs the connection." };
  notice.replaceChildren(...(navigator.onLine ? [] : [problem(gone)]));
}

readyToTheme(document.getElementById("theme"));
readyForKeys(known);
readyToAsk();
readyToCheck();
readyToChoose();
window.addEventListener("hashchange", () => route(true));
window.addEventListener("online", offline);
window.addEventListener("offline", offline);
route(false);
known();
