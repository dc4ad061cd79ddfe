"""Chat models: one embedded that needs nothing, and any other by name."""

from veridic.models.chat.by_name import open_chat, open_grader
from veridic.models.chat.described import describe_chat

__all__ = ["describe_chat", "open_chat", "open_grader"]
