"""Removing the thinking that some models write between `<think>` and `</think>`.

An unclosed `<think>` swallows the rest. A `</think>` that nothing opened means that the model's
template had opened it before the first token: everything up to it was thinking.
"""

import re

_TAG = re.compile(r"<(/?)(?:think|thinking)>", re.IGNORECASE)
_PARTIAL = re.compile(r"<(?:/?t?|/?th|/?thi|/?thin|/?think|/?thinki|/?thinkin|/?thinking)\Z", re.IGNORECASE)


class ThinkingFilter:
    """Strips thinking from a text that comes in pieces, however it is cut.

    What `feed` and `close` return, joined, is `text`, unless a `</think>` came that nothing had
    opened: then what was returned before it cannot be called back, and `text` begins after it.
    `text` has no white space at either end.
    """

    def __init__(self) -> None:
        self._visible = ""
        self._space = ""
        self._held = ""
        self._thinking = False

    @property
    def text(self) -> str:
        """What is visible so far."""
        return self._visible

    def feed(self, piece: str) -> str:
        """Take the next piece and return what has become visible by it, perhaps nothing."""
        rest, shown = self._held + piece, ""
        while tag := _TAG.search(rest):
            shown += self._show(rest[: tag.start()])
            self._enter(thinking=not tag[1])
            rest = rest[tag.end() :]
        partial = _PARTIAL.search(rest)
        cut = partial.start() if partial else len(rest)
        self._held = rest[cut:]
        return shown + self._show(rest[:cut])

    def close(self) -> str:
        """Say that no more comes; returns what was held back as a possible tag and is none."""
        rest, self._held = self._held, ""
        return self._show(rest)

    def _enter(self, *, thinking: bool) -> None:
        if not thinking and not self._thinking:
            self._visible = self._space = ""
        self._thinking = thinking

    def _show(self, text: str) -> str:
        """Make a text without tags visible, all but the white space at its end."""
        if self._thinking:
            return ""
        spaced = self._space + text if self._visible else text.lstrip()
        shown = spaced.rstrip()
        self._space = spaced[len(shown) :]
        self._visible += shown
        return shown


def strip_thinking(text: str) -> str:
    """The text without its thinking, and without white space at either end."""
    thinking = ThinkingFilter()
    thinking.feed(text)
    thinking.close()
    return thinking.text
