"""Questions made unanswerable by taking their passages away, and the check that no other passage answers them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from veridic.knowledge.ingest import Text
from veridic.text.facts import words
from veridic.text.questions import keywords
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.training.pairs import fraction_of, normalised

REMOVED = 0.15
"""Share of the groups whose passages are taken away; a group's own name decides, so the corpus is always the same."""

TOPICAL = 0.5
"""Share of a question's keywords from which a passage that holds an accepted answer may answer it after all."""


def is_removed(group: str) -> bool:
    """Whether the passages of a group are taken out of the corpus."""
    return fraction_of(f"removed:{group}") < REMOVED


class Remaining:
    """The passages that are left, searchable by the words of an answer."""

    def __init__(self, documents: Iterable[Text]) -> None:
        self._texts = [f" {normalised(f'{one.title} {one.text}')} " for one in documents]
        self._holding: dict[str, set[int]] = defaultdict(set)
        for number, text in enumerate(self._texts):
            for word in text.split():
                self._holding[word].add(number)

    def may_answer(self, question: GoldQuestion) -> bool:
        """Whether a passage holds an accepted answer, word for word, and at least half of the question's keywords."""
        if question.kind == "yes/no":
            return False
        asked = keywords(question.text)
        return any(
            self._topical(asked, self._texts[number])
            for answer in question.answers
            for number in self._with(normalised(answer))
        )

    def _with(self, answer: str) -> Iterable[int]:
        sets = [self._holding.get(word, set[int]()) for word in answer.split()]
        shared = set.intersection(*sets) if sets else set[int]()
        return (number for number in shared if f" {answer} " in self._texts[number])

    def _topical(self, asked: list[str], text: str) -> bool:
        held = set(words(text))
        return not asked or sum(word in held for word in asked) / len(asked) >= TOPICAL
