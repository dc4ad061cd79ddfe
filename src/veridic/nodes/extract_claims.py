"""Take atomic claims from the answer, and choose where each is looked up (Hybrid Self-RAG)."""

from collections.abc import Sequence

from veridic.prompts import render
from veridic.protocols import ChatModel, Prompt, Run
from veridic.shapes import CHECKED, CORPUS, AtomicClaim, Candidate, Sentence, Usage
from veridic.state import GraphState, LookUpTask, StateUpdate
from veridic.support.details import missing_names, missing_numbers
from veridic.support.evidence import says_otherwise, tokens
from veridic.support.statements import bare_decision
from veridic.support.topics import Topic, places_for, topics_of
from veridic.text.claim_list import CLAIMS_SCHEMA, listed_claims
from veridic.text.claims import atomic, query_for, standing_alone
from veridic.text.facts import names
from veridic.text.fences import defuse

PER_SOURCE = 3
"""Claims sent to one outside source in one run."""

SECONDS = 20.0
"""For all looking up together, within the run's own deadline less its reserve."""


def extract_claims(state: GraphState, run: Run) -> StateUpdate:
    """Write the claims and what is to be looked up; once a report is there, the returned answer's and nothing."""
    again = state["fact_report"] is not None
    told = self_contained(_to_check(state, run, again=again), state["candidates"])
    split, usage = _split(told, state, run)
    claims = list({claim["text"]: claim for claim in split}.values())
    return {
        "claims": claims,
        "look_ups": [] if again else _look_ups(claims, state, run),
        "usage": usage,
    }


def self_contained(checked: list[Sentence], candidates: Sequence[Candidate]) -> list[AtomicClaim]:
    """Each sentence once, with its text able to stand alone: pronouns replaced where that is safe.

    A bare yes or no claims what was asked; `critique` has judged it so, and nothing can be looked up by it.
    """
    wanted = {sentence["text"] for sentence in checked}
    told: dict[str, AtomicClaim] = {}
    for candidate in candidates:
        before = ""
        for sentence in candidate["sentences"]:
            heading = sentence["citations"][0]["title"] if sentence["citations"] else ""
            before = standing_alone(sentence["text"], before, heading)
            if sentence["text"] in wanted and not bare_decision(sentence["text"]):
                told.setdefault(sentence["text"], AtomicClaim(text=before, sentence=sentence["text"]))
    return list(told.values())


def accepted(listed: Sequence[tuple[int, str]], told: Sequence[AtomicClaim]) -> list[AtomicClaim]:
    """A model's claims (number of the sentence, text), in the sentences' order.

    A sentence stands as it is when one of its claims says something else, or when together they lose a name or number.
    """
    found: list[AtomicClaim] = []
    for number, one in enumerate(told, start=1):
        claims = [claim for place, claim in listed if place == number]
        changed = any(says_otherwise(claim, one["text"]) for claim in claims)
        together = "\n".join(claims)
        lost = missing_names(one["text"], together) or missing_numbers(one["text"], together)
        kept = [one["text"]] if changed or lost or not claims else claims
        found.extend(AtomicClaim(text=claim, sentence=one["sentence"]) for claim in dict.fromkeys(kept))
    return found


def _to_check(state: GraphState, run: Run, *, again: bool) -> list[Sentence]:
    """The sentences to check: the answer's, or those of the last attempt that the evidence left open."""
    answer = next((candidate for candidate in state["candidates"] if candidate["holds"]), None)
    if answer and (again or run.context.validate_claims == "always"):
        return answer["sentences"]
    every = [sentence for candidate in state["candidates"] for sentence in candidate["sentences"]]
    return [sentence for sentence in every if sentence["text"] in state["unsettled"]]


def _split(told: list[AtomicClaim], state: GraphState, run: Run) -> tuple[list[AtomicClaim], Usage]:
    """The sentences split by a model that follows instructions, if it may be asked and has not failed, or by rules."""
    chat, listed, usage = run.chat, list[tuple[int, str]](), Usage()
    failed = any(failure["node"] == "extract_claims" for failure in state["failures"])
    if told and chat and chat.follows_instructions and not failed and not run.spent(state["usage"]):
        listed, usage = _asked(chat, told, run.context.written_until(state["deadline"]))
    if listed:
        return accepted(listed, told), usage
    return [AtomicClaim(text=text, sentence=one["sentence"]) for one in told for text in atomic(one["text"])], usage


def _asked(chat: ChatModel, told: list[AtomicClaim], deadline: float) -> tuple[list[tuple[int, str]], Usage]:
    sentences = "\n".join(f"[{number}] {defuse(one['text'])}" for number, one in enumerate(told, start=1))
    reply = chat.write(
        Prompt(*render("claims", sentences=sentences)),
        max_tokens=3 * tokens(sentences) + 64,
        temperature=0.0,
        seed=0,
        deadline=deadline,
        schema=CLAIMS_SCHEMA,
    )
    return listed_claims(reply.text), reply.usage()


def _topics(claims: list[AtomicClaim], question: str, run: Run) -> list[Topic]:
    """The topic of each claim; of one that names nothing and speaks for none, that of the question."""
    if not claims:
        return []
    *own, asked = topics_of([*(claim["text"] for claim in claims), question], run.resources.embedder.embed)
    return [
        asked if topic == "general" and not names(claim["text"]) else topic
        for claim, topic in zip(claims, own, strict=True)
    ]


def _look_ups(claims: list[AtomicClaim], state: GraphState, run: Run) -> list[LookUpTask]:
    """A task a claim and place: the knowledge base, unless it is the fallback, then outside while it may be asked."""
    deadline = min(run.context.written_until(state["deadline"]), run.resources.clock.now() + SECONDS)
    last = min(deadline, run.context.outside_until(state["deadline"]))
    out = {gone["source"] for gone in state["unavailable"]}
    allowed = [name for name in run.allowed_sources() if name not in out]
    own = claims[:CHECKED] if run.context.dense == "beside" else []
    tasks = [
        LookUpTask(run_id=state["run_id"], claim=claim["text"], source=CORPUS, query="", deadline=deadline)
        for claim in own
    ]
    checked = claims[:CHECKED] if allowed else []
    for claim, topic in zip(checked, _topics(checked, state["standalone"], run), strict=True):
        query = query_for(claim["text"])
        for source in places_for(claim["text"], topic, allowed):
            if query and sum(task["source"] == source for task in tasks) < PER_SOURCE:
                tasks.append(
                    LookUpTask(run_id=state["run_id"], claim=claim["text"], source=source, query=query, deadline=last)
                )
    return tasks
