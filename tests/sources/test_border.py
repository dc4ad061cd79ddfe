"""Which of our errors a status is."""

import pytest

from veridic.errors import SourceBusy, SourceRefused, SourceUnavailable
from veridic.sources.border import check_status


@pytest.mark.parametrize("status", [408, 425, 500, 503])
def test_what_may_pass_is_unavailable(status: int) -> None:
    with pytest.raises(SourceUnavailable):
        check_status("example.org", status)


@pytest.mark.parametrize("status", [400, 401, 404, 410])
def test_what_asking_again_does_not_mend_is_refused(status: int) -> None:
    with pytest.raises(SourceRefused):
        check_status("example.org", status)


def test_a_place_that_is_left_alone_is_busy_and_a_good_status_is_none() -> None:
    with pytest.raises(SourceBusy):
        check_status("example.org", 429, 30.0)
    check_status("example.org", 200)
