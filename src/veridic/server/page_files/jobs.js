/** Files that were queued: how many wait, what became of them, and why some failed; who manages has them tried again. */

import { get, post } from "./api.js";
import { button, el, items, problem } from "./dom.js";
import { manages } from "./session.js";
import { counted, day } from "./words.js";

const AGAIN = 3000;
const NEWEST = 20;
const NONE = ["UsageError", "StoreMissing"];
const STATES = { waiting: "waits", running: "is being taken in", done: "done", failed: "failed" };
const place = document.getElementById("jobs");
let looking = 0;
let ended = 0;

/** Show the queue, again and again while anything waits and the view is open; `changed` is called when a job is done. */
export async function showJobs(changed) {
  clearTimeout(looking);
  if (!manages()) return;
  try {
    const [queue, failed] = await Promise.all([get(`jobs?limit=${NEWEST}`), get("jobs?state=failed")]);
    const newest = queue.jobs.filter(({ state }) => state !== "failed");
    const again = () => showJobs(changed);
    place.replaceChildren(...shown(queue.counts, [...failed.jobs, ...newest], again));
    if (ended && queue.counts.done > ended) changed();
    ended = queue.counts.done;
    const open = document.body.dataset.view === "documents";
    if (open && queue.counts.waiting + queue.counts.running) looking = setTimeout(again, AGAIN);
  } catch (error) {
    place.replaceChildren(...(NONE.includes(error.kind) ? [] : [problem(error)]));
  }
}

function shown(counts, jobs, again) {
  if (!jobs.length) return [];
  const states = Object.keys(STATES).map((state) => `${counts[state].toLocaleString("en")} ${state}`);
  const all = counts.waiting + counts.running + counts.done + counts.failed;
  return [
    el("h2", {}, "Queued files"),
    el("progress", { max: all, value: counts.done + counts.failed, "aria-label": "Queued files that are dealt with" }),
    el("p", { class: "count" }, `${states.join(" · ")} · ${counted(counts.workers, "worker")}`),
    items(jobs, (job) => row(job, again), { class: "documents jobs" }),
  ];
}

function row(job, again) {
  const tried = job.attempts > 1 ? `tried ${counted(job.attempts, "time")}` : "";
  const about = [STATES[job.state], job.outcome, tried, day(job.changed_at)];
  const retry =
    job.state === "failed"
      ? button("Try again", () => retried(job, again), { class: "quiet", "aria-label": `Try ${job.path} again` })
      : null;
  return el(
    "li",
    { class: "card row-card" },
    el(
      "div",
      {},
      el("p", { class: "where" }, job.path),
      el("p", { class: "where" }, about.filter(Boolean).join(" · ")),
      job.reason ? el("p", { class: job.state === "failed" ? "problem" : "where" }, job.reason) : null,
    ),
    retry,
  );
}

async function retried(job, again) {
  try {
    await post(`jobs/${job.id}/retry`);
    await again();
  } catch (error) {
    place.prepend(problem(error));
  }
}
