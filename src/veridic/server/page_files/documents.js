/** Documents: listed, opened, uploaded, removed. */

import { get, path, remove, upload } from "./api.js";
import { forgetChoices } from "./choices.js";
import { confirmed } from "./dialog.js";
import { announce, button, el, items, problem } from "./dom.js";
import { showJobs } from "./jobs.js";
import { manages } from "./session.js";
import { forgetSources, openDocument } from "./source.js";
import { counted, day, STATUSES } from "./words.js";

const uploading = document.getElementById("upload");
const place = document.getElementById("documents");

/** Ask for the documents and show them. */
export async function showDocuments() {
  if (manages() && !uploading.childElementCount) uploading.append(...taking());
  await Promise.all([showList(), showJobs(showList)]);
}

async function showList() {
  try {
    place.replaceChildren(listed(await get("documents")));
  } catch (error) {
    place.replaceChildren(error.kind === "StoreMissing" ? listed([]) : problem(error));
  }
}

function listed(documents) {
  if (!documents.length) return el("p", { class: "empty" }, "There is none yet.");
  return el(
    "div",
    {},
    el("p", { class: "count" }, counted(documents.length, "document")),
    el("ul", { class: "documents" }, documents.map(row)),
  );
}

function row(one) {
  const about = [
    counted(one.characters, "character"),
    counted(one.chunks, "passage"),
    `taken in ${day(one.ingested_at)}`,
    one.status === "active" ? "" : (STATUSES[one.status] ?? one.status),
  ];
  const title = button(one.title || one.url, (event) => openDocument(one, event.currentTarget), {
    class: "link title",
  });
  const out = manages()
    ? button("Remove", () => removing(one), { class: "quiet", "aria-label": `Remove ${one.title || one.url}` })
    : null;
  return el(
    "li",
    { class: "card row-card" },
    el(
      "div",
      {},
      el("h2", {}, title),
      el("p", { class: "where" }, one.url),
      el("p", { class: "where" }, about.filter(Boolean).join(" · ")),
    ),
    out,
  );
}

/** Where files are dropped or chosen, and what became of them. */
function taking() {
  const report = el("div", { class: "report", role: "status" });
  const input = el("input", { type: "file", id: "files", multiple: true });
  const zone = el(
    "div",
    { class: "drop" },
    el("label", { for: "files" }, "Take in documents"),
    el("p", { class: "hint" }, "Drop files here, or choose them. Those of the same name are replaced."),
    input,
  );
  input.addEventListener("change", () => taken([...input.files], report, input));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.toggle("over", kind === "dragover");
      if (kind === "drop") taken([...event.dataTransfer.files], report, input);
    });
  }
  return [zone, report];
}

async function taken(files, report, input) {
  if (!files.length) return;
  report.replaceChildren(el("p", { class: "waiting" }, `Taking in ${counted(files.length, "file")} …`));
  try {
    const told = await upload("documents", files);
    report.replaceChildren(...said(told));
    changed();
    await showDocuments();
  } catch (error) {
    report.replaceChildren(problem(error));
  } finally {
    input.value = "";
  }
}

const name = (place) => place.split(/[\\/]/).at(-1);

/** What an upload came to, file by file. */
function said(report) {
  if (!report.unreadable) return [problem(report)];
  const groups = [
    ["Taken in", report.added],
    ["Replaced", report.replaced],
    ["Unchanged", report.unchanged],
    ["Not there", report.missing],
  ];
  const good = groups
    .filter(([, files]) => files.length)
    .map(([what, files]) => el("p", {}, el("strong", {}, `${what}: `), files.map(name).join(", ")));
  const bad = report.unreadable.map((one) =>
    el("p", { class: "problem" }, el("strong", {}, `${name(one.path)} was not taken in. `), one.reason),
  );
  const skipped = report.skipped.map((path) =>
    el("p", { class: "problem" }, el("strong", {}, `${name(path)} was skipped. `), report.reasons[path]),
  );
  const gone = report.withdrawn.length ? [el("p", {}, withdrawn(report.withdrawn.length))] : [];
  return [...good, ...skipped, ...bad, ...gone];
}

const withdrawn = (count) =>
  `${counted(count, "learned answer")} that rested on it ${count === 1 ? "was" : "were"} withdrawn.`;

async function removing(one) {
  if (await confirmed("Remove this document?", consequences(one, await resting(one)), "Remove it")) await removed(one);
}

/** The learned answers that would be withdrawn with a document. */
async function resting(one) {
  const held = await get("records?status=active,probation,review").catch(() => []);
  return held
    .map(({ record }) => record)
    .filter((record) => record?.sources.some((source) => source.document_id === one.id));
}

function consequences(one, records) {
  const questions = items(records, (record) => el("li", {}, record.question));
  return el(
    "div",
    {},
    el(
      "p",
      {},
      `“${one.title || one.url}” is asked no more. `,
      "A file that was uploaded here is deleted; any other stays where it is.",
    ),
    el(
      "p",
      {},
      questions ? `Withdrawn with it: ${counted(records.length, "learned answer")}.` : "No learned answer rests on it.",
    ),
    questions,
  );
}

async function removed(one) {
  try {
    const told = await remove(`documents/${path(one.id)}`);
    const also = told.withdrawn.length ? ` ${withdrawn(told.withdrawn.length)}` : "";
    const words = `${one.title || one.url} was removed.${also}`;
    changed();
    await showDocuments();
    place.prepend(el("p", { class: "became" }, words));
    announce(words);
    document.getElementById("documents-title").focus();
  } catch (error) {
    place.prepend(problem(error));
  }
}

function changed() {
  forgetSources();
  forgetChoices();
}
