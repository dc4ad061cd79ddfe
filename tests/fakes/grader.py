"""A chat model that grades by a rule over the prompt, as a capable one would or as a broken one does."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.chat import ScriptedChat
from veridic.ports.chat import Prompt, Reply
from veridic.text.facts import words
from veridic.text.questions import keywords

_TEXT = re.compile(r'<(passage|answer) number="(\d+)">\n(.*?)\n</\1>', re.DOTALL)
_SENTENCE = re.compile(r'<sentence number="(\d+)" passages="([\d, ]+)">(.*?)</sentence>', re.DOTALL)

Rule = Callable[[Prompt], str]


@dataclass(frozen=True)
class Item:
    """One thing that a prompt asks to grade, with its texts by number."""

    number: int
    about: str
    texts: list[tuple[int, str]]


def texts_of(prompt: Prompt) -> list[tuple[int, str]]:
    """The texts of a prompt with their numbers."""
    return [(int(number), text) for _, number, text in _TEXT.findall(prompt.user)]


def items_of(prompt: Prompt) -> list[Item]:
    """What a prompt asks to grade."""
    known = dict(texts_of(prompt))
    if "<sentence " in prompt.user:
        return [
            Item(int(number), said, [(at, known[at]) for at in map(int, own.split(", "))])
            for number, own, said in _SENTENCE.findall(prompt.user)
        ]
    return [
        Item(number, question, [(number, text)])
        for part in prompt.user.split("<question>")[1:]
        for question, _, rest in [part.partition("</question>")]
        for number, text in texts_of(Prompt("", rest))
    ]


def each(grade: Callable[[Item], tuple[str, int]]) -> Rule:
    """A reply with the grade and the passage of each thing."""

    def told(prompt: Prompt) -> str:
        found = [(item.number, *grade(item)) for item in items_of(prompt)]
        return json.dumps({"grades": [{"number": at, "grade": said, "passage": on} for at, said, on in found]})

    return told


def same(grade: str) -> Rule:
    """The same grade for everything, by the first of its texts."""
    return each(lambda item: (grade, 0 if grade == "none" else item.texts[0][0]))


def overlapping(item: Item) -> tuple[str, int]:
    """Full where a text has all keywords of the question or sentence, else none."""
    wanted = set(keywords(item.about))
    return next((("full", number) for number, text in item.texts if wanted and wanted <= set(words(text))), ("none", 0))


by_overlap = each(overlapping)


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
