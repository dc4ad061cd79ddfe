"""What one run may choose. Every field is bounded; the process's `Settings` bound it further.

Studio draws this as a form, a server's client may send it, the command line has an option
for each field. A key that is not here is refused.
"""

import re
from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from veridic.errors import InvalidSetting, nearest_of
from veridic.ports.method import FIXED, NUMBERS, no_choice

SOURCE_NAMES = ("wikipedia", "arxiv", "web")
"""The sources of our own."""

COMMUNITY = "community:"
"""Before the class of a retriever of langchain-community that the operator names."""

_PATTERN = rf"^({'|'.join(SOURCE_NAMES)}|{COMMUNITY}[A-Za-z][A-Za-z0-9_]{{0,99}})$"


def _source_name(name: str) -> str:
    if re.fullmatch(_PATTERN, name):
        return name
    there = nearest_of(name, SOURCE_NAMES, f"there are {', '.join(SOURCE_NAMES)} and {COMMUNITY}CLASS")
    raise PydanticCustomError(
        "source_name", "there is no source {name} ({there})", {"name": repr(name), "there": there}
    )


SourceName = Annotated[
    str,
    AfterValidator(_source_name),
    WithJsonSchema({"type": "string", "pattern": _PATTERN, "examples": list(SOURCE_NAMES)}),
]
"""One of ours, or a retriever of langchain-community by its class; only what the settings allow is asked."""

Place = Annotated[str, Field(min_length=1, max_length=4096)]
"""A path, or a document's id."""

MOST_RETRIES = 5
"""Further attempts that a run may choose, at most."""

RESERVE = 0.15
"""Share of the time budget kept for judging and finishing: nothing is written and no attempt begun in it."""

ASIDE = 0.2
"""Share of the time budget that a chat model has for what rules can do as well: a follow-up made whole, a query."""

OUTSIDE = 0.6
"""Share of the time budget in which outside sources are asked; the rest is for writing and judging."""


def unknown_choice(name: str, known: Iterable[str]) -> InvalidSetting:
    """The error for a choice that no run has, with the nearest one there is, or what took its place."""
    if name in (*NUMBERS, *FIXED):
        return no_choice(name)
    mend = nearest_of(name, known, "docs/settings.md lists them; a run sets nothing of the process.")
    return InvalidSetting(f"A run has no choice {name!r}.", mend)


class Context(BaseModel):
    """Per-run choices; the defaults are a good first run. Raises `InvalidSetting` for what is none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _told(cls, given: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Raise `InvalidSetting` in place of pydantic's error, naming the first choice that is wrong."""
        try:
            return handler(given)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]) if first["loc"] else "context"
            if first["type"] == "extra_forbidden":
                raise unknown_choice(name, cls.model_fields) from error
            raise InvalidSetting(f"{name}: {first['msg']}.", "See the choices of a run in docs/settings.md.") from error

    @field_validator("scope", "sources", mode="before")
    @classmethod
    def _one(cls, given: object) -> object:
        """Take a single name for a list of one."""
        return (given,) if isinstance(given, str) else given

    max_retries: int = Field(
        default=2, ge=0, le=MOST_RETRIES, description="Further attempts after the first answer; 0 means one attempt."
    )
    retrieval: Literal["auto", "always", "never"] = Field(
        default="auto", description="auto: retrieve unless the message plainly needs no evidence."
    )
    scope: tuple[Place, ...] | None = Field(
        default=None,
        max_length=1000,
        description="Folders, files or document ids that are asked, of those the settings allow; null: all.",
    )
    sources: tuple[SourceName, ...] | None = Field(
        default=None,
        description="Outside sources to ask, of those allowed; empty for none, null for those that fit the question.",
    )
    validate_claims: Literal["off", "unsettled", "always"] = Field(
        default="unsettled",
        description="Which claims are looked up again: none, those the evidence left open, or all (Hybrid Self-RAG).",
    )
    candidates: int = Field(default=1, ge=1, le=4, description="Answers written in each attempt; the best is kept.")
    passages: int | None = Field(
        default=None,
        ge=1,
        le=50,
        description="Passages retrieved for each query; null: by its kind, and only what is near.",
    )
    evidence_tokens: int = Field(
        default=384, ge=64, le=8192, description="Room for evidence in the prompt, in tokens (about 4 characters each)."
    )
    answer_tokens: int = Field(default=96, ge=16, le=2048, description="Longest answer the model may write, in tokens.")
    time_budget: float = Field(
        default=120.0, ge=1.0, le=3600.0, description="Seconds for the whole run, with a reserve for the last answer."
    )
    token_budget: int = Field(
        default=20_000, ge=500, le=10_000_000, description="Prompt and completion tokens for the whole run."
    )
    call_budget: int = Field(default=24, ge=1, le=1000, description="Chat calls for the whole run.")
    strictness: Literal["loose", "normal", "strict"] = Field(
        default="normal", description="A point on the judges' risk-coverage curve: strict answers less and errs less."
    )
    fact_score: float = Field(
        default=0.5, ge=0, le=1, description="FactScore under which an answer is written again (tau)."
    )
    write_back: bool = Field(
        default=True, description="Whether an accepted answer may be learned, if the settings' policy allows it."
    )

    def written_until(self, deadline: float) -> float:
        """When the last text must be written, for a run that must end at `deadline`; seconds since the epoch."""
        return deadline - RESERVE * self.time_budget

    def aside_until(self, now: float, deadline: float) -> float:
        """When a reply is given up that rules can take the place of, for a run that must end at `deadline`."""
        return min(deadline, now + ASIDE * self.time_budget)

    def outside_until(self, deadline: float) -> float:
        """When the last outside source is left, for a run that must end at `deadline`; seconds since the epoch."""
        return deadline - (1 - OUTSIDE) * self.time_budget
