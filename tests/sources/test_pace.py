import pytest

from veridic.errors import SourceBusy, SourceNotAsked
from veridic.settings import Settings
from veridic.sources import arxiv, tavily, wikipedia
from veridic.sources.border import border
from veridic.sources.pace import DEFAULT_REST, LONGEST_REST, Pace
from veridic.sources.transport import guarded_session
from veridic_lab.evaluation.world import Behaviour, Served

PAUSES = {"arxiv.org": 3.0}
SUNDAY = 1_792_324_800.0
"""2026-10-18 12:00:00 GMT."""


class FakeTime:
    """A clock that moves when it is waited for."""

    def __init__(self) -> None:
        self.time = SUNDAY
        self.waited: list[float] = []

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.time += seconds


@pytest.fixture
def fake() -> FakeTime:
    return FakeTime()


@pytest.fixture
def pace(fake: FakeTime) -> Pace:
    return Pace(fake.now, fake.wait)


def test_requests_to_one_domain_keep_their_distance(pace: Pace, fake: FakeTime) -> None:
    for host in ("export.arxiv.org", "arxiv.org", "export.arxiv.org"):
        pace.turn(host, PAUSES, deadline=SUNDAY + 60)
    assert fake.waited == [3.0, 3.0]


def test_who_comes_late_does_not_wait(pace: Pace, fake: FakeTime) -> None:
    pace.turn("arxiv.org", PAUSES, deadline=SUNDAY + 60)
    fake.time += 10
    pace.turn("arxiv.org", PAUSES, deadline=SUNDAY + 60)
    assert fake.waited == []


@pytest.mark.parametrize("host", ["127.0.0.1", "notarxiv.org", "arxiv.org.example.com", "localhost"])
def test_other_hosts_have_no_pause(pace: Pace, fake: FakeTime, host: str) -> None:
    for _ in range(3):
        pace.turn(host, PAUSES, deadline=SUNDAY + 60)
    assert fake.waited == []


def test_a_turn_after_the_deadline_is_not_waited_for_and_not_taken(pace: Pace, fake: FakeTime) -> None:
    pace.turn("arxiv.org", PAUSES, deadline=SUNDAY + 60)
    for _ in range(3):
        with pytest.raises(SourceNotAsked, match=r"3\.0 s"):
            pace.turn("arxiv.org", PAUSES, deadline=SUNDAY + 3)
    pace.turn("arxiv.org", PAUSES, deadline=SUNDAY + 60)
    assert fake.waited == [3.0]


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Sun, 18 Oct 2026 12:01:30 GMT", 90.0),
        ("Sun, 18 Oct 2026 11:00:00 GMT", 0.0),
        ("Sun, 18 Oct 2026 12:00:10", 10.0),
        ("999999999999", LONGEST_REST),
        ("soon", DEFAULT_REST),
        ("-5", DEFAULT_REST),
        ("", DEFAULT_REST),
        (None, DEFAULT_REST),
    ],
)
def test_how_long_a_host_is_left_alone(pace: Pace, said: str | None, seconds: float) -> None:
    assert pace.rest("en.wikipedia.org", said) == seconds


def test_a_resting_host_is_not_asked_until_its_time_has_come(pace: Pace, fake: FakeTime) -> None:
    pace.rest("en.wikipedia.org", "120")
    pace.rest("en.wikipedia.org", "5")
    with pytest.raises(SourceNotAsked, match=r"en\.wikipedia\.org .* 120 s"):
        pace.turn("en.wikipedia.org", {}, deadline=SUNDAY + 600)
    pace.turn("de.wikipedia.org", {}, deadline=SUNDAY + 600)
    fake.time += 120
    pace.turn("en.wikipedia.org", {}, deadline=SUNDAY + 600)
    assert fake.waited == []


def test_the_published_terms() -> None:
    hosts = {
        "export.arxiv.org": (arxiv.PAUSES, 3.0),
        "api.tavily.com": (tavily.PAUSES, 60 / 100),
        "en.wikipedia.org": (wikipedia.PAUSES, 0.1),
    }
    for host, (pauses, pause) in hosts.items():
        fake = FakeTime()
        pace = Pace(fake.now, fake.wait)
        for _ in range(2):
            pace.turn(host, pauses, deadline=SUNDAY + 60)
        assert fake.waited[0] == pytest.approx(pause, rel=0.05)


@pytest.mark.parametrize(
    ("behaviour", "retry_after", "rest"),
    [("rate_limited", "", "30"), ("rate_limited", "90", "90"), ("overloaded", "7", "7")],
)
def test_an_overloaded_host_is_asked_once_and_then_left_alone(
    served: Served, settings: Settings, pace: Pace, deadline: float, behaviour: Behaviour, retry_after: str, rest: str
) -> None:
    served.behaviour, served.retry_after = behaviour, retry_after
    for expected in (SourceBusy, SourceNotAsked, SourceNotAsked):
        with (
            pytest.raises(expected, match=f"{rest} s") as raised,
            guarded_session(settings, deadline, pace=pace) as session,
            border("the place", deadline),
        ):
            session.get(served.url)
        assert not raised.value.retryable
    assert len(served.received) == 1


def test_a_search_that_loses_its_turn_in_the_middle_was_asked(
    served: Served, settings: Settings, deadline: float
) -> None:
    fake = FakeTime()
    fake.time = deadline - 1
    pauses = {"127.0.0.1": 2.0}
    with guarded_session(settings, deadline, pauses, pace=Pace(fake.now, fake.wait)) as session:
        session.get(f"{served.url}/w/api.php")
        with pytest.raises(SourceBusy):
            session.get(f"{served.url}/w/api.php")
    assert len(served.received) == 1


def test_each_redirect_waits_for_its_turn(served: Served, settings: Settings, deadline: float) -> None:
    fake = FakeTime()
    fake.time = deadline - 1000
    served.behaviour, served.redirect_to = "redirect", served.url
    pauses = {"127.0.0.1": 2.0}
    with guarded_session(settings, deadline, pauses, pace=Pace(fake.now, fake.wait)) as session:
        session.max_redirects = 2
        with pytest.raises(Exception, match="redirects"):
            session.get(served.url)
    assert fake.waited == [2.0, 2.0]
