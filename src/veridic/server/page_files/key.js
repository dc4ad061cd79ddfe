/** The form for a key, where the server asks for one. */

import { key } from "./api.js";
import { el, problem } from "./dom.js";

let open = null;

/** Ask for a key whenever the server refuses what it got; `known` is called once there is another. */
export function readyForKeys(known) {
  window.addEventListener("veridic:key", ({ detail }) => {
    open ??= asked(detail, known);
  });
}

function asked(error, known) {
  const wrong = key.get();
  const box = el("input", { id: "key", type: "password", autocomplete: "off", required: true, spellcheck: "false" });
  const form = el(
    "form",
    {},
    el("h2", { id: "key-title" }, wrong ? "Another key, please" : "This server asks for a key"),
    problem(error),
    el("label", { for: "key" }, "Your key"),
    box,
    el("p", { class: "hint" }, "It is kept in this tab until you close it, and sent to this server alone."),
    el("div", { class: "row end" }, el("button", {}, "Use it")),
  );
  const dialog = el("dialog", { "aria-labelledby": "key-title" }, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    key.set(box.value.trim());
    dialog.close();
    known();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    open = null;
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
