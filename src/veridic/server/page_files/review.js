/** The review queue: what was learned, what it rests on, approved or rejected by a person. */

import { said } from "./answer.js";
import { get, path, post } from "./api.js";
import { announce, button, details, el, problem, score, terms } from "./dom.js";
import { Citations } from "./sentences.js";
import { manages } from "./session.js";
import { counted, day, STATUSES } from "./words.js";

const WAITING = "review,probation";
const place = document.getElementById("review");
let statuses = WAITING;

/** Ask for the queue and show it. */
export async function showReview() {
  try {
    const held = (await get(`records?status=${statuses}`)).filter((one) => one.record);
    place.replaceChildren(filter(), queue(held));
  } catch (error) {
    place.replaceChildren(
      error.kind === "StoreMissing" ? el("p", { class: "empty" }, "Nothing was learned yet.") : problem(error),
    );
  }
}

function filter() {
  const options = [
    [WAITING, "What waits"],
    ["active", "What counts"],
    ["rejected,withdrawn", "What counts no more"],
  ];
  const list = el(
    "select",
    { id: "review-status" },
    options.map(([value, words]) => el("option", { value, selected: value === statuses }, words)),
  );
  list.addEventListener("change", async () => {
    statuses = list.value;
    await showReview();
    document.getElementById("review-status")?.focus();
  });
  return el("div", { class: "field filter" }, el("label", { for: "review-status" }, "Show"), list);
}

function queue(held) {
  if (!held.length)
    return el("p", { class: "empty" }, statuses === WAITING ? "Nothing waits for you." : "There is none.");
  return el("div", {}, el("p", { class: "count" }, counted(held.length, "answer")), held.map(card));
}

function card({ record, answer, confirmed, events }) {
  const citations = new Citations();
  const title = el("h2", { id: `record-${record.id}`, tabindex: "-1" }, record.question);
  const words = answer
    ? said(answer, record.short_answer, record.sentences, citations)
    : [el("p", { class: "told" }, record.short_answer)];
  const chip = el("span", { class: `chip ${record.status}` }, STATUSES[record.status]);
  const article = el(
    "article",
    { class: "card record", "aria-labelledby": title.id },
    el("div", { class: "card-head" }, title, chip),
    words,
    citations.list(),
    terms([
      ["Learned", day(record.written_at)],
      ["Leaves", record.expires_at ? day(record.expires_at) : ""],
      ["Confirmed", confirmed ? counted(confirmed, "time") : ""],
    ]),
    details("Scores and what became of it", scores(record.scores), became(events)),
  );
  if (manages() && ["review", "probation", "active"].includes(record.status))
    article.append(deciding(record, article, chip));
  return article;
}

const scores = (all) => terms(Object.entries(all).map(([name, value]) => [name, score(value)]));

function became(events) {
  const rows = events.map((one) =>
    el("li", {}, el("strong", {}, one.event), ` on ${day(one.happened_at)}. ${one.reason}`),
  );
  return el("ol", { class: "events" }, rows);
}

/** Approve, or reject with a reason. */
function deciding(record, article, chip) {
  const id = `why-${record.id}`;
  const why = el("input", { id, maxlength: "500", autocomplete: "off" });
  const told = el("div", { role: "status" });
  const settle = async (how, content) => {
    try {
      const [status] = Object.values(await post(`records/${path(record.id)}/${how}`, content));
      settled(status, article, chip, place);
    } catch (error) {
      told.replaceChildren(problem(error));
    }
  };
  const rejecting = el(
    "form",
    { class: "rejecting" },
    el("label", { for: id }, "Why (may be empty)"),
    el("div", { class: "row" }, why, el("button", { class: "danger" }, "Reject it")),
  );
  rejecting.addEventListener("submit", (event) => {
    event.preventDefault();
    settle("reject", { reason: why.value.trim() });
  });
  const approve = record.status === "active" ? null : button("Approve", () => settle("approve"), { class: "approve" });
  const place = el("div", { class: "deciding" }, approve, details("Reject …", rejecting), told);
  return place;
}

function settled(status, article, chip, place) {
  chip.className = `chip ${status}`;
  chip.textContent = STATUSES[status];
  const words =
    status === "active" ? "Approved: it counts from now on." : `It is ${STATUSES[status]} now, and counts no more.`;
  place.replaceChildren(el("p", { class: "became" }, words));
  announce(words);
  const next = article.nextElementSibling?.querySelector("h2") ?? article.querySelector("h2");
  next.focus();
}
