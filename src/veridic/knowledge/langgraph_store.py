"""Lessons and decision log in a LangGraph store, so that a server's own can hold them."""

import base64
import copy
import json
from collections.abc import Callable, Collection, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from veridic.errors import StoreUnavailable, VeridicError, told_of
from veridic.knowledge.store import now
from veridic.knowledge.vectors import packed, unpacked
from veridic.learning.lessons import HALF_LIFE, MOST, is_within, most_similar, weight
from veridic.learning.redaction import documents_in, redacted
from veridic.ports.embedding import Embedder, embedded
from veridic.ports.shapes import Lesson, Result
from veridic.runtime.deadline import within
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore, Item

PAGE = 500

_Answer = TypeVar("_Answer")


class StoredLessons:
    """One namespace's lessons in a LangGraph store, under `("veridic", namespace, "lessons")`; an `ExperienceStore`.

    At most `most` are kept; they age as those of `Experience`, and votes do not reach them. A lesson that another
    embedder embedded is not recalled. A store of anyone's knows no documents: a scope is met by their ids alone, and
    the places of a removed document stay. Raises `StoreUnavailable`, `DeadlineExceeded`.
    """

    def __init__(
        self, store: "BaseStore", namespace: str, embedder: Embedder, *, most: int = MOST, half_life: float = HALF_LIFE
    ) -> None:
        self._store = store
        self._place = place(namespace, "lessons")
        self._embedder = embedder
        self._most = most
        self._half_life = half_life
        self._scopes: tuple[frozenset[str], ...] = ()

    def within(self, places: Sequence[str]) -> Self:
        """See `ExperienceStore.within`; of the places the ids of documents count."""
        view = copy.copy(self)
        view._scopes = (*self._scopes, frozenset(places))
        return view

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of questions at least `MIN_SIMILARITY` alike; see `ExperienceStore.recall`."""
        items = _asked(deadline, lambda: _all(self._store, self._place))
        question = clean(question)
        own = [item for item in items if item.value["embedder"] == self._embedder.fingerprint]
        own = [item for item in own if all(is_within(_of(item), question, scope) for scope in self._scopes)]
        if not own or limit < 1 or self._most < 1 or not question.strip():
            return []
        own.sort(key=lambda item: item.created_at, reverse=True)
        blobs = [base64.b64decode(item.value["embedding"]) for item in own]
        cosines = unpacked(blobs, self._embedder.dimension) @ embedded(self._embedder, [question])[0]
        return most_similar((self._weighed(*one) for one in zip(own, cosines.tolist(), strict=True)), limit)

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; see `ExperienceStore.learn`. Its `similarity` and `weight` are not kept."""
        if self._most < 1:
            return
        kept: Lesson = {**lesson, "question": clean(lesson["question"]), "query": clean(lesson["query"])}
        [embedding] = packed(embedded(self._embedder, [kept["question"]]))
        value = {
            "lesson": kept,
            "embedder": self._embedder.fingerprint,
            "embedding": base64.b64encode(embedding).decode(),
        }
        _asked(deadline, lambda: self._keep(run_id, value))

    def _keep(self, run_id: str, value: dict[str, Any]) -> None:
        """Put a lesson, and remove what is more than there may be, the oldest first; as `Experience` does."""
        if not _put_once(self._store, self._place, run_id, value):
            return
        others = sorted(
            (item for item in _all(self._store, self._place) if item.key != run_id),
            key=self._useful_until,
            reverse=True,
        )
        for item in others[max(0, self._most - 1) :]:
            self._store.delete(self._place, item.key)

    def _useful_until(self, item: "Item") -> float:
        """With places a lesson counts as one half-life younger."""
        return item.created_at.timestamp() + 86_400 * self._half_life * bool(_of(item)["places"])

    def _weighed(self, item: "Item", similarity: float) -> Lesson:
        left = weight(item.created_at.isoformat(), self._half_life)
        return {**_of(item), "similarity": similarity, "weight": left}


def _of(item: "Item") -> Lesson:
    """The lesson as it was kept."""
    return cast("Lesson", item.value["lesson"])


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
        return _asked(
            inf, lambda: sum(self._redacted(item, set(document_ids)) for item in _all(self._store, self._place))
        )

    def _redacted(self, item: "Item", gone: set[str]) -> bool:
        result = _result(item)
        named = gone & documents_in(result)
        if named:
            value = {**item.value, "result": json.dumps(redacted(result, named), sort_keys=True)}
            _put(self._store, self._place, item.key, value, self._minutes)
        return bool(named)


def _result(item: "Item") -> Result:
    result: Result = json.loads(item.value["result"])
    return result


def _all(store: "BaseStore", where: tuple[str, ...]) -> "list[Item]":
    """All that is kept at a place."""
    found: list[Item] = []
    while True:
        page = store.search(where, limit=PAGE, offset=len(found))
        found += page
        if len(page) < PAGE:
            return found


def place(namespace: str, what: str) -> tuple[str, str, str]:
    """Where something of a namespace is kept; LangGraph allows no full stop in a label."""
    return ("veridic", namespace.replace(".", "%2E"), what)


def _put_once(
    store: "BaseStore", where: tuple[str, ...], key: str, value: dict[str, Any], minutes: float | None = None
) -> bool:
    """Put what is not there yet; whether it was not."""
    if store.get(where, key) is not None:
        return False
    _put(store, where, key, value, minutes)
    return True


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
            f"The handed-in store failed ({told_of(error)}).", "See that it is set up and reachable."
        ) from error
