/** Who asks here and what the server allows: asked for once, known to every part of the page. */

import { get } from "./api.js";

let known = null;

/** The condition of the server, as it was told first; `anew` asks again. Throws `Problem`. */
export function condition(anew = false) {
  if (anew || !known) {
    known = get("condition");
    known.then(allow, () => (known = null));
  }
  return known;
}

/** Whether who asks manages documents and reviews. */
export const manages = () => document.body.dataset.role === "manages";

function allow({ caller }) {
  document.body.dataset.role = caller.role;
}
