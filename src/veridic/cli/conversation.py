"""A conversation in the terminal: lines that are typed or come through a pipe, asked one by one or obeyed."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from langchain_core.messages import HumanMessage

import veridic
from veridic.api.history import logged
from veridic.cli.log import told_opinion
from veridic.cli.rendering import print_result, print_sources
from veridic.cli.saying import say, warn
from veridic.cli.steps import steps_shown
from veridic.cli.terminal import MODES, Terminal, ended
from veridic.context import Context
from veridic.errors import RunMissing, UsageError, VeridicError, nearest_of
from veridic.evidence.analysis import NEEDLESS
from veridic.exporting.files import export_runs, free_path
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import OUTCOMES, counted
from veridic.graph.builder import Graph
from veridic.ports.shapes import Logged
from veridic.runtime.turns import TURNS_READ, checked
from veridic.settings import Settings

PROMPT = "> "
QUIT = "/quit"
HELP = """\
/sources       what the last answer rests on, in full
/up, /down     say that the last answer was right, or was not
/correct TEXT  say what the right short answer is
/export FILE   write the conversation into a new file: .md, .html or .json
/new           begin a new conversation
/quit          leave, as Ctrl-D does; Ctrl-C stops the question that runs
Anything else is asked, with what was said before in mind."""
_COMMAND = re.compile(r"(/[a-z]*)(?:\s+(.*))?")
"""A path begins with a slash too, and has more of them."""


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

    def ask(self, line: str) -> None:
        """Ask, and print the answer. Raises what the graph raises, and `KeyboardInterrupt` where it was stopped."""
        messages = [*veridic.messages_of(self.runs(TURNS_READ)), HumanMessage(checked(line))]
        with steps_shown(self.console) as shown:
            stream: Any = self.graph.stream({"messages": messages}, context=self.context, stream_mode=MODES)
            result = ended(stream, shown)
        print_result(self.console, result, whole=False, verbose=False)
        say("")
        self.asked.append(result["run_id"])
        if self.thread:
            veridic.add_to_thread(self.thread, result["run_id"], settings=self.settings)

    def runs(self, last: int | None = None) -> list[Logged]:
        """Its runs that are in the log, oldest first; with `last` at most that many of the newest."""
        if self.thread:
            return veridic.thread_runs(self.thread, last=last, settings=self.settings)
        found = list[Logged]()
        for run_id in self.asked[-last:] if last else self.asked:
            with suppress(RunMissing):
                found.append(logged(run_id, settings=self.settings))
        return found

    def last(self) -> Logged:
        """Its newest run that was more than a courtesy. Raises `UsageError` where there is none."""
        asked = (run for run in reversed(self.runs(TURNS_READ)) if run.result["analysis"]["need"] != NEEDLESS)
        newest = next(asked, None)
        if newest is None:
            raise UsageError("Nothing has been answered yet in this conversation.", "Ask something first.")
        return newest

    def note(self, text: str) -> None:
        """Print a line that is no answer."""
        self.console.print(text, style="dim", markup=False, soft_wrap=True)


def talk(conversation: Conversation) -> None:
    """Go on until the lines end: those that somebody types, or those of standard input where no terminal is."""
    if not sys.stdin.isatty():
        _take_all(conversation, _piped_lines())
        return
    earlier = conversation.runs()
    _welcome(conversation, earlier)
    _prepare(run.result["question"] for run in earlier)
    _take_all(conversation, _typed_lines(), goes_on=True)


def _take_all(conversation: Conversation, lines: Iterable[str], *, goes_on: bool = False) -> None:
    """Obey or ask each line until one says to leave; what goes wrong is one line.

    An interrupt stops what a line began, and `goes_on` with the next.
    """
    for line in map(str.strip, lines):
        if line == QUIT:
            return
        command = _COMMAND.fullmatch(line)
        try:
            if command:
                obey(conversation, command[1], command[2] or "")
            elif line:
                conversation.ask(line)
        except VeridicError as error:
            warn(str(error))
        except KeyboardInterrupt:
            if not goes_on:
                raise
            conversation.note("stopped")


def obey(conversation: Conversation, name: str, rest: str) -> None:
    """Do what a command says. Raises `UsageError` for one that is none, and what it raises itself."""
    if name not in COMMANDS:
        mend = nearest_of(name, (*COMMANDS, QUIT), "/help names those there are.")
        raise UsageError(f"There is no command {name}.", mend)
    COMMANDS[name](conversation, rest)


def _welcome(conversation: Conversation, runs: list[Logged]) -> None:
    """Say where the conversation stands, and how to find out more."""
    name = conversation.thread
    if runs:
        last = runs[-1].result
        short = last["answer"].partition("\n")[0] or "(the words of a document that was removed)"
        told = for_a_line(f"{last['question']} {short}")
        conversation.note(f"{name}: {counted(len(runs), 'question')} so far. The last: {told}")
    elif name:
        conversation.note(f"{name}: a new thread; `veridic chat --thread {name}` goes on with it later.")
    conversation.note("Ask, and ask on. /help names the commands, Ctrl-D leaves.")


def _typed_lines() -> Iterator[str]:
    """Each line that is typed, until the end of the input; an interrupt gives the line up and asks for another."""
    while True:
        try:
            yield input(PROMPT)
        except KeyboardInterrupt:
            say("")
        except EOFError:
            say("")
            return


def _piped_lines() -> Iterator[str]:
    """Each line of standard input that is not blank, told as if typed; what is no UTF-8 text is replaced."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for line in sys.stdin:
        if line.strip():
            say(f"{PROMPT}{line.strip()}")
            yield line


