/** Building what is seen: nodes and their texts alone, so that nothing of a document or an answer can act. */

const SVG = "http://www.w3.org/2000/svg";

/** An element; `on…` listens, `class`, `data-…` and the rest are attributes, false and null are left out. */
export function el(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
  return node;
}

/** An icon of one path, for eyes alone. */
export function icon(path, kind = "") {
  const svg = document.createElementNS(SVG, "svg");
  const drawn = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon ${kind}`);
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

/** A button that does something. */
export function button(label, act, given = {}) {
  return el("button", { type: "button", onclick: act, ...given }, label);
}

/** A place of the web as a link to it; any other address as the text that it is. */
export function address(url, label = url) {
  if (!webAddress(url)) return el("span", { class: "address" }, label);
  return el("a", { class: "address", href: url, rel: "noopener noreferrer", target: "_blank" }, label);
}

function webAddress(url) {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}

/** A disclosure. */
export function details(summary, ...content) {
  return el("details", {}, el("summary", {}, summary), ...content);
}

/** A list with a row for each; null where there is none. */
export function items(list, row, given = {}) {
  const rows = list.map((one) => row(one));
  return rows.length ? el("ul", given, rows) : null;
}

/** Terms and what is said of them; pairs without a value are left out. */
export function terms(pairs) {
  const given = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return el(
    "dl",
    { class: "terms" },
    given.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** A probability as a bar with its number. */
export function score(value) {
  if (value === null || value === undefined) return el("span", { class: "score none" }, "not judged");
  const bar = el("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.max(0, Math.min(1, value))));
  return el("span", { class: "score" }, bar, value.toFixed(2));
}

/** An error as a person can use it: what is wrong, and what to do. */
export function problem(error) {
  return el(
    "p",
    { class: "problem" },
    el("strong", {}, error.problem ?? "The page met something it does not know."),
    " ",
    error.mend ?? String(error),
  );
}

/** A text with its words apart by one space each. */
export const worded = (text) => text.replace(/\s+/g, " ").trim();

/** Say something to who listens and does not see; the newest alone. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}

/** A text whose pieces are named by offsets in characters, as the server counts them: code points. */
export class Characters {
  constructor(text) {
    this.text = text;
    this.points = /[\ud800-\udfff]/.test(text) ? Array.from(text) : null;
  }

  get length() {
    return this.points ? this.points.length : this.text.length;
  }

  slice(start, end) {
    return this.points ? this.points.slice(start, end).join("") : this.text.slice(start, end);
  }

  /** Where a piece begins, from an offset on; -1 where it does not stand. */
  find(piece) {
    const at = this.text.indexOf(piece);
    return at < 0 || !this.points ? at : Array.from(this.text.slice(0, at)).length;
  }
}
