"""Answer what is no question for the documents: greetings, sums, which documents there are."""

from veridic.evidence.answering import draft
from veridic.exporting.declining import nothing_at
from veridic.ports.shapes.messages import MessageKind
from veridic.runtime.intents import kind_of
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.arithmetic import computed

TITLES = 20
"""Documents that are named."""

ABILITY = (
    "I answer questions from your documents, check every sentence I give against them, and say so when they do not "
    "hold the answer."
)
LEADS: dict[MessageKind, str] = {
    "greeting": f"Hello! {ABILITY}",
    "about": f"I am Veridic. {ABILITY}",
    "thanks": "You are welcome!",
    "assent": "All right.",
    "farewell": "Goodbye!",
}


def reply(state: GraphState, run: Run) -> StateUpdate:
    """Write the program's own words as the only candidate; none where it has to decline."""
    text = _text(state, run)
    return {"candidates": [draft(text, "reply")] if text else []}


def _text(state: GraphState, run: Run) -> str | None:
    """What to say; None to a sum that cannot be computed, to what is unclear, and in a language no judge knows."""
    match state["intent"]:
        case "small talk":
            return _courtesy(state, run)
        case "arithmetic":
            return computed(state["question"])
        case "document list":
            return _documents(state, run)
    return None


def _courtesy(state: GraphState, run: Run) -> str:
    said = kind_of(state["question"], run.resources.messages)
    if said == "farewell":
        return LEADS[said]
    _, held = run.knowledge.titles(limit=0, deadline=state["deadline"])
    return f"{LEADS[said]} {_asking(held, run)}"


def _asking(held: int | None, run: Run) -> str:
    if held is None:
        return "Ask me what your documents say."
    if not held:
        places = run.asked_of()
        return (
            "I hold no documents yet: they come in by `veridic ingest PATH`." if places is None else nothing_at(places)
        )
    return f"Ask me about the {_counted(held)} I hold."


def _documents(state: GraphState, run: Run) -> str:
    titles, held = run.knowledge.titles(limit=TITLES, deadline=state["deadline"])
    if held is None:
        return f"I can't list my documents: a retriever of your own finds them. {_asking(held, run)}"
    if not held:
        return _asking(held, run)
    named = "".join(f"\n- {' '.join(title.split())}" for title in titles)
    more = f"\n- and {held - len(titles):,} more" if held > len(titles) else ""
    return f"I hold {_counted(held)}:\n{named}{more}"


def _counted(held: int) -> str:
    return "1 document" if held == 1 else f"{held:,} documents"
