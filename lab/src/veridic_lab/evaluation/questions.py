"""Questions with what is known of their answers: what every measure is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from veridic.errors import UsageError, VeridicError
from veridic.runtime.turns import checked
from veridic_lab.training.pairs import normalised, read_rows

Kind = Literal["short", "yes/no", "long"]
Missing = Literal["", "removed", "near miss", "own"]

LONG_WORDS = 12
"""Words from which the shortest accepted answer makes a question a long-form one."""


@dataclass(frozen=True)
class GoldQuestion:
    """A question, its accepted answers and the passages that hold them."""

    id: str
    set: str
    text: str
    answers: tuple[str, ...]
    """All that are accepted; may be empty when there is no answer."""
    gold: tuple[str, ...]
    """What the knowledge base calls the passages that answer it: `Passage.url`."""
    kind: Kind
    missing: Missing
    """Why the corpus does not answer it; empty when it does."""
    group: str
    """Questions of one group share a passage or their words; a group never crosses a split."""

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds the answer."""
        return not self.missing

    @property
    def key(self) -> str:
        """The question without case and punctuation."""
        return normalised(self.text)

    def row(self) -> dict[str, Any]:
        """As it stands in the rows of a run."""
        return asdict(self)


def from_row(row: Mapping[str, Any]) -> GoldQuestion:
    """The question of a run's row."""
    return GoldQuestion(**{**row, **{name: tuple(row[name]) for name in ("answers", "gold")}})


def kind_of(answers: Sequence[str]) -> Kind:
    """What sort of answer is asked for, told by the accepted ones."""
    said = {normalised(answer) for answer in answers}
    if said and said <= {"yes", "no", "maybe"}:
        return "yes/no"
    return "long" if answers and min(len(answer.split()) for answer in answers) >= LONG_WORDS else "short"


def own_questions(file: Path) -> list[GoldQuestion]:
    """The questions of one's own JSONL file; `gold` is as written there, not yet an address.

    A row has `question` and, where known, `answers` (or `answer`), `gold` (file names),
    `answerable` (else: whether there are answers), `kind` (short, yes/no, long), `id`, `group`
    (else each question is a group of its own).
    Raises `UsageError` naming the line that is wrong.
    """
    if not file.is_file():
        raise UsageError(
            f"There is no file {file}.",
            "Name a suite (answers, linked, outside, speed) or a JSONL file of questions.",
        )
    found = [_own(row, file, number) for number, row in enumerate(read_rows(file), start=1)]
    if not found:
        raise UsageError(f"{file} holds no questions.", 'Write one a line: {"question": …, "answers": […]}.')
    twice = [identifier for identifier in {one.id for one in found} if sum(one.id == identifier for one in found) > 1]
    if twice:
        raise UsageError(f"{file}: the id {sorted(twice)[0]!r} stands twice.", "Give each question an id of its own.")
    return found


def _own(row: Mapping[str, Any], file: Path, number: int) -> GoldQuestion:
    where = f"{file}:{number}"
    if not isinstance(row, dict) or not isinstance(row.get("question"), str):
        raise UsageError(f"{where} has no question.", 'Write {"question": …, "answers": […]}.')
    try:
        text = checked(row["question"])
    except VeridicError as error:
        raise UsageError(f"{where}: {error.problem}", error.mend) from error
    answers = tuple(_texts(row.get("answers", row.get("answer", ()))))
    kind = row.get("kind") or kind_of(answers)
    if kind not in get_args(Kind):
        raise UsageError(f"{where}: there is no kind {kind!r}.", f"Choose one of {', '.join(get_args(Kind))}.")
    answerable = bool(row.get("answerable", bool(answers)))
    if answerable and not answers:
        raise UsageError(f"{where} is answerable and has no answers.", "Give `answers`, or set `answerable` to false.")
    gold = tuple(_texts(row.get("gold", ()))) if answerable else ()
    group = str(row.get("group") or f"own:{normalised(text)}")
    missing: Missing = "" if answerable else "own"
    return GoldQuestion(str(row.get("id") or number), "own", text, answers, gold, kind, missing, group)


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, list | tuple) else []
