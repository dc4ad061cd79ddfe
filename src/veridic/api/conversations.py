"""Conversations that are gone on with after the process that began them has ended, from Python.

A thread is a name for runs of the decision log, in one namespace; see `veridic.knowledge.conversations`.
"""

from collections.abc import Sequence
from contextlib import closing

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from veridic.errors import RunMissing, UsageError
from veridic.knowledge.conversations import ThreadSummary
from veridic.ports.shapes import Logged
from veridic.resources import held_knowledge_base
from veridic.settings import Settings, is_namespace


def thread_named(name: str) -> str:
    """The name, if a thread may be called so: 1 to 64 letters, digits, `_`, `.` and `-`. Raises `UsageError`."""
    if not is_namespace(name):  # of a thread the same holds
        raise UsageError(
            f"No thread can be called {name!r}.", "Take 1 to 64 letters, digits, underscores, full stops and hyphens."
        )
    return name


def list_threads(*, settings: Settings | None = None) -> list[ThreadSummary]:
    """Every thread of the namespace, the one that was last gone on with first.

    Without `settings` the process's own hold, here and below. Raises `StoreMissing`, `KnowledgeError`.
    """
    with closing(held_knowledge_base(settings)) as knowledge:
        return knowledge.threads.listed()


def thread_runs(name: str, *, last: int | None = None, settings: Settings | None = None) -> list[Logged]:
    """The runs of a thread, oldest first; with `last` that many of the newest. Empty where there is no such thread.

    Raises `StoreMissing`, `KnowledgeError`.
    """
    with closing(held_knowledge_base(settings)) as knowledge:
        return knowledge.threads.runs(name, last)


def add_to_thread(name: str, run_id: str, *, settings: Settings | None = None) -> None:
    """Put a logged run at the end of a thread, which begins with its first one.

    Raises `UsageError` for what is no name, `RunMissing`, `StoreMissing`, `KnowledgeError`.
    """
    with closing(held_knowledge_base(settings)) as knowledge:
        if not knowledge.threads.add(thread_named(name), run_id):
            raise RunMissing(
                "The run is not in the decision log, so the thread goes on without it.",
                "`veridic log list` tells the runs that are.",
            )


def forget_thread(name: str, *, settings: Settings | None = None) -> list[str]:
    """Take the runs of a thread out of the decision log, with what was said of them; returns their ids.

    What was learned of them, lessons and records, stays. Raises `StoreMissing`, `KnowledgeError`.
    """
    with closing(held_knowledge_base(settings)) as knowledge:
        return knowledge.threads.forget(name)


def messages_of(runs: Sequence[Logged]) -> list[AnyMessage]:
    """Runs as the conversation that a graph takes as `messages`; the next question goes after them.

    An answer whose words were taken out with a document is left out.
    """
    messages: list[AnyMessage] = []
    for run in runs:
        messages.append(HumanMessage(run.result["question"]))
        if answer := run.result["answer"]:
            messages.append(AIMessage(answer))
    return messages
