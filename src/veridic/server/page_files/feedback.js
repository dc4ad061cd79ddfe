/** What an answer was worth to who asked, and what became of saying so. */

import { post } from "./api.js";
import { button, el, icon, problem } from "./dom.js";

const THUMB =
  "M2 10h4v11H2zM8 21V10l4.2-7.4c1.7 0 2.8 1.5 2.4 3.1L13.8 9H20a2 2 0 0 1 2 2.4l-1.5 7.9A2 2 0 0 1 18.5 21z";
const LONGEST = 500;

/** Buttons for right and wrong, and a form for what is right. */
export function feedback(result) {
  const told = el("p", { class: "became", role: "status" });
  const buttons = new Map();
  const say = async (verdict, correction = "") => {
    try {
      const opinion = await post("feedback", { run_id: result.run_id, verdict, correction });
      for (const [name, one] of buttons)
        one.setAttribute("aria-pressed", String(name === (verdict === "up" ? "up" : "down")));
      told.replaceChildren(...worded(opinion.followed.join(" ")));
    } catch (error) {
      told.replaceChildren(problem(error));
    }
  };
  for (const [verdict, words] of [
    ["up", "Right"],
    ["down", "Wrong"],
  ]) {
    buttons.set(
      verdict,
      button([icon(THUMB, verdict), words], () => say(verdict), { class: "thumb", "aria-pressed": "false" }),
    );
  }
  return el(
    "section",
    { class: "feedback", "aria-label": "What the answer was worth" },
    el(
      "span",
      { class: "ask-worth" },
      result.outcome === "abstained" ? "Was it right to give no answer?" : "Was this right?",
    ),
    [...buttons.values()],
    correction(result, say),
    told,
  );
}

function correction(result, say) {
  const id = `correction-${result.run_id}`;
  const box = el("input", { id, maxlength: LONGEST, autocomplete: "off" });
  const form = el(
    "form",
    { class: "correction" },
    el("label", { for: id }, "The right short answer"),
    el("div", { class: "row" }, box, el("button", {}, "Send")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (box.value.trim()) say("correction", box.value.trim());
    else box.focus();
  });
  return el("details", {}, el("summary", {}, "Correct it"), form);
}

/** A text of the server, its commands as such. */
function worded(text) {
  return text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));
}
