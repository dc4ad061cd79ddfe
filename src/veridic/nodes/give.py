"""Give the first candidate as it was written: how systems end that judge before writing, or not at all."""

from veridic.evidence.evidence import cite, kept
from veridic.exporting.results import given, unjudged
from veridic.ports.shapes import Candidate, Sentence
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def give(state: GraphState, run: Run) -> StateUpdate:
    """Write the answer and the result; what it was written from is what it cites.

    Without a candidate, or with one that refuses, it abstains. Where its sentences were judged and hold: accepted.
    """
    copied = run.chat is None or any(failure["node"] == "generate" for failure in state["failures"])
    written = [one for one in state["candidates"] if (copied or one["origin"] == "chat") and not one["partial"]]
    chosen = next(iter(written), None)
    return given(state, run, chosen, _sentences(chosen, state) if chosen else [])


def _sentences(chosen: Candidate, state: GraphState) -> list[Sentence]:
    """The sentences as they were judged; unjudged ones cite all that the writer read, copied ones what holds them."""
    if chosen["sentences"]:
        return chosen["sentences"]
    written = chosen["origin"] == "chat"
    cited = [cite(strip) for strip in kept(state["strips"]) if written or chosen["text"] in strip["text"]]
    return [Sentence(**{**sentence, "citations": cited}) for sentence in unjudged(chosen["text"])]
