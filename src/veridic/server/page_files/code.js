/** Code that was quoted: shown as such without its fence, and to be copied. */

import { announce, button, el } from "./dom.js";

const FENCED = /^(`{3,}|~{3,})[^\n]*\n(?:[^]*\n)?\1[`~]*[ \t]*$/;
const FENCE_LINES = /^(?:`{3,}|~{3,})[^\n]*\n|\n(?:`{3,}|~{3,})[ \t]*$/g;
/** Milliseconds for which the button says that it copied. */
const SAID = 3000;

/** Whether a text is one block of fenced code. */
export const isFenced = (text) => FENCED.test(text.trim());

/** Code without the lines of a fence around it; any other text as it is. */
export const unfenced = (text) => (isFenced(text) ? text.trim().replace(FENCE_LINES, "") : text);

/** A block of code with a button that copies it; `given` are attributes of the block, which may open its source. */
export function codeBlock(text, given) {
  const block = el("pre", { tabindex: "0", ...given }, el("code", {}, unfenced(text)));
  return [block, button("Copy", (event) => copy(block, event.currentTarget), { class: "quiet copy" })];
}

/** A paragraph; where code stands in it a division, since no paragraph holds a block. */
export function paragraph(given, nodes) {
  const holdsBlock = nodes.some((node) => node.nodeName === "PRE");
  return el(holdsBlock ? "div" : "p", given, nodes);
}

async function copy(block, pressed) {
  const copied = await toClipboard(block);
  pressed.textContent = copied ? "Copied" : "Not copied: the code is selected";
  announce(copied ? "The code was copied." : "The browser does not copy; the code is selected.");
  setTimeout(() => (pressed.textContent = "Copy"), SAID);
}

/** Copy, and say whether that worked; the code is selected where the browser lends no clipboard (no HTTPS). */
async function toClipboard(block) {
  try {
    await navigator.clipboard.writeText(block.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(block);
    return document.execCommand("copy");
  }
}
