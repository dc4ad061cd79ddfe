"""Open the question: check it, make it whole, reset what the last question left on the thread."""

from uuid import uuid4

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage
from langgraph.types import Overwrite

from veridic.errors import InvalidInput, InvalidQuestion
from veridic.evidence.analysis import analysis_of
from veridic.evidence.evidence import tokens
from veridic.evidence.nearness import nearness
from veridic.ports.chat import Prompt
from veridic.ports.shapes import Usage
from veridic.prompts import render
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate, fresh
from veridic.text.fences import without_markers
from veridic.text.followups import Turn, leans_on_earlier, made_whole
from veridic.text.hidden import clean
from veridic.text.intents import FROM_DOCUMENTS, Intent, intent_of
from veridic.text.kinds import without_request
from veridic.text.questions import is_time_sensitive, keeps_entities, sub_questions

LONGEST_QUESTION = 4000
"""Characters; what is longer is a document, not a question."""

NEEDLESS = 0.01
"""P(evidence is needed) of what is no question for the documents."""

TURNS_READ = 6
"""Messages of the conversation that a follow-up may lean on."""

MOST_READ = 4 * TURNS_READ
"""With those before them that they lean on themselves."""


def analyze(state: GraphState, run: Run) -> StateUpdate:
    """Write the question, what kind it is, its standalone form and the first queries.

    Raises `InvalidQuestion`, and `InvalidInput` where the conversation is none.
    """
    asked = _asked(state)
    question = checked(asked.text)
    earlier = _leaned_on([message for message in _conversation(state) if message.id != asked.id])
    started = run.resources.clock.now()
    deadline = started + run.context.time_budget
    intent = _intent(question, run)
    whole, usage = _standalone(question, earlier if intent in FROM_DOCUMENTS else [], run, deadline)
    intent = intent if whole == question else _intent(whole, run)
    standalone = without_request(whole)
    analysis = analysis_of(standalone, intent, run.resources.embedder, passages=run.context.passages)
    run.emit({"event": "analysis", "node": "analyze", "analysis": analysis})
    return {
        **fresh(),
        "messages": [_without_hidden(asked, question)],
        "question": question,
        "answered": str(asked.id),
        "run_id": str(uuid4()),
        "started": started,
        "deadline": deadline,
        "standalone": standalone,
        "queries": (queries := [standalone, *sub_questions(standalone)]),
        "pending": queries,
        "intent": intent,
        "analysis": analysis,
        "needs_evidence": intent in FROM_DOCUMENTS and run.context.retrieval != "never",
        "time_sensitive": is_time_sensitive(question) and bool(run.allowed_sources()),
        "usage": Overwrite(usage),  # type: ignore[typeddict-item]
    }


def checked(question: str) -> str:
    """The question, clean and without the white space around it; raises `InvalidQuestion`."""
    given = question.strip()
    if not given:
        raise InvalidQuestion("The question is empty.", 'Ask one, such as "When was … founded?".')
    if len(given) > LONGEST_QUESTION:
        raise InvalidQuestion(
            f"The question has {len(given):,} characters; at most {LONGEST_QUESTION:,} can be asked.",
            "Put the text into a document, take that in, and ask about it.",
        )
    unreadable = sum(not character.isprintable() and character not in "\n\r\t" for character in given)
    text = clean(given).strip()
    if unreadable > len(given) // 20 or not any(character.isalnum() for character in text):
        raise InvalidQuestion("The question is not readable text.", "Send it as UTF-8 text.")
    return text


def _asked(state: GraphState) -> HumanMessage:
    """The message to answer: a question that was given, else the newest human message if it was not answered yet."""
    messages, question = _conversation(state), state.get("question", "")
    if not isinstance(question, str):
        raise InvalidQuestion("The question is no text.", 'Send it as {"question": "…"}.')
    last = messages[-1] if messages else None
    waits = isinstance(last, HumanMessage) and str(last.id) != state.get("answered")
    if isinstance(last, HumanMessage) and waits and _said(question) in ("", _said(last.text), _answered(state)):
        return last
    if "question" not in state:
        raise InvalidQuestion(
            "The question is empty.", 'Its key is `question`: {"question": "…"}, or `messages` that end with it.'
        )
    return HumanMessage(question, id=str(uuid4()))


def _answered(state: GraphState) -> str | None:
    """The question that the thread still holds from the last run; None where none was answered yet.

    One that cannot be told from it, as its message is gone, is taken for it.
    """
    if "answered" not in state:
        return None
    answered = (message for message in _conversation(state) if str(message.id) == state["answered"])
    return next((_said(message.text) for message in answered), _said(state.get("question", "")))


def _said(text: str) -> str:
    return clean(text).strip()


def _conversation(state: GraphState) -> list[AnyMessage]:
    """The messages of the thread; a client may have put something else in their place."""
    messages = state.get("messages", [])
    if not isinstance(messages, list) or not all(isinstance(message, BaseMessage) for message in messages):
        raise InvalidInput("The conversation holds something else than messages.", "Ask on a new thread.")
    return messages


def _leaned_on(said: list[AnyMessage]) -> list[AnyMessage]:
    """The newest messages, from a question on that stands alone, as far back as it is looked for."""
    for start in range(max(len(said) - TURNS_READ, 0), max(len(said) - MOST_READ, 0), -1):
        if isinstance(said[start], HumanMessage) and not leans_on_earlier(clean(said[start].text)):
            return said[start:]
    return said[-MOST_READ:]


def _without_hidden(asked: HumanMessage, question: str) -> HumanMessage:
    """The message as the thread keeps it: as it was sent, but for what was hidden in it."""
    return asked if clean(asked.text) == asked.text else asked.model_copy(update={"content": question})


def _intent(question: str, run: Run) -> Intent:
    """What the message is; a question where the run settles whether to retrieve, or cannot open what is to be told."""
    intent = intent_of(question) if run.context.retrieval == "auto" else "question"
    return "question" if intent == "summary" and not run.opens_documents else intent


def _standalone(question: str, earlier: list[AnyMessage], run: Run, deadline: float) -> tuple[str, Usage]:
    """The question made whole: by a model that follows instructions, by rules otherwise, or where it breaks off."""
    said = [message for message in earlier if clean(message.text).strip()]
    if not said or not leans_on_earlier(question):
        return question, Usage()
    by_rule = made_whole(question, _turns(said), nearness(run.resources.embedder))
    chat = run.chat
    if chat is None or not chat.follows_instructions:
        return by_rule, Usage()
    conversation = "\n".join(f"{message.type}: {clean(message.text)}" for message in said)
    prompt = Prompt(*render("standalone", conversation=conversation, question=question))
    until = run.context.aside_until(run.resources.clock.now(), deadline)
    reply = chat.attempt(prompt, max_tokens=tokens(question) + 64, temperature=0.0, seed=0, deadline=until)
    written = reply.text.strip().strip('"')
    fits = reply.finished and written and keeps_entities(question, written) and len(written) < LONGEST_QUESTION
    return written if fits else by_rule, reply.usage()


def _turns(said: list[AnyMessage]) -> list[Turn]:
    """The questions of a conversation with the first lines of their answers."""
    turns: list[Turn] = []
    for message in said:
        if isinstance(message, HumanMessage):
            turns.append(Turn(clean(message.text), ""))
        elif turns:
            turns[-1] = Turn(turns[-1].asked, without_markers(clean(message.text).strip().partition("\n")[0]))
    return turns
