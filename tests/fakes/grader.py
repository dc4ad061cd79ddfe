"""A chat model that grades by a rule over the prompt, as a capable one would or as a broken one does."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.fakes.chat import ScriptedChat
from veridic.ports.chat import Prompt, Reply
from veridic.text.facts import words
from veridic.text.questions import keywords

_GRADED = re.compile(r"<(passage|answer)>\n(.*)\n</\1>", re.DOTALL)
_NUMBERED = re.compile(r'<passage number="(\d+)">\n(.*?)\n</passage>', re.DOTALL)
_ABOUT = re.compile(r"<(question|sentence)>(.*?)</\1>", re.DOTALL)

Rule = Callable[[Prompt], str]


def by_overlap(prompt: Prompt) -> str:
    """Full where a text has all keywords of the question or sentence, else none."""
    asked = _ABOUT.search(prompt.user)
    wanted = set(keywords(asked[2])) if asked else set()
    for number, text in texts_of(prompt):
        if wanted and wanted <= set(words(text)):
            return f'{{"grade": "full", "passage": {number}}}'
    return '{"grade": "none", "passage": 0}'


def texts_of(prompt: Prompt) -> list[tuple[int, str]]:
    """The texts to be graded with their numbers."""
    alone = _GRADED.search(prompt.user)
    return [(1, alone[2])] if alone else [(int(number), text) for number, text in _NUMBERED.findall(prompt.user)]


def always(*replies: str) -> Rule:
    """The same replies over and over, one after the other."""

    def repeated() -> Iterator[str]:
        while True:
            yield from replies

    told = repeated()
    return lambda _prompt: next(told)


class GradingChat(ScriptedChat):
    """Replies by a rule; follows instructions unless told otherwise."""

    name = "grading"

    def __init__(self, rule: Rule = by_overlap, *, follows_instructions: bool = True) -> None:
        super().__init__(follows_instructions=follows_instructions)
        self._rule = rule
        self.asked: list[dict[str, Any]] = []

    def write(self, prompt: Prompt, **how: Any) -> Reply:
        self.asked.append(how)
        self._always = self._rule(prompt)
        return super().write(prompt, **how)
