"""Self-RAG's Retrieve: whether evidence is needed, as a probability, before each sentence that is written."""

from veridic.evidence.segments import EMPTY, text_of
from veridic.ports.shapes import Analysis, Beam, Usage, merge_usage
from veridic.prompts import render
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

TOKENS = 8
"""Enough for a model to say whether it wants to retrieve."""


def decide(state: GraphState, run: Run) -> StateUpdate:
    """Write whether evidence is needed for what is written next, and the queries that look for it.

    As the run chose, else from its threshold on. A model trained for it is asked; of any other the analysis of the
    question tells the probability, and in mid-answer what `grade_segments` doubts is looked for.
    """
    return _again(state, run) if state["beams"] else _first(state, run)


def _first(state: GraphState, run: Run) -> StateUpdate:
    """A model trained for it writes by sentences without evidence, too, so that each is decided on."""
    trained = run.chat is not None and run.chat.reflects
    beams = [EMPTY] if trained else []
    if run.context.retrieval != "auto":
        return {"needs_evidence": run.context.retrieval == "always", "beams": beams}
    told, usage = _asked(EMPTY, state, run) if trained else (None, Usage())
    need = state["analysis"]["need"] if told is None else told
    analysis = Analysis(**{**state["analysis"], "need": need})
    return {"needs_evidence": need >= run.method.retrieve_from, "analysis": analysis, "beams": beams, "usage": usage}


def _again(state: GraphState, run: Run) -> StateUpdate:
    """For each answer that goes on, by the question and its last sentence, or the one that is doubted (section 3.3).

    Nothing is asked twice in a run.
    """
    queries, usage = list[str](), Usage()
    for beam in state["beams"]:
        if beam["done"]:
            continue
        needs, cost = _needs(beam, {**state, "usage": merge_usage(state["usage"], usage)}, run)
        usage = merge_usage(usage, cost)
        sought = beam["doubted"] or next((one["text"] for one in beam["segments"][-1:]), "")
        query = f"{state['standalone']} {sought}".strip()
        if needs and query not in (*state["queries"], *queries):
            queries.append(query)
    return {
        "needs_evidence": state["needs_evidence"] or bool(queries),
        "pending": queries,
        "queries": [*state["queries"], *queries],
        "searched": state["searched"] or bool(queries),
        "usage": usage,
    }


def _needs(beam: Beam, state: GraphState, run: Run) -> tuple[bool, Usage]:
    """Whether evidence is needed for the next sentence of an answer."""
    if run.context.retrieval != "auto":
        return run.context.retrieval == "always", Usage()
    told, usage = _asked(beam, state, run)
    return bool(beam["doubted"]) if told is None else told >= run.method.retrieve_from, usage


def _asked(beam: Beam, state: GraphState, run: Run) -> tuple[float | None, Usage]:
    """P(evidence is needed next), as a model trained for it says; None where there is none, or it does not say."""
    chat = run.chat
    if chat is None or not chat.reflects or run.spent(state["usage"]):
        return None, Usage()
    prompt = render("reflective", question=state["standalone"], so_far=text_of(beam), passage="")
    until = run.context.written_until(state["deadline"])
    reply = chat.write(prompt, max_tokens=TOKENS, temperature=0.0, seed=0, deadline=until, probabilities=True)
    return (reply.reflection.retrieve if reply.reflection else None), reply.usage()
