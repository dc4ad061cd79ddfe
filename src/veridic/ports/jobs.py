"""Files that were queued, as every part of the house calls their states."""

from typing import Literal

JobState = Literal["waiting", "running", "done", "failed"]
