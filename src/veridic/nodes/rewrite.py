"""Turn the question into search queries, different ones on each correction."""

from veridic.evidence.answering import lacking
from veridic.evidence.evidence import tokens
from veridic.evidence.outcomes import may_be_given
from veridic.ports.shapes import Unavailable, Usage
from veridic.prompts import render
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.questions import by_rules, keeps_entities

TOO_LATE = "Too little of the time budget was left to ask outside."


def rewrite(state: GraphState, run: Run) -> StateUpdate:
    """Write the next queries to `pending`; none when every way of asking has been tried.

    The documents are not asked again where there is an answer that may be given: in them no better one is found then.
    The queries ask for the part of the question that was not found, where another was. A query that loses a name or
    number of it is refused, so is one already made in the place it would go to: outside when a source may be asked,
    else the knowledge base.
    """
    out = {gone["source"] for gone in state["unavailable"]}
    left = [name for name in run.allowed_sources() if name not in out]
    late = run.resources.clock.now() >= run.context.outside_until(state["deadline"])
    outside = [] if late else left
    tried = {sent["query"] for sent in state["sent"]} if outside else set(state["queries"])
    sought = next(iter(lacking(state["readings"])), state["standalone"])
    # whether nothing may be given, verified or flagged, or what may leaves a part of the question out
    unanswered = lacking(state["readings"]) or not any(may_be_given(one, state, run) for one in state["candidates"])
    again = bool(outside or unanswered)
    written, usage = _written(sought, state, run) if again else ([], Usage())
    made = filter(None, (*written, *by_rules(sought, bare=bool(outside))))
    fitting = (query for query in made if query not in tried and keeps_entities(sought, query))
    pending = [query for query in [next(fitting, None)] if query and again]
    return {
        "asking": outside,
        "pending": pending,
        "queries": [*state["queries"], *pending],
        "searched": True,
        "asked_again": state["asked_again"] if outside else [*state["asked_again"], *pending],
        "unavailable": [Unavailable(source=name, reason=TOO_LATE) for name in left if late],
        "usage": usage,
    }


def _written(question: str, state: GraphState, run: Run) -> tuple[list[str], Usage]:
    """A model's queries, when it follows instructions."""
    chat = run.chat
    if chat is None or not chat.follows_instructions:
        return [], Usage()
    prompt = render("rewrite", question=question, tried="\n".join(state["queries"]))
    room, until = 2 * tokens(question) + 64, run.context.aside_until(run.resources.clock.now(), state["deadline"])
    reply = chat.attempt(prompt, max_tokens=room, temperature=0.3, seed=state["retries"], deadline=until)
    lines = [line.strip(" -*\"'0123456789.") for line in reply.text.splitlines()]
    return [line for line in lines if line], reply.usage()
