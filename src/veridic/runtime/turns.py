"""The turns of a conversation: the message that is asked, and those before it that it may lean on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage

from veridic.errors import InvalidInput, InvalidQuestion
from veridic.ports.judgements import Meant
from veridic.ports.judging import MessageJudge
from veridic.text.fences import without_markers
from veridic.text.hidden import clean

LONGEST_QUESTION = 4000
"""Characters; what is longer is a document, not a question."""
TURNS_READ = 6
"""Messages of the conversation that a follow-up may lean on."""
MOST_READ = 4 * TURNS_READ
"""With those before them that they lean on themselves."""
LEANS_FROM = 0.3
"""P(a question leans on what was said before it) from which it is taken to."""


@dataclass(frozen=True)
class Turn:
    """A question of a conversation as it was asked, and the first line of its answer; empty where there was none."""

    asked: str
    answered: str


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


def message_asked(state: Mapping[str, Any]) -> HumanMessage:
    """The message to answer: a question that was given, else the newest human message if it was not answered yet.

    Raises `InvalidQuestion`, and `InvalidInput` where the conversation is none.
    """
    messages, question = _conversation(state), state.get("question", "")
    if not isinstance(question, str):
        raise InvalidQuestion("The question is no text.", 'Send it as {"question": "…"}.')
    last = messages[-1] if messages else None
    waits = isinstance(last, HumanMessage) and str(last.id) != state.get("answered")
    if isinstance(last, HumanMessage) and waits and _said(question) in ("", _said(last.text), _answered(state)):
        return last
    if "question" not in state:
        asks = last is None or isinstance(last, HumanMessage)
        raise InvalidQuestion(
            "The question is empty." if asks else "The last message is not a user's, and asks nothing.",
            'Its key is `question`: {"question": "…"}, or `messages` that end with it.',
        )
    return HumanMessage(question, id=str(uuid4()))


def leaned_on(state: Mapping[str, Any], asked: HumanMessage, judge: MessageJudge) -> list[AnyMessage]:
    """The newest messages before the one that is asked, from a question on that stands alone; none that is empty."""
    said = [message for message in _conversation(state) if message.id != asked.id and _said(message.text)]
    for start in range(max(len(said) - TURNS_READ, 0), max(len(said) - MOST_READ, 0), -1):
        if isinstance(said[start], HumanMessage) and not leans(clean(said[start].text), judge):
            return said[start:]
    return said[-MOST_READ:]


def leans(question: str, judge: MessageJudge) -> bool:
    """Whether a question is taken to lean on what was said before it."""
    return judge.leans(question) >= LEANS_FROM


def turns_of(said: Sequence[AnyMessage]) -> list[Turn]:
    """The questions of a conversation with the first lines of their answers."""
    turns: list[Turn] = []
    for message in said:
        if isinstance(message, HumanMessage):
            turns.append(Turn(clean(message.text), ""))
        elif turns:
            turns[-1] = Turn(turns[-1].asked, without_markers(_said(message.text).partition("\n")[0]))
    return turns


def meanings(question: str, turns: Sequence[Turn], judge: MessageJudge) -> list[Meant]:
    """What a question may mean after the turns before it, the likeliest first; itself where it may stand alone.

    Each turn is understood by the one before it.
    """
    asked = answer = ""
    for turn in turns:
        asked, answer = _meant(turn.asked, asked, answer, judge)[0].text, turn.answered
    return _meant(question, asked, answer, judge)


def _meant(question: str, asked: str, answer: str, judge: MessageJudge) -> list[Meant]:
    leaning = judge.leans(question) if asked else 0.0
    found = judge.meant(question, asked, answer) if leaning >= LEANS_FROM else []
    return found or [Meant(question, 1.0 - leaning)]


def _conversation(state: Mapping[str, Any]) -> list[AnyMessage]:
    """The messages of the thread; a client may have put something else in their place."""
    messages = state.get("messages", [])
    if not isinstance(messages, list) or not all(isinstance(message, BaseMessage) for message in messages):
        raise InvalidInput("The conversation holds something else than messages.", "Ask on a new thread.")
    return messages


def _answered(state: Mapping[str, Any]) -> str | None:
    """The question that the thread still holds from the last run; None where none was answered yet.

    One that cannot be told from it, as its message is gone, is taken for it.
    """
    if "answered" not in state:
        return None
    answered = (message for message in _conversation(state) if str(message.id) == state["answered"])
    return next((_said(message.text) for message in answered), _said(state.get("question", "")))


def _said(text: str) -> str:
    return clean(text).strip()
