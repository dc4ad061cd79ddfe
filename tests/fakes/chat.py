"""A chat model that says what it was told to say."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from veridic.errors import VeridicError
from veridic.ports.chat import Prompt, Reply


class ScriptedChat:
    """Gives its replies one after the other, or always the same, or raises; it keeps every prompt.

    A word is a token.
    """

    name = "scripted"

    def __init__(
        self,
        replies: Iterable[str] = (),
        *,
        always: str = "",
        error: VeridicError | None = None,
        follows_instructions: bool = False,
        reflects: bool = False,
    ) -> None:
        self.prompts: list[Prompt] = []
        self.schemas: list[Mapping[str, Any] | None] = []
        self.follows_instructions = follows_instructions
        self.reflects = reflects
        self._replies = deque(replies)
        self._always = always
        self._error = error

    def prepare(self, progress: Callable[[int, int], None] = lambda _done, _total: None) -> None:
        if self._error:
            raise self._error

    def write(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float,
        seed: int,
        deadline: float,
        on_token: Callable[[str], None] = lambda _: None,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        self.prompts.append(prompt)
        self.schemas.append(schema)
        if self._error:
            raise self._error
        if deadline <= time.time():
            return Reply("", len(prompt.user) // 4, 0, finished=False)
        words = (self._replies.popleft() if self._replies else self._always).split(" ")
        for number, word in enumerate(words[:max_tokens]):
            on_token(f" {word}" if number else word)
        text = " ".join(words[:max_tokens])
        return Reply(text, len(prompt.user) // 4, len(text) // 4, finished=len(words) <= max_tokens)
