"""What a chat model is asked to write an answer with, and how its reply is cleaned."""

import re
from collections.abc import Iterator, Sequence

from veridic.evidence.answering import held
from veridic.evidence.evidence import headed
from veridic.learning.lessons import told
from veridic.ports.chat import ChatModel, Prompt, Reply
from veridic.ports.shapes import Passage, ReadAnswer, Strip
from veridic.prompts import render
from veridic.runtime.run import Run
from veridic.state import GraphState
from veridic.text.fences import defuse
from veridic.text.sentences import sentences

STRIPS_FOR_SMALL = 3
"""A model that follows no instructions does better with little text; measured, see docs/decisions.md."""
_PREAMBLE = re.compile(r"^(?:the )?answer(?: to (?:this|the|your) question)?(?: is)?\s*:\s*", re.IGNORECASE)


def cleaned(reply: Reply) -> str:
    """The reply without a preamble, what it says again, and a cut last sentence, unless it is the only one."""
    text = _PREAMBLE.sub("", reply.text.strip())
    if not reply.finished and len(written := sentences(text)) > 1:
        text = text[: written[-2].end]
    return _said_once(text)


def _said_once(text: str) -> str:
    """A text without the sentences that stand in it before: small models repeat themselves."""
    said, told, at = set[str](), "", 0
    for one in sentences(text):
        told += "" if one.text in said else text[at : one.end]
        said.add(one.text)
        at = one.end
    return told + text[at:]


def refused(unsettled: Sequence[str]) -> str:
    """What a prompt says of sentences that the evidence does not bear out; empty when there are none."""
    if not unsettled:
        return ""
    return "These statements are not in the text, do not repeat them: " + " ".join(map(defuse, unsettled[:3]))


def prompts_of(state: GraphState, run: Run, chat: ChatModel, strips: list[Strip]) -> Iterator[tuple[Prompt, bool]]:
    """Each prompt of an attempt, and whether it is to be answered at some temperature.

    All strips at once, for each candidate, the first at temperature 0; then the best passages one by one.
    """
    joint = _prompt(state, chat, strips)
    yield from ((joint, number > 0) for number in range(run.context.candidates))
    if state["needs_evidence"] and state["intent"] != "summary" and chat.follows_instructions:
        ranked = sorted(strips, key=lambda strip: -(strip["score"] or 0.0))
        passages = {strip["passage"]["id"]: strip["passage"] for strip in ranked}
        yield from ((_single(passage, state), False) for passage in list(passages.values())[: run.method.per_passage])


def _single(passage: Passage, state: GraphState) -> Prompt:
    """The words for one passage alone: small models read one better than many."""
    text, question = defuse(headed(passage, passage["text"])), defuse(state["standalone"])
    return render("segment", passage=text, question=question, refused=refused(state["unsettled"]))


def _prompt(state: GraphState, chat: ChatModel, strips: list[Strip]) -> Prompt:
    """The words for this attempt; what an earlier one got wrong is named, so the prompt differs."""
    if not state["needs_evidence"]:
        return render("direct", question=state["standalone"])
    refusal = refused(state["unsettled"])
    if not chat.follows_instructions:
        best = sorted(strips, key=lambda strip: -(strip["score"] or 0.0))[:STRIPS_FOR_SMALL]
        passages = "\n\n".join(defuse(strip["text"]) for strip in strips if strip in best)
        return render("answer_small", passages=passages, question=defuse(state["standalone"]), refused=refusal)
    passages = "\n\n".join(
        defuse(f"[{number}] {headed(strip['passage'], strip['text'])}") for number, strip in enumerate(strips, start=1)
    )
    lessons = (told(lesson, strips, state["standalone"]) for lesson in state["lessons"])
    return render(
        "answer",
        passages=passages,
        question=defuse(state["standalone"]),
        read=_in_view(state["readings"]),
        refused=refusal,
        lessons="\n".join(dict.fromkeys(filter(None, lessons))),
    )


def _in_view(readings: list[ReadAnswer]) -> str:
    """What was read, for a writer to check and tell."""
    found = [f'"{defuse(reading["text"])}"' for reading in held(readings)]
    return f"A reader found in the passages: {'; '.join(found)}. Say it if the passages state it." if found else ""
