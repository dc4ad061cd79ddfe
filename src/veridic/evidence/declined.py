"""What is said in place of an answer, with what the user can do."""

from veridic.evidence.answering import missed
from veridic.evidence.telling import named, nothing_at
from veridic.ports.shapes.messages import Intent
from veridic.runtime.run import Run
from veridic.state import GraphState

DECLINED: dict[Intent, str] = {
    "arithmetic": "I can't compute that: I take + - * / and percent, and nothing can be divided by zero.",
    "other language": "I can't answer this: my judges know English only. Please ask in English.",
}
"""What is said where such a message gets no answer."""


def declined(state: GraphState, run: Run) -> str:
    """What is said instead of an answer, with what the user can do."""
    if state["intent"] in DECLINED:
        return DECLINED[state["intent"]]
    if state["intent"] == "unclear":
        return f"Which do you mean: {' or '.join(f'“{one}”' for one in state['queries'])}?"
    if why := missed(state["readings"]):
        return f"I don't know. {why}"
    if state["stopped_by"] == "time":
        return "I don't know: the time was over before an answer was found. Give the run a larger `time_budget`."
    if state["documents"] or state["strips"]:
        return "I don't know: what was found does not answer this question."
    places = run.asked_of()
    if places is not None and not _holds_any(run):
        return f"I don't know. {nothing_at(places)}"
    status = run.knowledge.status()
    if status.index == "empty" and not run.allowed_sources():
        return (
            "I don't know: the knowledge base is empty and no outside source is allowed. "
            "Documents come in by `veridic ingest PATH`; outside sources are allowed by the setting `sources`."
        )
    where = "" if places is None or run.allowed_sources() else f" at {named(places)}"
    return f"I don't know: nothing was found{where} that helps to answer this question."


def _holds_any(run: Run) -> bool:
    """Whether this run could ask any document, or cannot tell."""
    deadline = run.resources.clock.now() + run.context.time_budget
    return run.knowledge.titles(limit=0, deadline=deadline)[1] != 0
