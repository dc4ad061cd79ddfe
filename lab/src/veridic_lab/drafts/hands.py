"""Written drafts by the hands that wrote them, and what each hand is for.

A hand trains, fits or measures as a whole. `manifest.json` beside the drafts says which; a row of any other hand than
the ones that train is refused where something learns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from veridic.errors import UsageError
from veridic.text.sentences import sentences

FOLDER = Path(__file__).parents[3] / "data" / "written"
Role = Literal["train", "develop", "fit", "trial", "measure 1", "measure 2", "measure 3"]
ROLES: tuple[Role, ...] = get_args(Role)
TOGETHER = 12
"""Documents of one knowledge base."""
_HAND = re.compile(r"[A-Z]+(?=-\d)")


@dataclass(frozen=True)
class Statement:
    """A draft or a sentence of it, with the characters that are wrong."""

    text: str
    wrong: tuple[int, int] | None = None
    """Characters of `text`; None: there are none."""


@dataclass(frozen=True)
class Draft:
    """An answer to a question, faithful or with one error."""

    question: str
    text: str
    error: str
    """The kind of error; empty: none."""
    wrong: tuple[int, int] | None
    """Characters of `text`."""

    @property
    def true(self) -> bool:
        """Whether every statement is entailed."""
        return not self.error

    def whole(self) -> Statement:
        """All of it as one statement."""
        return Statement(self.text, self.wrong)

    def known(self) -> list[Statement]:
        """The sentences whose truth is known: all of a faithful draft, and of a false one those with a wrong word.

        What else a false draft says may be false with it: "No." before a wrong reason.
        """
        return [one for one in self.statements() if self.true or one.wrong]

    def statements(self) -> list[Statement]:
        """Its sentences."""
        found = []
        for place in sentences(self.text):
            start, end = self.wrong or (0, 0)
            inside = max(start, place.start) - place.start, min(end, place.end) - place.start
            found.append(Statement(place.text, inside if inside[0] < inside[1] else None))
        return found


@dataclass(frozen=True)
class Asked:
    """A question of a document, with its answers: a faithful draft and false ones."""

    question: str
    kind: str
    span: str
    """The shortest piece of the document that answers, verbatim; empty where none does."""
    answer: str
    drafts: tuple[Draft, ...]
    answers: tuple[str, ...] = ()
    """Other forms of the short answer that are right."""
    row: tuple[str, ...] = ()
    """What the row of a table may be called that holds the span: its other cells; none: it stands in no table."""


@dataclass(frozen=True)
class Document:
    """A document, two or three that belong together, or a collection of files, with what is asked of it."""

    key: str
    title: str
    texts: tuple[str, ...]
    asked: tuple[Asked, ...]
    unanswered: tuple[str, ...]
    """Questions that it does not answer though it looks as if it did."""
    names: tuple[str, ...] = ()
    """What its files are called, where it is a collection: all that a knowledge base of its own holds."""

    @property
    def hand(self) -> str:
        """Who wrote it."""
        return _hand_of(self.key)

    @property
    def text(self) -> str:
        """Its texts, one after the other."""
        return "\n\n".join(self.texts)

    def files(self) -> dict[str, str]:
        """Its texts by the names of their files."""
        if self.names:
            return dict(zip(self.names, self.texts, strict=True))
        return {f"{self.key}-{at}.md": self._titled(text) for at, text in enumerate(self.texts)}

    def _titled(self, text: str) -> str:
        return text if text.startswith("# ") else f"# {self.title}\n\n{text}"


def together(found: Sequence[Document]) -> Iterator[list[Document]]:
    """The documents of one knowledge base each: as many as people begin with, or a collection."""
    single = [one for one in found if not one.names]
    yield from (single[at : at + TOGETHER] for at in range(0, len(single), TOGETHER))
    yield from ([one] for one in found if one.names)


def files_of(found: Sequence[Document]) -> dict[str, str]:
    """The texts of documents by the names of their files."""
    return {name: text for one in found for name, text in one.files().items()}


def documents(*roles: Role, folder: Path = FOLDER) -> list[Document]:
    """All documents of the hands with these roles. Raises `UsageError` for a role that there is not."""
    if unknown := set(roles) - set(ROLES):
        raise UsageError(f"There is no role {sorted(unknown)}.", f"There are {', '.join(ROLES)}.")
    hands = [hand for hand, role in manifest(folder).items() if role in roles]
    return [document for hand in hands for document in read_hand(folder / f"{hand}.jsonl")]


@cache
def manifest(folder: Path = FOLDER) -> dict[str, Role]:
    """The role of each hand. Raises `UsageError` where a file has none, or one that there is not."""
    told: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    roles: dict[str, Role] = {hand: entry["role"] for hand, entry in told.items()}
    missing = sorted({path.stem for path in folder.glob("*.jsonl")} - roles.keys())
    if missing or not set(roles.values()) <= set(ROLES):
        raise UsageError(f"manifest.json gives no role to {missing}, or one that there is not.", "Mend it.")
    return roles


def may_be_learned_from(keys: Iterable[str], folder: Path = FOLDER) -> None:
    """Raises `UsageError` for the key of a document that a held-out hand wrote, however it came here."""
    for key in keys:
        hand = _hand_of(key)
        if hand in manifest(folder) and manifest(folder)[hand] != "train":
            raise UsageError(f"{key} is of a hand that is held out for {manifest(folder)[hand]}.", "Leave it out.")


def _hand_of(key: str) -> str:
    found = _HAND.match(key)
    return found.group() if found else ""


def read_hand(path: Path) -> Iterator[Document]:
    """The documents of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield _document(json.loads(line))


def _document(row: dict[str, Any]) -> Document:
    return Document(
        key=row["id"],
        title=row["title"],
        texts=tuple(row.get("texts") or [row["text"]]),
        asked=tuple(_asked(one) for one in row["questions"]),
        unanswered=tuple(one["q"] for one in row["unanswered"]),
    )


def _asked(row: dict[str, Any]) -> Asked:
    true = Draft(row["q"], row["true"], "", None)
    false = [Draft(row["q"], one["text"], one["error"], _place(one["text"], one["wrong"])) for one in row["false"]]
    return Asked(row["q"], row["kind"], row["span"], row["answer"], (true, *false))


def _place(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


def drafts_of(found: Sequence[Document]) -> list[tuple[Document, Draft]]:
    """Every draft with its document."""
    return [(one, draft) for one in found for asked in one.asked for draft in asked.drafts]


def counted(found: Sequence[Document]) -> str:
    """How many documents, questions and drafts there are, as a line."""
    asked = [one for document in found for one in document.asked]
    return f"{len(found)} documents, {len(asked)} questions, {sum(len(one.drafts) for one in asked)} drafts"
