"""Lines as they are typed, with editing and a history where there is readline, or as they come through a pipe."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TextIO

from veridic.cli.saying import say

PROMPT = "> "


def typed_lines(words: Sequence[str], earlier: Iterable[str]) -> Iterator[str]:
    """Each line that is typed, until the end of the input; an interrupt gives the line up and asks for another.

    Tab completes `words`; `earlier` lines are gone back to with the up arrow. The history ends with the program.
    """
    _prepare(words, earlier)
    while True:
        try:
            yield input(PROMPT)
        except KeyboardInterrupt:
            say("")
        except EOFError:
            say("")
            return


def piped_lines(stream: TextIO) -> Iterator[str]:
    """Each line of a stream that is not blank, told as if it had been typed; what is no UTF-8 text is replaced."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors="replace")
    for line in stream:
        if line.strip():
            say(f"{PROMPT}{line.strip()}")
            yield line


def _prepare(words: Sequence[str], earlier: Iterable[str]) -> None:
    with suppress(ImportError):  # where there is no readline, lines are typed plainly
        import readline

        for line in earlier:
            readline.add_history(line)
        readline.set_completer_delims("")
        readline.set_completer(
            lambda begun, count: ([word for word in words if word.startswith(begun)] + [None])[count]
        )
        readline.parse_and_bind("tab: complete")
