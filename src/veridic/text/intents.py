"""What kind of message a person sent: most are questions for the documents, some are not."""

from typing import Literal

from veridic.text.about_documents import asks_for_documents
from veridic.text.arithmetic import is_sum
from veridic.text.language import is_foreign
from veridic.text.small_talk import small_talk
from veridic.text.summaries import subject_of_request, to_summarise

Intent = Literal["question", "small talk", "arithmetic", "document list", "summary", "other language"]

FROM_DOCUMENTS: tuple[Intent, ...] = ("question", "summary")
"""What the documents are asked for."""


def intent_of(message: str) -> Intent:
    """The kind of a message; a question wherever there is doubt."""
    if small_talk(message):
        return "small talk"
    if is_sum(message):
        return "arithmetic"
    if asks_for_documents(message):
        return "document list"
    if to_summarise(message) or subject_of_request(message):
        return "summary"
    return "other language" if is_foreign(message) else "question"
