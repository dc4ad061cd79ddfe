import time

import pytest

from veridic.errors import SourceBusy, SourceNotAsked, SourceRefused, SourceUnavailable, VeridicError
from veridic.ports.sources import Found
from veridic.sources.registry import SECONDS, PatientSource


class Telling:
    """A source that tells until when it was asked, after failing as it was told to."""

    name = "web"

    def __init__(self, *errors: VeridicError) -> None:
        self.errors = list(errors)
        self.asked: list[float] = []

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        self.asked.append(deadline)
        if self.errors:
            raise self.errors.pop(0)
        return Found([], [])


def ask(source: Telling, seconds: float = 1000.0) -> None:
    PatientSource(source).search("Warsaw", limit=9, deadline=time.time() + seconds)


def test_time_is_capped() -> None:
    source = Telling()
    ask(source)
    ask(source, seconds=5)
    [deadline, earlier] = source.asked
    assert earlier < deadline <= time.time() + SECONDS


def test_what_may_help_is_tried_again_within_the_same_time() -> None:
    source = Telling(SourceUnavailable("1"))
    ask(source)
    assert len(source.asked) == 2
    assert len(set(source.asked)) == 1


def test_attempts_end() -> None:
    source = Telling(SourceUnavailable("1"), SourceUnavailable("2"))
    with pytest.raises(SourceUnavailable, match="1"):
        ask(source)
    assert len(source.asked) == 2


def test_a_further_attempt_that_gets_no_turn_does_not_unsay_the_first() -> None:
    source = Telling(SourceUnavailable("It broke off."), SourceNotAsked("Too late."))
    with pytest.raises(SourceUnavailable, match="broke off") as raised:
        ask(source)
    assert not isinstance(raised.value, SourceNotAsked)


@pytest.mark.parametrize("error", [SourceRefused("no"), SourceBusy("later")])
def test_what_cannot_help_is_not_tried_again(error: VeridicError) -> None:
    source = Telling(error)
    with pytest.raises(type(error)):
        ask(source)
    assert len(source.asked) == 1
