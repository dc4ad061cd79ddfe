/** The conversation: a question box, runs as they go on, answers. */

import { Problem, stream } from "./api.js";
import { answer, early } from "./answer.js";
import { chosen } from "./choices.js";
import { announce, el, problem } from "./dom.js";
import { Progress } from "./progress.js";
import { closeSource } from "./source.js";
import { OUTCOMES } from "./words.js";

/** Messages of a conversation that are sent with a question, at most. */
const REMEMBERED = 40;

const form = document.getElementById("ask-form");
const box = document.getElementById("question");
const conversation = document.getElementById("conversation");
const [send, stop, anew] = ["send", "stop", "anew"].map((id) => document.getElementById(id));

let messages = [];
let running = null;

/** Make the box ask. */
export function readyToAsk() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    ask();
  });
  box.addEventListener("input", grow);
  stop.addEventListener("click", () => running?.abort());
  anew.addEventListener("click", begin);
}

function grow() {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, 240)}px`;
}

function begin() {
  running?.abort();
  messages = [];
  conversation.replaceChildren();
  document.body.classList.remove("talking");
  anew.hidden = true;
  closeSource();
  box.focus();
}

async function ask() {
  const question = box.value.trim();
  if (!question || running) return;
  const turn = opened(question);
  const progress = new Progress();
  turn.append(progress.node);
  document.getElementById("choices").open = false;
  box.value = "";
  grow();
  running = new AbortController();
  busy(true);
  try {
    await answered(question, turn, progress, running.signal);
  } catch (error) {
    ended(turn, progress, error);
  } finally {
    running = null;
    busy(false);
  }
}

/** A turn of the conversation, with the question as its heading. */
function opened(question) {
  document.body.classList.add("talking");
  const number = conversation.childElementCount + 1;
  const title = el("h2", { class: "asked", id: `turn-${number}` }, question);
  const turn = el("article", { class: "turn", "aria-labelledby": `turn-${number}` }, title);
  conversation.append(turn);
  turn.scrollIntoView({ block: "start" });
  return turn;
}

async function answered(question, turn, progress, signal) {
  let body = null;
  const show = (nodes) => {
    const fresh = el("div", { class: "answer" }, nodes);
    body ? body.replaceWith(fresh) : turn.append(fresh);
    body = fresh;
    progress.done();
  };
  for await (const item of stream("ask", request(question), signal)) {
    progress.show(item);
    if (item.event === "outcome") show(early(item.content));
    if (item.event === "result") return finished(question, item.content, show, progress);
  }
  throw new Problem({ problem: "The answer broke off.", mend: "See that the server runs, then ask again." });
}

function finished(question, result, show, progress) {
  show(answer(result));
  progress.node.remove();
  messages.push({ role: "user", content: question }, { role: "assistant", content: result.answer });
  messages = messages.slice(-REMEMBERED);
  anew.hidden = false;
  announce(`${OUTCOMES[result.outcome].words}. ${result.short_answer || result.answer}`);
}

function request(question) {
  const asked = { role: "user", content: question };
  return { ...chosen(), ...(messages.length ? { messages: [...messages, asked] } : { question }) };
}

function ended(turn, progress, error) {
  progress.done();
  if (error.name === "AbortError") {
    turn.append(el("p", { class: "aside" }, "Stopped. The server ends the run."));
    announce("Stopped.");
    return;
  }
  turn.append(problem(error));
  announce(error.problem ?? "Something failed.");
}

function busy(is) {
  document.getElementById("view-ask").setAttribute("aria-busy", String(is));
  send.hidden = is;
  stop.hidden = !is;
  if (is && document.activeElement === send) stop.focus();
  else if (!is && document.activeElement === document.body) box.focus();
}
