/** What a run may choose: the system, how strict, how often again, which sources, which documents. */

import { get } from "./api.js";
import { el, problem } from "./dom.js";
import { condition } from "./session.js";

/** Documents that are listed to choose from, at most. */
const MANY = 200;
const STRICT = { loose: "Answers more, errs more", normal: "Normal", strict: "Answers less, errs less" };

const disclosure = document.getElementById("choices");
const place = document.getElementById("choices-form");
let drawn = false;

/** Draw the choices once somebody looks for them. */
export function readyToChoose() {
  disclosure.addEventListener("toggle", async () => {
    if (!disclosure.open || drawn) return;
    try {
      const [choices, documents, state] = await Promise.all([
        get("choices"),
        get("documents").catch(none),
        condition(),
      ]);
      place.replaceChildren(...fields(choices, documents, state));
      drawn = true;
    } catch (error) {
      place.replaceChildren(problem(error));
    }
  });
}

/** Documents were added or removed: what there is to choose from is drawn anew. */
export function forgetChoices() {
  drawn = false;
  disclosure.open = false;
}

/** What was chosen, as a request says it; nothing where nobody looked. */
export function chosen() {
  const value = (name) => place.querySelector(`[name="${name}"]`)?.value;
  if (!value("system")) return {};
  const context = {
    strictness: value("strictness"),
    max_retries: Number(value("max_retries")),
    ...sources(),
    ...scope(),
  };
  return { system: value("system"), context };
}

const none = (error) => {
  if (error.status === 404) return [];
  throw error;
};

function sources() {
  const boxes = [...place.querySelectorAll('[name="source"]')];
  const picked = boxes.filter((one) => one.checked);
  return picked.length === boxes.length ? {} : { sources: picked.map((one) => one.value) };
}

function scope() {
  const picked = [...place.querySelectorAll('[name="document"]:checked')];
  return picked.length ? { scope: picked.map((one) => one.value) } : {};
}

function fields({ systems, context }, documents, state) {
  const { strictness, max_retries: retries } = context.properties;
  return [
    picked("system", "System", Object.entries(systems), "veridic"),
    picked(
      "strictness",
      "Strictness",
      strictness.enum.map((one) => [one, STRICT[one] ?? one]),
      strictness.default,
    ),
    field(
      "max_retries",
      "Further attempts",
      el("input", {
        type: "number",
        name: "max_retries",
        id: "choose-max_retries",
        min: retries.minimum,
        max: retries.maximum,
        value: retries.default,
      }),
    ),
    outside(state.sources),
    within(documents),
  ];
}

function field(name, label, control) {
  return el("div", { class: "field" }, el("label", { for: `choose-${name}` }, label), control);
}

function picked(name, label, options, first) {
  const list = options.map(([value, words]) => el("option", { value, selected: value === first }, words));
  return field(name, label, el("select", { name, id: `choose-${name}` }, list));
}

function outside(names) {
  const boxes = names.map((name) => box("source", name, name, true));
  const none = el("p", { class: "hint" }, "This server allows none.");
  return el("fieldset", {}, el("legend", {}, "Outside sources that may be asked"), names.length ? boxes : none);
}

function within(documents) {
  if (!documents.length) return null;
  const boxes = documents.slice(0, MANY).map((one) => box("document", one.id, one.title || one.url, false));
  const more =
    documents.length > MANY ? el("p", { class: "hint" }, `The first ${MANY} of ${documents.length} are listed.`) : null;
  return el(
    "fieldset",
    {},
    el("legend", {}, "Ask only these documents (none chosen: all)"),
    el("div", { class: "boxes" }, boxes),
    more,
  );
}

function box(name, value, label, checked) {
  return el("label", { class: "box" }, el("input", { type: "checkbox", name, value, checked }), " ", label);
}
