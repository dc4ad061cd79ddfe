/** A question to the person, over the page. */

import { el } from "./dom.js";

/** Whether the person says yes; the focus goes back to where it was. */
export function confirmed(title, content, yes) {
  return new Promise((resolve) => {
    const form = el(
      "form",
      { method: "dialog" },
      el("h2", { id: "dialog-title" }, title),
      content,
      el(
        "div",
        { class: "row end" },
        el("button", { value: "no", class: "quiet", autofocus: true }, "Cancel"),
        el("button", { value: "yes", class: "danger" }, yes),
      ),
    );
    const dialog = el("dialog", { "aria-labelledby": "dialog-title" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
