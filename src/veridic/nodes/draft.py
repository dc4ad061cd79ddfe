"""Write from what the model knows, where nothing was found: a first answer whose claims are then checked outside."""

from veridic.evidence.answering import draft as unjudged
from veridic.ports.shapes import Candidate, Usage, merge_usage
from veridic.prompts import render
from veridic.prompts.writing import cleaned
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.answers import refuses
from veridic.text.fences import defuse


def draft(state: GraphState, run: Run) -> StateUpdate:
    """Add several answers of the model, the first at temperature 0; none without a model, or where it does not know."""
    chat = run.chat
    failed = any(failure["node"] == "draft" for failure in state["failures"])
    prompt = render("draft", question=defuse(state["standalone"]))
    written, usage = list[Candidate](), Usage()
    for number in range(run.context.candidates if chat and not failed else 0):
        if chat is None or run.spent(merge_usage(state["usage"], usage)):
            break
        reply = chat.write(
            prompt,
            max_tokens=run.context.answer_tokens,
            temperature=0.0 if number == 0 else 0.7,
            seed=number,
            deadline=run.context.written_until(state["deadline"]),
        )
        usage = merge_usage(usage, reply.usage())
        written.append(unjudged(cleaned(reply), "chat"))
    told = {one["text"]: one for one in written if not refuses(one["text"])}
    return {"candidates": list(told.values()), "attempt": state["attempt"] + 1, "usage": usage}
