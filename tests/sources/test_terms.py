import time

import pytest

from veridic.errors import SourceBusy, SourceNotAsked, SourceRefused, SourceUnavailable, VeridicError
from veridic.ports.sources import Found
from veridic.settings import Settings
from veridic.sources.registry import OPENERS
from veridic.sources.terms import HeldToTerms, Terms


class Telling:
    """A source that tells how it was asked, after failing as it was told to."""

    name = "web"
    address = ""

    def __init__(self, terms: Terms, *errors: VeridicError) -> None:
        self.terms = terms
        self.errors = list(errors)
        self.asked: list[tuple[int, float]] = []

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        self.asked.append((limit, deadline))
        if self.errors:
            raise self.errors.pop(0)
        return Found([], [])


def ask(source: Telling, limit: int = 9, seconds: float = 1000.0) -> None:
    HeldToTerms(source).search("Warsaw", limit=limit, deadline=time.time() + seconds)


def test_results_and_time_are_capped() -> None:
    source = Telling(Terms(seconds=20, results=4))
    ask(source)
    ask(source, limit=2, seconds=5)
    [(limit, deadline), (less, earlier)] = source.asked
    assert (limit, less) == (4, 2)
    assert earlier < deadline <= time.time() + 20


def test_what_may_help_is_tried_again_within_the_same_time() -> None:
    source = Telling(Terms(attempts=3), SourceUnavailable("1"), SourceUnavailable("2"))
    ask(source)
    assert len(source.asked) == 3
    assert len({deadline for _, deadline in source.asked}) == 1


def test_attempts_end() -> None:
    source = Telling(Terms(attempts=2), SourceUnavailable("1"), SourceUnavailable("2"))
    with pytest.raises(SourceUnavailable, match="1"):
        ask(source)
    assert len(source.asked) == 2


def test_a_further_attempt_that_gets_no_turn_does_not_unsay_the_first() -> None:
    source = Telling(Terms(attempts=2), SourceUnavailable("It broke off."), SourceNotAsked("Too late."))
    with pytest.raises(SourceUnavailable, match="broke off") as raised:
        ask(source)
    assert not isinstance(raised.value, SourceNotAsked)


@pytest.mark.parametrize(
    "error",
    [
        SourceRefused("no"),
        SourceBusy("later"),
    ],
)
def test_what_cannot_help_is_not_tried_again(error: VeridicError) -> None:
    source = Telling(Terms(attempts=3), error)
    with pytest.raises(type(error)):
        ask(source)
    assert len(source.asked) == 1


def test_every_source_states_its_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    for open_source in OPENERS.values():
        terms = open_source(Settings(tavily_api_key="key")).terms
        assert 0 < terms.seconds <= 60
        assert 1 <= terms.results <= 10
        assert 1 <= terms.attempts <= 3
        assert terms.pauses
