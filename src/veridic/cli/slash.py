"""What a line that begins with a slash does in a conversation."""

from collections.abc import Callable, Mapping
from functools import partial

from veridic.api.history import feedback
from veridic.cli.conversation import Conversation
from veridic.cli.log import told_opinion
from veridic.cli.rendering import print_sources
from veridic.cli.saying import say
from veridic.errors import UsageError, nearest_of
from veridic.evidence.wording import OUTCOMES
from veridic.exporting.files import export_runs, free_path
from veridic.text.outgoing import for_a_line

QUIT = "/quit"
HELP = """\
/sources       what the last answer rests on, in full
/up, /down     say that the last answer was right, or was not
/correct TEXT  say what the right short answer is
/export FILE   write the conversation into a new file: .md, .html or .json
/new           begin a new conversation
/quit          leave, as Ctrl-D does; Ctrl-C stops the question that runs
Anything else is asked, with what was said before in mind."""


def obey(conversation: Conversation, name: str, rest: str) -> None:
    """Do what a command says. Raises `UsageError` for one that is none, and what it raises itself."""
    if name not in COMMANDS:
        mend = nearest_of(name, (*COMMANDS, QUIT), "/help names those there are.")
        raise UsageError(f"There is no command {name}.", mend)
    COMMANDS[name](conversation, rest)


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
    opinion = feedback(conversation.last().run_id, verdict, correction, settings=conversation.settings)
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
