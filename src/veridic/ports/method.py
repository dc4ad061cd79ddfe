"""The numbers of the papers' methods: what a researcher sets when a graph is built, and no run chooses."""

from dataclasses import fields
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from veridic.errors import InvalidSetting, nearest_of
from veridic.ports.shapes import Candidate

Trigger = Literal["critic", "confidence"]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Method:
    """How a system does what it does; each system has its own (`System.method`). Raises `InvalidSetting`."""

    dense: Literal["beside", "fallback"] = Field(
        default="beside",
        description="When the knowledge base is asked about claims: beside outside, or only where outside falls short.",
    )
    per_passage: int = Field(
        default=0, ge=0, le=4, description="Answers written from the best passages one by one, beside those from all."
    )
    retrieve_from: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="Self-RAG: P(evidence is needed) from which documents are asked, where retrieval is auto.",
    )
    trigger: Trigger = Field(
        default="critic",
        description="What sends a writer back to the documents in mid-answer: the critic, which does not find the "
        "sentence supported, or the writer's own improbable words (FLARE).",
    )
    sure_from: float = Field(
        default=0.4, ge=0, le=1, description="FLARE: probability of a token from which its word is sure."
    )
    beam: int = Field(default=2, ge=1, le=4, description="Answers kept, where they are written sentence by sentence.")
    segments: int = Field(
        default=3, ge=1, le=10, description="Longest answer in sentences, where they are written one by one."
    )
    agreement_weight: float = Field(
        default=0.5, ge=0, le=5, description="Weight of agreement with other candidates in an answer's score."
    )
    ranks_by: Literal["probability", "agreement"] = Field(
        default="probability",
        description="What ranks unverified answers first: P(right), or agreement with the others (Hybrid Self-RAG).",
    )
    upper: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Score of the best passage from which retrieval is correct; None: as calibrated.",
    )
    lower: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Score of the best passage under which retrieval is incorrect; None: as calibrated.",
    )
    search: Literal["after", "beside"] = Field(
        default="after",
        description="CRAG: whether allowed sources are asked where retrieval is not correct, or beside it every time, "
        "so that the evaluator chooses among all that was found.",
    )
    keeps: Literal["readable", "relevant"] = Field(
        default="readable",
        description="Which passages are kept: from `passage` on, for a reader that decides on what it reads, and their "
        "best strips where none passes `strip`; or from `lower` on, and the strips that pass (CRAG).",
    )
    passage: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Evaluator score under which a passage is dropped unread; None: as calibrated.",
    )
    strip: float | None = Field(
        default=None, ge=0, le=1, description="Evaluator score under which a strip is dropped; None: as calibrated."
    )
    support: float | None = Field(
        default=None, ge=0, le=1, description="P(entailment) from which a sentence is supported; None: as calibrated."
    )
    recollect: bool = Field(
        default=True, description="Whether what an earlier answer to the same question rests on is looked at first."
    )

    @model_validator(mode="wrap")
    @classmethod
    def _told(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:  # noqa: ANN401 - pydantic's own
        """Raise `InvalidSetting` in place of pydantic's error, naming the first number that is wrong."""
        try:
            return handler(given)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0])
            if name in NUMBERS:
                raise InvalidSetting(f"{name}: {first['msg']}.", "docs/settings.md has the bounds.") from error
            if name in FIXED:
                raise InvalidSetting(f"A method has no number {name!r} any more.", FIXED_AT) from error
            mend = nearest_of(name, NUMBERS, f"There are {', '.join(NUMBERS)}.")
            raise InvalidSetting(f"A method has no number {name!r}.", mend) from error

    def score(self, candidate: Candidate) -> float:
        """The weighted mean of a candidate's ISREL, ISSUP and ISUSE, and of its agreement with others, in [0, 1]."""
        told = candidate["relevance"], candidate["support"], candidate["usefulness"], candidate["agreement"]
        weights = *WEIGHTS, self.agreement_weight
        return sum(weight * score for weight, score in zip(weights, told, strict=True)) / sum(weights)


WEIGHTS = (1.0, 1.0, 0.5)
"""Of ISREL, ISSUP and ISUSE (Self-RAG, section 4.3)."""
FIXED = frozenset({"relevance_weight", "support_weight", "usefulness_weight"})
"""Numbers that were there to be set."""
FIXED_AT = "Leave it out: of the three only the critic's word on support chooses (lab/docs/measured.md)."
NUMBERS = tuple(one.name for one in fields(Method))
"""The names of all fields."""
CALIBRATED = frozenset({"upper", "lower", "passage", "strip", "support"})
"""The decision points of the judges: calibration fits them, and `strictness` chooses among what was fitted."""


def no_choice(name: str) -> InvalidSetting:
    """The error for a choice of a run that is a number of the method: what took its place."""
    if name in FIXED:
        return InvalidSetting(f"{name} is no choice of a run, and no number of a method any more.", FIXED_AT)
    fitted = "a run chooses `strictness`, the judges' calibration fits the rest; " if name in CALIBRATED else ""
    return InvalidSetting(
        f"{name} is no choice of a run: it is a number of the method.",
        f"Instead {fitted}in Python build_graph(method=Method({name}=…)).",
    )