def _prepare(earlier: Iterable[str]) -> None:
    """Let Tab complete commands and the up arrow go back to earlier lines, where readline is there."""
    with suppress(ImportError):
        import readline

        for line in earlier:
            readline.add_history(line)
        readline.set_completer_delims("")
        words = [*COMMANDS, QUIT]
        readline.set_completer(
            lambda begun, count: ([word for word in words if word.startswith(begun)] + [None])[count]
        )
        readline.parse_and_bind("tab: complete")


def _sources(conversation: Conversation, _: str) -> None:
    last = conversation.last().result
    if not any(sentence["citations"] for sentence in last["sentences"]):
        raise UsageError(f"The last answer cites nothing: {OUTCOMES[last['outcome']]}.", last["reason"])
    print_sources(conversation.console, last)


def _correct(conversation: Conversation, right: str) -> None:
    if not right:
        raise UsageError("No answer was given.", "Write what is right: /correct 1911.")
    _give(conversation, right, verdict="correction")


def _give(conversation: Conversation, right: str = "", *, verdict: str) -> None:
    correction = right if verdict == "correction" else ""
    opinion = veridic.feedback(conversation.last().run_id, verdict, correction, settings=conversation.settings)
    conversation.note("\n".join(told_opinion(opinion)))


def _export(conversation: Conversation, name: str) -> None:
    if not name:
        raise UsageError("No file was named.", "Name one: /export answers.md.")
    free_path(name)
    conversation.last()
    conversation.note(f"written to {for_a_line(str(export_runs(conversation.runs(), name)))}")


def _new(conversation: Conversation, _: str) -> None:
    left = f"; {conversation.thread} stays as it is" if conversation.thread else ""
    conversation.thread, conversation.asked = None, []
    conversation.note(f"A new conversation{left}.")


COMMANDS: Mapping[str, Callable[[Conversation, str], None]] = {
    "/help": lambda _, __: say(HELP),
    "/sources": _sources,
    "/up": partial(_give, verdict="up"),
    "/down": partial(_give, verdict="down"),
    "/correct": _correct,
    "/export": _export,
    "/new": _new,
}
"""By their names; each takes what stands behind it. To leave is no command: it ends the lines."""
