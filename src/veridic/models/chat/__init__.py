"""Chat models: one embedded that needs nothing, and any other by name."""

from veridic.models.chat.by_name import describe_chat, open_chat, open_grader

__all__ = ["describe_chat", "open_chat", "open_grader"]
