"""Judges by name, as the card measures them."""

import pytest

from veridic.errors import MissingExtra
from veridic.models import by_settings
from veridic_lab.drafts.hands import documents
from veridic_lab.drafts.judged import asked, critic_named, scored_by


def test_a_cascade_without_the_base_judge_is_refused_and_not_small_by_another_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(by_settings, "base_folder", lambda: None)
    with pytest.raises(MissingExtra, match="base judge"):
        critic_named("cascade")


def test_every_draft_is_scored_once_and_every_statement_may_be_marked() -> None:
    found = documents("develop")[:2]
    scored, marks = scored_by(asked(critic_named("small")), found)
    assert len(scored) == sum(len(question.drafts) for one in found for question in one.asked)
    assert len(marks) >= len(scored)
    assert all(0.0 <= one.support <= 1.0 for one in scored)
