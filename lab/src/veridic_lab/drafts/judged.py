"""How well judges tell faithful drafts from nearly faithful ones: every judge on the same drafts.

`python -m veridic_lab.drafts.judged ROLE [JUDGE …] --keep` measures the answer without its document, the overlap of
words, and each critic that is named; what is kept in `data/judged.json` is the judges' card.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from veridic.errors import UsageError
from veridic.models.by_settings import open_deciding
from veridic.models.judges_by_name import BASE, SMALL, judge_named
from veridic.ports.judgements import Entailment
from veridic.ports.judging import Critic
from veridic.runtime.run import hearing
from veridic.settings import Settings
from veridic.text.answers import coverage
from veridic_lab.drafts.examples import premise_for
from veridic_lab.drafts.guessing import guesses
from veridic_lab.drafts.hands import Document, Draft, documents, drafts_of
from veridic_lab.drafts.measuring import Marked, Scored, by_error, by_length, marked, measured

KEPT = Path(__file__).parents[3] / "data" / "judged.json"
CASCADE = "cascade"
Pair = tuple[str, str]
Judge = Callable[[Sequence[Pair], Sequence[str]], Sequence[Entailment]]
"""What the first text of each pair says of the second, which answers a question."""


def scored_by(judge: Judge, found: Sequence[Document]) -> tuple[list[Scored], list[Marked]]:
    """Every draft, as good as its worst sentence, and what was marked of each."""
    drafts = drafts_of(found)
    pairs, questions, owner = list[Pair](), list[str](), list[int]()
    for at, (document, draft) in enumerate(drafts):
        for statement in draft.statements():
            pairs.append((premise_for(f"{statement.text} {draft.question}", document), statement.text))
            questions.append(draft.question)
            owner.append(at)
    said = judge(pairs, questions)
    least = np.ones(len(drafts))
    np.minimum.at(least, owner, [one.entailment for one in said])
    statements = [one for _, draft in drafts for one in draft.statements()]
    return (
        [_scored(document, draft, float(value)) for (document, draft), value in zip(drafts, least, strict=True)],
        [Marked(one.text, one.wrong, told.doubtful) for one, told in zip(statements, said, strict=True)],
    )


def _scored(document: Document, draft: Draft, support: float) -> Scored:
    return Scored(f"{document.key} {draft.question}", draft.error, len(draft.text.split()), support)


def guessing(found: Sequence[Document]) -> list[Scored]:
    """Every draft by its words alone."""
    drafts = drafts_of(found)
    said = guesses(drafts)
    return [_scored(document, draft, float(one)) for (document, draft), one in zip(drafts, said, strict=True)]


def _overlap(pairs: Sequence[Pair], _questions: Sequence[str]) -> list[Entailment]:
    return [_supported(coverage(told, text)) for text, told in pairs]


def _supported(support: float) -> Entailment:
    return Entailment(support, 1 - support, 0.0, (0, 0))


def critic_named(name: str) -> Critic:
    """The cascade, or a critic by the name that `veridic trial` takes.

    Raises `UsageError` where it judges no statements, `MissingExtra` of a cascade without the base judge.
    """
    if name == CASCADE:
        judge_named(BASE, Settings())
        return open_deciding(Settings(judges="base"))[1]
    critic = judge_named(name, Settings()).critic
    if critic is None:
        raise UsageError(f"{name} judges no statements.", "Name a critic.")
    return critic


def row_of(scored: Sequence[Scored], words: Sequence[Marked] = ()) -> dict[str, Any]:
    """Figures of one judge."""
    told = {**measured(scored), "by_error": by_error(scored), "by_length": by_length(scored)}
    return {**told, "words": marked(words)} if any(one.marks for one in words) else told


def rows(found: Sequence[Document], names: Sequence[str]) -> Mapping[str, dict[str, Any]]:
    """Figures of every judge on the drafts of these documents."""
    judges = {"words shared": _overlap, **{name: asked(critic_named(name)) for name in names}}
    return {
        "the answer without its document": row_of(guessing(found)),
        **{name: row_of(*scored_by(judge, found)) for name, judge in judges.items()},
        "every word marked": {"words": marked(list(_all_marked(found)))},
    }


def asked(critic: Critic) -> Judge:
    """What a critic says, which hears each question if it can."""

    def judge(pairs: Sequence[Pair], questions: Sequence[str]) -> list[Entailment]:
        found = list[Entailment]()
        for question, own in groupby(zip(questions, pairs, strict=True), key=lambda one: one[0]):
            found += hearing(critic, question).judge([pair for _, pair in own], deadline=float("inf"))
        return found

    return judge


def _all_marked(found: Sequence[Document]) -> Iterator[Marked]:
    for _, draft in drafts_of(found):
        for one in draft.statements():
            yield Marked(one.text, one.wrong, ((0, len(one.text)),))


def main() -> None:
    """Print the figures of a role's hands; keep them, where that is asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("role")
    options.add_argument("judges", nargs="*", default=[SMALL])
    options.add_argument("--every", type=int, default=1, help="of the documents")
    options.add_argument("--keep", action="store_true")
    told = options.parse_args()
    found = documents(told.role)[:: told.every]
    figures = rows(found, told.judges)
    for name, row in figures.items():
        print(name, json.dumps(row))  # noqa: T201
    if told.keep:
        kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
        kept[told.role] = {**kept.get(told.role, {}), **figures}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
