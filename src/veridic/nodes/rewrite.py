"""Turn the question into search queries, different ones on each correction."""

from collections.abc import Iterator

from veridic.prompts import render
from veridic.protocols import Prompt, Run
from veridic.shapes import Unavailable, Usage
from veridic.state import GraphState, StateUpdate
from veridic.support.answering import lacking
from veridic.support.evidence import tokens
from veridic.support.topics import places_for_question, topics_of
from veridic.text.facts import entities
from veridic.text.questions import keeps_entities, keywords, proper_names

TOO_LATE = "Too little of the time budget was left to ask outside."


def rewrite(state: GraphState, run: Run) -> StateUpdate:
    """Write the next queries to `pending`; none when every way of asking has been tried.

    They ask for the part of the question that was not found, where another was. A query that loses a name or number of
    it is refused, so is one already made in the place it would go to: outside when a source may be asked, else the
    knowledge base.
    """
    outside, late = _outside(state, run)
    tried = {sent["query"] for sent in state["sent"]} if outside else set(state["queries"])
    sought = next(iter(lacking(state["readings"])), state["standalone"])
    written, usage = _written(sought, state, run)
    fitting = (
        query
        for query in [*written, *by_rules(sought, bare=bool(outside))]
        if query not in tried and keeps_entities(sought, query)
    )
    pending = [query for query in [next(fitting, None)] if query]
    return {
        "asking": outside,
        "pending": pending,
        "queries": [*state["queries"], *pending],
        "searched": True,
        "unavailable": [Unavailable(source=name, reason=TOO_LATE) for name in late],
        "usage": usage,
    }


def _outside(state: GraphState, run: Run) -> tuple[list[str], list[str]]:
    """The sources to ask, and those for which the time is over; one of them is empty.

    They are those the run names, else those of all allowed that fit the question; never one that failed before.
    """
    allowed = run.allowed_sources()
    fitting = _fitting(state["standalone"], allowed, run) if run.context.sources is None else allowed
    out = {gone["source"] for gone in state["unavailable"]}
    left = [name for name in fitting if name not in out]
    over = run.resources.clock.now() >= run.context.outside_until(state["deadline"])
    return ([], left) if over else (left, [])


def _fitting(question: str, allowed: list[str], run: Run) -> list[str]:
    if len(allowed) < 2:
        return allowed
    [topic] = topics_of([question], run.resources.embedder.embed)
    return places_for_question(topic, allowed)


def by_rules(question: str, *, bare: bool) -> Iterator[str]:
    """Queries made from the question's words: its keywords, its names first, the question itself.

    `bare` puts the keywords first, as search engines want them.
    """
    carried = keywords(question)
    named = [name.lower() for name in proper_names(question)]
    rest = [word for word in carried if not any(word in name.split() for name in named)]
    phrases = [" ".join(carried), " ".join([*named, *rest]), " ".join([*rest, *named])]
    yield from (phrases if bare else phrases[1:])
    yield question
    yield from phrases
    yield " ".join(sorted(entities(question)) or carried[:3])


def _written(question: str, state: GraphState, run: Run) -> tuple[list[str], Usage]:
    """A model's queries, when it follows instructions."""
    chat = run.chat
    if chat is None or not chat.follows_instructions:
        return [], Usage()
    prompt = Prompt(*render("rewrite", question=question, tried="\n".join(state["queries"])))
    room = 2 * tokens(question) + 64
    reply = chat.attempt(prompt, max_tokens=room, temperature=0.3, seed=state["retries"], deadline=state["deadline"])
    lines = [line.strip(" -*\"'0123456789.") for line in reply.text.splitlines()]
    return [line for line in lines if line], reply.usage()
