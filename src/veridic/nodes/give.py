"""Give the first candidate as it was written: how systems end that judge before writing, or not at all."""

from langchain_core.messages import AIMessage

from veridic.protocols import Run
from veridic.results import result_of, unjudged
from veridic.shapes import Candidate, Outcome, Sentence, Strip
from veridic.state import GraphState, StateUpdate
from veridic.support.answering import numbered
from veridic.support.evidence import cite, kept
from veridic.text.refusals import refuses

NOTHING = "I don't know."
UNCHECKED = "Nothing is checked here."


def give(state: GraphState, run: Run) -> StateUpdate:
    """Write the answer and the result; what it was written from is what it cites.

    Without a candidate, or with one that refuses, it abstains. Where its sentences were judged and hold: accepted.
    """
    copied = run.resources.chat is None or any(failure["node"] == "generate" for failure in state["failures"])
    written = [one for one in state["candidates"] if (copied or one["origin"] == "chat") and not one["partial"]]
    chosen = next(iter(written), None)
    answer = chosen["text"] if chosen else NOTHING
    outcome, reason = _outcome(chosen)
    found = _sentences(chosen, state) if chosen and outcome != "abstained" else unjudged(answer)
    result = result_of(state, run, answer, outcome, reason, found)
    run.emit({"event": "outcome", "node": "finish", "outcome": outcome, "text": answer, "sentences": found})
    reply = AIMessage(numbered(answer, found), id=f"answer-{state['run_id']}", additional_kwargs={"outcome": outcome})
    return {"answer": answer, "outcome": outcome, "result": result, "messages": [reply]}


def _outcome(chosen: Candidate | None) -> tuple[Outcome, str]:
    if chosen is None:
        return "abstained", "Nothing was found to write from."
    if refuses(chosen["text"]):
        return "abstained", "The model says that it does not know."
    if not chosen["sentences"]:
        return "unverified", UNCHECKED
    if chosen["holds"]:
        return "accepted", "Every sentence is supported by the evidence."
    return "unverified", "Not every sentence is supported by the evidence, or it does not answer the question."


def _sentences(chosen: Candidate, state: GraphState) -> list[Sentence]:
    """The sentences as they were judged; unjudged ones cite all that the writer read, copied ones what holds them."""
    if chosen["sentences"]:
        return chosen["sentences"]
    cited = [cite(strip) for strip in _sources(chosen, state)]
    return [Sentence(**{**sentence, "citations": cited}) for sentence in unjudged(chosen["text"])]


def _sources(chosen: Candidate, state: GraphState) -> list[Strip]:
    strips = kept(state["strips"])
    return [strip for strip in strips if chosen["origin"] == "chat" or chosen["text"] in strip["text"]]
