"""Ask one outside source; `Send` runs the sources side by side."""

from veridic.protocols import Run
from veridic.state import Sent, SourceTask, StateUpdate

FINDINGS = 5
"""Passages taken from one source for one query."""

SECONDS = 20.0
"""Longest wait for one source, within the run's own deadline."""


def search(task: SourceTask, run: Run) -> StateUpdate:
    """Add what the source finds to the findings, and the query to those sent."""
    deadline = min(task["deadline"], run.resources.clock.now() + SECONDS)
    found = run.resources.sources[task["source"]].search(task["query"], limit=FINDINGS, deadline=deadline)
    return {"findings": found, "sent": [Sent(source=task["source"], query=task["query"])]}
