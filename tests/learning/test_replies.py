"""What is told to somebody who said of a run whether its answer was right."""

from typing import get_args

import pytest

from veridic.learning import replies
from veridic.ports.shapes import Vote
from veridic.ports.shapes.learning import RecordStatus


@pytest.mark.parametrize("verdict", get_args(Vote))
@pytest.mark.parametrize("status", [None, *get_args(RecordStatus)])
def test_what_followed_is_told_of_every_verdict_and_status(verdict: Vote, status: RecordStatus | None) -> None:
    told = replies.followed(verdict, "{1911}", status=status, lesson="", teaches=True)
    untold = [replies.NOT_TOLD] if verdict == "correction" else []
    assert told[2:] == [*untold, replies.TEACHES[verdict]]
    assert ("“{1911}”" in told[0]) == (verdict == "correction")
    silent = replies.followed(verdict, "x", status=status, lesson="It ranks.", teaches=False)
    assert (silent[2:], replies.TEACHES[verdict] in silent) == (["It ranks.", *untold], False)
