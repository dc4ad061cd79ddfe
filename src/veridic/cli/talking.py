"""Lines on their way into a conversation, typed or through a pipe."""

import os
import re
import sys
from collections.abc import Iterable

from veridic.cli.columns import counted
from veridic.cli.conversation import Conversation
from veridic.cli.lines import piped_lines, typed_lines
from veridic.cli.running import Asking
from veridic.cli.saying import say
from veridic.cli.slash import COMMANDS, QUIT, obey
from veridic.errors import VeridicError
from veridic.text.outgoing import for_a_line

_COMMAND = re.compile(r"(/[a-z]*)(?:\s+(.*))?")
"""A path begins with a slash too, and has more of them."""


def talk(conversation: Conversation) -> None:
    """Go on until the lines end: those that somebody types, or those of standard input where no terminal is."""
    if not sys.stdin.isatty():
        _take_all(conversation, piped_lines(sys.stdin))
        return
    earlier = conversation.runs()
    _welcome(conversation)
    lines = typed_lines([*COMMANDS, QUIT], [run.result["question"] for run in earlier])
    _take_all(conversation, lines, goes_on=True)
    if conversation.stopped and conversation.stopped.at_work:
        conversation.note("Waiting for the last step of the question that was stopped; Ctrl-C leaves at once.")
        _wait(conversation.stopped)


def _wait(asking: Asking) -> None:
    """Until its last step has ended, or an interrupt: Python would wait for the threads that the step runs in."""
    try:
        asking.wait()
    except KeyboardInterrupt:
        sys.stdout.flush()
        os._exit(130)  # what is stored is stored in transactions


def _take_all(conversation: Conversation, lines: Iterable[str], *, goes_on: bool = False) -> None:
    """Take each line until one says to leave; an interrupt stops what it began, and `goes_on` with the next."""
    for line in map(str.strip, lines):
        if line == QUIT:
            return
        try:
            _take(conversation, line)
        except KeyboardInterrupt:
            if not goes_on:
                raise
            conversation.note("stopped")


def _take(conversation: Conversation, line: str) -> None:
    """Obey a command, or ask anything else; what goes wrong is one line."""
    command = _COMMAND.fullmatch(line)
    try:
        if command:
            obey(conversation, command[1], command[2] or "")
        elif line:
            conversation.ask(line)
    except VeridicError as error:
        say(f"veridic: {for_a_line(str(error))}", err=True)


def _welcome(conversation: Conversation) -> None:
    """Say where the conversation stands, and how to find out more."""
    runs, name = conversation.runs(), conversation.thread
    if runs:
        last = runs[-1].result
        short = last["answer"].partition("\n")[0] or "(the words of a document that was removed)"
        told = for_a_line(f"{last['question']} {short}")
        conversation.note(f"{name}: {counted(len(runs), 'question')} so far. The last: {told}")
    elif name:
        conversation.note(f"{name}: a new thread; `veridic chat --thread {name}` goes on with it later.")
    conversation.note("Ask, and ask on. /help names the commands, Ctrl-D leaves.")
