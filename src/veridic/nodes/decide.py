"""Self-RAG's Retrieve: whether evidence is needed, as a probability."""

from veridic.ports.shapes import Analysis, Usage
from veridic.prompts import render
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.reflection import reflected

TOKENS = 8
"""Enough for a model to say whether it wants to retrieve."""


def decide(state: GraphState, run: Run) -> StateUpdate:
    """Write whether evidence is needed: as the run chose, else from its threshold on.

    A model trained for it is asked; of any other the analysis of the question tells the probability.
    """
    if run.context.retrieval != "auto":
        return {"needs_evidence": run.context.retrieval == "always"}
    need, usage = _asked(state, run)
    analysis = Analysis(**{**state["analysis"], "need": need})
    return {"needs_evidence": need >= run.method.retrieve_from, "analysis": analysis, "usage": usage}


def _asked(state: GraphState, run: Run) -> tuple[float, Usage]:
    chat = run.chat
    if chat is None or not chat.reflects or run.spent(state["usage"]):
        return state["analysis"]["need"], Usage()
    prompt = render("reflective", question=state["standalone"], so_far="", passage="")
    until = run.context.written_until(state["deadline"])
    reply = chat.write(prompt, max_tokens=TOKENS, temperature=0.0, seed=0, deadline=until)
    told = reflected(reply.text).retrieve
    return state["analysis"]["need"] if told is None else told, reply.usage()
