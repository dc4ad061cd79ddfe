"""What a source said is kept for a while, and never stands in a run's way."""

import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.source import FakeSource
from tests.sources.conftest import settings_for
from veridic.errors import DeadlineExceeded, SourceUnavailable
from veridic.ports.sources import Found
from veridic.runtime.kept import Kept
from veridic.sources import cached as module
from veridic.sources.cached import CachedSource
from veridic.sources.passages import Page
from veridic.sources.registry import open_sources
from veridic_lab.evaluation.world import Served

DAY = 86_400.0
SOURCE_NAMES = ("wikipedia", "arxiv", "web")
PAGE = Page("web:1", "Warsaw", "https://example.org/1", "Warsaw is the capital of Poland and lies on the Vistula.")
WALL = Page("web:2", "Warsaw", "https://example.org/2", "Please verify you are human to read of Warsaw.")


class FakeTime:
    def __init__(self) -> None:
        self.time = time.time()

    def now(self) -> float:
        return self.time


@pytest.fixture
def fake() -> FakeTime:
    return FakeTime()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "sources"


Cache = Callable[..., CachedSource]


@pytest.fixture
def cache(path: Path, fake: FakeTime) -> Cache:
    def make(source: FakeSource, *place: str) -> CachedSource:
        return CachedSource(source, Kept(path), seconds=DAY, place=place or ("default", "web", ""), now=fake.now)

    return make


def ask(source: CachedSource, query: str = "Where is Warsaw?", limit: int = 3) -> Found:
    return source.search(query, limit=limit, deadline=time.time() + 10)


def files(path: Path) -> list[Path]:
    return sorted(path.iterdir())


def test_the_second_answer_is_the_first_one_and_says_so(cache: Cache) -> None:
    source = FakeSource("web", [PAGE, WALL])
    first, second = ask(cache(source)), ask(cache(source))
    assert source.queries == ["Where is Warsaw?"]
    assert (first.cached, second.cached) == (False, True)
    assert second.passages == first.passages
    assert second.discarded == first.discarded != []
    assert second.passages[0]["retrieved_at"] == first.passages[0]["retrieved_at"]


def test_an_answer_expires_and_is_removed(cache: Cache, fake: FakeTime, path: Path) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    fake.time += DAY - 1
    assert ask(cache(source)).cached
    fake.time += 2
    assert not ask(cache(source), "What is Warsaw?").cached
    assert len(files(path)) == 1
    assert not ask(cache(source)).cached


def test_an_answer_from_the_future_is_not_believed(cache: Cache, fake: FakeTime) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    fake.time -= 10
    assert not ask(cache(source)).cached


@pytest.mark.parametrize(
    "place",
    [("other", "web", ""), ("default", "wikipedia", ""), ("default", "web", "http://mirror"), ("default", "web")],
)
def test_no_namespace_source_or_address_meets_anothers_answers(cache: Cache, place: tuple[str, ...]) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    assert not ask(cache(source, *place)).cached


def test_another_query_or_limit_is_asked_anew(cache: Cache) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    assert not ask(cache(source), "where is warsaw").cached
    assert not ask(cache(source), limit=2).cached


@pytest.mark.parametrize("query", ["Who is the mayor of Warsaw today?", "latest news of Warsaw"])
def test_the_present_is_asked_anew(cache: Cache, path: Path, query: str) -> None:
    source = FakeSource("web", [PAGE])
    assert not ask(cache(source), query).cached
    assert not ask(cache(source), query).cached
    assert not path.exists()


def test_failures_and_answers_without_a_passage_are_not_kept(cache: Cache) -> None:
    broken = FakeSource("web", error=SourceUnavailable("It is down."))
    for _ in range(2):
        with pytest.raises(SourceUnavailable):
            ask(cache(broken))
    walled = FakeSource("web", [WALL])
    assert [ask(cache(walled)).cached for _ in range(2)] == [False, False]
    assert not ask(cache(FakeSource("web", [PAGE]))).cached


