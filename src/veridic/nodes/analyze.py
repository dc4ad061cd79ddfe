"""Open the question: check it, make it whole, reset what the last question left on the thread."""

from collections.abc import Sequence
from uuid import NAMESPACE_OID, uuid4, uuid5

from langchain_core.messages import AnyMessage
from langgraph.types import Overwrite

from veridic.evidence.analysis import NEEDLESS, analysis_of, queries_of
from veridic.evidence.evidence import tokens
from veridic.ports.judgements import Meant
from veridic.ports.shapes import Usage
from veridic.ports.shapes.messages import COURTESIES, FROM_DOCUMENTS, Intent
from veridic.prompts import render
from veridic.runtime.intents import intent_of, kind_of
from veridic.runtime.run import Run
from veridic.runtime.turns import LEANS_FROM, LONGEST_QUESTION, checked, leaned_on, meanings, message_asked, turns_of
from veridic.state import GraphState, StateUpdate, fresh
from veridic.text.hidden import clean
from veridic.text.kinds import without_request
from veridic.text.questions import is_time_sensitive, keeps_entities, keywords

FEWEST = 2
"""Words that carry a question which a chat model is not asked to make whole: "Why?" and "Are you sure?" have fewer."""
UNCLEAR = 0.3
"""P(a follow-up means what it most likely means) under which is asked back what is meant."""


def analyze(state: GraphState, run: Run) -> StateUpdate:
    """Write the question, what kind it is, its standalone form and the first queries.

    Of the message is kept what it shows. What a server lets be begun again is the same run, so that it is kept once.

    Raises `InvalidQuestion`, and `InvalidInput` where the conversation is none.
    """
    asked = message_asked(state)
    question = checked(asked.text)
    started = run.resources.clock.now()
    deadline = started + run.context.time_budget
    intent = _intent(question, run)
    earlier = leaned_on(state, asked, run.resources.messages) if intent in FROM_DOCUMENTS else []
    meant, usage = _standalone(question, earlier, run, deadline)
    unclear = run.context.retrieval == "auto" and meant[0].probability < UNCLEAR
    whole = question if unclear else meant[0].text
    intent = "unclear" if unclear else intent if whole == question else _intent(whole, run)
    standalone = without_request(whole)
    asks = unclear or intent in FROM_DOCUMENTS
    need = run.resources.messages.kinds(standalone)["question"] if asks else NEEDLESS
    analysis = analysis_of(
        standalone,
        run.resources.embedder,
        run.resources.messages,
        need=need,
        passages=run.context.passages,
        understood=meant[0].probability,
    )
    queries = [one.text for one in meant[:2]] if unclear else queries_of(standalone, analysis)
    run.emit({"event": "analysis", "node": "analyze", "analysis": analysis})
    return {
        **fresh(),
        "messages": [asked if clean(asked.text) == asked.text else asked.model_copy(update={"content": question})],
        "question": question,
        "answered": str(asked.id),
        "run_id": str(uuid5(NAMESPACE_OID, f"{run.begun} {question}") if run.begun else uuid4()),
        "started": started,
        "deadline": deadline,
        "standalone": standalone,
        "queries": queries,
        "pending": queries,
        "intent": intent,
        "analysis": analysis,
        "needs_evidence": intent in FROM_DOCUMENTS and _needs_evidence(standalone, run),
        "time_sensitive": is_time_sensitive(question) and bool(run.allowed_sources()),
        "usage": Overwrite(usage),  # type: ignore[typeddict-item]
    }


def _intent(question: str, run: Run) -> Intent:
    """What the message is; a question where the run settles whether to retrieve, or cannot open what is to be told."""
    intent = intent_of(question, run.resources.messages) if run.context.retrieval == "auto" else "question"
    return "question" if intent == "summary" and not run.opens_documents else intent


def _needs_evidence(question: str, run: Run) -> bool:
    """As the run chose; else of all but a task that needs no documents, where a model can do it."""
    if run.context.retrieval != "auto":
        return run.context.retrieval == "always"
    return not run.writes_well or kind_of(question, run.resources.messages) != "task"


def _standalone(question: str, said: Sequence[AnyMessage], run: Run, deadline: float) -> tuple[list[Meant], Usage]:
    """What the question may mean, the likeliest first: by a model that follows instructions, else by the judge.

    So it is where the model breaks off.
    """
    if not said:
        return [Meant(question, 1.0)], Usage()
    leaning, chat, usage = run.resources.messages.leans(question), run.chat, Usage()
    if leaning < LEANS_FROM and len(keywords(question)) >= FEWEST:
        return [Meant(question, 1.0 - leaning)], usage
    if chat is not None and chat.follows_instructions:
        conversation = "\n".join(f"{message.type}: {clean(message.text)}" for message in said)
        prompt = render("standalone", conversation=conversation, question=question)
        until = run.context.aside_until(run.resources.clock.now(), deadline)
        reply = chat.attempt(prompt, max_tokens=tokens(question) + 64, temperature=0.0, seed=0, deadline=until)
        written, usage = reply.text.strip().strip('"'), reply.usage()
        if reply.finished and written and keeps_entities(question, written) and len(written) < LONGEST_QUESTION:
            return [Meant(written, 1.0)], usage
    turns = [turn for turn in turns_of(said) if kind_of(turn.asked, run.resources.messages) not in COURTESIES]
    return meanings(question, turns, run.resources.messages), usage
