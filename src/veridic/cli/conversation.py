"""A conversation in the terminal: questions, their follow-ups, and what was answered so far."""

from contextlib import suppress
from dataclasses import dataclass, field

from langchain_core.messages import HumanMessage

from veridic.api.history import Logged, logged
from veridic.api.threads import add_to_thread, messages_of, thread_runs
from veridic.cli.replying import show_reply
from veridic.cli.running import Asking
from veridic.cli.saying import say
from veridic.cli.steps import steps_shown
from veridic.cli.terminal import Terminal
from veridic.context import Context
from veridic.errors import RunMissing, UsageError
from veridic.evidence.turns import TURNS_READ, checked
from veridic.graph.builder import Graph
from veridic.settings import Settings
from veridic.text.small_talk import small_talk


@dataclass
class Conversation:
    """What is asked and answered, on a thread of the decision log or, without one, until the program ends.

    What was told is read from the log each time, so that what was removed meanwhile is not gone on with.
    """

    graph: Graph
    context: Context
    settings: Settings
    console: Terminal
    thread: str | None = None
    asked: list[str] = field(default_factory=list)
    """Ids of its runs, where it has no thread."""
    stopped: Asking | None = None
    """The last question that was stopped."""

    def ask(self, line: str) -> None:
        """Ask, and print the answer. Raises what the graph raises, and `KeyboardInterrupt` where it was stopped."""
        question = HumanMessage(checked(line))
        asking = Asking(self.graph, [*messages_of(self.runs(TURNS_READ)), question], self.context)
        try:
            with steps_shown(self.console) as shown:
                result = asking.result(shown)
        except KeyboardInterrupt:
            self.stopped = asking
            raise
        show_reply(self.console, result)
        say("")
        self.asked.append(result["run_id"])
        if self.thread:
            add_to_thread(self.thread, result["run_id"], settings=self.settings)

    def runs(self, last: int | None = None) -> list[Logged]:
        """Its runs that are in the log, oldest first; with `last` at most that many of the newest."""
        if self.thread:
            return thread_runs(self.thread, last=last, settings=self.settings)
        found = list[Logged]()
        for run_id in self.asked[-last:] if last else self.asked:
            with suppress(RunMissing):
                found.append(logged(run_id, settings=self.settings))
        return found

    def last(self) -> Logged:
        """Its newest run that was more than a courtesy. Raises `UsageError` where there is none."""
        asked = (run for run in reversed(self.runs(TURNS_READ)) if not small_talk(run.result["question"]))
        newest = next(asked, None)
        if newest is None:
            raise UsageError("Nothing has been answered yet in this conversation.", "Ask something first.")
        return newest

    def begin_anew(self) -> None:
        """Go on with nothing of what was said; a thread stays as it is."""
        self.thread = None
        self.asked = []

    def note(self, text: str) -> None:
        """Print a line that is no answer."""
        self.console.print(text, style="dim", markup=False, soft_wrap=True)
