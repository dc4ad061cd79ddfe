"""What to do with a message: most are questions for the documents, some are not. English."""

from veridic.ports.judging import MessageJudge
from veridic.ports.shapes.messages import COURTESIES, Intent, MessageKind
from veridic.text.arithmetic import is_sum
from veridic.text.language import is_foreign
from veridic.text.summaries import subject_of_request, to_summarise

QUESTION_FROM = 0.1
"""P(a message is a question for the documents) from which it is taken for one.

Of 577 kept questions, most of which look like something else, two have less; of 335 other messages 74 %.
"""


def kind_of(message: str, judge: MessageJudge) -> MessageKind:
    """The likeliest kind of a message; a question wherever there is doubt. Raises what `MessageJudge.kinds` raises."""
    sure = judge.kinds(message)
    return "question" if sure["question"] >= QUESTION_FROM else max(sure, key=lambda kind: sure[kind])


def intent_of(message: str, judge: MessageJudge) -> Intent:
    """What a message wants of Veridic. Raises what `MessageJudge.kinds` raises."""
    if is_sum(message):
        return "arithmetic"
    if to_summarise(message) or subject_of_request(message):
        return "summary"
    kind = kind_of(message, judge)
    if kind in COURTESIES:
        return "small talk"
    if kind == "documents":
        return "document list"
    return "other language" if is_foreign(message) else "question"
