"""Claims of an answer, looked up and scored (Hybrid Self-RAG), and conflicts."""

from typing import Literal

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.shapes.evidence import Citation, Passage

Standing = Literal["borne_out", "contradicted", "open"]
CHECKED = 6
"""Claims of one answer that are checked; the others are named as unchecked."""


class AtomicClaim(TypedDict):
    """One statement of an answer."""

    text: str
    sentence: str
    """The sentence of the answer it was taken from."""


class LookedUp(TypedDict):
    """What one place gave for one claim; no passages: it was asked and had nothing."""

    claim: str
    source: str
    """`corpus`, `outside` for what was kept, or the name of the outside source."""
    passages: list[Passage]


class Claim(TypedDict):
    """One statement looked up outside and in the index (Hybrid Self-RAG)."""

    text: str
    sentence: str
    """The sentence of the answer it was taken from."""
    evidence: list[Citation]
    """The best by cosine; empty when nothing was found."""
    cosine: float | None
    """Cosine of claim and best evidence; `None` when nothing was found."""
    by_source: dict[str, float]
    """The same for each place that was asked; 0 for one that had nothing."""
    entailment: float | None
    """The largest over all evidence; `None` when nothing was found."""
    contradiction: float | None
    standing: Standing
    """Contradicted where the critic says so of evidence that passed the evaluator; else borne out when some evidence
    entails it; else open."""


class FactScores(TypedDict):
    """The claims of an answer checked one by one; a claim without evidence where it was asked counts as 0."""

    claims: list[Claim]
    fact_score: float | None
    """The paper's FactScore: mean cosine with evidence from outside, over the claims that were asked there; `None` when
    none was. The user's own documents do not count: an answer written from them is near them."""
    corpus_score: float | None
    """The same against the knowledge base's own documents."""
    entailment_score: float
    by_source: dict[str, float]
    """Mean cosine over the claims that were asked there."""
    missing: int
    missing_claims: list[str]
    """The claims for which nothing was found."""
    unchecked: list[str]
    """Claims beyond the limit of a run, which no place was asked about and no score counts."""


class FactReport(FactScores):
    """The scores before the answer was written again, and after."""

    after: FactScores | None
    """Of the answer that is returned, against the evidence found before; `None` when nothing was written again, so
    that the scores before hold, when no answer is returned, or when time or a judge did not allow it."""


class Conflict(TypedDict):
    """A claim on which two pieces of evidence disagree."""

    claim: str
    supporting: Citation
    contradicting: Citation
