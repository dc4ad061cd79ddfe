"""What people say of runs: kept for those that are logged, cleaned, and the newest counts."""

import pytest

from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import NAUGHTY, result, soon
from veridic.errors import RunMissing, UsageError
from veridic.knowledge.base import Knowledge
from veridic.knowledge.feedback import put
from veridic.learning.opinions import LONGEST_CORRECTION, checked


@pytest.fixture
def logged(knowledge: Knowledge) -> Knowledge:
    for run_id in "12":
        knowledge.decisions.write(result(run_id, "In 1932."), deadline=soon())
    return knowledge


def test_the_newest_counts(logged: Knowledge) -> None:
    logged.feedback.give("1", "down")
    logged.feedback.give("2", "up")
    given = logged.feedback.give("1", "correction", "  1955 ")
    assert (given.verdict, given.correction, given.right) == ("correction", "1955", False)
    assert logged.feedback.of("1") == given
    assert [(one.run_id, one.verdict) for one in logged.feedback] == [("2", "up"), ("1", "correction")]
    assert len(list(logged.feedback)) == 2
    logged.feedback.give("1", "up")
    assert [(one.run_id, one.right) for one in logged.feedback] == [("2", True), ("1", True)]


def test_a_run_of_which_nothing_was_said_has_none(logged: Knowledge) -> None:
    assert logged.feedback.of("1") is None
    assert list(logged.feedback) == []


def test_an_unknown_run_is_refused_and_nothing_kept(logged: Knowledge) -> None:
    with pytest.raises(RunMissing, match="veridic log list") as raised:
        logged.feedback.give("3\x1b[31m" + "x" * 500, "up")
    assert "\x1b" not in str(raised.value)
    assert len(str(raised.value)) < 300
    assert list(logged.feedback) == []


def test_namespaces_do_not_see_one_another(opener: Opener) -> None:
    ours, theirs = opener(), opener(namespace="theirs")
    ours.decisions.write(result("1", "x"), deadline=soon())
    with pytest.raises(RunMissing):
        theirs.feedback.give("1", "up")
    theirs.decisions.write(result("1", "x"), deadline=soon())
    theirs.feedback.give("1", "down")
    assert (ours.feedback.of("1"), list(ours.feedback)) == (None, [])
    ours.feedback.give("1", "up")
    assert [one.verdict for one in theirs.feedback] == ["down"]


@pytest.mark.parametrize("correction", NAUGHTY, ids=range(len(NAUGHTY)))
def test_any_text_is_kept_cleaned_or_refused(logged: Knowledge, correction: str) -> None:
    try:
        given = logged.feedback.give("1", "correction", correction)
    except UsageError:
        assert logged.feedback.of("1") is None
    else:
        assert logged.feedback.of("1") == given
        assert given.correction.isprintable()
        assert 0 < len(given.correction) <= LONGEST_CORRECTION


def test_what_is_hidden_is_taken_out(logged: Knowledge) -> None:
    assert logged.feedback.give("1", "down", "19\u202e55\n\n in\x1b spring").correction == "1955 in spring"


@pytest.mark.parametrize(
    ("verdict", "correction"),
    [("good", ""), ("", ""), ("up", "1955"), ("correction", ""), ("down", " \u200b"), ("correction", "x" * 501)],
)
def test_what_cannot_be_meant_is_refused(verdict: str, correction: str) -> None:
    with pytest.raises(UsageError):
        checked(verdict, correction)


def test_it_is_kept_with_what_else_is_written(logged: Knowledge) -> None:
    def with_what_follows() -> None:
        with logged.feedback.store.writing() as connection:
            put(connection, "1", "up", "")
            raise RuntimeError("what follows from it cannot be written")

    with pytest.raises(RuntimeError):
        with_what_follows()
    assert logged.feedback.of("1") is None
