"""What a node may ask of a chat model; see `veridic.ports`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from veridic.ports.likelihood import WrittenToken
from veridic.ports.reflection import Reflection, reflected, without_tokens
from veridic.ports.shapes import Usage
from veridic.text.hidden import clean


@dataclass(frozen=True)
class Reply:
    """What a chat model wrote, without its thinking."""

    text: str
    """Clean: whatever is given, nothing in it is hidden (see `text.hidden`), and no reflection token is left."""
    prompt_tokens: int
    completion_tokens: int
    finished: bool
    """False when the token limit or the deadline cut it."""
    problem: str = ""
    """What was wrong with how it came, for people; empty where nothing was."""
    mend: str = ""
    """What to do about that."""
    tokens: tuple[WrittenToken, ...] = ()
    """As its server told them, with their probabilities; empty where it tells none, or was not asked."""
    reflection: Reflection | None = None
    """What the reflection tokens of the text said; made of text and tokens where it is not given."""

    def __post_init__(self) -> None:
        """Clean the text, and read the reflection tokens that are taken out of it."""
        given = clean(self.text)
        read = self.reflection or reflected(given, self.tokens)
        object.__setattr__(self, "reflection", read)
        object.__setattr__(self, "text", without_tokens(given))

    def usage(self) -> Usage:
        """What this one call consumed."""
        return Usage(calls=1, prompt_tokens=self.prompt_tokens, completion_tokens=self.completion_tokens)


class Prompt(NamedTuple):
    """The words said to a model."""

    system: str
    user: str


class ChatModel(Protocol):
    """Writes text.

    One that has an attribute `tells_probabilities` that is true is called with `probabilities=True` where those of its
    tokens are of use (`Reply.tokens`).
    """

    @property
    def name(self) -> str:
        """As the user gave it: `embedded`, `ollama:llama3.2:3b`."""

    @property
    def follows_instructions(self) -> bool:
        """Whether it can be trusted with rewriting, claims and citation markers."""

    @property
    def reflects(self) -> bool:
        """Whether it was trained as Self-RAG: it writes reflection tokens, and wants its own form of prompt."""

    def prepare(self, progress: Callable[[int, int], None] = lambda _done, _total: None) -> None:
        """Fetch and start what `write` needs, telling how much is done of how much; nothing is done twice.

        Raises `WeightsUnavailable`, `WeightsDamaged` and what `write` raises.
        """

    def write(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float,
        seed: int,
        deadline: float,
        on_token: Callable[[str], None] = lambda _: None,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Write one reply, calling `on_token` with each visible piece as it comes.

        `schema` is a JSON schema with a `title`, to which providers that can do so hold the reply; the others
        ignore it, and the deadline may cut it, so whoever reads the reply checks it.

        Stops at the deadline with what was written so far (`finished` false). Raises
        `ModelUnavailable`, `MissingKey`, `UnknownModel`.
        """
