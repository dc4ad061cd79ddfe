"""What a person may want who sends a message."""

from typing import Literal, get_args

MessageKind = Literal["question", "task", "documents", "about", "greeting", "thanks", "farewell", "assent"]
"""`task` wants something made that needs no documents, `documents` a list of those that are held."""
KINDS: tuple[MessageKind, ...] = get_args(MessageKind)
COURTESIES: tuple[MessageKind, ...] = ("about", "greeting", "thanks", "farewell", "assent")
Intent = Literal["question", "unclear", "small talk", "arithmetic", "document list", "summary", "other language"]
"""`unclear` is a follow-up of which it is open what it means."""
FROM_DOCUMENTS: tuple[Intent, ...] = ("question", "summary")
"""What the documents are asked for."""
