"""Open the question: check it, make it whole, reset what the last question left on the thread."""

from collections.abc import Sequence
from functools import partial
from uuid import uuid4

from langchain_core.messages import AnyMessage
from langgraph.types import Overwrite

from veridic.evidence.analysis import analysis_of, queries_of
from veridic.evidence.evidence import tokens
from veridic.evidence.turns import LONGEST_QUESTION, checked, leaned_on, message_asked, turns_of
from veridic.ports.chat import Prompt
from veridic.ports.embedding import cosines
from veridic.ports.shapes import Usage
from veridic.prompts import render
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate, fresh
from veridic.text.followups import leans_on_earlier, made_whole
from veridic.text.hidden import clean
from veridic.text.intents import FROM_DOCUMENTS, Intent, intent_of
from veridic.text.kinds import without_request
from veridic.text.questions import is_time_sensitive, keeps_entities, keywords

FEWEST = 2
"""Words that carry a question which a chat model is not asked to make whole: "Why?" and "Are you sure?" have fewer."""


def analyze(state: GraphState, run: Run) -> StateUpdate:
    """Write the question, what kind it is, its standalone form and the first queries.

    Of the message is kept what it shows.

    Raises `InvalidQuestion`, and `InvalidInput` where the conversation is none.
    """
    asked = message_asked(state)
    question = checked(asked.text)
    started = run.resources.clock.now()
    deadline = started + run.context.time_budget
    intent = _intent(question, run)
    earlier = leaned_on(state, asked) if intent in FROM_DOCUMENTS else []
    whole, usage = _standalone(question, earlier, run, deadline)
    intent = intent if whole == question else _intent(whole, run)
    standalone = without_request(whole)
    analysis = analysis_of(standalone, intent, run.resources.embedder, passages=run.context.passages)
    queries = queries_of(standalone, analysis)
    run.emit({"event": "analysis", "node": "analyze", "analysis": analysis})
    return {
        **fresh(),
        "messages": [asked if clean(asked.text) == asked.text else asked.model_copy(update={"content": question})],
        "question": question,
        "answered": str(asked.id),
        "run_id": str(uuid4()),
        "started": started,
        "deadline": deadline,
        "standalone": standalone,
        "queries": queries,
        "pending": queries,
        "intent": intent,
        "analysis": analysis,
        "needs_evidence": intent in FROM_DOCUMENTS and run.context.retrieval != "never",
        "time_sensitive": is_time_sensitive(question) and bool(run.allowed_sources()),
        "usage": Overwrite(usage),  # type: ignore[typeddict-item]
    }


def _intent(question: str, run: Run) -> Intent:
    """What the message is; a question where the run settles whether to retrieve, or cannot open what is to be told."""
    intent = intent_of(question) if run.context.retrieval == "auto" else "question"
    return "question" if intent == "summary" and not run.opens_documents else intent


def _standalone(question: str, said: Sequence[AnyMessage], run: Run, deadline: float) -> tuple[str, Usage]:
    """The question made whole: by a model that follows instructions, by rules otherwise, or where it breaks off."""
    leans, chat = leans_on_earlier(question), run.chat
    near = partial(cosines, run.resources.embedder)
    by_rule = made_whole(question, turns_of(said), near) if said and leans else question
    short = len(keywords(question)) < FEWEST
    if not said or not (leans or short) or chat is None or not chat.follows_instructions:
        return by_rule, Usage()
    conversation = "\n".join(f"{message.type}: {clean(message.text)}" for message in said)
    prompt = Prompt(*render("standalone", conversation=conversation, question=question))
    until = run.context.aside_until(run.resources.clock.now(), deadline)
    reply = chat.attempt(prompt, max_tokens=tokens(question) + 64, temperature=0.0, seed=0, deadline=until)
    written = reply.text.strip().strip('"')
    fits = reply.finished and written and keeps_entities(question, written) and len(written) < LONGEST_QUESTION
    return written if fits else by_rule, reply.usage()
