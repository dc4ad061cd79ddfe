"""What every node that has text written shares: how a reply is cleaned, and what a prompt says of refused text."""

import re
from collections.abc import Sequence

from veridic.ports.chat import Reply
from veridic.text.fences import defuse
from veridic.text.reflection import without_tokens
from veridic.text.sentences import sentences

_PREAMBLE = re.compile(r"^(?:the )?answer(?: to (?:this|the|your) question)?(?: is)?\s*:\s*", re.IGNORECASE)


def cleaned(reply: Reply) -> str:
    """The reply without reflection tokens, a preamble, and a cut last sentence, unless it is the only one."""
    text = _PREAMBLE.sub("", without_tokens(reply.text.strip()))
    if reply.finished:
        return text
    written = sentences(text)
    return text[: written[-2].end] if len(written) > 1 else text


def refused(unsettled: Sequence[str]) -> str:
    """What a prompt says of sentences that the evidence does not bear out; empty when there are none."""
    if not unsettled:
        return ""
    return "These statements are not in the text, do not repeat them: " + " ".join(map(defuse, unsettled[:3]))
