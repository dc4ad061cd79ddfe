/** A run while it goes on: its phases as they come, what was found, drafts; said aloud only now and then. */

import { announce, el } from "./dom.js";
import { passage } from "./passages.js";
import { ACTIONS, counted, phase } from "./words.js";

/** Milliseconds between two things that are said aloud. */
const CALM = 2500;
/** Passages that are shown while the run goes on. */
const SHOWN = 5;

export class Progress {
  constructor() {
    this.steps = el("ol", { class: "steps" });
    this.found = el("div", { class: "found" });
    this.draft = el("p", { class: "draft", hidden: true });
    this.node = el("div", { class: "progress" }, this.steps, this.found, this.draft);
    this.phases = new Map();
    this.said = 0;
  }

  /** Show one event of the run. */
  show({ event, content }) {
    if (event === "waiting") this.#phase("Waiting for a place: others are answered first");
    else if (event === "step") this.#phase(phase(content.node));
    else if (event === "documents") this.#documents(content);
    else if (event === "token") this.#token(content);
  }

  /** It ended. */
  done() {
    this.steps.lastChild?.removeAttribute("aria-current");
    this.node.classList.add("done");
  }

  #phase(name) {
    const last = this.steps.lastChild;
    if (last?.dataset.phase === name) return;
    last?.removeAttribute("aria-current");
    const again = this.phases.get(name) ?? 0;
    this.phases.set(name, again + 1);
    const words = again ? `${name}, again` : name;
    this.steps.append(el("li", { "data-phase": name, "aria-current": "step" }, words));
    this.#say(words);
  }

  #say(words) {
    const now = performance.now();
    if (now - this.said < CALM) return;
    this.said = now;
    announce(words);
  }

  #documents({ documents, action }) {
    const best = documents.slice(0, SHOWN);
    if (!best.length) return;
    this.found.replaceChildren(
      el("p", { class: "found-title" }, `${counted(documents.length, "passage")} found. ${ACTIONS[action] ?? ""}`),
      el(
        "ul",
        {},
        best.map((one) => passage(one)),
      ),
    );
  }

  #token({ attempt = 0, candidate = 0, text }) {
    const which = `${attempt}/${candidate}`;
    if (this.draft.dataset.which !== which) {
      this.draft.dataset.which = which;
      this.draft.replaceChildren(el("strong", {}, `Draft ${attempt + 1}, not checked yet: `));
      this.draft.hidden = false;
    }
    this.draft.append(text);
  }
}
