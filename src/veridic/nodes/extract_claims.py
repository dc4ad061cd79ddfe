"""Take atomic claims from the answer, and say where each is looked up (Hybrid Self-RAG)."""

from collections.abc import Sequence

from veridic.evidence.answering import declines
from veridic.evidence.grounding import bare_decision
from veridic.evidence.outcomes import chosen_of, doubt_of
from veridic.ports.shapes import CHECKED, CORPUS, AtomicClaim, Sentence, Usage
from veridic.prompts.splitting import split_by
from veridic.runtime.run import Run
from veridic.state import GraphState, LookUpTask, StateUpdate
from veridic.text.questions import query_for

PER_SOURCE = 3
"""Claims sent to one outside source in one run."""

SECONDS = 20.0
"""For all looking up together, within the run's own deadline less its reserve."""


def extract_claims(state: GraphState, run: Run) -> StateUpdate:
    """Write the claims and what is to be looked up; once a report is there, the returned answer's and nothing."""
    again = state["fact_report"] is not None
    told = claims_of(_to_check(state, run, again=again))
    split, usage = _split(told, state, run)
    claims = list({claim["text"]: claim for claim in split}.values())
    return {
        "claims": claims,
        "look_ups": [] if again else _look_ups(claims, state, run),
        "usage": usage,
    }


def claims_of(checked: Sequence[Sentence]) -> list[AtomicClaim]:
    """Each sentence once, as a claim.

    A bare yes or no claims what was asked; `critique` has judged it so, and nothing can be looked up by it.
    """
    said = dict.fromkeys(one["text"] for one in checked if not bare_decision(one["text"]))
    return [AtomicClaim(text=text, sentence=text) for text in said]


def _to_check(state: GraphState, run: Run, *, again: bool) -> list[Sentence]:
    """The sentences to check: where all are, those of the best answer that does not decline, be it given or not.

    What a capable model wrote stands before what is quoted: a quotation is looked up for nothing. Where it was written
    again, those of the answer that would be given. Else what the last attempt's evidence left open.
    """
    if again or run.context.validate_claims == "always":
        given = chosen_of(state, run, doubt_of(state, run)) if again else None
        said = [given] if given else [one for one in state["candidates"] if not declines(one)]
        return said[0]["sentences"] if said else []
    every = [sentence for candidate in state["candidates"] for sentence in candidate["sentences"]]
    return [sentence for sentence in every if sentence["text"] in state["unsettled"]]


def _split(told: list[AtomicClaim], state: GraphState, run: Run) -> tuple[list[AtomicClaim], Usage]:
    """The sentences, split by a model that follows instructions if it may be asked and has not failed."""
    chat = run.chat
    failed = any(failure["node"] == "extract_claims" for failure in state["failures"])
    if told and chat and chat.follows_instructions and not failed and not run.spent(state["usage"]):
        return split_by(chat, told, deadline=run.context.written_until(state["deadline"]))
    return told, Usage()


def _look_ups(claims: list[AtomicClaim], state: GraphState, run: Run) -> list[LookUpTask]:
    """A task a claim and place: the knowledge base, unless it is the fallback, then outside while it may be asked."""
    deadline = min(run.context.written_until(state["deadline"]), run.resources.clock.now() + SECONDS)
    last = min(deadline, run.context.outside_until(state["deadline"]))
    out = {gone["source"] for gone in state["unavailable"]}
    allowed = [name for name in run.allowed_sources() if name not in out]
    own = claims[:CHECKED] if run.method.dense == "beside" else []
    tasks = [
        LookUpTask(run_id=state["run_id"], claim=claim["text"], source=CORPUS, query="", deadline=deadline)
        for claim in own
    ]
    checked = claims[:CHECKED] if allowed else []
    for claim in checked:
        query = query_for(claim["text"], state["standalone"])
        for source in allowed:
            if query and sum(task["source"] == source for task in tasks) < PER_SOURCE:
                tasks.append(
                    LookUpTask(run_id=state["run_id"], claim=claim["text"], source=source, query=query, deadline=last)
                )
    return tasks
