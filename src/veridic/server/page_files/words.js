/** The words of the result, as people say them. */

/** Phases of a run, with their nodes. */
const PHASES = {
  "Understanding the question": ["analyze", "decide"],
  "Remembering earlier questions": ["recall"],
  "Looking in your documents": ["retrieve", "take", "search_claims", "fall_back"],
  "Opening the document": ["open_document"],
  "Judging what was found": ["evaluate"],
  "Wording the search anew": ["rewrite"],
  "Asking outside sources": ["search"],
  "Keeping what helps": ["refine"],
  "Reading for the answer": ["read"],
  "Writing an answer": ["generate", "draft", "write_segments", "reply"],
  "Checking every sentence": ["reopen", "critique", "grade_segments", "judge_claims"],
  "Checking claims once more": ["extract_claims", "look_up", "validate"],
  "Choosing the answer": ["finish", "give", "give_best", "report"],
  "Deciding what to remember": ["write_back", "write_all", "accept", "log", "review"],
  "Taking the text apart": ["open_text", "split_text"],
};
const PHASE = new Map(Object.entries(PHASES).flatMap(([phase, nodes]) => nodes.map((node) => [node, phase])));

/** Nodes that a phase of several says too little of. */
const STEPS = {
  decide: "Deciding whether evidence is needed",
  recall: "Recalling what earlier runs taught",
  fall_back: "Falling back on the documents",
  look_up: "Looking a claim up",
  grade_segments: "Grading sentences",
  log: "Writing the run down",
};

/** What is done while a node runs; several nodes in a row may be one phase. */
export const phase = (node) => PHASE.get(node) ?? node.replaceAll("_", " ");

/** What one node does. */
export const step = (node) => STEPS[node] ?? phase(node);

/** Of an outcome: its sign, its words, and what they mean. */
export const OUTCOMES = {
  accepted: { sign: "✓", words: "Verified", tone: "good" },
  corrected: { sign: "✓", words: "Verified after a second look", tone: "good" },
  partial: { sign: "≈", words: "Answered in part", tone: "partly" },
  abstained: { sign: "–", words: "No answer", tone: "none" },
  unverified: { sign: "!", words: "Not verified", tone: "unsure" },
};

/** Of a sentence or claim: its sign and its words. */
export const VERDICTS = {
  supported: { sign: "✓", words: "supported", tone: "good" },
  quoted: { sign: "✓", words: "quoted", tone: "good" },
  partly: { sign: "≈", words: "partly supported", tone: "partly" },
  contradicted: { sign: "✗", words: "contradicted", tone: "bad" },
  unsupported: { sign: "?", words: "not supported", tone: "partly" },
  not_found: { sign: "?", words: "not found", tone: "partly" },
  unverified: { sign: "·", words: "not verified", tone: "unsure" },
};

/** By what a run was stopped: in short, and in full. */
export const STOPPED = {
  retries: ["No attempt is left.", "Every further attempt that the run may make was made."],
  time: ["Ended early.", "The time that the run may take ran out."],
  tokens: ["Ended early.", "The tokens that the run may use ran out."],
  calls: ["Ended early.", "The calls of the chat model that the run may make ran out."],
};

/** Why a part of a text is no claim. */
export const NO_STATEMENT = new Set(["question", "heading", "code", "no words"]);

/** Why nothing is said of a sentence. */
export const UNJUDGED = {
  question: "it asks and states nothing",
  heading: "it is a heading",
  code: "it is code",
  "no words": "it has no words",
  table: "tables are not read",
  foreign: "it is in a language that the judges do not know",
  "too long": "it is too long to be read at once",
  "no time": "the time ran out",
  "judge failed": "the judge failed",
  changed: "the run was changed from outside",
};

export const STATUSES = {
  review: "waits for review",
  probation: "on probation",
  active: "counts",
  rejected: "rejected",
  withdrawn: "withdrawn",
};

export const ORIGINS = {
  chat: "written by the chat model",
  extractive: "sentences as they stand",
  read: "read in the evidence",
  reply: "a reply without documents",
};
export const ACTIONS = {
  correct: "Judged to answer the question.",
  ambiguous: "Judged to answer the question only perhaps.",
  incorrect: "Judged not to answer the question.",
};
export const KINDS = { human: "document", generated: "learned answer", outside: "found outside" };

export const percent = (share) => `${Math.round(share * 100)}%`;
export const seconds = (value) => (value < 0.005 ? "under 0.01 s" : `${value.toFixed(2)} s`);
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** A moment as a day; the text as it is where it is none. */
export function day(moment) {
  const date = new Date(moment);
  return Number.isNaN(date.getTime())
    ? moment
    : date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** A number of bytes. */
export function size(bytes) {
  const [unit, by] = bytes >= 1e6 ? ["MB", 1e6] : ["kB", 1e3];
  return `${(bytes / by).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
