"""Lessons and decision log in a LangGraph store, so that a server's own can hold them."""

import base64
import json
from collections.abc import Callable, Collection, Iterator
from itertools import count, islice
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from veridic.deadline import within
from veridic.embedding import embedded
from veridic.errors import StoreUnavailable, VeridicError
from veridic.knowledge.clock import now
from veridic.knowledge.embeddings import packed, unpacked
from veridic.knowledge.experience import MIN_SIMILARITY
from veridic.knowledge.redaction import documents_in, redacted
from veridic.protocols import Embedder
from veridic.shapes import Lesson, Result
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore, Item

MOST = 2000
"""Lessons that are compared with a question, in the order in which the store gives them."""

PAGE = 500

_Answer = TypeVar("_Answer")


class StoredLessons:
    """One namespace's lessons in a LangGraph store, under `("veridic", namespace, "lessons")`; an `ExperienceStore`.

    A lesson that another embedder embedded is not recalled. Raises `StoreUnavailable`, `DeadlineExceeded`.
    """

    def __init__(self, store: "BaseStore", namespace: str, embedder: Embedder) -> None:
        self._store = store
        self._place = place(namespace, "lessons")
        self._embedder = embedder

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of questions at least `MIN_SIMILARITY` alike, most similar first; of one question the newest."""
        items = _asked(deadline, lambda: list(self._items()))
        own = [item for item in items if item.value["embedder"] == self._embedder.fingerprint]
        question = clean(question)
        if not own or limit < 1 or not question.strip():
            return []
        blobs = [base64.b64decode(item.value["embedding"]) for item in own]
        cosines = unpacked(blobs, self._embedder.dimension) @ embedded(self._embedder, [question])[0]
        alike = [(round(float(cosine), 6), item) for cosine, item in zip(cosines, own, strict=True)]
        alike.sort(key=lambda pair: (pair[0], pair[1].created_at), reverse=True)
        recalled: dict[str, Lesson] = {}
        for cosine, item in alike:
            if cosine >= MIN_SIMILARITY:
                kept: Lesson = item.value["lesson"]
                recalled.setdefault(kept["question"], Lesson(**{**kept, "similarity": cosine}))
        return list(recalled.values())[:limit]

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; the same run id again changes nothing. Its `similarity` is not kept."""
        kept = {name: clean(str(value)) for name, value in lesson.items() if name != "similarity"}
        [embedding] = packed(embedded(self._embedder, [kept["question"]]))
        value = {
            "lesson": kept,
            "embedder": self._embedder.fingerprint,
            "embedding": base64.b64encode(embedding).decode(),
        }
        _asked(deadline, lambda: _put_once(self._store, self._place, run_id, value))

    def _items(self) -> "Iterator[Item]":
        return islice(_pages(self._store, self._place), MOST)


class StoredDecisions:
    """One namespace's decision log in a LangGraph store, under `("veridic", namespace, "decisions")`; a `DecisionLog`.

    A store that lets items expire lets a row of `days` days; in any other all are kept. Nobody but the store's owner
    knows when a document goes whose words a row holds: `redact` is theirs to call. Raises `StoreUnavailable`,
    `DeadlineExceeded`.
    """

    def __init__(self, store: "BaseStore", namespace: str, days: int = 0) -> None:
        self._store = store
        self._place = place(namespace, "decisions")
        self._minutes = days * 24 * 60 if days and store.supports_ttl else None

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep the decisions of a run; the same run id again changes nothing."""
        # As text: what a store makes of JSON may not hold every character that a question can.
        value = {"outcome": result["outcome"], "decided_at": now(), "result": json.dumps(result, sort_keys=True)}
        _asked(deadline, lambda: _put_once(self._store, self._place, result["run_id"], value, self._minutes))

    def read(self, run_id: str) -> Result | None:
        """The result of a run, or None when there is none of this id."""
        item = _asked(inf, lambda: self._store.get(self._place, run_id))
        return _result(item) if item else None

    def redact(self, document_ids: Collection[str]) -> int:
        """Take the words of documents out of the rows that name them; every row is read for it."""
        return _asked(inf, lambda: sum(self._redacted(item, set(document_ids)) for item in self._items()))

    def forget(self, run_ids: Collection[str]) -> list[str]:
        """Remove runs; returns those that were there."""
        return _asked(inf, lambda: [run_id for run_id in dict.fromkeys(run_ids) if self._forgotten(run_id)])

    def _redacted(self, item: "Item", gone: set[str]) -> bool:
        result = _result(item)
        named = gone.intersection(documents_in(result))
        if named:
            value = {**item.value, "result": json.dumps(redacted(result, named), sort_keys=True)}
            _put(self._store, self._place, item.key, value, self._minutes)
        return bool(named)

    def _forgotten(self, run_id: str) -> bool:
        known = self._store.get(self._place, run_id) is not None
        if known:
            self._store.delete(self._place, run_id)
        return known

    def _items(self) -> "list[Item]":
        return list(_pages(self._store, self._place))


def _result(item: "Item") -> Result:
    result: Result = json.loads(item.value["result"])
    return result


def _pages(store: "BaseStore", where: tuple[str, ...]) -> "Iterator[Item]":
    """All that is kept at a place."""
    for offset in count(0, PAGE):
        page = store.search(where, limit=PAGE, offset=offset)
        yield from page
        if len(page) < PAGE:
            return


def place(namespace: str, what: str) -> tuple[str, str, str]:
    """Where something of a namespace is kept; LangGraph allows no full stop in a label."""
    return ("veridic", namespace.replace(".", "%2E"), what)


def _put_once(
    store: "BaseStore", where: tuple[str, ...], key: str, value: dict[str, Any], minutes: float | None = None
) -> None:
    """Put what is not there yet."""
    if store.get(where, key) is None:
        _put(store, where, key, value, minutes)


def _put(store: "BaseStore", where: tuple[str, ...], key: str, value: dict[str, Any], minutes: float | None) -> None:
    """Put a value; with `minutes`, which not every store takes, it expires then."""
    expires = {"ttl": minutes} if minutes else {}
    store.put(where, key, value, index=False, **expires)


def _asked(deadline: float, call: Callable[[], _Answer]) -> _Answer:
    """The answer of the store, in time; whatever it raises is `StoreUnavailable`."""
    try:
        return within(deadline, "the handed-in store", call)
    except VeridicError:
        raise
    except Exception as error:  # a store of anyone's may raise anything
        raise StoreUnavailable(
            f"The handed-in store failed ({type(error).__name__}).",
            "See that it is set up and reachable.",
        ) from error
