"""Open a text that is to be checked: look at it, and reset what the last one left on the thread."""

from uuid import uuid4

from veridic.errors import InvalidText
from veridic.ports.file_limits import LONGEST_TEXT
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate, fresh
from veridic.text.hidden import clean


def open_text(state: GraphState, run: Run) -> StateUpdate:
    """Write the run's id and deadline. Raises `InvalidText`."""
    text = checked(state.get("text", ""))
    started = run.resources.clock.now()
    return {
        **fresh(),
        "text": text,
        "run_id": str(uuid4()),
        "started": started,
        "deadline": started + run.context.time_budget,
    }


def checked(text: object) -> str:
    """The text as it is; raises `InvalidText` for one that cannot be checked."""
    if not isinstance(text, str):
        raise InvalidText("The text is no text.", 'Send it as {"text": "…"}.')
    if len(text) > LONGEST_TEXT:
        raise InvalidText(
            f"The text has {len(text):,} characters; at most {LONGEST_TEXT:,} can be checked at once.",
            "Check it in parts.",
        )
    unreadable = sum(not character.isprintable() and not character.isspace() for character in text)
    if not text.strip():
        raise InvalidText("The text is empty.", "Give a text that states something.")
    if unreadable > len(text) // 20 or not any(character.isalnum() for character in clean(text)):
        raise InvalidText("The text is not readable.", "Send it as UTF-8 text.")
    return text