def test_what_broke_off_is_not_kept(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FakeSource("web", [PAGE])
    whole = source.search("Where is Warsaw?", limit=3, deadline=time.time() + 10)
    monkeypatch.setattr(source, "search", lambda query, *, limit, deadline: replace(whole, complete=False))
    assert [ask(cache(source)).cached for _ in range(2)] == [False, False]


def test_a_deadline_holds_for_the_cache_too(cache: Cache) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    with pytest.raises(DeadlineExceeded):
        cache(source).search("Where is Warsaw?", limit=3, deadline=time.time() - 1)


def test_only_its_owner_may_read_an_answer(cache: Cache, path: Path) -> None:
    before = os.umask(0)
    try:
        ask(cache(FakeSource("web", [PAGE])))
    finally:
        os.umask(before)
    assert [stat.S_IMODE(one.stat().st_mode) for one in files(path)] == [0o600]


def test_what_was_asked_does_not_stand_in_the_file(cache: Cache, path: Path) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source), "Warsaw and my secret")
    [kept] = files(path)
    assert b"Vistula" in kept.read_bytes()
    assert b"secret" not in kept.read_bytes()
    assert ask(cache(source), "Warsaw and my secret").passages[0]["found_by"] == "Warsaw and my secret"


@pytest.mark.parametrize("answer", ["", "{broken", "[]", "{}", '"text"', '{"written": "today", "passages": []}'])
def test_a_file_that_is_no_answer_is_asked_anew(cache: Cache, path: Path, answer: str) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    files(path)[0].write_text(answer)
    assert not ask(cache(source)).cached
    assert ask(cache(source)).cached


def test_a_place_that_cannot_be_written_costs_the_cache_only(cache: Cache, path: Path) -> None:
    path.parent.write_text("a file where the folder should be")
    source = FakeSource("web", [PAGE])
    assert [ask(cache(source)).passages[0]["title"] for _ in range(2)] == ["Warsaw", "Warsaw"]


def test_the_oldest_answers_make_room(
    cache: Cache, fake: FakeTime, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ANSWERS", 3)
    source = FakeSource("web", [PAGE])
    for number in range(5):
        fake.time += 1
        ask(cache(source), f"Warsaw {number}")
    assert len(files(path)) == 3
    assert [ask(cache(source), f"Warsaw {number}").cached for number in (4, 3, 2)] == [True] * 3


def test_a_very_long_answer_is_not_kept(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_ANSWER", 100)
    source = FakeSource("web", [PAGE])
    assert [ask(cache(source)).cached for _ in range(2)] == [False, False]


def test_threads_share_the_folder(cache: Cache) -> None:
    source = FakeSource("web", [PAGE])
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda number: ask(cache(source), f"Warsaw {number % 3}"), range(30)))
    assert all(answer.passages[0]["title"] == "Warsaw" for answer in found)
    assert all(ask(cache(source), f"Warsaw {number}").cached for number in range(3))


def test_processes_share_the_folder(cache: Cache, path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from tests.fakes.source import FakeSource;"
        "from veridic.runtime.kept import Kept;"
        "from veridic.sources.cached import CachedSource; from veridic.sources.passages import Page;"
        "page = Page('web:1', 'Theirs', 'https://example.org/1', 'Warsaw lies on the river Vistula in Poland.');"
        "asked, place = FakeSource('web', [page]), ('default', 'web', '');"
        f"source = CachedSource(asked, Kept(Path(sys.argv[1])), seconds={DAY}, place=place);"
        "source.search('Where is Warsaw?', limit=3, deadline=time.time() + 10)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    found = CachedSource(FakeSource("web", []), Kept(path), seconds=DAY, place=("default", "web", ""))
    assert ask(found).passages[0]["title"] == "Theirs"


def test_sources_are_opened_with_it_unless_it_is_turned_off(served: Served, tmp_path: Path) -> None:
    settings = settings_for(served, sources=("wikipedia",), cache=tmp_path)
    for turns, expected in ((0, [False, False]), (24, [False, True])):
        usable, _ = open_sources(settings.model_copy(update={"cache_hours": turns}))
        found = [usable["wikipedia"].search("Warsaw", limit=1, deadline=time.time() + 10) for _ in range(2)]
        assert [answer.cached for answer in found] == expected
        assert (tmp_path / "sources").exists() == (turns > 0)
