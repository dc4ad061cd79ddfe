"""Who may ask a server, and how often: what holds wherever keys and counts are kept, and what a database adds."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.knowledge.postgres import fresh
from veridic.errors import InvalidSetting, StoreUnavailable, UsageError
from veridic.knowledge.base import open_store
from veridic.knowledge.connection import KnowledgeStore
from veridic.ports.access import Access
from veridic.server.keys import KeyFile, Keys
from veridic.server.limits import Rate
from veridic.settings import Settings

EPOCH = 1_800_000_000.0
"""The beginning of a minute."""


@pytest.fixture
def stores(place: Path | str) -> Iterator[list[KnowledgeStore]]:
    """The same knowledge base as two servers open it."""
    opened = [open_store(place), open_store(place, "other")]
    yield opened
    for one in opened:
        one.close()


def access_of(store: KnowledgeStore) -> Access:
    assert store.access is not None
    return store.access


class TestKeys:
    """What every place for keys does, asked by two servers."""

    @pytest.fixture
    def keys(self, stores: list[KnowledgeStore], tmp_path: Path) -> list[Keys]:
        if stores[0].access is None:
            return [Keys(lambda: KeyFile(tmp_path / "keys.json")) for _ in stores]
        return [Keys(partial(access_of, store)) for store in stores]

    def test_a_key_counts_at_both_from_the_next_request_on(self, keys: list[Keys]) -> None:
        here, there = keys
        anna = here.add("anna", "of-anna", "manages")
        found = there.holder(anna)
        assert found is not None
        assert (found.name, found.namespace, found.role) == ("anna", "of-anna", "manages")
        assert there.remove("anna")
        assert here.holder(anna) is None
        assert not here.remove("anna")

    def test_no_key_is_kept_itself(self, keys: list[Keys]) -> None:
        key = keys[0].add("anna", "default", "asks")
        assert key not in repr(keys[1].held())

    def test_the_oldest_comes_first(self, keys: list[Keys]) -> None:
        for name in ("anna", "ben"):
            keys[0].add(name, "default", "asks")
        assert [one.name for one in keys[1].held()] == ["anna", "ben"]

    def test_one_name_has_one_key(self, keys: list[Keys]) -> None:
        keys[0].add("anna", "default", "asks")
        with pytest.raises(UsageError, match="anna has a key"):
            keys[1].add("anna", "default", "manages")
        with pytest.raises(UsageError, match="is no name"):
            keys[1].add("an na", "default", "asks")

    def test_nobody_has_what_was_never_made(self, keys: list[Keys]) -> None:
        assert keys[0].holder("vk_guess") is None
        assert keys[0].held() == []


def test_a_file_keeps_no_keys(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="api_keys is database, and the knowledge base is a file"):
        Settings.load(kb=str(tmp_path / "kb.sqlite"), api_keys="database")


class TestRates:
    """What every count of requests does."""

    @pytest.fixture
    def rate(self, stores: list[KnowledgeStore]) -> Callable[[str], Rate]:
        if stores[0].access is None:
            return Rate
        return lambda rate: Rate(rate, partial(access_of, stores[0]))

    def test_so_many_are_let_in_and_no_more(self, rate: Callable[[str], Rate]) -> None:
        three = rate("3/day")
        assert [three.hit("anna") for _ in range(5)] == [True, True, True, False, False]
        assert three.hit("ben")
        assert str(three) == "3 per 1 day"

    def test_many_at_once_get_no_more(self, rate: Callable[[str], Rate]) -> None:
        ten = rate("10/day")
        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(lambda _: ten.hit("anna"), range(40))) == 10


@pytest.mark.postgres
class TestShared:
    """Counts in a database: by its own time, of all who ask it."""

    @pytest.fixture
    def both(self, server: str) -> Iterator[list[Access]]:
        place = fresh(server)
        with open_store(place) as here, open_store(place, "other") as there:
            yield [access_of(here), access_of(there)]

    def test_what_one_server_refuses_another_does_too(self, both: list[Access]) -> None:
        here, there = both
        assert [one.hit("anna", 3, 60, now=EPOCH) for one in (here, there, here, there, here)] == [
            True,
            True,
            True,
            False,
            False,
        ]

    def test_the_window_before_weighs_by_what_of_it_is_left(self, both: list[Access]) -> None:
        here, _ = both
        assert all(here.hit("anna", 10, 60, now=EPOCH) for _ in range(10))
        half = EPOCH + 90  # five of the ten count still
        assert [here.hit("anna", 10, 60, now=half) for _ in range(6)] == [True] * 5 + [False]
        assert not here.hit("anna", 10, 60, now=EPOCH)
        assert here.hit("anna", 10, 60, now=EPOCH + 240)

    def test_a_refused_request_is_not_counted(self, both: list[Access]) -> None:
        here, _ = both
        assert here.hit("anna", 1, 60, now=EPOCH)
        assert not any(here.hit("anna", 1, 60, now=EPOCH + 1) for _ in range(50))
        assert here.hit("anna", 1, 60, now=EPOCH + 121)

    def test_what_has_expired_is_removed(self, both: list[Access], server: str) -> None:
        here, there = both
        for number in range(20):
            here.hit(f"of long ago {number}", 1, 60, now=1000.0)
        there.hit("of today", 1, 60)
        store = here._store  # type: ignore[attr-defined]
        with store.reading() as connection:
            assert [row[0] for row in connection.execute("SELECT sender FROM rates")] == ["of today"]

    def test_a_database_that_does_not_answer_is_told_soon(self, both: list[Access]) -> None:
        here, there = both
        with there._store.changing() as connection:  # type: ignore[attr-defined]
            connection.execute("LOCK TABLE rates, api_keys")
            with pytest.raises(StoreUnavailable, match="does not answer"):
                here.hit("anna", 1, 60)
            with pytest.raises(StoreUnavailable, match="does not answer"):
                here.key_of("x")
