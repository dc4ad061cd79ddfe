"""A chat model that says what it was told to say."""

from collections import deque
from collections.abc import Callable, Iterable

from veridic.errors import VeridicError
from veridic.protocols import Prompt, Reply


class ScriptedChat:
    """Gives its replies one after the other, or always the same, or raises; it keeps every prompt."""

    name = "scripted"

    def __init__(
        self,
        replies: Iterable[str] = (),
        *,
        always: str = "",
        error: VeridicError | None = None,
        follows_instructions: bool = False,
    ) -> None:
        self.prompts: list[Prompt] = []
        self.follows_instructions = follows_instructions
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
    ) -> Reply:
        self.prompts.append(prompt)
        if self._error:
            raise self._error
        text = self._replies.popleft() if self._replies else self._always
        for word in text.split(" "):
            on_token(word if word == text.split(" ")[0] else f" {word}")
        return Reply(text, len(prompt.user) // 4, len(text) // 4, finished=True)
