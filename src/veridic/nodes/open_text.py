"""Open a text that is to be checked: look at it, and reset what the last one left on the thread."""

from uuid import uuid4

from langgraph.types import Overwrite

from veridic.errors import InvalidText
from veridic.ports.file_limits import LONGEST_TEXT
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.hidden import clean


def open_text(state: GraphState, run: Run) -> StateUpdate:
    """Write the run's id and deadline. Raises `InvalidText`."""
    text = checked(state.get("text", ""))
    started = run.resources.clock.now()
    return {
        "text": text,
        "run_id": str(uuid4()),
        "started": started,
        "deadline": started + run.context.time_budget,
        "statements": [],
        "batch": [],
        "checked": [],
        "conflicts": [],
        "stopped_by": None,
        "look_ups": [],
        "looked_up": Overwrite([]),  # type: ignore[typeddict-item]
        "sent": Overwrite([]),  # type: ignore[typeddict-item]
        "unavailable": Overwrite([]),  # type: ignore[typeddict-item]
        "discarded": Overwrite([]),  # type: ignore[typeddict-item]
        "flagged": Overwrite([]),  # type: ignore[typeddict-item]
        "failures": Overwrite([]),  # type: ignore[typeddict-item]
        "grades": Overwrite([]),  # type: ignore[typeddict-item]
        "timings": Overwrite({}),  # type: ignore[typeddict-item]
        "usage": Overwrite({}),  # type: ignore[typeddict-item]
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
